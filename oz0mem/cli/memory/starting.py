"""What an agent's job begins with and reads on with: ``startup-context``, ``changed-since`` (M26, M27)."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from oz0mem.cli import io, options, out, session
from oz0mem.cli.memory import acting
from oz0mem.cli.memory.acting import Acting

Budget = Annotated[
    int | None, typer.Option(metavar="N", help="At most so many tokens, of 4 characters; 4,000 without it.")
]
Used = Annotated[int, typer.Option(metavar="N", help="Tokens of that which others used.")]
Cursor = Annotated[
    str, typer.Argument(metavar="[CURSOR]", help="Of the last answer, which moves the bookmark; without it again.")
]


def startup_context(
    budget: Budget = None,
    used: Used = 0,
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    about: acting.JobAbout = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> None:
    """Print what an agent's job works under, to start it with."""
    from oz0mem.actions import startup
    from oz0mem.views.startup import show_startup

    job = Acting(agent, purpose, about, tuple(project or ()), thread, tuple(compartment or ()), sees)
    found = startup.startup_context(acting.act(session.context(), job), budget, used)
    if options.current().format == "table" and not io.is_terminal(sys.stdout):
        # A program reads it: to the letter, so that what a model is given is what was recorded.
        io.write(f"{found.text}\n" if found.text else "")
    else:
        out.emit(show_startup(found))


def changed_since(
    cursor: Cursor = "",
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    about: acting.JobAbout = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> None:
    """List what changed since this agent last asked."""
    from oz0mem.actions import changed, scanning
    from oz0mem.views.changed import show_changes

    job = Acting(agent, purpose, about, tuple(project or ()), thread, tuple(compartment or ()), sees)
    ctx = session.context()
    scanning.scan(ctx, "changed_since", {"cursor": cursor})
    out.emit(show_changes(changed.changed_since(acting.act(ctx, job), cursor)))
