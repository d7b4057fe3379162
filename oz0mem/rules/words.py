"""The words of a text, cut alike when it is written and when it is asked for (R1).

A word is a run of letters, digits and marks. Scripts without spaces give single characters and pairs. What
joiners hold together (ids, dates, paths, versions, e-mail addresses) gives the whole, its segments and its
parts; letters alone with hyphens or apostrophes give the parts and what they make written together.

Promises time in proportion to the text and at most 4,000 distinct words of at most 64 characters. Leaves
counting over entries to ``recall`` and storing to the store. Any change to what a text gives, here, in
``letters``, ``stems`` or in the stemmer's version, needs a new `INDEX_VERSION` (R8).
"""

from __future__ import annotations

from oz0mem.rules.letters import JOINER, MARK, UNSPACED, WORD, fold, is_mark, is_unseen, kinds
from oz0mem.rules.stems import stem
from oz0mem.rules.stop_words import STOP_WORDS

TYPE_CHECKING = False  # not from typing, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

INDEX_VERSION = 1
"""Which tokenizer made the postings."""
MOST_WORDS = 4_000
LONGEST_WORD = 64
KEPT = 20_000
"""Pieces between white space, each at most `LONGEST_WORD` characters, that a process keeps the words of."""

_CLITICS = frozenset({"s", "d", "m", "ll", "re", "ve"})
_NEGATED = {"can": "can", "won": "will", "shan": "shall"}
_SEGMENTERS = str.maketrans("/\\@", ":::")
_SPLITTERS = str.maketrans("/\\@-._+'", "::::::::")

Piece = tuple[int, int, str, bool]
"""Where in the folded text it starts and ends, the index word, whether it is a stop word."""


def _word(start: int, raw: str) -> Iterator[Piece]:
    """Give the index words of one run without joiners."""
    yield start, start + len(raw), stem(raw)[:LONGEST_WORD], raw in STOP_WORDS
    yield from _numbered(start, raw)


def _numbered(start: int, raw: str) -> Iterator[Piece]:
    # v1.2.3 is asked for as 1.2.3 too.
    if raw[0] == "v" and raw[1:2].isdecimal():
        yield start + 1, start + len(raw), raw[1 : LONGEST_WORD + 1], False


def _whole(start: int, raw: str) -> Iterator[Piece]:
    if raw.translate({0x2D: None, 0x27: None}).isalpha():
        together = stem(raw.replace("-", "").replace("'", ""))
        yield start, start + len(raw), together[:LONGEST_WORD], False
        return
    yield start, start + len(raw), raw[:LONGEST_WORD], False
    yield from _numbered(start, raw)


def _without_clitic(raw: str) -> str:
    head, apostrophe, tail = raw.rpartition("'")
    if not apostrophe:
        return raw
    if tail in _CLITICS:
        return head
    if tail == "t" and head.endswith("n"):
        return _NEGATED.get(head, head[:-1])
    return raw


def _with_times_split(raw: str) -> str:
    # The `t` of 2026-03-01t09:30 joins a date and a time, so that each is a segment.
    if ":" not in raw:
        return raw
    letters = list(raw)
    for at in range(1, len(raw) - 1):
        if raw[at] == "t" and raw[at - 1].isdecimal() and raw[at + 1].isdecimal():
            letters[at] = ":"
    return "".join(letters)


def _split(start: int, marked: str, raw: str) -> Iterator[tuple[int, str]]:
    at = 0
    for part in marked.split(":"):
        yield start + at, raw[at : at + len(part)]
        at += len(part) + 1


def _compound(start: int, raw: str) -> Iterator[Piece]:
    """Give the whole, the segments and the parts of a run with joiners inside."""
    short = _without_clitic(raw)
    if ":" not in short.translate(_SPLITTERS):
        yield from ((start, start + len(raw), word, stop) for _, _, word, stop in _word(start, short))
        return
    yield from _whole(start, short)
    marked = _with_times_split(short)
    segments = list(_split(start, marked.translate(_SEGMENTERS), short))
    parts = list(_split(start, marked.translate(_SPLITTERS), short))
    if len(segments) > 1:
        lone = set(parts)
        for at, segment in segments:
            if (at, segment) not in lone:
                yield from _whole(at, segment)
    for at, part in parts:
        yield from _word(at, part)


def _unspaced(kind: str) -> list[tuple[int, int]]:
    """Answer where single characters, each with its marks, and pairs stand in a run without spaces."""
    edges = [at for at, letter in enumerate(kind) if letter == UNSPACED]
    edges.append(len(kind))
    return [*zip(edges, edges[1:], strict=False), *zip(edges, edges[2:], strict=False)]


