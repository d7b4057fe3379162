"""The rules that steer an agent: what recall shows first, whether or not it fits the words (R7).

Promises that a job's rules are those in force of the scopes it reads, nearest first and newest in force first as
in the start-up text. Leaves how much room they have to ``rules/recall``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions.startup import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oz0mem.actions.ports import Desk
    from oz0mem.actions.sight import Reach
    from oz0mem.model.entries import Entry


_AT_ONCE = 10


def rules_first(desk: Desk, reach: Reach, tag: str, altered: list[Entry]) -> Iterator[Entry]:
    """Rules in force within reach, those with a tag where one is asked for; read as they are taken.

    Args:
        desk: the transaction.
        reach: where the caller reads.
        tag: of the rules, or ''.
        altered: what is left out since it is altered (L7) is put here.
    """
    within = reach.within()
    rows = [row for row in desk.listing.at_startup(reach.every or [], rules=True) if within(row)]
    return (entry for entry in in_order(desk, rows, altered, _AT_ONCE) if not tag or tag in entry.tags)
