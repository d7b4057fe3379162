"""Signed heads in plain SQL: made durable first, signed then (L11, L14).

Promises that a head has its row, and with it everything up to it is on the disk, before it is signed. Leaves the
note to ``actions/heads`` and the keys to the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.heads import SignedHead
from oz0mem.rules import merkle
from oz0mem.store.dialects import as_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.store.dialects import Row
    from oz0mem.store.work import Work

_COLUMNS = "size, root, at, key, note"


class Heads:
    """Signed heads of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self) -> SignedHead:
        """Note the ledger's head as it is now, to be signed once this transaction is on the disk."""
        head = self.work.head
        made = SignedHead(head.size, merkle.root(head.edge, head.size), self.work.now, "", "")
        values = (made.root, made.at, self.work.tenant, made.size)
        anew = "UPDATE signed_head SET root = ?, at = ?, key = '', note = '' WHERE tenant = ? AND size = ?"
        if not self.work.run(anew, values):
            self.work.run(
                "INSERT INTO signed_head (root, at, tenant, size, key, note) VALUES (?, ?, ?, ?, '', '')", values
            )
        return made

    def sign(self, size: int, keys: Sequence[str], note: str) -> None:
        """Keep the note of a head that was signed."""
        self.work.run(
            "UPDATE signed_head SET key = ?, note = ? WHERE tenant = ? AND size = ?",
            (" ".join(keys), note, self.work.tenant, size),
        )

    def latest(self) -> SignedHead | None:
        """The largest head that was signed."""
        row = self.work.row(
            f"SELECT {_COLUMNS} FROM signed_head WHERE tenant = ? AND note <> '' ORDER BY size DESC LIMIT 1",
            (self.work.tenant,),
        )
        return _head(row) if row else None

    def page(self, after: int, limit: int) -> list[SignedHead]:
        """Heads larger than a size, by size; those not signed yet too."""
        rows = self.work.rows(
            f"SELECT {_COLUMNS} FROM signed_head WHERE tenant = ? AND size > ? ORDER BY size LIMIT ?",
            (self.work.tenant, after, limit),
        )
        return [_head(row) for row in rows]


def _head(row: Row) -> SignedHead:
    return SignedHead(row[0], as_bytes(row[1]), row[2], row[3], row[4])
