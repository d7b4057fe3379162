"""G41, G43, L5: calls that wait about somebody who is forgotten, or that name them; under legal holds and without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import approvals, auditing, entries, forget, jobs, policies, retiring, upkeep
from oz0mem.actions.entries import Remember
from oz0mem.model.agreements import DENIED
from tests.actions.absent import remember
from tests.actions.agreeing import left
from tests.actions.evidence import events, lift_holds, newest, place_hold, refused, run_sql
from tests.actions.guessing import matches, name_matches, standing
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context

SAID = "Zanzibar quagga trips"
WORDS = [SAID, "Zanzibar", "quagga"]
ERIN = "erin.pademelon"
NAMED = f"Parcels for {ERIN} wait at the harbour"


@pytest.fixture
def asking(store_url: str) -> World:
    """A tenant as init leaves it, that asks about what is learnt too: agents' writes ask a person; both back ends."""
    world = World(store_url, asks=True)
    world.declare()
    policies.set_policy(world.ana, "remember", "ask", "for the tests")
    return world


def ask(act: Callable[[], object]) -> str:
    """Let a call wait; answers its approval."""
    outcome = refused(act)
    assert outcome.code == "approval.waits"
    return str(outcome.facts["approval"])


def about_dana(world: World) -> Context:
    """A job about dana."""
    return world.job(world.dana, purpose="customer-support", about="dana", sees="person")


def learn(world: World, text: str = SAID) -> str:
    """A call that waits, to keep what dana said."""
    return ask(lambda: entries.remember(about_dana(world), Remember(text, kind="semantic", call_id="once")))


def learnt(world: World, text: str) -> str:
    """The same, approved: an entry about dana; answers its id."""
    done = approvals.approve(world.ana, learn(world, text))
    return str(done.answer.entry.id)  # type: ignore[attr-defined]  # a write


def note(world: World, text: str = NAMED, **more: object) -> str:
    """A call about work that waits."""
    return ask(lambda: entries.remember(world.job(world.ana), Remember(text, **more)))  # type: ignore[arg-type]  # tests name fields


def sound(world: World) -> None:
    """Everything left is as the ledger says."""
    assert [problem.sentence for problem in auditing.check(world.ana, contents=True).problems] == []


def gone(world: World, texts: list[str]) -> None:
    """Nothing of it stands in the files, nor can be guessed there, on SQLite."""
    if world.url.startswith("sqlite"):
        assert standing(world, texts) == []
        assert matches(world, texts) == []


def lift(world: World) -> None:
    """Lift every legal hold, the head's count of them with it."""
    lift_holds(world)
    run_sql(world, "UPDATE head SET holds = 0 WHERE tenant = 1")


def bodies(world: World) -> int:
    """How many approvals have what they would write."""
    return int(run_sql(world, "SELECT count(*) FROM approval WHERE body > 0")[0][0])


def waiting(world: World) -> list[str]:
    """What `approvals` lists."""
    return [asked.id for asked in approvals.list_approvals(world.ana).items]


@pytest.mark.parametrize("hold", ["person", "everything", "an entry about them", "their scope"])
def test_under_a_hold_a_waiting_call_is_denied_and_kept_for_nobody(asking: World, hold: str) -> None:
    """G43, G31: it can neither be shown nor approved after the forget, and goes once no hold preserves it."""
    told = learnt(asking, "dana likes ink")
    approval = ask(
        lambda: entries.remember(about_dana(asking), Remember(SAID, kind="semantic", call_id="twice")),
    )
    entry = asking.store.read(asking.now, lambda desk: desk.entries.by_id(told))
    assert entry is not None
    place_hold(
        asking,
        entry=entry if hold.startswith("an entry") else None,
        about="dana" if hold == "person" else "",
        scope=entry.scope if hold == "their scope" else "",
        everything=hold == "everything",
    )
    assert forget.forget(asking.ana, "dana", dry_run=True).restricted == 2
    assert waiting(asking) == [approval]
    for _ in range(2):  # forgotten twice: told twice, denied once
        done = forget.forget(asking.ana, "dana")
        assert (done.ids, done.restricted) == ([], 2)
        (denied,) = events(asking, "approval.denied")
        assert denied["approval"] == approval and "reason_commit" not in denied
        assert waiting(asking) == []
        assert refused(lambda: approvals.approve(asking.ana, approval)).code == "approval.decided"
        shown = approvals.deny(asking.ana, approval, "no").approval
        assert (shown.state, shown.document, shown.decider) == (DENIED, {}, "ana")
        assert bodies(asking) == 1
        sound(asking)
    again = refused(
        lambda: entries.remember(about_dana(asking), Remember(SAID, kind="semantic", call_id="twice")),
    )
    assert again.code == "approval.denied"
    asking.later(15)
    upkeep.upkeep(asking.ana)
    assert bodies(asking) == 1
    sound(asking)
    lift(asking)
    upkeep.upkeep(asking.ana, dry_run=True)
    assert bodies(asking) == 1
    upkeep.upkeep(asking.ana)
    assert (bodies(asking), run_sql(asking, "SELECT count(*) FROM erasure")) == (0, [(0,)])
    (closed,) = events(asking, "memory.forgotten")
    assert (closed["count"], closed["actor"]["kind"]) == (0, "system") and "subject" in closed
    assert left(asking)["approval"] == 1  # the one that made the entry, which forget takes
    gone(asking, WORDS)
    sound(asking)
    assert forget.forget(asking.ana, "dana").ids == [told]
    assert left(asking)["approval"] == 0
    sound(asking)


