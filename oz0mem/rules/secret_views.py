"""The same text read as a person or a program would read it, with every character's place kept (M8).

Promises views of a text: without what cannot be seen and with full-width forms folded; with escapes resolved;
with wrapped lines joined. Each view knows where its characters stood. Leaves the search to `secrets`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LONG = 15
"""Characters from which a word between white space may hold a secret of a known format."""

_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-")
_QUOTES = dict.fromkeys("\u201c\u201d\u201e\u2033", '"') | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800"


class View:
    """One reading of a text.

    Args:
        text: what is read.
        places: for each character of `text`, where it stood in the original; None where nothing moved.
    """

    __slots__ = ("places", "text")

    def __init__(self, text: str, places: Sequence[int] | None) -> None:
        self.text = text
        self.places = places

    def place(self, index: int) -> int:
        """Where the character at `index` stood in the original."""
        return index if self.places is None else self.places[index]


@cache
def _fold_character(character: str) -> str:
    if character in _DASHES:
        return "-"
    if character in _QUOTES:
        return _QUOTES[character]
    # Cf: zero-width, bidi and soft hyphen; variation selectors are marks that never show by themselves.
    if character in _UNSEEN or unicodedata.category(character) == "Cf" or "\ufe00" <= character <= "\ufe0f":
        return ""
    return unicodedata.normalize("NFKC", character)


def fold(text: str) -> View:
    """Read `text` in NFKC, character by character, without what cannot be seen."""
    if text.isascii():
        return View(text, None)
    changed: dict[str, str | int | None] = {}
    for character in set(text):
        if character > "\x7f" and (folded := _fold_character(character)) != character:
            changed[character] = folded
    if not changed:
        return View(text, None)
    places = [i for i, c in enumerate(text) for _ in str(changed.get(c, c))]
    return View(text.translate(str.maketrans(changed)), places)


def compose(text: str) -> View:
    """Read `text` in NFC."""
    if unicodedata.is_normalized("NFC", text):
        return View(text, None)
    pieces: list[str] = []
    places: list[int] = []
    begin = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and (unicodedata.combining(text[end]) or not _parts(text[begin:end], text[end])):
            continue
        pieces.append(unicodedata.normalize("NFC", text[begin:end]))
        places += [begin] * len(pieces[-1])
        begin = end
    return View("".join(pieces), places)


def _parts(before: str, after: str) -> bool:
    """Whether normalising leaves the border between two pieces alone."""
    apart = unicodedata.normalize("NFC", before) + unicodedata.normalize("NFC", after)
    return unicodedata.normalize("NFC", before + after) == apart


def rewrite(view: View, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]) -> View:
    """Replace what `pattern` finds, keeping the places; what is put in stands where the match began."""
    pieces: list[str] = []
    places: list[int] = []
    end = 0
    old = range(len(view.text)) if view.places is None else view.places
    for match in pattern.finditer(view.text):
        new = replace(match)
        pieces += (view.text[end : match.start()], new)
        places += old[end : match.start()]
        places += [old[match.start()]] * len(new)
        end = match.end()
    if not end:
        return view
    pieces.append(view.text[end:])
    places += old[end:]
    return View("".join(pieces), places)


@cache
def _escapes() -> re.Pattern[str]:
    return re.compile(
        r"%[2-7][0-9A-Fa-f]|%0[AaDd]|\\u00[2-7][0-9A-Fa-f]|\\x[2-7][0-9A-Fa-f]|\\[nrt\"'/]"
        r"|&#0{0,4}\d{2,3};|&#[xX]0{0,4}[2-7][0-9A-Fa-f];|&(?:amp|quot|apos|lt|gt);"
    )


_NAMED = {
    "&amp;": "&",
    "&quot;": '"',
    "&apos;": "'",
    "&lt;": "<",
    "&gt;": ">",
    r"\n": "\n",
    r"\r": "\n",
    r"\t": "\t",
}


def _unescape(match: re.Match[str]) -> str:
    escape = match[0]
    if escape in _NAMED:
        return _NAMED[escape]
    if escape[0] == "\\" and len(escape) == 2:
        return escape[1]
    if escape[:2] == "&#" and escape[2] not in "xX":
        code = int(escape[2:-1])
        return chr(code) if code < 127 else escape
    return chr(int(escape.rstrip(";")[-2:], 16))


def unescape(view: View) -> View:
    """Resolve percent, JSON and HTML escapes of ASCII characters, at most twice over."""
    for _ in range(2):
        if not ("%" in view.text or "\\" in view.text or "&" in view.text):
            break
        resolved = rewrite(view, _escapes(), _unescape)
        if resolved is view:
            break
        view = resolved
    return view


@cache
def _joints() -> re.Pattern[str]:
    return re.compile(
        r"(?<=[\w./+=-])[\"'`]?[ \t]{0,4}[+.\\]?[ \t]{0,4}"
        r"\r?\n[ \t>|#*]{0,12}[+.]?[ \t]{0,4}[\"'`]?(?=[\w./+=-])"
        r"|(?<=[\w./+=-])[\"'`][ \t]{0,4}[+.&]?[ \t]{0,4}[\"'`](?=[\w./+=-])"
    )


_QUOTED = tuple(f"{quote}{between}{quote}" for quote in "\"'" for between in ("", " ", " + ", "+", " . ", " & "))


def _wraps(text: str) -> bool:
    """Whether, at some line end, the last word and the first of the next line could be one secret."""
    lines = text.split("\n")
    for line, following in zip(lines, lines[1:], strict=False):
        before, after = line.rstrip(), following.lstrip(" \t\r>|#*+.\"'`").split(None, 1)
        if not before or not after or before[-1] in ".,;:!?)":
            continue
        word = before.rsplit(None, 1)[-1] + after[0]
        if len(word) >= LONG and not word.isalpha() and any(c.isdigit() or c == "_" for c in word):
            return True
    return False


def join(view: View) -> View:
    """Read on over line ends and over the joint of two quoted strings, as if they were not there."""
    if not (_wraps(view.text) or any(joint in view.text for joint in _QUOTED)):
        return view
    return rewrite(view, _joints(), lambda _: "")


def lower_case(text: str) -> str:
    """`text` in lower case, character by character, so that places stay."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def long_words(text: str) -> list[str]:
    """The words between white space that are long enough to hold a secret."""
    return [word for word in text.split() if len(word) >= LONG]
