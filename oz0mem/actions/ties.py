"""Rows that only other rows and events bear out: part of ``audit check --contents`` (L1, L4, L5, L20, M34).

Promises that no number is given out twice, that each person is one and was forgotten when the ledger says, that each
reason goes with the person and the entry that its event was about, and that each proposal was made. Leaves the words of
reasons to ``checking``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import agreements
from oz0mem.actions.trail import PAGE
from oz0mem.rules import event_fields, events

if TYPE_CHECKING:
    from oz0mem.actions.ports import Desk
    from oz0mem.actions.trail import Trail
    from oz0mem.model.governed import ProposalRow

_Event = dict[str, Any]


def check(desk: Desk, trail: Trail) -> None:
    """Check every such row."""
    last = desk.checks.last_number()
    if desk.head.next <= last:
        trail.tell("head", "next", f"the head would give out number {desk.head.next}, and {last} is taken")
    for number in desk.checks.wrong_people():
        said = f"person {number} has no name, or was not forgotten when the ledger says"
        trail.tell("name", f"person {number}", said)
    for index, about, entry in desk.checks.ties():
        event = _event(desk, index)
        if event and not _is_tied(desk, event, about, entry):
            said = f"the reason for event {index} is not tied to whom and what the event is about"
            trail.tell("reason", index, said)
    _check_proposals(desk, trail)
    agreements.check(desk, trail)


def _event(desk: Desk, index: int) -> _Event:
    """An event that is as it was written, else nothing; that it is not is told already."""
    told = desk.ledger.at(index)
    return (events.read(told) if told else None) or {}


def _is_tied(desk: Desk, event: _Event, about: int, entry: int) -> bool:
    """Whether a reason goes with the person and the entry of its event."""
    if "entry" in event and event["action"] != "memory.imported":
        found = desk.entries.by_id(event["entry"])
        return found is not None and (entry, about) == (found.numbers.entry, found.numbers.about)
    if "approval" in event:
        # Where the approval is gone, whoever it was about has gone with it.
        asked = desk.approvals.by_id(event["approval"])
        return about == 0 if asked is None else (entry, about) == (asked.entry, asked.about)
    if "subject" in event:
        return entry == 0 and _handle(desk, about) == event["subject"]
    # One reason for a whole import, or for a change of the rules.
    return (entry, about) == (0, 0)


def _handle(desk: Desk, number: int) -> str:
    try:
        return desk.names.subject_handle(number)
    except (ValueError, KeyError):
        return ""  # their key or name is gone


def _check_proposals(desk: Desk, trail: Trail) -> None:
    """Every proposal to retire an entry against the event that told of it, and the reason that was kept with it."""
    made = _proposed(desk)
    for row in desk.checks.proposals():
        fitting = [event for event in made.get((row.entry, row.version), ()) if _is_of(event, row)]
        if not fitting:
            trail.tell("proposal", row.number, f"proposal {row.number}: no event says that it was made so")
            continue
        made[row.entry, row.version].remove(fitting[0])
        indexes = {event["index"] for event in fitting}
        said = [words for at, words in desk.reasons.of_entry(row.entry) if at in indexes]
        if row.reason not in (said or [""]):
            told = f"proposal {row.number}: it gives another reason than the ledger committed to"
            trail.tell("proposal", row.number, told)
    for event in (event for left in made.values() for event in left):
        trail.tell("proposal", event["entry"], f"event {event['index']} proposed to retire it, and that is not there")


def _is_of(event: _Event, row: ProposalRow) -> bool:
    at = event_fields.moment(event["at"])
    return event["actor"]["ref"] == row.agent and at // 1_000 == row.at // 1_000


def _proposed(desk: Desk) -> dict[tuple[int, int], list[_Event]]:
    """What was proposed to be retired and lives, by number of the entry and version."""
    made: dict[tuple[int, int], list[_Event]] = {}
    before = desk.head.size
    while page := desk.ledger.latest(before=before, limit=PAGE, action="memory.retire_proposed"):
        for told in page:
            event = events.read(told)
            entry = desk.entries.by_id(event["entry"]) if event else None
            if event and entry is not None and entry.state != "erased":
                made.setdefault((entry.numbers.entry, event["version"]), []).append(event)
        before = page[-1].at
    return made
