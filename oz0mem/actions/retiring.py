"""``retire``: an entry taken out of recall, its versions kept as history (M34).

Promises that an agent only proposes it, and that what it proposes stays in force until a person other than who started
its job approves: by ``retire`` themself, or by approving the call where the policy asks (G31).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import asking, audit, context, draft, gate, keeping, once, reach, refusals, versions
from oz0mem.actions.acceptance import Changed, check_act, check_holds
from oz0mem.actions.asking import Asked
from oz0mem.actions.choosing import choose_whole
from oz0mem.model.errors import Forbidden, Refused, Waiting
from oz0mem.model.kinds import ACTIVE, RETIRED
from oz0mem.model.names import OF_AGENT
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.asking import Approved, Call
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry


class Retire(NamedTuple):
    """The arguments of ``retire``; an agent names the version that it read (M15)."""

    id: str
    reason: str
    version: int | None = None
    call_id: str = ""


@refusals.told("retire")
def retire(ctx: Context, entry_id: str, reason: str, *, version: int | None = None, call_id: str = "") -> Changed:
    """Take an entry out of recall, keeping its versions as history; an agent's call is a proposal.

    Raises:
        Waiting: ``memory.retirement_waits`` where an agent proposed it, ``approval.waits`` where the policy asks.
        Conflict: ``memory.stale`` where a newer version exists (M15).
    """
    gate.scan({"reason": reason, "call_id": call_id})
    asked = Retire(entry_id, check_reason(reason), version, call_id)
    if call_id:
        once.check_call_id(call_id)
    answer = ctx.write(lambda desk: _retire(desk, ctx, asked))
    if isinstance(answer, Asked):
        asking.wait(answer)
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


def _retire(desk: Desk, ctx: Context, asked: Retire) -> Changed | Asked:
    caller = context.caller_of(desk, ctx)
    gate.scan_own(desk, {"reason": asked.reason, "call_id": asked.call_id})
    if caller.job is not None:
        return propose(desk, caller, ctx.door, asked)
    caller = context.person_of(desk, ctx, "review")
    entry = choose_whole(desk, caller, asked.id)
    reach.check_version(entry, asked.version)
    if entry.state == RETIRED:
        return Changed(entry, False, desk.now)
    waiting = desk.proposals.waiting(entry.numbers.entry)
    if waiting and all(starter == caller.number for _, starter, _, _ in waiting):
        _check_other(desk, caller.number, caller.number)
    return _apply(desk, entry, context.actor(desk, caller), asked.reason)


def _check_other(desk: Desk, starter: int, decider: int) -> None:
    """Refuse that whoever started the job which proposed it decides (M34); a solo store's one person may.

    Raises:
        Forbidden: ``review.own``.
    """
    if starter == decider and not desk.head.solo:
        raise Forbidden(
            "review.own",
            "a retirement that your own job proposed is approved by somebody else",
            hint="ask another reviewer",
            rule="M34",
        )


def _apply(desk: Desk, entry: Entry, actor: Mapping[str, Any], reason: str, **fields: str) -> Changed:
    check_act(desk, "retire", entry)
    check_holds(desk, entry, "retired")
    told = audit.reasoned(desk, reason, about=entry.about, entry=entry.numbers.entry)
    retired = versions.write_next(desk, entry, actor, "memory.retired", state=RETIRED, **told, **fields)
    desk.proposals.settle(entry.numbers.entry)
    return Changed(retired, True, desk.now)


def propose(
    desk: Desk, caller: Caller, door: str, asked: Retire, *, approved: Approved | None = None
) -> Changed | Asked:
    """An agent's call: a proposal that waits, or, where a person approved the call, what they decided (M34, G31)."""
    job, declaration = caller.job, caller.declaration
    assert job is not None and declaration is not None  # the caller is an agent's job
    draft.check_call(declaration, "retire")
    gate.scan_own(desk, {"id": asked.id, "reason": asked.reason, "call_id": asked.call_id})
    given = {name: value for name, value in asked._asdict().items() if name != "call_id"}
    call = asking.begin(desk, caller, door, "retire", given, call_id=asked.call_id, approved=approved)
    noted = asking.noted(desk, call)
    if isinstance(noted, Asked):
        return noted
    if noted:
        return _again(desk, noted)
    entry = reach.find(desk, caller, context.settings_of(desk), asked.id, asked.version)
    check_act(desk, "retire", entry)
    check_holds(desk, entry, "retired")
    if call.asks:
        return asking.ask(
            desk, call, entry=entry.numbers.entry, about=entry.numbers.about, comes_to=asking.outcome(entry)
        )
    changed = _approve(desk, call, entry, asked) if approved is not None else _wait(desk, call, entry, asked)
    answer: dict[str, Any] = {"entry": entry.id, "version": changed.entry.version}
    answer |= {"retired": True} if changed.entry.state == RETIRED else {}
    asking.note(desk, call, answer, entry=entry.numbers.entry, about=entry.numbers.about)
    return changed


def _again(desk: Desk, noted: Mapping[str, Any]) -> Changed:
    """What the first try answered (M9), whatever became of the entry since.

    Raises:
        Refused: ``call.gone`` where it is erased.
    """
    entry = keeping.at_version(desk, str(noted["entry"]), int(noted["version"]))
    if entry is None:
        raise Refused("call.gone", "what this call retired is not there any more", rule="M9", hint="recall what is")
    state = RETIRED if noted.get("retired") else ACTIVE
    return Changed(entry._replace(state=state, version=int(noted["version"])), False, desk.now)


def _wait(desk: Desk, call: Call, entry: Entry, asked: Retire) -> Changed:
    caller = call.caller
    assert caller.job is not None  # the caller is an agent's job
    desk.proposals.put(
        entry,
        starter=caller.number,
        agent=desk.names.ensure(OF_AGENT, caller.job.agent),
        reason=asked.reason,
    )
    told = audit.reasoned(desk, asked.reason, about=entry.about, entry=entry.numbers.entry)
    desk.ledger.append(
        "memory.retire_proposed",
        context.actor(desk, caller),
        {"entry": entry.id, "version": entry.version, **told},
    )
    return Changed(entry, True, desk.now)


def _approve(desk: Desk, call: Call, entry: Entry, asked: Retire) -> Changed:
    """A person approved the call: that is the person whom the proposal would have waited for."""
    approved = call.approved
    assert approved is not None  # asked only for a call that a person approved
    approver = desk.identity.principal(approved.name)
    _check_other(desk, call.caller.number, approver.number if approver else 0)
    return _apply(desk, entry, approved.actor, asked.reason, approval=approved.id)


def resume(desk: Desk, caller: Caller, door: str, document: Mapping[str, Any], approved: Approved) -> Changed | Asked:
    """Run a call that was asked about, as it was shown (G31)."""
    asked = Retire(**document["arguments"], call_id=str(document.get("call_id", "")))
    gate.scan({"id": asked.id, "reason": asked.reason, "call_id": asked.call_id})
    return propose(desk, caller, door, asked, approved=approved)
