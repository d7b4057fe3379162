"""``changed_since``: what changed since this agent last asked, for this purpose and person (M26).

Promises that the bookmark moves only when a call names the cursor of an answer, so that whoever dies before
that is told the same again, and that nothing hidden is told, counted or felt. Leaves the cursor's form to
``rules/cursors`` and which rows changed to the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import asking, context, gate, labels, refusals, sight
from oz0mem.actions.asking import Asked
from oz0mem.actions.draft import check_call
from oz0mem.model.agreements import Bookmark
from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import ACTIVE, REPLACED, RETIRED
from oz0mem.model.names import OF_PERSON
from oz0mem.rules import about, cursors
from oz0mem.rules.walls import Walls, withhold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.actions.sight import Reach
    from oz0mem.model.entries import Entry, Numbers
    from oz0mem.model.settings import Settings

PAGE = 200
"""Entries of one answer; more only where as many turned at the very same moment."""


class Changes(NamedTuple):
    """What changed, in the order in which it did; the cursor to read on with, and whether there is more now.

    ``withheld`` is how many walls kept back, ``altered`` has the ids that were left out as altered (L7).
    """

    items: list[Entry]
    cursor: str
    more: bool
    withheld: int
    altered: list[str]
    now: int


class _Found(NamedTuple):
    """Entries to tell of, where reading goes on, and whether something is left."""

    told: list[Entry]
    altered: list[str]
    then: Bookmark
    more: bool


@refusals.told("changed_since")
def changed_since(ctx: Context, cursor: str = "") -> Changes:
    """What was written, replaced, accepted or ended since this agent last asked.

    Args:
        ctx: the job that asks.
        cursor: of the last answer, which the bookmark moves to; '' reads on from the bookmark, or all that is
            current where there is none.

    Raises:
        Invalid: ``changed.cursor``, or ``changed.job`` where no agent's job asks.
        Forbidden: ``agent.function`` (G5).
        Waiting: ``approval.waits``; once a person approved it, the same call answers, once.
    """
    gate.scan({"cursor": cursor})
    answer = ctx.write(lambda desk: _changed(desk, ctx, cursor))
    return asking.wait(answer) if isinstance(answer, Asked) else answer


def _changed(desk: Desk, ctx: Context, cursor: str) -> Changes | Asked:
    caller = context.caller_of(desk, ctx)
    job, declaration = caller.job, caller.declaration
    if job is None or declaration is None:
        raise Invalid(
            "changed.job",
            "a bookmark is an agent's, and no job of one asks",
            hint="name the agent with --agent A; people use oz0mem list",
            rule="M26",
        )
    check_call(declaration, "changed_since")
    gate.scan_own(desk, {"cursor": cursor})
    projects = about.projects_of(job, declaration)
    who = cursors.reader(job, projects)
    if cursor:
        cursors.read(desk.head.hash_key, who, cursor)  # refused before anybody is asked about it (G31)
    waits = asking.pass_once(desk, asking.begin(desk, caller, ctx.door, "changed_since", {"cursor": cursor}))
    if waits is not None:
        return waits
    settings = context.settings_of(desk)
    place = cursors.reader(job, projects, beside=sight.walls_of(caller, settings).concerned())
    start = _start(desk, caller, who, place, cursor)
    found = _find(desk, caller, settings, start)
    good, withheld = withhold(settings.apart, job.compartments, found.told)
    good = sight.veiled(desk, good, sight.walls_of(caller, settings))
    if good:
        labels.note_shown(desk, caller, good, "changed_since", ctx.door)
    written = cursors.write(desk.head.hash_key, who, found.then)
    return Changes(good, written, found.more, withheld, found.altered, desk.now)


def _start(desk: Desk, caller: Caller, who: str, place: str, cursor: str) -> Bookmark:
    """Where this answer begins; the bookmark stands there from now on."""
    assert caller.job is not None  # asked only for a job's caller
    kept = desk.bookmarks.find(place)
    start = kept or Bookmark(desk.head.size, 0, desk.now)
    if cursor:
        start = cursors.read(desk.head.hash_key, who, cursor)
        # A store that was restored has fewer events than the cursor knew of.
        start = start._replace(event=min(start.event, desk.head.size), first=min(start.first, desk.head.size))
    if start != kept:
        person = desk.names.find(OF_PERSON, caller.job.person) if caller.job.person else 0
        desk.bookmarks.put(place, start, about=person)
    return start


def _find(desk: Desk, caller: Caller, settings: Settings, start: Bookmark) -> _Found:
    """A page by events; once there is none left, what the clock alone turned."""
    look = _Look(desk, sight.reach_of(desk, caller, settings), sight.walls_of(caller, settings))
    told, altered, event = _by_events(look, start)
    if event is not None:
        return _Found(told, altered, start._replace(event=event), True)
    turned, beside, moment = _by_clock(look, start.moment, PAGE - len(told))
    known = {entry.id for entry in told}
    told += [entry for entry in turned if entry.id not in known]
    altered += [each for each in beside if each not in altered]
    then = Bookmark(start.first, desk.head.size, desk.now if moment is None else moment)
    return _Found(told, altered, then, moment is not None)


def _by_events(look: _Look, start: Bookmark) -> tuple[list[Entry], list[str], int | None]:
    """Up to a page of what events changed, ids that are altered, and the event to go on from; None at the end."""
    told: list[Entry] = []
    altered: list[str] = []
    now, event = look.desk.now, start.event
    while True:
        rows = look.desk.listing.changed(look.reach.every or [], event, PAGE)
        events = {row.entry: at for at, row in rows}

        def tells(entry: Entry, events: dict[int, int] = events) -> bool:
            return is_told(entry, now, current=events[entry.numbers.entry] < start.first)

        good, beside = look.read([row for _, row in rows], tells)
        room = PAGE - len(told)
        told += good[:room]
        altered += beside
        if len(good) > room:
            return told, altered, events[good[room].numbers.entry]
        if len(rows) < PAGE:
            return told, altered, None
        event = rows[-1][0] + 1


def _by_clock(look: _Look, since: int, room: int) -> tuple[list[Entry], list[str], int | None]:
    """What turned with no event, ids that are altered, and the moment to go on from; None at the end."""
    turned = look.desk.listing.turned(look.reach.every or [], since, look.desk.now)
    order = sorted(turned, key=lambda number: (turned[number], number))
    told: list[Entry] = []
    altered: list[str] = []
    for at in range(0, len(order), PAGE):
        part = order[at : at + PAGE]
        rows = {row.entry: row for row in look.desk.listing.rows_of(sorted(part))}
        good, beside = look.read([rows[number] for number in part if number in rows], look.is_turned)
        altered += beside
        for entry in good:
            moment = turned[entry.numbers.entry]
            # As many as turned at one moment are told together: the position after them is that moment.
            if len(told) >= max(room, 1) and moment > since:
                return told, altered, since
            told.append(entry)
            since = moment
    return told, altered, None


class _Look(NamedTuple):
    """One look at what a job may read, with the walls round it."""

    desk: Desk
    reach: Reach
    walls: Walls

    def read(self, rows: Sequence[Numbers], tells: Callable[[Entry], bool]) -> tuple[list[Entry], list[str]]:
        """Of these rows the entries to tell of, and the ids of those that are altered (L7)."""
        within = self.reach.within()
        read = [entry for entry in self.desk.entries.load([row for row in rows if within(row)]) if tells(entry)]
        good, altered = sight.check(self.desk, read, self.walls)
        return good, altered

    def is_turned(self, entry: Entry) -> bool:
        """Whether the clock alone brought an entry into force, or out of it."""
        now = self.desk.now
        if entry.state != ACTIVE or entry.restricted or sight.is_past(entry, now):
            return False
        return sight.is_recallable(entry, now) or _held_once(entry, now)


def is_told(entry: Entry, now: int, *, current: bool) -> bool:
    """Whether a change is told: what holds now, and what held before it was replaced, retired or ended.

    Args:
        entry: as it stands now.
        now: microseconds UTC.
        current: whether it last changed before the first reading, so that what is over was never told.
    """
    if sight.is_recallable(entry, now):
        return True
    if current or entry.restricted or sight.is_past(entry, now):
        return False
    if entry.state == ACTIVE:
        return _held_once(entry, now)
    return entry.state in (REPLACED, RETIRED) and not entry.held


def _held_once(entry: Entry, now: int) -> bool:
    """Whether an active entry that is not in force now has been, between its beginning and the first of its ends."""
    begins = max(entry.created, entry.valid_from)
    return begins < min(filter(None, (entry.ends, entry.valid_until, now)))
