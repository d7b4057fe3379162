"""Links between entries, in plain SQL (M17).

Promises numbers, random ids and enumerations only, so that a link is gone with its row (G41), and that a link is
decided once. Leaves who may link, and who sees which, to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.agreements import LABELS, LINK_STATES, REJECTED, WAITING, Link
from oz0mem.model.names import OF_PERSON
from oz0mem.store import mapping
from oz0mem.store.dialects import is_plain, placeholders
from oz0mem.store.names import Names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oz0mem.store.dialects import Row
    from oz0mem.store.work import Work

_SELECT = "SELECT num, id, entry, label, other, state, proposer, decider, at, decided, event FROM link WHERE tenant = ?"
_CHUNK = 400


class Links:
    """Links of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)

    def put(self, link: Link) -> Link:
        """Write a link before the event that tells of it; its number is given here."""
        number = self.work.number()
        self.work.run(
            "INSERT INTO link (tenant, num, id, entry, label, other, state, proposer, decider, at, decided, event)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.work.tenant,
                number,
                link.id,
                link.entry,
                LABELS.index(link.label),
                link.other,
                LINK_STATES.index(link.state),
                self.names.ensure(OF_PERSON, link.proposer) if link.proposer else 0,
                self.names.ensure(OF_PERSON, link.decider) if link.decider else 0,
                link.at,
                link.decided,
                self.work.head.size,
            ),
        )
        return link._replace(number=number, event=self.work.head.size)

    def by_id(self, link_id: str) -> Link | None:
        """The link of that id."""
        if not is_plain(link_id):
            return None
        found = self._load(self.work.rows(f"{_SELECT} AND id = ?", (self.work.tenant, link_id)))
        return found[0] if found else None

    def ids_from(self, beginning: str, limit: int = 50) -> list[str]:
        """Ids that begin so, in order (C7)."""
        rows = self.work.rows(
            "SELECT id FROM link WHERE tenant = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?",
            (self.work.tenant, beginning, beginning + "g", limit),
        )
        return [row[0] for row in rows]

    def of_entry(self, entry: int) -> list[Link]:
        """Links from an entry and to it, oldest first."""
        rows = [
            *self.work.rows(f"{_SELECT} AND entry = ?", (self.work.tenant, entry)),
            *self.work.rows(f"{_SELECT} AND other = ?", (self.work.tenant, entry)),
        ]
        return self._load(sorted(rows, key=lambda row: int(row[0])))

    def standing(self, entry: int, label: str, other: int) -> Link | None:
        """The link between two entries that waits or is confirmed; a rejected one is none."""
        found = self._load(
            self.work.rows(
                f"{_SELECT} AND entry = ? AND other = ? AND label = ? AND state <> ? ORDER BY +num LIMIT 1",
                (self.work.tenant, entry, other, LABELS.index(label), LINK_STATES.index(REJECTED)),
            )
        )
        return found[0] if found else None

    def page(self, state: str, limit: int, after: int = 0) -> list[Link]:
        """Links in a state, or in any where it is '', oldest first, behind the one of that number."""
        if not state:
            return self._load(
                self.work.rows(f"{_SELECT} AND num > ? ORDER BY num LIMIT ?", (self.work.tenant, after, limit))
            )
        return self._load(
            self.work.rows(
                f"{_SELECT} AND state = ? AND num > ? ORDER BY num LIMIT ?",
                (self.work.tenant, LINK_STATES.index(state), after, limit),
            )
        )

    def settle(self, link: Link, state: str, decider: str) -> None:
        """Note what somebody decided about a link that waited, before the event that tells of it."""
        self.work.run(
            "UPDATE link SET state = ?, decider = ?, decided = ?, event = ? WHERE tenant = ? AND num = ? AND state = ?",
            (
                LINK_STATES.index(state),
                self.names.ensure(OF_PERSON, decider),
                self.work.now,
                self.work.head.size,
                self.work.tenant,
                link.number,
                LINK_STATES.index(WAITING),
            ),
        )

    def drop_of(self, entry: int) -> None:
        """Take the links from an entry and to it, which go with it (G41)."""
        for column in ("entry", "other"):
            self.work.run(f"DELETE FROM link WHERE tenant = ? AND {column} = ?", (self.work.tenant, entry))

    def _load(self, rows: Sequence[Row]) -> list[Link]:
        names = self.names.spelled(number for row in rows for number in (row[6], row[7]))
        ids = self._ids({number for row in rows for number in (row[2], row[4])})
        return [
            Link(
                number=row[0],
                id=row[1],
                entry=row[2],
                entry_id=ids.get(row[2], ""),
                label=mapping.word_of(LABELS, row[3]),
                other=row[4],
                other_id=ids.get(row[4], ""),
                state=_state(row[3], row[5]),
                proposer=names.get(row[6], "") if row[6] else "",
                decider=names.get(row[7], "") if row[7] else "",
                at=row[8],
                decided=row[9],
                event=row[10],
            )
            for row in rows
        ]

    def _ids(self, entries: Iterable[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        wanted = sorted(entries)
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            rows = self.work.rows(
                f"SELECT entry, id FROM version WHERE tenant = ? AND v = 1 AND entry IN ({placeholders(part)})",
                (self.work.tenant, *part),
            )
            found |= {row[0]: str(row[1]) for row in rows}
        return found


def _state(label: object, state: object) -> str:
    """The state of a link; one whose label or state was altered to no word links nothing."""
    return mapping.word_of(LINK_STATES, state, altered=REJECTED) if mapping.word_of(LABELS, label) else REJECTED
