"""The schema made and upgraded by migrations; only ``init`` and ``upgrade`` come here (Alembic costs 320 ms).

Promises that a store is made whole or not at all, that a store that is there is never made anew (Q12), and
that what it makes on a disk is for its owner alone (0600). Leaves every later question to ``engine``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from sqlalchemy.pool import StaticPool

from oz0mem.model.errors import Conflict, Fault, Oz0Error
from oz0mem.store import dialects
from oz0mem.store.dialects import Sqlite
from oz0mem.store.engine import SCHEMA, schema_fault
from oz0mem.store.work import attempts

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.store.dialects import Postgres

_TABLES_SQLITE = "SELECT name FROM sqlite_master WHERE type = 'table'"
_TABLES_POSTGRES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


def make(url: str) -> bool:
    """Make the schema where there is none; answers whether it was made now.

    Raises:
        Fault: where the file or database is another program's, or cannot be reached or written.
    """
    back = dialects.dialect(url)
    if isinstance(back, Sqlite) and not back.path.exists():
        try:
            back.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(back.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            if not back.path.exists():
                raise _unmakable(back, "its folder is a file") from None
        except OSError as error:
            raise _unmakable(back, error.strerror or "") from None
    return bool(_bring(back, make=True))


def _unmakable(back: Sqlite, why: str) -> Fault:
    return Fault(
        "store.unreachable",
        f"{back.path} cannot be made: {why}",
        hint="name another place with --store sqlite:///path/to/oz0mem.db",
    )


def upgrade(url: str) -> list[str]:
    """Bring a store to this program's schema; answers the migrations that were run.

    Raises:
        Fault: where there is no store, or a newer one than this program's.
    """
    return _bring(dialects.dialect(url), make=False)


def is_older(url: str) -> bool:
    """Whether a store has an older schema than this program's.

    Raises:
        Fault: as `upgrade`.
    """
    back = dialects.dialect(url)
    raw = back.connect()
    try:
        return _found(back, raw, make=False) < SCHEMA
    except Oz0Error:
        raise
    except Exception as error:
        raise back.fault(error) from None
    finally:
        raw.close()


def _bring(back: Sqlite | Postgres, *, make: bool) -> list[str]:
    raw = back.connect()
    try:
        for _ in attempts():
            try:
                if _found(back, raw, make=make) == SCHEMA:
                    return []
                if isinstance(back, Sqlite):
                    raw.execute("PRAGMA journal_mode=WAL").fetchall()
                return _migrate(back, raw)
            except Oz0Error:
                back.rollback(raw)
                raise
            except Exception as error:
                back.rollback(raw)
                original = getattr(error, "orig", None) or error
                if not back.is_busy(original):
                    raise back.fault(original) from error
        raise back.fault(TimeoutError("another process kept the store locked"))
    finally:
        raw.close()


def _found(back: Sqlite | Postgres, raw: Any, *, make: bool) -> str:
    """The schema that is there, '' where there is nothing yet; another program's tables are left alone (Q12).

    Raises:
        Fault: ``store.foreign`` or ``store.schema``.
    """
    asked = _TABLES_SQLITE if isinstance(back, Sqlite) else _TABLES_POSTGRES
    tables = {row[0] for row in raw.execute(asked).fetchall()}
    ours = {"alembic_version", "tenant", "head", "event"} <= tables
    row = raw.execute("SELECT version_num FROM alembic_version").fetchone() if ours else None
    back.rollback(raw)
    if not ours and (tables or not make):
        where = str(back.path) if isinstance(back, Sqlite) else "that database"
        raise Fault(
            "store.foreign",
            f"{where} holds another program's tables" if tables else f"{where} holds no store of oz0mem",
            hint="name a place of its own with --store" if make else "name the right one with --store",
        )
    found = str(row[0]) if row else ""
    if found > SCHEMA:
        raise schema_fault(found)
    return found


def _migrate(back: Any, raw: Any) -> list[str]:
    url = "sqlite://" if back.name == "sqlite" else "postgresql+psycopg://"
    engine = create_engine(url, creator=lambda: raw, poolclass=StaticPool, pool_reset_on_return=None)
    with engine.connect() as connection:
        back.rollback(raw)
        if back.name == "sqlite":
            raw.execute("BEGIN IMMEDIATE")
        else:
            connection.execute(text("SELECT pg_advisory_xact_lock(20260001)"))
        before = _version(connection)
        if before != SCHEMA:
            _run(connection)
        after = _version(connection)
        back.commit(raw)
    return [] if before == after else [after]


def _run(connection: Any) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, SCHEMA)


def _version(connection: Any) -> str:
    from sqlalchemy import inspect

    if "alembic_version" not in inspect(connection).get_table_names():
        return ""
    row = connection.execute(text("SELECT version_num FROM alembic_version")).fetchone()
    return str(row[0]) if row else ""


def make_tenant(url: str, name: str, origin: str, *, solo: bool, now: int, entropy: Callable[[int], bytes]) -> bool:
    """Register a tenant and its ledger's origin; answers whether it is new."""
    from oz0mem.rules.words import INDEX_VERSION

    back = dialects.dialect(url)
    raw = back.connect()
    try:
        for _ in attempts():
            try:
                back.begin(raw, write=True, durable=True)
                made = _register(back, raw, (name, origin, int(solo), now, INDEX_VERSION), entropy(32))
                back.commit(raw)
            except Oz0Error:
                back.rollback(raw)
                raise
            except Exception as error:
                back.rollback(raw)
                if not back.is_busy(error) and getattr(error, "sqlstate", "") != "23505":
                    raise back.fault(error) from error
            else:
                return made
        raise back.fault(TimeoutError("another process kept the store locked"))
    finally:
        raw.close()


def _register(back: Any, raw: Any, row: tuple[str, str, int, int, int], key: bytes) -> bool:
    name, origin, solo, now, index_version = row
    if raw.execute(back.statement("SELECT 1 FROM tenant WHERE name = ?"), (name,)).fetchone():
        return False
    if raw.execute(back.statement("SELECT 1 FROM head WHERE origin = ?"), (origin,)).fetchone():
        raise Conflict(
            "init.origin_taken",
            f"another tenant of that store has the ledger {origin}, and a ledger's name is one ledger's alone",
            hint="oz0mem init --origin with a name of its own, such as acme.example/oz0mem",
            rule="L1",
        )
    number = raw.execute("SELECT coalesce(max(tenant), 0) + 1 FROM tenant").fetchone()[0]
    raw.execute(back.statement("INSERT INTO tenant (tenant, name) VALUES (?, ?)"), (number, name))
    raw.execute(
        back.statement(
            "INSERT INTO head (tenant, origin, size, edge, next, hash_key, index_version, solo, open_erasures, secrets,"
            " holds, created) VALUES (?, ?, 0, ?, 1, ?, ?, ?, 0, 0, 0, ?)"
        ),
        (number, origin, b"", key, index_version, solo, now),
    )
    return True


def tenants(url: str) -> list[str]:
    """The names of the tenants of a store, in order."""
    back = dialects.dialect(url)
    raw = back.connect()
    try:
        rows = raw.execute("SELECT name FROM tenant ORDER BY tenant").fetchall()
        back.rollback(raw)
        return [row[0] for row in rows]
    finally:
        raw.close()
