"""What changed since an agent last asked: entries as they stand now, and the cursor to read on with (M26)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.rules.lifecycle import shown_state
from oz0mem.views.entries import ID, document_of
from oz0mem.views.view import Column, Moment, View
from oz0mem.views.withheld import say_withheld

if TYPE_CHECKING:
    from oz0mem.actions.changed import Changes
    from oz0mem.model.entries import Entry

_COLUMNS = (
    ID,
    Column("version", "number"),
    Column("state"),
    Column("changed", "moment"),
    Column("replaced by", "id"),
    Column("text"),
)


def show_changes(found: Changes) -> View:
    """A page of changes in the order in which they came; the cursor is in the document and in the sentence."""
    document = {
        "items": [document_of(entry, (), found.now) for entry in found.items],
        "cursor": found.cursor,
        "more": found.more,
        "withheld": found.withheld,
        "altered": len(found.altered),
    }
    said = [] if found.items or found.more else ["nothing changed that you may read"]
    said += say_withheld(found.withheld)
    said.append(f"{'there is more, ' if found.more else ''}read on with the cursor {found.cursor}")
    return View("list", _COLUMNS, [_row(entry, found.now) for entry in found.items], document, "; ".join(said))


def _row(entry: Entry, now: int) -> tuple[object, ...]:
    state = shown_state(entry.state, entry.ends, entry.counted_from, now, kind=entry.kind)
    return (entry.id, entry.version, state, Moment(entry.at), entry.replaced_by or None, entry.text)
