"""Worlds for the tests of actions: on both back ends, and on SQLite alone where the back end says nothing."""

from __future__ import annotations

import os
import shutil
from copy import copy
from pathlib import Path

import pytest

from oz0mem.store.engine import Store
from tests.actions.evidence import run_sql
from tests.actions.filled import Told, fill
from tests.actions.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A tenant on SQLite with the concierge declared."""
    made = World(f"sqlite:///{tmp_path / 'store.db'}")
    made.declare()
    return made


@pytest.fixture
def each_world(store_url: str) -> World:
    """The same tenant, once on each back end (Q14)."""
    made = World(store_url)
    made.declare()
    return made


@pytest.fixture
def proven(store_url: str, tmp_path: Path) -> World:
    """The same tenant on each back end, with a signing key on this machine."""
    made = World(store_url, folder=tmp_path / "keys")
    made.declare()
    return made


@pytest.fixture
def local(tmp_path: Path) -> World:
    """A tenant on SQLite with a signing key."""
    made = World(f"sqlite:///{tmp_path / 'store.db'}", folder=tmp_path / "keys")
    made.declare()
    return made


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """The filled world on SQLite, its events without the triggers that guard them; to be copied, not used."""
    world = World(f"sqlite:///{tmp_path_factory.mktemp('filled') / 'store.db'}")
    world.declare()
    told = fill(world)
    for trigger in ("event_kept", "event_as_written"):
        run_sql(world, f"DROP TRIGGER {trigger}")
    world.store.close()
    return told


@pytest.fixture
def told(filled: Told, tmp_path: Path) -> Told:
    """A copy of the filled world of the test's own."""
    world = copy(filled.world)
    world.url = f"sqlite:///{shutil.copy(filled.world.url.removeprefix('sqlite:///'), tmp_path / 'store.db')}"
    world.store = Store(world.url, "acme", os.urandom)
    world.ana, world.dana = world.context("ana's token"), filled.world.dana._replace(store=world.store)
    return filled._replace(world=world)
