"""The keys that sign a ledger's heads: which are in force, and the public key file (L13).

Promises that the ledger itself says from which size to which a key signs. Leaves the seeds to the machine
(``ports.Keys``), signing to ``heads``, and putting a new key in force to ``rotation``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context, lineage
from oz0mem.model.errors import Refused
from oz0mem.model.heads import PublicKey

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk, Keys


class KeyFile(NamedTuple):
    """The public keys of a ledger, and whether this machine can sign with the one in force."""

    ledger: str
    keys: tuple[PublicKey, ...]
    here: bool

    def document(self) -> dict[str, Any]:
        """As it is handed out: ``head.pub.json`` (L13)."""
        return {
            "oz0mem": "keys/1",
            "ledger": self.ledger,
            "keys": [
                {"id": key.id, "vkeys": list(key.vkeys), "from": key.start, "until": key.until} for key in self.keys
            ],
        }

    def encoded(self) -> bytes:
        """The file's bytes."""
        return json.dumps(self.document(), indent=1).encode() + b"\n"


def of_ledger(desk: Desk) -> list[PublicKey]:
    """Every key that counts, oldest first, with the sizes of heads that it signs."""
    return lineage.read(desk).keys


def usable(desk: Desk, ctx: Context) -> tuple[Keys, list[PublicKey]]:
    """The machine's keys and those that sign a head now, all of which it has: one, or two amid a rotation.

    Raises:
        Refused: ``keys.none``, ``keys.elsewhere`` or ``keys.unproven``, rule L13.
    """
    known = lineage.read(desk)
    due = known.in_force
    if not due:
        raise Refused(
            "keys.none",
            f"the ledger {desk.head.origin} has no signing key yet",
            hint="oz0mem init makes what is missing, and changes nothing else",
            rule="L13",
        )
    own = {key.id for key in here(desk, ctx.keys)}
    missing = [key.id for key in due if key.id not in own]
    if ctx.keys is None or missing:
        raise Refused(
            "keys.elsewhere",
            f"the signing key {', '.join(missing)} of {desk.head.origin} is not on this machine",
            hint="run it where oz0mem init ran, or put the key into OZ0MEM_SIGNING_KEY",
            rule="L13",
            keys=missing,
        )
    foreign = [key.id for key in known.pending if key.id not in own]
    if foreign:
        # A head over it would be this machine's word for a key that somebody else put there.
        raise Refused(
            "keys.unproven",
            f"key {', '.join(foreign)} was added by no key that signed before, and is not on this machine",
            hint="oz0mem audit check says where; put the newest copy of the store back",
            rule="L13",
            keys=foreign,
        )
    return ctx.keys, [*due, *known.pending]


def public(ctx: Context) -> KeyFile:
    """The public key file, for whoever is to check receipts; never that of an older copy of the store (L14).

    Raises:
        Forbidden: ``role.forbidden``.
        Refused: by L14.
    """

    def look(desk: Desk) -> KeyFile:
        context.person_of(desk, ctx, "audit")
        own = {key.id for key in here(desk, ctx.keys)}
        due = [key.id for key in lineage.read(desk).in_force]
        return key_file(desk)._replace(here=bool(due) and own.issuperset(due))

    return ctx.store.read(ctx.clock(), look, recheck=True)


def key_file(desk: Desk) -> KeyFile:
    """The public key file; whether the key in force is here was not asked."""
    return KeyFile(desk.head.origin, tuple(of_ledger(desk)), False)


def first_of(desk: Desk) -> str:
    """What tells a ledger from another one of the same origin: its first event's leaf, salted, in hex."""
    return desk.ledger.leaves(0, 1).hex()


def here(desk: Desk, keys: Keys | None) -> list[PublicKey]:
    """The keys of this ledger whose seeds this machine has."""
    return keys.of(desk.head.origin, first_of(desk)) if keys is not None else []


def open_key(ctx: Context) -> PublicKey | None:
    """Give a ledger its first key; None where it has one. For ``init``, which acts before anybody can.

    The seeds are on the disk before the ledger knows the key; a crash between is mended by the next ``init``.
    """
    keys = ctx.keys
    if keys is None or ctx.read(lambda desk: bool(of_ledger(desk))):
        return None

    def act(desk: Desk) -> PublicKey | None:
        if of_ledger(desk):
            return None
        made = make_new(desk, keys)
        desk.ledger.append("ledger.key_added", context.SYSTEM, told(made))
        return made

    with keys.alone():
        return ctx.store.write(ctx.clock(), act)


def make_new(desk: Desk, keys: Keys) -> PublicKey:
    """A key that the ledger was not told of: what a crash left here or the environment has, else one made now."""
    known = lineage.read(desk)
    told_of = {key.id for key in (*known.keys, *known.pending)}
    left = [key for key in here(desk, keys) if key.id not in told_of]
    return left[0] if left else keys.make(desk.head.origin, first_of(desk), desk.random)


def told(key: PublicKey, **more: str) -> dict[str, Any]:
    """The fields of a key's event."""
    return {"vkeys": list(key.vkeys), "key": key.id, **more}
