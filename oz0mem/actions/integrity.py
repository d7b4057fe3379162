"""Reading checks what it shows (L7).

Promises that an entry whose record does not open the commitment of its newest event, or whose event does not
hash to its leaf, is not given out as good. Leaves the tree up to a signed head to ``audit check``.
"""

from __future__ import annotations

import hmac
import json
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.entries import record_of
from oz0mem.rules import merkle, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.told import Told


class Checked(NamedTuple):
    """Entries that are as the ledger says, in order, and the ids of those that are not."""

    good: list[Entry]
    altered: list[str]


def check(desk: Desk, entries: Sequence[Entry]) -> Checked:
    """Check newest versions against the newest events of their entries."""
    if not entries:
        return Checked([], [])
    told = desk.ledger.newest_of(entry.numbers.entry for entry in entries)
    places = desk.entries.parts_of(entry.numbers.place for entry in entries)
    checked = Checked([], [])
    for entry in entries:
        numbers = entry.numbers
        in_place = places.get(numbers.place) == (numbers.scope, numbers.about, numbers.purpose)
        if in_place and opens(desk.head.origin, entry, told.get(numbers.entry)):
            checked.good.append(entry)
        else:
            checked.altered.append(entry.id)
    return checked


def opens(origin: str, entry: Entry, told: Told | None) -> bool:
    """Whether a version's record opens the commitment of an event (L3)."""
    if told is None or merkle.leaf_hash(told.body) != told.leaf:
        return False
    try:
        event = json.loads(told.body)
        committed = record.commit(entry.secret, record.encode(origin, record_of(entry)))
    except (ValueError, TypeError):
        return False
    # Whoever writes into the store can make a leaf for anything; the whole form is ``audit check``'s to judge.
    return isinstance(event, dict) and (
        event.get("entry") == entry.id
        and event.get("version") == entry.version
        and event.get("ledger") == origin
        and event.get("index") == told.at == entry.numbers.event
        and hmac.compare_digest(str(event.get("commit", "")), committed)
    )
