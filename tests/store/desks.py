"""A store with two tenants in it, copied for each test, and what tests put into it.

Promises that a copy costs milliseconds, so that every sentence is tried on both back ends (Q14).
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oz0mem.model.entries import BLANK, Entry, record_of
from oz0mem.model.erasures import Gone
from oz0mem.model.moments import parse_rfc3339
from oz0mem.rules import record
from oz0mem.rules.words import index_words
from oz0mem.store import schema
from oz0mem.store.engine import Store

if TYPE_CHECKING:
    from oz0mem.store.desk import Desk

NOW = parse_rfc3339("2026-10-01T09:00:00Z")
ACTOR = {"kind": "system", "ref": "oz0mem", "verified": True}
TENANTS = ("acme", "globex")


def make(url: str) -> None:
    """Make a store with two tenants."""
    schema.make(url)
    for name in TENANTS:
        schema.make_tenant(url, name, f"{name}.example/oz0mem", solo=True, now=NOW, entropy=os.urandom)


OPENED: list[Store] = []
"""Stores that the running test opened, closed after it."""


def open_store(url: str, tenant: str = "acme") -> Store:
    """A store as a fresh process opens it."""
    store = Store(url, tenant, os.urandom)
    OPENED.append(store)
    return store


def path_of(url: str) -> Path:
    """The file of a store on SQLite."""
    return Path(url.removeprefix("sqlite:///"))


def copy_file(source: str, target: Path) -> str:
    """Copy a store on SQLite that nobody has open; answers the URL of the copy."""
    shutil.copy(path_of(source), target)
    return f"sqlite:///{target}"


def draft(text: str, **fields: Any) -> Entry:
    """An entry before it is written."""
    given: dict[str, Any] = {"kind": "semantic", "by": "ana", "agent": "concierge", **fields}
    return BLANK._replace(text=text, **given)


def put(desk: Desk, text: str, **fields: Any) -> Entry:
    """Write an entry as actions do: version, event, words and count (L1)."""
    entry = draft(text, **fields)
    entry = entry._replace(
        id=entry.id or f"m-{desk.random(6).hex()}",
        secret=desk.random(32),
        created=entry.created or desk.now,
        at=desk.now,
    )
    return _write(desk, entry, "memory.remembered", 0)


def put_next(desk: Desk, previous: Entry, text: str) -> Entry:
    """Write the next version of an entry, with the words of the first; nothing is erased here."""
    entry = previous._replace(text=text, version=previous.version + 1, secret=desk.random(32), at=desk.now)
    return _write(desk, entry, "memory.edited", previous.numbers.entry)


def _write(desk: Desk, entry: Entry, action: str, number: int) -> Entry:
    counts = index_words(entry.text)
    stored = desk.entries.add(
        entry,
        event=desk.head.size,
        words=sum(counts.values()),
        content_words=len(counts),
        number=number,
    )
    told = {
        "entry": entry.id,
        "version": entry.version,
        "commit": record.commit(entry.secret, record.encode(desk.head.origin, record_of(entry))),
        "state": entry.state,
        "tier": entry.tier,
    }
    if action == "memory.remembered":
        told["kind"] = entry.kind
    desk.ledger.append(action, ACTOR, told, entry=stored.numbers.entry)
    if not number:
        desk.words.put(stored.numbers.entry, stored.numbers.place, counts)
    desk.entries.use(stored.numbers.scope, int(not number), stored.numbers.bytes)
    return stored


def edit(desk: Desk, erasure: int, previous: Entry, text: str) -> tuple[Entry, Gone]:
    """Write the next version and erase all before it, as an edit does (L3, L21)."""
    number = previous.numbers.entry
    before = desk.words.take(number)
    new = put_next(desk, previous, text)
    desk.words.put(number, new.numbers.place, index_words(text))
    orphans = desk.words.unused(before)
    gone = desk.erasing.erase_versions(erasure, new, new.version)
    return new, gone.joined(desk.erasing.erase_words(erasure, orphans))


def begin(desk: Desk, action: str = "memory.deleted", about: int = 0) -> int:
    """Begin an erasure."""
    return desk.erasing.begin(action, about, "request", dict(ACTOR))


def tables_with(store: Store, part: bytes) -> set[str]:
    """The tables on SQLite that have these bytes in some column."""
    raw = store.connection()
    tables = [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    return {
        table
        for table in tables
        for row in raw.execute(f'SELECT * FROM "{table}"').fetchall()
        for value in row
        if part in (value if isinstance(value, bytes) else str(value).encode())
    }
