"""Links and approvals against the events that told of them: part of ``audit check --contents`` (M17, G31, L3).

Promises that each row is what its events came to, that what waits is what its event committed to, and that each event
has its row but where an erasure took it. Leaves the policy to ``replaying``, and bookmarks to nobody: no event tells
of reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import withdrawing
from oz0mem.actions.asking import LASTS, bound
from oz0mem.model.agreements import APPROVED, DENIED, LAPSED, WAITING
from oz0mem.rules import event_fields, record

if TYPE_CHECKING:
    from oz0mem.actions.ports import Desk
    from oz0mem.actions.trail import Trail
    from oz0mem.model.governed import ApprovalRow, LinkRow

_Event = dict[str, Any]
_DECIDED = {"approval.approved": APPROVED, "approval.denied": DENIED}


def check(desk: Desk, trail: Trail) -> None:
    """Check every link and every approval."""
    _check_links(desk, trail)
    _check_approvals(desk, trail)


def _check_links(desk: Desk, trail: Trail) -> None:
    left = dict(trail.linked)
    for row in desk.checks.links():
        told = left.pop(row.id, None)
        why = _wrong_link(desk, row, told) if told else "no event made it"
        if why:
            trail.tell("link", row.id, f"link {row.id}: {why}")
    for link_id, told in left.items():
        made = told[0]
        if all(_stands(desk, made[end]) for end in ("entry", "other")):
            trail.tell("link", link_id, f"link {link_id}: event {made['index']} made it, and it is not there")


def _stands(desk: Desk, entry_id: str) -> bool:
    entry = desk.entries.by_id(entry_id)
    return entry is not None and entry.state != "erased"


def _wrong_link(desk: Desk, row: LinkRow, told: list[_Event]) -> str:
    """What is wrong with a link, '' where nothing is; ``told`` is what the ledger says of it."""
    made, last = told[0], told[-1]
    ends = [desk.entries.by_id(made[end]) for end in ("entry", "other")]
    if [end.numbers.entry if end else 0 for end in ends] != [row.entry, row.other] or row.label != made["label"]:
        return f"it is not what event {made['index']} says"
    if any(end is None or end.state == "erased" for end in ends):
        return "what it links was erased"
    if row.event != last["index"]:
        return f"event {last['index']} told of it last, and it says another"
    if row.state != last["link_state"]:
        return f"it is not {last['link_state']}, as event {last['index']} says"
    if not _is_then(row.at, made) or not _is_proposer(desk, row, made):
        return f"it was not made when, or by whom, event {made['index']} says"
    if not _is_decided(desk, row, told):
        return f"it was not decided when, or by whom, event {last['index']} says"
    return ""


def _is_proposer(desk: Desk, row: LinkRow, made: _Event) -> bool:
    if made["actor"]["kind"] != "agent":
        return _is_by(desk, row.proposer, made)
    # An agent's write named what it derives from: the person is who its entry says.
    return row.proposer in {version.numbers.writer for version in desk.entries.versions(row.entry)}


def _is_decided(desk: Desk, row: LinkRow, told: list[_Event]) -> bool:
    last = told[-1]
    if len(told) > 1:
        return _is_then(row.decided, last) and _is_by(desk, row.decider, last)
    # What a write says it derives from needs nobody's decision.
    when = row.decided == 0 if last["link_state"] == WAITING else _is_then(row.decided, last)
    return when and row.decider == 0


def _check_approvals(desk: Desk, trail: Trail) -> None:
    left = dict(trail.asked)
    for row in desk.checks.approvals():
        told = left.pop(row.id, None)
        why = _wrong_approval(desk, row, told) if told else "no event asked for it"
        if why:
            trail.tell("approval", row.id, f"approval {row.id}: {why}")
    last = trail.erased[-1] if trail.erased else -1
    for approval_id, told in left.items():
        # One that is about a person, or would change an entry, goes with them; the event does not say which.
        if told[-1]["index"] > last:
            said = f"approval {approval_id}: event {told[0]['index']} asked for it, and it is not there"
            trail.tell("approval", approval_id, said)


def _wrong_approval(desk: Desk, row: ApprovalRow, told: list[_Event]) -> str:
    """What is wrong with an approval, '' where nothing is; ``told`` is what the ledger says of it."""
    asked, decided = told[0], told[1:]
    if asked["action"] != "approval.asked" or len(decided) > 1:
        return "the ledger tells of it twice, or not that it was asked for"
    if (row.event, row.function, row.agent) != (asked["index"], asked["function"], asked["actor"]["ref"]):
        return f"it is not the call that event {asked['index']} tells of"
    if not _is_then(row.at, asked):
        return f"it was not asked for when event {asked['index']} says"
    if decided:
        return _wrong_decision(desk, row, asked, decided[0])
    if row.state == LAPSED:
        lapsed = type(row.decided) is int and row.decided >= row.at + LASTS and not (row.decider or row.body)
        return "" if lapsed else "it has not lapsed when it says"
    if row.state != WAITING or row.decided or row.decider:
        return "no event decided it"
    return "" if _opens(row, asked) else f"it is not what event {asked['index']} committed to"


def _wrong_decision(desk: Desk, row: ApprovalRow, asked: _Event, event: _Event) -> str:
    if row.state != _DECIDED.get(event["action"]) or row.function != event["function"]:
        return f"it is not decided as event {event['index']} says"
    if not _is_then(row.decided, event) or not _is_by(desk, row.decider, event):
        return f"it was not decided when, or by whom, event {event['index']} says"
    if not row.body:
        return ""
    if row.state != DENIED or not _is_preserved(desk, row):
        return "what it would have written is still there"
    return "" if _opens(row, asked) else f"what is kept of it is not what event {asked['index']} committed to"


def _is_preserved(desk: Desk, row: ApprovalRow) -> bool:
    """Whether a legal hold keeps what a denied call would have written (G43)."""
    asked = desk.approvals.by_id(row.id)
    return asked is not None and withdrawing.is_preserved(desk, asked, desk.approvals.person_of(asked))


def _opens(row: ApprovalRow, asked: _Event) -> bool:
    """Whether what waits opens its commitment, and the row says the same as the document."""
    try:
        opened = record.approval_commit(row.key, row.document) == asked["commit"]
    except ValueError:
        return False  # no key, or what no document has
    beside = bound(row.job, row.starter, row.entry, row.about)
    return opened and all(row.document.get(name) == number for name, number in beside.items())


def _is_then(at: object, event: _Event) -> bool:
    # An event has milliseconds.
    return type(at) is int and at // 1_000 == event_fields.moment(event["at"]) // 1_000


def _is_by(desk: Desk, number: int, event: _Event) -> bool:
    try:
        return bool(desk.names.actor_handle(number) == event["actor"]["ref"])
    except (ValueError, KeyError):
        return False  # their key or name is gone
