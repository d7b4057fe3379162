"""Entries and their versions in plain SQL, the same on both back ends (Q1, Q14).

Promises that nothing here grows with the store where it could grow with the answer (Q4): every selection runs
along an index that begins with the tenant. Leaves words to ``words``, erasing to ``erasing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.entries import Entry, Numbers
from oz0mem.model.names import OF_AGENT, OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.dialects import is_plain, placeholders
from oz0mem.store.names import Names, hash64

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oz0mem.store.dialects import Row
    from oz0mem.store.work import Work

_COLUMNS = ", ".join(Numbers._fields)
_SELECT = f"SELECT {_COLUMNS} FROM version WHERE tenant = ?"
_INSERT = f"INSERT INTO version (tenant, {_COLUMNS}) VALUES ({placeholders((*Numbers._fields, 'tenant'))})"
_CHUNK = 400


class Entries:
    """Entries of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)
        self.bodies = Bodies(work)

    def add(self, entry: Entry, *, event: int, words: int, content_words: int, number: int = 0) -> Entry:
        """Write a version; it is the newest of its entry from now on.

        Args:
            entry: the version; its names are given numbers here.
            event: index of the ledger's event that commits to it (L3).
            words: how many words its text has, for BM25.
            content_words: how many distinct content words, for M3.
            number: the entry's number; 0 for a new entry.
        """
        row = self._numbers(entry, number or self.work.number())._replace(
            event=event, words=words, content_words=content_words
        )
        if number:
            self.work.run(
                "UPDATE version SET newest = 0 WHERE tenant = ? AND entry = ? AND newest = 1",
                (self.work.tenant, number),
            )
        self.work.run(_INSERT, (self.work.tenant, *row))
        return entry._replace(numbers=row)

    def _numbers(self, entry: Entry, number: int) -> Numbers:
        """A version as its row, its content put and its names numbered."""
        place, scope, about, purpose = self.place(entry.scope, entry.about, entry.purpose)
        return Numbers(
            entry=number,
            v=entry.version,
            newest=1,
            id=entry.id,
            kind=mapping.KINDS.index(entry.kind),
            state=mapping.STATES.index(entry.state),
            tier=mapping.TIERS.index(entry.tier),
            held=entry.held,
            place=place,
            scope=scope,
            about=about,
            purpose=purpose,
            agent=self.names.ensure(OF_AGENT, entry.agent),
            writer=self.names.ensure(OF_PERSON, entry.by),
            job=entry.numbers.job,
            origin=mapping.ORIGINS.index(entry.origin),
            core=int(entry.core),
            restricted=int(entry.restricted),
            created=entry.created,
            counted_from=entry.counted_from,
            at=entry.at,
            ends=entry.ends,
            valid_from=entry.valid_from,
            valid_until=entry.valid_until,
            ended_at=entry.ended_at,
            body=self.bodies.put(mapping.content_of(entry)),
            bytes=len(entry.text.encode()),
            same_hash=self.same_hash(entry.text, about),
            key_hash=self.key_hash(entry.key),
        )

    def place(self, scope: str, about: str, purpose: str) -> tuple[int, int, int, int]:
        """The place of a scope, a person or work, and a purpose; and the number of each."""
        parts = (
            self.names.ensure(OF_SCOPE, scope),
            0 if about == "work" else self.names.ensure(OF_PERSON, about),
            self.names.ensure(OF_PURPOSE, purpose),
        )
        found = self.place_of(parts)
        if not found:
            found = self.work.number()
            self.work.run(
                "INSERT INTO place (tenant, num, scope, about, purpose) VALUES (?, ?, ?, ?, ?)",
                (self.work.tenant, found, *parts),
            )
        return (found, *parts)

    def place_of(self, parts: tuple[int, int, int]) -> int:
        """The number of a place, 0 where nothing was ever written there."""
        known = self.work.places.get(parts, 0)
        if known:
            return known
        row = self.work.row(
            "SELECT num FROM place WHERE tenant = ? AND scope = ? AND about = ? AND purpose = ?",
            (self.work.tenant, *parts),
        )
        if row:
            self.work.places[parts] = int(row[0])
        return int(row[0]) if row else 0

    def parts_of(self, places: Iterable[int]) -> dict[int, tuple[int, int, int]]:
        """What each place is made of."""
        wanted = sorted(set(places))
        found: dict[int, tuple[int, int, int]] = {}
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            for num, *parts in self.work.rows(
                f"SELECT num, scope, about, purpose FROM place WHERE tenant = ? AND num IN ({placeholders(part)})",
                (self.work.tenant, *part),
            ):
                found[num] = (parts[0], parts[1], parts[2])
        return found

    def places_in(self, scope: int, about: int) -> list[int]:
        """The places of a scope and a person (0 for work), of any purpose."""
        rows = self.work.rows(
            "SELECT num FROM place WHERE tenant = ? AND scope = ? AND about = ?",
            (self.work.tenant, scope, about),
        )
        return [row[0] for row in rows]

    def places_of_scope(self, scope: int) -> list[int]:
        """The places of a scope, whomever they are about."""
        rows = self.work.rows(
            "SELECT num FROM place WHERE tenant = ? AND scope = ? ORDER BY +num", (self.work.tenant, scope)
        )
        return [row[0] for row in rows]

    def places_about(self, about: int) -> list[int]:
        """The places of a person, in every scope."""
        rows = self.work.rows(
            "SELECT num FROM place WHERE tenant = ? AND about = ? ORDER BY +num", (self.work.tenant, about)
        )
        return [row[0] for row in rows]

    def same_hash(self, text: str, about: int) -> int:
        """The hash by which the same text is found (M2); a person's is keyed by their own key."""
        from oz0mem.rules.sameness import same_text

        return hash64(self.names.hash_key(about), "same", same_text(text))

    def key_hash(self, key: str) -> int:
        """The hash by which a key is found (M11); 0 for no key."""
        return hash64(self.work.head.hash_key, "key", key) if key else 0

    def newest(self, numbers: Iterable[int]) -> list[Entry]:
        """The newest version of each entry, in the order asked; erased ones are left out."""
        wanted = list(dict.fromkeys(numbers))
        rows: dict[int, Numbers] = {}
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            for row in self.work.rows(
                f"{_SELECT} AND entry IN ({placeholders(part)}) AND newest = 1", (self.work.tenant, *part)
            ):
                rows[row[0]] = mapping.numbers_of(row)
        return self.load([rows[number] for number in wanted if number in rows])

    def has_id(self, entry_id: str) -> bool:
        """Whether an entry has that id."""
        row = self.work.row("SELECT 1 FROM version WHERE tenant = ? AND id = ? LIMIT 1", (self.work.tenant, entry_id))
        return row is not None

    def by_id(self, entry_id: str) -> Entry | None:
        """The newest version of the entry with that id, erased or not."""
        if not is_plain(entry_id):
            return None
        row = self.work.row(
            f"{_SELECT} AND id = ? ORDER BY v DESC LIMIT 1",
            (self.work.tenant, entry_id),
        )
        return self.load([mapping.numbers_of(row)])[0] if row else None

    def ids_from(self, beginning: str, limit: int = 50) -> list[str]:
        """Ids that begin so, in order (C7)."""
        rows = self.work.rows(
            "SELECT DISTINCT id FROM version WHERE tenant = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?",
            (self.work.tenant, beginning, beginning + "g", limit),
        )
        return [row[0] for row in rows]

    def versions(self, number: int) -> list[Entry]:
        """Every version of an entry, first to last."""
        return self.load(
            [
                mapping.numbers_of(row)
                for row in self.work.rows(f"{_SELECT} AND entry = ? ORDER BY v", (self.work.tenant, number))
            ]
        )

    def select(self, where: Sequence[str], values: Sequence[object], order: str, limit: int) -> list[Numbers]:
        """Rows by conditions that this floor wrote; never by text from outside."""
        conditions = "".join(f" AND {condition}" for condition in where)
        return [
            mapping.numbers_of(row)
            for row in self.work.rows(
                f"{_SELECT}{conditions} ORDER BY {order} LIMIT ?", (self.work.tenant, *values, limit)
            )
        ]

    def same(self, text: str, place: int, about: int, kind: str) -> list[Entry]:
        """Entries of a kind with the same text in a place (M2), oldest first."""
        return self._by_hash("same_hash", self.same_hash(text, about), place, kind)

    def keyed(self, key: str, place: int, kind: str) -> list[Entry]:
        """Entries of a kind with a key in a place (M11), oldest first."""
        return self._by_hash("key_hash", self.key_hash(key), place, kind) if key else []

    def named(self, key: str, kind: str, places: Sequence[int] | None) -> list[Entry]:
        """Entries of a kind with a key in some places, None for every place, oldest first (M13)."""
        rows = self.select(
            ("newest = 1", "key_hash = ?", "kind = ?"),
            (self.key_hash(key), mapping.KINDS.index(kind)),
            "entry",
            10_000,
        )
        within = None if places is None else set(places)
        found = self.load([row for row in rows if within is None or row.place in within])
        return [entry for entry in found if entry.key == key]

    def _by_hash(self, column: str, value: int, place: int, kind: str) -> list[Entry]:
        rows = self.select(
            ("newest = 1", f"{column} = ?", "place = ?", "kind = ?"),
            (value, place, mapping.KINDS.index(kind)),
            "entry",
            10_000,
        )
        return self.load(rows)

    def load(self, rows: Sequence[Numbers]) -> list[Entry]:
        """Rows with what they say and their names spelled."""
        contents = self.bodies.many(row.body for row in rows)
        names = self.names.spelled(
            number for row in rows for number in (row.scope, row.about, row.purpose, row.agent, row.writer)
        )
        return [mapping.entry_of(row, mapping.parse(contents.get(row.body, b"")), names) for row in rows]

    def use(self, scope: int, entries: int, size: int) -> None:
        """Count entries and bytes of text in a scope up or down (M7)."""
        updated = self.work.run(
            "UPDATE usage SET entries = entries + ?, bytes = bytes + ? WHERE tenant = ? AND scope = ?",
            (entries, size, self.work.tenant, scope),
        )
        if not updated:
            self.work.run(
                "INSERT INTO usage (tenant, scope, entries, bytes) VALUES (?, ?, ?, ?)",
                (self.work.tenant, scope, entries, size),
            )

    def used(self, scope: int) -> tuple[int, int]:
        """Entries and bytes of text in a scope (M7)."""
        row: Row | None = self.work.row(
            "SELECT entries, bytes FROM usage WHERE tenant = ? AND scope = ?", (self.work.tenant, scope)
        )
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def job_id(self, number: int) -> str:
        """The id of a job by its number, '' where there is none (for ``audit check``)."""
        row = self.work.row("SELECT id FROM job WHERE tenant = ? AND num = ?", (self.work.tenant, number))
        return str(row[0]) if row else ""
