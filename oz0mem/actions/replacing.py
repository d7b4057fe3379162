"""What an entry replaces once it is in force, and how that is closed (M11 to M14, M16).

Promises that what is replaced is found before anything is written, that two replacements of one entry are never both
in force, and that what was closed says by what and since when. Leaves whether the caller may to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import integrity, sight
from oz0mem.actions.versions import write_next
from oz0mem.model.errors import Conflict, Refused
from oz0mem.model.kinds import ACTIVE, DEFINITION, ERASED, HELD, KINDS, REPLACED, RETIRED
from oz0mem.rules import events
from oz0mem.rules.walls import NONE, Walls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry

_EVENTS = 100
_MOST = 20_000
"""More than a scope may hold (G14)."""


def replaced_by(desk: Desk, entry: Entry, apart: Walls = NONE) -> list[Entry]:
    """Everything in force that an entry replaces once it is: what it was written to replace, and by its key.

    Args:
        desk: the transaction.
        entry: what comes into force.
        apart: the walls round the job that asks, from behind which no error names anything (M25).

    Raises:
        Conflict: ``memory.overtaken`` where another replacement came into force meanwhile (M14), ``memory.altered``.
    """
    by_key = replaced_by_key(desk, entry, apart)
    # A definition replaces what is in force under its term at that moment, whatever it was written over (M13).
    root = root_of(desk, entry) if entry.kind != DEFINITION else None
    if root is not None and root.state != ACTIVE:
        rival = _rival(desk, entry, root)
        if rival is not None:
            raise _overtaken(entry, root, _in_force(desk, rival), apart)
    if root is None or root.state != ACTIVE or root.id in {other.id for other in by_key}:
        return by_key
    return [_whole(desk, root), *by_key]


def root_of(desk: Desk, entry: Entry) -> Entry | None:
    """The entry that this one was written to replace, past proposals that gave way before anybody accepted them.

    Its row alone where that was erased since; None where it was written over nothing.

    Raises:
        Conflict: ``memory.erased_between`` where a proposal between the two was erased, and with it what it was over.
    """
    seen: set[str] = set()
    while entry.replaces and entry.replaces not in seen:
        seen.add(entry.replaces)
        before = desk.entries.by_id(entry.replaces)
        if before is None:
            return None
        if before.state == ERASED and not _was_in_force(desk, before):
            raise Conflict(
                "memory.erased_between",
                f"{entry.id} was written over {before.id}, a proposal that was erased; what it would end is not known",
                hint=f"oz0mem delete {entry.id} --reason '…'; then propose the text anew over what is in force",
                rule="M12",
                id=entry.id,
            )
        if not gave_way(before):
            return before
        entry = before
    return None


def _was_in_force(desk: Desk, erased: Entry) -> bool:
    """Whether an entry that was erased had been in force, by its events, which say nothing of its text."""
    before = desk.head.size
    number = erased.numbers.entry
    while told := desk.ledger.latest(before=before, limit=_EVENTS, entry=number):
        if any((events.read(each) or {}).get("state") == ACTIVE for each in told):
            return True
        before = told[-1].at
    return False


def _rival(desk: Desk, entry: Entry, root: Entry) -> Entry | None:
    """Another replacement of the same entry that came into force, None where there was none (M14)."""
    if root.state == REPLACED:
        return desk.entries.by_id(root.replaced_by) if root.replaced_by != entry.id else None
    if KINDS[entry.kind].proposal:
        return _accepted_over(desk, entry, root)
    # What was retired or erased does not say by what it was replaced: those written over it do.
    place = desk.entries.place(entry.scope, entry.about, entry.purpose)[0]
    rows = [
        row
        for row in desk.listing.in_places([place], (ACTIVE, REPLACED, RETIRED), _MOST)
        if sight.kind_of(row) == entry.kind and not row.held
    ]
    for other in desk.entries.load(rows):
        if other.id != entry.id and other.replaces == root.id:
            return other
    return None


def _accepted_over(desk: Desk, entry: Entry, root: Entry) -> Entry | None:
    """Another proposal that was accepted over the same entry, as the ledger knows though all of it is erased."""
    before = desk.head.size
    while page := desk.ledger.latest(before=before, limit=_EVENTS, action="memory.accepted", since=root.created):
        for told in page:
            event = events.read(told) or {}
            if event.get("over") == root.id and event["entry"] != entry.id:
                return desk.entries.by_id(event["entry"])
        before = page[-1].at
    return None


def _overtaken(entry: Entry, root: Entry, newest: Entry, apart: Walls) -> Conflict:
    if apart.hide(newest) or newest.state == ERASED:
        return Conflict(
            "memory.overtaken",
            f"another replacement of {root.id} came into force meanwhile; nothing was changed",
            hint="recall what is in force, and decide anew",
            rule="M14",
            id=entry.id,
        )
    return Conflict(
        "memory.overtaken",
        f"another replacement of {root.id} came into force meanwhile, {newest.id}; nothing was changed",
        hint=f"supersede the one in force: oz0mem supersede {newest.id} TEXT --version {newest.version}",
        rule="M14",
        id=entry.id,
        in_force=newest.id,
        version=newest.version,
    )


def gave_way(entry: Entry) -> bool:
    """Whether an entry was a proposal that a newer one ended before it was in force: it still says why it waited."""
    return entry.state == REPLACED and bool(entry.held)


def _in_force(desk: Desk, entry: Entry) -> Entry:
    """The last of the entries that replaced one another, from this one on."""
    seen = {entry.id}
    while entry.state == REPLACED and entry.replaced_by not in seen:
        after = desk.entries.by_id(entry.replaced_by)
        if after is None or after.state == ERASED:
            return entry
        seen.add(after.id)
        entry = after
    return entry


def _whole(desk: Desk, entry: Entry) -> Entry:
    """The entry, which a version must not be made of where its row was altered (L7)."""
    if not integrity.check(desk, [entry]).good:
        raise _altered(entry)
    return entry


def _altered(entry: Entry, apart: Walls = NONE) -> Conflict:
    return Conflict(
        "memory.altered",
        f"{'an entry' if apart.hide(entry) else entry.id} would be replaced and was altered behind the ledger;"
        " nothing was changed",
        hint="oz0mem audit check --contents says what; then delete it or restore a backup",
        rule="L7",
        **({} if apart.hide(entry) else {"id": entry.id}),
    )


def replaced_by_key(desk: Desk, entry: Entry, apart: Walls = NONE) -> list[Entry]:
    """The active entries that this one replaces once it is active (M11): all of key, kind and place agree.

    Raises:
        Conflict: ``memory.altered``: a version made of an altered row would pass it off as good (L7).
    """
    return _keyed(desk, entry, ACTIVE, apart)


def proposed_by_key(desk: Desk, entry: Entry, apart: Walls = NONE) -> list[Entry]:
    """The proposals of the same key, kind and place that wait for a person (M13)."""
    return _keyed(desk, entry, HELD, apart)


def _keyed(desk: Desk, entry: Entry, state: str, apart: Walls) -> list[Entry]:
    if not entry.key:
        return []
    place = desk.entries.place(entry.scope, entry.about, entry.purpose)[0]
    old = [
        other
        for other in desk.entries.keyed(entry.key, place, entry.kind)
        if other.state == state and other.key == entry.key and other.id != entry.id
    ]
    altered = set(integrity.check(desk, old).altered)
    for other in old:
        if other.id in altered:
            raise _altered(other, apart)
    return old


def preserved(desk: Desk, entries: Sequence[Entry]) -> list[str]:
    """The legal holds that cover any of these entries; every path that replaces asks here (G40)."""
    found = desk.holds.covering_each([entry.numbers for entry in entries])
    return sorted({hold for holds in found.values() for hold in holds})


def check_preserved(desk: Desk, entries: Sequence[Entry]) -> None:
    """Refuse to replace what a legal hold covers (G40).

    Raises:
        Refused: ``hold.covers`` with the holds.
    """
    holds = preserved(desk, entries)
    if holds:
        raise Refused(
            "hold.covers",
            "the entry that this one would replace is under a legal hold; nothing was changed",
            hint="oz0mem show " + next(entry.id for entry in entries if desk.holds.covering(entry.numbers)),
            rule="G40",
            holds=holds,
        )


def close_replaced(
    desk: Desk, old: Sequence[Entry], new: Entry, actor: Mapping[str, Any], *, at: int = 0, approval: str = ""
) -> None:
    """Close what a new active entry replaces, with when it stopped being true and by what (M11).

    A proposal that gives way keeps why it waited, which tells it from one that was in force (M12).

    Args:
        desk: the transaction.
        old: what is replaced.
        new: by what; its ``valid_from`` ends the old, else ``at``.
        actor: who is told to have done it.
        at: when the new one became active; 0 for now.
        approval: id of the approval under which it is done, or ''.
    """
    told = {"approval": approval} if approval else {}
    for entry in old:
        write_next(
            desk,
            entry,
            actor,
            "memory.replaced",
            state=REPLACED,
            replaced_by=new.id,
            ended_at=(new.valid_from if entry.state == ACTIVE else 0) or at or desk.now,
            **told,
        )
