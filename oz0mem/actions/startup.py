"""``startup_context``: what an agent's job works under, as a text to start with (M27).

Promises that only what the job may read and what is in force is in it, that it is recorded with ``startup``
before it is shown (M28), and that a job which asks again gets its first text without what it may not be shown
any more. Leaves order, words and budget to ``rules/startup``.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import context, integrity, labels, refusals, sight
from oz0mem.actions.draft import check_call
from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import ERASED
from oz0mem.rules import startup as rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry, Numbers
    from oz0mem.model.settings import Settings
    from oz0mem.rules.walls import Walls

_AT_ONCE = 100
"""Entries read whole at a time, until the budget is used up."""


class Startup(NamedTuple):
    """The text, '' where there is none, the entries in it in order, how many walls withheld, and its characters.

    ``altered`` are the ids that were left out since their rows do not agree with the ledger (L7).
    """

    text: str
    items: list[Entry]
    withheld: int
    chars: int
    now: int
    altered: Sequence[str] = ()


@refusals.told("startup_context")
def startup_context(ctx: Context, budget_tokens: int | None = None, used_tokens: int = 0) -> Startup:
    """The text that an agent's job starts with.

    Args:
        ctx: the job.
        budget_tokens: how much it may be, a token being four characters; the declaration's limit stays above it.
        used_tokens: how much of that others used.

    Raises:
        Invalid: ``startup.budget``, or ``startup.job`` where no agent's job asks.
        Forbidden: ``agent.function`` where the declaration names no function of memory (G5).
    """
    rule.budget(budget_tokens, used_tokens, None)
    return ctx.record(lambda desk: _startup(desk, ctx, budget_tokens, used_tokens))


def _startup(desk: Desk, ctx: Context, asked: int | None, used: int) -> Startup:
    caller = context.caller_of(desk, ctx)
    job, declaration = caller.job, caller.declaration
    if job is None or declaration is None:
        raise Invalid(
            "startup.job", "an agent's job starts with that text, a person does not", hint="--agent A", rule="M27"
        )
    check_call(declaration, "startup_context")
    settings = context.settings_of(desk)
    if job.startup is None:
        room = rule.budget(asked, used, declaration.startup_tokens)
        found = _first(desk, caller, settings, room)
        desk.identity.note_startup(job.number, [(each.numbers.entry, each.version) for each in found.items])
    else:
        found = _again(desk, caller, settings, job.startup)
    if found.items:
        labels.note_shown(desk, caller, found.items, "startup_context", ctx.door, startup=True)
    return found


def in_order(desk: Desk, rows: Sequence[Numbers], altered: list[Entry], at_once: int = _AT_ONCE) -> Iterator[Entry]:
    """Entries in force of these rows in the order of the text, read as they are taken.

    Args:
        desk: the transaction.
        rows: of what is in force where somebody reads.
        altered: what is left out since it is altered (L7) is put here, as far as entries were read.
        at_once: how many are read whole at a time.
    """
    names = desk.names.spelled(row.scope for row in rows)
    begins = {row.entry for row in rows if row.valid_from}

    def since_of(numbers: Sequence[int]) -> dict[int, int]:
        return desk.listing.in_force_since([number for number in numbers if number not in begins])

    # What is in force came into force with its newest version at the latest.
    candidates = [
        rule.Candidate(
            row.entry, row.id, sight.kind_of(row), names.get(row.scope, ""), row.valid_from or row.at, row.created
        )
        for row in rows
    ]
    ordered = rule.order(candidates, since_of, at_once)
    while part := list(islice(ordered, at_once)):
        read = [entry for entry in desk.entries.newest(part) if sight.is_recallable(entry, desk.now)]
        good, beside = integrity.check(desk, read)
        altered += [entry for entry in read if entry.id in beside]
        yield from good


def _first(desk: Desk, caller: Caller, settings: Settings, room: int) -> Startup:
    """The text as it is now, as far as the budget goes."""
    reach = sight.reach_of(desk, caller, settings)
    within = reach.within()
    rows = [row for row in desk.listing.at_startup(reach.every or []) if within(row)]
    walls = sight.walls_of(caller, settings)
    shown: list[Entry] = []
    altered: list[Entry] = []
    withheld, chars = 0, len(rule.HEADING)
    for entry in in_order(desk, rows, altered) if room > chars else ():
        if walls.hide(entry):
            withheld += 1
            continue
        chars += 1 + len(rule.line(entry))
        if chars > room:
            break
        shown.append(entry)
        walls = walls.joined(entry)
    return _told(desk, shown, withheld, altered, walls)


def _again(desk: Desk, caller: Caller, settings: Settings, noted: Sequence[tuple[int, int]]) -> Startup:
    """The first text, each entry at the version that it had, without what may not be shown any more."""
    within = sight.reach_of(desk, caller, settings).within()
    walls = sight.walls_of(caller, settings)
    newest = {entry.numbers.entry: entry for entry in desk.entries.newest(number for number, _ in noted)}
    beside = set(integrity.check(desk, list(newest.values())).altered)
    shown: list[Entry] = []
    altered: list[Entry] = []
    withheld = 0
    for number, version in noted:
        entry = newest.get(number)
        if entry is None or entry.restricted or entry.state == ERASED:
            continue
        if not within(entry.numbers) or sight.is_past(entry, desk.now):
            continue
        then = entry if entry.version == version else _at(desk, number, version)
        if then is None:
            continue
        if entry.id in beside or not _opens(desk, then):
            altered.append(entry)
            continue
        if walls.hide(then):
            withheld += 1
            continue
        shown.append(then)
        walls = walls.joined(then)
    return _told(desk, shown, withheld, altered, walls)


def _at(desk: Desk, number: int, version: int) -> Entry | None:
    """An entry as it was at a version, None where that text is gone (M33)."""
    then = next((each for each in desk.entries.versions(number) if each.version == version), None)
    return then if then is not None and then.state != ERASED and then.text else None


def _opens(desk: Desk, then: Entry) -> bool:
    """Whether a version is what was written (L7)."""
    return integrity.opens(desk.head.origin, then, desk.ledger.at(then.numbers.event))


def _told(desk: Desk, shown: list[Entry], withheld: int, altered: Sequence[Entry], walls: Walls) -> Startup:
    text = rule.text_of(rule.line(entry) for entry in shown)
    # Of what is behind a wall nothing is said, not that it was altered (M25).
    left_out = [entry.id for entry in altered if not walls.hide(entry)]
    return Startup(text, shown, withheld, len(text), desk.now, left_out)
