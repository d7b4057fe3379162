"""Jobs for hosts: started, told what they have read, shown, ended (G1, G2)."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.actions import jobs
from oz0mem.cli import nearest, out, session
from oz0mem.cli.reasons import Uncalled, Yes
from oz0mem.views import jobs as view

Id = Annotated[str, typer.Argument(metavar="JOB", help="Its id, as job start told it.")]


def start(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A declared agent.")],
    purpose: Annotated[str, typer.Option("--purpose", metavar="P", help="One of the agent's purposes.")] = "",
    about: Annotated[str, typer.Option("--about", metavar="S", help="The person it is about.")] = "",
    project: Annotated[
        list[str] | None,
        typer.Option("--project", metavar="P", help="A project that it works on; repeatable."),
    ] = None,
    thread: Annotated[str, typer.Option("--thread", metavar="T", help="The host's id of the conversation.")] = "",
    compartment: Annotated[
        list[str] | None,
        typer.Option("--compartment", metavar="C", help="What it is kept within; repeatable."),
    ] = None,
    sees: Annotated[
        str, typer.Option("--sees", metavar="WHAT", help="Promise what it reads: person or published.")
    ] = "",
    reason: Uncalled = "",
    yes: Yes = False,
) -> None:
    """Start a job and tell its token."""
    del reason, yes
    asked = jobs.Start(agent, purpose, about, tuple(project or ()), thread, tuple(compartment or ()), sees)
    ctx = session.context()
    with nearest.of_agents(ctx, agent):
        out.emit(view.started(jobs.start(ctx, asked)))


def read(
    job: Id,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="What it has read, in a few words.")],
    published: Annotated[bool, typer.Option("--published", help="Reviewed and published by people.")] = False,
    reason: Uncalled = "",
    yes: Yes = False,
) -> None:
    """Say what a job has read; it only lowers trust."""
    del reason, yes
    out.emit(view.read(jobs.read(session.context(), job, source, published=published)))


def show(job: Id) -> None:
    """Show a job."""
    out.emit(view.shown(jobs.show(session.context(), job)))


def end(job: Id, reason: Uncalled = "", yes: Yes = False) -> None:
    """End a job."""
    del reason, yes
    context = session.context()
    now = context.clock()
    ended = jobs.end(context._replace(clock=lambda: now), job)
    out.emit(view.ended(ended, ended.record.ended == now))
