"""The store's rows against the ledger: ``audit check --contents`` (L3, L7, L8, G42).

Promises that each version has its event and each event its version, that every column beside the record is
what the record makes, that what was erased is gone and nothing else is, and that postings, names, counts and
reasons are those of what is there. Leaves the ledger itself to ``trail``, and what is only tied to it to ``ties``.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from oz0mem.actions import integrity, ties
from oz0mem.actions.trail import PAGE
from oz0mem.model.entries import Numbers
from oz0mem.model.names import OF_AGENT, OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.rules import event_fields, events, record

if TYPE_CHECKING:
    from oz0mem.actions.ports import Desk
    from oz0mem.actions.trail import Trail
    from oz0mem.model.entries import Entry
    from oz0mem.model.told import Told

_KEPT_ERASED = (
    "entry",
    "v",
    "newest",
    "id",
    "state",
    "created",
    "counted_from",
    "at",
    "ends",
    "ended_at",
    "body",
    "event",
)
_CLAIMED = -1


def check(desk: Desk, trail: Trail) -> int:
    """Check every row against what the ledger said; answers how many versions there are."""
    for entry_id, v in desk.checks.bad_codes():
        trail.tell("entry", f"{entry_id} v{v}", f"{entry_id} v{v}: a number in its row stands for nothing")
    seen, after = 0, (0, 0)
    while rows := desk.listing.all_rows(PAGE, after):
        entries = desk.entries.load(rows)
        seen += len(entries)
        erased = [entry.numbers.body for entry in entries if entry.state == "erased"]
        unerased = desk.checks.unerased(erased)
        newest = desk.ledger.newest_of(entry.numbers.entry for entry in entries)
        parts = desk.entries.parts_of(entry.numbers.place for entry in entries)
        for entry in entries:
            why = _wrong(desk, trail, entry, newest.get(entry.numbers.entry), unerased)
            numbers = entry.numbers
            in_place = parts.get(numbers.place) == (numbers.scope, numbers.about, numbers.purpose)
            why = why or ("" if in_place or entry.state == "erased" else "it stands in another place")
            if why:
                name = f"{entry.id} v{entry.version}"
                trail.tell("entry", name, f"{name}: {why}")
        after = (rows[-1].entry, rows[-1].v)
    _check_missing(desk, trail)
    _check_beside(desk, trail)
    _check_reasons(desk, trail)
    ties.check(desk, trail)
    return seen


def _wrong(desk: Desk, trail: Trail, entry: Entry, newest: Told | None, unerased: set[int]) -> str:
    """What is wrong with one version, '' where nothing is; ``newest`` is its entry's newest event."""
    numbers = entry.numbers
    told = newest if newest and newest.at == numbers.event else desk.ledger.at(numbers.event)
    if told is None or newest is None:
        return "its event is missing"
    if trail.adds[numbers.event] != numbers.entry:
        claimed = trail.adds[numbers.event] == _CLAIMED
        return "another row stands for its event too" if claimed else "its event is not its own"
    trail.adds[numbers.event] = _CLAIMED
    if entry.state == "erased":
        return _wrong_erased(trail, entry, told, newest, erased=numbers.body not in unerased)
    if not integrity.opens(desk.head.origin, entry, told):
        return "it is not what its event committed to"
    again = trail.gone.get(entry.id, -1) > numbers.event
    if again or entry.version < trail.rewritten.get(entry.id, 0):
        return "it was erased, and its text stands there again"
    if (numbers.newest == 1) != (newest.at == numbers.event):
        return "an older version stands in the place of the newest"
    return _wrong_columns(desk, entry)


def _wrong_erased(trail: Trail, entry: Entry, told: Told, newest: Told, *, erased: bool) -> str:
    """An erased version: its event is its own, and nothing else of it is there (G42)."""
    numbers = entry.numbers
    event = events.read(told) or {}
    if (event.get("entry"), event.get("version")) != (entry.id, entry.version):
        return "its event is not its own"
    if not erased:
        return "an erased version still has its text"
    if entry.id not in trail.started:
        return "it was erased, and the ledger knows of no erasure"
    if numbers.ended_at // 1_000 != trail.started[entry.id]:
        return "it was not erased when the ledger says"
    if numbers.at // 1_000 != event_fields.moment(event["at"]) // 1_000:
        return "it was not written when its event says"
    blank = Numbers()._asdict()
    left = [name for name, value in numbers._asdict().items() if name not in _KEPT_ERASED and value != blank[name]]
    if left:
        return f"an erased version still has its {', '.join(left)}"
    if numbers.newest != (2 if newest.at == numbers.event else 0):
        return "an erased version stands in another's place"
    return ""


