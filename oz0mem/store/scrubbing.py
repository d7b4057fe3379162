"""The files of the embedded store after an erasure: the log truncated, the rest searched.

Promises L22: after the rows are overwritten the write-ahead log is cut to nothing, tried for 100 ms at a time
(a waiting checkpoint blocks every writer) and for ten seconds in all; then files up to 64 MiB are searched
for what was erased. Leaves PostgreSQL alone: what it keeps cannot be told from here.
"""

from __future__ import annotations

import io
import sqlite3
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import BinaryIO

    from oz0mem.model.erasures import Gone

LARGEST = 64 * 1024 * 1024
"""Files larger than this many bytes are searched by upkeep, not by each erasure."""

_PATIENCE = 10.0
_WAIT = 100
_CHUNK = 1 << 20
_SHORTEST = 6
_LONGEST = 256
"""Bytes of the longest word or key that is looked for."""


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
    residue. Of a body its version key is looked for: 64 random hex digits that stand nowhere else. Of a name that was
    taken its spelling, its key and its keyed hashes are looked for byte by byte.

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
            found |= _found_in(stream, wanted, frozenset(gone.marks))
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


def _all_live(raw: Any, parts: set[bytes]) -> bool:
    """Whether each of these stands in some row that lives."""
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


def _distinct_parts(bodies: Iterable[bytes]) -> set[bytes]:
    """Of each body its version key where it has one: it stands nowhere else, one run of letters."""
    parts = set()
    for body in bodies:
        at = body.rfind(b'"k":"')
        if at >= 0:
            parts.add(body[at + 5 : at + 69])
    return parts


def _found_in(stream: BinaryIO, wanted: set[bytes], marks: frozenset[bytes] = frozenset()) -> set[bytes]:
    """Those that a file has, read once from end to end.

    Plain words are looked for as whole runs of small letters and digits, which takes as long for many as for
    one; the others and marks, which a page's own bytes may touch, one by one.
    """
    import re

    plain = {part for part in wanted if part.isascii() and part.isalnum()}
    others = wanted - plain | marks
    longest = max(map(len, others), default=1)
    runs, cut = re.compile(rb"[0-9a-z]{6,}"), re.compile(rb"[0-9a-z]*\Z")
    found: set[bytes] = set()
    run = edge = b""
    while chunk := stream.read(_CHUNK):
        found |= {part for part in others if part in edge + chunk}
        edge = (edge + chunk)[-longest:]
        text = run + chunk
        last = cut.search(text, max(0, len(text) - _LONGEST))
        run = last.group() if last else b""
        found |= plain.intersection(runs.findall(text, 0, len(text) - len(run)))
    return found | plain.intersection([run])
