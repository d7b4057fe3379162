"""Retirements that an agent proposed and that wait for a person (M34)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.store.bodies import Bodies

if TYPE_CHECKING:
    from oz0mem.model.entries import Entry
    from oz0mem.store.work import Work

_WAITING, _SETTLED = 0, 1


class Proposals:
    """Waiting retirements of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.bodies = Bodies(work)

    def put(self, entry: Entry, *, starter: int, agent: int, reason: str) -> int:
        """Note that an agent's job proposes to retire a version of an entry; answers the proposal's number."""
        number = self.work.number()
        self.work.run(
            "INSERT INTO proposal (tenant, num, entry, v, starter, agent, state, at, reason)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.work.tenant,
                number,
                entry.numbers.entry,
                entry.version,
                starter,
                agent,
                _WAITING,
                self.work.now,
                self.bodies.put(reason.encode()),
            ),
        )
        return number

    def waiting(self, entry: int) -> list[tuple[int, int, int, str]]:
        """What waits for an entry: version read, numbers of the starter and the agent, reason."""
        rows = self.work.rows(
            "SELECT v, starter, agent, reason FROM proposal WHERE tenant = ? AND entry = ? AND state = ? ORDER BY +num",
            (self.work.tenant, entry, _WAITING),
        )
        bodies = self.bodies.many(row[3] for row in rows)
        return [(row[0], row[1], row[2], bodies.get(row[3], b"").decode("utf-8", "replace")) for row in rows]

    def settle(self, entry: int) -> None:
        """Note that a person decided."""
        self.work.run(
            "UPDATE proposal SET state = ? WHERE tenant = ? AND entry = ?",
            (_SETTLED, self.work.tenant, entry),
        )
