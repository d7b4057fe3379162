"""The parts of a command's help page (C8): options by heading, commands under it, example, exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.core import TyperOption

from oz0mem.cli import exits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer._click import Context, HelpFormatter, Parameter

    from oz0mem.cli.catalogue import Row

EVERYWHERE = "Options of every command"


def write_options(formatter: HelpFormatter, parameters: Sequence[Parameter], ctx: Context) -> None:
    """Write arguments and options under their headings."""
    for title, records in _group(parameters, ctx):
        with formatter.section(title):
            formatter.write_dl(records)


def _group(parameters: Sequence[Parameter], ctx: Context) -> list[tuple[str, list[tuple[str, str]]]]:
    """Help of parameters by heading: arguments first, the global options last."""
    groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for parameter in parameters:
        record = parameter.get_help_record(ctx)
        if record is not None:
            kind = "Options" if isinstance(parameter, TyperOption) else "Arguments"
            groups.setdefault(getattr(parameter, "rich_help_panel", None) or kind, []).append(record)
    everywhere = groups.pop(EVERYWHERE, [])
    return [(title, records) for title, records in [*groups.items(), (EVERYWHERE, everywhere)] if records]


def list_commands(formatter: HelpFormatter, rows: Sequence[Row]) -> None:
    """Write the commands that stand under a word which is a command itself."""
    if rows:
        with formatter.section("Commands"):
            formatter.write_dl([(row.name.rpartition(" ")[2], row.line) for row in rows if not row.hidden])


def end(row: Row) -> list[tuple[str, list[str]]]:
    """What closes a command's help: its example and its exit codes, by heading."""
    codes = [f"{code:<3} {exits.MEANINGS[code]}" for code in (*row.exits, exits.INTERRUPTED)]
    example = [("Example", [f"oz0mem {row.example}"])] if row.example else []
    return [*example, ("Exit codes", codes)]
