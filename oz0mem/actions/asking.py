"""Calls of agents that the policy asks a person about (G30, G31).

Promises that a call is judged whole before it is asked about, so that a refused one leaves no approval; that what
waits is committed to by the ledger; and that a retry finds what waits, or what came of it, by its call id or, without
one, by its arguments. Leaves the decision to ``approvals``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from oz0mem.actions import context, once
from oz0mem.model.agreements import APPROVED, DENIED, LAPSED, WAITING, WAITS_FOR, Approval
from oz0mem.model.errors import Conflict, Refused, Waiting
from oz0mem.model.kinds import KINDS
from oz0mem.model.moments import rfc3339
from oz0mem.rules import policies, record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.entries import Entry

LASTS = WAITS_FOR
"""How long a call waits for somebody, microseconds (G31)."""


class Asked(NamedTuple):
    """A call that waits: its approval, which function, until when (microseconds UTC)."""

    approval: str
    function: str
    expires: int


class Approved(NamedTuple):
    """The approval under which a call runs.

    Attributes:
        id: the approval's.
        name: who approved.
        actor: how the ledger names them.
        read: what the job had read when it asked, as it was shown.
        replaces: ids of what the call was shown to replace.
    """

    id: str
    name: str
    actor: dict[str, Any]
    read: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()


class Call(NamedTuple):
    """A call as it may have to wait: who calls what, through which door, by which id and arguments.

    Attributes:
        digest: keyed, of function and arguments.
        asks: whether the policy asks a person about it.
        approved: the approval under which it runs, None where it runs by itself.
    """

    caller: Caller
    door: str
    function: str
    call_id: str
    arguments: dict[str, Any]
    digest: str
    asks: bool
    approved: Approved | None = None


def begin(
    desk: Desk,
    caller: Caller,
    door: str,
    function: str,
    arguments: Mapping[str, Any],
    *,
    typed: Mapping[str, str] | None = None,
    call_id: str = "",
    kind: str = "",
    approved: Approved | None = None,
) -> Call:
    """A call, judged by the policy of this moment.

    Args:
        desk: the transaction.
        caller: who calls; people are asked nothing.
        door: which door.
        function: one of the functions that a policy may be about.
        arguments: everything that makes it this call and no other; lists and tuples are one.
        typed: arguments as they were typed (``30d``), so that a retry is the same call later (M9).
        call_id: the caller's own id for it, or ''.
        kind: what kind of entry it writes, where it writes one.
        approved: the approval under which it runs.

    Raises:
        Refused: ``policy.denied``.
    """
    asks = False
    if caller.job is not None and caller.declaration is not None:
        learned_on = bool(kind) and KINDS[kind].learned and kind in caller.declaration.memory.kinds()
        agent = caller.job.agent
        effect = policies.effect_of(desk.policies.for_agent(agent), function, agent, learned_on=learned_on)
        if effect == "deny":
            raise Refused(
                "policy.denied",
                f"the tenant's policy denies {function} to {caller.job.agent}",
                hint=f"an admin: oz0mem plugin policy memory --set {function}=ask --for agent:{caller.job.agent}"
                " --reason '…'",
                rule="G30",
                function=function,
            )
        asks = effect == "ask" and approved is None
    plain = {name: _plain(value) for name, value in arguments.items() if value not in (None, "", [], {}, (), False)}
    digest = once.digest_of(desk, function, {**plain, **(typed or {})})
    return Call(caller, door, function, call_id, plain, digest, asks, approved)


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def noted(desk: Desk, call: Call) -> dict[str, Any] | Asked:
    """What came of the call before: {} where it is new, else its answer by ids, or that it waits.

    Raises:
        Conflict: ``call.reused``.
        Refused: ``approval.denied``.
    """
    if call.approved is not None:
        return {}
    found: dict[str, Any] = {}
    if call.call_id:
        found = once.answered(desk, call.caller, call.call_id, call.digest)
    elif call.asks or (call.caller.job is not None and call.caller.job.compartments):
        # A job behind walls may have to wait whatever the policy says (M25).
        found = once.implied(desk, call.caller, call.digest)
        entry = desk.entries.by_id(str(found["entry"])) if "entry" in found else None
        if "entry" in found and (entry is None or entry.version != found["version"]):
            # Without a call id it is the same call only as long as what came of it stands as it was left.
            return {}
    if "approval" not in found:
        return found
    asked = desk.approvals.by_id(str(found["approval"]))
    if asked is None:
        return {}
    if asked.state == DENIED:
        raise Refused(
            "approval.denied",
            f"a person denied this call ({asked.id}); nothing was written",
            hint="ask the person why; another call is another question",
            rule="G31",
            approval=asked.id,
        )
    if is_lapsed(asked, desk.now) or asked.state != WAITING:
        return {}
    return Asked(asked.id, asked.function, asked.at + LASTS)


def pass_once(desk: Desk, call: Call) -> Asked | None:
    """Let a call that only reads, and moves a bookmark, pass once for each approval (G30).

    Its answer is made when it is asked for again, so that it shows what may be shown then.

    Returns:
        None where it may run now, else that it waits.

    Raises:
        Refused: ``approval.denied``.
    """
    if not call.asks:
        return None
    found = once.implied(desk, call.caller, call.digest)
    asked = desk.approvals.by_id(str(found.get("approval", "")))
    if asked is not None and asked.state == APPROVED and not found.get("used"):
        once.keep(desk, call.caller, "", {**found, "used": True})
        return None
    waits = noted(desk, call)
    return waits if isinstance(waits, Asked) else ask(desk, call)


def check_shown(call: Call, replaces: Sequence[str]) -> None:
    """Refuse to run a call that would replace anything else than what its approver was shown (G31).

    Raises:
        Conflict: ``approval.changed``.
    """
    approved = call.approved
    if approved is not None and sorted(approved.replaces) != sorted(replaces):
        raise Conflict(
            "approval.changed",
            f"what {approved.id} would replace has changed since it was asked; nothing was written",
            hint=f"oz0mem approvals deny {approved.id} --reason '…'; the agent asks anew",
            rule="G31",
            approval=approved.id,
        )


def is_lapsed(asked: Approval, now: int) -> bool:
    """Whether a call waited too long (G31)."""
    return asked.state == LAPSED or (asked.state == WAITING and asked.at + LASTS <= now)


def ask(
    desk: Desk,
    call: Call,
    *,
    entry: int = 0,
    about: int = 0,
    tier: str = "",
    comes_to: Mapping[str, Any] | None = None,
) -> Asked:
    """Let a call wait for a person: nothing of it is done yet.

    Args:
        desk: the transaction.
        call: what waits.
        entry: number of the entry that it would change, 0 for none.
        about: number of the person whom what it would write is about, 0 for work.
        tier: how far the text can be trusted, where it writes one.
        comes_to: what ``outcome`` says of it.
    """
    job = call.caller.job
    assert job is not None  # only agents are asked about
    approval_id = f"ap-{desk.random(6).hex()}"
    document = {
        "arguments": call.arguments,
        "call_id": call.call_id,
        "digest": call.digest,
        "door": call.door,
        "tier": job.tier,
        "read": desk.identity.read_by_job(job.number),
        "compartments": list(job.compartments),
        "comes_to": dict(comes_to or {}),
        **of_job(job),
        **bound(job.number, call.caller.number, entry, about),
    }
    key = desk.random(record.KEY_BYTES)
    asked = Approval(
        0, approval_id, call.function, entry, about, job.agent, job.starter, job.number, WAITING, desk.now, 0, "",
        desk.head.size, {},
    )  # fmt: skip
    fields = {"approval": approval_id, "function": call.function, "commit": record.approval_commit(key, document)}
    told = {**fields, "tier": tier} if tier else fields
    desk.ledger.append("approval.asked", context.actor(desk, call.caller), told)
    desk.approvals.put(asked, {**document, "k": key.hex()})
    note(desk, call, {"approval": approval_id}, entry=entry, about=about)
    return Asked(approval_id, call.function, desk.now + LASTS)


def of_job(job: JobRecord) -> dict[str, Any]:
    """What a document has of the job that asked, so that it is run as no other (L7): no person's name (L5)."""
    return {"purpose": job.purpose, "projects": list(job.projects), "thread": job.thread}


