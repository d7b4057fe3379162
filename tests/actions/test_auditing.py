"""``audit check --contents``: what is altered in versions or events is found, and said where (L3, L7)."""

from __future__ import annotations

from typing import Any

import pytest

from oz0mem.actions import auditing, editing, forget, listing, recall
from oz0mem.model.entries import Numbers
from oz0mem.model.filters import Filter
from oz0mem.rules import merkle
from tests.actions.evidence import refused, run_sql
from tests.actions.filled import SYSTEM, Told, drop_row, fill, found, problems, put_row, row_of
from tests.actions.world import World

RECORDED = set(Numbers._fields) - {"job", "words", "content_words", "bytes", "same_hash", "key_hash"}
"""Columns that a reader is kept from by L7; the others decide nothing of what is shown, and are checked."""


def test_a_store_that_nobody_altered_has_no_problem(each_world: World) -> None:
    """L3, L7: on both back ends, with replaced, held, edited, moved and erased entries in it."""
    note = fill(each_world).note
    checked = auditing.check(each_world.ana, contents=True)
    assert checked.problems == []
    assert checked.versions > 10 and checked.events > checked.versions
    forget.forget(each_world.ana, "dana", reason="dana asked")
    assert auditing.check(each_world.ana, contents=True).problems == []
    assert note.id in {entry.id for entry in listing.list_entries(each_world.ana, Filter()).items}


def test_members_and_hosts_check_nothing(told: Told) -> None:
    """G3: the ledger is for admins, reviewers and auditors."""
    assert refused(lambda: auditing.check(told.world.dana, contents=True)).code == "role.forbidden"
    auditor = told.world.add("olga", "auditor")
    assert auditing.check(auditor, contents=True).problems == []


@pytest.mark.parametrize("column", ["tenant", *Numbers._fields])
def test_every_column_of_a_version_is_checked(told: Told, column: str) -> None:
    """L8, 4.5: one column altered is found, and the entry named; what was recorded is not shown."""
    world, entry = told.world, told.city
    row = row_of(world, entry, 1)
    others: dict[str, list[Any]] = {"id": ["m-000000000000"], "held": ["review"], "tenant": [2]}
    values = others.get(column) or [row[column] + 1, row[column] + 97]
    for value in values:
        drop_row(world, row)
        put_row(world, altered := {**row, column: value})
        names = {each.where for each in problems(world) if each.what == "entry"}
        assert any(where.startswith((entry.id, str(altered["id"]))) for where in names), value
        shown = listing.list_entries(world.ana, Filter(), limit=100).items
        hits = recall.recall(world.dana, recall.Recall("where does dana ship")).items
        if column in RECORDED | {"tenant"}:
            assert entry.text not in {each.text for each in shown}
            assert entry.text not in {hit.text for hit in hits}
        drop_row(world, altered)
        put_row(world, row)
    assert problems(world) == []


@pytest.mark.parametrize("column", Numbers._fields)
def test_every_column_of_an_erased_version_is_checked(told: Told, column: str) -> None:
    """G42: an erased row that has anything but its id, versions and times is found."""
    world = told.world
    row = row_of(world, told.erased, 1)
    if column in ("created", "counted_from", "at", "ends", "ended_at"):
        assert row[column] > 0
        return
    drop_row(world, row)
    living = {"id": "m-000000000000", "held": "review", "body": told.city.numbers.body}
    value = living.get(column, 1 if column == "state" else 0)
    put_row(world, altered := {**row, column: value if value != row[column] else 1})
    assert any(each.what == "entry" for each in problems(world)), altered


@pytest.mark.parametrize("column", ["at", "action", "entry", "leaf", "body", "idx"])
def test_every_column_of_every_event_is_checked(told: Told, column: str) -> None:
    """L10, 4.5: an event altered in any column is found where it stands, contents or not."""
    world = told.world
    for (index,) in run_sql(world, "SELECT idx FROM event ORDER BY idx"):
        kept = run_sql(world, f"SELECT {column} FROM event WHERE idx = ?", index)[0][0]
        if isinstance(kept, bytes):
            other: object = bytes([kept[0] ^ 1]) + kept[1:]
        else:
            other = "memory.retired" if isinstance(kept, str) else kept + 1_000
        if kept == other:
            other = "memory.renewed"
        run_sql(world, f"UPDATE event SET {column} = ? WHERE idx = ?", other, index)
        where = "" if column == "entry" else str(index)
        assert any(where in each.where for each in problems(world, contents=column == "entry")), index
        now = other if column == "idx" else index
        run_sql(world, f"UPDATE event SET {column} = ? WHERE idx = ?", kept, now)
    assert problems(world) == []


