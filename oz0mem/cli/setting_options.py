"""The options of ``settings set``: one a setting, grouped as help shows them (G14)."""

from __future__ import annotations

from typing import Annotated

import typer

_ENDS, _SIZES, _TRUST, _RECALL = "Ends", "Caps", "Trust", "Recall"
Pairs = list[str]

DefaultDays = Annotated[
    str | None,
    typer.Option("--default-days", metavar="N", help="Default end, 1 to the longest.", rich_help_panel=_ENDS),
]

MaxDays = Annotated[
    str | None,
    typer.Option("--max-days", metavar="N", help="Longest end, to 3,650.", rich_help_panel=_ENDS),
]

RetentionDays = Annotated[
    str | None,
    typer.Option(
        "--retention-days",
        metavar="N",
        help="Days work is kept after its end, 0 to 3,650.",
        rich_help_panel=_ENDS,
    ),
]

MaxRecords = Annotated[
    str | None,
    typer.Option("--max-records", metavar="N", help="Entries per scope, 1 to 20,000.", rich_help_panel=_SIZES),
]

MaxBytes = Annotated[
    str | None,
    typer.Option("--max-bytes", metavar="N", help="Bytes per scope, such as 16MiB.", rich_help_panel=_SIZES),
]

Review = Annotated[
    str | None,
    typer.Option("--review", metavar="MODE", help="untrusted, all or proposals.", rich_help_panel=_TRUST),
]

FourEyes = Annotated[
    bool | None,
    typer.Option("--four-eyes/--no-four-eyes", help="Loosening waits for a second admin.", rich_help_panel=_TRUST),
]

WorksCouncil = Annotated[
    bool | None,
    typer.Option("--works-council/--no-works-council", help="Works-council mode.", rich_help_panel=_TRUST),
]

Compatible = Annotated[
    Pairs | None,
    typer.Option("--compatible", metavar="'A>B'", help="B's jobs read what was for A.", rich_help_panel=_TRUST),
]

NoCompatible = Annotated[
    Pairs | None,
    typer.Option("--no-compatible", metavar="'A>B'", help="Take such a pair away.", rich_help_panel=_TRUST),
]

Apart = Annotated[
    Pairs | None,
    typer.Option("--apart", metavar="A:B", help="A wall between compartments.", rich_help_panel=_TRUST),
]

NotApart = Annotated[
    Pairs | None,
    typer.Option("--not-apart", metavar="A:B", help="Take a wall away.", rich_help_panel=_TRUST),
]

ScimDeactivate = Annotated[
    str | None,
    typer.Option("--scim-deactivate", metavar="MODE", help="suspend or forget.", rich_help_panel=_TRUST),
]

RecallEntries = Annotated[
    str | None,
    typer.Option("--recall-entries", metavar="N", help="Entries in a recall, to 100.", rich_help_panel=_RECALL),
]

RecallChars = Annotated[
    str | None,
    typer.Option(
        "--recall-chars",
        metavar="N",
        help="Characters in a recall, 200 to 60,000.",
        rich_help_panel=_RECALL,
    ),
]
