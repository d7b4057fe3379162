"""The policy for agents' calls, read in plain SQL (G30); ``governance`` writes it.

Promises that a rule that was altered lets nothing more through: an effect of no word denies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.agreements import EFFECTS, POLICED, Rule
from oz0mem.model.names import OF_AGENT
from oz0mem.store import mapping
from oz0mem.store.dialects import placeholders
from oz0mem.store.names import Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.store.work import Work


class Policies:
    """Rules of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)

    def rules(self) -> list[Rule]:
        """Every rule that was written, by what it is about and for whom."""
        return self._read("", ())

    def for_agent(self, agent: str) -> list[Rule]:
        """The rules for one agent and those for all, by what they are about: what decides about its calls."""
        number = self.names.find(OF_AGENT, agent)
        return self._read(f" AND what IN ({placeholders(POLICED)}) AND agent IN (0, ?)", (*POLICED, number))

    def _read(self, where: str, values: Sequence[object]) -> list[Rule]:
        rows = self.work.rows(
            f"SELECT what, agent, effect, writer, at FROM policy WHERE tenant = ?{where} ORDER BY what, agent",
            (self.work.tenant, *values),
        )
        names = self.names.spelled(number for row in rows for number in (row[1], row[3]))

        def name(number: int) -> str:
            # No agent and no person is called so: a rule whose name is gone is neither everybody's nor the plugin's.
            return names.get(number, "") or (f"#{number}" if number else "")

        return [
            Rule(row[0], name(row[1]), mapping.word_of(EFFECTS, row[2], altered=EFFECTS[-1]), name(row[3]), row[4])
            for row in rows
        ]
