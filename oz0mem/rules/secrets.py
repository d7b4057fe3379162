"""The scan of every argument of every call for secrets (M8).

Promises the kind and the place of each secret, never the secret: `veto` for a known format and for a
registered secret of the tenant, `hold` for what merely resembles one. A text is also read without what cannot
be seen, with full-width forms folded, escapes resolved, wrapped lines joined, base64 and hexadecimal decoded.
Leaves refusing and holding to the actions, and keeping the keyed hashes to the store.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.rules.secret_resemblances import resembling
from oz0mem.rules.secret_search import hidden, known
from oz0mem.rules.secret_views import View, compose, fold, join, long_words, lower_case, unescape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from hashlib import blake2b

VETO = "veto"
HOLD = "hold"


_SHORTEST = 8
"""Characters below which nothing is a secret in any format; names of arguments are mostly shorter."""


class Finding(NamedTuple):
    """Where something was found and what it is, without the thing itself.

    Args:
        kind: the format, such as ``github-pat``.
        line: from 1.
        column: from 1, in characters.
        verdict: ``veto`` or ``hold``.
    """

    kind: str
    line: int
    column: int
    verdict: str


class _Finds:
    """What was found so far; where two overlap, the first told stays."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._taken = bytearray()
        self._found: list[tuple[int, str, str]] = []

    def add(self, view: View, found: Iterable[tuple[str, int, int]], verdict: str) -> None:
        for kind, begin, end in found:
            first, last = view.place(begin), view.place(end - 1) + 1
            if not self._taken:
                self._taken = bytearray(len(self._text))
            if self._taken.find(1, first, last) < 0:
                self._taken[first:last] = b"\1" * (last - first)
                self._found.append((first, kind, verdict))

    def findings(self) -> list[Finding]:
        """In order of place. Lines end at a line feed, as editors count them."""
        answer: list[Finding] = []
        line, start, seen = 1, 0, 0
        for place, kind, verdict in sorted(self._found):
            line += self._text.count("\n", seen, place)
            start = max(start, self._text.rfind("\n", seen, place) + 1)
            seen = place
            answer.append(Finding(kind, line, place - start + 1, verdict))
        return answer


def scan(text: str) -> list[Finding]:
    """Find secrets in `text`, in order of place.

    Args:
        text: one argument of a call, of any length.

    Returns:
        Kind, place and verdict of each; nothing of the secret.
    """
    if len(text) < _SHORTEST:
        return []
    seen = fold(text)
    read = unescape(seen)
    joined = join(read)
    views = [seen]
    for view in (read, joined):
        if view is not views[-1]:
            views.append(view)
    finds = _Finds(text)
    for view in views:
        finds.add(view, known(view), VETO)
    for view in views:
        finds.add(view, hidden(view), VETO)
    for view in views[: 2 if read is not seen else 1]:
        long = bool(long_words(view.text))
        finds.add(view, resembling(view.text, lower_case(view.text), long=long), HOLD)
    return finds.findings()


def scan_arguments(arguments: Mapping[str, object]) -> list[tuple[str, Finding]]:
    """Scan every text in the arguments of a call, keys of mappings too, at any depth.

    Args:
        arguments: names and values; values are texts, numbers, lists and mappings of such.

    Returns:
        The path of the argument (``text``, ``tags[2]``, ``source.commit``; a key that holds a finding is
        named by its number, as in ``source{1}``) and what was found there, in the order of the arguments.
    """
    answer: list[tuple[str, Finding]] = []
    waiting: list[tuple[str, str, object]] = [("", "", arguments)]
    while waiting:
        path, key, value = waiting.pop()
        if isinstance(value, str):
            answer += ((path, finding) for finding in _scan_named(key, value))
        elif isinstance(value, Mapping):
            parts: list[tuple[str, str, object]] = []
            for number, (name, inner) in enumerate(value.items(), 1):
                shown, found = _name(path, str(name), number)
                answer += ((shown, finding) for finding in found)
                parts.append((shown, str(name) if path and not found else "", inner))
            waiting += reversed(parts)
        elif isinstance(value, (Sequence, set, frozenset)) and not isinstance(value, (bytes, bytearray)):
            waiting += reversed([(f"{path}[{index}]", key, inner) for index, inner in enumerate(value)])
    return answer


def _name(path: str, name: str, number: int) -> tuple[str, list[Finding]]:
    found = scan(name)
    if found:
        return f"{path}{{{number}}}", found
    return (f"{path}.{name}" if path else name), []


def _scan_named(key: str, value: str) -> list[Finding]:
    """Scan `value`; where a mapping gave it a name, also as an assignment to that name."""
    found = scan(value)
    if found or not key or len(key) > 64 or "\n" in key:
        return found
    before = f"{key} = "
    moved = scan(before + value)
    return [f._replace(column=max(1, f.column - len(before))) if f.line == 1 else f for f in moved]


def own_secret_digest(key: bytes, secret: str) -> tuple[int, bytes]:
    """Digest a secret of the tenant for keeping.

    Args:
        key: the tenant's key, at most 64 bytes.
        secret: as it was typed; white space around it does not count.

    Returns:
        Its length in characters (NFC) and a keyed BLAKE2b hash of 16 bytes.
    """
    plain = unicodedata.normalize("NFC", secret).strip()
    return len(plain), _hasher(key, plain).digest()


def _hasher(key: bytes, text: str = "") -> blake2b:
    from hashlib import blake2b  # costs more than the rest of this module, and a scan needs none of it

    return blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=16)


def find_own(text: str, key: bytes, registered: Mapping[int, frozenset[bytes]]) -> list[Finding]:
    """Find registered secrets anywhere in `text`, disguised in the ways that `scan` sees through.

    Args:
        text: one argument of a call.
        key: the tenant's key.
        registered: digests by length, as `own_secret_digest` gives them.

    Returns:
        Findings of the kind ``own-secret`` with the verdict ``veto``, in order of place.
    """
    lengths = sorted((length for length, digests in registered.items() if length and digests), reverse=True)
    if not lengths or not text:
        return []
    finds = _Finds(text)
    plain = compose(text)
    seen = fold(text)
    read = unescape(seen)
    views = [plain, *(v for v in (seen, read, join(read)) if v.text != plain.text)]
    for number, view in enumerate(views):
        for length in lengths:
            compare = text if number else ""
            finds.add(view, _windows(view, compare, key, length, registered[length]), VETO)
    return finds.findings()


def _windows(
    view: View, original: str, key: bytes, length: int, digests: frozenset[bytes]
) -> Iterator[tuple[str, int, int]]:
    """Windows of one length whose digest is registered; those that read like the original are left out."""
    text = view.text
    start = _hasher(key)
    for begin in range(len(text) - length + 1):
        window = text[begin : begin + length]
        if window[0].isspace() or window[-1].isspace():
            continue
        place = view.place(begin) if original else 0
        if original and original[place : place + length] == window:
            continue
        state = start.copy()
        state.update(window.encode("utf-8", "surrogatepass"))
        if state.digest() in digests:
            yield "own-secret", begin, begin + length
