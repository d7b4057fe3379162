"""The root's help: every command on one screen, by panel (C8).

Promises the same lines plain and at a terminal, made from the catalogue alone; neither the parser nor any
command is loaded for them, and rich only for a terminal that takes colours.
"""

from __future__ import annotations

from oz0mem.cli import io
from oz0mem.cli.catalogue import PANELS, ROWS, Entry, Row, entries

_USAGE = "Usage: oz0mem COMMAND [ARGUMENTS] [OPTIONS]"
_PROMISE = "Governed memory for AI agents: what is remembered, by whom, until when, and proof of it."
_OPTIONS = (
    "--store URL  --tenant T  --profile P  --no-color  --quiet  --verbose  --utc",
    "--format table|json|jsonl|csv|yaml  --json   (before or after any command)",
    "--version  --help  --install-completion  --show-completion",
)
_ASIDE = ("history", "move", "renew", "links", "call", "login", "upgrade", "config")
"""Commands that are named in one line at the end of their panel, so that the page stays one screen."""
_MORE = "oz0mem COMMAND --help tells more: options, an example, exit codes."


def plain(rows: tuple[Row, ...] = ROWS) -> str:
    """The help as plain text, with a line feed at its end."""
    words = [entry for entry in entries(rows) if not entry.hidden]
    lines = [_USAGE, "", _PROMISE, ""]
    for title, block in _blocks(words):
        lines += [f"{title}:", *(f"  {name}{line}" for name, line in block)]
    return "\n".join([*lines, "", _MORE, ""])


def show(rows: tuple[Row, ...] = ROWS, *, no_color: bool = False) -> None:
    """Write the help to stdout, in colours where a terminal takes them."""
    if not io.in_color(no_color):
        io.write(plain(rows))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, width=io.width())
    console.print(Text.assemble((_USAGE, "bold"), "\n\n", _PROMISE, "\n"))
    for title, block in _blocks([entry for entry in entries(rows) if not entry.hidden]):
        console.print(Text(f"{title}:", "bold yellow"))
        for name, line in block:
            console.print(Text.assemble("  ", (name, "cyan"), line))
    console.print(Text(f"\n{_MORE}", "dim"))


def _blocks(words: list[Entry]) -> list[tuple[str, list[tuple[str, str]]]]:
    wide = max((len(entry.name) for entry in words), default=0) + 2
    blocks = [(panel, _lines([entry for entry in words if entry.panel == panel], wide)) for panel in PANELS]
    options = [("", line) for line in _OPTIONS]
    return [*[(title, block) for title, block in blocks if block], ("Options", options)]


def _lines(words: list[Entry], wide: int) -> list[tuple[str, str]]:
    told = [(entry.name.ljust(wide), entry.line) for entry in words if entry.name not in _ASIDE]
    aside = [entry.name for entry in words if entry.name in _ASIDE]
    return [*told, ("also".ljust(wide), ", ".join(aside))] if aside else told
