"""G41, G43, G44: approvals and bookmarks go with the person and the entry that they are about, from the files too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import editing, forget, upkeep
from oz0mem.model.agreements import LAPSED, WAITING
from oz0mem.model.moments import DAY
from oz0mem.store.agreed import Agreed
from oz0mem.store.names import as_stored
from oz0mem.store.taken import Taken
from tests.actions.agreeing import SAID, ask, left, mark, number_of_person
from tests.actions.evidence import events, lift_holds, place_hold, run_sql
from tests.actions.guessing import standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.erasing import Erased
    from oz0mem.model.entries import Entry
    from tests.actions.world import World

WORDS = ["Quagga", "Zanzibar", "ornithopters", "yurts", "zeppelins", str(SAID["text"])]


def dana(world: World) -> int:
    """The number of dana's name."""
    return number_of_person(world, "dana")


def job_about_dana(world: World) -> int:
    """The number of a job that is bound to dana."""
    world.job(world.ana, about="dana", purpose="customer-support")
    return int(run_sql(world, "SELECT max(num) FROM job")[0][0])


WAYS: dict[str, Callable[[World], object]] = {
    "about her": lambda world: ask(world, about=dana(world)),
    "by a job bound to her": lambda world: ask(world, "accept", job=job_about_dana(world)),
    "that would change her entry": lambda world: ask(world, "supersede", entry=world.learn("dana likes ink").entry),
}


@pytest.mark.parametrize("way", WAYS)
def test_forget_takes_the_calls_that_wait(world: World, way: str) -> None:
    """G41, G44: the row and every byte of what would have been written; a call about somebody else stays."""
    other = ask(world, about=number_of_person(world, "ana"))
    run_sql(world, "UPDATE body SET content = ? WHERE num = (SELECT body FROM approval)", b'{"arguments":{}}')
    WAYS[way](world)
    assert standing(world, WORDS) == sorted(WORDS)
    done = forget.forget(world.ana, "dana")
    assert (done.residue, done.open) == ("none-found", False)
    assert standing(world, WORDS) == []
    assert run_sql(world, "SELECT id, state FROM approval") == [(other.id, 0)]


def test_forget_goes_on_where_a_call_or_a_bookmark_is_all_there_is(world: World) -> None:
    """G41: with an erasure and its closing event."""
    for leave in (
        lambda: ask(world, about=dana(world)),
        lambda: mark(world, dana(world)),
        lambda: ask(world, job=job_about_dana(world)),
    ):
        leave()
        assert forget.forget(world.dana, None).events
        assert left(world) == {"approval": 0, "bookmark": 0, "link": 0}
    assert forget.forget(world.dana, None).events == []


def test_a_decided_call_goes_too(world: World) -> None:
    """G42: that an agent once asked about a person tells of them."""
    asked = ask(world, about=dana(world))
    world.store.write(world.now, lambda desk: desk.approvals.settle(asked, "denied", "ana"))
    forget.forget(world.dana, None)
    assert left(world)["approval"] == 0


def test_a_bookmark_goes_with_its_person_and_its_hash_from_the_files(world: World) -> None:
    """G41, L22: whoever knows agent, purpose and projects would find the person by it."""
    mark(world, dana(world))
    mark(world, 0, "concierge,,,web")
    rows = run_sql(world, "SELECT hash FROM bookmark WHERE about > 0")
    path = world.store.back.path  # type: ignore[union-attr]  # asked of SQLite worlds alone
    found = [as_stored(row[0]) for row in rows]
    assert forget.forget(world.dana, None).residue == "none-found"
    assert left(world)["bookmark"] == 1
    assert not any(each in path.read_bytes() for each in found)


def delete(world: World, entry: Entry) -> Erased:
    """Delete as an admin."""
    return forget.delete(world.ana, entry.id, "no longer so")


def edit(world: World, entry: Entry) -> Erased:
    """Edit as an admin; about a person that erases."""
    erased = editing.edit(world.ana, entry.id, "dana likes chalk")[1]
    assert erased is not None
    return erased


