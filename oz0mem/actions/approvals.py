"""Calls that wait for a person: listed, approved, denied (G31, M32).

Promises that what is approved is what was shown, that it runs once, as the agent, under the rules of that moment, and
that its arguments are gone once somebody decided. Leaves what each function does to its own module.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import accepting, asking, audit, context, entries, gate, opposed, refusals, retiring, superseding
from oz0mem.actions.asking import Approved
from oz0mem.model.agreements import APPROVED, DENIED, WAITING, Approval
from oz0mem.model.errors import Conflict, Forbidden, Invalid, NotFound
from oz0mem.model.names import OF_PERSON
from oz0mem.rules import event_fields, events, record
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry

    Resume = Callable[[Desk, Caller, str, Mapping[str, Any], Approved], object]

RESUMES: dict[str, Resume] = {
    "remember": entries.resume,
    "define": entries.resume,
    "supersede": superseding.resume,
    "accept": accepting.resume,
    "retire": retiring.resume,
}
"""What runs each function once it is approved; ``changed_since`` runs when the agent asks again."""
_LEAST = 4
_PREFIX = "ap-"
_DIGITS = 12
_PAGE = 1_000


class Page(NamedTuple):
    """Approvals that wait, oldest first; where the next page begins; ids left out as altered (L7).

    ``people`` has, by the approval's id, whom what it would write is about; where it is about work it has none.
    ``old`` has, by the approval's id, what it would end, as that stands now.
    """

    items: list[Approval]
    next: str | None
    altered: list[str]
    people: dict[str, str]
    old: dict[str, list[Entry]]
    now: int


class Decided(NamedTuple):
    """An approval after a decision, what the call answered (a write or a change, None), and whether that is new."""

    approval: Approval
    answer: object
    changed: bool
    now: int


@refusals.told("approvals")
def list_approvals(ctx: Context, *, limit: int = 50, after: str = "") -> Page:
    """The calls that wait, with everything that they would write.

    Raises:
        Forbidden: ``role.forbidden``.
        Invalid: ``list.limit`` or ``list.cursor``.
    """
    gate.scan({"after": after})
    if not 1 <= limit <= 1_000:
        raise Invalid("list.limit", "a page has 1 to 1,000 entries", hint="--limit 50", rule="C2")
    if after and not (after.isascii() and after.isdigit() and len(after) < 19):
        raise Invalid("list.cursor", "that is no cursor of a page", hint="take `next` of the page before", rule="C2")
    caller, page = ctx.read(lambda desk: _list(desk, ctx, limit, int(after or 0)))
    if page.items:
        ended = {(entry.id, entry.version): None for old in page.old.values() for entry in old}
        ids = [*((asked.id, 1) for asked in page.items), *ended]
        ctx.record(lambda desk: audit.tell_shown(desk, caller, ids, "approvals", ctx.door))
    return page


def _list(desk: Desk, ctx: Context, limit: int, after: int) -> tuple[Caller, Page]:
    caller = context.person_of(desk, ctx, "see_agreed")
    rows = desk.approvals.in_state(WAITING, limit + 1, after)
    cursor = str(rows[limit - 1].number) if len(rows) > limit else None
    waiting = [asked for asked in rows[:limit] if not asking.is_lapsed(asked, desk.now)]
    good = [asked for asked in waiting if is_whole(desk, asked)]
    whole = {asked.id for asked in good}
    altered = [asked.id for asked in waiting if asked.id not in whole]
    names = desk.names.spelled(asked.about for asked in good if asked.about)
    people = {asked.id: names[asked.about] for asked in good if names.get(asked.about)}
    old = {asked.id: opposed.old_of(desk, caller, asked) for asked in good}
    return caller, Page(good, cursor, altered, people, old, desk.now)


def is_whole(desk: Desk, asked: Approval) -> bool:
    """Whether what waits is what the ledger committed to when it was asked (L7)."""
    told = desk.ledger.at(asked.event)
    event = (events.read(told) if told else None) or {}
    if event.get("action") != "approval.asked" or event.get("approval") != asked.id:
        return False
    if (event.get("function"), event["actor"]["ref"]) != (asked.function, asked.agent):
        return False
    # When it lapses counts from when it was asked; an event has milliseconds.
    if event_fields.moment(event["at"]) // 1_000 != asked.at // 1_000:
        return False
    beside = asking.bound(asked.job, desk.names.find(OF_PERSON, asked.starter), asked.entry, asked.about)
    if any(asked.document.get(name) != number for name, number in beside.items()):
        return False
    try:
        committed = record.approval_commit(bytes.fromhex(str(asked.document.get("k", ""))), asked.document)
    except ValueError:
        return False
    return hmac.compare_digest(str(event["commit"]), committed)


@refusals.told("approvals")
def approve(ctx: Context, approval_id: str, reason: str = "") -> Decided:
    """Let a call run, once, as the agent and under the rules of this moment.

    Raises:
        Refused, Conflict: as the call itself is refused; it waits on then.
        Forbidden: ``review.own`` where review is `all` and the approver started the job (M32).
        NotFound: ``approval.unknown``.
    """
    gate.scan({"id": approval_id})
    checked = gate.check_why(reason)
    return ctx.write(lambda desk: _approve(desk, ctx, approval_id, checked))


def _approve(desk: Desk, ctx: Context, approval_id: str, reason: str) -> Decided:
    caller = context.person_of(desk, ctx, "review")
    gate.scan_own(desk, {"reason": reason})
    asked = choose(desk, approval_id)
    if asked.state == APPROVED:
        return Decided(asked, None, False, desk.now)
    _check_waiting(desk, asked)
    _check_not_starter(desk, caller, asked)
    actor = context.actor(desk, caller)
    _tell(desk, "approval.approved", actor, asked, reason)
    answer: object = None
    resume = RESUMES.get(asked.function)
    if resume is not None:
        document = {**asked.document, "function": asked.function}
        door = str(asked.document.get("door", ctx.door))
        answer = resume(desk, _as_agent(desk, asked), door, document, _under(asked, caller, actor))
    desk.approvals.settle(asked, APPROVED, caller.name)
    settled = asked._replace(state=APPROVED, decided=desk.now, decider=caller.name, document={})
    return Decided(settled, answer, True, desk.now)


@refusals.told("approvals")
def deny(ctx: Context, approval_id: str, reason: str) -> Decided:
    """Deny a call; the reason is for people, the agent learns only that it was denied.

    Raises:
        NotFound: ``approval.unknown``.
        Conflict: where it does not wait any more.
    """
    gate.scan({"id": approval_id, "reason": reason})
    checked = check_reason(reason)

    def act(desk: Desk) -> Decided:
        caller = context.person_of(desk, ctx, "review")
        gate.scan_own(desk, {"reason": checked})
        asked = choose(desk, approval_id)
        if asked.state == DENIED:
            return Decided(asked, None, False, desk.now)
        _check_state(desk, asked)
        _tell(desk, "approval.denied", context.actor(desk, caller), asked, checked)
        desk.approvals.settle(asked, DENIED, caller.name)
        settled = asked._replace(state=DENIED, decided=desk.now, decider=caller.name, document={})
        return Decided(settled, None, True, desk.now)

    return ctx.write(act)


def choose(desk: Desk, wanted: str) -> Approval:
    """The approval of an id or of an unambiguous beginning with at least four digits (C7).

    Raises:
        NotFound: ``approval.unknown``.
        Conflict: ``approval.ambiguous``.
    """
    digits = wanted.removeprefix(_PREFIX)
    plain = wanted.startswith(_PREFIX) and _LEAST <= len(digits) <= _DIGITS and not digits.strip("0123456789abcdef")
    ids = desk.approvals.ids_from(wanted) if plain else []
    if len(ids) > 1:
        raise Conflict(
            "approval.ambiguous",
            f"{len(ids)} approvals begin with {wanted}",
            hint="give more digits: " + ", ".join(ids[:5]),
            rule="C7",
            ids=ids,
        )
    asked = desk.approvals.by_id(ids[0]) if ids else None
    if asked is None:
        raise NotFound(
            "approval.unknown", "there is no such approval", hint="oz0mem approvals lists what waits", rule="G31"
        )
    return asked


def _check_state(desk: Desk, asked: Approval) -> None:
    if asked.state == WAITING and not asking.is_lapsed(asked, desk.now):
        return
    state = "lapsed" if asking.is_lapsed(asked, desk.now) else asked.state
    raise Conflict(
        "approval.decided",
        f"{asked.id} is {state} already; nothing was changed",
        hint="oz0mem approvals lists what waits",
        rule="G31",
        approval=asked.id,
        state=state,
    )


def _check_waiting(desk: Desk, asked: Approval) -> None:
    _check_state(desk, asked)
    if not is_whole(desk, asked) or _was_decided(desk, asked):
        raise _altered(asked)


def _altered(asked: Approval) -> Conflict:
    return Conflict(
        "approval.altered",
        f"{asked.id}, or the job that asked, was altered behind the ledger; it was not run",
        hint=f"oz0mem approvals deny {asked.id} --reason '…'",
        rule="L7",
        approval=asked.id,
    )


def _was_decided(desk: Desk, asked: Approval) -> bool:
    """Whether the ledger knows of a decision that the row does not: one put back from a copy waits again (L7)."""
    for action in ("approval.approved", "approval.denied"):
        before = desk.head.size
        while page := desk.ledger.latest(before=before, limit=_PAGE, action=action, since=asked.at):
            if any((events.read(told) or {}).get("approval") == asked.id for told in page):
                return True
            before = page[-1].at
    return False


def _check_not_starter(desk: Desk, caller: Caller, asked: Approval) -> None:
    if context.settings_of(desk).review == "all" and caller.name == asked.starter and not desk.head.solo:
        raise Forbidden(
            "review.own",
            "where review is `all`, whoever started a job does not approve its calls",
            hint="ask another reviewer",
            rule="M32",
        )


def _as_agent(desk: Desk, asked: Approval) -> Caller:
    """The agent's job as it was when it asked: what it had read then is what the text carries."""
    caller = context.caller_of_job(desk, desk.identity.job_of(asked.job))
    assert caller.job is not None  # it is a job's caller
    document = asked.document
    same = (caller.job.agent, caller.job.starter) == (asked.agent, asked.starter)
    if not same or any(document.get(name) != value for name, value in asking.of_job(caller.job).items()):
        raise _altered(asked)
    job = caller.job._replace(tier=str(document["tier"]), compartments=tuple(document.get("compartments", ())))
    return caller._replace(job=job)


def _under(asked: Approval, caller: Caller, actor: dict[str, Any]) -> Approved:
    """What the call runs under: the approver, and what they were shown of it."""
    read, comes_to = asked.document.get("read", ()), asked.document.get("comes_to", {})
    return Approved(asked.id, caller.name, actor, tuple(read), tuple(comes_to.get("replaces", ())))


def _tell(desk: Desk, action: str, actor: Mapping[str, Any], asked: Approval, reason: str) -> None:
    about = desk.names.spelled([asked.about]).get(asked.about, "work") if asked.about else "work"
    told = audit.reasoned(desk, reason, about=about, entry=asked.entry)
    desk.ledger.append(action, actor, {"approval": asked.id, "function": asked.function, **told})