def test_an_event_deleted_in_the_middle_is_missed_by_number(told: Told) -> None:
    """L10: where it was, and the version that it wrote with it."""
    world = told.world
    run_sql(world, "DELETE FROM event WHERE idx = ?", told.tea.numbers.event)
    assert any(each.sentence == f"event {told.tea.numbers.event} is missing" for each in problems(world))
    assert found(world, "entry", told.tea.id)
    run_sql(world, "DELETE FROM event WHERE idx BETWEEN 3 AND 5")
    assert any("events 3 to 5 are missing" in each.sentence for each in problems(world))


def cut(world: World, count: int, *, head: bool) -> None:
    """Take the last events away, and where asked let the head say so."""
    size = run_sql(world, "SELECT size FROM head")[0][0] - count
    run_sql(world, "DELETE FROM event WHERE idx >= ?", size)
    if head:
        from oz0mem.rules import merkle

        edge = world.store.read(world.now, lambda desk: merkle.edge_of(size, desk.ledger.leaves, desk.ledger.row))
        run_sql(world, "UPDATE head SET size = ?, edge = ?", size, edge)


def test_a_ledger_cut_short_is_found_by_its_head(told: Told) -> None:
    """L11: the head counts more than there is."""
    cut(told.world, 3, head=False)
    assert found(told.world, "head", "")


def test_a_ledger_cut_short_with_its_head_is_found_by_the_versions_that_miss_their_events(told: Told) -> None:
    """L1, L3: no version without an event; a cut that no version misses is for signed heads to find (L14)."""
    cut(told.world, 3, head=True)
    assert problems(told.world, contents=False) == []
    assert found(told.world, "entry", told.note.id)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("size", 7),
        ("edge", b"\0" * 32),
        ("solo", 0),
        ("open_erasures", 1),
        ("secrets", 3),
        ("holds", 2),
        ("origin", "other.example/oz0mem"),
        ("hash_key", b"k" * 32),
    ],
)
def test_the_head_row_is_checked(told: Told, column: str, value: object) -> None:
    """L11, 4.5: whatever of the head row can be known otherwise is compared."""
    run_sql(told.world, f"UPDATE head SET {column} = ?", value)
    assert problems(told.world)


def test_tiles_are_checked_against_the_leaves(told: Told) -> None:
    """L11: a tile altered, cut short, missing or of events that are not there."""
    world = told.world
    for _ in range(250):
        world.store.write(world.now, lambda desk: desk.ledger.append("memory.exported", SYSTEM, {"count": 1}))
    kept = run_sql(world, "SELECT hashes FROM tile WHERE level = 1 AND idx = 0")[0][0]
    assert problems(world) == []
    for other in (bytes([kept[0] ^ 1]) + kept[1:], kept[:-1], kept + kept):
        run_sql(world, "UPDATE tile SET hashes = ?", other)
        assert found(world, "tile", "1/0")
    run_sql(world, "DELETE FROM tile")
    assert found(world, "tile", "1/0")
    run_sql(world, "INSERT INTO tile (tenant, level, idx, hashes) VALUES (1, 1, 0, ?), (1, 1, 1, ?)", kept, kept)
    assert found(world, "tile", "1/1") and not found(world, "tile", "1/0")


def test_bodies_swapped_between_two_entries_are_found_and_not_shown(told: Told) -> None:
    """L7: each version opens its own commitment alone."""
    world, one, two = told.world, told.city, told.theirs
    run_sql(world, "UPDATE version SET body = ? WHERE id = ?", two.numbers.body, one.id)
    run_sql(world, "UPDATE version SET body = ? WHERE id = ?", one.numbers.body, two.id)
    assert found(world, "entry", one.id) and found(world, "entry", two.id)
    page = listing.list_entries(world.ana, Filter(), limit=100)
    assert {one.id, two.id} <= set(page.altered) and not {one.id, two.id} & {each.id for each in page.items}
    assert recall.recall(world.dana, recall.Recall("porto")).altered == [one.id]


def test_an_earlier_version_put_in_the_place_of_the_newest_is_found_and_not_shown(told: Told) -> None:
    """L7: the newest event counts, not the one that an old row opens."""
    world = told.world
    run_sql(world, "UPDATE version SET newest = 0 WHERE id = ? AND v = 2", told.note.id)
    run_sql(world, "UPDATE version SET newest = 1 WHERE id = ? AND v = 1", told.note.id)
    assert found(world, "entry", told.note.id)
    assert told.note.id not in {each.id for each in listing.list_entries(world.ana, Filter()).items}


