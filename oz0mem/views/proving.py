"""What ``doctor --prove`` found, as people and scripts see it: each damage, what noticed it, where it says so.

Promises ids and numbers only, never a word of what was remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.views.view import Column, View

if TYPE_CHECKING:
    from oz0mem.actions.proving import Noticed, Proof

_DAMAGES = (Column("damage", "id"), Column("noticed by", "id"), Column("where", "id"))
_HEADS = (
    "What is cut off or made anew whole is noticed by a head that was signed after it and kept:"
    " oz0mem audit head -o head.txt, and later oz0mem audit check --against head.txt"
)
_SHOWN = 2
"""Places that a row names; the document has them all."""


def proof(found: Proof) -> View:
    """Every damage in turn."""
    document = {
        "ok": found.holds,
        "events": found.events,
        "versions": found.versions,
        "problems": found.problems,
        "items": [_item(one) for one in found.items],
        "next": None,
    }
    rows: list[tuple[object, ...]] = [(one.damage, _by(one), _where(one)) for one in found.items]
    return View("list", _DAMAGES, rows, document, _sentence(found))


def _item(one: Noticed) -> dict[str, Any]:
    noticed = bool(one.by) if one.there else None
    return {"damage": one.damage, "noticed": noticed, "by": one.by or None, "places": list(one.places)}


def _by(one: Noticed) -> str:
    return one.by or ("nothing" if one.there else "nothing of the kind here")


def _where(one: Noticed) -> str | None:
    more = len(one.places) - _SHOWN
    shown = [*one.places[:_SHOWN], *([f"{more} more"] if more > 0 else [])]
    return ", ".join(shown) or None


def _sentence(found: Proof) -> str:
    done = [one for one in found.items if one.there]
    missed = [one.damage for one in done if not one.by]
    said = f"{len(done) - len(missed)} of {len(done)} damages to a copy of {found.events} events and {found.versions}"
    said += " versions were noticed; the store was only read"
    if missed:
        said = f"not noticed: {'; '.join(missed)}. {said}. {_HEADS}"
    if found.problems:
        place = "one place" if found.problems == 1 else f"{found.problems} places"
        said = f"the store does not hold as it is, in {place}: oz0mem audit check --contents. {said}"
    return said
