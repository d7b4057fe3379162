"""M26: what changed since an agent last asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import (
    acceptance,
    accepting,
    changed,
    entries,
    forget,
    governance,
    retiring,
    superseding,
)
from oz0mem.actions.entries import Remember
from oz0mem.model.agreements import Bookmark
from oz0mem.model.moments import DAY
from oz0mem.rules import cursors
from tests.actions.agreed import agree, apart
from tests.actions.evidence import alter, events, refused, restrict, run_sql

if TYPE_CHECKING:
    from oz0mem.actions.changed import Changes
    from oz0mem.actions.context import Context
    from oz0mem.store.desk import Desk
    from tests.actions.world import World


def texts(found: Changes) -> list[str]:
    """What was told, with its state."""
    return [f"{entry.text}: {entry.state}" for entry in found.items]


@pytest.fixture
def asking(each_world: World) -> Context:
    """A job that asked once in an empty store and named what it was answered."""
    job = each_world.job(each_world.dana)
    first = changed.changed_since(job)
    assert (first.items, first.more, first.withheld) == ([], False, 0)
    return job


def test_the_first_call_tells_everything_current_and_the_next_what_came_since(each_world: World) -> None:
    """M26: written, replaced, accepted, ended; in the order in which they came."""
    world = each_world
    old = agree(world, "Deploy on Fridays.")
    note = world.note("boxes are green", ends=world.now + DAY).entry
    world.note("paper is white", key="paper")
    job = world.job(world.dana)
    first = changed.changed_since(job)
    assert texts(first) == ["Deploy on Fridays.: active", "boxes are green: active", "paper is white: active"]
    again = changed.changed_since(job, first.cursor)
    assert again.items == []
    world.later(2)
    new = superseding.supersede(world.job(world.ana), superseding.Supersede(old.id, 2, "Never deploy.")).entry
    job = world.job(world.dana)
    assert texts(changed.changed_since(job, again.cursor)) == ["boxes are green: active"]
    accepting.accept(world.ana, accepting.Accept(new.id, 1))
    world.note("paper is cream", key="paper")
    told = changed.changed_since(job, again.cursor)
    assert sorted(texts(told)) == [
        "Deploy on Fridays.: replaced",
        "Never deploy.: active",
        "boxes are green: active",
        "paper is cream: active",
        "paper is white: replaced",
    ]
    assert told.items[-1].id == note.id
    assert changed.changed_since(job, told.cursor).items == []


def test_who_dies_before_naming_the_cursor_is_told_the_same_again(each_world: World) -> None:
    """M26: the bookmark moves when the next call names the answer's cursor, and not before."""
    world = each_world
    first = changed.changed_since(world.job(world.dana))
    world.note("one")
    lost = changed.changed_since(world.job(world.dana), first.cursor)
    assert texts(lost) == ["one: active"]
    # That process died with the answer in its hands; another knows no cursor and reads on from the bookmark.
    world.note("two")
    told = changed.changed_since(world.job(world.dana))
    assert texts(told) == ["one: active", "two: active"]
    assert changed.changed_since(world.job(world.dana), told.cursor).items == []
    assert changed.changed_since(world.job(world.dana)).items == []


def test_what_was_told_and_is_over_before_the_next_call_is_told_as_over(each_world: World) -> None:
    """M26: a first answer that nobody named is still known to have been given."""
    note = each_world.note("boxes are green").entry
    assert texts(changed.changed_since(each_world.job(each_world.dana))) == ["boxes are green: active"]
    retiring.retire(each_world.ana, note.id, "they are red")
    assert texts(changed.changed_since(each_world.job(each_world.dana))) == ["boxes are green: retired"]


