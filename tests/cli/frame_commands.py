"""A small catalogue of commands on which the frame of the command line is tried."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from oz0mem.cli import io, options, out
from oz0mem.cli.catalogue import Row
from oz0mem.cli.main import run
from oz0mem.model.errors import Conflict, Fault, Forbidden, Invalid, NotFound, Refused, Unverified, Waiting
from oz0mem.views.view import Column, Day, Moment, View

NINE = Moment(1_790_845_200_000_000)
HOSTILE = "\x1b[31mred\x1b[0m \u202eevil\u200b [bold]markup[/bold] :smile: \x9b2J\nsecond line\ud800"
LONG_ID = "n-" + "4be1906c22d1" * 5

ERRORS = {
    "invalid": Invalid("argument.bad", "a bad argument"),
    "refused": Refused(
        "memory.people_off",
        "memory about people is off for support-triage",
        hint="Turn it on: oz0mem person support-triage",
        rule="M5",
        agent="support-triage",
        at=NINE,
    ),
    "not-found": NotFound("entry.none", "no entry of that id"),
    "conflict": Conflict("entry.stale", "version 2 is in force"),
    "forbidden": Forbidden("caller.role", "only an admin may"),
    "waiting": Waiting("change.waiting", "waiting c-81d2: another admin has to approve"),
    "unverified": Unverified("ledger.altered", "record 4 was altered"),
    "fault": Fault("store.full", "the disk is full"),
}


def show_globals() -> None:
    """Show the global options as a command sees them."""
    current = options.current()
    document = {name: getattr(current, name) for name in current.__slots__}
    out.emit(View("item", document=document, columns=(Column("format"),), rows=[(current.format,)]))


def list_rows(
    held: Annotated[bool, typer.Option("--held", help="Only what waits [for review].")] = False,
) -> None:
    """List two rows, one of them hostile."""
    rows: list[tuple[object, ...]] = [
        (LONG_ID, 7, NINE, HOSTILE, ["a", "b"]),
        ("n-2", 12345, NINE, "held" if held else "päivä 記憶", None),
    ]
    columns = (
        Column("id", "id"),
        Column("size", "number"),
        Column("ends", "moment"),
        Column("text"),
        Column("tags"),
    )
    items = [dict(zip([column.name for column in columns], row, strict=True)) for row in rows]
    out.emit(View("list", columns, rows, {"items": items, "next": "c7"}, next="c7"))


def list_nothing() -> None:
    """List nothing."""
    out.emit(View("list", (Column("id", "id"),), [], {"items": [], "next": None}, "nothing is remembered"))


def keep(text: str) -> None:
    """Tell of a change."""
    sentence = ("kept n-2 v1, until ", Day(NINE), ": ", text)
    out.emit(View("text", document={"id": "n-2", "ends": NINE, "changed": True}, sentence=sentence))


def show_item() -> None:
    """Show one item."""
    columns = (Column("id", "id"), Column("text"), Column("ends", "moment"), Column("ended"))
    out.emit(View("item", columns, [(LONG_ID, "one\ntwo", NINE, False)], {"id": LONG_ID, "ends": NINE}))


def fail(kind: str) -> None:
    """Raise an error of that kind."""
    if kind == "interrupt":
        raise KeyboardInterrupt
    if kind == "bug":
        raise ValueError("what dana said stands here")
    if kind == "machine":
        os.stat("/nowhere/at/all")
    raise ERRORS[kind]


def differ() -> int:
    """Answer with an exit code of its own."""
    return 9


def flood() -> None:
    """Write more than any pipe holds."""
    out.emit(View("list", (Column("n", "number"),), [(number,) for number in range(100_000)]))


def ask(yes: Annotated[bool, typer.Option("--yes")] = False) -> None:
    """Go on only if somebody agrees."""
    io.agree("delete 3 entries", yes=yes)
    io.write("done\n")


def read(text: str) -> None:
    """Write back a text, or stdin for a dash."""
    io.write(repr(io.read_text(text)) + "\n")


def double(store: str = "") -> None:
    """Take a global option of its own, which is not allowed."""


def _row(name: str, function: str, panel: str = "Memory", **more: str) -> Row:
    return Row(name, __name__, function, panel, f"Does {name}.", example=more.get("example", ""), exits=(0, 1, 2))


ROWS = (
    _row("globals", "show_globals"),
    _row("list", "list_rows", example="list --held '[all] of it'"),
    _row("nothing", "list_nothing"),
    _row("keep", "keep"),
    _row("item", "show_item"),
    _row("fail", "fail", "Review"),
    _row("differ", "differ", "Proof"),
    _row("flood", "flood", "Proof"),
    _row("ask", "ask", "Store"),
    _row("read", "read", "Store"),
    _row("double", "double", "Store"),
    _row("settings", "show_globals", "Rules"),
    _row("settings set", "keep", "Rules"),
    _row("agent declare", "keep", "Agents"),
    _row("agent list", "list_rows", "Agents"),
    Row("absent", "oz0mem.cli.nowhere", "nothing", "Store", "Is not there."),
    Row("quiet", __name__, "differ", "Store", "Is not listed.", hidden=True),
)

if __name__ == "__main__":
    sys.exit(run(rows=ROWS))
