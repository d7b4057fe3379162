"""The ledger read and checked: ``audit log`` and ``audit check`` (L7, L10, L11).

Promises that a check reads everything it speaks of and says where something is wrong. Leaves heads, receipts
and what was handed out before to come.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context, integrity
from oz0mem.actions.context import Context
from oz0mem.model.ledger import ACTIONS, PERSONAL
from oz0mem.rules import events, merkle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry, Numbers
    from oz0mem.model.told import Told

PAGE = 2_000
"""Events or versions read in one look."""


class Log(NamedTuple):
    """Events, newest first, and where the next page begins.

    Attributes:
        names: the names of principals among those who acted or were acted on, by handle.
        altered: indexes of events that are not as they were written; they are no items.
    """

    items: list[dict[str, Any]]
    next: str | None
    names: dict[str, str]
    altered: list[int]


class Problem(NamedTuple):
    """Something that is not as the ledger says: what, where, and in which words."""

    what: str
    where: str
    sentence: str


class Check(NamedTuple):
    """What was checked and what was found wrong; empty problems mean that all holds."""

    events: int
    versions: int
    root: str
    problems: list[Problem]


def log(
    ctx: Context, *, action: str = "", entry_id: str = "", since: int = 0, limit: int = 50, after: str = ""
) -> Log:
    """What happened, newest first; never a word of what was remembered.

    Args:
        ctx: who asks.
        action: only this one.
        entry_id: only what added a version of this entry.
        since: only from this moment on, microseconds UTC.
        limit: events a page, 1 to 1,000.
        after: the cursor that the last page gave.
    """
    from oz0mem.model.errors import Invalid

    if not 1 <= limit <= 1_000 or (after and not (after.isascii() and after.isdigit() and len(after) < 16)):
        raise Invalid(
            "list.cursor", "a page has 1 to 1,000 events and begins at a cursor", hint="--limit 50", rule="C2"
        )
    if action and action not in ACTIONS:
        from difflib import get_close_matches

        near = get_close_matches(action, ACTIONS, 3, 0.4) or sorted(ACTIONS)[:3]
        raise Invalid(
            "audit.type",
            "the ledger has no events of that type",
            hint=f"did you mean {', '.join(near)}?",
            rule="L2",
        )

    def look(desk: Desk) -> Log:
        context.person_of(desk, ctx, "audit")
        before = int(after) if after else desk.head.size
        number = _number(desk, entry_id) if entry_id else 0
        told = desk.ledger.latest(before=before, limit=limit + 1, action=action, entry=number, since=since)
        whole = [event for event in told[:limit] if event.body]
        altered = [event.at for event in whole if merkle.leaf_hash(event.body) != event.leaf]
        items = [dict(json.loads(event.body)) for event in whole if event.at not in altered]
        following = str(told[limit - 1].at) if len(told) > limit else None
        return Log(items, following, _names(desk, items), altered)

    return ctx.read(look)


def _number(desk: Desk, entry_id: str) -> int:
    """The number of an entry by its id or an unambiguous beginning (C7), among all that there are."""
    from oz0mem.model.errors import Conflict, NotFound
    from oz0mem.model.names import check_entry_prefix

    ids = desk.entries.ids_from(check_entry_prefix(entry_id), 5)
    if len(ids) > 1:
        raise Conflict(
            "memory.ambiguous",
            f"{len(ids)} entries or more begin with {entry_id}",
            hint="give more digits: " + ", ".join(ids),
            rule="C7",
            ids=ids,
        )
    entry = desk.entries.by_id(ids[0]) if ids else None
    if entry is None:
        raise NotFound("memory.unknown", "there is no entry of that id", hint="oz0mem list", rule="C7")
    return entry.numbers.entry


def _names(desk: Desk, items: list[dict[str, Any]]) -> dict[str, str]:
    """Who acted or was acted on: principals whose key is there; nobody else's handle can be told (L4)."""
    acted = {event["actor"]["ref"] for event in items if event["actor"]["kind"] in ("person", "service")}
    acted |= {event["target"] for event in items if event.get("what") in PERSONAL and "target" in event}
    known: dict[str, str] = {}
    for one in desk.identity.principals() if acted else ():
        try:
            known[desk.names.actor_handle(one.number)] = one.name
        except ValueError:
            continue  # their key is gone
    return {handle: known[handle] for handle in sorted(acted) if handle in known}


def check(ctx: Context, *, contents: bool) -> Check:
    """Check the ledger against itself, and with ``contents`` every version against its event.

    Raises:
        Forbidden: ``role.forbidden``.
    """

    def look(desk: Desk) -> Check:
        context.person_of(desk, ctx, "audit")
        problems: list[Problem] = []
        root = _check_events(desk, problems)
        versions = _check_contents(desk, problems) if contents else 0
        return Check(desk.head.size, versions, root, problems)

    return ctx.read(look)


