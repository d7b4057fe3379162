"""Which entries answer words, best first, and which are newest where there are no words (R2, R7).

Promises that only what this reader may see in this call is counted, scored and ranked: not what is hidden by
state (M22), and not what is behind a wall (M25). Leaves the arithmetic to ``rules/recall``, and what is asked
for to ``recall``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.rules import recall as rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oz0mem.actions.ports import Desk
    from oz0mem.actions.sight import Reach
    from oz0mem.model.entries import Entry, Numbers
    from oz0mem.rules.walls import Walls


class Look(NamedTuple):
    """What is looked for, and where.

    Attributes:
        desk: the transaction.
        reach: where the caller reads.
        walls: those round the caller.
        states: the states that the answer may have.
        counts: whether a row can be in the answer at all.
        shows: whether an entry is in the answer.
        most: how many there is room for.
    """

    desk: Desk
    reach: Reach
    walls: Walls
    states: Sequence[str]
    counts: Callable[[Numbers], bool]
    shows: Callable[[Entry], bool]
    most: int

    @property
    def enough(self) -> int:
        """How many to look for: more than there is room for, since what is too long is passed over.

        Where the tenant keeps compartments apart far more, since one side of a wall may stand before the other.
        """
        return self.most * (10 if self.walls.pairs else 2)


class Ranked(NamedTuple):
    """Entries best first, each one's score, how many more walls keep back, and which words an entry matched."""

    entries: list[Entry]
    scores: dict[int, float]
    withheld: int = 0
    matched: Callable[[int], list[str]] = lambda _: []


NOTHING = Ranked([], {})


def newest(look: Look) -> Ranked:
    """Entries newest first; looks further back until there are enough or no more."""
    wanted, limit = look.enough, look.enough * 2 + 100
    within = look.reach.within()
    while True:
        rows = look.desk.listing.in_places(look.reach.every, look.states, limit)
        read = look.desk.entries.load([row for row in rows if within(row)])
        shown = [entry for entry in read if look.shows(entry)]
        found = [entry for entry in shown if not look.walls.hide(entry)]
        if len(found) >= wanted or len(rows) < limit:
            return Ranked(found[:wanted], {}, sum(look.walls.hide(entry) for entry in shown[: look.most]))
        limit *= 4


def by_words(look: Look, words: str, *, every: bool) -> Ranked:
    """Entries that have any of the words, or all of them, best first."""
    from oz0mem.rules.words import index_words, question_words

    question = list(index_words(words)) if every else question_words(words)
    numbers = look.desk.words.numbers(question)
    wanted = [numbers[word] for word in question if word in numbers]
    if not wanted or (every and len(numbers) < len(set(question))):
        return NOTHING
    postings = look.desk.words.postings(wanted, look.reach.every)
    candidates = set().union(*postings.values())
    if every:
        candidates = set.intersection(*(set(postings[word]) for word in wanted))
    within = look.reach.within()
    rows = {row.entry: row for row in look.desk.listing.rows_of(sorted(candidates)) if look.counts(row) and within(row)}
    hidden = _behind_walls(look, rows)
    seen = {number: row for number, row in rows.items() if number not in hidden}
    entries, scores = _scored(look, wanted, postings, seen, walled=look.walls.stand())
    withheld = 0
    if hidden:
        # Ranked with what is hidden only to say how many would have been shown; nothing else comes of it.
        every_one, beside = _scored(look, wanted, postings, rows, walled=True)
        withheld = sum(hidden.get(number, False) for number in rule.cut(every_one, beside)[: look.most])
    found = _shown_of(look, entries, scores)
    return Ranked(found, scores, withheld, partial(_matched, words, wanted, numbers, postings))


def _behind_walls(look: Look, rows: dict[int, Numbers]) -> dict[int, bool]:
    """Those of the rows that are apart from the caller's own compartments (M25), and whether each would be shown."""
    if not look.walls.stand():
        return {}
    read = look.desk.entries.load(list(rows.values()))
    return {entry.numbers.entry: look.shows(entry) for entry in read if look.walls.hide(entry)}


def _scored(
    look: Look,
    wanted: Sequence[int],
    postings: dict[int, dict[int, int]],
    rows: dict[int, Numbers],
    *,
    walled: bool,
) -> tuple[list[int], dict[int, float]]:
    """Numbers of entries best first, and the score of each, by statistics of what the caller may read alone."""
    held = {word: {e: n for e, n in counts.items() if e in rows} for word, counts in postings.items()}
    lengths = {entry: row.words for entry, row in rows.items()}
    scores = rule.score(wanted, held, lengths, _statistics(look, lengths, walled=walled))
    ranked = rule.rank(scores, {e: rows[e].created for e in scores}, {e: rows[e].id for e in scores})
    return ranked, scores


def _statistics(look: Look, lengths: dict[int, int], *, walled: bool) -> rule.Statistics:
    """How many entries the caller may read, and how long they are.

    With a wall near, of those alone that have a word of the question: to know which others it hides, all of them
    would have to be read.
    """
    if walled:
        return rule.Statistics(len(lengths), sum(lengths.values()))
    entries, words = look.desk.listing.counts(look.reach.places, look.desk.now)
    if look.reach.places is None and lengths:
        words = entries * sum(lengths.values()) // len(lengths)
    return rule.Statistics(max(entries, len(lengths)), max(words, sum(lengths.values())))


def _shown_of(look: Look, ranked: Sequence[int], scores: dict[int, float]) -> list[Entry]:
    """Of ranked entries those that may be shown, down to a share of the best of them (R7)."""
    found: list[Entry] = []
    enough = look.enough
    for start in range(0, len(ranked), enough):
        part = ranked[start : start + enough]
        if len(found) >= enough or (found and not rule.cut([found[0].numbers.entry, part[0]], scores)[1:]):
            break
        found += [entry for entry in look.desk.entries.newest(part) if look.shows(entry)]
    kept = rule.cut([entry.numbers.entry for entry in found], scores)
    return found[: min(len(kept), enough)]


def _matched(
    words: str,
    wanted: Sequence[int],
    numbers: dict[str, int],
    postings: dict[int, dict[int, int]],
    entry: int,
) -> list[str]:
    """The words that an entry matched, as the question spelled them (M23)."""
    from oz0mem.rules.words import shown_forms

    spelled = {number: word for word, number in numbers.items()}
    return shown_forms(words, [spelled[word] for word in wanted if entry in postings[word]])
