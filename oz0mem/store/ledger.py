"""The ledger in plain SQL: events as written, leaves beside them, tiles above (L1, L10, L11).

Promises that an event is appended under the head row's lock, in the transaction of its change, and that
nothing here changes or deletes one. Leaves the form of an event to ``rules/events``.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from oz0mem.model.told import Told
from oz0mem.rules import events, merkle
from oz0mem.store.dialects import as_bytes, placeholders

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from oz0mem.store.work import Work

_CHUNK = 400


class Ledger:
    """The ledger of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def append(
        self,
        action: str,
        actor: Mapping[str, Any],
        fields: Mapping[str, Any],
        *,
        outcome: str = "done",
        entry: int = 0,
    ) -> int:
        """Append an event (L1); answers its index.

        Args:
            action: one of L2's.
            actor: kind, ref, verified.
            fields: what the action's schema asks for.
            outcome: done, refused or failed.
            entry: the number of the entry that it adds a version to, else 0.
        """
        work = self.work
        index = work.head.size
        salt = base64.urlsafe_b64encode(work.entropy(16)).rstrip(b"=").decode()
        body = events.build(
            action,
            ledger=work.head.origin,
            index=index,
            at=work.now,
            outcome=outcome,
            actor=actor,
            salt=salt,
            fields=fields,
        )
        leaf = merkle.leaf_hash(body)
        work.run(
            "INSERT INTO event (tenant, idx, at, action, entry, leaf, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (work.tenant, index, work.now, action, entry, leaf, body),
        )
        for level, place, hashes in merkle.tile_updates(index, [leaf], self.row):
            self._put_tile(level, place, hashes)
        work.change(size=index + 1)
        work.head = work.head._replace(edge=merkle.append(work.head.edge, index, leaf))
        return index

    def row(self, level: int, index: int) -> bytes:
        """A tile's hashes; level 0 are the leaves beside the events (see ``rules/merkle``)."""
        if level == 0:
            return self.leaves(index * 256, 256)
        row = self.work.row(
            "SELECT hashes FROM tile WHERE tenant = ? AND level = ? AND idx = ?",
            (self.work.tenant, level, index),
        )
        return as_bytes(row[0]) if row else b""

    def leaves(self, start: int, count: int) -> bytes:
        """So many leaf hashes from an index on, concatenated."""
        rows = self.work.rows(
            "SELECT leaf FROM event WHERE tenant = ? AND idx >= ? AND idx < ? ORDER BY idx",
            (self.work.tenant, start, start + count),
        )
        return b"".join(as_bytes(row[0]) for row in rows)

    def _put_tile(self, level: int, index: int, hashes: bytes) -> None:
        values = (hashes, self.work.tenant, level, index)
        if not self.work.run("UPDATE tile SET hashes = ? WHERE tenant = ? AND level = ? AND idx = ?", values):
            self.work.run("INSERT INTO tile (hashes, tenant, level, idx) VALUES (?, ?, ?, ?)", values)

    def newest_of(self, entries: Iterable[int]) -> dict[int, Told]:
        """The newest event that adds a version, of each entry (L7)."""
        wanted = sorted(set(entries))
        found: dict[int, Told] = {}
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            for entry, index, body, leaf in self.work.rows(
                "SELECT e.entry, e.idx, e.body, e.leaf FROM ("
                "SELECT entry, max(idx) AS idx FROM event WHERE tenant = ?"
                f" AND entry IN ({placeholders(part)}) GROUP BY entry) n"
                " JOIN event e ON e.tenant = ? AND e.idx = n.idx",
                (self.work.tenant, *part, self.work.tenant),
            ):
                found[entry] = Told(index, as_bytes(body), as_bytes(leaf))
        return found

    def at(self, index: int) -> Told | None:
        """One event."""
        row = self.work.row("SELECT body, leaf FROM event WHERE tenant = ? AND idx = ?", (self.work.tenant, index))
        return Told(index, as_bytes(row[0]), as_bytes(row[1])) if row else None

    def between(self, start: int, count: int) -> list[Told]:
        """Events from an index on, in order."""
        rows = self.work.rows(
            "SELECT idx, body, leaf FROM event WHERE tenant = ? AND idx >= ? ORDER BY idx LIMIT ?",
            (self.work.tenant, start, count),
        )
        return [Told(row[0], as_bytes(row[1]), as_bytes(row[2])) for row in rows]

    def latest(self, *, before: int, limit: int, action: str = "", entry: int = 0, since: int = 0) -> list[Told]:
        """Events before an index, newest first, of one action or one entry, since a moment."""
        where, values = ["idx < ?"], [before]
        if since:
            where.append("at >= ?")
            values.append(since)
        if entry:
            where.append("entry = ?")
            values.append(entry)
        text = [action] if action else []
        if action:
            where.append("action = ?")
        rows = self.work.rows(
            f"SELECT idx, body, leaf FROM event WHERE tenant = ? AND {' AND '.join(where)} ORDER BY idx DESC LIMIT ?",
            (self.work.tenant, *values, *text, limit),
        )
        return [Told(row[0], as_bytes(row[1]), as_bytes(row[2])) for row in rows]
