"""Heads of the ledger, signed (L12, L14).

Promises that everything under a head is on the disk before it is signed, that a head is signed only where it extends
the last one that this machine signed, and that this machine knows it (``signed.json``) before anybody is given
it; a ``draft`` is given to nobody, and so needs none of this. Leaves keys to ``keys`` and notes to ``oz0mem.verify``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from oz0mem.actions import context, keys
from oz0mem.model.errors import Oz0Error, Unverified
from oz0mem.model.heads import Pin, SignedHead
from oz0mem.rules import merkle

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk, Keys
    from oz0mem.model.heads import PublicKey

T = TypeVar("T")


class Signed(NamedTuple):
    """A signed head: origin, events under it, root in hex, when (microseconds UTC), ids of its keys, the note."""

    ledger: str
    size: int
    root: str
    at: int
    keys: tuple[str, ...]
    note: str


def head(ctx: Context) -> Signed:
    """Sign the ledger's head as it is now.

    Who asks is judged before anything is said of keys, and once more in the transaction.

    Raises:
        Refused: ``keys.none``, ``keys.elsewhere``; or by L14 where the store is an older copy.
        Forbidden: ``role.forbidden``.
    """
    ctx.read(lambda desk: context.person_of(desk, ctx, "audit"))
    return sign(ctx, lambda desk: context.person_of(desk, ctx, "audit"))[0]


def sign(ctx: Context, before: Callable[[Desk], T]) -> tuple[Signed, T]:
    """Run ``before`` and sign the head that it leaves.

    Args:
        ctx: the store and the machine's keys.
        before: what is to stand under the head, in the transaction that makes it durable; who may is its own to ask.
    """
    machine, _ = ctx.store.read(ctx.clock(), lambda desk: keys.usable(desk, ctx), recheck=True)
    with machine.alone():
        return sign_alone(ctx, machine, before)


def sign_alone(ctx: Context, machine: Keys, before: Callable[[Desk], T]) -> tuple[Signed, T]:
    """Do as ``sign`` does, for whoever keeps other signers waiting already."""

    def act(desk: Desk) -> tuple[T, SignedHead, str, str, list[PublicKey]]:
        answer = before(desk)
        due = keys.usable(desk, ctx)[1]
        return answer, desk.heads.put(), desk.head.origin, keys.first_of(desk), due

    # Compared with signed.json, which nobody else writes now, and on the disk when this returns (L14).
    answer, made, ledger, first, due = ctx.store.write(ctx.clock(), act, recheck=True)
    ids = tuple(key.id for key in due)
    note = machine.sign(ledger, ids, made)
    machine.pin(Pin(ledger, first, ctx.store.place, made.size, made.root.hex(), note))
    ctx.store.record(ctx.clock(), lambda desk: desk.heads.sign(made.size, ids, note))
    return Signed(ledger, made.size, made.root.hex(), made.at, ids, note), answer


def draft(ctx: Context) -> str:
    """The head as it is now, signed to be compared and to be given to nobody; '' where the key is elsewhere (L13)."""

    def look(desk: Desk) -> tuple[Keys, str, list[str], SignedHead]:
        machine, due = keys.usable(desk, ctx)
        root = merkle.root(desk.head.edge, desk.head.size)
        return machine, desk.head.origin, [key.id for key in due], SignedHead(desk.head.size, root, desk.now, "", "")

    try:
        machine, ledger, ids, made = ctx.read(look)
    except Oz0Error as error:
        if error.code in _NO_KEY:
            return ""
        raise
    return machine.sign(ledger, ids, made)


_NO_KEY = ("keys.none", "keys.elsewhere")


def sign_where_possible(ctx: Context) -> Signed | None:
    """Sign for ``upkeep``: None where the key is on another machine, or there is none (L13)."""
    try:
        return sign(ctx, lambda _: None)[0]
    except Oz0Error as error:
        if error.code in _NO_KEY:
            return None
        raise


def held_against(desk: Desk, text: str) -> tuple[int, list[bytes]]:
    """The size of a head that somebody holds, and the proof that this ledger extends it.

    Args:
        desk: the ledger.
        text: the signed note.

    Raises:
        Unverified: ``head.bad``, ``head.ledger``, ``head.key``, ``head.rollback`` or ``head.fork``.
    """
    held = read_held(desk, text)
    if held.size > desk.head.size:
        raise Unverified(
            "head.rollback",
            f"the head is of {held.size} events, and the ledger has {desk.head.size}: events are missing",
            hint="put the newest copy of the store back",
            rule="L14",
        )
    if not held.size:
        return 0, []
    if root_at(desk, held.size) != held.root:
        raise Unverified(
            "head.fork",
            f"the first {held.size} events are not those under the head: the ledger was rewritten",
            hint="oz0mem audit check --contents says where it does not hold",
            rule="L36",
        )
    try:
        return held.size, merkle.consistency(held.size, desk.head.size, desk.ledger.leaves, desk.ledger.row)
    except ValueError:
        raise Unverified(
            "head.rollback",
            f"the ledger's head counts {desk.head.size} events, and hashes of some are missing",
            hint="oz0mem audit check says where; put the newest copy of the store back",
            rule="L14",
        ) from None


def root_at(desk: Desk, size: int) -> bytes:
    """The root of the first events from what is stored; b'' where hashes are missing."""
    try:
        return merkle.root(merkle.edge_of(size, desk.ledger.leaves, desk.ledger.row), size)
    except ValueError:
        return b""


def read_held(desk: Desk, text: str) -> Any:
    """A head that somebody holds, signed by a key that this ledger knows.

    Raises:
        Unverified: ``head.bad``, ``head.ledger`` or ``head.key``.
    """
    from oz0mem import verify

    known = tuple(
        verify.Key(key.id, tuple(verify.read_vkey(each) for each in key.vkeys), key.start, key.until)
        for key in keys.of_ledger(desk)
    )
    try:
        return verify.check_head(text, verify.Keys(desk.head.origin, known))[0]
    except verify.Unverified as error:
        code = {"head": "head.bad", "ledger": "head.ledger"}.get(error.code, "head.key")
        raise Unverified(
            code,
            f"that head cannot be compared: {error.message}",
            hint="give a head that oz0mem audit head -o FILE wrote",
            rule="L36",
        ) from None
