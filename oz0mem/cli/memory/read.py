"""What is remembered, read: ``list``, ``show``, ``history``, ``recall``."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.cli import io, nearest, options, out, refusals, session
from oz0mem.cli.memory import acting
from oz0mem.cli.memory.acting import Acting
from oz0mem.model.errors import Invalid, NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oz0mem.actions.context import Context

_FILTERS = "Filters"
_BUDGET = "Budget"

AgentFilter = Annotated[
    str, typer.Option("--agent", metavar="A", help="Written by this agent.", rich_help_panel=_FILTERS)
]
About = Annotated[str, typer.Option(metavar="P", help="About this person, or work.", rich_help_panel=_FILTERS)]
Scope = Annotated[
    str,
    typer.Option(metavar="S", help="tenant, agent:NAME, project:PATH or thread:ID.", rich_help_panel=_FILTERS),
]
Kind = Annotated[
    str,
    typer.Option(metavar="K", help="note, episodic, semantic, procedural and so on.", rich_help_panel=_FILTERS),
]
State = Annotated[
    str,
    typer.Option(
        metavar="S",
        help="held, active, replaced, retired, rejected, erased; ended and lapsed by the clock; promoted is"
        " active, demoted is retired.",
        rich_help_panel=_FILTERS,
    ),
]
Tier = Annotated[str, typer.Option(metavar="T", help="person, published or unreviewed.", rich_help_panel=_FILTERS)]
PurposeFilter = Annotated[
    str, typer.Option("--purpose", metavar="P", help="Of this purpose.", rich_help_panel=_FILTERS)
]
Key = Annotated[str, typer.Option(metavar="K", help="With this key.", rich_help_panel=_FILTERS)]
Held = Annotated[bool, typer.Option("--held", help="What waits for a person.", rich_help_panel=_FILTERS)]
Due = Annotated[bool, typer.Option("--due", help="Work past its review date, longest first.", rich_help_panel=_FILTERS)]
Ended = Annotated[bool, typer.Option("--ended", help="Past its end, newest first.", rich_help_panel=_FILTERS)]
Search = Annotated[str, typer.Option(metavar="WORDS", help="Whose text has these words.", rich_help_panel=_FILTERS)]
Match = Annotated[str, typer.Option(metavar="any|all", help="Any of the words, or all.", rich_help_panel=_FILTERS)]
Limit = Annotated[int, typer.Option(metavar="N", help="Entries on a page, 1 to 1,000.")]
After = Annotated[str, typer.Option(metavar="CURSOR", help="Go on after an earlier page.")]


def list_entries(
    agent: AgentFilter = "",
    about: About = "",
    scope: Scope = "",
    kind: Kind = "",
    state: State = "",
    tier: Tier = "",
    purpose: PurposeFilter = "",
    key: Key = "",
    held: Held = False,
    due: Due = False,
    ended: Ended = False,
    search: Search = "",
    match: Match = "any",
    limit: Limit = 50,
    after: After = "",
) -> None:
    """List what is remembered, newest first."""
    from oz0mem.actions import listing
    from oz0mem.model.filters import Filter
    from oz0mem.views.entries import show_page

    ctx = session.context()
    asked = Filter(agent, about, scope, kind, state, tier, purpose, key, due, ended)
    page = listing.list_entries(ctx, asked, held=held, search=search, match=match, limit=limit, after=after)
    _tell_altered(len(page.altered))
    if agent and not page.items:
        _tell_unknown(ctx, agent)
    out.emit(show_page(page, held=held, whole=options.current().format == "csv"))


def show(
    entry_id: Annotated[str, typer.Argument(metavar="ID", help="An id, or its beginning.")],
    versions: Annotated[bool, typer.Option("--versions", help="With the text of every version.")] = False,
) -> None:
    """Show one entry whole."""
    from oz0mem.actions import listing
    from oz0mem.views.entries import show_entry, show_versions

    shown = listing.show(session.context(), entry_id, versions=versions)
    if options.current().format == "table":
        out.emit(show_entry(shown))
        if versions:
            io.write("\n")
    if versions or options.current().format != "table":
        out.emit(show_versions(shown) if versions else show_entry(shown))


def history(
    agent: Annotated[str, typer.Argument(metavar="AGENT|ID", help="Whose fact; or an entry's id.")],
    key: Annotated[str, typer.Argument(metavar="[KEY]", help="The fact's key.")] = "",
    about: Annotated[
        str,
        typer.Option(metavar="P", help="The person that it is about; without it work, for members themself."),
    ] = "",
) -> None:
    """Show a fact over time."""
    from oz0mem.actions import facts
    from oz0mem.views.history import show_history

    if not key and about:
        raise Invalid("usage", "--about goes with an agent and a key", hint="oz0mem history AGENT KEY --about P")
    ctx = session.context()
    try:
        found = facts.history(ctx, agent, key, about) if key else facts.history_of(ctx, agent)
    except NotFound as error:
        unknown = nearest.unknown_agent(ctx, agent) if key and error.code == "history.unknown" else None
        raise unknown or error from None
    _tell_altered(len(found.altered))
    out.emit(show_history(found))


Question = Annotated[list[str] | None, typer.Argument(metavar="[WORDS]...", help="What is wanted; - reads stdin.")]
Tag = Annotated[str, typer.Option(metavar="T", help="With this tag.", rich_help_panel=_FILTERS)]
WithId = Annotated[
    str, typer.Option("--id", metavar="ID", help="This entry, to read on in it.", rich_help_panel=_FILTERS)
]
From = Annotated[int, typer.Option("--from", metavar="N", help="From this character on.", rich_help_panel=_FILTERS)]
IncludeEnded = Annotated[
    bool,
    typer.Option("--include-ended", help="Replaced facts and work past its end too.", rich_help_panel=_FILTERS),
]
IncludeUnreviewed = Annotated[
    bool,
    typer.Option("--include-unreviewed", help="The agent's own held ones too.", rich_help_panel=_FILTERS),
]
OwnState = Annotated[
    str,
    typer.Option("--own-state", metavar="S", help="An agent's own entries in this state.", rich_help_panel=_FILTERS),
]
MaxEntries = Annotated[int | None, typer.Option(metavar="N", help="At most so many entries.", rich_help_panel=_BUDGET)]
MaxChars = Annotated[int | None, typer.Option(metavar="N", help="At most so many characters.", rich_help_panel=_BUDGET)]
MaxTokens = Annotated[
    int | None,
    typer.Option(metavar="N", help="At most so many tokens, of 4 characters.", rich_help_panel=_BUDGET),
]
Explain = Annotated[bool, typer.Option("--explain", help="What each one's place comes from.")]


def recall(
    words: Question = None,
    scope: Scope = "",
    kind: Kind = "",
    tag: Tag = "",
    match: Match = "any",
    entry_id: WithId = "",
    start: From = 0,
    include_ended: IncludeEnded = False,
    include_unreviewed: IncludeUnreviewed = False,
    own_state: OwnState = "",
    max_entries: MaxEntries = None,
    max_chars: MaxChars = None,
    max_tokens: MaxTokens = None,
    explain: Explain = False,
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    about: acting.JobAbout = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> None:
    """Find what fits a few words, within a budget."""
    from oz0mem.actions.recall import Recall
    from oz0mem.actions.recall import recall as run
    from oz0mem.views.recall import show_recalled

    question = io.read_text(" ".join(words or []))
    job = Acting(agent, purpose, about, tuple(project or ()), thread, tuple(compartment or ()), sees)
    asked = Recall(
        question, entry_id, start, scope, kind, tag, match, max_entries, max_chars, max_tokens,
        include_ended, include_unreviewed, own_state,
    )  # fmt: skip
    found = run(acting.act(session.context(), job), asked)
    _tell_altered(len(found.altered))
    out.emit(show_recalled(found, explain=explain, whole=options.current().format == "csv", every=match == "all"))


def _tell_unknown(ctx: Context, agent: str) -> None:
    """Say that an agent whose entries were asked for is not declared, which an empty list does not say."""
    unknown = None if options.current().quiet else nearest.unknown_agent(ctx, agent)
    if unknown is not None:
        io.notice(refusals.sentence(unknown))


def _tell_altered(count: int) -> None:
    """Say that rows were left out which do not open their commitments (L7)."""
    if count and not options.current().quiet:
        entries = "1 altered entry" if count == 1 else f"{count:,} altered entries"
        io.notice(f"left out {entries} (L7): oz0mem audit check --contents")
