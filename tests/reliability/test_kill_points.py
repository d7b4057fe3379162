"""Q10: a process killed just before any statement of any deed leaves a whole store behind.

Promises every statement of every deed on SQLite (every other of the longest), a selection on PostgreSQL;
begin, commit, checkpoint and the commands between an erasure's steps are statements too. Leaves deaths inside
a statement to ``test_kill``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import entries, forget
from oz0mem.actions.entries import Remember
from oz0mem.store.engine import Store
from tests.reliability import soundness
from tests.reliability.deeds import CALLED, DEEDS, ERASES, Stage, call_once, set_stage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Databases
    from tests.reliability.conftest import Victims

STEPWISE = ("upkeep", "window")
"""Deeds of several transactions: what one kept stays, and the same deed again does the rest (G50)."""

LONG = 100
"""Of a deed of more statements every other one is tried."""

MOST = 400
"""No deed has as many statements; a test that comes here goes in circles."""


def survivors(stage: Stage, deed: str, before: object, after: object, *, acknowledged: bool) -> bool:
    """Open the store that a death left behind and hold it to Q10; answers whether the deed was kept."""
    store = Store(stage.url, "acme", os.urandom)
    ana = stage.context(store, "ana")
    soundness.assert_whole(ana, store)
    spoken = soundness.spoken(store)
    assert spoken in ([after] if acknowledged else [before, after]) or deed in STEPWISE
    if deed == "remember_once":
        retry_once(stage, store)
    if deed in STEPWISE:
        DEEDS[deed](stage, store)
        spoken = soundness.spoken(store)
        assert spoken == after
    go_on(stage, store, deed)
    assert not soundness.is_open(store)
    told = soundness.events(store)
    assert soundness.unclosed(told) == {}
    soundness.assert_whole(ana, store)
    store.close()
    return spoken == after


def go_on(stage: Stage, store: Store, deed: str) -> None:
    """L21: the next writing command finishes what a death left open, an erasure asked again too."""
    if deed == "forget":
        again = forget.forget(stage.context(store, "ana"), "dana")
        assert not again.open
    elif deed == "delete_person":
        forget.delete(stage.context(store, "ana"), stage.ids["other"], "another one")
    else:
        entries.remember(stage.context(store, "ana"), Remember("Somebody goes on"))


def retry_once(stage: Stage, store: Store) -> None:
    """M9: whenever the first try died, the retry answers the entry that is there, written once."""
    first = call_once(stage, store)
    again = call_once(stage, store)
    assert (first.entry.id, first.entry.version, first.kept) == (again.entry.id, again.entry.version, "new")
    wanted = [each for each in soundness.spoken(store) if each[0] == first.entry.text]
    assert len(wanted) == 1, CALLED


def assert_gone(place: Path, words: tuple[str, ...]) -> None:
    """L22: no file of the store has any of the words."""
    for file in place.glob("store.db*"):
        content = file.read_bytes()
        assert not [word for word in words if word.encode() in content], file.name


@pytest.mark.parametrize("deed", DEEDS)
def test_a_death_at_any_statement_leaves_all_of_the_deed_or_nothing(
    deed: str, tmp_path: Path, victims: Victims, staged: Callable[[Path], Stage]
) -> None:
    """Q10: whole, acknowledged and checked; L21: finished by the next command; L22: then gone; M9: once."""
    stage = staged(tmp_path)
    before = spoken_of(stage)
    length = victims.deed(stage, deed, 0)["statements"]
    after = spoken_of(stage)
    assert 5 < length < MOST
    kept = []
    step = 1 if length < LONG else 2
    for at in [*range(1, length + 1, step), length + 1]:
        stage = staged(tmp_path)
        said = victims.deed(stage, deed, at)
        assert bool(said) == (at > length)
        kept.append(survivors(stage, deed, before, after, acknowledged=bool(said)))
        if (kept[-1] or deed == "forget") and deed in ERASES:
            assert_gone(tmp_path, ERASES[deed])
    assert kept[-1]


@pytest.fixture
def stage_of_servers(databases: Databases, postgres_url: str) -> Callable[[], Stage]:
    """Gives copies of one stage on PostgreSQL."""
    stage = set_stage(postgres_url)
    made: list[str] = []

    def copy() -> Stage:
        for url in made:
            databases.drop(url)
        made[:] = [databases.create(postgres_url)]
        return stage._replace(url=made[0])

    return copy


@pytest.mark.parametrize("deed", ["remember_once", "edit_person", "forget", "unlink", "import"])
def test_a_death_of_the_client_leaves_a_server_whole(
    deed: str, victims: Victims, stage_of_servers: Callable[[], Stage]
) -> None:
    """Q10, Q14: the same on PostgreSQL, at every tenth statement and at the last ones."""
    stage = stage_of_servers()
    before = spoken_of(stage)
    length = victims.deed(stage, deed, 0)["statements"]
    after = spoken_of(stage)
    for at in sorted({*range(1, length, 10), *range(length - 3, length + 2)}):
        stage = stage_of_servers()
        said = victims.deed(stage, deed, at)
        survivors(stage, deed, before, after, acknowledged=bool(said))


def spoken_of(stage: Stage) -> object:
    """What a store holds, without staying connected to it."""
    store = Store(stage.url, "acme", os.urandom)
    try:
        return soundness.spoken(store)
    finally:
        store.close()
