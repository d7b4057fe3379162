"""``recall``: what answers a question, among what this caller may read (R1, R2, R7, M20 to M23, M29).

Promises that only readable entries are counted, ranked or named, that the answer is recorded before it is
shown (M28) and the question nowhere (R9). Leaves the arithmetic to ``rules/recall``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import context, integrity, labels, refusals, sight, similar, unanswered
from oz0mem.actions.draft import check_call
from oz0mem.model.entries import Entry
from oz0mem.model.errors import Fault, Invalid
from oz0mem.model.kinds import ACTIVE, HELD, REPLACED, RULE
from oz0mem.model.names import check_scope, nfc
from oz0mem.rules import recall as rule
from oz0mem.rules import walls
from oz0mem.rules.arguments import check_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Numbers


class Recall(NamedTuple):
    """The arguments of ``recall`` (M29)."""

    words: str = ""
    id: str = ""
    start: int = 0
    scope: str = ""
    kind: str = ""
    tag: str = ""
    match: str = "any"
    max_entries: int | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    include_ended: bool = False
    include_unreviewed: bool = False


class Hit(NamedTuple):
    """One entry of the answer: the words it matched, its text as shown, and its score by words."""

    entry: Entry
    matched: list[str]
    text: str
    truncated: bool
    length: int
    score: float


class Recalled(NamedTuple):
    """The answer: hits, ids left out as altered, how many walls withheld, the budget, words to try."""

    items: list[Hit]
    altered: list[str]
    withheld: int
    entries: int
    chars: int
    suggestions: list[str]
    now: int
    waiting: int = 0
    """Where nothing fits: how many entries that fit wait for a person, as far as the caller may know of them."""


@refusals.told("recall")
def recall(ctx: Context, asked: Recall) -> Recalled:
    """Answer a question from memory.

    Raises:
        Invalid: where an argument is none that recall knows.
        Fault: ``index.version`` where the words were cut by another program's rules (R8).
    """
    if asked.match not in ("any", "all"):
        raise Invalid("recall.match", "match is any or all", rule="R2", hint="--match all")
    if asked.start < 0 or (asked.start and not asked.id):
        raise Invalid(
            "recall.start",
            "reading on begins at character 0 or later of one entry",
            hint="name the entry by its id",
            rule="R7",
        )
    if asked.kind:
        check_kind(asked.kind)
    if asked.scope:
        check_scope(asked.scope)
    asked = asked._replace(tag=nfc(asked.tag.strip()))
    caller, found = ctx.read(lambda desk: _recall(desk, ctx, asked))
    if found.items:
        ctx.record(lambda desk: labels.note_shown(desk, caller, [hit.entry for hit in found.items], "recall", ctx.door))
    return found


def _recall(desk: Desk, ctx: Context, asked: Recall) -> tuple[Caller, Recalled]:
    caller = context.caller_of(desk, ctx)
    if caller.declaration is not None:
        check_call(caller.declaration, "recall")
    else:
        from oz0mem.rules import permission

        permission.check(caller.role, "see")
    check_index(desk)
    settings = context.settings_of(desk)
    budget = rule.budget(
        settings.recall_entries, settings.recall_chars, asked.max_entries, asked.max_chars, asked.max_tokens
    )
    places = sight.recall_places(desk, caller, settings, asked.scope)
    ranked, matched, scores = _ranked(desk, caller, asked, places, budget.entries)
    ranked = [entry for entry in ranked if entry.kind == RULE] + [entry for entry in ranked if entry.kind != RULE]
    good, altered = integrity.check(desk, ranked)
    withheld = 0
    if caller.job is not None:
        good, withheld = walls.withhold(settings.apart, caller.job.compartments, good)
    hits = _fitted(good, asked.start, budget, matched, scores)
    empty = not hits and not altered and not withheld and bool(asked.words)
    suggestions = unanswered.suggest(desk, places, asked.words) if empty else []
    waiting = unanswered.count_waiting(desk, caller, places, asked.words) if empty else 0
    return caller, Recalled(hits, altered, withheld, budget.entries, budget.chars, suggestions, desk.now, waiting)


def check_index(desk: Desk) -> None:
    """Refuse to read postings that another program's rules made (R8).

    Raises:
        Fault: ``index.version``.
    """
    from oz0mem.rules.words import INDEX_VERSION

    if desk.head.index_version != INDEX_VERSION:
        raise Fault(
            "index.version",
            f"the words of this store were cut by rules {desk.head.index_version}, this program's are {INDEX_VERSION}",
            hint="oz0mem upgrade makes them anew",
            rule="R8",
        )


def _states(asked: Recall) -> list[str]:
    return [
        ACTIVE,
        *([REPLACED] if asked.include_ended else []),
        *([HELD] if asked.include_unreviewed else []),
    ]


def _shows(entry: Entry, asked: Recall, caller: Caller, now: int) -> bool:
    """Whether one entry may be in the answer (M22); held ones only where they are the agent's own."""
    if (asked.kind and entry.kind != asked.kind) or (asked.tag and asked.tag not in entry.tags):
        return False
    if sight.is_recallable(entry, now):
        return True
    if entry.restricted or sight.is_past(entry, now):
        return False
    if entry.state == HELD:
        own = caller.job is not None and entry.agent == caller.job.agent
        return asked.include_unreviewed and own and similar.is_live(entry, now)
    if entry.state == ACTIVE:
        return asked.include_ended and not entry.about_person and entry.ends <= now
    return entry.state == REPLACED and asked.include_ended