@pytest.mark.parametrize("fate", ["held", "rejected", "gave way", "restricted", "erased", "altered", "a person's end"])
def test_what_may_not_be_read_is_not_told(asking: Context, each_world: World, fate: str) -> None:
    """M26, M22, M31, L7: never in force, restricted, erased, altered, or a person's past its end."""
    world = each_world
    if fate in ("held", "rejected", "gave way"):
        proposed = entries.remember(world.job(world.ana), Remember("x", kind="decision")).entry
        if fate == "rejected":
            acceptance.reject(world.ana, proposed.id, "no")
        elif fate == "gave way":
            superseding.supersede(world.job(world.ana), superseding.Supersede(proposed.id, 1, "y"))
    elif fate == "a person's end":
        world.now = world.learn("x").entry.ends
        asking = world.job(world.dana)
    else:
        made = world.note("x").entry
        act = {"restricted": restrict, "altered": alter}.get(fate)
        if act:
            act(world, made)
        else:
            forget.delete(world.ana, made.id, "no")
    found = changed.changed_since(asking)
    assert found.items == []
    assert len(found.altered) == (fate == "altered")


def test_the_clock_alone_is_told_once(asking: Context, each_world: World) -> None:
    """M26: what became valid, what stopped being valid and what ended, each when it did."""
    world = each_world
    begins, stops, ends = world.now + DAY // 8, world.now + DAY // 4, world.now + DAY // 2
    world.note("valid later", valid_from=begins)
    world.note("valid until then", valid_until=stops)
    world.note("ends then", ends=ends)
    told = changed.changed_since(asking)
    assert texts(told) == ["valid until then: active", "ends then: active"]
    seen = []
    for moment in (begins - 1, begins, stops, ends, ends + DAY // 4):
        world.now = moment
        told = changed.changed_since(asking, told.cursor)
        seen.append([entry.text for entry in told.items])
    assert seen == [[], ["valid later"], ["valid until then"], ["ends then"], []]


def test_a_long_list_comes_in_pages_that_miss_and_repeat_nothing(
    each_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M26, Q4: in the order of events, hidden ones leaving no gap; then what the clock turned, in its order."""
    monkeypatch.setattr(changed, "PAGE", 3)
    world = each_world
    job = world.job(world.dana)
    told = changed.changed_since(job)
    for n in range(7):
        world.note(f"note {n}", ends=world.now + DAY // 4 + n // 2)
        entries.remember(world.job(world.ana), Remember(f"proposal {n}", kind="decision"))
    pages = []
    for _ in range(4):
        told = changed.changed_since(job, told.cursor)
        pages.append(([entry.text[-1] for entry in told.items], told.more))
    assert pages == [(["0", "1", "2"], True), (["3", "4", "5"], True), (["6"], False), ([], False)]
    world.now += DAY // 2
    pages = []
    for _ in range(4):
        told = changed.changed_since(job, told.cursor)
        pages.append(([entry.text[-1] for entry in told.items], told.more))
    assert pages == [(["0", "1", "2", "3"], True), (["4", "5", "6"], False), ([], False), ([], False)]


def test_a_bookmark_is_kept_for_each_agent_purpose_person_project_and_thread(world: World) -> None:
    """M26: what one reader was told another was not, and its cursor is nobody else's."""
    world.declare(purposes=["support"], projects=[])
    world.declare(name="porter", projects=[])
    readers = [
        {"starter": world.dana},
        {"starter": world.ana},
        {"starter": world.dana, "agent": "porter"},
        {"starter": world.dana, "purpose": "support"},
        {"starter": world.dana, "projects": ("web",)},
        {"starter": world.dana, "thread": "t1"},
        {"starter": world.ana, "about": "erin"},
    ]
    world.note("boxes are green")
    for at, reader in enumerate(readers):
        found = changed.changed_since(world.job(**reader))  # type: ignore[arg-type]  # tests name fields
        assert texts(found) == ["boxes are green: active"]
        assert changed.changed_since(world.job(**reader), found.cursor).items == []  # type: ignore[arg-type]  # tests name fields
        other = world.job(**readers[at - 1])  # type: ignore[arg-type]  # tests name fields
        told = refused(lambda other=other, found=found: changed.changed_since(other, found.cursor))  # type: ignore[misc]  # bound now
        assert (told.code, told.rule) == ("changed.cursor", "M26")


def test_only_what_the_job_may_read_is_told(world: World) -> None:
    """M20, M21: scopes, purposes and people as for recall; of an ancestor its rules alone."""
    world.declare(purposes=["support", "billing"], projects=["web/checkout"])
    world.declare(name="wide", purposes=["support", "billing"], projects=["web", "shop"])
    for scope in ("project:web", "project:web/checkout/cart", "project:shop", "tenant"):
        for kind in ("rule", "decision"):
            agree(world, f"{kind} {scope}", kind=kind, scope=scope, agent="wide")
    for purpose in ("support", "billing"):
        agree(world, f"decision {purpose}", agent="wide", purpose=purpose)
    world.learn("erin's", starter=world.add("erin", "member"))
    world.learn("dana's")
    told = changed.changed_since(world.job(world.dana, purpose="support"))
    assert {entry.text for entry in told.items} == {
        "rule project:web",
        "rule project:web/checkout/cart",
        "decision project:web/checkout/cart",
        "rule tenant",
        "decision tenant",
        "decision support",
    }
    assert "dana's" in {entry.text for entry in changed.changed_since(world.job(world.dana)).items}


def test_a_restored_store_is_read_from_its_end(world: World) -> None:
    """M26: a cursor that knew of more events than there are is none of the future."""
    job = world.job(world.dana)
    number = events(world, "job.started")[-1]["job"]

    def ahead(desk: Desk) -> str:
        record = desk.identity.job(number)
        assert record is not None
        return cursors.write(desk.head.hash_key, cursors.reader(record, ["web"]), Bookmark(10**9, 10**9, world.now))

    told = changed.changed_since(job, world.store.read(world.now, ahead))
    assert told.items == []
    world.note("one")
    assert texts(changed.changed_since(job, told.cursor)) == ["one: active"]


def test_walls_withhold_and_count_and_keep_bookmarks_of_their_own(world: World) -> None:
    """M25, M26: what one side was not told, the other side is."""
    for side in ("legal", "sales"):
        agree(world, f"as {side} sees it", compartments=(side,))
    apart(world)
    for side in ("legal", "sales", "press"):
        job = world.job(world.dana, compartments=(side,))
        found = changed.changed_since(job)
        assert found.withheld == 1
        assert texts(found) == [f"as {'legal' if side == 'press' else side} sees it: active"]
        assert changed.changed_since(job, found.cursor).items == []
    governance.set_settings(world.ana, {"not_apart": [("legal", "sales")]}, "the wall is down")


def test_only_an_agents_job_asks_and_reading_is_recorded(world: World) -> None:
    """M28, G5: people have no bookmark; what is told is in the ledger by id and version, never a text."""
    assert refused(lambda: changed.changed_since(world.ana)).code == "changed.job"
    world.declare(tools=["oz0_memory.recall"], capabilities=[])
    assert refused(lambda: changed.changed_since(world.job(world.dana))).rule == "G5"
    world.declare()
    changed.changed_since(world.job(world.dana))
    assert events(world, "plugin.records.read") == []
    note = world.note("boxes are green").entry
    changed.changed_since(world.job(world.dana))
    (read,) = events(world, "plugin.records.read")
    assert (read["function"], read["startup"], read["entries"]) == ("changed_since", False, [note.id])


@pytest.mark.parametrize("cursor", ["x", "0" * 80, "-", "1-2", "é" * 80, "\ud800"])
def test_a_made_up_cursor_is_refused(world: World, cursor: str) -> None:
    """M26: with its code, never with a fault, and the bookmark stays."""
    assert refused(lambda: changed.changed_since(world.job(world.dana), cursor)).code == "changed.cursor"
    assert run_sql(world, "SELECT count(*) FROM bookmark") == [(0,)]