def test_audit_tells_of_a_denied_calls_text_that_no_hold_keeps_or_that_was_altered(asking: World) -> None:
    """L7, G43: a hold excuses that it is there, and nothing else."""
    approval = learn(asking)
    place_hold(asking, about="dana")
    forget.forget(asking.ana, "dana")
    ((content,),) = run_sql(asking, "SELECT content FROM body WHERE num = (SELECT body FROM approval)")
    altered = bytes(content).replace(b"quagga", b"zebras")
    assert altered != bytes(content)
    behind = "UPDATE body SET content = ? WHERE num = (SELECT body FROM approval)"
    run_sql(asking, behind, altered)
    (problem,) = auditing.check(asking.ana, contents=True).problems
    assert approval in problem.sentence and "committed" in problem.sentence
    run_sql(asking, behind, bytes(content))
    sound(asking)
    lift(asking)
    (problem,) = auditing.check(asking.ana, contents=True).problems
    assert approval in problem.sentence and "still there" in problem.sentence


def test_a_forget_after_the_hold_takes_what_was_kept_too(asking: World) -> None:
    """G41: with the person, and their name."""
    remember(asking, "She writes with ink", about=ERIN)
    job = asking.job(asking.ana, about=ERIN, purpose="customer-support", sees="person")
    governed = refused(lambda: entries.remember(job, Remember(SAID, kind="procedural")))
    assert governed.code == "approval.waits"
    place_hold(asking, about=ERIN)
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert (done.restricted, done.unlinked, done.kept_because) == (2, False, ("legal_hold",))
    lift(asking)
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert (len(done.ids), done.restricted, done.unlinked) == (1, 0, True)
    assert (left(asking)["approval"], bodies(asking)) == (0, 0)
    gone(asking, WORDS)
    sound(asking)


def reading(world: World) -> str:
    """A call of a job that had read a page about erin."""
    started = jobs.start(world.ana, jobs.Start("concierge"))
    jobs.read(world.ana, started.record.id, f"crm://{ERIN}", published=True)
    job = world.context(job=started.token)
    approval = ask(lambda: entries.remember(job, Remember("Parcels wait")))
    run_sql(world, "DELETE FROM body WHERE num IN (SELECT body FROM job_read)")  # what a job read is not about her
    run_sql(world, "DELETE FROM job_read")
    return approval


def retirement(world: World) -> str:
    """A call that would retire a note, since erin says so."""
    entry = world.note("Parcels go by boat").entry
    return ask(lambda: retiring.retire(world.job(world.ana), entry.id, f"{ERIN} says so", version=1))


WHERE: dict[str, Callable[[World], str]] = {
    "text": note,
    "tag": lambda world: note(world, "Parcels wait", tags=(ERIN,)),
    "reason": lambda world: note(world, "Parcels wait", reason=f"for {ERIN.upper()}, she asked"),
    "source": lambda world: note(world, "Parcels wait", source={"path": f"crm/{ERIN}/parcels"}),
    "call id": lambda world: note(world, "Parcels wait", call_id=f"for {ERIN}"),
    "what its job had read": reading,
    "a job's retirement": retirement,
}


