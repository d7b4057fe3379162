"""Worlds for the tests of actions: on both back ends, and on SQLite alone where the back end says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

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