def bound(job: int, starter: int, entry: int, about: int) -> dict[str, int]:
    """What a document has of the row beside it, by number, so that the ledger's commitment binds that too."""
    return {"job": job, "starter": starter, "entry": entry, "about": about}


def outcome(entry: Entry, replaces: Sequence[str] = ()) -> dict[str, Any]:
    """What a call would come to, beside its arguments: where, as what, and what it would replace as things stand.

    No text, and nobody's name, which goes by its number (L5).
    """
    names = ("id", "kind", "scope", "key", "term", "purpose", "ends", "held")
    told = {name: getattr(entry, name) for name in names if getattr(entry, name)}
    return {**told, "replaces": list(replaces)}


def note(desk: Desk, call: Call, answer: Mapping[str, Any], *, entry: int, about: int) -> None:
    """Note what a call answered, for its retry (M9); without a call id only where a person was asked about it."""
    if not (call.call_id or call.asks or call.approved):
        return
    once.keep(desk, call.caller, call.call_id, {"digest": call.digest, **answer}, entry=entry, about=about)


def wait(asked: Asked) -> NoReturn:
    """Tell the caller that the call waits, once that is stored.

    Raises:
        Waiting: ``approval.waits``.
    """
    raise Waiting(
        "approval.waits",
        f"{asked.function} waits for a person until {rfc3339(asked.expires)[:10]}; nothing was written yet",
        hint=f"oz0mem approvals approve {asked.approval}",
        rule="G31",
        approval=asked.approval,
        function=asked.function,
        state=WAITING,
        expires=rfc3339(asked.expires),
    )
