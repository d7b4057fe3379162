"""What a list may be asked for, and the cursor from one page of it to the next (C1, C2).

Promises that a word which no entry can have is refused with those that there are, and that a cursor tells
nothing but a time and a number. Leaves reading the rows to ``listing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import ACTIVE, ENDED, HELD, KINDS, LAPSED, RETIRED, STATES, TIERS, VIEWS
from oz0mem.model.names import check_scope, nfc

if TYPE_CHECKING:
    from oz0mem.model.entries import Numbers
    from oz0mem.model.filters import Filter

_DIGITS = 18
"""Digits of a number that a store can hold, whatever they are."""

SPELLINGS = {"promoted": ACTIVE, "demoted": RETIRED}
"""Other words for states that ``--state`` takes."""


def check(asked: Filter, *, held: bool) -> Filter:
    """Filters whose words exist, as they are kept; the views of the clock as what they are made of.

    Raises:
        Invalid: ``list.filter`` naming the words that there are.
    """
    for name, word, words in (
        ("kind", asked.kind, tuple(KINDS)),
        ("state", asked.state, (*STATES, *VIEWS, *SPELLINGS)),
        ("tier", asked.tier, TIERS),
    ):
        if word and word not in words:
            raise Invalid("list.filter", f"a {name} is one of {', '.join(words)}", rule="C2", filter=name)
    if held and asked.state not in ("", HELD):
        raise Invalid("list.filter", "what is held has the state held", hint="leave --state out", rule="C2")
    if asked.scope:
        check_scope(asked.scope)
    asked = asked._replace(about=nfc(asked.about), key=nfc(asked.key.strip()))
    state = HELD if held else SPELLINGS.get(asked.state, asked.state)
    if state == ENDED:
        return asked._replace(state=ACTIVE, ended=True)
    return asked._replace(state=HELD, lapsed=True) if state == LAPSED else asked._replace(state=state)


def place_of(row: Numbers, asked: Filter) -> tuple[int, int]:
    """Where a row stands in the order of a list."""
    return (row.ends if asked.due else row.created, row.entry)


def write_cursor(row: Numbers, asked: Filter) -> str:
    """The cursor after a row."""
    first, second = place_of(row, asked)
    return f"{first}-{second}"


def read_cursor(after: str) -> tuple[int, int]:
    """What a cursor says.

    Raises:
        Invalid: ``list.cursor`` where it is none.
    """
    first, mark, second = after.partition("-")
    numbers = (first + second).isascii() and first.isdigit() and second.isdigit()
    if not mark or not numbers or max(len(first), len(second)) > _DIGITS:
        raise Invalid(
            "list.cursor",
            "that is no cursor of a list",
            hint="take it from `next` of the last page",
            rule="C2",
        )
    return (int(first), int(second))
