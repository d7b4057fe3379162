"""What recall found: hits best first, with the words that each matched (M23, R7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.entries import BLANK
from oz0mem.model.kinds import HELD
from oz0mem.views.entries import ID, document_of
from oz0mem.views.view import Column, Day, Moment, View
from oz0mem.views.withheld import say_withheld

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
_OF_HIT = ("matched", "rank", "truncated", "length")
"""What the document of a hit has beside its entry's."""
_SCORE = Column("score", "number")


def show_recalled(found: Recalled, *, explain: bool = False, whole: bool = False, every: bool = False) -> View:
    """The answer to a question.

    Args:
        found: the action's answer.
        explain: with what each hit's place comes from.
        whole: every field as a column, for a format that machines read.
        every: all of the words were to fit, not any.
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
        "waiting": found.waiting,
        "answered": found.answered and bool(items),
    }
    if whole:
        names = [*document_of(BLANK, (), found.now), *_OF_HIT, *(("why",) if explain else ())]
        columns, rows = tuple(map(Column, names)), [tuple(map(item.get, names)) for item in items]
    else:
        columns = (*_COLUMNS[:-1], _SCORE, _COLUMNS[-1]) if explain else _COLUMNS
        rows = [_row(hit, explain=explain) for hit in found.items]
    said = [_nothing(found, every=every)] if not items or not found.answered else []
    return View("list", columns, rows, document, "; ".join([*said, *say_withheld(found.withheld)]))


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


def _nothing(found: Recalled, *, every: bool) -> str:
    said = "nothing that you may read fits"
    if every and found.suggestions:
        said = f"nothing fits all of it; something has: {', '.join(found.suggestions)}"
    if found.items:
        said = "but for the rules, " + said
    if found.waiting:
        said += f"; {found.waiting:,} {'fits but waits' if found.waiting == 1 else 'fit but wait'} for review"
    return said
