"""The embedded store's file written anew: without the zeros, the free pages and the gaps (L22, ``upkeep --compact``).

Promises that nothing which lives changes, that a kill at any moment leaves the store whole (the log has the new file
until it is complete), and that no gap of any page keeps what stood there. Leaves who may ask to the actions.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from oz0mem.model.erasures import Compacted
from oz0mem.model.errors import Fault
from oz0mem.store import scrubbing
from oz0mem.store.work import attempts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from oz0mem.store.dialects import Sqlite

T = TypeVar("T")

_ZEROS = (("body", "content"), ("body", "vector"), ("word", "content"))
"""Where erased texts left zeros of their length."""


def estimate(raw: Any, path: Path) -> Compacted:
    """About how small the files would be: zeros and free pages are counted, gaps within pages cannot be."""
    pages = _number(raw, "PRAGMA page_count") - _number(raw, "PRAGMA freelist_count")
    zeros = sum(
        _number(raw, f"SELECT coalesce(sum(length({column})), 0) FROM {table} WHERE {_is_zeros(column)}")
        for table, column in _ZEROS
    )
    return Compacted(_size(path), max(0, pages * _number(raw, "PRAGMA page_size") - zeros))


def compact(raw: Any, back: Sqlite, patience: float) -> Compacted:
    """Write the file anew, and cut the log.

    Args:
        raw: a connection without a transaction.
        back: its back end.
        patience: seconds to wait for readers, who keep the log from being cut.

    Raises:
        Fault: ``compact.busy`` where somebody else writes or reads all the while, ``compact.room`` where the disk has
            no room for a second and third copy.
    """
    before = _size(back.path)
    _check_room(raw, back.path)
    # An empty row stays where it is; shrinking it moves none of its neighbours into another page.
    _patiently(back, raw, lambda: _empty(raw))
    with _room(raw, back.path):
        _patiently(back, raw, lambda: raw.execute("VACUUM"))
    if not scrubbing.truncate(raw, back.path, patience):
        raise Fault(
            "compact.busy",
            "somebody reads the store all the while: it was written anew, but its files can be cut only after that",
            hint="oz0mem upkeep --compact once they are gone",
        )
    return Compacted(before, _size(back.path))


def _empty(raw: Any) -> None:
    """Empty the rows that have zeros alone, whosever they were."""
    raw.execute("PRAGMA synchronous=FULL")
    raw.execute("BEGIN IMMEDIATE")
    for table, column in _ZEROS:
        raw.execute(f"UPDATE {table} SET {column} = zeroblob(0) WHERE {_is_zeros(column)}")
    raw.execute("COMMIT")


def _is_zeros(column: str) -> str:
    # A person's key may begin with a zero, so all of it is compared.
    return f"length({column}) > 0 AND {column} = zeroblob(length({column}))"


def _patiently(back: Sqlite, raw: Any, act: Callable[[], T]) -> T:
    """Act, again while others write, for as long as any write waits."""
    for _ in attempts():
        try:
            return act()
        except Exception as error:
            back.rollback(raw)
            if not back.is_busy(error):
                raise back.fault(error) from error
    raise Fault(
        "compact.busy",
        "another process kept the store locked for 30 seconds, so it was not written anew",
        hint="oz0mem upkeep --compact later",
    )


def _check_room(raw: Any, path: Path) -> None:
    """Refuse before anything is written where the disk has no room for what lives, twice: a copy, and the log."""
    pages = _number(raw, "PRAGMA page_count") - _number(raw, "PRAGMA freelist_count")
    wanted = 2 * pages * _number(raw, "PRAGMA page_size")
    free = shutil.disk_usage(path.parent).free
    if free < wanted:
        raise Fault(
            "compact.room",
            f"writing the store anew takes {wanted:,} bytes of disk for a while, of which {free:,} are free",
            hint="make room and try again",
        )


@contextmanager
def _room(raw: Any, path: Path) -> Iterator[None]:
    """Let a large file's copy stand beside it instead of in memory; it has no name there, and only what lives."""
    if path.stat().st_size <= scrubbing.LARGEST:
        yield
        return
    folder = str(path.parent.absolute()).replace("'", "''")
    raw.execute("PRAGMA temp_store=FILE")
    raw.execute(f"PRAGMA temp_store_directory='{folder}'")
    try:
        yield
    finally:
        raw.execute("PRAGMA temp_store_directory=''")
        raw.execute("PRAGMA temp_store=MEMORY")


def _number(raw: Any, statement: str) -> int:
    return int(raw.execute(statement).fetchone()[0])


def _size(path: Path) -> int:
    """Bytes of the store's file and its log."""
    log = path.with_name(path.name + "-wal")
    return sum(file.stat().st_size for file in (path, log) if file.exists())
