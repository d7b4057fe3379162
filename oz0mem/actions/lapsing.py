"""Calls that waited too long for a person: what upkeep does with them (G31, G50).

Promises that what such a call would have written is overwritten, unless a legal hold preserves it (G40), and that it
can be done again at any time. Leaves when a call has lapsed, which the clock says upkeep or not, to ``asking``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import asking
from oz0mem.model.agreements import LAPSED, WAITING
from oz0mem.model.entries import Numbers
from oz0mem.model.erasures import Gone

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.agreements import Approval

BATCH = 200
"""Approvals looked at in one transaction, so that it stays short."""


def lapse_due(ctx: Context, *, dry_run: bool = False) -> tuple[int, Gone]:
    """Let the calls lapse that nobody decided about in time.

    Args:
        ctx: of upkeep.
        dry_run: whether they are only counted.

    Returns:
        How many, and what stood in the overwritten rows; the files are still to be cleaned of it.
    """
    count, after, gone = 0, 0, Gone([], [])
    while True:
        start = after

        def act(desk: Desk, start: int = start) -> tuple[int, list[Gone], int]:
            waiting = desk.approvals.in_state(WAITING, BATCH, start)
            going = [asked for asked in waiting if asking.is_lapsed(asked, desk.now) and not is_held(desk, asked)]
            # Oldest first: the first that waits in time has only such behind it.
            ended = len(waiting) < BATCH or not asking.is_lapsed(waiting[-1], desk.now)
            went = [] if dry_run else [desk.approvals.settle(asked, LAPSED, "") for asked in going]
            return len(going), went, 0 if ended else waiting[-1].number

        lapsed, went, after = ctx.read(act) if dry_run else ctx.store.write(ctx.clock(), act)
        count, gone = count + lapsed, gone.joined(*went)
        if not after:
            return count, gone


def is_held(desk: Desk, asked: Approval) -> bool:
    """Whether a legal hold covers the person whom a call is about, or the entry that it would change."""
    if not desk.head.holds:
        return False
    # A hold on everything covers whatever there is, a call without an entry and about nobody too.
    rows = [*desk.listing.rows_of([asked.entry] if asked.entry else []), Numbers(about=asked.about)]
    return bool(desk.holds.covering_each(rows))
