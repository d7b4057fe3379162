"""The ledger read and checked from the command line (L7, L10, L11)."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.actions import auditing
from oz0mem.cli import exits, files, io, out, proof, session
from oz0mem.cli.reasons import Reason, Yes
from oz0mem.model.errors import Invalid
from oz0mem.model.moments import parse_duration, parse_moment
from oz0mem.views import audit as view
from oz0mem.views import receipts as shown

LARGEST_HEAD = 1 << 20
"""Bytes of a head that are read; one with many witnesses has some thousand."""


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


def head(output: proof.Output = "") -> None:
    """Sign the ledger's head as it is now; whoever keeps it can check later that the ledger only grew."""
    from oz0mem.actions import heads

    if not output:
        out.emit(shown.head(heads.head(session.context()), ""))
        return
    with files.writing(output, private=False) as write:
        made = heads.head(session.context())
        write(made.note.encode())
    if output != files.STDOUT:
        out.emit(shown.head(made, output))


def keys(
    deed: Annotated[str, typer.Argument(metavar="[rotate]", help="Put a new signing key in force.")] = "",
    output: proof.Output = "",
    reason: Reason = "",
    yes: Yes = False,
) -> None:
    """Hand out the public keys, or rotate the signing key."""
    from oz0mem.actions import keys as action

    if deed not in ("", "rotate") or (deed and output):
        raise Invalid("usage", "audit keys takes -o FILE, or rotate", hint="oz0mem audit keys --help")
    if deed:
        from oz0mem.actions import rotation

        if not reason.strip():
            raise Invalid(
                "usage", "a new key is put in force with a reason", hint="oz0mem audit keys rotate --reason '…'"
            )
        io.agree("Put a new signing key in force, and hand out the public keys anew", yes=yes)
        out.emit(shown.rotated(rotation.rotate(session.context(), reason)))
        return
    if not output:
        out.emit(shown.keys(action.public(session.context()), ""))
        return
    with files.writing(output, private=False) as write:
        found = action.public(session.context())
        write(found.encoded())
    if output != files.STDOUT:
        out.emit(shown.keys(found, output))


def check(
    contents: Annotated[bool, typer.Option("--contents", help="What is remembered too, against its events.")] = False,
    against: Annotated[
        str, typer.Option("--against", metavar="HEAD", help="A head that was kept: the ledger only grew since.")
    ] = "",
) -> int:
    """Check the ledger; answers 8 where something does not hold."""
    held = io.read_file(against, most=LARGEST_HEAD).decode("utf-8", "replace") if against else ""
    found = auditing.check(session.context(), contents=contents, against=held)
    out.emit(view.check(found, contents=contents))
    return exits.UNVERIFIED if found.problems else exits.DONE
