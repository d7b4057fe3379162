"""Folding of letters and what kind each is, the ground of words (R1).

Promises that a text and its other Unicode spellings fold alike, and marks that tell words apart (Hindi vowel
signs, Thai tones) stay. Leaves cutting into words to ``words``.
"""

from __future__ import annotations

from unicodedata import category, normalize

from oz0mem.rules.sameness import fold_name

TYPE_CHECKING = False  # not from typing, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable

WORD, UNSPACED, MARK, JOINER, OTHER = "w", "u", "m", "j", " "
"""Kinds: of a word; of a script without spaces; on the one before; inside ids, paths and the like; others."""
_STRIPPED, _UNSEEN, _PLAIN = "s", "u", "p"

_KEPT_LETTERS = 20_000

JOINERS = "-._/\\@:+'"
_SPELLINGS = {0x2019: "'", 0x02BC: "'", 0x2010: "-"}

# Blocks of scripts that are written without spaces, or (Korean) with endings glued on: Thai to Lao, Burmese,
# jamo, Khmer, radicals, kana and bopomofo, Han, Burmese again, Hangul, Han again, old kana, Han beyond.
_UNSPACED_BLOCKS = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x31FF),
    (0x3400, 0x9FFF),
    (0xA960, 0xA97F),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x3FFFF),
)
# Latin, Greek and Cyrillic with their extensions; what else lies in them has no marks that matter.
_STRIPPED_BLOCKS = (
    (0x0000, 0x052F),
    (0x1C80, 0x1C8F),
    (0x1D00, 0x1FFF),
    (0x2C60, 0x2C7F),
    (0xA640, 0xA69F),
    (0xA720, 0xA7FF),
    (0xAB30, 0xAB6F),
)
_VARIATION_SELECTORS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))


def is_mark(letter: str) -> bool:
    """Tell whether a character is a mark on the one before it."""
    return category(letter)[0] == "M"


def is_unseen(letter: str) -> bool:
    """Tell whether a character only steers how others are shown, as joiners and soft hyphens do."""
    return category(letter) == "Cf" or _within(ord(letter), _VARIATION_SELECTORS)


def _within(code: int, blocks: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in blocks)


def _kind(letter: str) -> str:
    if letter in JOINERS:
        return JOINER
    if is_mark(letter):
        return MARK
    if not letter.isalnum():
        return OTHER
    return UNSPACED if _within(ord(letter), _UNSPACED_BLOCKS) and not letter.isdecimal() else WORD


def _folding(letter: str) -> str:
    if is_unseen(letter):
        return _UNSEEN
    if is_mark(letter):
        return MARK
    return _STRIPPED if _within(ord(letter), _STRIPPED_BLOCKS) else _PLAIN


class _Table(dict[int, str]):
    """A table for ``str.translate``: what a function says of a character, worked out when it is first met."""

    def __init__(self, tell: Callable[[str], str]) -> None:
        super().__init__()
        self.tell = tell

    def __missing__(self, code: int) -> str:
        if len(self) >= _KEPT_LETTERS:
            self.clear()
        told = self[code] = self.tell(chr(code))
        return told


_kinds = _Table(_kind)
_foldings = _Table(_folding)


def kinds(folded: str) -> str:
    """Answer the kind of each character of a folded text, one character for one."""
    return folded.translate(_kinds)


def fold(text: str) -> str:
    """Fold for the index: NFKC, case folded, Latin, Greek and Cyrillic without marks, nothing unseen."""
    if text.isascii():
        return text.lower()
    folded = fold_name(text)
    apart = normalize("NFD", folded)
    told = apart.translate(_foldings)
    if MARK in told or _UNSEEN in told:
        folded = normalize("NFC", _strip(apart, told))
    return folded.translate(_SPELLINGS)


def _strip(apart: str, told: str) -> str:
    kept: list[str] = []
    base = _PLAIN
    for letter, kind in zip(apart, told, strict=True):
        if kind == _UNSEEN or (kind == MARK and base == _STRIPPED):
            continue
        if kind != MARK:
            base = kind
        kept.append(letter)
    return "".join(kept)
