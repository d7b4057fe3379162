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

from oz0mem.model.errors import Oz0Error
from oz0mem.store import dialects
from oz0mem.store.dialects import Sqlite
from oz0mem.store.engine import SCHEMA
from oz0mem.store.work import attempts

if TYPE_CHECKING:
    from collections.abc import Callable


def make(url: str) -> bool:
    """Make the schema where there is none; answers whether it was made now.

    Raises:
        Oz0Error: where the file is another's, or the server does not let us in.
    """
    back = dialects.dialect(url)
    if isinstance(back, Sqlite):
        back.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not back.path.exists():
            os.close(os.open(back.path, os.O_CREAT | os.O_RDWR, 0o600))
    return bool(upgrade(url))


def upgrade(url: str) -> list[str]:
    """Bring a store to this program's schema; answers the migrations that were run."""
    back = dialects.dialect(url)
    raw = back.connect()
    try:
        if isinstance(back, Sqlite):
            _to_wal(back, raw)
        for _ in attempts():
            try:
                return _migrate(back, raw)
            except Oz0Error:
                raise
            except Exception as error:
                back.rollback(raw)
                original = getattr(error, "orig", None) or error
                if not back.is_busy(original):
                    raise back.fault(original) from error
        raise back.fault(TimeoutError("another process kept the store locked"))
    finally:
        raw.close()


def _to_wal(back: Sqlite, raw: Any) -> None:
    for _ in attempts():
        try:
            raw.execute("PRAGMA journal_mode=WAL").fetchall()
        except Exception as error:
            if not back.is_busy(error):
                raise back.fault(error) from None
        else:
            return


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
    command.upgrade(config, "head")


def _version(connection: Any) -> str:
    from sqlalchemy import inspect

    if "alembic_version" not in inspect(connection).get_table_names():
        return ""
    row = connection.execute(text("SELECT version_num FROM alembic_version")).fetchone()
    return str(row[0]) if row else ""


def make_tenant(
    url: str, name: str, origin: str, *, solo: bool, now: int, entropy: Callable[[int], bytes]
) -> bool:
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
