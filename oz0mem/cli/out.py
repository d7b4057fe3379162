"""A view as it leaves the program: a table, plain text, JSON, JSON Lines, CSV or YAML (C1, C2, C7, C9).

Promises that stdout holds the result and nothing else, that ids are never cut, that nothing is shortened in a
pipe, and that no text acts on a terminal. An output format is one function in ``FORMS`` and one word in
``options.FORMATS``. Leaves what is shown to the views.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.cli import io, options
from oz0mem.views.escape import is_hidden, visible
from oz0mem.views.view import Column, Moment, View, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Literal

    from oz0mem.cli.options import Globals


_GAP = 2
_LEAST = 16
"""Columns that a text keeps at a terminal, however narrow."""


class Paper(NamedTuple):
    """What is written on.

    Attributes:
        terminal: a person reads it, so no text may act.
        unicode: it can spell every character.
        local: times are told as local time, with the zone.
    """

    terminal: bool
    unicode: bool
    local: bool


def emit(view: View, globals: Globals | None = None) -> None:
    """Write a view to stdout in the format that was asked for, and what goes beside it to stderr.

    Args:
        view: what to show.
        globals: the global options; those of the invocation if left out.
    """
    asked = globals or options.current()
    terminal = io.is_terminal(sys.stdout)
    paper = Paper(terminal, io.is_unicode(sys.stdout), terminal and not asked.utc)
    if asked.format == "table":
        _show(view, paper, asked)
    else:
        io.write(FORMS[asked.format](view, paper))
    if asked.format != "json" and asked.format != "yaml" and view.next and not asked.quiet:
        io.notice(visible(f"more: --after {view.next}" if view.kind == "list" else view.next))


def plain(view: View, paper: Paper) -> str:
    """A list as aligned columns, an item as names and values, a change as its sentence; nothing shortened."""
    if view.kind == "list":
        cells = [_cells(row, paper, _mark(paper)) for row in view.rows]
        return _aligned(view.columns, cells) if cells else ""
    if view.sentence:
        return say(view, paper) + "\n"
    return "\n".join([_item(view.columns, _cells(row, paper, "\n")) for row in view.rows])


def say(view: View, paper: Paper) -> str:
    """The view's sentence, with its times as this paper tells them."""
    parts = (view.sentence,) if isinstance(view.sentence, str) else view.sentence
    return visible("".join([_told(part, paper) if part is not None else "" for part in parts]))


def to_json(view: View, paper: Paper) -> str:
    """The document on one line; indented at a terminal."""
    return _json(view.document, paper, indent=2 if paper.terminal else None)


def to_jsonl(view: View, paper: Paper) -> str:
    """One item a line; a document that is no list is one item."""
    document = view.document
    items = document.get("items") if isinstance(document, dict) else document
    return "".join([_json(item, paper) for item in (items if isinstance(items, list) else [document])])


def to_csv(view: View, paper: Paper) -> str:
    """The rows under their names (RFC 4180, lines ending in a line feed); an item or a change as its document.

    A list within a cell is a JSON array: a space may be part of what it holds.
    """
    import csv
    from io import StringIO

    columns, rows = _records(view)
    sheet = StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_field(value, paper) for value in row] for row in rows)
    return sheet.getvalue()


def to_yaml(view: View, paper: Paper) -> str:
    """The document as YAML, in the order of its names."""
    import yaml

    document = written(view.document)
    text = yaml.safe_dump(document, allow_unicode=paper.unicode, sort_keys=False, width=100)
    if paper.unicode and any(is_hidden(character) for character in text if character != "\n"):
        # YAML spells a character by its number only where it spells all of them so.
        text = yaml.safe_dump(document, allow_unicode=False, sort_keys=False, width=100)
    return str(text)


FORMS: dict[str, Callable[[View, Paper], str]] = {
    "table": plain,
    "json": to_json,
    "jsonl": to_jsonl,
    "csv": to_csv,
    "yaml": to_yaml,
}


def _show(view: View, paper: Paper, asked: Globals) -> None:
    if view.kind == "list" and view.sentence and not asked.quiet:
        io.notice(say(view, paper))
    if view.kind == "list" and view.rows and paper.terminal:
        _draw(view, paper, asked)
    else:
        io.write(plain(view, paper))


