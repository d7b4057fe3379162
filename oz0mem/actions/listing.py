"""``list``, ``show`` and ``history``: what is remembered, one page, one entry, one fact over time.

Promises that a member sees what is about themself and nobody is shown a person's entry past its end (M20,
M31), that altered rows are left out and counted (L7), and that what is shown is recorded first (M28).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import context, filters, integrity, labels, refusals, sight, versions
from oz0mem.actions.choosing import check_whole, choose, choose_whole
from oz0mem.model.errors import Forbidden, Invalid, NotFound
from oz0mem.model.filters import Filter
from oz0mem.model.kinds import ACTIVE, ERASED, HELD, RETIRED
from oz0mem.model.names import nfc
from oz0mem.rules import lifecycle, permission

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.agreements import Link
    from oz0mem.model.entries import Entry, Numbers


_LOOKS = 20
"""Pages of rows that one page of a list looks through; a page may then be short and still have a next."""


class Page(NamedTuple):
    """A page of a list: entries, the legal holds on each, where the next begins, ids left out as altered."""

    items: list[Entry]
    holds: dict[int, list[str]]
    next: str | None
    altered: list[str]
    now: int


class Shown(NamedTuple):
    """One entry whole: its newest version, all versions, reasons given, holds, retirements that wait, links."""

    entry: Entry
    versions: list[Entry]
    reasons: list[str]
    holds: list[str]
    retirements: list[str]
    links: list[Link]
    now: int


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


@refusals.told("list")
def list_entries(
    ctx: Context,
    asked: Filter,
    *,
    held: bool = False,
    search: str = "",
    match: str = "any",
    limit: int = 50,
    after: str = "",
) -> Page:
    """A page of entries, newest first.

    Args:
        ctx: who asks.
        asked: filters; ``state`` also takes ``promoted`` and ``demoted``.
        held: only what waits for a person and has not lapsed.
        search: words that the text must have.
        match: ``any`` of them or ``all``.
        limit: how many, 1 to 1,000.
        after: the cursor that the last page gave.
    """
    if not 1 <= limit <= 1_000:
        raise Invalid("list.limit", "a page has 1 to 1,000 entries", hint="--limit 50", rule="C2")
    if match not in ("any", "all"):
        raise Invalid("list.match", "match is any or all", hint="--match all", rule="R2")
    checked = filters.check(asked, held=held)._replace(after=filters.read_cursor(after) if after else None)
    caller, page = ctx.read(lambda desk: _list(desk, ctx, checked, search, match, limit))
    if any(entry.text for entry in page.items):
        ctx.record(lambda desk: labels.note_shown(desk, caller, page.items, "list", ctx.door))
    return page


def _list(desk: Desk, ctx: Context, asked: Filter, search: str, match: str, limit: int) -> tuple[Caller, Page]:
    caller = context.person_of(desk, ctx, "see")
    asked = _narrowed(caller, asked)
    if search.strip():
        asked = asked._replace(entries=_having(desk, search, match))
    items: list[Entry] = []
    altered: list[str] = []
    last: Numbers | None = None
    # Rows that nobody may be shown any more are skipped, so a page may take more than one look.
    for _ in range(_LOOKS):
        rows = desk.listing.page(asked, limit + 1)
        read = desk.entries.load(rows[:limit])
        # An erased row has nothing left that could open a commitment, and no text to show (G42).
        checked = integrity.Checked(read, []) if asked.state == ERASED else integrity.check(desk, read)
        good = {entry.numbers.entry: entry for entry in checked.good}
        for row in rows[:limit]:
            if len(items) == limit:
                break
            last, entry = row, good.get(row.entry)
            altered += [] if entry else [row.id]
            if entry and _is_listed(entry, asked, desk.now) and sight.may_see(caller, entry, desk.now):
                items.append(entry)
        more = len(rows) > limit or (bool(rows) and last != rows[-1])
        if not more or len(items) == limit:
            break
        asked = asked._replace(after=filters.place_of(rows[limit - 1], asked))
    cursor = filters.write_cursor(last, asked) if more and last else None
    return caller, Page(items, desk.holds.covering_each([e.numbers for e in items]), cursor, altered, desk.now)


def _narrowed(caller: Caller, asked: Filter) -> Filter:
    """What a member may list: what is about themself, and work in force in the tenant's scope (M20)."""
    if permission.may(caller.role, "see_all"):
        return asked
    if asked.about == "work" and asked.scope in ("", "tenant") and asked.state in ("", ACTIVE):
        return asked._replace(scope="tenant", state=ACTIVE)
    if asked.about not in ("", caller.name):
        raise Forbidden(
            "role.forbidden",
            "a member sees what is about themself, and work in force in the tenant's scope",
            hint="leave --about out",
            rule="M20",
        )
    return asked._replace(about=caller.name)


def _is_listed(entry: Entry, asked: Filter, now: int) -> bool:
    if sight.is_past(entry, now):
        return False
    if asked.due or asked.ended:
        return lifecycle.is_ended(entry.state, entry.ends, now)
    lapsed = lifecycle.is_lapsed(entry.state, entry.ends, entry.counted_from, now, kind=entry.kind)
    if asked.lapsed:
        return lapsed
    return not (lapsed and (entry.about_person or asked.state == HELD))