def _pages(desk: Desk) -> Iterator[Told]:
    start = 0
    while told := desk.ledger.between(start, PAGE):
        yield from told
        start = told[-1].at + 1


def _check_events(desk: Desk, problems: list[Problem]) -> str:
    """Every event against its leaf, its place and the head's edge; the tiles against the leaves."""
    edge, expected = b"", 0
    for told in _pages(desk):
        if told.at != expected:
            problems.append(Problem("event", str(expected), f"event {expected} is missing"))
            return ""
        if merkle.leaf_hash(told.body) != told.leaf and told.body:
            problems.append(
                Problem("event", str(told.at), f"event {told.at} is not the one that was written")
            )
        elif told.body and not _is_in_place(desk.head.origin, told):
            problems.append(Problem("event", str(told.at), f"event {told.at} is not of this ledger or place"))
        edge = merkle.append(edge, expected, told.leaf)
        expected += 1
    if expected != desk.head.size:
        problems.append(
            Problem("head", str(expected), f"the head counts {desk.head.size} events, {expected} are there")
        )
    elif edge != desk.head.edge:
        problems.append(Problem("head", str(expected), "the head's edge is not that of the leaves"))
    _check_tiles(desk, expected, problems)
    return merkle.root(edge, expected).hex() if expected else merkle.EMPTY_ROOT.hex()


def _is_in_place(origin: str, told: Told) -> bool:
    try:
        event = events.parse(told.body)
    except ValueError:
        return False
    return event["ledger"] == origin and event["index"] == told.at


def _check_tiles(desk: Desk, size: int, problems: list[Problem]) -> None:
    level, below = 1, size
    while below >= 256:
        count = below // 256
        for place in range(-(-count // 256)):
            row = desk.ledger.row(level, place)
            wanted = b"".join(
                merkle.perfect_root(desk.ledger.row(level - 1, place * 256 + at))
                for at in range(min(256, count - place * 256))
            )
            if row != wanted:
                problems.append(
                    Problem(
                        "tile", f"{level}/{place}", f"tile {level}/{place} is not made of what is below it"
                    )
                )
        level, below = level + 1, count


def _check_contents(desk: Desk, problems: list[Problem]) -> int:
    """Every living version against the event that committed to it, and every column beside it."""
    seen, after = 0, (0, 0)
    while rows := desk.listing.all_rows(PAGE, after):
        for entry in desk.entries.load(rows):
            seen += 1
            why = _wrong(desk, entry)
            if why:
                problems.append(
                    Problem("entry", f"{entry.id} v{entry.version}", f"{entry.id} v{entry.version}: {why}")
                )
        after = (rows[-1].entry, rows[-1].v)
    _check_usage(desk, problems)
    return seen


def _wrong(desk: Desk, entry: Entry) -> str:
    """What is wrong with one version, '' where nothing is."""
    numbers = entry.numbers
    if entry.state == "erased":
        return "an erased version still has its text" if entry.text else ""
    told = desk.ledger.at(numbers.event)
    if told is None:
        return "its event is missing"
    if not integrity.opens(desk.head.origin, entry, told):
        return "it is not what its event committed to"
    newest = desk.ledger.newest_of([numbers.entry])[numbers.entry]
    if (numbers.newest == 1) != (newest.at == numbers.event):
        return "an older version stands in the place of the newest"
    return _wrong_columns(desk, entry)


def _wrong_columns(desk: Desk, entry: Entry) -> str:
    """Columns that no record holds, worked out again from the text."""
    from oz0mem.rules.words import content_words, index_words

    numbers: Numbers = entry.numbers
    counts = index_words(entry.text)
    parts = desk.entries.parts_of([numbers.place]).get(numbers.place)
    wanted = {
        "place": parts == (numbers.scope, numbers.about, numbers.purpose),
        "bytes": numbers.bytes == len(entry.text.encode()),
        "words": numbers.words == sum(counts.values()),
        "content words": numbers.content_words == len(content_words(entry.text)),
        "sameness": numbers.same_hash == desk.entries.same_hash(entry.text, numbers.about),
        "key": numbers.key_hash == desk.entries.key_hash(entry.key),
        "job": not entry.job or desk.entries.job_id(numbers.job) == entry.job,
        "postings": numbers.newest != 1 or desk.words.of_entry(numbers.entry) == counts,
    }
    wrong = [name for name, holds in wanted.items() if not holds]
    return f"its {', '.join(wrong)} are not what its text makes" if wrong else ""


def _check_usage(desk: Desk, problems: list[Problem]) -> None:
    for scope, entries, size in desk.listing.usage():
        if desk.entries.counted(scope) != (entries, size):
            name = desk.names.spelled([scope]).get(scope, "")
            problems.append(Problem("usage", name, f"the count of scope {name} is not what the scope holds"))
