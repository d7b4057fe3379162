"""What a term means as it is shown: what is in force, what is proposed (M13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.kinds import HELD
from oz0mem.views.changes import next_of, say_written, written_document
from oz0mem.views.entries import ID, document_of
from oz0mem.views.view import Column, Day, View
from oz0mem.views.withheld import say_withheld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.defining import Defined
    from oz0mem.model.entries import Entry

_PURPOSE = Column("purpose")
_COLUMNS = (ID, Column("version", "number"), Column("is"), Column("scope"), Column("until", "moment"), Column("text"))


def show_defined(found: Defined) -> View:
    """A term: nearest in force first, then what is in force elsewhere, then what is proposed; what was written."""
    nearest = [found.in_force] if found.in_force else []
    document = {
        "term": found.term,
        "in_force": _document(found.in_force, found.now) if found.in_force else None,
        "proposed": [_document(entry, found.now) for entry in found.proposed],
        "also": [_document(entry, found.now) for entry in found.also],
        "written": written_document(found.written) if found.written else None,
        "withheld": found.withheld,
        "altered": len(found.altered),
    }
    every = (*nearest, *found.also, *found.proposed)
    columns, rows = _table(every)
    if found.written:
        said = (*say_written(found.written), *_beside(found))
        return View("text", columns, rows, document, said, next_of(found.written.entry))
    nothing = [] if rows else ["that term is not defined; propose what it means: oz0mem define TERM TEXT"]
    return View("list", columns, rows, document, "; ".join([*nothing, *say_withheld(found.withheld)]))


def _document(entry: Entry, now: int) -> dict[str, object]:
    return document_of(entry, (), now)


def _table(entries: Sequence[Entry]) -> tuple[tuple[Column, ...], list[tuple[object, ...]]]:
    """A line an entry; with its purpose where any has one: the same term means another thing there (M21)."""
    purposes = any(entry.purpose for entry in entries)
    columns = (*_COLUMNS[:4], *((_PURPOSE,) if purposes else ()), *_COLUMNS[4:])
    return columns, [_row(entry, purposes=purposes) for entry in entries]


def _row(entry: Entry, *, purposes: bool) -> tuple[object, ...]:
    state = "proposed" if entry.state == HELD else "in force"
    purpose = (entry.purpose or None,) if purposes else ()
    until = Day(entry.ends) if entry.ends else None
    return (entry.id, entry.version, state, entry.scope, *purpose, until, entry.text)


def _beside(found: Defined) -> list[str]:
    """What is in force beside what was just proposed."""
    return [f"\nin force now: {found.in_force.id} v{found.in_force.version}"] if found.in_force else []
