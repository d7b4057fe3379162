"""The ledger read and checked from the command line (L7, L10, L11)."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.actions import auditing
from oz0mem.cli import exits, out, session
from oz0mem.model.errors import Invalid
from oz0mem.model.moments import parse_duration, parse_moment
from oz0mem.views import audit as view


def log(
    type: Annotated[str, typer.Option("--type", metavar="T", help="Only events such as memory.edited.")] = "",
    about_entry: Annotated[str, typer.Option("--about-entry", metavar="ID", help="Only of this entry.")] = "",
    since: Annotated[
        str, typer.Option("--since", metavar="TIME", help="A day, a time, or how long ago: 7d, 12h.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Events a page, to 1,000.")] = 50,
    after: Annotated[str, typer.Option("--after", metavar="CURSOR", help="Go on where a page ended.")] = "",
) -> None:
    """List what happened, newest first."""
    context = session.context()
    begin = _begin(since, context.clock()) if since else 0
    found = auditing.log(context, action=type, entry_id=about_entry, since=begin, limit=limit, after=after)
    out.emit(view.log(found))


def _begin(since: str, now: int) -> int:
    """Where a period begins that reaches until now; a duration is how long ago (C7)."""
    if "-" in since:
        return parse_moment(since, now, edge="from")
    try:
        return max(0, now - parse_duration(since))
    except Invalid:
        raise Invalid(
            "moment.bad",
            "this is not a time that can be read; write 2026-12-01 (a UTC day), 2026-12-01T09:00:00Z,"
            " or how long ago: 7d, 12h",
            rule="C7",
        ) from None


def check(
    contents: Annotated[bool, typer.Option("--contents", help="What is remembered too, against its events.")] = False,
) -> int:
    """Check the ledger; answers 8 where something does not hold."""
    found = auditing.check(session.context(), contents=contents)
    out.emit(view.check(found, contents=contents))
    return exits.UNVERIFIED if found.problems else exits.DONE
