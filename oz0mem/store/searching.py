"""Many byte strings looked for in a file at once, read once from end to end (L22).

Promises that none is missed, wherever a read of the file ends, in a time that hardly grows with how many there are.
Leaves what is looked for, and what a find means, to ``scrubbing``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import BinaryIO

_CHUNK = 1 << 20
_LONGEST = 256
"""Bytes of the longest word or key that is looked for as a whole run."""
_FEW = 12
"""So many are looked for one by one in less time than all at once."""
_STRIDE = 4
_WIDEST = 2 * _STRIDE - 1
"""Whatever has so many bytes covers four that begin at a multiple of four, wherever it stands."""


def found_in(stream: BinaryIO, wanted: Collection[bytes], marks: Collection[bytes] = ()) -> set[bytes]:
    """Those that a file has.

    Args:
        stream: the file, at its beginning.
        wanted: words and keys; those of small letters and digits are found as whole runs of such alone.
        marks: bytes to be found wherever they stand.
    """
    import re

    plain = {part for part in wanted if part.isascii() and part.isalnum()}
    others = Parts({*wanted, *marks} - (plain - {*marks}))
    runs, cut = re.compile(rb"[0-9a-z]{6,}"), re.compile(rb"[0-9a-z]*\Z")
    found: set[bytes] = set()
    run = edge = b""
    while chunk := stream.read(_CHUNK):
        read = edge + chunk
        found |= others.found_in(read)
        edge = read[-others.longest :]
        text = run + chunk
        last = cut.search(text, max(0, len(text) - _LONGEST))
        run = last.group() if last else b""
        found |= plain.intersection(runs.findall(text, 0, len(text) - len(run)))
    return found | plain.intersection([run])


class Parts:
    """Byte strings to be found wherever they stand, many at once.

    A file is read as numbers of four bytes. Of whatever is long enough one of four such numbers stands in it, so that
    a set tells at once which are worth looking for: 2,000 marks take no longer than 20 one by one.
    """

    def __init__(self, parts: Iterable[bytes]) -> None:
        ordered = sorted(parts, key=len, reverse=True)
        self.longest = max(1, len(ordered[0])) if ordered else 1
        wide = [part for part in ordered if len(part) >= _WIDEST]
        if len(wide) <= _FEW:
            wide = []
        self.single = ordered[len(wide) :]
        self.having: dict[int, list[bytes]] = {}
        for part in wide:
            for at in range(_STRIDE):
                number = int.from_bytes(part[at : at + _STRIDE], sys.byteorder)
                self.having.setdefault(number, []).append(part)
        self.numbers = frozenset(self.having)

    def found_in(self, read: bytes) -> set[bytes]:
        """Those that stand in these bytes."""
        likely = set(self.single)
        if self.numbers:
            whole = memoryview(read)[: len(read) // _STRIDE * _STRIDE].cast("I")
            for number in self.numbers.intersection(whole):
                likely.update(self.having[number])
        return {part for part in likely if part in read}
