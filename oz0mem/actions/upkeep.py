"""``upkeep``: what the clock makes due (G50; M31, M36).

Promises that entries about people, and learned ones, are erased at their end; that lapsed and rejected ones about
people go too; that a person's name goes when their receipt window is over and nothing else of them is left (L4);
that what a call would have written goes where nobody decided about it (G31); that it can be killed at any moment and
run again. Leaves findings and the retention of work to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context, erasing, heads, lapsing, refusals, unlinking, withdrawing
from oz0mem.actions.erasing import Begun
from oz0mem.model.erasures import Compacted, Gone
from oz0mem.model.errors import Invalid
from oz0mem.rules import ends, lifecycle

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry, Numbers

BATCH = 500
"""Entries looked at in one transaction, so that it stays short."""


class Kept(NamedTuple):
    """What upkeep did: counts, and whether it only counted.

    Attributes:
        head: events under the head that it signed, 0 where it cannot.
        open: erasures that are open at its end, since somebody keeps the store's files open (L21).
        compacted: bytes of the store's files before and after, where they were to be written anew (L22).
        calls: agents' calls that nobody decided about in time (G31).
        released: calls of forgotten people whose text a legal hold had kept until now (G43).
    """

    lapsed: int
    expired: int
    erased: int
    removed: int
    held_back: int
    closed: int
    dry_run: bool
    unlinked: int = 0
    head: int = 0
    open: int = 0
    compacted: Compacted | None = None
    calls: int = 0
    released: int = 0


@refusals.told("upkeep")
def upkeep(ctx: Context, *, dry_run: bool = False, compact: bool = False) -> Kept:
    """Do what is due; ``dry_run`` counts and changes nothing.

    Raises:
        Invalid: ``compact.server`` where a server's store is to be compacted, with ``compact`` (L22).
    """
    ctx.read(lambda desk: context.person_of(desk, ctx, "upkeep"))
    if compact and not ctx.store.embedded:
        raise Invalid(
            "compact.server",
            "a store on PostgreSQL is written anew by its server, with VACUUM FULL, not by this program",
            hint="VACUUM FULL as the owner of the tables, while nobody works; then oz0mem upkeep without --compact",
            rule="L22",
        )
    closed = 0 if dry_run else erasing.finish_open(ctx, patience=10.0) if _open(ctx) else 0
    # Whoever reads all the while is waited for once; what is begun after that is closed by a later command.
    waits = not dry_run and not _open(ctx)
    totals = {"lapsed": 0, "expired": 0, "held_back": 0}
    for kind, page in (("expired", _due_page), ("lapsed", _lapsed_page), ("lapsed", _rejected_page)):
        after: tuple[int, int] | None = (0, 0)
        while after is not None:
            counts, begun, after = _batch(ctx, kind, page, after, dry_run=dry_run)
            waits = waits and not (begun.erasures and erasing.finish(ctx, begun, "").open)
            for name, count in counts.items():
                totals[name] += count
    erased = totals["expired"] + totals["lapsed"]
    released = withdrawing.erase_kept(ctx, dry_run=dry_run, waits=waits)
    unlinked = unlinking.unlink_due(ctx, dry_run=dry_run, waits=waits)
    calls, of_calls = lapsing.lapse_due(ctx, dry_run=dry_run)
    if not dry_run:
        old = ctx.store.write(ctx.clock(), lambda desk: _tell(desk, totals, erased, unlinked, calls)).joined(of_calls)
        if (old.marks or old.bodies) and waits:
            ctx.store.scrub(old)
    signed = None if dry_run else heads.sign_where_possible(ctx)
    lapsed, expired, held_back = totals["lapsed"], totals["expired"], totals["held_back"]
    kept = Kept(lapsed, expired, erased, 0, held_back, closed, dry_run, unlinked, calls=calls, released=released)
    kept = kept._replace(head=signed.size if signed else 0, open=_open(ctx))
    return kept._replace(compacted=ctx.store.compact(dry_run=dry_run)) if compact else kept


def _open(ctx: Context) -> int:
    return ctx.read(lambda desk: desk.head.open_erasures)


def _tell(desk: Desk, totals: dict[str, int], erased: int, unlinked: int, calls: int) -> Gone:
    """Tell the ledger; answers what goes of calls of long ago (M9)."""
    old = desk.calls.forget_old()
    if erased or unlinked or calls:
        told: dict[str, Any] = {
            "lapsed": totals["lapsed"],
            "expired": totals["expired"],
            "erased": erased,
            "removed": 0,
            "held_back": totals["held_back"],
            "unlinked": unlinked,
            "calls": calls,
        }
        desk.ledger.append("plugin.records.expired", context.SYSTEM, told)
    return old


def _due_page(desk: Desk, after: tuple[int, int]) -> tuple[list[Numbers], list[Entry]]:
    """Entries past their end that go with it (M36)."""
    rows = desk.listing.due(desk.now, BATCH, after)
    entries = [entry for entry in desk.entries.load(rows) if ends.erased_at_end(entry.kind, entry.about_person)]
    return rows, entries


def _lapsed_page(desk: Desk, after: tuple[int, int]) -> tuple[list[Numbers], list[Entry]]:
    """Held entries about people that nobody confirmed in time (M31)."""
    rows = desk.listing.in_state("held", desk.now - ends.LAPSE, BATCH, after)
    lapsed = [
        entry
        for entry in desk.entries.load(rows)
        if entry.about_person
        and lifecycle.is_lapsed(entry.state, entry.ends, entry.counted_from, desk.now, kind=entry.kind)
    ]
    return rows, lapsed


def _rejected_page(desk: Desk, after: tuple[int, int]) -> tuple[list[Numbers], list[Entry]]:
    """Rejected entries about people (M31)."""
    rows = desk.listing.in_state("rejected", desk.now, BATCH, after)
    return rows, [entry for entry in desk.entries.load(rows) if entry.about_person]


def _batch(
    ctx: Context,
    kind: str,
    page: Callable[[Desk, tuple[int, int]], tuple[list[Numbers], list[Entry]]],
    after: tuple[int, int],
    *,
    dry_run: bool,
) -> tuple[dict[str, int], Begun, tuple[int, int] | None]:
    """One page of what is due, erased in one transaction; the files are still to be cleaned."""

    def act(desk: Desk) -> tuple[Begun, int, int, tuple[int, int] | None]:
        rows, entries = page(desk, after)
        covered = desk.holds.covering_each([entry.numbers for entry in entries])
        going = [entry for entry in entries if entry.numbers.entry not in covered]
        begun = erasing.NOTHING if dry_run else _begin(desk, going)
        place = (rows[-1].ends if kind == "expired" else rows[-1].created, rows[-1].entry) if rows else (0, 0)
        return begun, len(going), len(covered), place if len(rows) == BATCH else None

    begun, gone, held_back, following = ctx.read(act) if dry_run else ctx.store.write(ctx.clock(), act)
    return {kind: gone, "held_back": held_back}, begun, following


def _begin(desk: Desk, entries: list[Entry]) -> Begun:
    """Begin one erasure for each person, and one for work (G50: each person's own event)."""
    by_person: dict[int, list[Entry]] = {}
    for entry in entries:
        by_person.setdefault(entry.numbers.about, []).append(entry)
    numbers: list[int] = []
    gone = Gone([], [])
    for about, theirs in by_person.items():
        number, went = erasing.begin(
            desk, "memory.expired", dict(context.SYSTEM), theirs, about=about, basis="retention"
        )
        numbers.append(number)
        gone = gone.joined(went)
    return Begun(numbers, gone, [entry.id for entry in entries], [], 0)
