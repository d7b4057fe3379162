"""The entry that a change is about: one that the caller may read, at the version that they read (M15, M21).

Promises that a job hears of an entry it may not read what it hears of one that is not there, walls included (M25), and
that a stale version is answered with the newest and with who decides. Leaves what is done to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import integrity, sight
from oz0mem.actions.choosing import choose_whole
from oz0mem.model.errors import Conflict, NotFound, Refused
from oz0mem.model.kinds import ACTIVE, ERASED, HELD, KINDS, REPLACED
from oz0mem.rules import lifecycle, permission, walls
from oz0mem.rules.about import granted

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


def find(desk: Desk, caller: Caller, settings: Settings, entry_id: str, version: int | None) -> Entry:
    """The entry that a caller means to change, at the version that they read.

    Raises:
        NotFound: ``memory.unknown``.
        Refused: ``memory.version`` where none is named, ``memory.purpose`` where it is another purpose's.
        Conflict: ``memory.stale``, ``memory.altered``.
    """
    if version is None:
        raise Refused("memory.version", "a change names the version that was read", hint="read it again", rule="M15")
    if caller.job is None:
        entry = choose_whole(desk, caller, entry_id)
        check_version(entry, version)
        return entry
    entry = of_job(desk, caller, settings, entry_id)
    if version != entry.version:
        check_version(_veiled(desk, caller, settings, entry), version)
    check_purpose(caller.job.purpose, entry)
    assert caller.declaration is not None  # the caller is an agent's job
    granted(entry.scope, caller.job, caller.declaration, "write")
    return entry


def _veiled(desk: Desk, caller: Caller, settings: Settings, entry: Entry) -> Entry:
    """An entry that says by what it was replaced only where the job may read that too (M25)."""
    try:
        of_job(desk, caller, settings, entry.replaced_by)
    except NotFound:
        return entry._replace(replaced_by="")
    return entry


def of_job(desk: Desk, caller: Caller, settings: Settings, entry_id: str) -> Entry:
    """An entry that a job may read by its id: in its places, on its side of every wall, as it was written.

    Held entries are read where they are proposals, which ``define`` shows, or the agent's own (M22).

    Raises:
        NotFound: ``memory.unknown``, the same for what is hidden as for what is not there.
    """
    job = caller.job
    assert job is not None  # asked only for a job's caller
    entry = desk.entries.by_id(entry_id)
    if entry is None or entry.state == ERASED or entry.restricted or sight.is_past(entry, desk.now):
        raise unread()
    hidden = (
        not sight.reach_of(desk, caller, settings).within()(entry.numbers)
        or walls.are_apart(settings.apart, job.compartments, entry.compartments)
        or not _may_know(entry, job.agent, desk.now)
    )
    if hidden or not integrity.check(desk, [entry]).good:
        raise unread()
    return entry


def _may_know(entry: Entry, agent: str, now: int) -> bool:
    if entry.state in (ACTIVE, REPLACED):
        return not (entry.state == REPLACED and entry.held and entry.agent != agent and not KINDS[entry.kind].proposal)
    if entry.state != HELD:
        return entry.agent == agent
    lapsed = lifecycle.is_lapsed(entry.state, entry.ends, entry.counted_from, now, kind=entry.kind)
    return not lapsed and (KINDS[entry.kind].proposal or entry.agent == agent)


def unread() -> NotFound:
    """The answer to a job that names an entry which is none of its."""
    return NotFound(
        "memory.unknown",
        "there is no such entry among what this job may read",
        hint="recall shows what there is, with ids and versions",
        rule="M20",
    )


def check_version(entry: Entry, version: int | None) -> None:
    """Refuse a change of a version that is not the newest (M15); None where none was named.

    Raises:
        Conflict: ``memory.stale`` with the newest version's number, its state and who may decide.
    """
    if version is None or version == entry.version:
        return
    now = f" and is {entry.state}" if entry.state != ACTIVE else ""
    by = f" by {entry.replaced_by}" if entry.replaced_by else ""
    able = permission.DEEDS["review"][0]
    raise Conflict(
        "memory.stale",
        f"{entry.id} is at version {entry.version}{now}{by}, not {version}; nothing was changed",
        hint=f"read it again and decide anew: oz0mem show {entry.replaced_by or entry.id};"
        f" a principal of role {' or '.join(able)} decides between two",
        rule="M15",
        id=entry.id,
        newest=entry.version,
        state=entry.state,
        replaced_by=entry.replaced_by or None,
        decides=list(able),
    )


def check_purpose(purpose: str, entry: Entry) -> None:
    """A job changes only entries of its own purpose (M21).

    Raises:
        Refused: ``memory.purpose`` naming the purpose that may.
    """
    if purpose != entry.purpose:
        able = f"for {entry.purpose}" if entry.purpose else "without a purpose"
        own = f"for {purpose}" if purpose else "without a purpose"
        raise Refused(
            "memory.purpose",
            f"only a job {able} changes that entry, and this one runs {own}",
            hint="this job may propose one of its own purpose instead",
            rule="M21",
            purpose=entry.purpose,
        )