def _having(desk: Desk, search: str, match: str) -> tuple[int, ...]:
    """The entries that have the words, anywhere in the tenant."""
    from oz0mem.actions.recall import check_index
    from oz0mem.rules.words import index_words, question_words

    check_index(desk)
    words = list(index_words(search)) if match == "all" else question_words(search)
    numbers = desk.words.numbers(words)
    if not numbers or (match == "all" and len(numbers) < len(set(words))):
        return ()
    held = [set(entries) for entries in desk.words.postings(list(numbers.values()), None).values()]
    found = set.intersection(*held) if match == "all" else set.union(*held)
    return tuple(sorted(found))


@refusals.told("show")
def show(ctx: Context, entry_id: str, *, versions: bool = False) -> Shown:
    """One entry whole; with ``versions`` every text that it had is shown, and recorded as shown."""
    caller, shown = ctx.read(lambda desk: _show(desk, ctx, entry_id))
    texts = [each for each in (shown.versions if versions else [shown.entry]) if each.text]
    if texts:
        ctx.record(lambda desk: labels.note_shown(desk, caller, texts, "show", ctx.door))
    return shown


def _show(desk: Desk, ctx: Context, entry_id: str) -> tuple[Caller, Shown]:
    from oz0mem.actions.links import of_entry

    caller = context.person_of(desk, ctx, "see")
    entry = choose(desk, caller, entry_id)
    if entry.state != "erased":
        check_whole(desk, entry)
    number = entry.numbers.entry
    reviewing = permission.may(caller.role, "see_all")
    reasons = [reason for _, reason in desk.reasons.of_entry(number)] if reviewing else []
    retirements = [reason for *_, reason in desk.proposals.waiting(number)] if reviewing else []
    return caller, Shown(
        entry,
        _seen(desk, caller, entry),
        reasons,
        desk.holds.covering(entry.numbers),
        retirements,
        [] if entry.state == ERASED else of_entry(desk, caller, number),
        desk.now,
    )


def _seen(desk: Desk, caller: Caller, entry: Entry) -> list[Entry]:
    """The versions of an entry that a caller may see: a member reads of work only what is in force (M20)."""
    every = desk.entries.versions(entry.numbers.entry)
    all_of_it = entry.about == caller.name or permission.may(caller.role, "see_all")
    return every if all_of_it else [each for each in every if each.version == entry.version]


@refusals.told("history")
def history(ctx: Context, agent: str, key: str, about: str = "") -> History:
    """A fact over time: every entry with a key in an agent's scope, about a person or work.

    Raises:
        NotFound: ``history.unknown`` where nothing has that key.
    """
    key, about = nfc(key.strip()), nfc(about)
    caller, found = ctx.read(lambda desk: _history(desk, ctx, agent, key, about))
    ctx.record(lambda desk: labels.note_shown(desk, caller, [f.entry for f in found.items], "history", ctx.door))
    return found


def _history(desk: Desk, ctx: Context, agent: str, key: str, about: str) -> tuple[Caller, History]:
    caller = context.person_of(desk, ctx, "see")
    about = about or ("work" if permission.may(caller.role, "see_all") else caller.name)
    asked = Filter(scope=f"agent:{agent}", about=about, key=key)
    entries = desk.entries.load(desk.listing.page(asked, 1_000))
    good, altered = integrity.check(desk, entries)
    seen = [
        entry
        for entry in good
        if entry.key == key and sight.may_see(caller, entry, desk.now) and not sight.is_past(entry, desk.now)
    ]
    facts = sorted(
        (
            Fact(entry, versions.in_force_from(desk, entry), _stopped(entry))
            for entry in seen
            if entry.state in ("active", "replaced", "retired")
        ),
        key=lambda fact: (fact.start, fact.entry.numbers.entry),
    )
    if not facts:
        raise NotFound(
            "history.unknown",
            "nothing with that key is known there",
            hint=f"oz0mem list --agent {agent}" + (f" --about {about}" if about != "work" else ""),
            rule="M11",
        )
    return caller, History(agent, key, about, facts, desk.now, tuple(altered))


def history_of(ctx: Context, entry_id: str) -> History:
    """The fact that one entry is part of: what it replaced and what replaced it."""
    entry = ctx.read(lambda desk: choose(desk, context.person_of(desk, ctx, "see"), entry_id))
    if entry.key and entry.scope.startswith("agent:"):
        return history(ctx, entry.scope.removeprefix("agent:"), entry.key, entry.about)
    caller, chain = ctx.read(lambda desk: _chain(desk, ctx, entry_id))
    ctx.record(lambda desk: labels.note_shown(desk, caller, [f.entry for f in chain.items], "history", ctx.door))
    return chain


def _chain(desk: Desk, ctx: Context, entry_id: str) -> tuple[Caller, History]:
    caller = context.person_of(desk, ctx, "see")
    entry = choose_whole(desk, caller, entry_id)
    every: Sequence[Entry] = _seen(desk, caller, entry)
    texts = [each for at, each in enumerate(every) if each.text and (not at or each.text != every[at - 1].text)]
    facts = [
        Fact(
            each,
            each.at if at else versions.in_force_from(desk, each),
            texts[at + 1].at if at + 1 < len(texts) else _stopped(entry),
        )
        for at, each in enumerate(texts)
    ]
    return caller, History(entry.agent, entry.key, entry.about, facts, desk.now)


def _stopped(entry: Entry) -> int:
    """When a fact stopped being true: replaced, as it says itself, or retired; 0 where it is true now."""
    return entry.ended_at or entry.valid_until or (entry.at if entry.state == RETIRED else 0)
