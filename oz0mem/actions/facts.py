"""``history``: a fact over time, by its key or by the id of any entry that was ever part of it (M11, M12).

Promises that only what was in force is shown, from when it came into force until it stopped; that a proposal which
gave way, was rejected or still waits is no part of it; and that what is shown is recorded first (M28).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import choosing, context, integrity, labels, refusals, replacing, sight, versions
from oz0mem.model.errors import Invalid, NotFound
from oz0mem.model.filters import Filter
from oz0mem.model.kinds import ACTIVE, ERASED, REPLACED, RETIRED
from oz0mem.model.names import check_entry_prefix, nfc
from oz0mem.rules import permission

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry

_MOST = 1_000
"""Entries that one history looks at."""


class Fact(NamedTuple):
    """One span of a fact: what it said, from when until when (0 is now)."""

    entry: Entry
    start: int
    until: int


class History(NamedTuple):
    """A fact over time, oldest first."""

    agent: str
    key: str
    about: str
    items: list[Fact]
    now: int
    altered: tuple[str, ...] = ()


@refusals.told("history")
def history(ctx: Context, agent: str, key: str, about: str = "") -> History:
    """A fact over time: every entry with a key in an agent's scope, about a person or work.

    Raises:
        NotFound: ``history.unknown`` where nothing with that key was ever in force.
    """
    key, about = nfc(key.strip()), nfc(about)
    caller, found = ctx.read(lambda desk: _of_key(desk, ctx, agent, key, about))
    return _noted(ctx, caller, found)


@refusals.told("history")
def history_of(ctx: Context, entry_id: str) -> History:
    """The fact that one entry is part of: what it replaced and what replaced it.

    Args:
        ctx: who asks.
        entry_id: any entry of the fact, a proposal for it too.

    Raises:
        Invalid: ``history.key`` where it is no id: an agent's fact has a key.
        NotFound: ``memory.unknown``, or ``history.unknown`` where nothing of it was ever in force.
    """
    _check_id(entry_id)
    caller, found = ctx.read(lambda desk: _of_entry(desk, ctx, entry_id))
    return _noted(ctx, caller, found)


def _noted(ctx: Context, caller: Caller, found: History) -> History:
    ctx.record(lambda desk: labels.note_shown(desk, caller, [f.entry for f in found.items], "history", ctx.door))
    return found


def _check_id(entry_id: str) -> None:
    try:
        check_entry_prefix(entry_id)
    except Invalid as error:
        if error.code != "id.bad":
            raise
        raise Invalid(
            "history.key",
            "the KEY is missing: an agent's fact is found by its key, or by the id of an entry",
            hint="oz0mem history AGENT KEY, or oz0mem history ID",
            rule="M11",
        ) from None


def _of_key(desk: Desk, ctx: Context, agent: str, key: str, about: str) -> tuple[Caller, History]:
    caller = context.person_of(desk, ctx, "see")
    found = _keyed(desk, caller, agent, key, about)
    if not found.items:
        about = found.about
        raise NotFound(
            "history.unknown",
            "nothing with that key is known there",
            hint=f"oz0mem list --agent {agent}" + (f" --about {about}" if about != "work" else ""),
            rule="M11",
        )
    return caller, found


def _keyed(desk: Desk, caller: Caller, agent: str, key: str, about: str) -> History:
    about = about or ("work" if permission.may(caller.role, "see_all") else caller.name)
    asked = Filter(scope=f"agent:{agent}", about=about, key=key)
    entries = desk.entries.load(desk.listing.page(asked, _MOST))
    good, altered = integrity.check(desk, entries)
    seen = [
        entry
        for entry in good
        if entry.key == key and sight.may_see(caller, entry, desk.now) and not sight.is_past(entry, desk.now)
    ]
    facts = [Fact(entry, versions.in_force_from(desk, entry), _stopped(entry)) for entry in seen if was_in_force(entry)]
    facts.sort(key=lambda fact: (fact.start, fact.entry.numbers.entry))
    return History(agent, key, about, facts, desk.now, tuple(altered))


def _of_entry(desk: Desk, ctx: Context, entry_id: str) -> tuple[Caller, History]:
    caller = context.person_of(desk, ctx, "see")
    entry = choosing.choose_whole(desk, caller, entry_id)
    if entry.key and entry.scope.startswith("agent:"):
        found = _keyed(desk, caller, entry.scope.removeprefix("agent:"), entry.key, entry.about)
    else:
        found = _replacing_one_another(desk, caller, entry)
    if not found.items:
        raise NotFound(
            "history.unknown",
            f"nothing of it was ever in force: {entry.id} is {entry.state}",
            hint=f"oz0mem show {entry.id}",
            rule="M11",
        )
    return caller, found


def _replacing_one_another(desk: Desk, caller: Caller, entry: Entry) -> History:
    """The entries that replaced one another, through this one; those in force, and that the caller may see (M20)."""
    chain = [
        each
        for each in _chain(desk, entry)
        if each.state != ERASED and choosing.is_seen(caller, each, desk.now) and was_in_force(each)
    ]
    good, altered = integrity.check(desk, chain)
    facts = [fact for each in good for fact in _texts(desk, caller, each)]
    facts.sort(key=lambda fact: fact.start)
    return History(entry.agent, entry.key, entry.about, facts, desk.now, tuple(altered))


def _chain(desk: Desk, entry: Entry) -> list[Entry]:
    """Everything before and after an entry, past proposals that gave way; with a term, all that had it there (M13)."""
    found = {entry.id: entry}
    if entry.key:
        place = desk.entries.place(entry.scope, entry.about, entry.purpose)[0]
        same = desk.entries.keyed(entry.key, place, entry.kind)
        found |= {each.id: each for each in same if each.key == entry.key}
    waiting = list(found.values())
    while waiting and len(found) < _MOST:
        last = waiting.pop()
        for entry_id in (last.replaces, last.replaced_by):
            other = desk.entries.by_id(entry_id) if entry_id and entry_id not in found else None
            if other is not None:
                found[other.id] = other
                waiting.append(other)
    return sorted(found.values(), key=lambda each: each.numbers.entry)


def was_in_force(entry: Entry) -> bool:
    """Whether an entry is or ever was in force: what was rejected, waits or gave way before that never was."""
    return entry.state in (ACTIVE, REPLACED, RETIRED) and not replacing.gave_way(entry)


def _texts(desk: Desk, caller: Caller, entry: Entry) -> list[Fact]:
    """The texts that an entry had while it was in force, each with its time."""
    seen = [each for each in versions_seen(desk, caller, entry) if was_in_force(each)]
    texts = [each for at, each in enumerate(seen) if each.text and (not at or each.text != seen[at - 1].text)]
    starts = [each.at if at else versions.in_force_from(desk, entry) for at, each in enumerate(texts)]
    untils = [*starts[1:], _stopped(entry)]
    return [Fact(each, start, until) for each, start, until in zip(texts, starts, untils, strict=False)]


def versions_seen(desk: Desk, caller: Caller, entry: Entry) -> list[Entry]:
    """The versions of an entry that a caller may see: a member reads of work only what is in force (M20)."""
    every = desk.entries.versions(entry.numbers.entry)
    all_of_it = entry.about == caller.name or permission.may(caller.role, "see_all")
    return every if all_of_it else [each for each in every if each.version == entry.version]


def _stopped(entry: Entry) -> int:
    """When a fact stopped being true: replaced, as it says itself, or retired; 0 where it is true now."""
    return entry.ended_at or entry.valid_until or (entry.at if entry.state == RETIRED else 0)
