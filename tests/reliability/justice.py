"""Whether what happened to entries may have happened: by whom, by which event, with nothing overwritten.

Promises to hold the store before a deed against the store after it and the events told between. Leaves who may read
to ``oracle``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.reliability import soundness
from tests.reliability.oracle import LEARNED, PROPOSALS, Scene, is_apart

if TYPE_CHECKING:
    from tests.actions.world import World
    from tests.reliability.oracle import Law

Event = dict[str, Any]
DECIDES = ("memory.accepted", "memory.confirmed", "memory.edited")


class Told(NamedTuple):
    """The events of one deed, by entry and version, and all in order."""

    of: dict[tuple[str, int], Event]
    every: list[Event]


def told_since(world: World, index: int) -> Told:
    """The events from an index on."""
    rows = soundness.rows(world.store, f"SELECT body FROM event WHERE idx >= {index} ORDER BY idx")
    every: list[Event] = [json.loads(bytes(row[0])) for row in rows]
    return Told({(each["entry"], each["version"]): each for each in every if "version" in each}, every)


def check_kept(before: Scene, after: Scene, erased: set[str]) -> None:
    """No version is ever overwritten; only a deed that erases takes one away (the words of `version`, M33, G41)."""
    for (entry_id, version), old in before.versions.items():
        if entry_id in erased or before.newest[entry_id].state == "erased":
            continue
        new = after.versions[entry_id, version]
        same = old._replace(numbers=new.numbers) == new
        assert same, f"{entry_id} v{version} was written over"
    gone = {each for each, new in after.newest.items() if new.state == "erased"}
    before_gone = {each for each, old in before.newest.items() if old.state == "erased"}
    assert gone - before_gone <= erased


def check_ends(before: Scene, after: Scene, told: Told, erased: set[str], *, may_accept: bool) -> None:
    """Nothing in force ended but by a person, an approval, its agent's own replacement, or an erasure."""
    for entry_id, old in before.newest.items():
        new = after.newest[entry_id]
        if old.state != "active" or new.state == "active" or entry_id in erased:
            continue
        event = told.of[entry_id, new.version]
        if new.state == "retired":
            assert (event["action"], event["actor"]["kind"]) == ("memory.retired", "person"), entry_id
            continue
        assert (new.state, event["action"]) == ("replaced", "memory.replaced"), entry_id
        by = after.newest[new.replaced_by]
        assert by.state in ("active", "replaced"), f"{entry_id} gave way to what is not in force"
        assert (by.kind, by.about, by.purpose) == (old.kind, old.about, old.purpose)
        cause = told.of[by.id, by.version]
        assert _is_decided(cause, may_accept=may_accept) or (
            old.kind not in PROPOSALS and cause["action"] == "memory.remembered"
        ), f"{entry_id} was replaced by {cause}"
        assert old.ends == new.ends, "what was replaced keeps its own end (M12)"


def _is_decided(cause: Event, *, may_accept: bool) -> bool:
    by_person = cause["actor"]["kind"] == "person" or "approval" in cause
    return cause["action"] in DECIDES and (by_person or (may_accept and cause["action"] == "memory.accepted"))


def check_begins(before: Scene, after: Scene, told: Told, law: Law, *, may_accept: bool) -> None:
    """What came into force was accepted or confirmed, or is a note of a tier that needs nobody (M14, M30)."""
    for entry_id, new in after.newest.items():
        old = before.newest.get(entry_id)
        if new.state != "active" or (old is not None and old.state == "active"):
            continue
        event = told.of[entry_id, new.version]
        if new.kind in PROPOSALS:
            assert event["action"] == "memory.accepted", entry_id
            assert old is None or old.state == "held"
            assert _is_decided(event, may_accept=may_accept), event
        elif old is None:
            first = after.versions[entry_id, 1]
            free = law.review == "proposals" or first.tier == "person"
            assert _is_decided(event, may_accept=False) or (event["action"] == "memory.remembered" and free), event
        else:
            assert old.state == "held", "nothing comes back"
            assert _is_decided(event, may_accept=False), event


def check_one(after: Scene, law: Law) -> None:
    """One in force a term, scope and purpose (M13); one a key (M11), but for what a wall hides; one of rivals (M14)."""
    active = [each for each in after.newest.values() if each.state == "active"]
    keyed: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    heirs: dict[str, list[str]] = {}
    for each in active:
        if each.key:
            place = (each.kind, each.key, each.scope, each.about, each.purpose)
            others = keyed.setdefault(place, [])
            walled = each.kind not in PROPOSALS and all(is_apart(law, each.compartments, other) for other in others)
            assert not others or walled, f"two in force as {place}"
            others.append(each.compartments)
        target = heir_of(after, each.id)
        if target and each.kind != "definition":
            heirs.setdefault(target, []).append(each.id)
    for target, rivals in heirs.items():
        assert len(rivals) == 1, f"{rivals} are both in force in the place of {target}"


def heir_of(scene: Scene, entry_id: str) -> str:
    """What an entry was written to replace, past proposals that gave way to it."""
    entry, seen = scene.newest[entry_id], {entry_id}
    while entry.replaces and entry.replaces in scene.newest and entry.replaces not in seen:
        seen.add(entry.replaces)
        before = scene.newest[entry.replaces]
        if not (before.state == "replaced" and before.held):
            return before.id
        entry = before
    return ""


def erasable(before: Scene) -> set[str]:
    """What upkeep may take: about people or learnt, once ended, lapsed or rejected; work only past its end."""
    return {
        each.id
        for each in before.newest.values()
        if each.ends <= before.now
        or ((each.about != "work" or each.kind in LEARNED) and each.state in ("held", "rejected"))
    }
