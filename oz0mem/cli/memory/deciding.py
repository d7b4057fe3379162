"""What a person at a terminal is shown before they decide, and the version that a script names instead (M14).

Promises that the version which was shown is the version that is decided on, that what is shown goes to stderr with
the question, and that nobody is asked where nobody is there.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from oz0mem.cli import io, options, out
from oz0mem.model.errors import Invalid
from oz0mem.model.names import check_entry_prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Context


def split_version(wanted: str) -> tuple[str, int | None]:
    """An id, and the version that stands behind a colon: ``d-3f2a91c07b42:1``.

    Raises:
        Invalid: ``usage`` where what stands there is no number.
    """
    entry_id, mark, version = wanted.partition(":")
    if not mark:
        return wanted, None
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise Invalid("usage", "a version is a whole number behind the colon", hint="oz0mem accept ID:1")
    return entry_id, int(version)


def agree_on(ctx: Context, entry_id: str, verb: str, *, yes: bool, replaces: bool = False) -> int:
    """Show an entry at a terminal and ask; without one, a version has to be named.

    Args:
        ctx: the person who decides.
        entry_id: which, whole or shortened.
        verb: what is about to be done.
        yes: whether ``--yes`` was given: nobody looks, so a version has to be named.
        replaces: whether to show what it would replace beside it.

    Returns:
        The version that was shown.

    Raises:
        Invalid: ``usage``.
        Refused: ``confirmation.declined``.
    """
    check_entry_prefix(entry_id)
    unseen = "--yes leaves the showing out" if yes else "nobody is there to be shown the text"
    if yes or not (io.is_terminal(sys.stdin) and io.is_terminal(sys.stderr)):
        raise Invalid(
            "usage",
            f"{verb} names the version that was read, where {unseen}",
            hint=f"read it: oz0mem show {entry_id}, then add the version that it says: --version N",
            rule="M14" if replaces else "M15",
        )
    from oz0mem.actions import accepting, listing
    from oz0mem.views.deciding import show_proposal

    shown = listing.show(ctx, entry_id)
    ids: Sequence[str] = accepting.would_replace(ctx, shown.entry.id) if replaces else ()
    view = show_proposal(shown, [listing.show(ctx, each) for each in ids])
    paper = out.Paper(True, io.is_unicode(sys.stderr), not options.current().utc)
    io.notice(out.plain(view, paper).removesuffix("\n"))
    io.agree(f"{verb} {shown.entry.id} v{shown.entry.version}", yes=False)
    return shown.entry.version
