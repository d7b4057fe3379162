"""The policy for agents' calls, read in plain SQL (G30); ``governance`` writes it.

Promises that a rule that was altered lets nothing more through: an effect of no word denies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.agreements import EFFECTS, Rule
from oz0mem.store import mapping
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

        def name(number: int) -> str:
            # No agent and no person is called so: a rule whose name is gone is neither everybody's nor the plugin's.
            return names.get(number, "") or (f"#{number}" if number else "")

        return [
            Rule(row[0], name(row[1]), mapping.word_of(EFFECTS, row[2], altered=EFFECTS[-1]), name(row[3]), row[4])
            for row in rows
        ]
