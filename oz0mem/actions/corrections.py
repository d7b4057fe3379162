"""What a person changes of an entry that is there: ``renew``, ``move`` (M18, M35).

Promises a new version for each, and holds asked first (G40). Leaves ``retire`` to ``retiring``, ``edit`` and
``delete``, which erase, to ``erasing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import audit, context, gate, refusals, replacing, versions
from oz0mem.actions.acceptance import Changed, check_act, check_holds
from oz0mem.actions.choosing import choose_whole
from oz0mem.model.errors import Conflict, NotFound, Refused
from oz0mem.model.kinds import ACTIVE, DEFINITION, KINDS
from oz0mem.model.names import check_scope
from oz0mem.rules import ends

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry


@refusals.told("renew")
def renew(ctx: Context, entry_id: str, days: int | None, *, reason: str = "", scope: str = "") -> Changed:
    """Move the end of an entry about work (M35); brings an ended one back.

    Args:
        ctx: a reviewer.
        entry_id: which entry.
        days: how many from now; None for the tenant's default.
        reason: why, in words.
        scope: where the entry has to be; '' for anywhere.

    Raises:
        Refused: ``memory.renew_person``, or ``memory.ends`` past the longest end.
    """
    gate.scan({"scope": scope})
    checked = gate.check_why(reason)
    return ctx.write(lambda desk: _renew(desk, ctx, entry_id, days, checked, scope))


def _renew(desk: Desk, ctx: Context, entry_id: str, days: int | None, reason: str, scope: str) -> Changed:
    caller = context.person_of(desk, ctx, "review")
    gate.scan_own(desk, {"reason": reason})
    entry = choose_whole(desk, caller, entry_id)
    if scope and entry.scope != scope:
        raise NotFound(
            "memory.unknown",
            f"{entry.id} is not in that scope",
            hint=f"leave the scope out: oz0mem renew {entry.id}",
            rule="C7",
            near=[entry.id],
        )
    if entry.about_person:
        raise Refused(
            "memory.renew_person",
            "an entry about a person is never renewed; its end erases it",
            hint="what is still true can be learnt again",
            rule="M35",
        )
    check_act(desk, "renew", entry)
    settings = context.settings_of(desk)
    cap = None
    if ends.erased_at_end(entry.kind, entry.about_person):
        cap = ends.limit_now(entry.kind, entry.tier, entry.counted_from, settings, None)
    end = ends.renewed_end(desk.now, days, settings, cap=cap)
    if end < entry.ends:
        check_holds(desk, entry, "given an earlier end")
    versions.check_caps(desk, settings, entry.scope, 0, len(entry.text.encode()))
    told = audit.reasoned(desk, reason, entry=entry.numbers.entry)
    actor = context.actor(desk, caller)
    renewed = versions.write_next(desk, entry, actor, "memory.renewed", ends=end, **told)
    return Changed(renewed, True, desk.now)


@refusals.told("move")
def move(ctx: Context, entry_id: str, scope: str, reason: str = "") -> Changed:
    """Move an entry about work to another scope; id and history stay (M18).

    Raises:
        Refused: by caps, sameness, holds, or where the scope is not for it.
    """
    gate.scan({"scope": scope})
    check_scope(scope)
    checked = gate.check_why(reason)
    return ctx.write(lambda desk: _move(desk, ctx, entry_id, scope, checked))


def _move(desk: Desk, ctx: Context, entry_id: str, scope: str, reason: str) -> Changed:
    caller = context.person_of(desk, ctx, "review")
    gate.scan_own(desk, {"scope": scope, "reason": reason})
    entry = choose_whole(desk, caller, entry_id)
    if entry.scope == scope:
        return Changed(entry, False, desk.now)
    if entry.about_person:
        raise Refused(
            "memory.scope",
            "what is about a person stays in its agent's scope unless an admin shared it further",
            rule="G21",
            hint="delete it, or let the other agent learn it",
        )
    if KINDS[entry.kind].proposal and entry.state == ACTIVE:
        raise Refused(
            "memory.accepted",
            f"{entry.id} was accepted where it is, so it is not moved",
            hint=f"propose it there anew: oz0mem remember TEXT --kind {entry.kind} --scope {scope}",
            rule="M18",
            id=entry.id,
        )
    if KINDS[entry.kind].proposal and entry.replaces:
        raise Refused(
            "memory.over",
            f"{entry.id} was written to replace {entry.replaces}, so it stays where that is",
            hint=f"propose it there anew: oz0mem remember TEXT --kind {entry.kind} --scope {scope}",
            rule="M18",
            id=entry.id,
        )
    kind, name = check_scope(scope)
    if kind == "agent" and desk.identity.agent(name) is None:
        raise NotFound("agent.unknown", "no agent of that name is declared", hint="oz0mem agent list", rule="M18")
    check_act(desk, "move", entry)
    check_holds(desk, entry, "moved")
    settings = context.settings_of(desk)
    number = _check_free(desk, entry, scope)
    versions.check_caps(desk, settings, scope, 1, len(entry.text.encode()))
    desk.words.take(entry.numbers.entry)
    desk.entries.use(entry.numbers.scope, -1, 0)
    desk.entries.use(number, 1, 0)
    told = audit.reasoned(desk, reason, entry=entry.numbers.entry)
    actor = context.actor(desk, caller)
    moved = versions.write_next(desk, entry, actor, "memory.moved", scope=scope, **told)
    versions.put_words(desk, moved)
    return Changed(moved, True, desk.now)


def _check_free(desk: Desk, entry: Entry, scope: str) -> int:
    """The number of a scope in which nothing says the same (M2) or is in force under the same key (M11)."""
    from oz0mem.actions import similar

    place, number, about, _ = desk.entries.place(scope, entry.about, entry.purpose)
    same = similar.existing(desk, entry, place, about)
    moved = entry._replace(scope=scope)
    keyed = replacing.replaced_by_key(desk, moved) if entry.state == ACTIVE else []
    keyed += replacing.proposed_by_key(desk, moved) if entry.kind == DEFINITION else []
    there, rule = (same, "M2") if same is not None else (keyed[0] if keyed else None, "M11")
    if there is not None:
        raise Conflict(
            "memory.same",
            f"{there.id} says the same there" if there is same else f"{there.id} has the same key there",
            hint=f"oz0mem show {there.id}",
            rule=rule,
            id=there.id,
        )
    return number
