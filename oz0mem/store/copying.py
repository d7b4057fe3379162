"""A tenant copied into a store of its own, to be damaged there (``doctor --prove``).

Promises that the store that is there is only read: in one snapshot, a few rows at a time, on the connection that it is
read by anyway, from either back end; that the copy stands in a file without a name, in a folder for its owner alone,
and ends with the process, even one that is killed; that each damage is taken back before the next. Leaves what is
damaged to ``damage``.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlmodel import SQLModel

from oz0mem.model.errors import Fault
from oz0mem.store import agreements, damage, records, schema, tables
from oz0mem.store.dialects import Sqlite, as_bytes, placeholders
from oz0mem.store.engine import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oz0mem.store.dialects import Row
    from oz0mem.store.work import Work

_CHUNK = 1_000
_LOOK = "look"
_LISTED = (tables, records, agreements)
"""Whose import makes SQLModel's list of the tables that a tenant's rows stand in."""


@contextmanager
def copied(store: Store, now: int) -> Iterator[Copy]:
    """A copy of a store's tenant, for as long as it is used.

    Args:
        store: what is copied; only read.
        now: microseconds UTC.

    Raises:
        Fault: ``prove.folder`` where no folder can be made; else as a store that cannot be read or written.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix="oz0mem-prove-")
    except OSError as error:
        raise Fault(
            "prove.folder",
            f"no folder for a copy can be made: {error.strerror}",
            hint="name one with room in TMPDIR",
        ) from None
    with folder as name:
        url = f"sqlite:///{quote(name)}/copy.db"
        schema.make(url)
        copy = Copy(url, store)
        try:
            store.read(now, lambda desk: copy.fill(desk.work))
            yield copy
        finally:
            copy.store.close()


class Copy:
    """A copy of one tenant, on SQLite whatever it was copied from; reading its store sees the damage of the moment."""

    damages = tuple(each.name for each in damage.DAMAGES)

    def __init__(self, url: str, of: Store) -> None:
        # What was signed for the one has to hold for the other.
        self.store = Store(url, of.tenant, of.entropy, place=of.place)
        self.store.back = _Inside(url)

    def fill(self, work: Work) -> None:
        """Copy a tenant's rows, table by table; where the reading was begun anew, so is this."""
        raw = self.store.connection()
        # Nothing here has to outlive the process.
        for pragma in ("journal_mode=MEMORY", "synchronous=OFF"):
            raw.execute(f"PRAGMA {pragma}").fetchall()
        self._hide(raw)
        raw.execute("BEGIN")
        try:
            for table in SQLModel.metadata.sorted_tables:
                columns, keys = ([column.name for column in part] for part in (table.columns, table.primary_key))
                insert = f'INSERT INTO "{table.name}" VALUES ({placeholders(columns)})'
                for rows in _read(work, table.name, columns, keys):
                    self._put(raw, insert, rows)
            damage.unguard(raw)
            raw.execute("COMMIT")
        finally:
            if raw.in_transaction:
                raw.execute("ROLLBACK")

    def _hide(self, raw: sqlite3.Connection) -> None:
        """Take the file's name away before anything is in it: it ends with the process, even one that is killed."""
        raw.execute("SELECT count(*) FROM head").fetchall()
        assert isinstance(self.store.back, Sqlite)  # every copy is
        path = self.store.back.path
        # Reading begun anew finds it gone already; Windows keeps the name of an open file.
        if os.name == "posix" and path.exists():
            path.unlink()

    def _put(self, raw: sqlite3.Connection, insert: str, rows: list[Row]) -> None:
        """Write rows; what goes wrong is the copy's, not the fault of what is copied."""
        try:
            raw.executemany(insert, ([_storable(value) for value in row] for row in rows))
        except sqlite3.Error as error:
            raise self.store.back.fault(error) from None

    @contextmanager
    def damaged(self, name: str) -> Iterator[bool]:
        """Damage the copy for a while; answers False where there is nothing of that kind to damage.

        Args:
            name: one of ``damages``.
        """
        raw = self.store.connection()
        raw.execute("BEGIN")
        try:
            yield self.store.read(0, lambda desk: damage.do(desk.work, name))
        finally:
            raw.execute("ROLLBACK")


class _Inside(Sqlite):
    """SQLite, where a reader's transaction stands inside the one that holds the damage."""

    def begin(self, raw: sqlite3.Connection, *, write: bool, durable: bool) -> None:
        """Begin; nothing else reads or writes a copy."""
        del write, durable
        raw.execute(f"SAVEPOINT {_LOOK}")

    def commit(self, raw: sqlite3.Connection) -> None:
        """End what was begun."""
        raw.execute(f"RELEASE {_LOOK}")

    def rollback(self, raw: sqlite3.Connection) -> None:
        """Give up what was begun, if anything was."""
        if raw.in_transaction:
            raw.execute(f"ROLLBACK TO {_LOOK}")
            raw.execute(f"RELEASE {_LOOK}")


def _read(work: Work, table: str, columns: list[str], keys: list[str]) -> Iterator[list[Row]]:
    """A tenant's rows of one table, in the order of its key, a few at a time."""
    shown = ", ".join(f'"{column}"' for column in columns)
    later = [key for key in keys if key != "tenant"]
    order = ", ".join(f'"{key}"' for key in later) or "tenant"
    select = f'SELECT {shown} FROM "{table}" WHERE tenant = ?'
    rows = work.rows(f"{select} ORDER BY {order} LIMIT {_CHUNK}", (work.tenant,))
    while rows:
        yield rows
        if len(rows) < _CHUNK:
            return
        last = [rows[-1][columns.index(key)] for key in later]
        beyond = f"({order}) > ({placeholders(later)})"
        rows = work.rows(f"{select} AND {beyond} ORDER BY {order} LIMIT {_CHUNK}", (work.tenant, *last))


def _storable(value: object) -> object:
    """A value as SQLite takes it: a text that was no UTF-8 goes in as its bytes."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return as_bytes(value)
    return value
