"""A person's name and key: what keeps them, and how they go, by hand or when the receipt window is over (L4, G42).

Promises that a name goes only with an erasure and its events, that a job bound to the person ends with it, and that
the next command finds no name any more. Leaves the tables to the store, and the steps of erasing to ``erasing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import context, erasing, withdrawing
from oz0mem.actions.erasing import Begun
from oz0mem.model.erasures import Gone
from oz0mem.rules import unlinking as rule

if TYPE_CHECKING:
    from collections.abc import Container

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk

BATCH = 100
"""People whose names go in one transaction, so that it stays short."""


def kept_because(desk: Desk, number: int, *, going: bool = False, by_clock: bool = False) -> list[str]:
    """Why a person's name and the key of their handle stay (L4); nothing where they may go.

    Args:
        desk: the transaction.
        number: the person's.
        going: whether what is remembered about them is about to be erased, all that no legal hold covers.
        by_clock: whether the end of the receipt window asks, not a person.

    Returns:
        Some of ``rules.unlinking.REASONS``, in their order.
    """
    standing = desk.unlinking.standing(number)
    if going:
        standing = standing._replace(remembered=False, restricted=False)
    if not standing.held and withdrawing.keeps_name(desk, number):
        standing = standing._replace(held=True)
    return rule.why_kept(standing, by_clock=by_clock)


def erase_beside(desk: Desk, erasure: int, number: int, keep: Container[int] = ()) -> Gone:
    """Overwrite what stands about a person beside entries: calls, sources, threads, reasons that name them (L5).

    Args:
        desk: the transaction.
        erasure: of which it is part.
        number: the person's.
        keep: numbers of the approvals that a legal hold preserves.
    """
    reasons = _free(desk, desk.reasons.naming(desk.names.spelled([number])[number]))
    return desk.erasing.erase_loose(erasure, number, keep).joined(desk.erasing.erase_reasons(erasure, reasons))


def _free(desk: Desk, reasons: list[int]) -> list[int]:
    """Those reasons that go with no entry which a legal hold covers: what it preserves is kept whole (G40, L5)."""
    if not desk.head.holds:
        return reasons
    tied = desk.reasons.entries(reasons)
    covered = desk.holds.covering_each(desk.listing.rows_of(sorted({*tied.values()} - {0})))
    return [number for number in reasons if tied[number] not in covered]


def unlink(desk: Desk, erasure: int, number: int, actor: dict[str, Any]) -> Gone:
    """Take a person's name and key in an erasure's first step, and end the jobs that are bound to them (L21).

    What else is about the person has to be overwritten before.
    """
    for job, job_id in desk.unlinking.running(number):
        desk.identity.end_job(job)
        desk.ledger.append("job.ended", actor, {"job": job_id})
    return desk.unlinking.take(erasure, number)


def unlink_due(ctx: Context, *, dry_run: bool, waits: bool = True) -> int:
    """Take the names of people whose receipt window is over and of whom nothing else is left; answers how many.

    Args:
        ctx: who asks.
        dry_run: count and change nothing.
        waits: wait for whoever keeps the files open, and close; else a later command closes (L21).
    """
    count, after = 0, (0, 0)
    while True:
        start = after

        def act(desk: Desk, start: tuple[int, int] = start) -> tuple[Begun, int, tuple[int, int]]:
            rows = desk.unlinking.due(rule.over_since(desk.now), BATCH, start)
            going = [number for _, number in rows if not kept_because(desk, number, by_clock=True)]
            begun = erasing.NOTHING if dry_run or not going else _begin(desk, going)
            return begun, len(going), rows[-1] if len(rows) == BATCH else (0, 0)

        begun, gone, after = ctx.read(act) if dry_run else ctx.store.write(ctx.clock(), act)
        if begun.erasures and waits:
            waits = not erasing.finish(ctx, begun, "").open
        count += gone
        if after == (0, 0):
            return count


def _begin(desk: Desk, people: list[int]) -> Begun:
    """Begin an erasure for each person: they have a last event of their own."""
    actor = dict(context.SYSTEM)
    numbers: list[int] = []
    gone = Gone([], [])
    for number in people:
        erasure, _ = erasing.begin(desk, "memory.expired", actor, [], about=number, basis="retention")
        beside = withdrawing.erase_naming(desk, erasure, number).joined(erase_beside(desk, erasure, number))
        gone = gone.joined(beside, unlink(desk, erasure, number, actor))
        numbers.append(erasure)
    desk.unlinking.rebuild()
    return Begun(numbers, gone, [], [], 0)
