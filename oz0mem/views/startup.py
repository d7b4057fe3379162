"""The start-up text of a job as it is shown, with the entries in it by id and version (M27)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.rules.recall import CHARS_PER_TOKEN
from oz0mem.views.view import Column, View

if TYPE_CHECKING:
    from oz0mem.actions.startup import Startup
    from oz0mem.model.entries import Entry

_COLUMNS = (
    Column("id", "id"),
    Column("version", "number"),
    Column("kind"),
    Column("scope"),
    Column("tier"),
    Column("text"),
)


def show_startup(found: Startup) -> View:
    """The text, which is the sentence; the document has what is in it, and how many are not (M25, L7)."""
    document = {
        "text": found.text,
        "items": [_item(entry) for entry in found.items],
        "withheld": found.withheld,
        "altered": len(found.altered),
        "chars": found.chars,
        "tokens": -(-found.chars // CHARS_PER_TOKEN),
    }
    rows: list[tuple[object, ...]] = [(*_item(entry).values(), entry.text) for entry in found.items]
    return View("text", _COLUMNS, rows, document, found.text)


def _item(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.id,
        "version": entry.version,
        "kind": entry.kind,
        "scope": entry.scope,
        "tier": entry.tier,
    }
