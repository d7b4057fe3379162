"""What an erasure took out of the tables, to be overwritten and looked for (L21, L22)."""

from __future__ import annotations

from typing import NamedTuple


class Taken(NamedTuple):
    """What an erasure took out of the tables.

    Attributes:
        bodies: numbers of the bodies to be overwritten.
        words: numbers of the words to be overwritten, since nothing has them any more.
        hashes: keyed hashes whose rows are gone.
        names: hashes of names whose rows chance was written over, as the file had them.
    """

    bodies: list[int]
    words: list[int]
    hashes: list[int]
    names: tuple[bytes, ...] = ()

    def joined(self, *more: Taken) -> Taken:
        """What all of them have."""
        parts = (self, *more)
        return Taken(
            [body for part in parts for body in part.bodies],
            [word for part in parts for word in part.words],
            [value for part in parts for value in part.hashes],
            tuple(mark for part in parts for mark in part.names),
        )
