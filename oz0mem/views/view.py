"""The one shape that every door shows: columns, rows, a document, a sentence.

Promises that a view holds values, not formatting: a time is a ``Moment``, a text is as it was remembered.
Leaves escaping, local time, widths and colours to the door that writes it (C2, C7, C9).
"""

from __future__ import annotations

import time
from typing import Literal, NamedTuple, TypeAlias

from oz0mem.model.moments import SECOND, rfc3339

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Moment(int):
    """A point in time: microseconds since the epoch, UTC."""

    __slots__ = ()

    def rfc3339(self) -> str:
        """As RFC 3339 in UTC; a fraction of six digits only where there is one."""
        return rfc3339(int(self))

    def local(self) -> str:
        """As a person reads it, in local time with its zone: ``1 Oct 2026 09:00 CEST``."""
        at = time.localtime(int(self) // SECOND)
        return f"{_day(at)} {at.tm_hour:02d}:{at.tm_min:02d} {at.tm_zone}"


class Day(Moment):
    """A moment of which a person is told the day only, such as a review date."""

    __slots__ = ()

    def local(self) -> str:
        """The day in local time: ``1 Mar 2027``."""
        return _day(time.localtime(int(self) // SECOND))


class Column(NamedTuple):
    """One column of a listing.

    Attributes:
        name: heading at a terminal and field name in CSV.
        kind: ``text`` may be shortened in a listing at a terminal; an ``id`` or a ``moment`` never is, nor is
            anything in a pipe. A ``number`` stands to the right.
    """

    name: str
    kind: Literal["id", "text", "number", "moment"] = "text"


# Parts of a sentence are joined as they are; a Moment among them is written as the door writes times.
Sentence: TypeAlias = str | tuple[object, ...]


class View(NamedTuple):
    """What a door shows of one result.

    Attributes:
        kind: ``list`` is a table; ``item`` is each row as names and values; ``text`` is the sentence.
        columns: of the rows.
        rows: one value a column: str, int, float, bool, None, Moment, or a list of these.
        document: the JSON document, made of dicts, lists and the same values.
        sentence: what a person is told of a change, or of an empty list.
        next: the cursor of a list's next page, else what to type next.
    """

    kind: Literal["item", "list", "text"]
    columns: tuple[Column, ...] = ()
    rows: list[tuple[object, ...]] = []
    document: object = None
    sentence: Sentence = ""
    next: str | None = None


def written(document: object) -> object:
    """A document with every Moment in it as RFC 3339, ready for JSON or YAML."""
    if isinstance(document, Moment):
        return document.rfc3339()
    if isinstance(document, dict):
        return {name: written(value) for name, value in document.items()}
    if isinstance(document, list | tuple):
        return [written(value) for value in document]
    return document


def _day(at: time.struct_time) -> str:
    return f"{at.tm_mday} {_MONTHS[at.tm_mon - 1]} {at.tm_year}"
