"""Erasing in two steps, for every path that removes (L21, G41, G44).

Promises that what is to go is overwritten and noted in one transaction, the files are cleaned, and only then
the closing events say so; a crash or a reader between leaves it open, and the next command finishes it.
Leaves who may erase what to ``forget`` and ``upkeep``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.model.erasures import Gone
from oz0mem.model.errors import Fault
from oz0mem.model.ledger import ERASING
from oz0mem.rules import events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.erasures import OpenErasure


class Begun(NamedTuple):
    """An erasure after its first step: its numbers, what was overwritten, and what the answer counts.

    Attributes:
        unlinked: whether the person's name and key were overwritten too (L4).
        kept_because: why they were not, where that was asked for.
        calls: how many waiting calls went with the person (G31).
        subject: the person's handle, where an erasure without entries is closed by somebody else.
        since: index of the first event that may close it.
    """

    erasures: list[int]
    gone: Gone
    ids: list[str]
    scopes: list[str]
    restricted: int
    unlinked: bool = False
    kept_because: tuple[str, ...] = ()
    subject: str = ""
    since: int = 0
    calls: int = 0


class Erased(NamedTuple):
    """The answer to an erasure: ids and scopes, indexes of closing events, residue, whether it is open.

    Attributes:
        unlinked: whether the person's name and key went too, so that no receipt can be made any more (L4).
        kept_because: why they stay, where they were to go: some of ``rules.unlinking.REASONS``.
        calls: how many waiting calls about the person, or that name them, went too (G31, L5).
    """

    about: str
    ids: list[str]
    scopes: list[str]
    events: list[int]
    residue: str
    open: bool
    restricted: int = 0
    mentions: tuple[str, ...] = ()
    unlinked: bool = False
    kept_because: tuple[str, ...] = ()
    calls: int = 0


_NO_COMMITMENT = "c_" + "0" * 64
"""Stands where the version that a commitment was for is gone since."""

NOTHING = Begun([], Gone([], []), [], [], 0)


def begin(
    desk: Desk,
    action: str,
    actor: dict[str, Any],
    entries: Sequence[Entry],
    *,
    about: int,
    basis: str,
    **fields: Any,
) -> tuple[int, Gone]:
    """Overwrite entries and note the erasure that has to be closed (L21's first step).

    Args:
        desk: a durable transaction.
        action: the closing event's.
        actor: who erases.
        entries: newest versions of what goes; all their versions go.
        about: number of the person, 0 for work.
        basis: one of L2's.
        fields: more of the starting event's (``reason_commit``).

    Returns:
        The erasure's number and what stood in the overwritten rows.
    """
    number = desk.erasing.begin(action, about, basis, actor)
    gone = Gone([], []).joined(*(desk.erasing.erase_entry(number, entry) for entry in entries))
    tell_started(desk, actor, [entry.id for entry in entries], about=about, basis=basis, **fields)
    return number, gone


def tell_started(
    desk: Desk, actor: dict[str, Any], ids: Sequence[str], *, about: int, basis: str, **fields: Any
) -> None:
    """Tell the ledger that an erasure began; ids are split over events, never cut (L2)."""
    subject = {"subject": desk.names.subject_handle(about)} if about else {}
    for part in events.split(ids) or [[]]:
        told = {"count": len(part), "entries": list(part), "basis": basis, **subject, **fields}
        desk.ledger.append("memory.forget_started", actor, told)


def finish(ctx: Context, begun: Begun, about: str) -> Erased:
    """Clean the files and close (L21's second and third step), with what an earlier crash left open."""
    indexes: list[int] = []
    if not begun.erasures:
        left = finish_left(ctx)
        residue = "not-checked" if left else "none-found"
    else:
        found = ctx.store.scrub(begun.gone)
        left, residue = not found, found or "not-checked"
        if found:
            indexes, others = ctx.store.write(ctx.clock(), lambda desk: _close_mine(desk, begun, found))
            # Another process closed it first, and did not know what to look for.
            residue = "not-checked" if others else found
    return Erased(
        about,
        begun.ids,
        begun.scopes,
        indexes,
        residue,
        left,
        begun.restricted,
        unlinked=begun.unlinked,
        kept_because=begun.kept_because,
        calls=begun.calls,
    )


def _close_mine(desk: Desk, begun: Begun, residue: str) -> tuple[list[int], bool]:
    """Close an erasure, and what an earlier crash left open, which stood in the files that were cleaned just now.

    Returns:
        Indexes of the closing events, and whether another process wrote any of them.
    """
    wanted = set(begun.erasures)
    opened = [erasure for erasure in desk.erasing.open() if erasure.number <= max(wanted)]
    closed: list[int] = []
    for erasure in opened:
        mine = erasure.number in wanted
        closing = _close(desk, erasure, residue if mine else "not-checked")
        closed += closing if mine else []
    others = not wanted <= {erasure.number for erasure in opened}
    return (_closings_of(desk, begun) if others else closed), others


def _closings_of(desk: Desk, begun: Begun) -> list[int]:
    """The closing events of these entries, wherever the ledger's last events have them."""
    ids = set(begun.ids)
    found: list[int] = []
    for told in desk.ledger.latest(before=desk.head.size, limit=1_000):
        event = events.read(told)
        if told.at < begun.since or event is None or event["action"] not in ERASING:
            continue
        if ids.issuperset(event["entries"]) if event["entries"] else event.get("subject") == begun.subject:
            found.append(told.at)
    return sorted(found)


def finish_left(ctx: Context) -> bool:
    """Finish what is open though nothing new was begun; answers whether something still is (L21)."""
    if not ctx.read(lambda desk: desk.head.open_erasures):
        return False
    finish_open(ctx, patience=10.0)
    return bool(ctx.read(lambda desk: desk.head.open_erasures))


def finish_open(ctx: Context, *, patience: float) -> int:
    """Finish what a crash or a reader left open; answers how many erasures were closed.

    What was overwritten is not known any more, so the files cannot be searched for it: ``not-checked``.
    """
    # Only what was open before the files were cleaned: a later erasure is another process's, not cleaned yet.
    before = ctx.read(lambda desk: {erasure.number for erasure in desk.erasing.open()})
    residue = ctx.store.scrub(None, patience=patience)
    if not residue:
        return 0

    def close(desk: Desk) -> int:
        opened = [erasure for erasure in desk.erasing.open() if erasure.number in before]
        for erasure in opened:
            _close(desk, erasure, residue)
        return len(opened)

    return ctx.store.write(ctx.clock(), close)


def _close(desk: Desk, erasure: OpenErasure, residue: str) -> list[int]:
    """The closing events of one erasure, in one transaction; each with its own n about a person (L2)."""
    if not desk.erasing.reads_back_as_zeros(erasure.number):
        raise Fault(
            "erasure.not_zero",
            "what was overwritten does not read back as zeros; the erasure stays open",
            hint="oz0mem doctor; then look at the disk",
            rule="L22",
        )
    indexes: list[int] = []
    parts: Sequence[Sequence[str]] = events.split(erasure.entries) or ([[]] if erasure.about else [])
    for part in parts:
        told: dict[str, Any] = {
            "count": len(part),
            "entries": list(part),
            "basis": erasure.basis,
            "residue": residue,
            "backups_until": "none",
        }
        if erasure.action == "memory.rewritten":
            told["commit"] = _commitment(desk, part[0])
        if erasure.about:
            n, last = desk.names.counted(erasure.about)
            told |= {"subject": erasure.subject or desk.names.subject_handle(erasure.about), "n": n + 1, "prev": last}
        index = desk.ledger.append(erasure.action, erasure.actor, told)
        if erasure.about:
            desk.names.count(erasure.about, told["n"], index)
        indexes.append(index)
    desk.erasing.close(erasure.number)
    return indexes


def _commitment(desk: Desk, entry_id: str) -> str:
    """The commitment of the version that an edit wrote (L3)."""
    entry = desk.entries.by_id(entry_id)
    told = desk.ledger.newest_of([entry.numbers.entry]) if entry else {}
    event = next(iter(told.values()), None)
    read = events.read(event) if event else None
    return str(read["commit"]) if read else _NO_COMMITMENT
