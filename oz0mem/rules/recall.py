"""Which entries answer a question, in what order, and how much of them is shown (R2, R7).

Promises one order for one set of rows, on every machine and both back ends: scores rounded to 1e-9 before
they are compared (Q14), ties by newer, then id. Leaves reading the rows, and which of them this reader may
see, to the caller: statistics handed in are of those entries alone.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from oz0mem.model.entries import Entry
    from oz0mem.rules.walls import Walls

K1 = 0.3
"""How much a word's repetition counts; little, as memories are short."""
B = 0.2
"""How much an entry's length counts against it."""
SHARE = 0.05
"""Least share of the best score that is still shown (R7): the largest that lost nothing by words alone."""
CHARS_PER_TOKEN = 4


class Statistics(NamedTuple):
    """Counts over the entries that this reader may see in this call."""

    entries: int
    words: int
    """Length of them all: their index words with repetition."""


class Shown(NamedTuple):
    """A text as it goes into an answer."""

    entry: Entry
    text: str
    truncated: bool
    length: int
    """Characters of the whole text."""


class Filled(NamedTuple):
    """What goes into an answer, how many walls withheld from it, and the walls once it is read."""

    shown: list[Shown]
    withheld: int
    walls: Walls


class Budget(NamedTuple):
    """How much an answer may hold."""

    entries: int
    chars: int


def bm25(count: int, holders: int, length: int, stats: Statistics) -> float:
    """Answer what one word adds to one entry's score.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with one added inside the
    logarithm so that a word in most entries never counts against one.

    Args:
        count: occurrences of the word in the entry, at least 1.
        holders: entries with the word.
        length: index words of the entry with repetition.
        stats: counts over the readable entries.
    """
    rarity = log(1 + (stats.entries - holders + 0.5) / (holders + 0.5))
    against_average = length * stats.entries / stats.words if stats.words else 1.0
    return rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * against_average))


def score(
    question: Sequence[int],
    postings: Mapping[int, Mapping[int, int]],
    lengths: Mapping[int, int],
    stats: Statistics,
) -> dict[int, float]:
    """Score every entry that has any word of the question (R2).

    Args:
        question: numbers of its distinct words, in the question's order, as sums of floats depend on it.
        postings: count by entry by word, of readable entries alone.
        lengths: index words with repetition, by entry.
        stats: counts over the readable entries.

    Returns:
        Score by entry, rounded to 1e-9.
    """
    scores: dict[int, float] = {}
    for word in question:
        held = postings.get(word, {})
        for entry, count in held.items():
            scores[entry] = scores.get(entry, 0.0) + bm25(count, len(held), lengths[entry], stats)
    return {entry: round(total, 9) for entry, total in scores.items()}


def rank(scores: Mapping[int, float], created: Mapping[int, int], ids: Mapping[int, str]) -> list[int]:
    """Order entries by score, then newer, then id (R7).

    Args:
        scores: rounded score by entry.
        created: time of making by entry, microseconds since the epoch.
        ids: id by entry.
    """
    return sorted(scores, key=lambda entry: (-scores[entry], -created[entry], ids[entry]))


def cut(ranked: Sequence[int], scores: Mapping[int, float], share: float = SHARE) -> list[int]:
    """Keep what scores at least a share of the best (R7), in the order given."""
    if not ranked:
        return []
    least = share * max(scores[entry] for entry in ranked)
    return [entry for entry in ranked if scores[entry] >= least]


def budget(
    tenant_entries: int,
    tenant_chars: int,
    max_entries: int | None = None,
    max_chars: int | None = None,
    max_tokens: int | None = None,
) -> Budget:
    """Answer the tenant's budget, or the caller's where that is smaller (R7, M29).

    Raises:
        Invalid: a limit below 1.
    """
    asked = {"max_entries": max_entries, "max_chars": max_chars, "max_tokens": max_tokens}
    for name, limit in asked.items():
        if limit is not None and limit < 1:
            raise Invalid("recall.budget", f"{name} must be at least 1", rule="R7", limit=limit)
    chars = [tenant_chars]
    if max_chars is not None:
        chars.append(max_chars)
    if max_tokens is not None:
        chars.append(max_tokens * CHARS_PER_TOKEN)
    return Budget(tenant_entries if max_entries is None else min(tenant_entries, max_entries), min(chars))


def fill(
    entries: Iterable[Entry], walls: Walls, *, max_entries: int, max_chars: int, first_chars: int, start: int = 0
) -> Filled:
    """Show whole texts in order as far as the budget goes, none from behind a wall (R7, M25).

    A first text that does not fit alone is cut, and then it is all that fits. A later one that does not fit
    is passed over for shorter ones after it, and builds no wall, since nobody reads it.

    Args:
        entries: best first.
        walls: what the tenant keeps apart, and what the caller has read.
        max_entries: most texts.
        max_chars: most characters of all texts together.
        first_chars: most characters of the first text, where it may take more.
        start: the character at which each text begins.
    """
    shown: list[Shown] = []
    withheld, left = 0, max_chars
    for entry in entries:
        if len(shown) >= max_entries:
            break
        if walls.hide(entry):
            withheld += 1
            continue
        text = entry.text[start:]
        room = left if shown else max(max_chars, first_chars)
        if len(text) > room and shown:
            continue
        walls = walls.joined(entry)
        shown.append(Shown(entry, text[:room], len(text) > room, start + len(text)))
        if len(text) > room:
            break
        left -= len(text)
    return Filled(shown, withheld, walls)


def rules_share(whole: Budget) -> Budget:
    """How much of an answer rules may take before what answers the words: half, and at least one of them (R7)."""
    return Budget(max(1, whole.entries // 2), whole.chars // 2)
