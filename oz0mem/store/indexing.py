"""The words of a whole tenant cut anew, after the rules that cut them changed (R8).

Promises short transactions, that a run which was killed is finished by the next one, and that nobody recalls
over words of two rules meanwhile: the head says the new rules only once everything is cut by them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.rules.words import INDEX_VERSION, content_words, index_words
from oz0mem.store.mapping import STATES, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store

BATCH = 200
"""Entries cut in one transaction."""


def reindex(store: Store, now: int, progress: Callable[[int], None] | None = None) -> int:
    """Cut the words of every living entry and reason of a tenant anew, where other rules cut them.

    Args:
        store: the tenant's.
        now: microseconds UTC.
        progress: told how many were cut so far.

    Returns:
        How many were cut; 0 where the words are of this program's rules already.
    """
    if store.read(now, lambda desk: desk.head.index_version) == INDEX_VERSION:
        return 0
    done = 0
    for cut in (_cut_entries, _cut_reasons):
        after = 0
        while True:
            at = after

            def act(desk: Desk, cut: Callable[[Desk, int], tuple[int, int]] = cut, at: int = at) -> tuple[int, int]:
                return cut(desk, at)

            count, after = store.write(now, act)
            done += count
            if progress is not None:
                progress(done)
            if not count:
                break
    # Of words cut by other rules no later erasure knows: their hashes go from the gaps of pages now (4.5).
    store.clear_gaps()
    store.write(now, lambda desk: desk.work.change(index_version=INDEX_VERSION))
    return done


def _cut_entries(desk: Desk, after: int) -> tuple[int, int]:
    rows = desk.entries.select(
        ("newest = 1", "entry > ?", f"state <> {STATES.index('erased')}"), (after,), "entry", BATCH
    )
    for entry in desk.entries.load(rows):
        number = entry.numbers.entry
        counts = index_words(entry.text)
        _put(desk, number, entry.numbers.place, counts)
        desk.work.run(
            "UPDATE version SET words = ?, content_words = ? WHERE tenant = ? AND entry = ? AND newest = 1",
            (sum(counts.values()), len(content_words(entry.text)), desk.work.tenant, number),
        )
    return len(rows), rows[-1].entry if rows else after


def _cut_reasons(desk: Desk, after: int) -> tuple[int, int]:
    rows = desk.work.rows(
        "SELECT num, body FROM reason WHERE tenant = ? AND num > ? ORDER BY num LIMIT ?",
        (desk.work.tenant, after, BATCH),
    )
    bodies = desk.bodies.many(row[1] for row in rows)
    for number, body in rows:
        _put(desk, number, 0, index_words(str(parse(bodies.get(body, b"")).get("reason", ""))))
    return len(rows), rows[-1][0] if rows else after


def _put(desk: Desk, number: int, place: int, counts: dict[str, int]) -> None:
    orphans = desk.words.take(number)
    desk.words.put(number, place, counts)
    left = desk.words.unused(orphans)
    desk.words.drop(left)
    desk.bodies.overwrite(left, table="word")
