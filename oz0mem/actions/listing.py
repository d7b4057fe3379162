"""``list`` and ``show``: what is remembered, one page, one entry.

Promises that a member sees what is about themself and nobody is shown a person's entry past its end (M20,
M31), that altered rows are left out and counted (L7), and that what is shown is recorded first (M28).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import context, facts, filters, integrity, labels, refusals, sight
from oz0mem.actions.choosing import check_whole, choose
from oz0mem.model.errors import Forbidden, Invalid
from oz0mem.model.filters import Filter
from oz0mem.model.kinds import ACTIVE, ERASED, HELD
from oz0mem.rules import lifecycle, permission

if TYPE_CHECKING:
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
        facts.versions_seen(desk, caller, entry),
        reasons,
        desk.holds.covering(entry.numbers),
        retirements,
        [] if entry.state == ERASED else of_entry(desk, caller, number),
        desk.now,
    )
