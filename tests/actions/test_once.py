"""M9: a call id makes a write happen once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import editing, entries, forget, retiring
from oz0mem.actions.entries import Remember
from oz0mem.model.moments import DAY
from tests.actions.evidence import (
    alter,
    entries_of,
    events,
    newest,
    place_hold,
    refused,
    run_sql,
    stored_bytes,
)

if TYPE_CHECKING:
    from tests.actions.world import World

ASKED = Remember("dana likes ink", "semantic", call_id="c-1")


def test_a_retry_answers_what_the_first_try_answered(each_world: World) -> None:
    """M9: from another job token of the same agent, starter, purpose and subject, too."""
    first = entries.remember(each_world.job(each_world.dana, sees="person"), ASKED)
    before, told = entries_of(each_world), len(events(each_world, "memory.remembered"))
    each_world.later(1)
    again = entries.remember(each_world.job(each_world.dana, sees="published"), ASKED)
    assert (again.entry.id, again.entry.version, again.kept) == (first.entry.id, 1, "new")
    assert entries_of(each_world) == before
    assert len(events(each_world, "memory.remembered")) == told


@pytest.mark.parametrize(
    "other",
    [
        {"text": "dana likes paper"},
        {"tags": ("a",)},
        {"key": "k"},
        {"kind": "episodic"},
        {"ends": 1_800_000_000_000_000},
        {"core": True},
    ],
)
def test_the_same_id_with_other_arguments_is_refused(world: World, other: dict[str, object]) -> None:
    """M9: whichever argument differs; nothing is written."""
    entries.remember(world.job(world.dana, sees="person"), ASKED)
    before = entries_of(world)
    changed = ASKED._replace(**other)  # type: ignore[arg-type]  # tests name fields
    outcome = refused(lambda: entries.remember(world.job(world.dana, sees="person"), changed))
    assert (outcome.code, outcome.rule) == ("call.reused", "M9")
    assert entries_of(world) == before


@pytest.mark.parametrize("other", ["starter", "purpose", "subject", "agent", "person", "id"])
def test_another_agent_starter_purpose_or_subject_is_another_call(world: World, other: str) -> None:
    """M9: the id is theirs alone."""
    first = entries.remember(world.job(world.dana, sees="person"), ASKED)
    if other == "agent":
        world.declare(name="porter")
    acting = {
        "starter": lambda: world.job(world.add("bob", "member"), sees="person"),
        "purpose": lambda: world.job(world.dana, sees="person", purpose="customer-support"),
        "subject": lambda: world.job(world.dana, sees="person", about="dana"),
        "agent": lambda: world.job(world.dana, sees="person", agent="porter"),
        "person": lambda: world.ana,
        "id": lambda: world.job(world.dana, sees="person"),
    }[other]()
    asked = ASKED._replace(kind="note") if other == "person" else ASKED
    second = entries.remember(acting, asked._replace(call_id="c-2") if other == "id" else asked)
    same = other in ("subject", "id")  # a new call, which M2 answers with the entry that is there
    assert (second.entry.id == first.entry.id, second.kept) == (same, "existing" if same else "new")


@pytest.mark.parametrize(("after", "kept"), [(14 * DAY - 1, "new"), (14 * DAY, "existing")])
def test_a_call_is_remembered_for_14_days(world: World, after: int, kept: str) -> None:
    """M9: to the microsecond; then it is a new call, which M2 answers."""
    entries.remember(world.job(world.dana, sees="person"), ASKED)
    world.now += after
    assert entries.remember(world.job(world.dana, sees="person"), ASKED).kept == kept


def test_a_retry_names_the_similar_and_the_replaced_again(world: World) -> None:
    """M9, M28: by ids read again, and told as shown again; what was altered since is left out."""
    old = world.learn("dana likes green ink and paper", key="likes").entry
    near = world.note("dana likes red ink and heavy paper").entry
    job = world.job(world.dana, sees="person")
    asked = Remember("dana likes red ink and paper", "semantic", key="likes", call_id="c-1")
    first = entries.remember(job, asked)
    again = entries.remember(job, asked)
    assert [other.id for other in first.similar] == [near.id]
    assert ([other.id for other in again.similar], again.replaced) == ([near.id], old.id)
    shown = [event for event in events(world, "plugin.records.read") if event["function"] == "remember"]
    assert [event["entries"] for event in shown] == [[near.id], [near.id]]
    alter(world, near)
    assert entries.remember(job, asked).similar == []


def test_after_a_rewriting_the_retry_answers_with_the_entry_as_it_is(world: World) -> None:
    """M9, M33: the version of then is erased; no blank entry is given out."""
    job = world.job(world.dana, sees="person")
    first = entries.remember(job, ASKED)
    editing.edit(world.dana, first.entry.id, "I like blue ink")
    again = entries.remember(job, ASKED)
    assert (again.entry.id, again.entry.state, again.entry.text) == (
        first.entry.id,
        "active",
        "I like blue ink",
    )


def test_after_an_erasure_the_call_is_forgotten_with_the_entry(world: World) -> None:
    """M9, G41: what was cached of it is gone, so the same call is a new one."""
    job = world.job(world.dana, sees="person")
    first = entries.remember(job, ASKED)
    forget.forget(world.dana, None)
    assert run_sql(world, "SELECT count(*) FROM call") == [(0,)]
    assert entries.remember(job, ASKED).entry.id != first.entry.id


def test_what_was_restricted_since_is_not_given_out_by_a_retry(world: World) -> None:
    """M9, G43: shown to nobody."""
    job = world.job(world.dana, sees="person")
    first = entries.remember(job, ASKED)
    place_hold(world, about="dana")
    forget.forget(world.dana, None)
    assert newest(world, first.entry).restricted
    assert refused(lambda: entries.remember(job, ASKED)).code == "call.gone"


def test_the_record_of_a_call_has_no_text_and_no_digest_that_can_be_guessed(world: World) -> None:
    """M9: ids and a keyed digest alone, and they go at 14 days with upkeep."""
    from hashlib import sha256

    from oz0mem.actions import upkeep

    entries.remember(world.job(world.dana, sees="person"), ASKED)
    (body,) = run_sql(world, "SELECT b.content FROM call c JOIN body b ON b.num = c.body")[0]
    assert b"ink" not in bytes(body)
    assert sha256(ASKED.text.encode()).hexdigest().encode() not in stored_bytes(world)
    world.later(14)
    upkeep.upkeep(world.ana)
    assert run_sql(world, "SELECT count(*) FROM call") == [(0,)]


def test_a_retirement_is_proposed_once(world: World) -> None:
    """M9: the retry answers the same even after a person retired it; other arguments are refused."""
    entry = world.learn("dana likes ink").entry
    job = world.job(world.dana)

    def propose(reason: str = "old") -> str:
        return refused(lambda: retiring.retire(job, entry.id, reason, version=1, call_id="c-1")).code

    assert [propose(), propose(), propose("other")] == ["memory.retirement_waits"] * 2 + ["call.reused"]
    assert len(events(world, "memory.retire_proposed")) == 1
    retiring.retire(world.ana, entry.id, "yes")
    assert propose() == "memory.retirement_waits"
