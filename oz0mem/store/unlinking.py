"""A person's name and key taken out of the tables, and what stands in the way (L4, G42).

Promises that of the name no spelling, no hash under a key that lives, and no number that leads to a scope stays; the
rows of names never move, so that no copy of a hash is left in a gap of their pages, and the indexes that have moved
theirs are built anew. Leaves whether a name may go to ``rules/unlinking``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.erasures import Gone, Standing
from oz0mem.store.bodies import Bodies
from oz0mem.store.dialects import Sqlite
from oz0mem.store.names import WIDE, Names, as_stored
from oz0mem.store.words import Words

if TYPE_CHECKING:
    from oz0mem.store.work import Work

_BODY = 1
_SHORTEST = 6
"""Bytes of the shortest name that is looked for: shorter ones stand in other words."""


class Unlinking:
    """Names of people of one transaction's tenant, to be taken."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.bodies = Bodies(work)
        self.names = Names(work)

    def standing(self, number: int) -> Standing:
        """What the store has of a person beside name and key."""
        about = "version WHERE tenant = ? AND newest = 1 AND about = ?"
        return Standing(
            principal=self._has("principal WHERE tenant = ? AND num = ?", number),
            author=self._is_author(number),
            held=self.is_held(number),
            restricted=self._has(f"{about} AND restricted = 1", number),
            remembered=self._has(f"{about} AND restricted = 0", number),
            running=bool(self.running(number)),
        )

    def is_held(self, number: int) -> bool:
        """Whether a legal hold that is not lifted names a person, or everything."""
        return self.work.head.holds > 0 and self._has(
            "hold WHERE tenant = ? AND lifted = 0 AND (everything = 1 OR about = ?)", number
        )

    def _is_author(self, number: int) -> bool:
        # Asked for ``writer = ?``, SQLite takes the index's own ``writer > 0`` for the bound, and walks all authors.
        wrote = "version WHERE tenant = ? AND writer BETWEEN ? AND ? AND writer > 0 AND about <> ?"
        return self._has(wrote, number, number, number) or any(
            self._has(f"{table} WHERE tenant = ? AND writer = ?", number) for table in ("agent", "setting", "secret")
        )

    def _has(self, condition: str, *values: int) -> bool:
        return self.work.row(f"SELECT 1 FROM {condition} LIMIT 1", (self.work.tenant, *values)) is not None

    def running(self, number: int) -> list[tuple[int, str]]:
        """Numbers and ids of the jobs bound to a person that act now."""
        rows = self.work.rows(
            "SELECT num, id FROM job WHERE tenant = ? AND person = ? AND ended = 0 AND expires > ? ORDER BY +num",
            (self.work.tenant, number, self.work.now),
        )
        return [(row[0], row[1]) for row in rows]

    def due(self, since: int, limit: int, after: tuple[int, int] = (0, 0)) -> list[tuple[int, int]]:
        """People without an entry, no principals and no authors, whose last erasing event was by then.

        Returns:
            The moment of that event and the person's number, in this order.
        """
        rows = self.work.rows(
            "SELECT s.forgotten, s.num FROM subject s WHERE s.tenant = ? AND s.forgotten > 0 AND s.forgotten <= ?"
            " AND (s.forgotten, s.num) > (?, ?) AND s.key_body > 0"
            " AND NOT EXISTS (SELECT 1 FROM version v WHERE v.tenant = s.tenant AND v.about = s.num AND v.newest = 1)"
            " AND NOT EXISTS (SELECT 1 FROM principal p WHERE p.tenant = s.tenant AND p.num = s.num)"
            " AND NOT EXISTS"
            " (SELECT 1 FROM version w WHERE w.tenant = s.tenant AND w.writer BETWEEN s.num AND s.num AND w.writer > 0)"
            " ORDER BY s.forgotten, s.num LIMIT ?",
            (self.work.tenant, since, *after, limit),
        )
        return [(row[0], row[1]) for row in rows]

    def take(self, erasure: int, number: int) -> Gone:
        """Overwrite a person's name and key, and let nothing else lead to the person, as part of an erasure.

        What is about the person beside entries has to be gone before. The closing events still count up the chain in
        ``subject``; that row goes when the erasure is closed.
        """
        work, tenant = self.work, self.work.tenant
        handle = self.names.subject_handle(number)
        work.run(
            "UPDATE erasure SET subject = ? WHERE tenant = ? AND about = ? AND subject = ''", (handle, tenant, number)
        )
        work.run("UPDATE erasure SET unlink = 1 WHERE tenant = ? AND num = ?", (tenant, erasure))
        row = work.row(
            "SELECT n.body, s.key_body FROM name n JOIN subject s ON s.tenant = n.tenant AND s.num = n.num"
            " WHERE n.tenant = ? AND n.num = ?",
            (tenant, number),
        )
        marks = self.scatter(number)
        bodies = [row[0], row[1]] if row else []
        work.run_each(
            "INSERT INTO erased (tenant, erasure, what, num) VALUES (?, ?, ?, ?)",
            ((tenant, erasure, _BODY, body) for body in bodies),
        )
        gone = self.bodies.overwrite(bodies)
        work.run("UPDATE subject SET key_body = 0 WHERE tenant = ? AND num = ?", (tenant, number))
        work.run("UPDATE job SET about = 0, person = 0 WHERE tenant = ? AND person = ?", (tenant, number))
        work.run("DELETE FROM place WHERE tenant = ? AND about = ?", (tenant, number))
        work.names.clear()
        work.texts.clear()
        work.subject_keys.clear()
        work.places.clear()
        return Gone([], [], (*(part for part in gone if len(part) >= _SHORTEST), *marks))

    def scatter(self, number: int) -> list[bytes]:
        """Write chance over the hashes of a name, so that no guess finds it; answers them as the file had them.

        The row itself stays, of its old length: what is deleted makes others move, and those leave copies behind.
        """
        work = self.work
        text = self.names.spelled([number]).get(number, "")
        row = work.row("SELECT hash, fold FROM name WHERE tenant = ? AND num = ?", (work.tenant, number))
        if row is None:
            return []
        work.run(
            "UPDATE name SET hash = ?, fold = ? WHERE tenant = ? AND num = ?",
            (self._chance(), self._chance(), work.tenant, number),
        )
        own = [value for value in row if not self._lives(value)]
        return [as_stored(value) for value in (*own, *Words(work).gone_with([text]))]

    def _lives(self, value: int) -> bool:
        """Whether a name that stays has the same hash: an agent's, or of another spelling."""
        return any(
            self._has(f"name WHERE tenant = ? AND kind = ? AND {column} = ?", kind, value)
            for column in ("hash", "fold")
            for kind in range(1, 5)
        )

    def _chance(self) -> int:
        """A random number that takes as many bytes as a hash does."""
        value = int.from_bytes(self.work.entropy(8), "big", signed=True)
        return value if not -WIDE <= value < WIDE else value ^ (1 << 62)

    def rebuild(self) -> None:
        """Build the indexes of names anew, so that no gap of their pages keeps a hash that moved on.

        A fiftieth of a second for 20,000 names (measured). PostgreSQL would lock readers out, and keeps more than this.
        """
        if isinstance(self.work.back, Sqlite):
            self.work.run("REINDEX name_by_hash")
            self.work.run("REINDEX name_by_fold")
