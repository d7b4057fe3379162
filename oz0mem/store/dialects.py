"""The two back ends behind one DB-API: how each connects, begins, and names its faults.

Promises that the same SQL, written with ``?``, runs on SQLite and on PostgreSQL (Q1, Q14); that a write's
first statement takes the tenant's lock (L20); that no fresh empty store is made by opening one (Q12).
Leaves what the statements say to the other modules of this floor.
"""

from __future__ import annotations

import functools
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from oz0mem.model.errors import Fault, Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.model.errors import Oz0Error

Row = tuple[Any, ...]

_OPENING = 30.0
"""Seconds that opening waits where another process opens or closes the file just now (Q11)."""


_CHECK = "oz0mem audit check --contents"


class Busy(Exception):
    """Another writer holds the tenant; the whole transaction is tried again."""


class Sqlite:
    """The embedded store in one file."""

    name = "sqlite"

    def __init__(self, url: str) -> None:
        path = unquote(url.removeprefix("sqlite:///"))
        if not path or path == ":memory:" or "\0" in path:
            raise Invalid(
                "store.url", f"{url!r} names no file", hint="a store on SQLite is sqlite:///path/to/oz0mem.db"
            )
        self.path = Path(path)
        self.url = url

    def connect(self, *, create: bool = False) -> sqlite3.Connection:
        """Open the file; only ``create`` makes one."""
        if not create:
            self._check_there()
        mode = "rwc" if create else "rw"
        raw: sqlite3.Connection | None = None
        try:
            raw = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
                timeout=_OPENING,
                cached_statements=256,
            )
            raw.text_factory = _decoded
            raw.execute("PRAGMA secure_delete=ON").fetchall()
            raw.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
            raw.execute("PRAGMA busy_timeout=0").fetchall()
            raw.execute("PRAGMA temp_store=MEMORY")
            raw.execute("PRAGMA cache_size=-16384")
            raw.execute("PRAGMA trusted_schema=OFF")
        except sqlite3.Error as error:
            if raw is not None:
                raw.close()
            raise self.fault(error) from None
        return raw

    def _check_there(self) -> None:
        try:
            there = self.path.exists()
        except OSError as error:
            raise Fault(
                "store.unreachable",
                f"{self.path} cannot be reached: {error.strerror}",
                hint="check the path in --store and its permissions",
            ) from None
        if not there:
            raise Fault(
                "store.missing",
                f"there is no store at {self.path}",
                hint="oz0mem init makes one; --store names another",
            )

    def begin(self, raw: sqlite3.Connection, *, write: bool, durable: bool) -> None:
        """Begin; a write takes the lock at once (L20), a read none."""
        if write:
            raw.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        raw.execute("BEGIN IMMEDIATE" if write else "BEGIN")

    def commit(self, raw: sqlite3.Connection) -> None:
        """Commit; a busy checkpoint does not undo it."""
        raw.execute("COMMIT")

    def rollback(self, raw: sqlite3.Connection) -> None:
        """Give up what was begun, if anything was."""
        if raw.in_transaction:
            raw.execute("ROLLBACK")

    def statement(self, sql: str) -> str:
        """The statement as this back end reads it."""
        return sql

    def lock(self, sql: str) -> str:
        """The head row's statement as the first of a write."""
        return sql

    def is_busy(self, error: Exception) -> bool:
        """Whether trying the whole transaction again can help."""
        if not isinstance(error, sqlite3.OperationalError):
            return False
        return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def fault(self, error: Exception) -> Oz0Error:
        """The machine's fault as one sentence (Q12)."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        where = self.path
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return Fault(
                "store.foreign",
                f"{where} is no whole SQLite database: it is another file, or a damaged one",
                hint="put a backup in its place, or name another store with --store",
            )
        if code == sqlite3.SQLITE_FULL:
            return Fault(
                "store.full",
                f"the disk of {where} is full; nothing was changed",
                hint="make room and try again",
            )
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
            return Fault(
                "store.readonly",
                f"{where} cannot be written by this user; nothing was changed",
                hint="reads are recorded too, so every command needs write access to the file and its folder",
            )
        if code == sqlite3.SQLITE_CANTOPEN:
            why = "is a folder, not a store" if where.is_dir() else "cannot be opened"
            return Fault("store.unreachable", f"{where} {why}", hint="check the path in --store and its permissions")
        if "no such table" in str(error):
            return Fault(
                "store.foreign",
                f"{where} is not a store of oz0mem",
                hint="name the right one with --store, or: oz0mem init",
            )
        if code == sqlite3.SQLITE_CONSTRAINT:
            return _unfit(is_event=" event." in str(error))
        # The driver's own words name tables and columns, which nobody who uses the program knows.
        return Fault("store.failed", f"the store refused a statement (SQLite error {code})", hint=_CHECK)


class Postgres:
    """A store on a PostgreSQL server."""

    name = "postgresql"

    def __init__(self, url: str) -> None:
        self.url = url.replace("postgresql+psycopg://", "postgresql://", 1)

    def connect(self, *, create: bool = False) -> Any:
        """Connect; the database has to be there, ``create`` or not."""
        del create
        try:
            import psycopg
        except ImportError:
            raise Fault("store.driver", "PostgreSQL needs its driver", hint="pip install 'oz0mem[postgres]'") from None
        try:
            raw = psycopg.connect(self.url, connect_timeout=10, prepare_threshold=3)
        except (psycopg.Error, ValueError, UnicodeError) as error:
            raise self.fault(error) from None
        return raw

    def begin(self, raw: Any, *, write: bool, durable: bool) -> None:
        """Nothing to say: the driver begins with the first statement; reads keep one snapshot."""
        if not write:
            raw.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        elif not durable:
            raw.execute("SET LOCAL synchronous_commit TO off")

    def commit(self, raw: Any) -> None:
        """Commit."""
        raw.commit()

    def rollback(self, raw: Any) -> None:
        """Give up what was begun."""
        if not raw.closed:
            raw.rollback()

    def statement(self, sql: str) -> str:
        """The statement with this driver's placeholders."""
        return _percent(sql)

    def lock(self, sql: str) -> str:
        """The head row's statement, locking it (L20)."""
        return _percent(sql + " FOR UPDATE")

    def is_busy(self, error: Exception) -> bool:
        """Serialization failures and deadlocks are retried whole (Q5)."""
        return getattr(error, "sqlstate", None) in ("40001", "40P01", "55P03")

    def fault(self, error: Exception) -> Oz0Error:
        """The server's fault as one sentence, without what was sent to it (Q12, Q15)."""
        state = getattr(error, "sqlstate", None) or ""
        if state == "42P01":
            return Fault(
                "store.foreign",
                "that database holds no store of oz0mem",
                hint="name the right one with --store, or: oz0mem init",
            )
        if state == "53100":
            return Fault("store.full", "the server's disk is full; nothing was changed", hint="make room and try again")
        if state in ("25006", "42501"):
            return Fault("store.readonly", "the server lets this user change nothing", hint="reads are recorded too")
        if not state or state.startswith(("08", "28", "3D", "57")):
            return Fault(
                "store.unreachable",
                f"the PostgreSQL server did not let us in: {_first_line(error)}",
                hint="check host, port, user, password and database in --store postgresql://…",
            )
        if state.startswith("23"):
            return _unfit(is_event=getattr(getattr(error, "diag", None), "table_name", None) == "event")
        return Fault("store.failed", f"the server refused a statement (SQLSTATE {state})", hint=_CHECK)


