"""The store: opened once, asked in transactions, on SQLite or PostgreSQL.

Promises that opening makes nothing and takes no write lock (Q11, Q12), that the schema is checked by one cheap
query, that nothing is appended to an older copy of what was signed here (L14), and that each thread has a
connection of its own (D1). Leaves making the schema to ``schema``.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from oz0mem.model.errors import Fault, NotFound
from oz0mem.store import dialects
from oz0mem.store.desk import Desk
from oz0mem.store.dialects import Sqlite
from oz0mem.store.work import Work, transact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oz0mem.model.erasures import Compacted, Gone
    from oz0mem.model.heads import Pin

T = TypeVar("T")

SCHEMA = "0003"
"""The migration that this program reads and writes."""


def schema_fault(found: str) -> Fault:
    """What is told of a store whose schema is not this program's (Q12)."""
    if found and not (len(found) == len(SCHEMA) and found.isdecimal()):
        return Fault(
            "store.foreign",
            "that database is kept by another program's migrations",
            hint="name the right one with --store",
        )
    return Fault(
        "store.schema",
        f"the store has schema {found or 'none'}, this program {SCHEMA}",
        hint="install the newer oz0mem" if found > SCHEMA else "oz0mem upgrade",
        found=found,
        wanted=SCHEMA,
    )


