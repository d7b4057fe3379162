"""What a job has read, and what it may be trusted with after that (G2, M24).

Promises that reading only lowers trust: what a job is shown from memory counts as read, unless a person wrote,
rewrote, confirmed or accepted it, that compartments join always, and that two calls of one job at once never read
both sides of a wall. Leaves what a wall hides to ``rules/walls``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import context
from oz0mem.actions.audit import tell_read
from oz0mem.model.errors import Conflict
from oz0mem.model.kinds import PERSON, UNREVIEWED, lower
from oz0mem.rules import walls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.declarations import Declaration
    from oz0mem.model.entries import Entry

MEMORY = "memory"
"""The source that reading memory is noted as (M24)."""

_BY_AGENTS = ("agent", "chat")
"""Origins of what an agent wrote itself; what was imported or copied has the tier that it came with."""
_DECIDED = ("memory.confirmed", "memory.edited", "memory.accepted")


def note_shown(
    desk: Desk, caller: Caller, shown: Sequence[Entry], function: str, door: str, *, startup: bool = False
) -> None:
    """Record what is about to be shown (M28), and lower the job that reads it (M24).

    Args:
        desk: the transaction that records.
        caller: who is shown the texts.
        shown: the entries, each at the version shown.
        function: what was called.
        door: which door.
        startup: whether it is what an agent starts with.

    Raises:
        Conflict: ``wall.joined`` where another call of the job has read the other side of a wall since these were
            looked up (M25).
    """
    _check_walls(desk, caller, shown)
    tell_read(desk, caller, shown, function, door, startup=startup)
    join(desk, caller, shown)


def _check_walls(desk: Desk, caller: Caller, shown: Sequence[Entry]) -> None:
    """Judge walls again by what the job has read by now: it may be looked up in a transaction before this one."""
    if caller.job is None or not any(entry.compartments for entry in shown):
        return
    pairs = context.settings_of(desk).apart
    job = desk.identity.job_of(caller.job.number) if pairs else None
    if job is None:
        return
    around = walls.Walls(pairs, job.compartments)
    if any(around.hide(entry) for entry in shown):
        raise Conflict(
            "wall.joined",
            "another call of this job read the other side of a wall meanwhile; nothing was shown",
            hint="ask again",
            rule="M25",
        )


def join(desk: Desk, caller: Caller, shown: Sequence[Entry]) -> JobRecord | None:
    """Let a job have read entries (M24); answers the job as it is from now on, None for a person."""
    job = caller.job
    if job is None:
        return None
    tier = job.tier
    for entry in shown:
        brings = tier_of(entry, caller.declaration)
        if lower(tier, brings) != tier and not _by_person(desk, entry):
            tier = lower(tier, brings)
    brought = sorted({each for entry in shown for each in entry.compartments})
    joined = desk.identity.join_compartments(job.number, brought) if brought else job.compartments
    if tier != job.tier:
        desk.identity.lower_job(job.number, tier)
        desk.identity.note_read(job.number, MEMORY, tier)
    return job._replace(tier=tier, compartments=joined)


def tier_of(entry: Entry, reader: Declaration | None) -> str:
    """The tier that an entry brings its reader down to, unless a person stands for its text (M24).

    Args:
        entry: what is read; one that an agent of another plugin wrote counts as unreviewed.
        reader: the declaration of the agent that reads.
    """
    from oz0mem.model.declarations import NO_PLUGIN

    own = reader.plugin if reader is not None and reader.plugin != NO_PLUGIN else ""
    foreign = entry.origin in _BY_AGENTS and entry.plugin != own
    return UNREVIEWED if foreign else entry.tier


def _by_person(desk: Desk, entry: Entry) -> bool:
    """Whether a person wrote, rewrote, confirmed or accepted this text, or approved the call that did.

    Later versions (renewed, moved, replaced) follow the one that put the text there, so all with the same text
    are looked at; an event that its version does not open says nothing (L7).
    """
    if entry.origin == "person" and entry.tier == PERSON:
        return True
    import json

    from oz0mem.actions import integrity

    for version in desk.entries.versions(entry.numbers.entry):
        told = desk.ledger.at(version.numbers.event) if version.text == entry.text else None
        if told is None or not integrity.opens(desk.head.origin, version, told):
            continue
        event = json.loads(told.body)
        actor = event.get("actor")
        person = isinstance(actor, dict) and actor.get("kind") == "person"
        if event.get("action") in _DECIDED and (person or "approval" in event):
            return True
    return False
