"""The search of one view of a text for known formats (M8).

Promises `known` and `hidden`: what, from where, to where, in that view. A word that is too short, or a text
without the letters of a format, costs no pattern; patterns are compiled when first needed. Leaves which views
there are, and what follows from a find, to `secrets`.
"""

from __future__ import annotations

import binascii
import re
from functools import cache
from typing import TYPE_CHECKING

from oz0mem.rules.secret_formats import LONGEST_WORD, PREFIXED, SHAPED, STRICT, WORDS
from oz0mem.rules.secret_phrases import telling
from oz0mem.rules.secret_values import is_placeholder
from oz0mem.rules.secret_views import View, long_words, lower_case

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIXES = tuple((prefix, row) for row, (_, prefixes, _) in enumerate(PREFIXED) for prefix in prefixes.split())


@cache
def _tail(row: int) -> re.Pattern[str]:
    return re.compile(PREFIXED[row][2], re.ASCII)


@cache
def _shape(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


@cache
def _encoded() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")


def _stands_alone(text: str, at: int, prefix: str) -> bool:
    if not at:
        return True
    before = text[at - 1]
    return not (before.isalnum() and before.isascii()) and not (prefix in STRICT and before in "-_")


def _prefixed(text: str, words: str) -> Iterator[tuple[str, int, int]]:
    for prefix, row in _PREFIXES:
        if prefix not in words:
            continue
        at = text.find(prefix)
        while at >= 0:
            begin = at + len(prefix)
            match = _tail(row).match(text, begin) if _stands_alone(text, at, prefix) else None
            if match and not is_placeholder(match[0]):
                yield PREFIXED[row][0], at, match.end()
            at = text.find(prefix, match.end() if match else begin)


def _shaped(text: str, words: list[str]) -> Iterator[tuple[str, int, int]]:
    for kind, letters, pattern in SHAPED:
        if any(part in text for part in letters.split("|")):
            for match in _shape(pattern).finditer(text):
                if not is_placeholder(match[0][-20:]):
                    yield kind, match.start(), match.end()
    long = " ".join([word for word in words if len(word) >= LONGEST_WORD])
    for kind, letters, pattern in WORDS:
        if letters in long:
            for match in _shape(pattern).finditer(text):
                if not is_placeholder(match[0]):
                    yield kind, match.start(), match.end()


def _decode(run: str) -> str:
    """What base64 or hexadecimal hides, where that is readable ASCII; else nothing."""
    plain = run.rstrip("=")
    for decode in (_from_hex, _from_base64):
        decoded = decode(plain)
        if decoded and decoded.isascii():
            text = decoded.decode("ascii")
            if text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
                return text
    return ""


def _from_hex(run: str) -> bytes:
    try:
        return bytes.fromhex(run)
    except ValueError:
        return b""


def _from_base64(run: str) -> bytes:
    standard = run.replace("-", "+").replace("_", "/")
    standard = standard[: len(standard) - (len(standard) % 4 == 1)]
    try:
        return binascii.a2b_base64(standard + "=" * (-len(standard) % 4))
    except (binascii.Error, ValueError):
        return b""


def known(view: View) -> Iterator[tuple[str, int, int]]:
    """Known formats in one view, the surest first."""
    text = view.text
    words = long_words(text)
    if words:
        yield from _prefixed(text, " ".join(words))
    yield from _shaped(text, words)
    if words or "pass" in text or "pwd" in text:
        yield from telling(text, lower_case(text))


def hidden(view: View) -> Iterator[tuple[str, int, int]]:
    """Known formats behind base64 or hexadecimal; the place is where the encoded run begins."""
    if not any(len(word) >= 24 for word in view.text.split()):
        return
    for run in _encoded().finditer(view.text):
        decoded = _decode(run[0])
        if decoded:
            for kind, _, _ in known(View(decoded, None)):
                yield kind, run.start(), run.end()
                break
