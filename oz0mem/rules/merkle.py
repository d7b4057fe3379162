"""The tree of RFC 9162 over the ledger's events: its right edge, its tiles, its proofs (L10, L11).

Promises that appending costs one hash on average, and that a proof reads a few tiles and never rebuilds the
tree. Leaves to others where hashes are stored; they are reached through two functions:

``read_leaves(start, count)``
    the concatenated leaf hashes of events ``start`` to ``start + count - 1``, as they stand beside the
    events.
``read_tile(level, index)``
    the stored tile row, ``level`` from 1 on.

What is stored, in the shape of C2SP tlog-tiles: the hash at place p of level L is the root of the perfect
subtree over leaves p * 256**L to (p + 1) * 256**L - 1. A tile row (L, N) is the concatenation of the hashes
at places 256 * N to 256 * N + 255 of level L, as many as are complete: the last row of a level is partial and
is replaced by a longer one. Level 0 would be the leaf hashes, which stand beside the events and are stored
nowhere else; so rows exist for L >= 1 only, and a ledger of n events has n // 256**L hashes in level L,
written when the last leaf below each of them comes in.

An *edge* is the concatenation of the roots of the perfect subtrees that a tree of that size splits into, from
the largest to the smallest: one for each bit set in the size. All hashes are 32 bytes of SHA-256.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from oz0mem.verify import EMPTY_ROOT, leaf_hash, node_hash, verify_consistency, verify_inclusion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = [
    "HASH",
    "WIDTH",
    "EMPTY_ROOT",
    "append",
    "consistency",
    "edge_of",
    "inclusion",
    "leaf_hash",
    "node_hash",
    "perfect_root",
    "root",
    "tile_updates",
    "verify_consistency",
    "verify_inclusion",
]

HASH = 32
WIDTH = 256
ROW = HASH * WIDTH


def append(edge: bytes, size: int, leaf: bytes) -> bytes:
    """Answer the edge of the tree with one leaf more.

    Args:
        edge: the edge at ``size``.
        size: leaves so far.
        leaf: the new leaf's hash.

    Raises:
        ValueError: where the edge is not one of that size, or the leaf is not a hash.
    """
    _check_edge(edge, size)
    if len(leaf) != HASH:
        raise ValueError("a leaf hash has 32 bytes")
    end, grown = len(edge), leaf
    while size & 1:
        grown = node_hash(edge[end - HASH : end], grown)
        end -= HASH
        size >>= 1
    return edge[:end] + grown


def root(edge: bytes, size: int) -> bytes:
    """Answer the root of a tree from its edge; of no leaves it is SHA-256 of nothing.

    Raises:
        ValueError: where the edge is not one of that size.
    """
    _check_edge(edge, size)
    return _fold(edge) if size else EMPTY_ROOT


def tile_updates(
    size_before: int, leaves: Sequence[bytes], read: Callable[[int, int], bytes]
) -> list[tuple[int, int, bytes]]:
    """Answer the tile rows to write, whole, when leaves are appended.

    Nothing is due, and nothing read, until the batch completes a group of 256 leaves.

    Args:
        size_before: leaves before this batch.
        leaves: the batch's leaf hashes, in order.
        read: the row (level, index) as it stands before or after this batch's events are written; for level 0
            the concatenated leaf hashes of events 256 * index on, at most 256 of them.

    Returns:
        (level, index, row) with ``level`` >= 1, each pair once, lower levels first; a row replaces what is
        there.

    Raises:
        ValueError: where ``read`` answers fewer hashes than the size says there are.
    """
    updates: list[tuple[int, int, bytes]] = []
    level, begin, fresh = 0, size_before, b"".join(leaves)
    while fresh and (level or begin % WIDTH + len(leaves) >= WIDTH):
        first, kept = begin // WIDTH, begin % WIDTH * HASH
        row = (_enough(read(level, first), kept)[:kept] if kept else b"") + fresh
        rows = [row[at : at + ROW] for at in range(0, len(row), ROW)]
        if level:
            updates += [(level, first + nth, each) for nth, each in enumerate(rows)]
        fresh = b"".join(perfect_root(each) for each in rows if len(each) == ROW)
        level, begin = level + 1, first
    return updates


def inclusion(
    index: int,
    size: int,
    read_leaves: Callable[[int, int], bytes],
    read_tile: Callable[[int, int], bytes],
    edge: bytes = b"",
) -> list[bytes]:
    """Answer the inclusion proof of a leaf, from the leaf's neighbour up (RFC 9162 section 2.1.3.1).

    Args:
        index: the leaf's, from 0.
        size: of the tree the proof is for; no larger than what is stored.
        read_leaves: see the module.
        read_tile: see the module.
        edge: the edge at ``size``, where it is known; the end of the tree is then neither read nor hashed.

    Raises:
        ValueError: where the index is not in a tree of that size, or hashes are missing.
    """
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} in a tree of {size}")
    ranges, low, high = [], 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            ranges.append((middle, high))
            high = middle
        else:
            ranges.append((low, middle))
            low = middle
    known: dict[tuple[int, int], bytes] = {}
    if edge:
        _check_edge(edge, size)
        known = {each: edge[at * HASH : at * HASH + HASH] for at, each in enumerate(_perfect_ranges(0, size))}
    return _ranges(ranges[::-1], read_leaves, read_tile, known)


def consistency(
    old: int, new: int, read_leaves: Callable[[int, int], bytes], read_tile: Callable[[int, int], bytes]
) -> list[bytes]:
    """Answer the proof that the tree of ``new`` leaves extends that of ``old`` (RFC 9162 section 2.1.4.1).

    The proof is empty for equal sizes. Every tree extends the empty one, so of that there is none.

    Raises:
        ValueError: where ``old`` is not from 1 to ``new``, or hashes are missing.
    """
    if not 0 < old <= new:
        raise ValueError(f"no proof that a tree of {new} extends one of {old}")
    if old == new:
        return []
    ranges, low, high = [], 0, new
    while high != old:
        middle = low + _split(high - low)
        if old <= middle:
            ranges.append((middle, high))
            high = middle
        else:
            ranges.append((low, middle))
            low = middle
    # Where the old tree is one perfect subtree of the new one, the verifier has its root already.
    own = [(low, high)] if low else []
    return _ranges(own + ranges[::-1], read_leaves, read_tile, {})


def edge_of(size: int, read_leaves: Callable[[int, int], bytes], read_tile: Callable[[int, int], bytes]) -> bytes:
    """Answer the edge of the tree at an earlier (or this) size from what is stored.

    Raises:
        ValueError: where hashes are missing.
    """
    return b"".join(_ranges(_perfect_ranges(0, size), read_leaves, read_tile, {}))


def _check_edge(edge: bytes, size: int) -> None:
    if size < 0 or len(edge) != HASH * size.bit_count():
        raise ValueError(f"not the edge of a tree of {size}")


def _enough(row: bytes, length: int) -> bytes:
    if len(row) < length:
        raise ValueError("stored hashes are missing")
    return row


def _split(size: int) -> int:
    """Answer the largest power of two smaller than a size of at least 2."""
    return 1 << (size - 1).bit_length() - 1


def _fold(edge: bytes) -> bytes:
    folded = edge[-HASH:]
    for at in range(len(edge) - 2 * HASH, -1, -HASH):
        folded = node_hash(edge[at : at + HASH], folded)
    return folded


def perfect_root(row: bytes) -> bytes:
    """Answer the root over a power of two of concatenated hashes."""
    while len(row) > HASH:
        row = b"".join([sha256(b"\x01" + row[at : at + 2 * HASH]).digest() for at in range(0, len(row), 2 * HASH)])
    return row


def _perfect_ranges(low: int, high: int) -> list[tuple[int, int]]:
    """Split leaves ``low`` to ``high - 1`` into perfect subtrees; ``low`` is a multiple of the largest."""
    ranges = []
    while low < high:
        middle = low + (1 << (high - low).bit_length() - 1)
        ranges.append((low, middle))
        low = middle
    return ranges


def _ranges(
    ranges: Sequence[tuple[int, int]],
    read_leaves: Callable[[int, int], bytes],
    read_tile: Callable[[int, int], bytes],
    known: Mapping[tuple[int, int], bytes],
) -> list[bytes]:
    """Answer the root of each range of leaves, reading each tile once; ``known`` has some perfect ones by range."""
    rows: dict[tuple[int, int], bytes] = {}
    end = max((high for _, high in ranges), default=0)

    def subtree(low: int, high: int) -> bytes:
        if (low, high) in known:
            return known[low, high]
        level, height = divmod((high - low).bit_length() - 1, 8)
        first, count = low >> 8 * level, 1 << height
        place = level, first // WIDTH
        if place not in rows:
            start = place[1] * WIDTH
            rows[place] = read_tile(*place) if level else read_leaves(start, min(WIDTH, end - start))
        at = first % WIDTH * HASH
        return perfect_root(_enough(rows[place], at + count * HASH)[at : at + count * HASH])

    return [_fold(b"".join(subtree(*each) for each in _perfect_ranges(low, high))) for low, high in ranges]
