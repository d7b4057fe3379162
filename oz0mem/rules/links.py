"""Links between entries: their labels, their ids, and who may decide about one (M17).

Promises that a label is one of a closed list and that nobody confirms what they proposed, but in a solo store. Leaves
which entries may be linked to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oz0mem.model.agreements import CONFIRMED, LABELS, WAITING
from oz0mem.model.errors import Conflict, Forbidden, Invalid

if TYPE_CHECKING:
    from oz0mem.model.agreements import Link

PREFIX: Final = "l-"
MOST_SOURCES: Final = 16
"""Entries that one write may say it derives from."""
_DIGITS: Final = 12
_LEAST_DIGITS: Final = 4
_HEX: Final = frozenset("0123456789abcdef")


def check_label(text: str) -> str:
    """Answer the label.

    Raises:
        Invalid: ``link.label`` naming those that there are.
    """
    if text not in LABELS:
        raise Invalid("link.label", f"a link is one of {', '.join(LABELS)}", hint="oz0mem link --help", rule="M17")
    return text


def check_id(text: str) -> str:
    """Answer the id of a link, whole or shortened to at least four digits (C7).

    Raises:
        Invalid: ``link.id``.
    """
    digits = text.removeprefix(PREFIX)
    if digits == text or not _LEAST_DIGITS <= len(digits) <= _DIGITS or not _HEX.issuperset(digits):
        raise Invalid(
            "link.id",
            f"the id of a link is l, a dash and {_DIGITS} digits, or their first {_LEAST_DIGITS} or more",
            hint="oz0mem links",
            rule="C7",
        )
    return text


def is_whole(link_id: str) -> bool:
    """Whether an id that was checked has all its digits."""
    return len(link_id) == len(PREFIX) + _DIGITS


def check_confirm(link: Link, name: str, *, solo: bool) -> bool:
    """Whether a confirming changes something: not where the link is confirmed.

    Args:
        link: as it stands.
        name: of the person who confirms.
        solo: whether one person may do both halves of what takes two.

    Raises:
        Conflict: ``link.settled`` where it was rejected.
        Forbidden: ``review.own`` where the person proposed it.
    """
    if link.state == CONFIRMED:
        return False
    if link.state != WAITING:
        raise Conflict(
            "link.settled",
            f"{link.id} was rejected; only one that waits is confirmed",
            hint=f"propose it anew: oz0mem link {link.entry_id} {link.label} {link.other_id}",
            rule="M17",
            state=link.state,
        )
    if name == link.proposer and not solo:
        raise Forbidden(
            "review.own",
            "whoever proposed a link does not confirm it",
            hint="ask another reviewer",
            rule="M17",
        )
    return True


def check_reject(link: Link) -> bool:
    """Whether a rejecting changes something; whoever proposed a link may take it back so.

    Raises:
        Conflict: ``link.settled`` where it was confirmed.
    """
    if link.state == CONFIRMED:
        raise Conflict(
            "link.settled",
            f"{link.id} was confirmed; only one that waits is rejected",
            hint="oz0mem links",
            rule="M17",
            state=link.state,
        )
    return link.state == WAITING
