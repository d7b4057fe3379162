"""What a call that waits would end, as it stands now, to be shown beside what the call would write (G31, M14).

Promises that only what the reviewer may see, and what opens its commitment, is shown (M20, L7). Leaves recording that
it was shown to whoever lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import choosing, integrity
from oz0mem.model.kinds import ERASED

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.agreements import Approval
    from oz0mem.model.entries import Entry

_ENDS_ITS_OWN = ("supersede", "retire")
"""Functions that end the entry they name; accepting one ends only what that replaces."""


def old_of(desk: Desk, caller: Caller, asked: Approval) -> list[Entry]:
    """The entries that a call would end, each at its newest version.

    Args:
        desk: the transaction.
        caller: the reviewer.
        asked: the call, whole.
    """
    given, comes_to = asked.document.get("arguments", {}), asked.document.get("comes_to", {})
    own = [str(given.get("id", ""))] if asked.function in _ENDS_ITS_OWN else []
    ids = dict.fromkeys([*own, *map(str, comes_to.get("replaces", ()))])
    found = [entry for each in ids if each and (entry := desk.entries.by_id(each)) is not None]
    seen = [entry for entry in found if entry.state != ERASED and choosing.is_seen(caller, entry, desk.now)]
    return integrity.check(desk, seen).good
