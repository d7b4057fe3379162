"""What every link takes: entries that can be linked, an id, an event; and the links that a write makes (M17).

Promises that a job names as a source only what it may read now, that what it may not is answered as what is not there,
and that a source counts as read (M24). Leaves proposing and deciding to ``links``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import audit, integrity, labels, sight
from oz0mem.actions.choosing import choose_whole
from oz0mem.model.agreements import CONFIRMED, DERIVES_FROM, WAITING, Link
from oz0mem.model.errors import Invalid, NotFound, Refused
from oz0mem.model.kinds import ACTIVE, LAPSED, REJECTED, REPLACED
from oz0mem.rules import lifecycle, walls
from oz0mem.rules import links as rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


def choose_linkable(desk: Desk, caller: Caller, wanted: str) -> Entry:
    """The entry of an id among those that a person may see, which was neither rejected nor has lapsed.

    Raises:
        Refused: ``link.state``.
    """
    entry = choose_whole(desk, caller, wanted)
    lapsed = lifecycle.is_lapsed(entry.state, entry.ends, entry.counted_from, desk.now, kind=entry.kind)
    if lapsed or entry.state == REJECTED:
        state = LAPSED if lapsed else entry.state
        raise Refused(
            "link.state",
            f"{entry.id} is {state}, and a link stands between entries that somebody can still rely on",
            hint=f"oz0mem show {entry.id}",
            rule="M17",
            id=entry.id,
            state=state,
        )
    return entry


def blank(desk: Desk, entry: Entry, label: str, other: Entry) -> Link:
    """A link that waits, not written yet, with an id of 12 random digits."""
    made = ""
    while not made or desk.links.by_id(made) is not None:
        made = f"{rule.PREFIX}{desk.random(6).hex()}"
    return Link(
        0, made, entry.numbers.entry, entry.id, label, other.numbers.entry, other.id, WAITING, "", "", desk.now, 0
    )  # fmt: skip


def tell(desk: Desk, actor: Mapping[str, Any], made: Link, entry: Entry, reason: str = "") -> None:
    """Tell the ledger how a link stands; the reason stands with the entry that the link is from (L5)."""
    told = audit.reasoned(desk, reason, about=entry.about, entry=entry.numbers.entry)
    fields = {"link": made.id, "entry": made.entry_id, "other": made.other_id, "label": made.label}
    desk.ledger.append("memory.linked", actor, {**fields, "link_state": made.state, **told})


def sources_of(desk: Desk, caller: Caller, settings: Settings, ids: Sequence[str]) -> list[Entry]:
    """The entries that a write says it derives from, each once, in the order given.

    Args:
        desk: the transaction.
        caller: who writes; a job names what it may read at this moment, a person what they may see.
        settings: the tenant's, for purposes and walls.
        ids: 16 at most; a job's are whole.

    Raises:
        Invalid: ``link.sources`` where there are more.
        NotFound: ``memory.unknown``, the same for what is not there and for what the job may not read.
        Refused: ``link.state`` where a person names what was rejected or has lapsed.
    """
    wanted = list(dict.fromkeys(ids))
    if len(wanted) > rule.MOST_SOURCES:
        raise Invalid(
            "link.sources",
            f"a text derives from {rule.MOST_SOURCES} entries at most",
            hint="name those that count most",
            rule="M17",
            most=rule.MOST_SOURCES,
        )
    if caller.job is None:
        chosen = {entry.id: entry for entry in (choose_linkable(desk, caller, each) for each in wanted)}
        return list(chosen.values())
    within = sight.reach_of(desk, caller, settings).within()
    found = [entry for each in wanted if (entry := desk.entries.by_id(each)) is not None]
    read = [entry for entry in found if within(entry.numbers) and _is_source(entry, desk.now)]
    shown, withheld = walls.withhold(settings.apart, caller.job.compartments, read)
    if withheld or len(shown) != len(wanted) or integrity.check(desk, shown).altered:
        raise NotFound(
            "memory.unknown",
            "there is no such entry among what this job may read",
            hint="name in derives_from what recall or define showed",
            rule="M20",
        )
    return shown


def _is_source(entry: Entry, now: int) -> bool:
    """Whether recall shows an entry, or would with what ended (M22)."""
    if entry.restricted or sight.is_past(entry, now):
        return False
    if entry.state == ACTIVE and entry.ends <= now:
        return not entry.about_person
    return entry.state == REPLACED or sight.is_recallable(entry, now)


def derive(desk: Desk, actor: Mapping[str, Any], entry: Entry, sources: Sequence[Entry], by: str) -> list[Link]:
    """Link a new entry to what it derives from; such links need no confirming.

    Args:
        desk: the transaction that wrote the entry.
        actor: who wrote, as the ledger names them.
        entry: the new one.
        sources: as ``sources_of`` answered.
        by: name of the person who wrote, or who started the job.
    """
    made: list[Link] = []
    for source in sources:
        if source.numbers.entry == entry.numbers.entry:
            continue
        new = blank(desk, entry, DERIVES_FROM, source)
        made.append(desk.links.put(new._replace(state=CONFIRMED, proposer=by, decided=desk.now)))
        tell(desk, actor, made[-1], entry)
    return made


def taint(desk: Desk, caller: Caller, sources: Sequence[Entry]) -> JobRecord | None:
    """Let a job have read what it names as sources (M24); answers the job as it is from now on, None for a person."""
    return labels.join(desk, caller, sources)