def _wrong_columns(desk: Desk, entry: Entry) -> str:
    """Columns that no record holds, worked out again from the text."""
    from oz0mem.rules.words import content_words, index_words

    numbers = entry.numbers
    counts = index_words(entry.text)
    find = desk.names.find
    wanted = {
        "scope": find(OF_SCOPE, entry.scope) == numbers.scope,
        "person": (find(OF_PERSON, entry.about) if numbers.about else 0) == numbers.about,
        "purpose": (find(OF_PURPOSE, entry.purpose) if entry.purpose else 0) == numbers.purpose,
        "agent": (find(OF_AGENT, entry.agent) if entry.agent else 0) == numbers.agent,
        "writer": (find(OF_PERSON, entry.by) if entry.by else 0) == numbers.writer,
        "bytes": numbers.bytes == len(entry.text.encode()),
        "words": numbers.words == sum(counts.values()),
        "content words": numbers.content_words == len(content_words(entry.text)),
        "sameness": numbers.same_hash == desk.entries.same_hash(entry.text, numbers.about),
        "key": numbers.key_hash == desk.entries.key_hash(entry.key),
        "job": bool(numbers.job) == bool(entry.job) and desk.entries.job_id(numbers.job) == entry.job,
        "postings": numbers.newest != 1 or _has_postings(desk, numbers.entry, numbers.place, counts),
    }
    wrong = [name for name, holds in wanted.items() if not holds]
    return f"its {', '.join(wrong)} are not what its text makes" if wrong else ""


def _has_postings(desk: Desk, number: int, place: int, counts: dict[str, int]) -> bool:
    """Whether the postings of an entry or reason are those of its words, in its place, and each is found."""
    postings = desk.checks.postings(number)
    found = {word: count for word, _, _, count in postings}
    in_place = all(where == place for _, _, where, _ in postings)
    known = desk.words.numbers(counts)
    return in_place and found == counts and known == {word: at for word, at, _, _ in postings}


def _check_missing(desk: Desk, trail: Trail) -> None:
    """Events that added a version which no row stands for."""
    for index, number in enumerate(trail.adds):
        told = desk.ledger.at(index) if number > 0 else None
        event = events.read(told) if told is not None else None
        if event is not None:
            name = f"{event.get('entry')} v{event.get('version')}"
            trail.tell("entry", name, f"{name}: event {index} wrote it, and it is not there")


def _check_beside(desk: Desk, trail: Trail) -> None:
    """Postings and words that belong to nothing, names, people's chains, and the counts of scopes."""
    for number in desk.checks.stray_postings():
        trail.tell("posting", number, f"postings of {number} are there, and no entry or reason of that number")
    for number in desk.checks.stray_words():
        trail.tell("word", number, f"word {number} has letters that nothing has, or is not found by them")
    for kind, number in desk.checks.wrong_names():
        trail.tell("name", f"{kind} {number}", f"{kind} {number} is not found by its name")
    leaving = {erasure.about: erasure.subject for erasure in desk.erasing.open() if erasure.unlinks}
    for number in desk.checks.people():
        try:
            handle = leaving.get(number) or desk.names.subject_handle(number)
        except (ValueError, KeyError):
            trail.tell(
                "name", f"person {number}", f"the name or key of person {number} is gone, and no erasure took it"
            )
            continue
        if desk.names.counted(number) != trail.chains.get(handle, (0, -1)):
            trail.tell("name", f"person {number}", f"the erasures of person {number} are not those of the ledger")
    for scope, noted, there in desk.checks.usage():
        if noted != there:
            name = desk.names.spelled([scope]).get(scope, "")
            trail.tell("usage", name, f"the count of scope {name} is not what the scope holds")


def _check_reasons(desk: Desk, trail: Trail) -> None:
    """Every reason against the event that committed to it (L5), and its words."""
    from oz0mem.rules.words import index_words

    for number, index, reason, key in desk.checks.reasons():
        told = desk.ledger.at(index)
        event = (events.read(told) if told else None) or {}
        try:
            committed = record.reason_commit(key, reason)
        except ValueError:
            committed = ""
        if not hmac.compare_digest(str(event.get("reason_commit", "")), committed) or not committed:
            trail.tell("reason", index, f"the reason for event {index} is not what the event committed to")
        elif not _has_postings(desk, number, 0, index_words(reason)):
            trail.tell("reason", index, f"the words of the reason for event {index} are not those of its text")