def test_an_erased_entry_put_back_whole_from_a_copy_is_found(told: Told) -> None:
    """G42: its rows open their commitments again, and the ledger knows that they were erased."""
    world, entry = told.world, told.city
    row = row_of(world, entry, 1)
    body = run_sql(world, "SELECT content FROM body WHERE num = ?", entry.numbers.body)[0][0]
    forget.delete(world.dana, entry.id, "")
    run_sql(world, "DELETE FROM version WHERE id = ?", entry.id)
    put_row(world, row)
    run_sql(world, "UPDATE body SET content = ? WHERE num = ?", body, entry.numbers.body)
    assert any("was erased" in each.sentence and entry.id in each.where for each in problems(world))


def test_a_text_from_before_an_edit_put_back_is_found(told: Told) -> None:
    """M33: what a person rewrote does not come back as an earlier version."""
    world = told.world
    old = world.learn("Dana has a bicycle").entry
    row = row_of(world, old, 1)
    body = run_sql(world, "SELECT content FROM body WHERE num = ?", old.numbers.body)[0][0]
    editing.edit(world.dana, old.id, "Dana has a tandem")
    drop_row(world, row)
    put_row(world, {**row, "newest": 0})
    run_sql(world, "UPDATE body SET content = ? WHERE num = ?", body, old.numbers.body)
    assert any("was erased" in each.sentence and old.id in each.where for each in problems(world))


def test_a_row_blanked_without_an_erasure_is_found(told: Told) -> None:
    """L1: no erasure without its event, however well the row imitates one."""
    world, row = told.world, row_of(told.world, told.city, 1)
    erased = row_of(world, told.erased, 1)
    kept = {name: row[name] for name in ("entry", "v", "id", "created", "counted_from", "at", "ends", "body", "event")}
    drop_row(world, row)
    put_row(world, {**erased, **kept})
    run_sql(world, "UPDATE body SET content = zeroblob(9) WHERE num = ?", row["body"])
    assert any("no erasure" in each.sentence and told.city.id in each.where for each in problems(world))


def test_a_chain_that_leaves_an_erasure_out_is_found(world: World) -> None:
    """L2: n runs without a gap, and prev is the one before."""
    world.learn("Dana likes tea")
    subject = {"subject": "s_" + "1" * 64, "n": 3, "prev": 1}
    fields = {"count": 0, "entries": [], "basis": "request", "residue": "none-found", "backups_until": "none"}
    world.store.write(world.now, lambda desk: desk.ledger.append("memory.forgotten", SYSTEM, fields | subject))
    assert [each.what for each in problems(world)] == ["chain"]


def test_an_event_that_was_blanked_is_found(told: Told) -> None:
    """L11: the trigger lets a body be blanked, and no retention asks for it yet, so the check says where."""
    run_sql(told.world, "UPDATE event SET body = CAST('' AS BLOB) WHERE idx = 3")
    assert found(told.world, "event", "3")
    assert auditing.log(told.world.ana, after="5").altered == [3]


FORGED = (b"garbage", b"[]", b'"x"', b"{}", b"null", b"\xff", b'{"action":"memory.edited"}')


@pytest.mark.parametrize("turn", range(2))
def test_an_event_that_is_none_crashes_no_check_whatever_its_leaf(told: Told, turn: int) -> None:
    """4.5, L7: whoever has the file makes a leaf for anything; the check says where, and reading goes on."""
    world = told.world
    for index in range(world.store.read(world.now, lambda desk: desk.head.size)):
        forged = FORGED[(index + turn * 3) % len(FORGED)]
        [(body, leaf)] = run_sql(world, "SELECT body, leaf FROM event WHERE tenant = 1 AND idx = ?", index)
        write = "UPDATE event SET body = ?, leaf = ? WHERE tenant = 1 AND idx = ?"
        run_sql(world, write, forged, merkle.leaf_hash(forged), index)
        problems = auditing.check(world.ana, contents=True).problems
        assert any(problem.what == "event" and problem.where == str(index) for problem in problems), index
        assert index in auditing.log(world.ana, limit=1_000).altered
        listing.list_entries(world.ana, Filter())
        run_sql(world, write, bytes(body), bytes(leaf), index)
    assert auditing.check(world.ana, contents=True).problems == []
