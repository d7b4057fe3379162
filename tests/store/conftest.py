"""Stores for the contract suite: two tenants on each back end, made once and copied for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oz0mem.store.engine import Store
from tests.conftest import Databases
from tests.store import desks


@pytest.fixture(scope="session")
def sqlite_pattern(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The store on SQLite that others are copies of."""
    url = f"sqlite:///{tmp_path_factory.mktemp('pattern') / 'store.db'}"
    desks.make(url)
    return url


@pytest.fixture(scope="session")
def postgres_pattern(databases: Databases) -> Iterator[str]:
    """The store on PostgreSQL that others are copies of."""
    url = databases.create()
    desks.make(url)
    yield url
    databases.drop(url)


@pytest.fixture
def sqlite_store(sqlite_pattern: str, tmp_path: Path) -> str:
    """The URL of a store with two tenants on SQLite."""
    return desks.copy_file(sqlite_pattern, tmp_path / "oz0mem.db")


@pytest.fixture
def postgres_store(postgres_pattern: str, databases: Databases) -> Iterator[str]:
    """The URL of a store with two tenants on PostgreSQL."""
    url = databases.create(postgres_pattern)
    yield url
    databases.drop(url)


@pytest.fixture(params=["sqlite", "postgres"])
def made_url(request: pytest.FixtureRequest) -> str:
    """Q14: the URL of a store with two tenants, once on each back end."""
    return str(request.getfixturevalue(f"{request.param}_store"))


@pytest.fixture
def store(made_url: str) -> Store:
    """The store seen as acme."""
    return desks.open_store(made_url)


@pytest.fixture
def other(made_url: str) -> Store:
    """The same store seen as globex."""
    return desks.open_store(made_url, "globex")


@pytest.fixture(autouse=True)
def closing() -> Iterator[None]:
    """Close the stores that the test opened."""
    yield
    while desks.OPENED:
        desks.OPENED.pop().close()
