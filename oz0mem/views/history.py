"""A fact over time, oldest first: what it said, from when until when (M11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.views.entries import ID
from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from oz0mem.actions.facts import Fact, History

_COLUMNS = (
    Column("from", "moment"),
    Column("until", "moment"),
    Column("text"),
    ID,
    Column("version", "number"),
    Column("replaced_by", "id"),
)


def show_history(history: History) -> View:
    """A line a span; a span without an end is true now."""
    items = [_document(fact) for fact in history.items]
    rows: list[tuple[object, ...]] = [tuple(item[column.name] for column in _COLUMNS) for item in items]
    document = {
        "agent": history.agent or None,
        "key": history.key or None,
        "about": history.about,
        "items": items,
    }
    lines = [part for fact in history.items for part in ("\n", *_line(fact))][1:]
    return View("text", _COLUMNS, rows, document, tuple(lines))


def _document(fact: Fact) -> dict[str, object]:
    return {
        "id": fact.entry.id,
        "version": fact.entry.version,
        "text": fact.entry.text,
        "from": Moment(fact.start),
        "until": Moment(fact.until) if fact.until else None,
        "replaced_by": fact.entry.replaced_by or None,
    }


def _line(fact: Fact) -> tuple[object, ...]:
    until = Moment(fact.until) if fact.until else "now"
    return (Moment(fact.start), " → ", until, f"  {' '.join(fact.entry.text.split())}  {fact.entry.id}")
