"""One gate, driven: every function at every door refuses alike what is not for its caller (D1, G5, G30, G31, M8).

Promises the functions by name as ``call`` runs them and the methods for Python, each with good arguments that a job may
make, and then with one thing wrong. Leaves the command line's own options, which run the same functions, to its tests.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.actions import accepting, entries, jobs, policies, principals
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember
from oz0mem.cli.memory import functions, runs, signatures
from oz0mem.model.errors import Oz0Error
from oz0mem.python.acting import Acting
from tests.actions.evidence import TOKEN, entries_of, events, run_sql, stored_bytes
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from oz0mem.actions.context import Context
    from oz0mem.model.entries import Entry

OWN = "the moat is two fathoms deep"
"""A secret of the tenant's own."""
CALLS = ("remember", "define", "supersede", "accept", "retire", "recall", "changed_since", "startup_context")
WRITING = ("remember", "define", "supersede", "accept", "retire")
DOORS = ("call", "python")
TEXTS = [
    (function, argument)
    for function in CALLS
    for argument, kind in signatures.TAKES[function].items()
    if kind in (signatures.TEXT, signatures.TEXTS, signatures.FIELDS)
] + [(function, "reason") for function in WRITING if function != "retire"]


class Place:
    """A tenant with a decision in force, one proposed, a job and who started it."""

    def __init__(self, url: str) -> None:
        self.world = world = World(url)
        world.declare()
        policies.set_policy(world.ana, "accept", "allow", "as a test")
        self.rita = world.add("rita", "reviewer")
        self.force = self.propose("orders leave at noon")
        accepting.accept(world.ana, Accept(self.force.id, 1))
        self.proposed = self.propose("orders leave at one")
        started = jobs.start(self.rita, jobs.Start("concierge", sees="person"))
        self.job_id, self.job = started.record.id, world.context(job=started.token)

    def propose(self, text: str) -> Entry:
        """A decision that waits."""
        return entries.remember(self.world.ana, Remember(text, "decision")).entry

    def given(self, function: str) -> dict[str, Any]:
        """Arguments that the job may make."""
        every: dict[str, dict[str, Any]] = {
            "remember": {"text": "paper is white", "kind": "note"},
            "define": {"term": "order", "text": "what a customer asks for"},
            "supersede": {"id": self.force.id, "version": 2, "text": "orders leave at two"},
            "accept": {"id": self.proposed.id, "version": 1, "text": self.proposed.text},
            "retire": {"id": self.force.id, "version": 2, "reason": "no longer so"},
        }
        return every.get(function, {})

    def rows(self) -> tuple[object, ...]:
        """Everything that a call could leave."""
        tables = ("approval", "proposal", "call", "link", "bookmark", "reason")
        return (entries_of(self.world), *(run_sql(self.world, f"SELECT count(*) FROM {table}") for table in tables))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A place on SQLite."""
    return Place(f"sqlite:///{tmp_path / 'store.db'}")


def by_call(ctx: Context, function: str, given: dict[str, Any]) -> None:
    """As ``call`` runs a function: its arguments as JSON, the reason beside them."""
    inside = {name: value for name, value in given.items() if name in signatures.TAKES[function]}
    reason = "" if "reason" in inside else given.get("reason", "")
    runs.RUNS[function](ctx, functions.read(f"oz0_memory.{function}", json.dumps(inside), ctx.clock(), reason))


def by_python(ctx: Context, function: str, given: dict[str, Any]) -> None:
    """As Python calls it."""
    named = {"start" if name == "from" else name: value for name, value in given.items()}
    getattr(Acting(ctx), function)(**named)


DOOR: dict[str, Callable[[Context, str, dict[str, Any]], None]] = {"call": by_call, "python": by_python}


def code_of(act: Callable[[], object]) -> str:
    """The code of an act's refusal, '' where it was none."""
    try:
        act()
    except Oz0Error as error:
        return error.code
    return ""


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("function", CALLS)
def test_the_job_may_make_each_call(place: Place, function: str, door: str) -> None:
    """D1: what follows is refused for its one fault, not for the rest of the call."""
    code = code_of(lambda: DOOR[door](place.job, function, place.given(function)))
    assert code == ("memory.retirement_waits" if function == "retire" else "")


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("function", CALLS)
def test_an_agent_that_does_not_name_it_is_refused(place: Place, function: str, door: str) -> None:
    """G5: by the declaration of this moment, whatever it was when the job began."""
    other = "remember" if function in ("recall", "changed_since") else "recall"
    place.world.declare(capabilities=[] if function == "startup_context" else [other], memory={})
    before = place.rows()
    assert code_of(lambda: DOOR[door](place.job, function, place.given(function))) == "agent.function"
    assert place.rows() == before


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("function", [*WRITING, "changed_since"])
def test_a_denied_call_is_refused_and_an_asked_one_waits(place: Place, function: str, door: str) -> None:
    """G30, G31: at every door; nothing is written, and a denied call leaves no approval."""
    world = place.world
    policies.set_policy(world.ana, function, "deny", "as a test")
    before = place.rows()
    assert code_of(lambda: DOOR[door](place.job, function, place.given(function))) == "policy.denied"
    assert place.rows() == before
    policies.set_policy(world.ana, function, "ask", "as a test")
    assert code_of(lambda: DOOR[door](place.job, function, place.given(function))) == "approval.waits"
    assert entries_of(world) == before[0]
    assert run_sql(world, "SELECT function FROM approval") != []
    assert run_sql(world, "SELECT count(*) FROM proposal") == [(0,)]
    assert run_sql(world, "SELECT count(*) FROM bookmark") == [(0,)]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("function", CALLS)
