"""Q4, Q14: lists by filters, paged by key, in one order on both back ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.model.entries import Entry, Numbers
from oz0mem.model.filters import Filter
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store

STATES = ("active", "held", "replaced", "retired", "rejected")


@pytest.fixture
def full(store: Store) -> Store:
    """Sixty entries, four of each moment, in every state, of several kinds, agents, people and ends."""

    def write(desk: Desk) -> None:
        for n in range(60):
            put(
                desk,
                f"entry {n}",
                id=f"m-{n:012x}",
                created=NOW + n // 4,
                state=STATES[n % 5],
                kind=("semantic", "episodic", "note")[n % 3],
                tier=("person", "published", "unreviewed")[n % 3],
                agent=("concierge", "scout")[n % 2],
                about=("work", "dana", "ana")[n % 3],
                scope=("tenant", "project:web")[n % 2],
                purpose=("", "support")[n % 2],
                key="city" if n % 10 == 0 else "",
                ends=NOW + (n * 7) % 50 if n % 2 else 0,
                restricted=n % 15 == 0,
            )

    store.write(NOW, write)
    return store


def numbered(rows: list[Numbers]) -> list[int]:
    """Which of the sixty these are."""
    return [int(row.id[2:], 16) for row in rows]


def pages(store: Store, asked: Filter, size: int) -> list[list[int]]:
    """Every page of a list."""
    found: list[list[int]] = []
    while True:
        rows = store.read(NOW + 30, lambda desk, asked=asked: desk.listing.page(asked, size))  # type: ignore[misc]  # mypy cannot infer the lambda's default
        if not rows:
            return found
        found.append(numbered(rows))
        last = rows[-1]
        asked = asked._replace(after=(last.ends if asked.due else last.created, last.entry))


def end(n: int) -> int:
    """When an entry of the sixty ends, counted from NOW."""
    return (n * 7) % 50


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (Filter(), lambda n: True),
        (Filter(agent="scout"), lambda n: n % 2),
        (Filter(about="dana"), lambda n: n % 3 == 1),
        (Filter(about="work"), lambda n: n % 3 == 0),
        (Filter(scope="tenant"), lambda n: n % 2 == 0),
        (Filter(purpose="support"), lambda n: n % 2),
        (Filter(kind="note"), lambda n: n % 3 == 2),
        (Filter(tier="person"), lambda n: n % 3 == 0),
        (Filter(state="held"), lambda n: n % 5 == 1),
        (Filter(key="city"), lambda n: n % 10 == 0),
        (Filter(ended=True), lambda n: n % 2 and end(n) <= 30),
        (Filter(agent="scout", about="ana", state="active"), lambda n: n % 2 and n % 3 == 2 and n % 5 == 0),
        (Filter(about="nobody"), lambda n: False),
        (Filter(about="%"), lambda n: False),
        (Filter(about="*"), lambda n: False),
        (Filter(about="dan"), lambda n: False),
        (Filter(state="erased"), lambda n: False),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 100])
def test_pages_together_are_the_list(full: Store, asked: Filter, wanted: object, size: int) -> None:
    """Q4, Q14: newest first, ties by number, no row twice and none left out, whatever the size of a page."""
    assert callable(wanted)
    matching = [n for n in reversed(range(60)) if n % 15 and wanted(n)]
    found = pages(full, asked, size)
    assert [n for page in found for n in page] == matching
    assert all(len(page) == size for page in found[:-1])


@pytest.mark.parametrize("size", [1, 7, 100])
def test_due_entries_come_by_their_end(full: Store, size: int) -> None:
    """M10: the boundary microsecond is past the end; the first to end comes first."""
    due = [n for n in range(60) if n % 2 and n % 15 and 0 <= end(n) <= 30]
    found = [n for page in pages(full, Filter(due=True), size) for n in page]
    assert found == sorted(due, key=lambda n: (end(n), n))


def test_restricted_entries_are_asked_for(full: Store) -> None:
    """G43: only who asks for them gets them."""
    found = full.read(NOW, lambda desk: numbered(desk.listing.page(Filter(restricted=True), 100)))
    assert found == [*reversed(range(60))]


def test_chosen_entries_alone(full: Store) -> None:
    """Q4: a search hands over numbers; none is none, and thousands are as good as one."""
    rows = full.read(NOW, lambda desk: desk.listing.page(Filter(restricted=True), 100))
    numbers = tuple(row.entry for row in rows)

    def ask(chosen: tuple[int, ...]) -> list[int]:
        return full.read(NOW, lambda desk: numbered(desk.listing.page(Filter(entries=chosen, restricted=True), 100)))

    assert ask(numbers[5:8]) == numbered(rows[5:8])
    assert ask(()) == []
    assert ask((*range(10_000, 80_000), *numbers)) == numbered(rows)


def test_an_erased_entry_leaves_a_row(full: Store) -> None:
    """G42: it is listed as erased, by id, version and times; in no other list."""

    def erase(desk: Desk) -> Entry:
        entry = desk.entries.by_id("m-000000000007")
        assert entry is not None
        desk.erasing.erase_entry(desks.begin(desk), entry)
        return entry

    before = full.write(NOW, erase)
    rows = full.read(NOW, lambda desk: desk.listing.page(Filter(state="erased"), 9))
    assert numbered(rows) == [7]
    assert rows[0].created == before.created
    assert rows[0].ended_at == NOW
    kept = {"entry", "v", "newest", "id", "state", "created", "counted_from", "at", "ends", "ended_at", "body", "event"}
    assert all(not value for name, value in rows[0]._asdict().items() if name not in kept)
    assert 7 not in full.read(NOW, lambda desk: numbered(desk.listing.page(Filter(restricted=True), 99)))
    assert full.read(NOW, lambda desk: desk.entries.newest([before.numbers.entry])) == []
    stored = full.read(NOW, lambda desk: desk.entries.by_id(before.id))
    assert stored is not None
    assert (stored.state, stored.text, stored.secret, stored.about) == ("erased", "", b"", "work")


def test_walks_for_upkeep_are_paged_by_key(full: Store) -> None:
    """G50: what has ended, what waits in a state, what is about one person: each row once, in order."""

    def walk(desk: Desk) -> list[list[int]]:
        dana = desk.names.find(2, "dana")
        answers: list[list[int]] = [[], [], [], []]
        after = (0, 0)
        while rows := desk.listing.due(NOW + 30, 4, after):
            answers[0] += numbered(rows)
            after = (rows[-1].ends, rows[-1].entry)
        after = (0, 0)
        while rows := desk.listing.in_state("held", NOW + 10, 4, after):
            answers[1] += numbered(rows)
            after = (rows[-1].created, rows[-1].entry)
        after = (0, 0)
        while rows := desk.listing.about(dana, 4, after):
            answers[2] += numbered(rows)
            after = (rows[-1].created, rows[-1].entry)
        after = (0, 0)
        while rows := desk.listing.all_rows(7, after):
            answers[3] += numbered(rows)
            after = (rows[-1].entry, rows[-1].v)
        return answers

    due, held, about, everything = full.read(NOW, walk)
    assert due == sorted((n for n in range(60) if n % 2 and end(n) <= 30), key=lambda n: (end(n), n))
    assert held == [n for n in range(44) if n % 5 == 1]
    assert about == [n for n in range(60) if n % 3 == 1]
    assert everything == [*range(60)]


def test_counts_of_what_is_in_force(full: Store) -> None:
    """R2, M22: active, not restricted and not past their end, in the places asked for."""

    def ask(desk: Desk) -> tuple[int, int]:
        places = desk.entries.places_in(desk.names.find(1, "tenant"), 0)
        assert len(places) == 1
        return desk.listing.counts(places, NOW + 30)

    inside = [n for n in range(60) if n % 2 == 0 and n % 3 == 0 and n % 5 == 0 and n % 15]
    assert full.read(NOW, ask)[0] == len(inside)
