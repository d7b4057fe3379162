"""A new signing key put in force (L13).

Promises that a rotation broken off anywhere is finished by the next one, and that a retired key's seeds are taken away
only once its successor's head is given out. Leaves which keys there are to ``keys``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import audit, context, gate, heads, keys, refusals
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.actions.heads import Signed
    from oz0mem.actions.ports import Desk, Keys
    from oz0mem.model.heads import PublicKey


class Rotated(NamedTuple):
    """The key that signs from now on, where its seeds are, those that sign no more, and the last head."""

    key: PublicKey
    where: str
    retired: tuple[str, ...]
    head: Signed


@refusals.told("audit")
def rotate(ctx: Context, reason: str) -> Rotated:
    """Put a new key in force (L13): added, a head signed by old and new, the old one retired, a head by the new one.

    One that was broken off is finished, and no third key made.

    Raises:
        Refused: ``keys.elsewhere`` where the key in force is not here.
        Forbidden: ``role.forbidden``.
    """
    gate.scan({"reason": reason})
    why = check_reason(reason)
    ctx.read(lambda desk: context.person_of(desk, ctx, "govern"))
    machine, _ = ctx.store.read(ctx.clock(), lambda desk: keys.usable(desk, ctx), recheck=True)
    with machine.alone():
        heads.sign_alone(ctx, machine, lambda desk: _add(desk, ctx, machine, why))
        signed, (new, old) = heads.sign_alone(ctx, machine, lambda desk: _retire(desk, ctx))
        # Also those that a rotation before this one had no time to take away.
        for key in ctx.read(keys.of_ledger):
            if key.until >= 0:
                machine.drop(signed.ledger, key.id)
    return Rotated(new, machine.where(signed.ledger, new.id), old, signed)


def _add(desk: Desk, ctx: Context, machine: Keys, reason: str) -> None:
    caller = context.person_of(desk, ctx, "govern")
    gate.scan_own(desk, {"reason": reason})
    _, due = keys.usable(desk, ctx)
    if len(due) > 1:
        return
    made = keys.make_new(desk, machine)
    told = keys.told(made, **audit.reasoned(desk, reason))
    desk.ledger.append("ledger.key_added", context.actor(desk, caller), told)


def _retire(desk: Desk, ctx: Context) -> tuple[PublicKey, tuple[str, ...]]:
    caller = context.person_of(desk, ctx, "govern")
    _, due = keys.usable(desk, ctx)
    for key in due[:-1]:
        desk.ledger.append("ledger.key_retired", context.actor(desk, caller), keys.told(key))
    return due[-1], tuple(key.id for key in due[:-1])
