"""When a person's name and the key of their handle go: nobody can link them to the ledger after that (L4).

Promises that a name stays as long as something of the person does, and says what. Leaves the reading of it to the
store, and the taking to ``actions/unlinking``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oz0mem.model.moments import DAY

if TYPE_CHECKING:
    from oz0mem.model.erasures import Standing

RECEIPT_WINDOW: Final = 90 * DAY
"""Microseconds after a person's last erasing event in which a receipt about them can be made."""

REASONS: Final = ("principal", "author", "legal_hold", "remembered", "job")
"""What keeps a name, in the order in which it is told."""


def why_kept(standing: Standing, *, by_clock: bool) -> list[str]:
    """Say what keeps a person's name and key; nothing is where they may go.

    Args:
        standing: what the store has of the person.
        by_clock: whether the window's end asks, not somebody: then a job that acts is let end by itself.

    Returns:
        Some of `REASONS`, in their order.
    """
    found = {
        "principal": standing.principal,
        "author": standing.author,
        "legal_hold": standing.held or standing.restricted,
        "remembered": standing.remembered,
        "job": by_clock and standing.running,
    }
    return [reason for reason in REASONS if found[reason]]


def over_since(now: int) -> int:
    """The moment at or before which a person's last erasing event was, where their window is over."""
    return now - RECEIPT_WINDOW
