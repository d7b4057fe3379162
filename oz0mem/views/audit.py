"""The ledger as people and scripts see it: each event in a sentence, what a check found (L2, L7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.rules.event_fields import moment
from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from oz0mem.actions.auditing import Check, Log

_LOG = (
    Column("index", "number"),
    Column("at", "moment"),
    Column("action", "id"),
    Column("actor", "id"),
    Column("what"),
)
_PROBLEMS = (Column("place", "id"), Column("problem"))
_SHORT = 10
"""Characters of a handle that tell it apart from its neighbours; the document has it whole."""


def log(found: Log) -> View:
    """Events, newest first."""
    rows: list[tuple[object, ...]] = [
        (
            event["index"],
            Moment(moment(event["at"])),
            event["action"],
            _who(event["actor"], found.names),
            sentence(event, found.names),
        )
        for event in found.items
    ]
    document = {"items": found.items, "next": found.next, "names": found.names, "altered": found.altered}
    said = "" if rows else "nothing of that is in the ledger"
    if found.altered:
        indexes = ", ".join(map(str, found.altered))
        said = f"left out, since they are not as they were written: {indexes}; oz0mem audit check says more"
    return View("list", _LOG, rows, document, said, next=found.next)


def _who(actor: dict[str, Any], names: dict[str, str]) -> str:
    ref = actor["ref"]
    name = names.get(ref, ref if actor["kind"] in ("agent", "system") else ref[:_SHORT])
    return f"agent {name}" if actor["kind"] == "agent" else str(name)


def sentence(event: dict[str, Any], names: dict[str, str]) -> str:
    """What happened, in words made of the event's own fields; never of what was remembered.

    Args:
        event: as it was written.
        names: names of principals by handle.
    """
    action = event["action"]
    if action == "governance.changed":
        said = _governance(event, names)
    elif action.startswith("job."):
        said = _job(event)
    elif action == "memory.linked":
        said = f"{event['link']} {event['link_state']}: {event['entry']} {event['label']} {event['other']}"
    elif action in _COUNTED:
        said = _counts(event)
    elif "version" in event:
        state = ", ".join(str(event[name]) for name in ("kind", "state", "tier") if name in event)
        said = f"{event['entry']} v{event['version']}" + (f": {state}" if state else "")
    elif "entries" in event:
        said = _erased_or_read(event)
    else:
        said = _rest(event)
    return said if event["outcome"] == "done" else f"{event['outcome']}: {said}"


def _governance(event: dict[str, Any], names: dict[str, str]) -> str:
    target = event.get("target", "")
    shown = names.get(target) or (target[:_SHORT] if target[:2] in ("a_", "s_") else target)
    said = " ".join(part for part in (event["what"], event.get("function", ""), shown) if part)
    if "from" in event or "to" in event:
        said += f": {event.get('from', 'absent')} → {event.get('to', 'absent')}"
    return said


def _job(event: dict[str, Any]) -> str:
    words = [event["job"]]
    words += [f"of {event['agent']}"] if "agent" in event else []
    words += [f"for {event['purpose']}"] if "purpose" in event else []
    words += [f"about {event['subject'][:_SHORT]}"] if "subject" in event else []
    words += [f"counts as {event['tier']}"] if "tier" in event else []
    return " ".join(words)


_COUNTED = {
    "plugin.records.expired": ("expired", "lapsed", "erased", "removed", "held_back", "unlinked"),
    "memory.exported": ("count",),
}


def _counts(event: dict[str, Any]) -> str:
    return ", ".join(f"{event[name]} {name.replace('_', ' ')}" for name in _COUNTED[event["action"]] if name in event)


def _erased_or_read(event: dict[str, Any]) -> str:
    ids = event["entries"]
    count = f"{len(ids)} entries" if len(ids) != 1 else str(ids[0])
    words = [count if ids else "no entries"]
    words += [f"about {event['subject'][:_SHORT]}"] if "subject" in event else []
    words += [f"by {event['function']}"] if "function" in event else []
    words += [f"basis {event['basis']}"] if "basis" in event else []
    words += [f"residue {event['residue']}"] if "residue" in event else []
    return ", ".join(words)


def _rest(event: dict[str, Any]) -> str:
    known = (
        "approval",
        "rule",
        "function",
        "door",
        "entry",
        "subject",
        "count",
        "through_n",
        "key",
        "solo",
        "generation",
    )
    keys = [f"{len(event['vkeys'])} lines of a key"] if "vkeys" in event else []
    return ", ".join([f"{name} {_brief(event[name])}" for name in known if name in event] + keys)


def _brief(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text[:_SHORT] if text[:2] in ("a_", "s_") else text


def check(found: Check, *, contents: bool) -> View:
    """What a check found: that all holds, or every place where it does not."""
    document = {
        "ok": not found.problems,
        "events": found.events,
        "versions": found.versions if contents else None,
        "root": found.root,
        "heads": found.heads,
        "problems": [
            {"what": problem.what, "where": problem.where, "problem": problem.sentence} for problem in found.problems
        ],
    }
    seen = f"{found.events} events" + (f" and {found.versions} versions" if contents else "")
    if not found.problems:
        more = "" if contents else "; --contents checks what is remembered, too"
        return View("text", document=document, sentence=f"all holds: {seen}, root {found.root}{more}")
    rows: list[tuple[object, ...]] = [(f"{one.what} {one.where}", one.sentence) for one in found.problems]
    count = "one place does not hold" if len(rows) == 1 else f"{len(rows)} places do not hold"
    return View("list", _PROBLEMS, rows, document, f"not verified: {count}, of {seen}")