def _runs(folded: str) -> Iterator[tuple[int, str, str]]:
    """Give start, letters and kinds of each run of word letters (with joiners inside) or of unspaced ones."""
    kind = kinds(folded)
    unspaced, spaced = UNSPACED + MARK, WORD + MARK
    at, size = 0, len(folded)
    while at < size:
        end = at + 1
        if kind[at] == UNSPACED:
            while end < size and kind[end] in unspaced:
                end += 1
            yield at, folded[at:end], kind[at:end]
        elif kind[at] == WORD:
            while end < size and (kind[end] in spaced or kind[end : end + 2] == JOINER + WORD):
                end += 1
            yield at, folded[at:end], kind[at:end]
        at = end


def _pieces(folded: str) -> Iterator[Piece]:
    """Give every index word of a folded text with its place."""
    for start, run, kind in _runs(folded):
        if kind[0] == UNSPACED:
            for first, last in _unspaced(kind):
                yield start + first, start + last, run[first:last][:LONGEST_WORD], False
        else:
            yield from _compound(start, run) if JOINER in kind else _word(start, run)


def _analyse(chunk: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    every: list[str] = []
    content: list[str] = []
    for start, run, kind in _runs(fold(chunk)):
        if kind[0] == UNSPACED:
            # Without places: a long Chinese text has thousands of these.
            words = [run[first:last][:LONGEST_WORD] for first, last in _unspaced(kind)]
            every += words
            content += words
        else:
            for _, _, word, stops in _compound(start, run) if JOINER in kind else _word(start, run):
                every.append(word)
                if not stops:
                    content.append(word)
    return tuple(every), tuple(content)


class _Chunks(dict[str, tuple[tuple[str, ...], tuple[str, ...]]]):
    """All index words and those without stop words, by what stands between white space; filled by asking."""

    def __missing__(self, chunk: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        words = _analyse(chunk)
        if len(chunk) <= LONGEST_WORD:
            if len(self) >= KEPT:
                self.clear()
            self[chunk] = words
        return words


_chunks = _Chunks()


def index_words(text: str) -> dict[str, int]:
    """Answer the index words of a text with how often each occurs, in the order of the text (R1)."""
    counts: dict[str, int] = {}
    for chunk in text.split():
        for word in _chunks[chunk][0]:
            if word in counts:
                counts[word] += 1
            elif len(counts) < MOST_WORDS:
                counts[word] = 1
    return counts


def content_words(text: str) -> frozenset[str]:
    """Answer the index words of a text without stop words, to compare texts by (M3)."""
    return frozenset(_distinct(text, 1))


def question_words(text: str) -> list[str]:
    """Answer the distinct index words to ask for, in order; stop words only if nothing else is there (R2)."""
    return list(_distinct(text, 1) or _distinct(text, 0))


def _distinct(text: str, which: int) -> dict[str, None]:
    found: dict[str, None] = {}
    for chunk in text.split():
        for word in _chunks[chunk][which]:
            if len(found) < MOST_WORDS:
                found[word] = None
    return found


def _places(chunk: str, folded: str) -> list[tuple[int, int]] | None:
    """Answer where in the chunk each folded character comes from, or nothing where that cannot be told."""
    places: list[tuple[int, int]] = []
    spelt: list[str] = []
    at = 0
    while at < len(chunk):
        end = at + 1
        # Vowels and finals of decomposed Hangul belong to the letter before them, as marks do.
        while end < len(chunk) and (is_mark(chunk[end]) or is_unseen(chunk[end]) or "\u1160" <= chunk[end] <= "\u11ff"):
            end += 1
        letters = fold(chunk[at:end])
        spelt.append(letters)
        places += [(at, end)] * len(letters)
        at = end
    return places if "".join(spelt) == folded else None


def _shown_in(chunk: str, stems: Collection[str]) -> Iterator[str]:
    folded = fold(chunk)
    spans = sorted((start, -end) for start, end, word, _ in _pieces(folded) if word in stems)
    merged: list[tuple[int, int]] = []
    for start, minus_end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], -minus_end)
        else:
            merged.append((start, -minus_end))
    places = _places(chunk, folded) if merged else None
    for start, end in merged:
        yield chunk[places[start][0] : places[end - 1][1]] if places else folded[start:end]


def shown_forms(text: str, stems: Collection[str]) -> list[str]:
    """Answer the words of a question as its asker wrote them that gave any of these index words (R2).

    Args:
        text: the question.
        stems: index words that an entry matched; best a set.
    """
    shown: dict[str, str] = {}
    for chunk in text.split():
        for form in _shown_in(chunk, stems):
            shown.setdefault(fold(form), form)
    return list(shown.values())
