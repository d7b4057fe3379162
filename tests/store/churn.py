"""A long life of a store: texts written, edited and deleted in no order, each with words found nowhere else.

Promises that whatever is left in a file can be told apart by one search: every such word begins ``zq`` and is
made of consonants, so that no stemmer shortens it and no neighbour on a page hides it.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from oz0mem.model.erasures import Gone
from tests.store import desks
from tests.store.desks import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from oz0mem.model.entries import Entry
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store

_LETTERS = "bcdfghjklmnprtvwx"
_MARK = re.compile(rb"zq[bcdfghjklmnprtvwx]{10}")
_HEX = re.compile(rb'"k":"([0-9a-f]{64})')
_COMMON = [f"common{n}" for n in range(3_000)]
BATCH = 250
"""Deeds in one transaction."""


class Churn:
    """Deeds on one store, and what they should have left.

    Args:
        store: an empty one on SQLite.
        seed: of the order and the texts.
    """

    def __init__(self, store: Store, seed: int) -> None:
        self.store = store
        self.chance = random.Random(seed)
        self.living: list[Entry] = []
        self.marks: dict[str, set[bytes]] = {}
        self.keys: set[bytes] = set()
        self.erased: set[bytes] = set()
        self.erased_keys: set[bytes] = set()
        self.lost: list[Gone] = []

    def mark(self) -> str:
        """A word that no other text has."""
        return "zq" + "".join(self.chance.choices(_LETTERS, k=10))

    def text(self) -> str:
        """A text of 20 bytes to 15 KB, mostly short; one of its words in twenty is its own."""
        long = self.chance.random() < 0.02
        size = self.chance.randint(400, 15_000) if long else self.chance.randint(20, 300)
        words = [self.mark()]
        length = 12
        while length < size:
            words.append(self.mark() if self.chance.random() < 0.05 else self.chance.choice(_COMMON))
            length += len(words[-1]) + 1
        self.chance.shuffle(words)
        return " ".join(words)

    def run(self, deeds: int) -> None:
        """Do so many deeds: three in five write, one edits, one deletes."""
        for start in range(0, deeds, BATCH):
            self.store.write(NOW + start, lambda desk: self._batch(desk, min(BATCH, deeds - start)))  # noqa: B023  # run at once

    def _batch(self, desk: Desk, deeds: int) -> None:
        erasure = desks.begin(desk)
        for _ in range(deeds):
            deed = self.chance.random()
            if deed < 0.6 or len(self.living) < 20:
                self._write(desk)
            elif deed < 0.8:
                self._edit(desk, erasure)
            else:
                self._delete(desk, erasure)
        desk.erasing.close(erasure)

    def _write(self, desk: Desk) -> None:
        text = self.text()
        extra = {"key": self.mark(), "tags": (self.mark(),), "source": {"id": self.mark()}}
        self._keep(desks.put(desk, text, scope=f"project:p{self.chance.randint(0, 9)}", **extra))

    def _edit(self, desk: Desk, erasure: int) -> None:
        at = self.chance.randrange(len(self.living))
        before = self.living[at]
        new, gone = desks.edit(desk, erasure, before, self.text())
        self._lose(before, gone)
        self.living.pop(at)
        self._keep(new)

    def _delete(self, desk: Desk, erasure: int) -> None:
        entry = self.living.pop(self.chance.randrange(len(self.living)))
        self._lose(entry, desk.erasing.erase_entry(erasure, entry))

    def _keep(self, entry: Entry) -> None:
        self.living.append(entry)
        said = " ".join((entry.text, entry.key, *entry.tags, *entry.source.values()))
        self.marks[entry.id] = set(_MARK.findall(said.encode()))
        self.keys.add(entry.secret.hex().encode())

    def _lose(self, entry: Entry, gone: Gone) -> None:
        self.erased |= self.marks.pop(entry.id)
        key = entry.secret.hex().encode()
        self.keys.discard(key)
        self.erased_keys.add(key)
        self.lost.append(gone)

    @property
    def gone(self) -> Gone:
        """All that was overwritten."""
        return Gone([], []).joined(*self.lost)

    def kept(self) -> set[bytes]:
        """The words that some living entry has."""
        return set().union(*self.marks.values())

    def left(self) -> tuple[set[bytes], set[bytes]]:
        """What of the erased still stands in the store's files: words, version keys."""
        marks, keys = found_in(desks.path_of(self.store.url))
        return marks & (self.erased - self.kept()), keys & self.erased_keys


def found_in(path: Path) -> tuple[set[bytes], set[bytes]]:
    """Every marked word and every version key in a store's files: database, log, shared memory."""
    marks: set[bytes] = set()
    keys: set[bytes] = set()
    for file in path.parent.glob(path.name + "*"):
        content = file.read_bytes()
        marks |= set(_MARK.findall(content))
        keys |= set(_HEX.findall(content))
    return marks, keys
