"""What a person decides about a held entry: ``confirm`` and ``reject`` (M31, M32).

Promises that a confirmed entry changes neither tier nor end, that it replaces by its key only now (M11), and
that everything it would touch is checked first (M16). Proposals are refused here (M14).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import audit, context, gate, refusals, replacing, versions
from oz0mem.actions.choosing import choose_whole
from oz0mem.model.errors import Forbidden, Refused
from oz0mem.model.kinds import ACTIVE, DEFINITION, REJECTED
from oz0mem.rules import ends, lifecycle, permission
from oz0mem.rules.arguments import check_reason
from oz0mem.rules.walls import NONE, Walls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


class Changed(NamedTuple):
    """The answer to a change of one entry: how it stands now, and whether that is new."""

    entry: Entry
    changed: bool
    now: int


@refusals.told("confirm")
def confirm(ctx: Context, entry_id: str, reason: str = "") -> Changed:
    """Confirm a held entry: it is recalled from now on.

    Raises:
        Refused, Conflict, Forbidden, NotFound: by M7, M16, M31, M32, L7.
    """
    checked = gate.check_why(reason)
    return ctx.write(lambda desk: _confirm(desk, ctx, entry_id, checked))


def _confirm(desk: Desk, ctx: Context, entry_id: str, reason: str) -> Changed:
    caller = context.person_of(desk, ctx, "own")
    gate.scan_own(desk, {"reason": reason})
    entry = choose_whole(desk, caller, entry_id)
    check_review(caller, entry)
    if entry.state == ACTIVE and not lifecycle.is_ended(entry.state, entry.ends, desk.now):
        return Changed(entry, False, desk.now)
    settings = context.settings_of(desk)
    check_not_own(desk, settings, caller, entry)
    check_act(desk, "confirm", entry)
    told = audit.reasoned(desk, reason, about=entry.about, entry=entry.numbers.entry)
    confirmed = activate(desk, context.actor(desk, caller), settings, entry, "memory.confirmed", **told)
    return Changed(confirmed, True, desk.now)


def check_replacing(desk: Desk, settings: Settings, entry: Entry, apart: Walls = NONE) -> list[Entry]:
    """Everything in force that a held entry would replace, where nothing forbids that (M7, M14, M16, G40).

    Of what is behind a wall nothing is told to a job (M25); a legal hold on it is asked when a person decides.
    """
    old = replacing.replaced_by(desk, entry, apart)
    replacing.check_preserved(desk, [other for other in old if not apart.hide(other)])
    size = len(entry.text.encode()) + sum(len(other.text.encode()) for other in old)
    versions.check_caps(desk, settings, entry.scope, 0, size)
    return old


def activate(
    desk: Desk, actor: Mapping[str, Any], settings: Settings, entry: Entry, action: str, **changes: Any
) -> Entry:
    """Bring a held entry into force, closing what it replaces (M11, M12), all checks first (M16)."""
    old = check_replacing(desk, settings, entry)
    limit = ends.limit_now(entry.kind, entry.tier, entry.counted_from, settings, None)
    root = replacing.root_of(desk, entry) if entry.kind != DEFINITION else None
    replaces = old[0].id if old else root.id if root is not None else entry.replaces
    # The ledger keeps what it was accepted over, though that, or what came between, is erased (M14).
    changes |= {"over": root.id} if root is not None and action == "memory.accepted" else {}
    brought = ends.brought_down(entry.ends, limit)
    confirmed = versions.write_next(
        desk, entry, actor, action, state=ACTIVE, held="", replaces=replaces, ends=brought, **changes
    )
    replacing.close_replaced(desk, old, confirmed, actor, approval=changes.get("approval", ""))
    return confirmed


@refusals.told("reject")
def reject(ctx: Context, entry_id: str, reason: str) -> Changed:
    """Reject a held entry; the reason is for people, the agent learns only the state (M32)."""
    gate.scan({"reason": reason})
    checked = check_reason(reason)
    return ctx.write(lambda desk: _reject(desk, ctx, entry_id, checked))


def _reject(desk: Desk, ctx: Context, entry_id: str, reason: str) -> Changed:
    caller = context.person_of(desk, ctx, "review")
    gate.scan_own(desk, {"reason": reason})
    entry = choose_whole(desk, caller, entry_id)
    if entry.state == REJECTED:
        return Changed(entry, False, desk.now)
    check_act(desk, "reject", entry)
    check_holds(desk, entry, "rejected")
    told = audit.reasoned(desk, reason, about=entry.about, entry=entry.numbers.entry)
    rejected = versions.write_next(desk, entry, context.actor(desk, caller), "memory.rejected", state=REJECTED, **told)
    return Changed(rejected, True, desk.now)


def check_act(desk: Desk, verb: str, entry: Entry) -> str:
    """The state that an act leads to, refused by the table of the entry's life."""
    return lifecycle.check_act(
        verb, kind=entry.kind, state=entry.state, ends=entry.ends, held_since=entry.counted_from, now=desk.now
    )


def check_holds(desk: Desk, entry: Entry, done: str) -> None:
    """Refuse an act that a legal hold on the entry forbids (G40).

    Raises:
        Refused: ``hold.covers`` with the holds.
    """
    holds = desk.holds.covering(entry.numbers)
    if holds:
        raise Refused(
            "hold.covers",
            f"{entry.id} is under a legal hold and cannot be {done}",
            hint="an admin lifts a hold with oz0mem hold lift ID --reason '…'",
            rule="G40",
            holds=holds,
        )


def check_review(caller: Caller, entry: Entry) -> None:
    """Reviewers decide about everybody's entries, members about their own (G3).

    Raises:
        Forbidden: ``role.forbidden``.
    """
    if entry.about != caller.name:
        permission.check(caller.role, "review")


def check_not_own(desk: Desk, settings: Settings, caller: Caller, entry: Entry) -> None:
    """Where review is ``all``, neither writer nor starter confirms (M32); a solo store's one person may."""
    job = desk.identity.job(entry.job) if entry.job else None
    own = caller.name in (entry.by, job.starter if job else "")
    if settings.review == "all" and own and not desk.head.solo:
        raise Forbidden(
            "review.own",
            "where review is `all`, whoever wrote an entry or started its job does not confirm it",
            hint="ask another reviewer",
            rule="M32",
        )