def dialect(url: str) -> Sqlite | Postgres:
    """The back end that a URL names.

    Raises:
        Invalid: ``store.url`` where it names neither SQLite nor PostgreSQL.
    """
    if url.startswith("sqlite:///"):
        return Sqlite(url)
    if url.startswith(("postgresql://", "postgresql+psycopg://", "postgres://")):
        return Postgres(url.replace("postgres://", "postgresql://", 1))
    raise Invalid(
        "store.url",
        "a store is named by a URL of SQLite or PostgreSQL",
        hint="--store sqlite:///path/to/oz0mem.db or --store postgresql://user@host/database",
    )


@functools.cache
def _percent(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


def _unfit(*, is_event: bool) -> Fault:
    """What is told where a row does not go beside those that are there: somebody changed them by hand (Q12)."""
    if is_event:
        return Fault(
            "store.head", "the store's ledger head is not that of its events; nothing was changed", hint=_CHECK
        )
    return Fault("store.failed", "a row does not fit those that the store has; nothing was changed", hint=_CHECK)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0][:200]


def _decoded(raw: bytes) -> str:
    """A text of SQLite's; what is not UTF-8 is no fault, whose words would be the text itself (Q15)."""
    return raw.decode("utf-8", "surrogateescape")


def as_bytes(value: str | bytes) -> bytes:
    """What is kept as bytes, also where somebody's SQL has left text in its place; L7 judges it then."""
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)


def is_plain(text: str) -> bool:
    """Whether a text can be an id or a tenant's name at all: NUL and halves of characters cannot even be asked for."""
    return text.isascii() and text.isprintable()


def placeholders(values: Sequence[object]) -> str:
    """``?, ?, ?`` for so many values, a few hundred at a time; for none NULL, which nothing equals."""
    return ", ".join("?" * len(values)) or "NULL"
