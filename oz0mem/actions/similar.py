"""What is there already and says the same, or nearly (M2, M3).

Promises that only entries the caller may read are compared and named, none from behind a wall (M25). Leaves
what follows to ``keeping``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import integrity
from oz0mem.model.kinds import ACTIVE, DEFINITION, HELD, REJECTED
from oz0mem.rules import lifecycle, similar
from oz0mem.rules.walls import NONE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.rules.walls import Walls

MOST = 3
"""Similar entries that a write names (M3)."""
_CANDIDATES = 20
_BEHIND_WALLS = 10
"""Times as many candidates where some may be behind a wall, so that those crowd out none that may be read."""


def is_live(entry: Entry, now: int) -> bool:
    """Whether an entry is active or held and not past its end."""
    if entry.state == ACTIVE:
        return not lifecycle.is_ended(entry.state, entry.ends, now)
    return entry.state == HELD and not lifecycle.is_lapsed(
        entry.state, entry.ends, entry.counted_from, now, kind=entry.kind
    )


def existing(desk: Desk, entry: Entry, place: int, about: int, *, apart: Walls = NONE) -> Entry | None:
    """The entry that says the same in the same place (M2): live ones first, then a rejected one.

    What is restricted (G43) or altered behind the ledger (L7) is shown to nobody and answers no write.

    Args:
        desk: the transaction.
        entry: what is about to be written.
        place: number of where.
        about: number of the person, 0 for work.
        apart: the walls round who writes (M25).
    """
    from oz0mem.rules.sameness import same_text

    wanted = same_text(entry.text)
    same = [
        other
        for other in desk.entries.same(entry.text, place, about, entry.kind)
        if same_text(other.text) == wanted
        # Two terms may mean the same, in the same words.
        and (entry.kind != DEFINITION or other.key == entry.key)
        and not (other.restricted or apart.hide(other))
    ]
    found = integrity.check(desk, same).good
    live = [other for other in found if is_live(other, desk.now)]
    kept = live or [other for other in found if other.state == REJECTED]
    return kept[0] if kept else None


def nearly(
    desk: Desk, entry: Entry, places: Sequence[int], leave_out: Collection[str], *, apart: Walls = NONE
) -> list[Entry]:
    """Up to three readable entries in force that say nearly the same, likest first (M3).

    Args:
        desk: the transaction.
        entry: what is about to be written.
        places: where the caller may read.
        leave_out: ids of what the write would replace, which is not similar.
        apart: the walls round who writes (M25).
    """
    from oz0mem.rules.words import content_words

    own = content_words(entry.text)
    numbers = desk.words.numbers(own)
    if not numbers:
        return []
    least = similar.least_shared(len(own), bool(entry.key))
    most = _CANDIDATES * (_BEHIND_WALLS if apart.stand() else 1)
    shared = desk.words.sharing(list(numbers.values()), places, least, most)
    likeness: list[tuple[float, Entry]] = []
    for other in integrity.check(desk, desk.entries.newest(number for number, _ in shared)).good:
        hidden = other.restricted or other.state != ACTIVE or not is_live(other, desk.now) or apart.hide(other)
        if other.id in leave_out or hidden:
            continue
        alike = similar.dice(own, content_words(other.text))
        if similar.says_nearly_the_same(alike, bool(entry.key) and other.key == entry.key):
            likeness.append((alike, other))
    likeness.sort(key=lambda pair: (-pair[0], -pair[1].created, pair[1].id))
    return [other for _, other in likeness[:MOST]]
