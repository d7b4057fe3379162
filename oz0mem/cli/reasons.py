"""The options that every command takes which changes something (C5, G10)."""

from __future__ import annotations

from typing import Annotated

import typer

Reason = Annotated[str, typer.Option("--reason", metavar="R", help="Why; recorded with the change.")]
Uncalled = Annotated[
    str,
    typer.Option("--reason", metavar="R", help="Taken here too; this is no change of a rule, so none is kept."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
