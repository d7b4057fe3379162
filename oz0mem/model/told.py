"""The ledger as the store hands it out: an event as it stands, and the tenant's head row."""

from __future__ import annotations

from typing import NamedTuple


class Told(NamedTuple):
    """An event as it stands: its place (index) in the ledger, its bytes, and the leaf beside it."""

    at: int
    body: bytes
    leaf: bytes


class Head(NamedTuple):
    """The head row as a transaction found it."""

    origin: str
    size: int
    edge: bytes
    next: int
    hash_key: bytes
    index_version: int
    solo: int
    open_erasures: int
    secrets: int
    holds: int
