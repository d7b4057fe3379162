"""How far agents have read what changed (M26), in plain SQL.

Promises that a bookmark is found by a keyed hash alone and goes with the person it is about (G41).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.agreements import Bookmark
from oz0mem.store.names import hash64

if TYPE_CHECKING:
    from oz0mem.store.work import Work


class Bookmarks:
    """Bookmarks of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def find(self, reader: str) -> Bookmark | None:
        """The bookmark of a reader: agent, purpose, person and projects as one text; None where nothing was read."""
        row = self.work.row(
            "SELECT first, event, moment FROM bookmark WHERE tenant = ? AND hash = ?",
            (self.work.tenant, self._hash(reader)),
        )
        return Bookmark(*row) if row else None

    def put(self, reader: str, bookmark: Bookmark, *, about: int) -> None:
        """Move a reader's bookmark; ``about`` is the number of the person, 0 for nobody."""
        self.work.run("DELETE FROM bookmark WHERE tenant = ? AND hash = ?", (self.work.tenant, self._hash(reader)))
        self.work.run(
            "INSERT INTO bookmark (tenant, hash, about, first, event, moment, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (self.work.tenant, self._hash(reader), about, *bookmark, self.work.now),
        )

    def _hash(self, reader: str) -> int:
        return hash64(self.work.head.hash_key, "bookmark", reader)