class Store:
    """A store of one or more tenants, seen as one of them.

    Args:
        url: ``sqlite:///path`` or ``postgresql://…``.
        tenant: name of the tenant; '' before ``init``.
        entropy: gives that many random bytes.
        pins: gives the heads of a ledger that were signed on this machine, by its origin (L14).
        place: the store's name among them.
        kept: where these are, for people.
    """

    def __init__(
        self,
        url: str,
        tenant: str,
        entropy: Callable[[int], bytes],
        *,
        pins: Callable[[str], Sequence[Pin]] | None = None,
        place: str = "",
        kept: str = "signed.json",
    ) -> None:
        self.back = dialects.dialect(url)
        self.url = url
        self.tenant = tenant
        self.entropy = entropy
        self.pins = pins
        self.place = place
        self.kept = kept
        self._local = threading.local()
        self._number = 0
        self._is_guarded = pins is None

    def read(self, now: int, act: Callable[[Desk], T], *, recheck: bool = False) -> T:
        """Run ``act`` on one snapshot, without a lock; with ``recheck`` never on an older copy (L14)."""
        return self._transact(now, act, write=False, durable=False, recheck=recheck)

    def write(self, now: int, act: Callable[[Desk], T], *, recheck: bool = False) -> T:
        """Run ``act`` under the tenant's lock; it is on the disk when this returns.

        With ``recheck`` the ledger is compared with what was signed here, though it was before (L14).
        """
        return self._transact(now, act, write=True, durable=True, recheck=recheck)

    def record(self, now: int, act: Callable[[Desk], T]) -> T:
        """Run ``act`` under the tenant's lock without waiting for the disk: what was shown, never a change (L14)."""
        return self._transact(now, act, write=True, durable=False)

    def govern(self, now: int, act: Callable[[Desk], T]) -> T:
        """Run ``act`` as ``write`` does, with a SQLModel session on the same connection for governance (Q1)."""
        from oz0mem.store.governance import session_on

        raw = self.connection()

        with session_on(self.back, raw) as session:

            def make() -> Work:
                work = Work(raw, self.back, self._tenant_number(raw), now, self.entropy)
                session.expunge_all()
                work.session = session
                return work

            return transact(
                raw,
                self.back,
                make,
                lambda work: act(self._desk(work, write=True)),
                write=True,
                durable=True,
                undo=session.rollback,
            )

    def _transact(self, now: int, act: Callable[[Desk], T], *, write: bool, durable: bool, recheck: bool = False) -> T:
        raw = self.connection()

        def make() -> Work:
            return Work(raw, self.back, self._tenant_number(raw), now, self.entropy)

        def deed(work: Work) -> T:
            return act(self._desk(work, write=write, recheck=recheck))

        answer = transact(raw, self.back, make, deed, write=write, durable=durable)
        self._is_guarded = self._is_guarded or write
        return answer

    def _desk(self, work: Work, *, write: bool, recheck: bool = False) -> Desk:
        """One transaction's desk; before the first write, the ledger against what was signed here (L14)."""
        if self.pins is not None and (recheck or (write and not self._is_guarded)):
            pins = self.pins(work.head.origin)
            if pins:
                from oz0mem.store import guard

                guard.check(work, pins, self.place, self.kept)
        return Desk(work)

    def connection(self) -> Any:
        """This thread's connection, its schema checked."""
        raw = getattr(self._local, "raw", None)
        # A server that was restarted has closed it; SQLite's has no such mark.
        if raw is None or getattr(raw, "closed", False):
            raw = self.back.connect()
            try:
                self._check(raw)
            except BaseException:
                raw.close()
                raise
            self._local.raw = raw
        return raw

    def _check(self, raw: Any) -> None:
        """The one cheap query at start: is this a store, and of this program's schema (Q12)."""
        try:
            row = raw.execute("SELECT version_num FROM alembic_version").fetchone()
            self.back.rollback(raw)
        except Exception as error:
            self.back.rollback(raw)
            raise self.back.fault(error) from None
        found = row[0] if row else ""
        if found != SCHEMA:
            raise schema_fault(found)

    def _tenant_number(self, raw: Any) -> int:
        if not self._number:
            sql = self.back.statement("SELECT tenant FROM tenant WHERE name = ?")
            row = raw.execute(sql, (self.tenant,)).fetchone() if dialects.is_plain(self.tenant) else None
            if row is None:
                raise NotFound(
                    "tenant.unknown",
                    "this store has no tenant of that name" if self.tenant else "no tenant was named",
                    hint="oz0mem init --tenant NAME --admin NAME makes one; --tenant names another",
                )
            self._number = int(row[0])
        return self._number

    def scrub(self, gone: Gone | None, *, patience: float = 10.0) -> str:
        """Clean the files after an erasure (L22).

        Args:
            gone: what was overwritten; None where a crash took that knowledge with it.
            patience: seconds to try.

        Returns:
            ``none-found``, ``found`` or ``not-checked``; '' where somebody who reads all the while kept the
            log from being cut, so that the erasure stays open.
        """
        if not isinstance(self.back, Sqlite):
            return "not-checked"
        from oz0mem.store import scrubbing

        raw = self.connection()
        if not scrubbing.truncate(raw, self.back.path, patience):
            return ""
        if gone is None:
            return "not-checked"
        found = scrubbing.residue(raw, self.back.path, gone)
        if found == "found":
            try:
                raw.execute("VACUUM")
            except Exception as error:
                if self.back.is_busy(error):
                    return ""
                raise self.back.fault(error) from error
            if not scrubbing.truncate(raw, self.back.path, patience):
                return ""
            found = scrubbing.residue(raw, self.back.path, gone)
        return found

    @property
    def embedded(self) -> bool:
        """Whether the store is a file of ours, not a server's."""
        return isinstance(self.back, Sqlite)

    def compact(self, *, dry_run: bool = False, patience: float = 10.0) -> Compacted | None:
        """Write the embedded store's file anew, all tenants' alike (L22); None on a server.

        Args:
            dry_run: only tell how small it would be, about.
            patience: seconds to wait for readers.
        """
        if not isinstance(self.back, Sqlite):
            return None
        from oz0mem.store import compacting

        if dry_run:
            return compacting.estimate(self.connection(), self.back.path)
        return compacting.compact(self.connection(), self.back, patience)

    def clear_gaps(self) -> None:
        """Write a small file anew where nobody knows what its gaps keep; a large one has to be asked for (L22)."""
        from oz0mem.store.scrubbing import LARGEST

        if isinstance(self.back, Sqlite) and self.back.path.stat().st_size <= LARGEST:
            self.compact()

    def __del__(self) -> None:
        # SQLite's connection and its statements hold each other: without this it waits for the collector, and
        # the log for the connection.
        with suppress(Exception):
            self.close()

    def close(self) -> None:
        """Close this thread's connection."""
        raw = getattr(self._local, "raw", None)
        if raw is not None:
            self._local.raw = None
            raw.close()
