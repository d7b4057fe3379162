"""Entries by filters, newest first, a page at a time (Q4, Q5).

Promises keyset paging along an index that begins with the tenant, whatever the filters. Leaves who may see
what to the actions, which pass it in as filters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model.entries import Numbers
from oz0mem.model.names import OF_AGENT, OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.store import mapping
from oz0mem.store.dialects import placeholders
from oz0mem.store.entries import Entries
from oz0mem.store.names import Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.model.filters import Filter
    from oz0mem.store.work import Work

_NOBODY = -1
_ACTIVE = mapping.STATES.index("active")
_RULE = mapping.KINDS.index("rule")
_ORDERED = "entry, id, kind, place, scope, created, at, valid_from"
_MOST = 10_000
"""Values that a statement is given at most; both back ends take three times as many."""


class Listing:
    """Lists of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)
        self.entries = Entries(work)

    def page(self, asked: Filter, limit: int) -> list[Numbers]:
        """Rows that match, newest first (due ones by their end), at most ``limit``."""
        chosen = asked.entries
        if chosen is None or len(chosen) <= _MOST:
            return self._page(asked, limit)
        # A statement takes only so many values: the first rows of all are among the first of each part.
        parts = (chosen[start : start + _MOST] for start in range(0, len(chosen), _MOST))
        rows = [row for part in parts for row in self._page(asked._replace(entries=part), limit)]
        rows.sort(key=lambda row: (row.ends if asked.due else row.created, row.entry), reverse=not asked.due)
        return rows[:limit]

    def _page(self, asked: Filter, limit: int) -> list[Numbers]:
        where, values = self._conditions(asked)
        column = "ends" if asked.due else "created"
        way, than = ("", ">") if asked.due else (" DESC", "<")
        if asked.after is not None:
            where.append(f"({column}, entry) {than} (?, ?)")
            values += list(asked.after)
        # With a key or chosen entries few rows are left, and the plus keeps SQLite from walking all by time.
        plus = "+" if asked.key or asked.entries is not None else ""
        return self.entries.select(where, values, f"{plus}{column}{way}, {plus}entry{way}", limit)

    def due(self, now: int, limit: int, after: tuple[int, int] = (0, 0)) -> list[Numbers]:
        """Entries whose end has come, whatever their state, by their end."""
        return self.entries.select(
            ("newest = 1", "ends <= ?", "ends > 0", "(ends, entry) > (?, ?)"),
            (now, *after),
            "ends, entry",
            limit,
        )

    def in_state(self, state: str, until: int, limit: int, after: tuple[int, int] = (0, 0)) -> list[Numbers]:
        """Entries in a state, by when they were made, of those made before ``until``."""
        return self.entries.select(
            ("newest = 1", "state = ?", "created <= ?", "(created, entry) > (?, ?)"),
            (mapping.STATES.index(state), until, *after),
            "created, entry",
            limit,
        )

    def about(self, person: int, limit: int, after: tuple[int, int] = (0, 0)) -> list[Numbers]:
        """Every entry about a person, in all scopes and states."""
        return self.entries.select(
            ("newest = 1", "about = ?", "(created, entry) > (?, ?)"),
            (person, *after),
            "created, entry",
            limit,
        )

    def all_rows(self, limit: int, after: tuple[int, int] = (0, 0)) -> list[Numbers]:
        """Every living version of every entry, in order."""
        return self.entries.select(("(entry, v) > (?, ?)",), after, "entry, v", limit)

    def counts(self, places: Sequence[int] | None, now: int) -> tuple[int, int]:
        """How many entries are in force in places, and how many words they have (R2).

        Of every place (None) it is what the scopes count, and no words: counting the tenant would grow with it.
        """
        if places is None:
            rows = self.work.rows("SELECT sum(entries), 0 FROM usage WHERE tenant = ?", (self.work.tenant,))
            return (int(rows[0][0] or 0), 0)
        entries = words = 0
        for part in _parts(places):
            row = self.work.rows(
                "SELECT count(*), sum(words) FROM version WHERE tenant = ? AND newest = 1 AND state = ?"
                " AND restricted = 0 AND (ends = 0 OR ends > ?) AND (valid_from = 0 OR valid_from <= ?)"
                f" AND (valid_until = 0 OR valid_until > ?) AND place IN ({placeholders(part)})",
                (self.work.tenant, _ACTIVE, now, now, now, *part),
            )[0]
            entries, words = entries + int(row[0]), words + int(row[1] or 0)
        return (entries, words)

    def in_places(self, places: Sequence[int] | None, states: Sequence[str], limit: int) -> list[Numbers]:
        """Entries of some states in places (None for every place), newest first."""
        codes = [mapping.STATES.index(state) for state in states]
        within = f"state IN ({placeholders(codes)})"
        if places is None:
            return self.entries.select(("newest = 1", within), codes, "created DESC, entry DESC", limit)
        found: list[tuple[int, int]] = []
        for part in _parts(places):
            # Narrow rows from the index alone; the plus keeps SQLite from walking the tenant in the order of time.
            found += self._pairs(
                f"SELECT created, entry FROM version WHERE tenant = ? AND newest = 1 AND {within}"
                f" AND place IN ({placeholders(part)}) ORDER BY +created DESC, +entry DESC LIMIT ?",
                (*codes, *part, limit),
            )
        return _newest(self.rows_of([entry for _, entry in sorted(found, reverse=True)[:limit]]), limit)

    def rows_of(self, numbers: Sequence[int]) -> list[Numbers]:
        """The newest row of each entry of these, as they come."""
        found: list[Numbers] = []
        for start in range(0, len(numbers), 400):
            part = numbers[start : start + 400]
            found += self.entries.select(("newest = 1", f"entry IN ({placeholders(part)})"), part, "entry", len(part))
        return found

    def at_startup(self, places: Sequence[int], *, rules: bool = False) -> list[Numbers]:
        """Decisions, definitions, rules and core entries in force in places (M27), or their rules alone (R7).

        Of each there is what finds it and puts it in order; the other numbers are blank, since few are read whole.
        """
        kind = f" AND kind = {_RULE}" if rules else ""
        return [
            _ordered(row)
            for part in _parts(places)
            for row in self.work.rows(
                # The plus keeps SQLite from walking all that is in force there.
                f"SELECT {_ORDERED} FROM version WHERE tenant = ? AND {mapping.AT_STARTUP}{kind}"
                f" AND +state = {_ACTIVE} AND place IN ({placeholders(part)})",
                (self.work.tenant, *part),
            )
        ]

    def changed(self, places: Sequence[int], since: int, limit: int) -> list[tuple[int, Numbers]]:
        """Entries in places whose newest version has an event from ``since`` on, after that event (M26)."""
        found: list[tuple[int, int]] = []
        for part in _parts(places):
            # Narrow rows first, from the index alone: what is left behind is sorted, and never read whole.
            found += self._pairs(
                f"SELECT event, entry FROM version WHERE tenant = ? AND newest = 1 AND place IN ({placeholders(part)})"
                " AND event >= ? ORDER BY event LIMIT ?",
                (*part, since, limit),
            )
        found = sorted(found)[:limit]
        rows = {row.entry: row for row in self.rows_of([entry for _, entry in found])}
        return [(event, rows[entry]) for event, entry in found if entry in rows]

    def turned(self, places: Sequence[int], since: int, until: int) -> dict[int, int]:
        """Entries in places that the clock alone turned in (since, until], each with the last moment that did (M26).

        Past their end, or in or out of their valid time.
        """
        found: dict[int, int] = {}
        for column, at_all in (
            ("ends", ""),
            ("valid_from", " AND valid_from > 0"),
            ("valid_until", " AND valid_until > 0"),
        ):
            for part in _parts(places):
                for moment, entry in self._pairs(
                    f"SELECT {column}, entry FROM version WHERE tenant = ? AND newest = 1{at_all}"
                    f" AND place IN ({placeholders(part)}) AND {column} > ? AND {column} <= ?",
                    (*part, since, until),
                ):
                    found[entry] = max(moment, found.get(entry, 0))
        return found

    def _pairs(self, sql: str, values: Sequence[object]) -> list[tuple[int, int]]:
        return [(row[0], row[1]) for row in self.work.rows(sql, (self.work.tenant, *values))]

    def in_force_since(self, entries: Sequence[int]) -> dict[int, int]:
        """When each entry became active first, microseconds UTC; entries that never did are left out."""
        found: dict[int, int] = {}
        for start in range(0, len(entries), 400):
            part = entries[start : start + 400]
            rows = self.work.rows(
                f"SELECT entry, min(at) FROM version WHERE tenant = ? AND state = {_ACTIVE}"
                f" AND entry IN ({placeholders(part)}) GROUP BY entry",
                (self.work.tenant, *part),
            )
            found |= {row[0]: int(row[1]) for row in rows}
        return found

    def written_by(self, agent: int, places: Sequence[int], states: Sequence[str], limit: int) -> list[Numbers]:
        """What an agent wrote in places, of some states, newest first (M29)."""
        codes = [mapping.STATES.index(state) for state in states]
        # Along the places that the job reads: the plus keeps SQLite from walking the tenant in the order of time.
        conditions = ("newest = 1", "+agent = ?", "restricted = 0", f"state IN ({placeholders(codes)})")
        rows = [
            row
            for part in _parts(places)
            for row in self.entries.select(
                (*conditions, f"place IN ({placeholders(part)})"),
                (agent, *codes, *part),
                "+created DESC, +entry DESC",
                limit,
            )
        ]
        return _newest(rows, limit)

    def _conditions(self, asked: Filter) -> tuple[list[str], list[object]]:
        where = ["newest = 2" if asked.state == "erased" else "newest = 1"]
        values: list[object] = []
        for column, kind, name in (
            ("agent", OF_AGENT, asked.agent),
            ("about", OF_PERSON, asked.about),
            ("scope", OF_SCOPE, asked.scope),
            ("purpose", OF_PURPOSE, asked.purpose),
        ):
            if name:
                where.append(f"{column} = ?")
                values.append(0 if name == "work" and column == "about" else self.names.find(kind, name) or _NOBODY)
        for column, words, word in (
            ("kind", mapping.KINDS, asked.kind),
            ("state", mapping.STATES, asked.state if asked.state != "erased" else ""),
            ("tier", mapping.TIERS, asked.tier),
        ):
            if word:
                where.append(f"{column} = ?")
                values.append(words.index(word))
        if asked.key:
            where.append("key_hash = ?")
            values.append(self.entries.key_hash(asked.key))
        if asked.ended or asked.due:
            where += ["ends > 0", "ends <= ?"]
            values.append(self.work.now)
        if asked.entries is not None:
            where.append(f"entry IN ({placeholders(asked.entries)})")
            values += asked.entries
        if not asked.restricted:
            where.append("restricted = 0")
        return where, values


def _parts(places: Sequence[int]) -> list[Sequence[int]]:
    """Places as many at a time as one statement takes; none where there are none."""
    return [places[start : start + _MOST] for start in range(0, len(places), _MOST)]


def _ordered(row: tuple[Any, ...]) -> Numbers:
    entry, entry_id, kind, *rest = row
    known = type(kind) is int and 0 <= kind < len(mapping.KINDS)  # altered otherwise: it opens no commitment later
    place, scope, created, at, valid_from = rest
    return Numbers(
        entry=entry,
        id=entry_id,
        kind=kind if known else 0,
        place=place,
        scope=scope,
        created=created,
        at=at,
        valid_from=valid_from,
    )


def _newest(rows: list[Numbers], limit: int) -> list[Numbers]:
    """The newest of rows that several statements gave."""
    return sorted(rows, key=lambda row: (row.created, row.entry), reverse=True)[:limit]