@pytest.mark.parametrize("how", ["ended", "expired", "disabled"])
def test_a_job_that_is_over_or_whose_starter_is_disabled_does_nothing(
    place: Place, function: str, how: str, door: str
) -> None:
    """G1, G2: at every door."""
    if how == "ended":
        jobs.end(place.rita, place.job_id)
    elif how == "expired":
        place.world.later(1)
    else:
        principals.disable(place.world.ana, "rita", "left us")
    before = place.rows()
    wanted = "auth.disabled" if how == "disabled" else "job.ended"
    assert code_of(lambda: DOOR[door](place.job, function, place.given(function))) == wanted
    assert place.rows() == before


@pytest.mark.parametrize("function", WRITING)
@pytest.mark.parametrize("how", ["capability", "denied", "disabled", "undeclared function"])
def test_a_call_that_waits_runs_under_the_rules_of_its_approval(place: Place, function: str, how: str) -> None:
    """G31: approving it is refused where the agent might not make it now, and it waits on."""
    from oz0mem.actions import approvals

    world = place.world
    policies.set_policy(world.ana, function, "ask", "as a test")
    with pytest.raises(Oz0Error) as waits:
        by_python(place.job, function, place.given(function))
    approval = str(waits.value.facts["approval"])
    if how == "capability":
        world.declare(capabilities=["recall"], memory={})
    elif how == "undeclared function":
        world.declare(capabilities=[], tools=["recall"], memory={})
    elif how == "denied":
        policies.set_policy(world.ana, function, "deny", "as a test")
    else:
        principals.disable(world.ana, "rita", "left us")
    before = place.rows()
    code = {"denied": "policy.denied", "disabled": "auth.disabled"}.get(how, "agent.function")
    assert code_of(lambda: approvals.approve(world.ana, approval)) == code
    assert place.rows() == before
    assert [each.id for each in approvals.list_approvals(world.ana).items] == [approval]


def holding(function: str, argument: str, given: dict[str, Any], secret: str) -> dict[str, Any]:
    """The arguments with a secret in one of them."""
    kind = signatures.TAKES[function].get(argument, signatures.TEXT)
    said = f"it is {secret} now"
    value: Any = [said] if kind == signatures.TEXTS else {"path": said} if kind == signatures.FIELDS else said
    return {**given, argument: value}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("function", "argument"), TEXTS)
@pytest.mark.parametrize("own", [False, True], ids=["known format", "the tenant's own"])
def test_a_secret_in_any_argument_of_any_function_is_kept_nowhere(
    place: Place, function: str, argument: str, own: bool, door: str
) -> None:
    """M8: refused with its kind and place wherever it could be kept; in no byte of the files, approval or retry."""
    from oz0mem.actions import governance

    world, secret = place.world, OWN if own else TOKEN
    if own:
        governance.add_secret(world.ana, OWN, "as a test")
    policies.set_policy(world.ana, "write", "ask", "as a test")
    before = place.rows()
    given = holding(function, argument, place.given(function), secret)
    code = code_of(lambda: DOOR[door](place.job, function, given))
    assert place.rows() == before
    world.store.close()
    world.opened().close()
    assert secret.encode() not in stored_bytes(world)
    assert all(secret not in str(event) for event in events(world))
    if function in WRITING and argument not in (
        "id",
        "kind",
        "about",
        "scope",
        "on_similar",
        "derives_from",
        "call_id",
    ):
        assert code == "secret.found"
    else:
        assert code or function in ("recall", "changed_since")