@pytest.mark.parametrize("where", WHERE)
def test_a_call_that_names_the_person_goes_with_them(asking: World, where: str) -> None:
    """G41, L5, L4: the name stands nowhere after --unlink; one that names another goes on waiting."""
    remember(asking, "She writes with ink", about=ERIN)
    other = note(asking, f"Parcels for {ERIN}s or x{ERIN} are no matter of hers")
    if where != "text":
        approvals.deny(asking.ana, other, "not now")
    WHERE[where](asking)
    tried = forget.forget(asking.ana, ERIN, unlink=True, dry_run=True)
    assert (tried.unlinked, bodies(asking)) == (True, 2 if where == "text" else 1)
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert (done.unlinked, len(done.ids), tried.ids) == (True, 1, done.ids)
    assert waiting(asking) == ([other] if where == "text" else [])
    if asking.url.startswith("sqlite") and where != "text":
        assert name_matches(asking, ERIN) == set()
        gone(asking, [NAMED])
    sound(asking)


def test_the_agent_asks_again_as_if_anew(asking: World) -> None:
    """G31: what its retry was known by went too."""
    remember(asking, "She writes with ink", about=ERIN)
    job = asking.job(asking.ana)

    def call() -> object:
        return entries.remember(job, Remember(NAMED, call_id="once"))

    first = ask(call)
    forget.forget(asking.ana, ERIN)
    assert refused(lambda: approvals.approve(asking.ana, first)).code == "approval.unknown"
    gone(asking, [NAMED])
    assert run_sql(asking, "SELECT count(*) FROM call") == [(0,)]
    second = ask(call)
    assert second != first and waiting(asking) == [second]
    sound(asking)


def test_a_forget_for_a_waiting_name_alone_is_an_erasure_with_its_event(asking: World) -> None:
    """L21: of a person of whom nothing else is left; a second one finds nothing."""
    remember(asking, "She writes with ink", about=ERIN)
    forget.forget(asking.ana, ERIN)
    note(asking)
    assert len(forget.forget(asking.ana, ERIN).events) == 1
    assert forget.forget(asking.ana, ERIN).events == []
    assert bodies(asking) == 0
    sound(asking)


@pytest.mark.parametrize("hold", ["its entry", "everything", "the person"])
def test_a_hold_keeps_a_call_that_names_the_person_by_its_own_terms(asking: World, hold: str) -> None:
    """G40, L4: one on its entry, or on everything, keeps it and with it the name; one on the person does not."""
    remember(asking, "She writes with ink", about=ERIN)
    entry = asking.note("Parcels go by boat").entry
    ask(lambda: retiring.retire(asking.job(asking.ana), entry.id, f"{ERIN} says so", version=1))
    place_hold(
        asking,
        entry=newest(asking, entry) if hold == "its entry" else None,
        about=ERIN if hold == "the person" else "",
        everything=hold == "everything",
    )
    tried = forget.forget(asking.ana, ERIN, unlink=True, dry_run=True)
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert done.kept_because == tried.kept_because == ("legal_hold",)
    assert bodies(asking) == (0 if hold == "the person" else 1)
    sound(asking)
    lift(asking)
    assert forget.forget(asking.ana, ERIN, unlink=True).unlinked
    assert bodies(asking) == 0
    if asking.url.startswith("sqlite"):
        assert name_matches(asking, ERIN) == set()
    sound(asking)


def test_a_hold_on_the_entry_that_a_call_about_the_person_would_change_keeps_that_call_alone(asking: World) -> None:
    """G40, G43: a job bound to the person asked to retire work; the rest about the person goes."""
    remember(asking, "She writes with ink", about=ERIN)
    entry = asking.note("Parcels go by boat").entry
    job = asking.job(asking.ana, about=ERIN, sees="person")
    ask(lambda: retiring.retire(job, entry.id, SAID, version=1))
    place_hold(asking, entry=newest(asking, entry))
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert (len(done.ids), done.restricted, done.kept_because) == (1, 1, ("legal_hold",))
    assert forget.forget(asking.ana, ERIN).events == []
    assert bodies(asking) == 1
    sound(asking)
    lift(asking)
    upkeep.upkeep(asking.ana)
    assert bodies(asking) == 0
    gone(asking, WORDS)
    sound(asking)


def test_the_clock_takes_a_waiting_name_too(asking: World) -> None:
    """L4: when the receipt window is over."""
    remember(asking, "She writes with ink", about=ERIN)
    forget.forget(asking.ana, ERIN)
    asking.later(91)
    note(asking)
    assert upkeep.upkeep(asking.ana).unlinked == 1
    assert bodies(asking) == 0
    if asking.url.startswith("sqlite"):
        assert name_matches(asking, ERIN) == set()
    sound(asking)
