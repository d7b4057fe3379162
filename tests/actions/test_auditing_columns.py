"""``audit check --contents``: one value altered in any column of any table is found, or nothing can bind it (4.5)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from sqlmodel import SQLModel

from oz0mem.actions import auditing
from oz0mem.model.errors import Oz0Error
from oz0mem.store import agreements, records, tables
from oz0mem.store.engine import Store
from oz0mem.store.mapping import STATES
from tests.actions.evidence import run_sql
from tests.actions.filled import crowd, problems, unguard
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Table

LISTED = (tables, records, agreements)
"""Whose import makes SQLModel's list of tables."""
TABLES = {table.name: table for table in SQLModel.metadata.sorted_tables}
MINUTE = 60_000_000
"""Microseconds by which a moment is altered: events have milliseconds."""

UNBOUND = {
    "approval.num": "a row's own number",
    "bookmark": "how far somebody has read: moved by every reading, told by no event (M26)",
    "decided approval.about": "as the starter",
    "decided approval.entry": "as the starter",
    "decided approval.job": "as the starter",
    "decided approval.starter": "the document that names it is gone with the decision",
    "body.vector": "no program writes one yet (R4)",
    "body of a job": "which no event has",
    "body of nothing": "a value of before, which nothing leads to any more",
    "call": "an answer that was given once: kept for a while, told by no event (M9)",
    "erased": "there only while an erasure is open: the head counts those",
    "erasure": "there only while it is open: the head counts those, the closing event says the rest",
    "erased version.created": "what bound it is gone with its key (L3)",
    "erased version.counted_from": "as when it was written",
    "erased version.ends": "as when it was written",
    "erased word": "zeros that nothing leads to",
    "head.created": "before the first event",
    "head.index_version": "by which rules words were cut: upgrade changes it, doctor compares it",
    "head.next": "a larger one leaves numbers out; a smaller one is found",
    "hold": "no event places one yet (G40); the head counts those in force",
    "job": "events say that it started, and not what its row has",
    "link.num": "a row's own number",
    "job_read": "events say by which trust, and not the name of the source",
    "name of a job": "its thread, or a purpose that no entry has",
    "proposal.num": "a row's own number",
    "proposal.starter": "the event names the agent alone",
    "proposal.state": "whether somebody decided: what they did has its own events",
    "secret.digest": "the ledger knows how many there are, when and by whom, never which (M8)",
    "secret.length": "as the secret's digest",
    "secret.num": "a row's own number",
}
"""Sorts of rows, or single columns of them, that no event binds, and why."""
BODIES = (
    ("version", "body"),
    ("name", "body"),
    ("subject", "key_body"),
    ("reason", "body"),
    ("proposal", "reason"),
    ("approval", "body"),
    ("agent", "body"),
    ("setting", "body"),
)
"""Where bodies that an event binds are led to from."""
NAMED = (
    *(("version", column) for column in ("scope", "about", "purpose", "agent", "writer")),
    *(("place", column) for column in ("scope", "about", "purpose")),
    ("within", "above"),
    ("within", "scope"),
    ("subject", "num"),
    ("agent", "num"),
)
"""Where names are led to from."""


class Cell(NamedTuple):
    """One value of one row, and another one in its place; ``sort`` is what the row is, as ``UNBOUND`` says it."""

    table: Table
    sort: str
    column: str
    key: dict[str, Any]
    kept: object
    other: object

    @property
    def is_unbound(self) -> bool:
        """Whether it may be altered unnoticed."""
        return self.sort in UNBOUND or f"{self.sort}.{self.column}" in UNBOUND or self.name in UNBOUND

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.table.name}.{self.column}"

    def put(self, world: World) -> None:
        """Write the other value."""
        self._write(world, self.other, self.key)

    def undo(self, world: World) -> None:
        """Write the value that was there."""
        self._write(world, self.kept, {**self.key, **({self.column: self.other} if self.column in self.key else {})})

    def _write(self, world: World, value: object, key: dict[str, Any]) -> None:
        where = " AND ".join(f'"{name}" = ?' for name in key)
        run_sql(world, f'UPDATE "{self.table.name}" SET "{self.column}" = ? WHERE {where}', value, *key.values())


def cells(world: World, table: Table, count: int) -> Iterator[Cell]:
    """Every column of some rows of a table: of the first, the last, and those between in equal steps."""
    names, keys = [column.name for column in table.columns], [column.name for column in table.primary_key]
    shown, order = (", ".join(f'"{name}"' for name in part) for part in (names, keys))
    rows = run_sql(world, f'SELECT {shown} FROM "{table.name}" ORDER BY {order}')
    steps = {round(at * (len(rows) - 1) / max(1, count - 1)) for at in range(count)} if rows else set()
    led = _led_to(world, {"body": BODIES, "name": NAMED}.get(table.name, ()))
    for row in (dict(zip(names, rows[step], strict=True)) for step in sorted(steps)):
        sort, key = _sort(table.name, row, led, world), {name: row[name] for name in keys}
        yield from (Cell(table, sort, name, key, row[name], _other(row[name])) for name in names)


