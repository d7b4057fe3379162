"""The entry that a person means by an id or its beginning (C7), among what they may see.

Promises that an id which is nobody's to see is answered as one that is not there, and that what was altered
behind the ledger is not given out as good (L7). Leaves what is done with it to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import integrity, sight
from oz0mem.model.errors import Conflict, NotFound
from oz0mem.model.names import check_entry_prefix
from oz0mem.rules import permission

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry

_ID_LENGTH = 14


def choose(desk: Desk, caller: Caller, wanted: str) -> Entry:
    """The entry of an id or of an unambiguous beginning with at least four digits.

    Raises:
        Invalid: where it is no id.
        NotFound: ``memory.unknown``, with the nearest ids that the caller may see.
        Conflict: ``memory.ambiguous``, or ``memory.altered`` where its row does not open its commitment.
    """
    check_entry_prefix(wanted)
    ids = [wanted] if len(wanted) == _ID_LENGTH else desk.entries.ids_from(wanted)
    seen = [
        entry
        for entry_id in ids
        if (entry := desk.entries.by_id(entry_id)) is not None and is_seen(caller, entry, desk.now)
    ]
    if not seen:
        raise _unknown(desk, caller, wanted)
    if len(seen) > 1:
        raise Conflict(
            "memory.ambiguous",
            f"{len(seen)} entries begin with {wanted}",
            hint="give more digits: " + ", ".join(entry.id for entry in seen[:5]),
            rule="C7",
            ids=[entry.id for entry in seen],
        )
    return seen[0]


def choose_whole(desk: Desk, caller: Caller, wanted: str) -> Entry:
    """The entry, whose row has to open its commitment before anything is done on the strength of it (L7)."""
    entry = choose(desk, caller, wanted)
    if entry.state == "erased":
        raise NotFound("memory.erased", f"{entry.id} was erased", rule="G42", id=entry.id)
    check_whole(desk, entry)
    return entry


def check_whole(desk: Desk, entry: Entry) -> None:
    """Refuse an entry whose row does not open its commitment (L7).

    Raises:
        Conflict: ``memory.altered``.
    """
    if not integrity.check(desk, [entry]).good:
        raise Conflict(
            "memory.altered",
            f"{entry.id} was altered behind the ledger; nothing was done with it",
            hint="oz0mem audit check --contents says what; then delete it or restore a backup",
            rule="L7",
            id=entry.id,
        )


def is_seen(caller: Caller, entry: Entry, now: int) -> bool:
    """Whether a person knows of an entry: what they may see, and for reviewers erased ones by id."""
    if entry.state == "erased":
        return permission.may(caller.role, "see_all")
    return not entry.restricted and not sight.is_past(entry, now) and sight.may_see(caller, entry, now)


def _unknown(desk: Desk, caller: Caller, wanted: str) -> NotFound:
    near: list[str] = []
    for length in range(len(wanted) - 1, 5, -1):
        near = [
            entry_id
            for entry_id in desk.entries.ids_from(wanted[:length], 10)
            if (entry := desk.entries.by_id(entry_id)) is not None and is_seen(caller, entry, desk.now)
        ][:3]
        if near:
            break
    return NotFound(
        "memory.unknown",
        "there is no such entry among what you may see",
        hint=f"did you mean {' or '.join(near)}?" if near else "oz0mem list shows what there is",
        rule="C7",
        near=near,
    )