def _ranked(
    desk: Desk, caller: Caller, asked: Recall, places: Sequence[int] | None, most: int
) -> tuple[list[Entry], dict[int, list[str]], dict[int, float]]:
    """Entries best first, which words each matched, and its score."""
    if places == []:
        return [], {}, {}
    if asked.id:
        entry = desk.entries.by_id(asked.id)
        found = [entry] if entry is not None and (places is None or entry.numbers.place in places) else []
        return [entry for entry in found if _shows(entry, asked, caller, desk.now)], {}, {}
    if not asked.words.strip():
        return _newest(desk, caller, asked, places, most), {}, {}
    return _by_words(desk, caller, asked, places, most)


def _newest(desk: Desk, caller: Caller, asked: Recall, places: Sequence[int] | None, most: int) -> list[Entry]:
    """Entries newest first, by filters; looks further back until there are enough or no more."""
    limit = most * 4 + 100
    while True:
        rows = desk.listing.in_places(places, _states(asked), limit)
        found = [entry for entry in desk.entries.load(rows) if _shows(entry, asked, caller, desk.now)]
        if len(found) >= most * 2 or len(rows) < limit:
            return found[: most * 2]
        limit *= 4


def _by_words(
    desk: Desk, caller: Caller, asked: Recall, places: Sequence[int] | None, most: int
) -> tuple[list[Entry], dict[int, list[str]], dict[int, float]]:
    from oz0mem.rules.words import index_words, question_words

    question = list(index_words(asked.words)) if asked.match == "all" else question_words(asked.words)
    numbers = desk.words.numbers(question)
    wanted = [numbers[word] for word in question if word in numbers]
    if not wanted or (asked.match == "all" and len(numbers) < len(set(question))):
        return [], {}, {}
    postings = desk.words.postings(wanted, places)
    candidates = set().union(*postings.values())
    if asked.match == "all":
        candidates = set.intersection(*(set(postings[word]) for word in wanted))
    rows = {row.entry: row for row in desk.listing.rows_of(sorted(candidates))}
    readable = {entry: row for entry, row in rows.items() if _may_count(row, asked, desk.now)}
    postings = {word: {e: n for e, n in held.items() if e in readable} for word, held in postings.items()}
    entries, words = desk.listing.counts(places, desk.now)
    lengths = {entry: row.words for entry, row in readable.items()}
    if places is None and lengths:
        words = entries * sum(lengths.values()) // len(lengths)
    stats = rule.Statistics(max(entries, len(readable)), max(words, sum(lengths.values())))
    scores = rule.score(wanted, postings, lengths, stats)
    ranked = rule.rank(scores, {e: rows[e].created for e in scores}, {e: rows[e].id for e in scores})
    found = _shown_of(desk, caller, asked, ranked, scores, most)
    return found, _matched(asked, found, wanted, numbers, postings), scores


def _shown_of(
    desk: Desk, caller: Caller, asked: Recall, ranked: Sequence[int], scores: dict[int, float], most: int
) -> list[Entry]:
    """Of ranked entries those that may be shown, down to a share of the best of them (R7)."""
    found: list[Entry] = []
    for start in range(0, len(ranked), 100):
        part = ranked[start : start + 100]
        if len(found) >= most * 2 or (found and not rule.cut([found[0].numbers.entry, part[0]], scores)[1:]):
            break
        found += [entry for entry in desk.entries.newest(part) if _shows(entry, asked, caller, desk.now)]
    kept = rule.cut([entry.numbers.entry for entry in found], scores)
    return found[: len(kept)]


def _matched(
    asked: Recall,
    found: Sequence[Entry],
    wanted: Sequence[int],
    numbers: dict[str, int],
    postings: dict[int, dict[int, int]],
) -> dict[int, list[str]]:
    """The words that each entry matched, as the question spelled them (M23)."""
    from oz0mem.rules.words import shown_forms

    spelled = {number: word for word, number in numbers.items()}
    return {
        number: shown_forms(asked.words, [spelled[word] for word in wanted if number in postings[word]])
        for number in (entry.numbers.entry for entry in found)
    }


def _may_count(row: Numbers, asked: Recall, now: int) -> bool:
    """Whether a row can be in the answer at all; only such rows are counted and ranked (R2, M22)."""
    names = ("held", "active", "replaced")
    if row.restricted or row.state >= len(names) or names[row.state] not in _states(asked):
        return False
    if names[row.state] != ACTIVE:
        return True
    if 0 < row.ends <= now:
        return asked.include_ended and not row.about
    return row.valid_from <= now and not 0 < row.valid_until <= now


def _fitted(
    entries: Sequence[Entry],
    start: int,
    budget: rule.Budget,
    matched: dict[int, list[str]],
    scores: dict[int, float],
) -> list[Hit]:
    by_number = {entry.numbers.entry: entry for entry in entries}
    texts = [(entry.numbers.entry, entry.text[start:]) for entry in entries]
    return [
        Hit(
            by_number[shown.entry],
            matched.get(shown.entry, []),
            shown.text,
            shown.truncated,
            start + shown.length,
            scores.get(shown.entry, 0.0),
        )
        for shown in rule.fit(texts, max_entries=budget.entries, max_chars=budget.chars)
    ]
