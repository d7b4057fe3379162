"""Entries by filters, newest first, a page at a time (Q4, Q5).

Promises keyset paging along an index that begins with the tenant, whatever the filters. Leaves who may see
what to the actions, which pass it in as filters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.names import OF_AGENT, OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.store import mapping
from oz0mem.store.dialects import placeholders
from oz0mem.store.entries import Entries
from oz0mem.store.names import Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.model.entries import Numbers
    from oz0mem.model.filters import Filter
    from oz0mem.store.work import Work

_NOBODY = -1
_ACTIVE = mapping.STATES.index("active")
_MOST = 10_000


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
        rows = self.work.rows(
            "SELECT count(*), sum(words) FROM version WHERE tenant = ? AND newest = 1 AND state = ? AND restricted = 0"
            " AND (ends = 0 OR ends > ?) AND (valid_from = 0 OR valid_from <= ?)"
            f" AND (valid_until = 0 OR valid_until > ?) AND place IN ({placeholders(places)})",
            (self.work.tenant, mapping.STATES.index("active"), now, now, now, *places),
        )
        return (int(rows[0][0]), int(rows[0][1] or 0))

    def in_places(self, places: Sequence[int] | None, states: Sequence[str], limit: int) -> list[Numbers]:
        """Entries of some states in places (None for every place), newest first."""
        codes = [mapping.STATES.index(state) for state in states]
        within = () if places is None else (f"place IN ({placeholders(places)})",)
        return self.entries.select(
            ("newest = 1", *within, f"state IN ({placeholders(codes)})"),
            (*(places or ()), *codes),
            "created DESC, entry DESC",
            limit,
        )

    def rows_of(self, numbers: Sequence[int]) -> list[Numbers]:
        """The newest row of each entry of these, as they come."""
        found: list[Numbers] = []
        for start in range(0, len(numbers), 400):
            part = numbers[start : start + 400]
            found += self.entries.select(("newest = 1", f"entry IN ({placeholders(part)})"), part, "entry", len(part))
        return found

    def at_startup(self, places: Sequence[int]) -> list[Numbers]:
        """Decisions, definitions, rules and core entries in force in places, oldest first (M27)."""
        return self.entries.select(
            (mapping.AT_STARTUP, f"state = {_ACTIVE}", f"place IN ({placeholders(places)})"),
            tuple(places),
            "+entry",
            _MOST,
        )

    def changed(self, places: Sequence[int], since: int, limit: int) -> list[Numbers]:
        """Entries in places whose newest version has an event from ``since`` on, in the order of events (M26)."""
        return self.entries.select(
            ("newest = 1", f"place IN ({placeholders(places)})", "event >= ?"), (*places, since), "event", limit
        )

    def turned(self, places: Sequence[int], since: int, until: int) -> list[Numbers]:
        """Entries in places that the clock alone turned in (since, until]: past their end, or in or out of validity."""
        found: dict[int, Numbers] = {}
        for column, part in (
            ("ends", ()),
            ("valid_from", ("valid_from > 0",)),
            ("valid_until", ("valid_until > 0",)),
        ):
            rows = self.entries.select(
                ("newest = 1", *part, f"place IN ({placeholders(places)})", f"{column} > ?", f"{column} <= ?"),
                (*places, since, until),
                f"+{column}, +entry",
                _MOST,
            )
            found |= {row.entry: row for row in rows}
        return [found[number] for number in sorted(found)]

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
        return self.entries.select(
            (
                "newest = 1",
                "agent = ?",
                f"state IN ({placeholders(codes)})",
                f"place IN ({placeholders(places)})",
                "restricted = 0",
            ),
            (agent, *codes, *places),
            "created DESC, entry DESC",
            limit,
        )

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
