"""Calls of agents that wait for a person: ``approvals``, ``approvals approve``, ``approvals deny`` (G31)."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.cli import exits, io, options, out, session
from oz0mem.cli.memory import acting, deeds
from oz0mem.cli.reasons import Reason, Yes

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of approvals, or their beginnings.")]


def list_approvals(
    limit: Annotated[int, typer.Option(metavar="N", help="Calls on a page, 1 to 1,000.")] = 50,
    after: Annotated[str, typer.Option(metavar="CURSOR", help="Go on after an earlier page.")] = "",
) -> None:
    """List the calls that wait, each with everything that it would write."""
    from oz0mem.actions import approvals
    from oz0mem.views.approvals import show_each, show_page

    page = approvals.list_approvals(session.context(), limit=limit, after=after)
    if page.altered and not options.current().quiet:
        io.notice(f"left out {len(page.altered)} that were altered behind the ledger (L7): oz0mem audit check")
    if options.current().format != "table" or not page.items:
        out.emit(show_page(page))
        return
    for at, view in enumerate(show_each(page)):
        io.write("\n" if at else "")
        out.emit(view)


def approve(ids: Ids, reason: Reason = "", yes: Yes = False) -> int:  # noqa: ARG001 - C5
    """Let calls run, once, as the agent that made them."""
    from oz0mem.actions import approvals
    from oz0mem.views.approvals import show_decided

    ctx = session.context()
    return acting.answer_each(ids, lambda each: (show_decided(approvals.approve(ctx, each, reason)), exits.DONE))


def deny(ids: Ids, reason: Reason = "", yes: Yes = False) -> int:  # noqa: ARG001 - C5
    """Deny calls; nothing of them is written."""
    from oz0mem.actions import approvals
    from oz0mem.views.approvals import show_decided

    deeds.need_reason(reason, "approvals deny")
    ctx = session.context()
    return acting.answer_each(ids, lambda each: (show_decided(approvals.deny(ctx, each, reason)), exits.DONE))
