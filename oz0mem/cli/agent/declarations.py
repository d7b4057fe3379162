"""Agents declared from a file, and shown (G4, G5, G10)."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem import wiring
from oz0mem.actions import governance
from oz0mem.cli import io, nearest, out, session
from oz0mem.cli.reasons import Reason, Yes
from oz0mem.views import agents as view


def declare(
    file: Annotated[str, typer.Argument(metavar="FILE", help="YAML, JSON or TOML; - reads stdin.")],
    reason: Reason,
    yes: Yes = False,
) -> None:
    """Declare an agent, or change its declaration."""
    del yes
    declaration = wiring.read_declaration(io.read_file(file), file)
    out.emit(view.declared(governance.declare(session.context(), declaration, reason)))


def list_agents() -> None:
    """List the declared agents."""
    out.emit(view.listing(governance.list_agents(session.context())))


def show(agent: Annotated[str, typer.Argument(metavar="AGENT", help="Its name.")]) -> None:
    """Show one declaration."""
    ctx = session.context()
    with nearest.of_agents(ctx, agent):
        out.emit(view.shown(governance.show_agent(ctx, agent)))