def _draw(view: View, paper: Paper, asked: Globals) -> None:
    """Draw a list as a table at a terminal; texts are shortened to one line there, ids are not."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [_cells(row, paper, _mark(paper)) for row in view.rows]
    widths = _fit(view.columns, cells, io.width())
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold cyan")
    for column, wide in zip(view.columns, widths, strict=True):
        side: Literal["left", "right"] = "right" if column.kind == "number" else "left"
        table.add_column(Text(column.name), width=wide, justify=side, no_wrap=True, overflow="ellipsis")
    for row in cells:
        table.add_row(*map(Text, row))
    # Where the terminal is narrower than the ids need, it breaks the lines; nothing is cut.
    room = sum(widths) + _GAP * len(widths)
    console = Console(width=room, no_color=not io.in_color(asked.no_color), highlight=False)
    console.print(table, crop=False)


def _fit(columns: tuple[Column, ...], rows: list[list[str]], room: int) -> list[int]:
    """Widths of columns: texts share what the others leave, and get no less than `_LEAST` if they need it."""
    names = [column.name for column in columns]
    widths = [max(map(_columns_of, cells)) for cells in zip(names, *rows, strict=True)]
    texts = sorted((at for at, column in enumerate(columns) if column.kind == "text"), key=widths.__getitem__)
    left = room - _GAP * (len(widths) - 1) - sum(widths) + sum(widths[at] for at in texts)
    for done, at in enumerate(texts):
        widths[at] = min(widths[at], max(_LEAST, left // (len(texts) - done)))
        left -= widths[at]
    return widths


def _aligned(columns: tuple[Column, ...], rows: list[list[str]]) -> str:
    lines = [[column.name for column in columns], *rows]
    widths = [max(map(_columns_of, cells)) for cells in zip(*lines, strict=True)]
    right = [column.kind == "number" for column in columns]
    return "".join(
        ["  ".join(map(_padded, line, widths, right)).rstrip(" ") + "\n" for line in lines],
    )


def _item(columns: tuple[Column, ...], values: list[str]) -> str:
    """Names and values below each other; further lines of a value stand under its first."""
    wide = max((len(column.name) for column in columns), default=0) + 2
    break_ = "\n" + " " * wide
    pairs = zip(columns, values, strict=True)
    return "".join([f"{column.name:<{wide}}{value.replace(chr(10), break_)}\n" for column, value in pairs])


def _padded(text: str, wide: int, right: bool) -> str:
    space = " " * (wide - _columns_of(text))
    return space + text if right else text + space


def _columns_of(text: str) -> int:
    """How many columns of a terminal a text takes (Unicode Standard Annex 11)."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(2 if east_asian_width(c) in "WF" else 0 if combining(c) else 1 for c in text)


def _cells(row: Iterable[object], paper: Paper, newline: str) -> list[str]:
    tab = "\t" if newline == "\n" else " "
    return [visible(_told(value, paper), newline=newline, tab=tab) for value in row]


def _mark(paper: Paper) -> str:
    """What stands for a line feed in a table."""
    return "↵" if paper.unicode else "\\n"


def _told(value: object, paper: Paper) -> str:
    """A value as a person reads it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Moment):
        return value.local() if paper.local else value.rfc3339()
    if isinstance(value, list | tuple):
        return ", ".join([_told(part, paper) for part in value])
    return str(value)


def _records(view: View) -> tuple[list[str], list[tuple[object, ...]]]:
    if view.columns and not (view.kind == "item" and isinstance(view.document, dict)):
        return [column.name for column in view.columns], view.rows
    document = view.document if isinstance(view.document, dict) else {"result": view.document}
    return list(document), [tuple(document.values())]


def _field(value: object, paper: Paper) -> object:
    """A value as CSV holds it; raw but at a terminal, where it may not act."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Moment):
        return value.rfc3339()
    if isinstance(value, dict):
        return _json(value, paper).rstrip("\n")
    if isinstance(value, list | tuple):
        return _json(value, paper).rstrip("\n")
    return visible(value) if paper.terminal and isinstance(value, str) else value


def _json(document: object, paper: Paper, indent: int | None = None) -> str:
    import json

    text = json.dumps(written(document), ensure_ascii=not paper.unicode, allow_nan=False, indent=indent)
    if text.isascii():
        return text.replace("\x7f", "\\u007f") + "\n" if paper.terminal else text + "\n"
    # Outside ASCII there are only strings, where a character and its number are the same JSON.
    return "".join([_spelt(c) if _must_be_spelt(c, paper) else c for c in text]) + "\n"


def _must_be_spelt(character: str, paper: Paper) -> bool:
    if paper.terminal:
        return character != "\n" and is_hidden(character)
    return "\ud800" <= character <= "\udfff"


def _spelt(character: str) -> str:
    """A character as JSON spells it by number: two surrogates above U+FFFF (RFC 8259, section 7)."""
    number = ord(character)
    if number <= 0xFFFF:
        return f"\\u{number:04x}"
    high, low = divmod(number - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
