"""The files of the embedded store after an erasure: the log truncated, the rest searched.

Promises L22: after the rows are overwritten the write-ahead log is cut to nothing, tried for 100 ms at a time
(a waiting checkpoint blocks every writer) and for ten seconds in all; then files up to 64 MiB are searched
for what was erased. Leaves PostgreSQL alone: what it keeps cannot be told from here.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from oz0mem.model.erasures import Gone

LARGEST = 64 * 1024 * 1024
"""Files larger than this many bytes are searched by upkeep, not by each erasure."""

_PATIENCE = 10.0
_WAIT = 100
_CHUNK = 1 << 20
_LONGEST = 1 << 14
_DIRECT = 16


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
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            if not log.exists() or log.stat().st_size == 0:
                return True
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
    finally:
        raw.execute("PRAGMA busy_timeout=0").fetchall()


def residue(path: Path, gone: Gone) -> str:
    """Whether anything erased still stands in the store's files: ``none-found``, ``found`` or ``not-checked``.

    A text or word that an entry still has elsewhere is not residue: words are given here only where nothing
    has them any more, and of a body its version key, 64 random hex digits, is looked for as well.
    """
    files = [file for file in path.parent.glob(path.name + "*") if file.is_file()]
    if any(file.stat().st_size > LARGEST for file in files):
        return "not-checked"
    wanted = {word for word in gone.words if len(word) >= 6}
    direct = _distinct_parts(gone.bodies)
    return "found" if any(_holds(file, wanted, direct) for file in files) else "none-found"


def _distinct_parts(bodies: Iterable[bytes]) -> set[bytes]:
    """Of each body its version key where it has one: it stands nowhere else, and is found as one run of letters."""
    parts = set()
    for body in bodies:
        at = body.rfind(b'"k":"')
        if at >= 0:
            parts.add(body[at + 5 : at + 69])
    return parts


def _holds(file: Path, words: set[bytes], keys: set[bytes]) -> bool:
    """Whether a file has one of these as a whole run of letters and digits, read once from end to end."""
    import re

    runs = re.compile(rb"[0-9A-Za-z\x80-\xff]{6,}")
    wanted = words | keys
    if not wanted:
        return False
    with file.open("rb") as stream:
        carried = b""
        while chunk := stream.read(_CHUNK):
            text = carried + chunk
            if not wanted.isdisjoint(runs.findall(text)):
                return True
            carried = text[-_LONGEST // 64 :]
    return False