@pytest.mark.parametrize("act", [delete, edit])
@pytest.mark.parametrize("function", ["accept", "supersede", "retire"])
def test_what_would_change_an_entry_goes_with_its_text(
    world: World, act: Callable[[World, Entry], Erased], function: str
) -> None:
    """G41, M33, G44: it holds what the entry said."""
    entry, other = world.learn("dana likes ink").entry, world.learn("dana has a dog").entry
    ask(world, function, entry=entry)
    assert standing(world, WORDS) == sorted(WORDS)
    assert act(world, entry).residue == "none-found"
    assert standing(world, WORDS) == []
    assert left(world)["approval"] == 0
    kept = ask(world, function, entry=other)
    assert run_sql(world, "SELECT id FROM approval") == [(kept.id,)]


def test_an_edit_of_work_keeps_what_waits(world: World) -> None:
    """M33: its earlier texts stay, so does what asks to change them; the version decides then."""
    entry = world.note("Deploys on Friday failed").entry
    ask(world, "retire", entry=entry)
    editing.edit(world.ana, entry.id, "Deploys on Friday failed twice")
    assert left(world)["approval"] == 1


def test_expiry_takes_the_same(world: World) -> None:
    """M36, G41: with an entry about a person at its end."""
    entry = world.learn("dana likes ink").entry
    world.later(31)
    ask(world, "accept", entry=entry)
    assert upkeep.upkeep(world.ana).expired == 1
    assert left(world)["approval"] == 0
    assert standing(world, WORDS) == []


@pytest.mark.parametrize("hold", ["person", "everything"])
def test_under_a_legal_hold_nothing_of_it_is_taken(world: World, hold: str) -> None:
    """G43: until the hold is lifted and the person is forgotten again; the answer counts the calls too."""
    entry = world.learn("dana likes ink").entry
    ask(world, about=dana(world))
    ask(world, "accept", entry=entry)
    mark(world, dana(world))
    place_hold(world, about="dana" if hold == "person" else "", everything=hold == "everything")
    assert forget.forget(world.ana, "dana").restricted == 3
    world.later(15)
    upkeep.upkeep(world.ana)
    assert left(world) == {"approval": 2, "bookmark": 1, "link": 0}
    assert standing(world, WORDS) == sorted(WORDS)
    lift_holds(world)
    forget.forget(world.ana, "dana")
    assert left(world) == {"approval": 0, "bookmark": 0, "link": 0}
    assert standing(world, WORDS) == []


def test_a_call_that_waits_for_two_weeks_lapses(world: World) -> None:
    """G31, G50: what it would have written is overwritten, the row says lapsed; a younger one waits on."""
    old = ask(world)
    world.later(1)
    young = ask(world, "retire")
    run_sql(world, "UPDATE body SET content = ? WHERE num = (SELECT max(body) FROM approval)", b'{"arguments":{}}')
    world.now = old.at + 14 * DAY - 1
    assert upkeep.upkeep(world.ana).calls == 0
    assert run_sql(world, "SELECT count(*) FROM approval WHERE state = 0")[0][0] == 2
    world.now = old.at + 14 * DAY
    assert upkeep.upkeep(world.ana, dry_run=True).calls == 1
    assert (standing(world, WORDS), events(world, "plugin.records.expired")) == (sorted(WORDS), [])
    assert upkeep.upkeep(world.ana).calls == 1
    assert [each["calls"] for each in events(world, "plugin.records.expired")] == [1]
    assert standing(world, WORDS) == []
    states = {
        each: world.store.read(world.now, lambda desk, each=each: desk.approvals.by_id(each)).state  # type: ignore[misc]  # bound now
        for each in (old.id, young.id)
    }
    assert states == {old.id: LAPSED, young.id: WAITING}


def test_many_calls_lapse_page_by_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """G50: whatever a page has room for, none is left out, held ones are passed over."""
    from oz0mem.actions import lapsing

    monkeypatch.setattr(lapsing, "BATCH", 2)
    for about in (0, dana(world), 0, 0, dana(world), 0, 0):
        ask(world, about=about)
    place_hold(world, about="dana")
    world.later(14)
    assert upkeep.upkeep(world.ana, dry_run=True).calls == 5
    assert upkeep.upkeep(world.ana).calls == 5
    assert sorted(row[0] for row in run_sql(world, "SELECT state FROM approval")) == [0, 0, 3, 3, 3, 3, 3]


def test_a_body_that_was_left_would_be_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """4.5: these tests do not look past what they look for."""
    ask(world, about=dana(world))
    monkeypatch.setattr(Agreed, "_approvals", lambda *_: Taken([], [], []))
    forget.forget(world.dana, None)
    assert standing(world, WORDS) == sorted(WORDS)
