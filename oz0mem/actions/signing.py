"""Signed heads against the ledger: the store's own, those that this machine signed, one that was kept (L12, L14, L36).

Promises that every head is read again by the stand-alone verifier, and that a ledger which lost events since a head
was signed, or has others, is told with the size of that head. Leaves the events to ``trail``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import heads, keys, lineage
from oz0mem.model.errors import Unverified
from oz0mem.model.moments import SECOND

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk
    from oz0mem.actions.trail import Trail
    from oz0mem.model.heads import SignedHead

_PAGE = 200


def check(desk: Desk, trail: Trail, ctx: Context, against: str) -> list[int]:
    """Compare every signed head that is known; answers their sizes."""
    _check_lineage(desk, trail, ctx)
    sizes = _check_kept(desk, trail)
    first = keys.first_of(desk)
    for pin in ctx.keys.pins(desk.head.origin) if ctx.keys is not None else []:
        if pin.first == first:
            sizes.append(pin.size)
            _check_note(desk, trail, pin.head, f"{pin.size} in signed.json")
        elif pin.store == ctx.store.place:
            trail.tell("head", pin.size, f"a head of {pin.size} was signed here for another ledger in this place")
    if against:
        size = _check_note(desk, trail, against, "that was kept")
        sizes += [size] if size >= 0 else []
    return sorted(set(sizes))


def _check_lineage(desk: Desk, trail: Trail, ctx: Context) -> None:
    """Keys that do not count; one that this machine has waits for the end of a rotation (L13)."""
    known, here = lineage.read(desk), {key.id for key in keys.here(desk, ctx.keys)}
    for index, sentence in known.wrong:
        trail.tell("key", index, sentence)
    for key in known.pending:
        if key.id not in here:
            said = f"event {key.start - 1} adds key {key.id}, and no head is signed by it and the key before it"
            trail.tell("key", key.start - 1, said)


def _check_kept(desk: Desk, trail: Trail) -> list[int]:
    """The heads that the store keeps; the first that does not hold says between which events to look."""
    sizes: list[int] = []
    after, holds = -1, 0
    wrong: list[int] = []
    while page := desk.heads.page(after, _PAGE):
        for each in page:
            if each.size > desk.head.size:
                said = f"a head of {each.size} events was signed, and {desk.head.size} are there: some are cut off"
                trail.tell("head", each.size, said)
            elif each.size >= 0 and heads.root_at(desk, each.size) == each.root:
                holds = holds if wrong else each.size
                _check_row(desk, trail, each)
            else:
                wrong.append(each.size)
        sizes += [each.size for each in page if each.note]
        after = page[-1].size
    if wrong:
        more = f", nor are {len(wrong) - 1} later ones" if len(wrong) > 1 else ""
        said = (
            f"the head of {wrong[0]} is not that of the events under it{more}: look at events {holds} to {wrong[0] - 1}"
        )
        trail.tell("head", wrong[0], said)
    return sizes


def _check_row(desk: Desk, trail: Trail, row: SignedHead) -> None:
    """A head in the store whose root holds: its note, and what stands beside it."""
    if not row.note:
        return
    try:
        held = heads.read_held(desk, row.note)
    except Unverified as error:
        trail.tell("head", row.size, f"the head of {row.size} in the store: {error.message}")
        return
    ids, at = _signed_by(desk, row.note)
    if (held.size, held.root) != (row.size, row.root) or ids != sorted(row.key.split()) or at != row.at // SECOND:
        trail.tell("head", row.size, f"the head of {row.size} in the store is not the one that was signed")


def _signed_by(desk: Desk, note: str) -> tuple[list[str], int]:
    """The keys whose lines a note has, and when it was signed: a head that was checked already."""
    from oz0mem import verify

    lines = {hash4: signature for _, hash4, signature in verify.read_note(note)[1]}
    ids, at = [], 0
    for key in keys.of_ledger(desk):
        halves = [verify.read_vkey(vkey) for vkey in key.vkeys]
        if all(hash4 in lines for _, hash4, _, _ in halves):
            ids.append(key.id)
            at = next(int.from_bytes(lines[hash4][:8], "big") for _, hash4, kind, _ in halves if kind == verify.MLDSA)
    return sorted(ids), at


def _check_note(desk: Desk, trail: Trail, note: str, which: str) -> int:
    """A head from outside the store; answers its size, -1 where it cannot be read."""
    try:
        return heads.held_against(desk, note)[0]
    except Unverified as error:
        trail.tell("head", which, f"the head {which}: {error.message}")
        return -1
