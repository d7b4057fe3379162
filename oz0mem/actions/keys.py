"""The keys that sign a ledger's heads: which are in force, and the public key file (L13).

Promises that the ledger itself says from which size to which a key signs. Leaves the seeds to the machine
(``ports.Keys``), signing to ``heads``, and putting a new key in force to ``rotation``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context
from oz0mem.model.errors import Refused
from oz0mem.model.heads import PublicKey
from oz0mem.rules import events

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk, Keys

_MOST = 1_000
"""Keys of one ledger that are looked at: one a day for years."""


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
    """Every key that the ledger knows, oldest first, with the sizes of heads that it signs.

    The first key signs from the beginning; each later one from the head that has its adding; a retired one up to
    the head before its retiring.
    """
    found: dict[str, PublicKey] = {}
    for index, event in _events(desk, "ledger.key_added"):
        vkeys = tuple(event["vkeys"])
        if _are_good(vkeys):
            from oz0mem import verify

            key = PublicKey(verify.key_id(vkeys), vkeys, index + 1 if found else 0)
            found.setdefault(key.id, key)
    for index, event in _events(desk, "ledger.key_retired"):
        key_id = str(event.get("key", ""))
        if key_id in found:
            found[key_id] = found[key_id]._replace(until=index)
    return list(found.values())


def _are_good(vkeys: tuple[str, ...]) -> bool:
    """Whether these are the two halves of a key; somebody with the store's file could write anything into an event."""
    from oz0mem import verify

    try:
        return sorted(verify.read_vkey(each)[2] for each in vkeys) == [verify.ED25519, verify.MLDSA]
    except verify.Unverified:
        return False


def _events(desk: Desk, action: str) -> list[tuple[int, dict[str, Any]]]:
    """The events of one action that are as they were written, oldest first."""
    found: list[tuple[int, dict[str, Any]]] = []
    for told in reversed(desk.ledger.latest(before=desk.head.size, limit=_MOST, action=action)):
        event = events.read(told)
        if event is not None and event["action"] == action:
            found.append((told.at, event))
    return found


def in_force(desk: Desk) -> list[PublicKey]:
    """The keys that sign a head now: one, or the old and the new one amid a rotation."""
    return [key for key in of_ledger(desk) if key.until < 0]


def usable(desk: Desk, ctx: Context) -> tuple[Keys, list[PublicKey]]:
    """The machine's keys and those in force, all of which it has.

    Raises:
        Refused: ``keys.none`` or ``keys.elsewhere``, rule L13.
    """
    due = in_force(desk)
    if not due:
        raise Refused(
            "keys.none",
            f"the ledger {desk.head.origin} has no signing key yet",
            hint="oz0mem init makes what is missing, and changes nothing else",
            rule="L13",
        )
    here = {key.id for key in _here(desk, ctx.keys)}
    missing = [key.id for key in due if key.id not in here]
    if ctx.keys is None or missing:
        raise Refused(
            "keys.elsewhere",
            f"the signing key {', '.join(missing)} of {desk.head.origin} is not on this machine",
            hint="run it where oz0mem init ran, or put the key into OZ0MEM_SIGNING_KEY",
            rule="L13",
            keys=missing,
        )
    return ctx.keys, due


def public(ctx: Context) -> KeyFile:
    """The public key file, for whoever is to check receipts.

    Raises:
        Forbidden: ``role.forbidden``.
    """

    def look(desk: Desk) -> KeyFile:
        context.person_of(desk, ctx, "audit")
        here = {key.id for key in _here(desk, ctx.keys)}
        due = [key.id for key in in_force(desk)]
        return key_file(desk)._replace(here=bool(due) and here.issuperset(due))

    return ctx.read(look)


def key_file(desk: Desk) -> KeyFile:
    """The public key file; whether the key in force is here was not asked."""
    return KeyFile(desk.head.origin, tuple(of_ledger(desk)), False)


def first_of(desk: Desk) -> str:
    """What tells a ledger from another one of the same origin: its first event's leaf, salted, in hex."""
    return desk.ledger.leaves(0, 1).hex()


def _here(desk: Desk, keys: Keys | None) -> list[PublicKey]:
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
    known = {key.id for key in of_ledger(desk)}
    left = [key for key in _here(desk, keys) if key.id not in known]
    return left[0] if left else keys.make(desk.head.origin, first_of(desk), desk.random)


def told(key: PublicKey, **more: str) -> dict[str, Any]:
    """The fields of a key's event."""
    return {"vkeys": list(key.vkeys), "key": key.id, **more}
