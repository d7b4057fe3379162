"""What a person changes of an entry that is there: ``retire``, ``renew``, ``move`` (M18, M34, M35).

Promises a new version for each, holds asked first (G40), and that an agent only proposes to retire (M34).
Leaves ``edit`` and ``delete``, which erase, to ``erasing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import audit, context, gate, integrity, once, refusals, sight, versions
from oz0mem.actions.acceptance import Changed, check_act, check_holds
from oz0mem.actions.choosing import choose_whole
from oz0mem.actions.draft import check_call
from oz0mem.model.errors import Conflict, Forbidden, NotFound, Refused, Waiting
from oz0mem.model.kinds import ACTIVE, RETIRED
from oz0mem.model.names import OF_AGENT, check_scope
from oz0mem.rules import ends
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry


@refusals.told("retire")
def retire(ctx: Context, entry_id: str, reason: str, *, version: int | None = None, call_id: str = "") -> Changed:
    """Take an entry out of recall, keeping its versions as history; an agent's call is a proposal.

    Raises:
        Waiting: ``memory.retirement_waits`` where an agent proposed it (exit 7).
        Conflict: ``memory.stale`` where a newer version exists (M15).
    """
    gate.scan({"reason": reason, "call_id": call_id})
    checked = check_reason(reason)
    if call_id:
        once.check_call_id(call_id)
    answer = ctx.write(lambda desk: _retire(desk, ctx, entry_id, checked, version, call_id))
    if answer.entry.state != RETIRED:
        raise Waiting(
            "memory.retirement_waits",
            f"proposed to retire {answer.entry.id}; it stays in force until a person decides",
            hint=f"oz0mem retire {answer.entry.id} --reason '…'",
            rule="M34",
            id=answer.entry.id,
            version=answer.entry.version,
        )
    return answer


def _retire(desk: Desk, ctx: Context, entry_id: str, reason: str, version: int | None, call_id: str) -> Changed:
    caller = context.caller_of(desk, ctx)
    gate.scan_own(desk, {"reason": reason})
    if caller.job is not None:
        return _propose(desk, caller, entry_id, reason, version, call_id)
    caller = context.person_of(desk, ctx, "review")
    entry = choose_whole(desk, caller, entry_id)
    check_version(entry, version)
    if entry.state == RETIRED:
        return Changed(entry, False, desk.now)
    check_act(desk, "retire", entry)
    check_holds(desk, entry, "retired")
    waiting = desk.proposals.waiting(entry.numbers.entry)
    if waiting and not desk.head.solo and all(starter == caller.number for _, starter, _, _ in waiting):
        raise Forbidden(
            "review.own",
            "a retirement that your own job proposed is approved by somebody else",
            hint="ask another reviewer",
            rule="M34",
        )
    told = audit.reasoned(desk, reason, about=entry.about, entry=entry.numbers.entry)
    retired = versions.write_next(desk, entry, context.actor(desk, caller), "memory.retired", state=RETIRED, **told)
    desk.proposals.settle(entry.numbers.entry)
    return Changed(retired, True, desk.now)


def _propose(desk: Desk, caller: Caller, entry_id: str, reason: str, version: int | None, call_id: str) -> Changed:
    job, declaration = caller.job, caller.declaration
    assert job is not None and declaration is not None  # the caller is an agent's job
    check_call(declaration, "retire")
    entry = desk.entries.by_id(entry_id)
    places = sight.places_of(desk, caller, context.settings_of(desk))
    if entry is None or entry.numbers.place not in places or entry.restricted or sight.is_past(entry, desk.now):
        raise _unread()
    arguments = {"id": entry_id, "reason": reason, "version": version}
    digest = once.digest_of(desk, "retire", arguments)
    noted = once.answered(desk, caller, call_id, digest) if call_id else {}
    if noted:
        return Changed(entry._replace(state=ACTIVE, version=int(noted["version"])), False, desk.now)
    if entry.state != ACTIVE or not integrity.check(desk, [entry]).good:
        raise _unread()
    if version is None:
        raise Refused("memory.version", "a change names the version that was read", hint="read it again", rule="M15")
    check_version(entry, version)
    check_purpose(job.purpose, entry)
    desk.proposals.put(
        entry,
        starter=caller.number,
        agent=desk.names.ensure(OF_AGENT, job.agent),
        reason=reason,
    )
    told = audit.reasoned(desk, reason, about=entry.about, entry=entry.numbers.entry)
    desk.ledger.append(
        "memory.retire_proposed",
        context.actor(desk, caller),
        {"entry": entry.id, "version": entry.version, **told},
    )
    if call_id:
        answer: dict[str, Any] = {"digest": digest, "entry": entry.id, "version": entry.version}
        once.note(desk, caller, call_id, answer, entry.numbers)
    return Changed(entry, True, desk.now)


def _unread() -> NotFound:
    return NotFound("memory.unknown", "there is no such entry among what this job may read", rule="M20")


def check_version(entry: Entry, version: int | None) -> None:
    """Refuse a change of a version that is not the newest (M15); None where none was named.

    Raises:
        Conflict: ``memory.stale`` with the newest version's number.
    """
    if version is not None and version != entry.version:
        raise Conflict(
            "memory.stale",
            f"{entry.id} is at version {entry.version}, not {version}; nothing was changed",
            hint=f"read it again: oz0mem show {entry.id}",
            rule="M15",
            id=entry.id,
            newest=entry.version,
        )


def check_purpose(purpose: str, entry: Entry) -> None:
    """A job changes only entries of its own purpose (M21).

    Raises:
        Refused: ``memory.purpose`` naming the purpose that may.
    """
    if purpose != entry.purpose:
        able = f"for {entry.purpose}" if entry.purpose else "without a purpose"
        raise Refused(
            "memory.purpose",
            f"only a job {able} changes that entry",
            hint="this job may write one of its own purpose instead",
            rule="M21",
            purpose=entry.purpose,
        )


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
    keyed = versions.replaced_by_key(desk, entry._replace(scope=scope)) if entry.state == ACTIVE else []
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
