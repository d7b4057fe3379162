"""The tree as RFC 9162 defines it, rebuilt for every answer, and a ledger's hashes as a store keeps them.

Promises answers that are plainly right, to hold ``rules.merkle`` against; leaves speed to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from oz0mem.rules import merkle


def leaves_of(size: int, begin: int = 0) -> list[bytes]:
    """Make leaf hashes that differ."""
    return [merkle.leaf_hash(b"%d" % each) for each in range(begin, begin + size)]


def naive_root(leaves: Sequence[bytes]) -> bytes:
    """RFC 9162 section 2.1.1, word for word."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256(b"").digest()
    k = naive_split(len(leaves))
    return hashlib.sha256(b"\x01" + naive_root(leaves[:k]) + naive_root(leaves[k:])).digest()


def naive_split(n: int) -> int:
    """The largest power of two smaller than n, found by trying."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def naive_path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """RFC 9162 section 2.1.3.1."""
    if len(leaves) == 1:
        return []
    k = naive_split(len(leaves))
    if m < k:
        return [*naive_path(m, leaves[:k]), naive_root(leaves[k:])]
    return [*naive_path(m - k, leaves[k:]), naive_root(leaves[:k])]


def naive_subproof(m: int, leaves: Sequence[bytes], known: bool) -> list[bytes]:
    """RFC 9162 section 2.1.4.1."""
    if m == len(leaves):
        return [] if known else [naive_root(leaves)]
    k = naive_split(len(leaves))
    if m <= k:
        return [*naive_subproof(m, leaves[:k], known), naive_root(leaves[k:])]
    return [*naive_subproof(m - k, leaves[k:], False), naive_root(leaves[:k])]


class Log:
    """A ledger's hashes as a store keeps them: leaves in order, tile rows by place, the edge."""

    def __init__(self) -> None:
        self.leaves: list[bytes] = []
        self.tiles: dict[tuple[int, int], bytes] = {}
        self.edge = b""
        self.reads = 0

    def append(self, leaves: Sequence[bytes]) -> None:
        """Append one batch, as one transaction does."""
        for level, index, row in merkle.tile_updates(len(self.leaves), leaves, self.read):
            assert level >= 1
            assert row.startswith(self.tiles.get((level, index), b""))
            self.tiles[level, index] = row
        for leaf in leaves:
            self.edge = merkle.append(self.edge, len(self.leaves), leaf)
            self.leaves.append(leaf)

    def read(self, level: int, index: int) -> bytes:
        """A stored row, or for level 0 the leaf hashes of one tile."""
        self.reads += 1
        return self.tiles[level, index] if level else self.read_leaves(index * 256, 256)

    def read_leaves(self, start: int, count: int) -> bytes:
        """The leaf hashes beside the events."""
        self.reads += 1
        return b"".join(self.leaves[start : start + count])

    def inclusion(self, index: int, size: int, edge: bytes = b"") -> list[bytes]:
        """A proof from what is stored."""
        return merkle.inclusion(index, size, self.read_leaves, self.read, edge)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """A proof from what is stored."""
        return merkle.consistency(old, new, self.read_leaves, self.read)
