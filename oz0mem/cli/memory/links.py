"""Links between entries: ``link``, ``link confirm``, ``link reject``, ``links`` (M17)."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.cli import exits, out, session
from oz0mem.cli.memory import acting, deeds
from oz0mem.cli.reasons import Reason, Yes

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of links, or their beginnings.")]


def link(
    from_id: Annotated[str, typer.Argument(metavar="FROM", help="An entry's id, or its beginning.")],
    label: Annotated[
        str,
        typer.Argument(metavar="LABEL", help="supports, contradicts, derives_from, same_as, depends_on or answers."),
    ],
    to_id: Annotated[str, typer.Argument(metavar="TO", help="The other entry's.")],
    reason: Reason = "",
    yes: Yes = False,  # noqa: ARG001 - every command that changes something takes it (C5)
) -> None:
    """Propose a link from one entry to another."""
    from oz0mem.actions import links
    from oz0mem.views.links import show_linked

    out.emit(show_linked(links.link(session.context(), from_id, label, to_id, reason)))


def confirm(ids: Ids, reason: Reason = "", yes: Yes = False) -> int:  # noqa: ARG001 - C5
    """Confirm links that somebody else proposed."""
    from oz0mem.actions import links
    from oz0mem.views.links import show_linked

    ctx = session.context()
    return acting.answer_each(ids, lambda each: (show_linked(links.confirm(ctx, each, reason)), exits.DONE))


def reject(ids: Ids, reason: Reason = "", yes: Yes = False) -> int:  # noqa: ARG001 - C5
    """Turn down links that wait."""
    from oz0mem.actions import links
    from oz0mem.views.links import show_linked

    deeds.need_reason(reason, "link reject")
    ctx = session.context()
    return acting.answer_each(ids, lambda each: (show_linked(links.reject(ctx, each, reason)), exits.DONE))


def list_links(
    waiting: Annotated[bool, typer.Option("--waiting", help="Only what waits for a person.")] = False,
    limit: Annotated[int, typer.Option(metavar="N", help="Links on a page, 1 to 1,000.")] = 50,
    after: Annotated[str, typer.Option(metavar="CURSOR", help="Go on after an earlier page.")] = "",
) -> None:
    """List links between entries, oldest first."""
    from oz0mem.actions import links
    from oz0mem.views.links import show_links

    page = links.list_links(session.context(), waiting=waiting, limit=limit, after=after)
    out.emit(show_links(page, waiting=waiting))
