"""What an import reads from another program's file: records, and what cannot be one.

Promises two plain values that the importers give and the import action takes. Leaves to the action
everything that a write asks: size and form of the text (M1), secrets (M8), ends (M6), caps (M7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Record(NamedTuple):
    """One remembered thing as another program wrote it.

    Attributes:
        line: where it stands in the file, from 1.
        about: ``work`` or a subject id.
        when: when it was written, in microseconds since 1970 UTC; None where the file does not say.
        source: the anchor (M10): which program, and its own id for this.
        ends: when it ends there, in microseconds since 1970 UTC.
        left_out: names of the other program's fields that have no place here and were not kept.
    """

    line: int
    text: str
    about: str = "work"
    kind: str = "note"
    when: int | None = None
    key: str | None = None
    tags: tuple[str, ...] = ()
    source: Mapping[str, str] | None = None
    ends: int | None = None
    left_out: tuple[str, ...] = ()


class BadRecord(NamedTuple):
    """One part of a file that cannot be imported: where, why (never with its text), and which field."""

    line: int
    why: str
    field: str = ""
