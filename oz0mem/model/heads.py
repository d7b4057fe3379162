"""Signed heads and the keys that sign them, as values (L12, L13, L14)."""

from __future__ import annotations

from typing import NamedTuple


class PublicKey(NamedTuple):
    """A signing key as the world sees it: its id, its two verifier keys, and the sizes of heads that it may sign.

    Attributes:
        id: 16 hex digits (L13).
        vkeys: C2SP verifier keys: Ed25519 and ML-DSA-44, sorted.
        start: the smallest size of a head that it signs.
        until: the largest; -1 where it is in force.
    """

    id: str
    vkeys: tuple[str, ...]
    start: int = 0
    until: int = -1


class Pin(NamedTuple):
    """The last head of a ledger that was signed on this machine (``signed.json``).

    Attributes:
        ledger: the origin.
        first: hex of the first event's leaf: tells a ledger from another one of the same origin.
        store: hash of the store's URL, which may hold a password.
        size: events under the head.
        root: hex of the root.
        head: the signed note.
    """

    ledger: str
    first: str
    store: str
    size: int
    root: str
    head: str


class SignedHead(NamedTuple):
    """A head as the store keeps it.

    Attributes:
        size: events under it.
        root: 32 bytes.
        at: when it was made durable, microseconds UTC.
        key: ids of the keys that signed, with spaces between.
        note: the signed note; '' where it was not signed yet.
    """

    size: int
    root: bytes
    at: int
    key: str
    note: str
