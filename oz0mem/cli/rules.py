"""The tenant's settings and its own secrets (G10, G14, G16, M8)."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from oz0mem.actions import governance
from oz0mem.cli import io, out, session
from oz0mem.cli.reasons import Reason, Yes
from oz0mem.views import settings as view

_ENDS, _SIZES, _TRUST, _RECALL = "Ends", "Caps", "Trust", "Recall"
Pairs = list[str]


def show_settings() -> None:
    """Show every setting."""
    out.emit(view.shown(governance.show_settings(session.context())))


def set_settings(
    reason: Reason,
    default_days: Annotated[
        str | None,
        typer.Option(
            "--default-days", metavar="N", help="Default end, 1 to the longest.", rich_help_panel=_ENDS
        ),
    ] = None,
    max_days: Annotated[
        str | None,
        typer.Option("--max-days", metavar="N", help="Longest end, to 3,650.", rich_help_panel=_ENDS),
    ] = None,
    retention_days: Annotated[
        str | None,
        typer.Option(
            "--retention-days",
            metavar="N",
            help="Days work is kept after its end, 0 to 3,650.",
            rich_help_panel=_ENDS,
        ),
    ] = None,
    max_records: Annotated[
        str | None,
        typer.Option(
            "--max-records", metavar="N", help="Entries per scope, 1 to 20,000.", rich_help_panel=_SIZES
        ),
    ] = None,
    max_bytes: Annotated[
        str | None,
        typer.Option(
            "--max-bytes", metavar="N", help="Bytes per scope, such as 16MiB.", rich_help_panel=_SIZES
        ),
    ] = None,
    review: Annotated[
        str | None,
        typer.Option("--review", metavar="MODE", help="untrusted, all or proposals.", rich_help_panel=_TRUST),
    ] = None,
    four_eyes: Annotated[
        bool | None,
        typer.Option(
            "--four-eyes/--no-four-eyes", help="Loosening waits for a second admin.", rich_help_panel=_TRUST
        ),
    ] = None,
    works_council: Annotated[
        bool | None,
        typer.Option(
            "--works-council/--no-works-council", help="Works-council mode.", rich_help_panel=_TRUST
        ),
    ] = None,
    compatible: Annotated[
        Pairs | None,
        typer.Option(
            "--compatible", metavar="'A>B'", help="B's jobs read what was for A.", rich_help_panel=_TRUST
        ),
    ] = None,
    no_compatible: Annotated[
        Pairs | None,
        typer.Option(
            "--no-compatible", metavar="'A>B'", help="Take such a pair away.", rich_help_panel=_TRUST
        ),
    ] = None,
    apart: Annotated[
        Pairs | None,
        typer.Option("--apart", metavar="A:B", help="A wall between compartments.", rich_help_panel=_TRUST),
    ] = None,
    not_apart: Annotated[
        Pairs | None,
        typer.Option("--not-apart", metavar="A:B", help="Take a wall away.", rich_help_panel=_TRUST),
    ] = None,
    scim_deactivate: Annotated[
        str | None,
        typer.Option("--scim-deactivate", metavar="MODE", help="suspend or forget.", rich_help_panel=_TRUST),
    ] = None,
    recall_entries: Annotated[
        str | None,
        typer.Option(
            "--recall-entries", metavar="N", help="Entries in a recall, to 100.", rich_help_panel=_RECALL
        ),
    ] = None,
    recall_chars: Annotated[
        str | None,
        typer.Option(
            "--recall-chars",
            metavar="N",
            help="Characters in a recall, 200 to 60,000.",
            rich_help_panel=_RECALL,
        ),
    ] = None,
    yes: Yes = False,
) -> None:
    """Change settings; one command is one change."""
    given = {name: value for name, value in locals().items() if name not in ("reason", "yes")}
    updates = {name: value for name, value in given.items() if value is not None and value != []}
    out.emit(view.changed(governance.set_settings(session.context(), updates, reason)))


def add_secret(reason: Reason, yes: Yes = False) -> None:
    """Register a secret, read from stdin or asked for unseen."""
    del yes
    if io.is_terminal(sys.stdin):
        from getpass import getpass

        secret = getpass("secret: ", stream=sys.stderr)
    else:
        secret = io.read_text("-")
    out.emit(view.secret_added(governance.add_secret(session.context(), secret, reason)))


def list_secrets() -> None:
    """List the registered secrets by number."""
    out.emit(view.secrets(governance.list_secrets(session.context())))


def remove_secret(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="As secrets list shows it.")],
    reason: Reason,
    yes: Yes = False,
) -> None:
    """Take a secret out."""
    del yes
    out.emit(view.secret_removed(governance.remove_secret(session.context(), number, reason)))
