"""Entries about others or about work that name a person (G41).

Promises ids alone, of entries that the caller may see (M20): forgetting a person leaves them, for somebody to edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions.choosing import is_seen
from oz0mem.rules.about import mentions

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk

_PAGE = 1_000


def find(desk: Desk, caller: Caller, name: str, number: int) -> list[str]:
    """Ids of entries about somebody else or work that have the name as a whole word (G41), of those seen (M20)."""
    from oz0mem.rules.words import index_words

    wanted = index_words(name)
    words = desk.words.numbers(wanted)
    if not words or len(words) < len(wanted):
        return []
    held = desk.words.postings(list(words.values()), None)
    numbers = sorted(set.intersection(*(set(entries) for entries in held.values())))
    found: list[str] = []
    for start in range(0, len(numbers), _PAGE):
        rows = [row for row in desk.listing.rows_of(numbers[start : start + _PAGE]) if row.about != number]
        seen = [entry for entry in desk.entries.load(rows) if is_seen(caller, entry, desk.now)]
        found += [entry.id for entry in seen if mentions(entry.text, name)]
    return sorted(found)
