"""The policy for agents' calls, read in plain SQL (G30); ``governance`` writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.agreements import EFFECTS, Rule
from oz0mem.store.names import Names

if TYPE_CHECKING:
    from oz0mem.store.work import Work


class Policies:
    """Rules of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)

    def rules(self) -> list[Rule]:
        """Every rule that was written, by what it is about and for whom."""
        rows = self.work.rows(
            "SELECT what, agent, effect, writer, at FROM policy WHERE tenant = ? ORDER BY what, agent",
            (self.work.tenant,),
        )
        names = self.names.spelled(number for row in rows for number in (row[1], row[3]))
        return [
            Rule(
                row[0],
                names.get(row[1], "") if row[1] else "",
                EFFECTS[row[2]] if type(row[2]) is int and 0 <= row[2] < len(EFFECTS) else EFFECTS[-1],
                names.get(row[3], "") if row[3] else "",
                row[4],
            )
            for row in rows
        ]
