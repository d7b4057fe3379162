"""Legal holds as rows: which of them cover an entry (G40).

Promises that a hold selects by its terms at the moment of the act, so that later entries are covered too.
Leaves placing and lifting to governance, and what a hold refuses to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.model.entries import Numbers
    from oz0mem.store.work import Work


class Holds:
    """Legal holds of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def covering(self, row: Numbers) -> list[str]:
        """The ids of the holds that cover an entry, oldest first."""
        return self.covering_each([row]).get(row.entry, [])

    def covering_each(self, rows: Sequence[Numbers]) -> dict[int, list[str]]:
        """The ids of the holds that cover each entry; entries without one are left out."""
        if not self.work.head.holds:
            return {}
        holds = self.work.rows(
            "SELECT id, about, scope, entry, everything FROM hold WHERE tenant = ? AND lifted = 0 ORDER BY num",
            (self.work.tenant,),
        )
        found: dict[int, list[str]] = {}
        for row in rows:
            ids = [
                hold
                for hold, about, scope, entry, everything in holds
                if everything
                or (about and about == row.about)
                or (scope and scope == row.scope)
                or (entry and entry == row.entry)
            ]
            if ids:
                found[row.entry] = ids
        return found
