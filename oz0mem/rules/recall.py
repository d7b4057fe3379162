"""Which entries answer a question, in what order, and how much of them is shown (R2, R7).

Promises one order for one set of rows, on every machine and both back ends: scores rounded to 1e-9 before
they are compared (Q14), ties by newer, then id. Leaves reading the rows, and which of them this reader may
see, to the caller: statistics handed in are of those entries alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

from oz0mem.model.errors import Invalid

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

    entry: int
    text: str
    truncated: bool
    length: int
    """Characters of the whole text."""


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


def fit(texts: Sequence[tuple[int, str]], *, max_entries: int, max_chars: int) -> list[Shown]:
    """Show whole texts in order as far as the budget goes (R7).

    A first text that does not fit alone is cut, and then it is all that fits. A later one that does not fit
    is passed over for shorter ones after it.

    Args:
        texts: entry and text, best first.
        max_entries: most texts.
        max_chars: most characters of all texts together.
    """
    if texts and len(texts[0][1]) > max_chars:
        entry, text = texts[0]
        return [Shown(entry, text[:max_chars], True, len(text))]
    shown: list[Shown] = []
    left = max_chars
    for entry, text in texts:
        if len(shown) == max_entries:
            break
        if len(text) <= left:
            shown.append(Shown(entry, text, False, len(text)))
            left -= len(text)
    return shown
