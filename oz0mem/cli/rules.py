"""The tenant's settings and its own secrets (G10, G14, G16, M8)."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from oz0mem.actions import governance
from oz0mem.cli import io, out, session
from oz0mem.cli.reasons import Reason, Yes
from oz0mem.cli.setting_options import (
    Apart,
    Compatible,
    DefaultDays,
    FourEyes,
    MaxBytes,
    MaxDays,
    MaxRecords,
    NoCompatible,
    NotApart,
    RecallChars,
    RecallEntries,
    RetentionDays,
    Review,
    ScimDeactivate,
    WorksCouncil,
)
from oz0mem.views import settings as view


def show_settings() -> None:
    """Show every setting."""
    out.emit(view.shown(governance.show_settings(session.context())))


def set_settings(
    reason: Reason,
    default_days: DefaultDays = None,
    max_days: MaxDays = None,
    retention_days: RetentionDays = None,
    max_records: MaxRecords = None,
    max_bytes: MaxBytes = None,
    review: Review = None,
    four_eyes: FourEyes = None,
    works_council: WorksCouncil = None,
    compatible: Compatible = None,
    no_compatible: NoCompatible = None,
    apart: Apart = None,
    not_apart: NotApart = None,
    scim_deactivate: ScimDeactivate = None,
    recall_entries: RecallEntries = None,
    recall_chars: RecallChars = None,
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
