"""What upkeep did, as people and scripts see it (G50)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.views.view import View

if TYPE_CHECKING:
    from oz0mem.actions.upkeep import Kept


def done(kept: Kept) -> View:
    """Counts of what was due."""
    document = {
        "lapsed": kept.lapsed,
        "expired": kept.expired,
        "erased": kept.erased,
        "removed": kept.removed,
        "findings_opened": 0,
        "findings_closed": 0,
        "held_back": kept.held_back,
        "closed": kept.closed,
        "open": kept.open,
        "unlinked": kept.unlinked,
        "calls": kept.calls,
        "released": kept.released,
        "head": kept.head or None,
        "compacted": kept.compacted._asdict() if kept.compacted else None,
        "dry_run": kept.dry_run,
        "changed": not kept.dry_run
        and bool(
            kept.erased or kept.removed or kept.closed or kept.unlinked or kept.calls or kept.released or kept.compacted
        ),
    }
    return View("text", document=document, sentence=_said(kept))


def _said(kept: Kept) -> str:
    verb = "would erase" if kept.dry_run else "erased"
    parts = []
    if kept.erased:
        one = "1 entry" if kept.erased == 1 else f"{kept.erased} entries"
        parts.append(
            f"{verb} {one}: {kept.expired} past their end, {kept.lapsed} that nobody confirmed or accepted in time"
        )
    if kept.unlinked:
        people = "1 person" if kept.unlinked == 1 else f"{kept.unlinked:,} people"
        parts.append(f"{'would take' if kept.dry_run else 'took'} the names of {people} whose receipt window is over")
    if kept.calls:
        one = "1 call" if kept.calls == 1 else f"{kept.calls:,} calls"
        parts.append(f"{'would let' if kept.dry_run else 'let'} {one} lapse that nobody decided about in time")
    if kept.released:
        one = "1 call" if kept.released == 1 else f"{kept.released:,} calls"
        parts.append(f"{verb} {one} of people who were forgotten, which a legal hold had kept")
    if kept.held_back:
        parts.append(f"{kept.held_back} held back by a legal hold")
    if kept.closed:
        parts.append(f"finished {kept.closed} that an earlier run left open")
    if kept.open:
        many = "one erasure is" if kept.open == 1 else f"{kept.open} erasures are"
        parts.append(
            f"{many} still open: overwritten, but somebody has the store's files open (L21); run it again later"
        )
    if kept.compacted:
        before, after = kept.compacted
        told = f"{before:,} bytes to about {after:,}" if kept.dry_run else f"{before:,} bytes to {after:,}"
        parts = [
            *(parts or ["nothing is due"]),
            f"{'would compact' if kept.dry_run else 'compacted'} the store, {told}",
        ]
    return "; ".join(parts) or "nothing is due"
