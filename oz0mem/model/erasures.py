"""What an erasure overwrote, one that is not closed yet (L21), and what keeps a person's name (L4)."""

from __future__ import annotations

from typing import NamedTuple


class Gone(NamedTuple):
    """What stood in the rows that an erasure overwrote.

    Attributes:
        bodies: contents.
        words: words that nothing has any more.
        marks: bytes that are looked for as they are: a name, its key, the keyed hashes of names, words and the rest.
    """

    bodies: list[bytes]
    words: list[bytes]
    marks: tuple[bytes, ...] = ()

    def joined(self, *more: Gone) -> Gone:
        """What all of them have."""
        parts = (self, *more)
        return Gone(
            [body for part in parts for body in part.bodies],
            [word for part in parts for word in part.words],
            tuple(mark for part in parts for mark in part.marks),
        )


class Compacted(NamedTuple):
    """How many bytes the store's files had, and how many they have, or about would have."""

    before: int
    after: int


class OpenErasure(NamedTuple):
    """An erasure that was begun and is not closed (L21).

    Attributes:
        subject: the person's handle, since name and key may be zeros by now; '' about work.
        unlinks: whether the person's name and key go with it (L4).
    """

    number: int
    action: str
    about: int
    basis: str
    actor: dict[str, object]
    at: int
    entries: list[str]
    subject: str
    unlinks: bool


class Standing(NamedTuple):
    """What the store still has of a person, beside their name and key.

    Attributes:
        principal: they may act here, or could once.
        author: an entry about somebody else or about work, or a rule of the tenant, names them as its author.
        held: a legal hold that is not lifted names them, or everything.
        restricted: an entry about them is kept because of a legal hold.
        remembered: another entry about them is there.
        running: a job that is bound to them acts.
    """

    principal: bool
    author: bool
    held: bool
    restricted: bool
    remembered: bool
    running: bool
