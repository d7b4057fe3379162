"""What recall found: hits best first, with the words that each matched (M23, R7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.kinds import HELD
from oz0mem.views.entries import ID, document_of
from oz0mem.views.view import Column, Day, Moment, View

if TYPE_CHECKING:
    from oz0mem.actions.recall import Hit, Recalled

_COLUMNS = (
    ID,
    Column("tier"),
    Column("when", "moment"),
    Column("until", "moment"),
    Column("matched"),
    Column("text"),
)
_SCORE = Column("score", "number")


def show_recalled(found: Recalled, *, explain: bool = False, whole: bool = False) -> View:
    """The answer to a question.

    Args:
        found: the action's answer.
        explain: with what each hit's place comes from.
        whole: every field as a column, for a format that machines read.
    """
    items = [_document(hit, rank, found.now, explain=explain) for rank, hit in enumerate(found.items, 1)]
    document = {
        "items": items,
        "withheld": found.withheld,
        "budget": {
            "entries": found.entries,
            "chars": found.chars,
            "used_entries": len(items),
            "used_chars": sum(len(hit.text) for hit in found.items),
        },
        "altered": len(found.altered),
        "suggestions": found.suggestions,
    }
    if whole and items:
        columns, rows = tuple(map(Column, items[0])), [tuple(item.values()) for item in items]
    else:
        columns = (*_COLUMNS[:-1], _SCORE, _COLUMNS[-1]) if explain else _COLUMNS
        rows = [_row(hit, explain=explain) for hit in found.items]
    return View("list", columns, rows, document, "" if items else _nothing(found))


def _document(hit: Hit, rank: int, now: int, *, explain: bool) -> dict[str, object]:
    why = {"why": {"words": hit.score}} if explain else {}
    return {
        **document_of(hit.entry, (), now),
        "text": hit.text,
        "matched": hit.matched,
        "rank": rank,
        "truncated": hit.truncated,
        "length": hit.length,
        **why,
    }


def _row(hit: Hit, *, explain: bool) -> tuple[object, ...]:
    entry = hit.entry
    text = f"{hit.text} […{hit.length} characters]" if hit.truncated else hit.text
    tier = f"{entry.tier}, held" if entry.state == HELD else entry.tier
    score = (f"{hit.score:.3f}",) if explain else ()
    ends = Day(entry.ends) if entry.ends else None
    when = Moment(entry.valid_from or entry.created)
    return (entry.id, tier, Day(when), ends, hit.matched, *score, text)


def _nothing(found: Recalled) -> str:
    if found.suggestions:
        return f"nothing fits all of it; something has: {', '.join(found.suggestions)}"
    return "nothing that you may read fits"
