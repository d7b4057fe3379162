"""The arguments and options of what writes, as its help tells them."""

from __future__ import annotations

from typing import Annotated

import typer

_LIVES = "How long it holds"

Words = Annotated[list[str], typer.Argument(metavar="TEXT...", help="What to keep; - reads stdin.")]
Kind = Annotated[
    str,
    typer.Option(
        metavar="K",
        help="note, decision, definition, rule; of an agent also episodic, semantic, procedural.",
    ),
]
About = Annotated[
    str,
    typer.Option(
        metavar="S",
        help="work; of an agent also person (the job's), me (the agent), thread, everyone; with --agent"
        " anything else is the person whom the job is about.",
    ),
]
Scope = Annotated[str, typer.Option(metavar="S", help="tenant, project:PATH; of an agent also agent:A, thread:ID.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="T", help="A tag; repeatable.")]
Key = Annotated[
    str, typer.Option(metavar="K", help="What fact it is; a newer one with it replaces it. Of a definition its term.")
]
Source = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="NAME=VALUE", help="repository, commit, path or fingerprint; repeatable."),
]
DerivesFrom = Annotated[
    list[str] | None, typer.Option("--derives-from", metavar="ID", help="An entry that it comes from; repeatable.")
]
Core = Annotated[bool, typer.Option("--core", help="To be always in mind.")]
OnSimilar = Annotated[str, typer.Option(metavar="keep|refuse", help="What to do where an entry says nearly the same.")]
CallId = Annotated[str, typer.Option(metavar="ID", help="The same id again writes once.")]
Ends = Annotated[str, typer.Option(metavar="DATE", help="Its end: 2026-12-01, 30d.", rich_help_panel=_LIVES)]
ValidFrom = Annotated[str, typer.Option(metavar="DATE", help="True from then on.", rich_help_panel=_LIVES)]
ValidUntil = Annotated[str, typer.Option(metavar="DATE", help="True until then.", rich_help_panel=_LIVES)]
