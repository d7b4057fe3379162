"""Calls that were made once (M9): a keyed digest of the arguments, and the ids to answer with.

Promises that no text is kept, that a call is forgotten after 14 days, and that it goes with its entry or
person (G41). Leaves what a call is to ``actions/once``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model.erasures import Gone
from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.names import as_stored, hash64

if TYPE_CHECKING:
    from oz0mem.store.work import Work

REMEMBERED = 14 * 86_400_000_000
"""Microseconds that a call is remembered (M9)."""


class Calls:
    """Remembered calls of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.bodies = Bodies(work)

    def find(self, caller: str) -> dict[str, Any]:
        """What was noted of a call by that caller key, {} where it was not made in the last 14 days."""
        row = self.work.row(
            "SELECT at, body FROM call WHERE tenant = ? AND hash = ?", (self.work.tenant, self._hash(caller))
        )
        if row is None or row[0] + REMEMBERED <= self.work.now:
            return {}
        return mapping.parse(self.bodies.get(row[1]))

    def note(self, caller: str, answer: dict[str, Any], *, entry: int, about: int) -> None:
        """Note a call: its digest and the ids to answer with, in a body that goes with the entry."""
        self._forget(self._hash(caller))
        self.work.run(
            "INSERT INTO call (tenant, hash, entry, about, at, body) VALUES (?, ?, ?, ?, ?, ?)",
            (
                self.work.tenant,
                self._hash(caller),
                entry,
                about,
                self.work.now,
                self.bodies.put(mapping.dump(answer)),
            ),
        )

    def forget_old(self) -> Gone:
        """Forget calls of more than 14 days ago; answers what a gap of a page may keep: their hashes have names."""
        rows = self.work.rows(
            "SELECT hash FROM call WHERE tenant = ? AND at <= ?",
            (self.work.tenant, self.work.now - REMEMBERED),
        )
        for row in rows:
            self._forget(row[0])
        return Gone([], [], tuple(as_stored(row[0]) for row in rows))

    def _forget(self, value: int) -> None:
        for row in self.work.rows("SELECT body FROM call WHERE tenant = ? AND hash = ?", (self.work.tenant, value)):
            self.bodies.overwrite([row[0]])
        self.work.run("DELETE FROM call WHERE tenant = ? AND hash = ?", (self.work.tenant, value))

    def _hash(self, caller: str) -> int:
        return hash64(self.work.head.hash_key, "call", caller)
