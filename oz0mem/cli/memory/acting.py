"""Who a memory command acts as: the person, the job in ``OZ0MEM_JOB``, or a new job of ``--agent`` (G2).

Promises that a fact of a job (its purpose, person, projects) is never dropped in silence: without an agent
that could have it, the command refuses. Leaves what the job may do to the actions.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from oz0mem.cli import exits, nearest, options, out, refusals
from oz0mem.model.errors import Invalid, Oz0Error, Waiting
from oz0mem.views.view import Column, View
from oz0mem.views.waiting import show_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context

_PANEL = "Acting as an agent"

Agent = Annotated[
    str,
    typer.Option(metavar="A", help="Start a job of this agent and act as it.", rich_help_panel=_PANEL),
]
Purpose = Annotated[str, typer.Option(metavar="P", help="The purpose that the job runs for.", rich_help_panel=_PANEL)]
Projects = Annotated[
    list[str] | None,
    typer.Option("--project", metavar="P", help="A project of the job; repeatable.", rich_help_panel=_PANEL),
]
Thread = Annotated[
    str, typer.Option(metavar="T", help="The conversation that the job is part of.", rich_help_panel=_PANEL)
]
Compartments = Annotated[
    list[str] | None,
    typer.Option("--compartment", metavar="C", help="A compartment of the job; repeatable.", rich_help_panel=_PANEL),
]
Sees = Annotated[
    str,
    typer.Option(
        metavar="person|published",
        help="Promise what the job sees; without it, it counts as having read something unreviewed.",
        rich_help_panel=_PANEL,
    ),
]
JobAbout = Annotated[
    str,
    typer.Option("--about", metavar="S", help="The person that the job is about.", rich_help_panel=_PANEL),
]
ABOUT_WORDS = ("work", "person", "me", "thread", "everyone")
"""What ``--about`` says of an entry; anything else names a person."""


class Acting(NamedTuple):
    """The options by which a new job is started; ``about`` is the job's person."""

    agent: str = ""
    purpose: str = ""
    about: str = ""
    projects: tuple[str, ...] = ()
    thread: str = ""
    compartments: tuple[str, ...] = ()
    sees: str = ""


def act(ctx: Context, acting: Acting) -> Context:
    """The context to act in: a new job's where an agent is named, else the one given.

    Inside a job, the new job takes over its facts, so that nobody leaves a job by naming an agent (G2).

    Raises:
        Invalid: ``usage`` where a job's fact is given and no agent.
        Oz0Error: as starting a job.
    """
    if not acting.agent:
        for name, value in acting._asdict().items():
            if value:
                option = name.removesuffix("s") if name in ("projects", "compartments") else name
                raise Invalid("usage", f"--{option} is a fact of a job, and no agent is named", hint="add --agent A")
        return ctx
    from oz0mem.actions import jobs

    with nearest.of_agents(ctx, acting.agent):
        started = jobs.start(ctx, jobs.Start(*acting))
    return ctx._replace(token="", job=started.token)


def answer_each(ids: list[str], deed: Callable[[str], tuple[View, int]]) -> int:
    """Do one thing to several entries, each answered on its own.

    Args:
        ids: as they were given; one that is given twice is answered once.
        deed: what is done to one; the view of it and its exit code.

    Returns:
        The exit code of the first that is not done, else 0.
    """
    wanted = list(dict.fromkeys(ids))
    if len(wanted) == 1:
        view, code = _do(deed, wanted[0])
        out.emit(view)
        return code
    tabled = options.current().format == "table"
    items: list[object] = []
    first = exits.DONE
    for entry_id in wanted:
        try:
            view, code = _do(deed, entry_id)
        except Oz0Error as error:
            code = refusals.tell(_named(error, entry_id))
            items.append({"id": entry_id, **refusals.document(error)})
        else:
            items.append(view.document)
            if tabled:
                out.emit(view)
        first = first or code
    if not tabled:
        out.emit(_together(items))
    return first


def _do(deed: Callable[[str], tuple[View, int]], entry_id: str) -> tuple[View, int]:
    """Do it to one; that it waits for a person is an answer as any other (G31)."""
    try:
        return deed(entry_id)
    except Waiting as waits:
        view = show_waiting(waits)
        if view is None:
            raise
        return view, exits.WAITING


def _named(error: Oz0Error, entry_id: str) -> Oz0Error:
    """The same error, saying of which entry among several it speaks."""
    said = error.message if entry_id in error.message else f"{entry_id}: {error.message}"
    facts = {"id": entry_id, **error.facts}
    return type(error)(error.code, said, hint=error.hint, rule=error.rule, **facts)


def _together(items: list[object]) -> View:
    names = list(dict.fromkeys(name for item in items if isinstance(item, dict) for name in item))
    rows = [tuple(item.get(name) for name in names) for item in items if isinstance(item, dict)]
    return View("list", tuple(map(Column, names)), rows, {"items": items, "next": None})
