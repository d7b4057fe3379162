"""What ``audit check`` reads of policy, links and approvals: every row as it stands, however it was altered.

Promises to read only. A number that stands for no word reads as no word. Leaves the judgement to ``actions/agreements``
and ``actions/replaying``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.agreements import APPROVAL_STATES, EFFECTS, LABELS, LINK_STATES
from oz0mem.model.governed import ApprovalRow, LinkRow, PolicyRow
from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.names import Names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oz0mem.store.work import Work

_PAGE = 500


class AgreementRows:
    """Rows of policy, link and approval of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)
        self.bodies = Bodies(work)

    def policies(self) -> list[PolicyRow]:
        """Every rule of the policy that has a row."""
        rows = self.work.rows(
            "SELECT what, agent, effect, at, writer FROM policy WHERE tenant = ? ORDER BY what, agent",
            (self.work.tenant,),
        )
        names = self.names.spelled(row[1] for row in rows)
        return [
            PolicyRow(what, agent, names.get(agent, ""), mapping.word_of(EFFECTS, effect), at, writer)
            for what, agent, effect, at, writer in rows
        ]

    def links(self) -> Iterator[LinkRow]:
        """Every link, by number."""
        after = 0
        while rows := self.work.rows(
            "SELECT num, id, entry, label, other, state, proposer, decider, at, decided, event FROM link"
            " WHERE tenant = ? AND num > ? ORDER BY num LIMIT ?",
            (self.work.tenant, after, _PAGE),
        ):
            for number, link_id, entry, label, other, state, *more in rows:
                words = (mapping.word_of(LABELS, label), other, mapping.word_of(LINK_STATES, state))
                yield LinkRow(number, link_id, entry, *words, *more)
            after = rows[-1][0]

    def approvals(self) -> Iterator[ApprovalRow]:
        """Every call that waits or waited, by number."""
        after = 0
        while rows := self.work.rows(
            "SELECT num, id, function, entry, about, agent, starter, job, state, at, decided, decider, event, body"
            " FROM approval WHERE tenant = ? AND num > ? ORDER BY num LIMIT ?",
            (self.work.tenant, after, _PAGE),
        ):
            names = self.names.spelled(row[5] for row in rows)
            bodies = self.bodies.many(row[13] for row in rows)
            for row in rows:
                document = mapping.parse(bodies.get(row[13], b""))
                key = mapping.key_of(document)
                document.pop("k", None)
                state = mapping.word_of(APPROVAL_STATES, row[8])
                read = (*row[:5], names.get(row[5], ""), *row[6:8], state, *row[9:], document, key)
                yield ApprovalRow._make(read)
            after = rows[-1][0]
