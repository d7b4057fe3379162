"""Q12: the schema as migrations make it, and what is said of any other."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect
from sqlmodel import SQLModel

from oz0mem.model.errors import Fault
from oz0mem.store import agreements, records, schema, tables
from oz0mem.store.engine import SCHEMA
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy.engine import Connection

MODELS = (tables, records, agreements)
"""Imported so that SQLModel knows their tables."""


@pytest.fixture
def connection(made_url: str) -> Iterator[Connection]:
    """A connection of SQLAlchemy's on a store that migrations made."""
    engine = create_engine(made_url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def test_migrations_make_what_the_models_say(connection: Connection) -> None:
    """Q1: Alembic would have nothing to add, to take away or to change."""
    options = {"compare_type": True, "compare_server_default": True}
    context = MigrationContext.configure(connection, opts=options)
    assert compare_metadata(context, SQLModel.metadata) == []


def without_marks(where: object) -> str:
    """A condition without parentheses, of which each back end has its own."""
    return str(where).replace("(", "").replace(")", "")


def test_indexes_cover_the_rows_that_the_models_say(connection: Connection) -> None:
    """Q4: Alembic compares no WHERE of an index, so it is compared here."""
    kind = connection.dialect.name
    seen = inspect(connection)
    wanted: dict[str, str] = {}
    there: dict[str, str] = {}
    for table in SQLModel.metadata.tables.values():
        for index in table.indexes:
            wanted[str(index.name)] = without_marks(index.dialect_options[kind]["where"])
        for each in seen.get_indexes(table.name):
            where = each.get("dialect_options", {}).get(f"{kind}_where")
            there[str(each["name"])] = without_marks(where)
    there = {name: where for name, where in there.items() if name in wanted or where != "None"}
    assert there == wanted
    assert sum(where != "None" for where in wanted.values()) >= 10


def test_the_tenant_leads_every_key_and_index(connection: Connection) -> None:
    """Q5: so that the schema can be distributed by tenant as it stands; the register of names apart."""
    seen = inspect(connection)
    for table in SQLModel.metadata.tables:
        assert seen.get_pk_constraint(table)["constrained_columns"][0] == "tenant", table
        for index in seen.get_indexes(table):
            assert index["column_names"][0] == "tenant" or table == "tenant", index
        assert seen.get_foreign_keys(table) == []


def test_postgresql_keeps_no_statistics_of_content(postgres_store: str) -> None:
    """L22: words would stay in pg_stats after their rows are overwritten."""
    with psycopg.connect(postgres_store) as raw:
        found = raw.execute(
            "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            " WHERE a.attstattarget = 0 AND a.attnum > 0 AND c.relkind = 'r'"
        ).fetchall()
    assert sorted(found) == [("body", "content"), ("body", "vector"), ("word", "content")]


def test_postgresql_compares_text_byte_by_byte(postgres_store: str) -> None:
    """Q14: every column of text is COLLATE "C"."""
    with psycopg.connect(postgres_store) as raw:
        found = raw.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
            " AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'"
        ).fetchall()
    assert found == []


def test_making_a_store_twice_changes_nothing(made_url: str) -> None:
    """Q12: a store that is there is never made anew, and a tenant keeps its ledger."""
    store = desks.open_store(made_url)
    store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    before = store.read(NOW, lambda desk: desk.head)
    assert schema.make(made_url) is False
    assert schema.upgrade(made_url) == []
    assert schema.make_tenant(made_url, "acme", "x/y", solo=False, now=0, entropy=bytes) is False
    assert store.read(NOW, lambda desk: desk.head) == before


def execute(url: str, statement: str) -> None:
    """Run a statement as another program would."""
    raw: Any = sqlite3.connect(desks.path_of(url)) if url.startswith("sqlite") else psycopg.connect(url)
    raw.execute(statement)
    raw.commit()
    raw.close()


@pytest.mark.parametrize(
    ("version", "hint"),
    [("0000", "oz0mem upgrade"), ("0004", "install the newer oz0mem"), ("9999", "install")],
)
def test_another_schema_is_refused(made_url: str, version: str, hint: str) -> None:
    """Q12: an older or newer store is not touched, and the sentence says which it is and what to type."""
    execute(made_url, f"UPDATE alembic_version SET version_num = '{version}'")
    store = desks.open_store(made_url)
    for run in (store.read, store.write, store.govern):
        with pytest.raises(Fault) as caught:
            run(NOW, lambda desk: desk.head)
        assert caught.value.code == "store.schema"
        assert caught.value.hint.startswith(hint)
        assert caught.value.facts == {"found": version, "wanted": SCHEMA}


def test_a_newer_store_is_not_upgraded(made_url: str) -> None:
    """Q12: an older program leaves it alone."""
    execute(made_url, "UPDATE alembic_version SET version_num = '0004'")
    for run in (schema.make, schema.upgrade):
        with pytest.raises(Fault) as caught:
            run(made_url)
        assert caught.value.code == "store.schema"


def test_an_empty_database_is_no_store(store_url: str) -> None:
    """Q12: only ``init`` makes a store; an upgrade and a read make none."""
    if store_url.startswith("sqlite"):
        desks.path_of(store_url).touch()
    for run in (schema.upgrade, lambda url: desks.open_store(url).read(NOW, lambda desk: desk.head)):
        with pytest.raises(Fault) as caught:
            run(store_url)
        assert caught.value.code == "store.foreign"
    if store_url.startswith("sqlite"):
        assert desks.path_of(store_url).stat().st_size == 0
    else:
        with psycopg.connect(store_url) as raw:
            assert raw.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


def test_another_programs_database_is_left_alone(store_url: str) -> None:
    """Q12: neither opened nor filled with our tables, one of Alembic's neither."""
    if store_url.startswith("sqlite"):
        desks.path_of(store_url).touch(mode=0o600)
    execute(store_url, "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    execute(store_url, "INSERT INTO alembic_version VALUES ('ae1027a6acf')")
    execute(store_url, "CREATE TABLE songs (name TEXT)")
    for run in (
        schema.make,
        schema.upgrade,
        lambda url: desks.open_store(url).read(NOW, lambda desk: desk.head),
    ):
        with pytest.raises(Fault) as caught:
            run(store_url)
        assert caught.value.code == "store.foreign"
    engine = create_engine(store_url.replace("postgresql://", "postgresql+psycopg://"))
    assert sorted(inspect(engine).get_table_names()) == ["alembic_version", "songs"]
    engine.dispose()


def test_a_store_of_the_first_schema_is_upgraded_with_all_that_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q12: what an earlier program made is this one's after ``upgrade``."""
    url = f"sqlite:///{tmp_path / 'old.db'}"
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "SCHEMA", "0001")
        schema.make(url)
        schema.make_tenant(url, "acme", "acme.example/oz0mem", solo=True, now=NOW, entropy=os.urandom)
    assert schema.is_older(url)
    assert schema.upgrade(url) == [SCHEMA]
    store = desks.open_store(url)
    entry = store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    assert store.read(NOW, lambda desk: desk.entries.by_id(entry.id)) == entry
