"""What a team works under: ``supersede``, ``accept``, ``define`` (M12 to M14).

Promises that each runs as a person or, with ``--agent`` or in a job, as the agent. Leaves who may decide what to the
actions, and asking at a terminal to ``deciding``.
"""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.cli import exits, io, out, session
from oz0mem.cli.memory import acting, deciding, deeds, parameters
from oz0mem.cli.memory.acting import Acting
from oz0mem.cli.reasons import Reason, Yes
from oz0mem.model.errors import Invalid
from oz0mem.views.view import View

Version = Annotated[
    int | None,
    typer.Option(metavar="N", help="The version that was read; at a terminal it is shown and asked about instead."),
]
Term = Annotated[str, typer.Argument(metavar="TERM", help="The term, quoted where it has several words.")]
Meaning = Annotated[
    list[str] | None, typer.Argument(metavar="[TEXT]...", help="What it is to mean; - reads stdin. Without it: reads.")
]
Proposals = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="Ids; a script names the version of each: d-3f2a91c07b42:1."),
]
Where = Annotated[str, typer.Option(metavar="S", help="tenant, project:PATH; of an agent also agent:A, thread:ID.")]


def supersede(
    entry_id: Annotated[str, typer.Argument(metavar="ID", help="An id; of a person also its beginning.")],
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="What replaces it; - reads stdin.")],
    version: Version = None,
    tag: parameters.Tags = None,
    source: parameters.Source = None,
    ends: parameters.Ends = "",
    call_id: parameters.CallId = "",
    reason: Reason = "",
    yes: Yes = False,
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    about: acting.JobAbout = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> None:
    """Replace an entry by another text, naming the version that was read."""
    from oz0mem.actions import scanning, superseding
    from oz0mem.views.changes import show_written

    words, fields = io.read_text(" ".join(text)), deeds.read_source(source or [])
    job = Acting(agent, purpose, about, tuple(project or ()), thread, tuple(compartment or ()), sees)
    ctx = session.context()
    end, _, _ = deeds.read_times(ends, "", "", ctx.clock())
    asked = superseding.Supersede(
        entry_id, version, words, tuple(tag or ()), fields or None, end, call_id, reason, deeds.written(ends=ends)
    )
    scanning.scan(ctx, "supersede", asked._asdict())
    if version is None and not (agent or ctx.job):
        asked = asked._replace(version=deciding.agree_on(ctx, entry_id, "supersede", yes=yes))
    out.emit(show_written(superseding.supersede(acting.act(ctx, job), asked)))


def accept(
    ids: Proposals,
    version: Version = None,
    text: Annotated[str | None, typer.Option(metavar="TEXT", help="The text that was read; an agent names it.")] = None,
    term: Annotated[
        str | None, typer.Option(metavar="TERM", help="The term that was read; an agent names a definition's.")
    ] = None,
    call_id: parameters.CallId = "",
    reason: Reason = "",
    yes: Yes = False,
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    about: acting.JobAbout = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> int:
    """Put proposals in force, each at the version that was read."""
    from oz0mem.actions import accepting, scanning
    from oz0mem.views.changes import say_changed, show_changed

    wanted = list(dict.fromkeys(ids))
    if len(wanted) > 1 and (version is not None or text is not None or term is not None or call_id):
        raise Invalid(
            "usage", "--version, --text, --term and --call-id belong to one id", hint="oz0mem accept ID:1 ID:1"
        )
    job = Acting(agent, purpose, about, tuple(project or ()), thread, tuple(compartment or ()), sees)
    ctx = session.context()
    said = io.read_text(text) if text is not None else None
    scanning.scan(ctx, "accept", {"text": said, "term": term, "call_id": call_id, "reason": reason})
    runs = acting.act(ctx, job)

    def run(each: str) -> tuple[View, int]:
        entry_id, named = deciding.split_version(each)
        read = version if named is None else named
        if read is None and not (agent or ctx.job):
            read = deciding.agree_on(ctx, entry_id, "accept", yes=yes, replaces=True)
        changed = accepting.accept(runs, accepting.Accept(entry_id, read, said, term, call_id, reason))
        return show_changed(changed, say_changed("accepted", changed)), exits.DONE

    return acting.answer_each(wanted, run)


def define(
    term: Term,
    text: Meaning = None,
    scope: Where = "",
    call_id: parameters.CallId = "",
    reason: Reason = "",
    yes: Yes = False,  # noqa: ARG001 - every command that changes something takes it (C5)
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    about: acting.JobAbout = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> None:
    """Say what a term means, or propose it."""
    from oz0mem.actions import defining, scanning
    from oz0mem.views.defining import show_defined

    words = io.read_text(" ".join(text)) if text else ""
    if text and not words.strip():
        raise Invalid("usage", "the text is empty", hint="leave it out to read what the term means")
    scope, projects = deeds.place_of(tuple(project or ()), scope, agent)
    job = Acting(agent, purpose, about, projects, thread, tuple(compartment or ()), sees)
    ctx = session.context()
    asked = defining.Define(term, words, scope, call_id, reason)
    scanning.scan(ctx, "define", asked._asdict())
    out.emit(show_defined(defining.define(acting.act(ctx, job), asked)))
