"""What an erasure overwrote, and one that is not closed yet (L21)."""

from __future__ import annotations

from typing import NamedTuple


class Gone(NamedTuple):
    """What stood in the rows that an erasure overwrote: bodies, and words that nothing has any more."""

    bodies: list[bytes]
    words: list[bytes]


class OpenErasure(NamedTuple):
    """An erasure that was begun and is not closed (L21)."""

    number: int
    action: str
    about: int
    basis: str
    actor: dict[str, object]
    at: int
    entries: list[str]
