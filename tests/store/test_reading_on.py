"""Q4, Q14, M26, M27, M29: what agents read on their own, by place, the same on both back ends and in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.store import listing
from tests.store.desks import NOW, put, put_next

if TYPE_CHECKING:
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store

KINDS = ("note", "decision", "definition", "rule")
PURPOSES = ("", "support", "billing", "sales")


@pytest.fixture(params=[10_000, 1])
def places(store: Store, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sixteen entries over four places, asked for at once or a place at a time; the last place is nobody's to read."""
    monkeypatch.setattr(listing, "_MOST", request.param)

    def write(desk: Desk) -> list[int]:
        made = []
        for n in range(16):
            made.append(
                put(
                    desk,
                    f"entry {n}",
                    id=f"x-{n:012x}",
                    created=NOW + (n * 7) % 16,
                    kind=KINDS[n // 4],
                    purpose=PURPOSES[n % 4],
                    scope="tenant",
                    agent=("concierge", "scout")[n % 2],
                    core=n == 1,
                    ends=NOW + 100 + n,
                    valid_from=NOW + 50 + n if n % 5 == 0 else 0,
                    valid_until=NOW + 60 + n if n % 3 == 0 else 0,
                )
            )
        put_next(desk, made[2], "entry 2")
        return sorted({entry.numbers.place for entry in made})[:3]

    return store.write(NOW, write)


def n_of(ids: list[str]) -> list[int]:
    """Which of the sixteen these are."""
    return [int(each[2:], 16) for each in ids]


def test_what_changed_comes_in_the_order_of_events_and_goes_on_after_one(store: Store, places: list[int]) -> None:
    """M26: a page at a time, none twice, none of another place."""
    seen: list[int] = []
    since = 0
    while page := store.read(NOW, lambda desk, since=since: desk.listing.changed(places, since, 4)):  # type: ignore[misc]  # mypy cannot infer the lambda's default
        assert len(page) <= 4
        assert all(event == row.event for event, row in page)
        seen += n_of([row.id for _, row in page])
        since = page[-1][0] + 1
    assert seen == [0, 1, 4, 5, 6, 8, 9, 10, 12, 13, 14, 2]


def test_what_the_clock_turned_is_told_with_its_last_turn(store: Store, places: list[int]) -> None:
    """M26: after the first moment and up to the last."""

    def asked(since: int, until: int) -> dict[int, int]:
        def look(desk: Desk) -> dict[int, int]:
            turned = desk.listing.turned(places, NOW + since, NOW + until)
            ids = {row.entry: row.id for row in desk.listing.rows_of(sorted(turned))}
            return {n_of([ids[entry]])[0]: moment - NOW for entry, moment in turned.items()}

        return store.read(NOW, look)

    assert asked(49, 50) == {0: 50}
    assert asked(50, 59) == {5: 55}
    assert asked(49, 60) == {0: 60, 5: 55, 10: 60}
    assert asked(108, 110) == {9: 109, 10: 110}
    assert asked(200, 300) == {}


def test_what_is_read_at_a_start_is_what_was_agreed_and_what_is_core(store: Store, places: list[int]) -> None:
    """M27: of notes the core ones alone; rules alone where only they are asked for (R7)."""
    rows = store.read(NOW, lambda desk: desk.listing.at_startup(places))
    assert sorted(n_of([row.id for row in rows])) == [1, 4, 5, 6, 8, 9, 10, 12, 13, 14]
    rules = store.read(NOW, lambda desk: desk.listing.at_startup(places, rules=True))
    assert sorted(n_of([row.id for row in rules])) == [12, 13, 14]
    assert store.read(NOW, lambda desk: desk.listing.at_startup([])) == []


def test_own_writes_and_the_newest_come_newest_first(store: Store, places: list[int]) -> None:
    """M29: of one agent, and of everybody, in these places, however many are asked for at a time."""

    def number(desk: Desk) -> list[int]:
        agent = desk.entries.newest([1, 2, 3, 4, 5, 6, 7, 8, 9])[0].numbers.agent
        return n_of([row.id for row in desk.listing.written_by(agent, places, ["active"], 4)])

    by_age = sorted((n for n in range(16) if n % 4 < 3), key=lambda n: (n * 7) % 16, reverse=True)
    assert store.read(NOW, number) == [n for n in by_age if n % 2 == 0][:4]
    rows = store.read(NOW, lambda desk: desk.listing.in_places(places, ["active", "held"], 5))
    assert n_of([row.id for row in rows]) == by_age[:5]
    entries, words = store.read(NOW, lambda desk: desk.listing.counts(places, NOW + 40))
    assert (entries, words) == (9, 18)
