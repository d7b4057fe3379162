"""One transaction on one tenant: the lock, the numbers it gives out, and the ledger's new leaves.

Promises L1 (an event and its change commit together), L20 (the head row is locked by the first statement of
every writing transaction; a busy store is tried again whole, every 0.5 to 3 ms, for 30 s) and that a number
given out comes from the head row, never from a sequence. Leaves the meaning of a change to the actions.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from oz0mem.model.errors import Fault, NotFound, Oz0Error
from oz0mem.model.told import Head
from oz0mem.store.dialects import Busy, Postgres, Sqlite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from oz0mem.store.dialects import Row

T = TypeVar("T")

PATIENCE = 30.0
"""Seconds that a busy store is tried again before the command gives up."""

_HEAD = (
    "SELECT origin, size, edge, next, hash_key, index_version, solo, open_erasures, secrets, holds"
    " FROM head WHERE tenant = ?"
)


class Work:
    """Statements and numbers of one transaction; every statement names the tenant.

    Args:
        raw: the DB-API connection.
        back: its back end.
        tenant: number of the tenant.
        now: microseconds UTC; the moment of everything that this transaction writes.
        entropy: gives that many random bytes.
    """

    def __init__(
        self, raw: Any, back: Sqlite | Postgres, tenant: int, now: int, entropy: Callable[[int], bytes]
    ) -> None:
        self.raw = raw
        self.back = back
        self.tenant = tenant
        self.now = now
        self.entropy = entropy
        self.head: Head = Head("", 0, b"", 1, b"", 0, 0, 0, 0, 0)
        self.session: Any = None
        self.names: dict[tuple[int, str], int] = {}
        self.texts: dict[int, str] = {}
        self.subject_keys: dict[int, bytes] = {}
        self.places: dict[tuple[int, int, int], int] = {}
        self._changed = False

    def open(self, *, write: bool) -> None:
        """Read the head row, and lock it for a write (L20).

        Raises:
            NotFound: ``tenant.unknown`` where the tenant has no head.
        """
        sql = self.back.lock(_HEAD) if write else self.back.statement(_HEAD)
        row = self.raw.execute(sql, (self.tenant,)).fetchone()
        if row is None:
            raise NotFound(
                "tenant.unknown",
                "that tenant is not in this store",
                hint="oz0mem init --tenant NAME --admin NAME",
            )
        self.head = Head(*row)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """All rows of a statement."""
        return self.raw.execute(self.back.statement(sql), values).fetchall()  # type: ignore[no-any-return]  # DB-API

    def row(self, sql: str, values: Sequence[object] = ()) -> Row | None:
        """The first row of a statement, or None."""
        return self.raw.execute(self.back.statement(sql), values).fetchone()  # type: ignore[no-any-return]  # DB-API

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """Run a statement; answers how many rows it touched."""
        return self.raw.execute(self.back.statement(sql), values).rowcount  # type: ignore[no-any-return]  # DB-API

    def run_each(self, sql: str, values: Iterable[Sequence[object]]) -> None:
        """Run one statement for many rows."""
        batch = list(values)
        if batch:
            self.raw.cursor().executemany(self.back.statement(sql), batch)

    def number(self) -> int:
        """The next number of the tenant; numbers only grow, so what is keyed by one is appended (L22)."""
        given = self.head.next
        self.head = self.head._replace(next=given + 1)
        self._changed = True
        return given

    def change(self, **columns: int) -> None:
        """Change columns of the head row; written at the commit."""
        self.head = self.head._replace(**columns)  # type: ignore[arg-type]  # all of them are integers
        self._changed = True

    def save(self) -> None:
        """Write what the transaction gathered: SQLModel's rows, and the head row."""
        if self.session is not None:
            self.session.flush()
        if not self._changed:
            return
        head = self.head
        self.run(
            "UPDATE head SET size = ?, edge = ?, next = ?, index_version = ?, open_erasures = ?, secrets = ?, holds = ?"
            " WHERE tenant = ?",
            (
                head.size,
                head.edge,
                head.next,
                head.index_version,
                head.open_erasures,
                head.secrets,
                head.holds,
                self.tenant,
            ),
        )
        self._changed = False


def attempts() -> Iterator[int]:
    """Count tries until patience ends, resting 0.5 to 3 ms between two, unevenly so that processes part ways."""
    until = time.monotonic() + PATIENCE
    tries = 0
    while True:
        yield tries
        tries += 1
        if time.monotonic() > until:
            return
        time.sleep(0.0005 + (time.perf_counter_ns() // 61 % 2500) / 1_000_000)


def transact(
    raw: Any,
    back: Sqlite | Postgres,
    make: Callable[[], Work],
    act: Callable[[Work], T],
    *,
    write: bool,
    durable: bool,
    undo: Callable[[], None] = lambda: None,
) -> T:
    """Run ``act`` in one transaction, whole again where the store was busy (L20, Q5).

    Args:
        raw: the connection.
        back: its back end.
        make: a fresh ``Work`` for each try.
        act: the deed; it must do nothing that cannot be done again.
        write: take the tenant's lock first.
        durable: wait until the disk has it.
        undo: what else has to forget a try that failed, before the store does.

    Raises:
        Oz0Error: what ``act`` refuses, or the store's fault as a sentence; nothing is kept then.
    """
    for _ in attempts():
        try:
            back.begin(raw, write=write, durable=durable)
            work = make()
            work.open(write=write)
            answer = act(work)
            if write:
                work.save()
            back.commit(raw)
        except Busy:
            _undo(back, raw, undo)
        except BaseException as error:
            _undo(back, raw, undo)
            # SQLAlchemy wraps what the driver said while governance is written.
            if isinstance(error, Oz0Error) or not isinstance(error, Exception):
                raise
            if not back.is_busy(getattr(error, "orig", None) or error):
                raise _named(back, error) from error
        else:
            return answer
    raise Fault(
        "store.busy",
        "another process kept the store locked for 30 seconds; nothing was changed",
        hint="try again",
    )


def _undo(back: Sqlite | Postgres, raw: Any, undo: Callable[[], None]) -> None:
    """Give up a try; a connection that broke has nothing left to give up."""
    with suppress(Exception):
        undo()
    with suppress(Exception):
        back.rollback(raw)


def _named(back: Sqlite | Postgres, error: Exception) -> Exception:
    """A driver's error as a sentence; a fault of ours stays what it is."""
    if type(error).__module__.partition(".")[0] in ("sqlite3", "psycopg"):
        return back.fault(error)
    original = getattr(error, "orig", None)
    return back.fault(original) if original is not None else error
