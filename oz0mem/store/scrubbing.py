"""The files of the embedded store after an erasure: the log truncated, the rest searched.

Promises L22: after the rows are overwritten the write-ahead log is cut to nothing, tried for 100 ms at a time
(a waiting checkpoint blocks every writer) and for ten seconds in all; then files up to 64 MiB are searched
for what was erased (how, ``searching`` knows). Leaves PostgreSQL alone: what it keeps cannot be told from here.
"""

from __future__ import annotations

import io
import sqlite3
import time
from typing import TYPE_CHECKING, Any

from oz0mem.store import searching
from oz0mem.store.dialects import placeholders

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import BinaryIO

    from oz0mem.model.erasures import Gone

LARGEST = 64 * 1024 * 1024
"""Files larger than this many bytes are not searched; ``upkeep --compact`` writes them anew, gaps and all."""

_PATIENCE = 10.0
_WAIT = 100
_SHORTEST = 6
_MANY = 400
_HASHES = {
    "word_hash": ("hash",),
    "version": ("same_hash", "key_hash"),
    "name": ("hash", "fold"),
    "call": ("hash",),
    "bookmark": ("hash",),
}
"""Where a keyed hash may stand that somebody needs."""


def truncate(raw: Any, path: Path, patience: float = _PATIENCE) -> bool:
    """Cut the write-ahead log to nothing; answers whether that was reached.

    Args:
        raw: a connection without a transaction.
        path: the store's file.
        patience: seconds to try.
    """
    log = path.with_name(path.name + "-wal")
    until = time.monotonic() + patience
    raw.execute(f"PRAGMA busy_timeout={_WAIT}").fetchall()
    try:
        while True:
            busy = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            # Not busy: the log was cut just then. What others wrote since is theirs, and may be there already.
            if not busy or not log.exists() or log.stat().st_size == 0:
                return True
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
    finally:
        raw.execute("PRAGMA busy_timeout=0").fetchall()


def residue(raw: Any, path: Path, gone: Gone) -> str:
    """Whether anything erased still stands in the files: ``none-found``, ``found`` or ``not-checked``.

    What a living row has too (another tenant's text, an agent's name, a word of the ledger's own) is not
    residue. Of a body its version key is looked for: 64 random hex digits that stand nowhere else. The spelling and key
    of a name that was taken, and keyed hashes of names, words, texts and keys, are looked for byte by byte.

    Args:
        raw: a connection without a transaction.
        path: the store's file.
        gone: what was overwritten.
    """
    streams = _opened(raw, path)
    if not streams:
        return "not-checked"
    wanted = {word for word in gone.words if len(word) >= _SHORTEST} | _distinct_parts(gone.bodies)
    found: set[bytes] = set()
    for stream in streams:
        with stream:
            found |= searching.found_in(stream, wanted, gone.marks)
    return "none-found" if _all_live(raw, found) else "found"


def _opened(raw: Any, path: Path) -> list[BinaryIO]:
    """The store's bytes and its log's, to be read; [] where they are too large or cannot be had.

    SQLite itself reads out the store: whoever opens that file beside it, or its index of the log, and closes
    it again, drops every lock that the process has on it (POSIX), and the next process to close the store
    destroys it. Pages come as they stand on the disk, gaps and free ones too; the index has no content.
    """
    log = path.with_name(path.name + "-wal")
    if max(file.stat().st_size for file in (path, log) if file.exists()) > LARGEST:
        return []
    try:
        pages: bytes = raw.serialize()
    except (sqlite3.Error, AttributeError, MemoryError):
        return []
    return [io.BytesIO(pages), *([log.open("rb")] if log.exists() else [])]


def _all_live(raw: Any, found: set[bytes]) -> bool:
    """Whether each of these stands in some row that lives."""
    parts = found - _living_hashes(raw, found)
    if not parts:
        return True
    columns = raw.execute(
        "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p"
        " WHERE m.type = 'table' AND p.type IN ('TEXT', 'BLOB')"
    ).fetchall()
    return all(
        any(
            raw.execute(f'SELECT 1 FROM "{table}" WHERE instr(CAST("{column}" AS BLOB), ?) LIMIT 1', (part,)).fetchone()
            for table, column in [("sqlite_master", "sql"), *columns]
        )
        for part in parts
    )


def _living_hashes(raw: Any, parts: set[bytes]) -> set[bytes]:
    """Those of the parts that are the hash of something which lives: another entry's key, a word used again since."""
    numbers = {int.from_bytes(part, "big", signed=True): part for part in parts if len(part) in (6, 8)}
    wanted = list(numbers)
    living: set[bytes] = set()
    for start in range(0, len(wanted), _MANY):
        some = wanted[start : start + _MANY]
        for table, columns in _HASHES.items():
            for column in columns:
                sql = f"SELECT DISTINCT {column} FROM {table} WHERE {column} IN ({placeholders(some)})"
                living.update(numbers[row[0]] for row in raw.execute(sql, some).fetchall())
    return living


def _distinct_parts(bodies: Iterable[bytes]) -> set[bytes]:
    """Of each body its version key where it has one: it stands nowhere else, one run of letters."""
    parts = set()
    for body in bodies:
        at = body.rfind(b'"k":"')
        if at >= 0:
            parts.add(body[at + 5 : at + 69])
    return parts
