"""Calls that wait for a person, in plain SQL (G31).

Promises that what a call would write stands in one body, which is overwritten with zeros when somebody decided or it
lapsed; where a legal hold keeps that of a decided one (G43), nobody reads it. Leaves who may decide, and the call
itself, to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model.agreements import APPROVAL_STATES, DENIED, LAPSED, WAITING, Approval
from oz0mem.model.erasures import Gone
from oz0mem.model.names import OF_AGENT, OF_PERSON
from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.dialects import is_plain
from oz0mem.store.names import Names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.store.dialects import Row
    from oz0mem.store.work import Work

_SELECT = (
    "SELECT num, id, function, entry, about, agent, starter, job, state, at, decided, decider, event, body"
    " FROM approval WHERE tenant = ?"
)


class Approvals:
    """Approvals of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)
        self.bodies = Bodies(work)

    def put(self, asked: Approval, document: Mapping[str, Any]) -> Approval:
        """Write a call that waits; its number is given here."""
        number = self.work.number()
        self.work.run(
            "INSERT INTO approval (tenant, num, id, function, entry, about, agent, starter, job, state, at, decided,"
            " decider, event, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
            (
                self.work.tenant,
                number,
                asked.id,
                asked.function,
                asked.entry,
                asked.about,
                self.names.ensure(OF_AGENT, asked.agent),
                self.names.ensure(OF_PERSON, asked.starter),
                asked.job,
                APPROVAL_STATES.index(WAITING),
                asked.at,
                asked.event,
                self.bodies.put(mapping.dump(dict(document))),
            ),
        )
        return asked._replace(number=number, document=dict(document))

    def by_id(self, approval_id: str) -> Approval | None:
        """The approval of that id."""
        if not is_plain(approval_id):
            return None
        found = self._load(self.work.rows(f"{_SELECT} AND id = ?", (self.work.tenant, approval_id)))
        return found[0] if found else None

    def ids_from(self, beginning: str, limit: int = 50) -> list[str]:
        """Ids that begin so, in order (C7)."""
        rows = self.work.rows(
            "SELECT id FROM approval WHERE tenant = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?",
            (self.work.tenant, beginning, beginning + "g", limit),
        )
        return [row[0] for row in rows]

    def in_state(self, state: str, limit: int, after: int = 0) -> list[Approval]:
        """Approvals in a state, oldest first."""
        return self._load(
            self.work.rows(
                f"{_SELECT} AND state = ? AND num > ? ORDER BY num LIMIT ?",
                (self.work.tenant, APPROVAL_STATES.index(state), after, limit),
            )
        )

    def settle(self, asked: Approval, state: str, decider: str, *, keep: bool = False) -> Gone:
        """Note what became of a call, and overwrite what it would have written; answers what stood there.

        Args:
            asked: the call.
            state: what became of it.
            decider: who decided, '' for nobody.
            keep: leave what it would have written where it is: a legal hold preserves it (G43).
        """
        row = self.work.row("SELECT body FROM approval WHERE tenant = ? AND num = ?", (self.work.tenant, asked.number))
        body = row[0] if row else 0
        gone = [] if keep or not row else self.bodies.overwrite([body])
        self.work.run(
            "UPDATE approval SET state = ?, decided = ?, decider = ?, body = ? WHERE tenant = ? AND num = ?",
            (
                APPROVAL_STATES.index(state),
                self.work.now,
                self.names.ensure(OF_PERSON, decider) if decider else 0,
                body if keep else 0,
                self.work.tenant,
                asked.number,
            ),
        )
        return Gone(gone, [])

    def about(self, person: int) -> list[Approval]:
        """Calls about a person whose text is there: about them, by a job bound to them, that change their entries."""
        tenant = self.work.tenant
        found: dict[int, Row] = {}
        for condition, values in (
            ("about = ?", (person,)),
            ("job IN (SELECT num FROM job WHERE tenant = ? AND person = ? AND about = ?)", (tenant, person, person)),
            ("entry IN (SELECT entry FROM version WHERE tenant = ? AND newest = 1 AND about = ?)", (tenant, person)),
        ):
            rows = self.work.rows(f"{_SELECT} AND body > 0 AND {condition}", (tenant, *values))
            found |= {row[0]: row for row in rows}
        return self._load([found[number] for number in sorted(found)])

    def kept(self, limit: int, after: int = 0) -> list[tuple[Approval, int]]:
        """Denied calls whose text is there still, oldest first, each with the number of its person (G43)."""
        rows = self.work.rows(
            f"{_SELECT} AND state = ? AND body > 0 AND num > ? ORDER BY num LIMIT ?",
            (self.work.tenant, APPROVAL_STATES.index(DENIED), after, limit),
        )
        return [(asked, self.person_of(asked)) for asked in self._load(rows)]

    def person_of(self, asked: Approval) -> int:
        """The number of the person whom a call is about, or its job is bound to, or its entry is about; 0 for none."""
        for number, query in (
            (asked.job, "SELECT about FROM job WHERE tenant = ? AND num = ?"),
            (asked.entry, "SELECT about FROM version WHERE tenant = ? AND entry = ? AND newest = 1"),
        ):
            row = None if asked.about else self.work.row(query, (self.work.tenant, number))
            if row and row[0]:
                return int(row[0])
        return asked.about

    def _load(self, rows: Sequence[Row]) -> list[Approval]:
        names = self.names.spelled(number for row in rows for number in (row[5], row[6], row[11]))
        waiting = APPROVAL_STATES.index(WAITING)
        bodies = self.bodies.many(row[13] for row in rows if row[8] == waiting)
        return [
            Approval(
                number=row[0],
                id=row[1],
                function=row[2],
                entry=row[3],
                about=row[4],
                agent=names.get(row[5], ""),
                starter=names.get(row[6], ""),
                job=row[7],
                # One that was altered to no word runs no more.
                state=mapping.word_of(APPROVAL_STATES, row[8], altered=LAPSED),
                at=row[9],
                decided=row[10],
                decider=names.get(row[11], "") if row[11] else "",
                event=row[12],
                # What a legal hold keeps of a decided one is shown to nobody (G43).
                document=mapping.parse(bodies.get(row[13], b"")),
            )
            for row in rows
        ]
