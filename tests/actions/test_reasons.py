"""Reasons in words: kept where they can be erased, and gone with whom they were about (L5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, auditing, corrections, entries, forget, governance, listing, retiring
from oz0mem.model.errors import Waiting
from tests.actions.evidence import events, run_sql, stored_bytes
from tests.actions.guessing import matches
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable


def kept(world: World) -> list[str]:
    """Every reason that is kept, oldest first."""

    def look(desk: object) -> Iterable[str]:
        return [reason for _, _, reason, _ in desk.checks.reasons()]  # type: ignore[attr-defined]  # a desk

    return [*world.store.read(world.now, look)]


def with_reason(world: World, reason: str) -> None:
    """A change of a setting, for a reason."""
    days = governance.show_settings(world.ana).settings.retention_days
    governance.set_settings(world.ana, {"retention_days": days - 1}, reason)


def test_the_ledger_has_a_commitment_and_the_store_the_words(each_world: World) -> None:
    """L5: in the event of the act, by a key beside the words."""
    with_reason(each_world, "the works council asked")
    assert kept(each_world)[-1] == "the works council asked"
    told = events(each_world)[-1]
    assert told["reason_commit"].startswith("c_") and "council" not in str(told)
    assert auditing.check(each_world.ana, contents=True).problems == []


@pytest.mark.parametrize(
    ("reason", "goes"),
    [
        ("dana asked for it", True),
        ("asked for by Dana.", True),
        ("it was dana's wish", True),
        ("who:\ndana\nwhy: rent", True),
        ("bandana colours", False),
        ("danae asked for it", False),
        ("patricia asked for it", False),
        ("the reason", False),
        ("k", False),
    ],
)
def test_a_reason_that_names_a_person_as_a_whole_word_goes_with_them(world: World, reason: str, goes: bool) -> None:
    """L5: whatever it was given for; every other reason stays."""
    with_reason(world, reason)
    with_reason(world, "something else")
    forget.forget(world.ana, "dana")
    assert (reason not in kept(world)) == goes
    assert "something else" in kept(world) and "for the tests" in kept(world)
    assert auditing.check(world.ana, contents=True).problems == []


@pytest.mark.parametrize("name", ["k", "reason", "o.k", "!!"])
def test_a_person_called_as_what_a_reason_is_stored_by_takes_no_other_reason(world: World, name: str) -> None:
    """L5: it is the words that name, never the form that they are kept in."""
    world.job(world.ana, about=name)
    with_reason(world, f"for {name} alone")
    with_reason(world, "something else")
    forget.forget(world.ana, name)
    assert "something else" in kept(world) and f"for {name} alone" not in kept(world)


def test_a_reason_given_for_an_act_about_a_person_goes_with_them(world: World) -> None:
    """L5: without their name in it, and its words with it."""
    tea = world.learn("Dana likes green tea", sees="", reason="overheard yesterday").entry
    acceptance.confirm(world.ana, tea.id, "plausible enough")
    other = world.learn("Dana likes milk", sees="").entry
    acceptance.reject(world.ana, other.id, "implausible nonsense")
    with_reason(world, "plausible changes")
    forget.forget(world.ana, "dana", reason="wanted gone")
    for reason in ("overheard yesterday", "plausible enough", "implausible nonsense", "wanted gone"):
        assert reason not in kept(world) and reason.encode() not in stored_bytes(world)
    assert b"implausible" not in stored_bytes(world) and b"nonsense" not in stored_bytes(world)
    assert b"plausible" in stored_bytes(world)
    assert not matches(world, ["overheard yesterday", "implausible nonsense", "nonsens", "wanted gone"])


def test_a_reason_about_an_entry_goes_with_it(world: World) -> None:
    """L5: work deleted takes along why it was kept, moved or renewed; what it was deleted for stays."""
    note = world.note("Deploys are on Wednesdays", reason="asked every week").entry
    corrections.move(world.ana, note.id, "project:web", "belongs elsewhere")
    corrections.renew(world.ana, note.id, 10, reason="still valid")
    assert listing.show(world.ana, note.id).reasons == [
        "asked every week",
        "belongs elsewhere",
        "still valid",
    ]
    forget.delete(world.ana, note.id, "outdated by now")
    assert "outdated by now" in kept(world)
    for reason in ("asked every week", "belongs elsewhere", "still valid"):
        assert reason not in kept(world) and reason.encode() not in stored_bytes(world)


def test_a_proposal_to_retire_that_names_a_person_loses_its_words_with_them(world: World) -> None:
    """L5, M34: the proposal stays, of an entry about work; what it says of them goes."""
    note = world.note("Deploys are on Wednesdays").entry
    job = world.job(world.ana)
    for reason in ("dana said it is wrong", "nobody does it"):
        with pytest.raises(Waiting):
            retiring.retire(job, note.id, reason, version=1)
    forget.forget(world.ana, "dana")
    assert b"dana said" not in stored_bytes(world)
    assert [each for each in listing.show(world.ana, note.id).retirements if each] == ["nobody does it"]
    assert len(run_sql(world, "SELECT num FROM proposal")) == 2


def test_words_of_reasons_are_found_by_nobody_who_recalls(world: World) -> None:
    """L5: a reason is no memory."""
    from oz0mem.actions import recall

    with_reason(world, "zebras in the corridor")
    entries.remember(world.ana, entries.Remember("Deploys are on Wednesdays", reason="zebras again"))
    assert recall.recall(world.ana, recall.Recall("zebras")).items == []
    assert recall.recall(world.ana, recall.Recall("zebras")).suggestions == []