def _led_to(world: World, places: tuple[tuple[str, str], ...]) -> set[int]:
    """The numbers that stand in some columns."""
    return {row[0] for table, column in places for row in run_sql(world, f"SELECT {column} FROM {table}")}


def _sort(table: str, row: dict[str, Any], led: set[int], world: World) -> str:
    if table == "version" and row["state"] == STATES.index("erased"):
        return "erased version"
    if table == "approval" and not row["body"]:
        return "decided approval"
    if table == "word" and not bytes(row["content"]).strip(b"\0"):
        return "erased word"
    if table == "name" and row["num"] not in led:
        return "name of a job"
    if table == "body" and row["num"] not in led:
        of_jobs = _led_to(world, (("job", "body"), ("job_read", "body"), ("call", "body"), ("hold", "body")))
        return "body of a job" if row["num"] in of_jobs else "body of nothing"
    if table == "body" and _led_to(world, (("name", "body"),)) & {row["num"]}:
        name = run_sql(world, "SELECT num FROM name WHERE body = ?", row["num"])[0][0]
        return "body" if name in _led_to(world, NAMED) else "body of a job"
    return table


def _other(value: object) -> object:
    if isinstance(value, bytes | memoryview):
        content = bytes(value)
        return content[:-1] + bytes([content[-1] ^ 1]) if content else b"x"
    if isinstance(value, int):
        return value + (MINUTE if value > 1_000_000_000_000 else 1_000_003)
    return f"{value}x" if isinstance(value, str) else b"x"


def is_noticed(world: World) -> bool:
    """Whether a check by a new process tells of something, or refuses."""
    store = Store(world.url, "acme", os.urandom)
    try:
        return bool(auditing.check(world.ana._replace(store=store), contents=True).problems)
    except Oz0Error:
        return True
    finally:
        store.close()


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> World:
    """One world for all tables; each value that is altered is put back."""
    world = World(f"sqlite:///{tmp_path_factory.mktemp('crowded') / 'store.db'}")
    world.declare()
    crowd(world)
    unguard(world)
    return world


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_value_altered_in_any_column_of_any_table_is_found(crowded: World, name: str) -> None:
    """4.5: of a dozen rows of each table; all else is listed above with what keeps it from being bound."""
    missed: set[str] = set()
    for cell in cells(crowded, TABLES[name], 12):
        cell.put(crowded)
        if not is_noticed(crowded) and not cell.is_unbound:
            missed.add(f"{cell.sort}: {cell.name} {cell.key}")
        cell.undo(crowded)
    assert missed == set()
    assert problems(crowded) == []


def test_the_same_on_both_back_ends(each_world: World) -> None:
    """Q14: the last row of each table."""
    crowd(each_world)
    unguard(each_world)
    assert problems(each_world) == []
    missed = set()
    for table in TABLES.values():
        for cell in cells(each_world, table, 1):
            if cell.is_unbound:
                continue
            cell.put(each_world)
            if not is_noticed(each_world):
                missed.add(cell.name)
            cell.undo(each_world)
    assert missed == set()


def test_what_is_not_found_is_a_short_list(crowded: World) -> None:
    """4.5: of all columns of all rows, more than three quarters are bound."""
    tried = [cell for table in TABLES.values() for cell in cells(crowded, table, 1_000)]
    assert sum(not cell.is_unbound for cell in tried) > 0.75 * len(tried)
    assert {cell.sort for cell in tried} | {f"{cell.sort}.{cell.column}" for cell in tried} | set(TABLES) >= set(
        UNBOUND
    )


def test_a_number_that_would_be_given_out_twice_is_told(crowded: World) -> None:
    """L20: the head's counter is beyond every number that a row has."""
    given = run_sql(crowded, "SELECT next FROM head")[0][0]
    run_sql(crowded, "UPDATE head SET next = next - 1")
    assert [(each.what, each.where) for each in problems(crowded)] == [("head", "next")]
    run_sql(crowded, "UPDATE head SET next = ?", given)


def test_a_check_of_a_person_without_a_name_says_so(crowded: World) -> None:
    """L4: a name that is gone is told, and the check goes on."""
    number = run_sql(crowded, "SELECT max(num) FROM subject")[0][0]
    run_sql(crowded, "UPDATE name SET tenant = 2 WHERE num = ?", number)
    told = {(each.what, each.where) for each in auditing.check(crowded.ana, contents=True).problems}
    run_sql(crowded, "UPDATE name SET tenant = 1 WHERE num = ?", number)
    assert ("name", f"person {number}") in told
    assert problems(crowded) == []
