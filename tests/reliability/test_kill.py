"""Q10: a process killed at any moment, in the middle of a statement or of a write to the disk too.

Promises one store that dies again and again under a process that remembers, edits, deletes, imports, confirms
and forgets, and that is held to what was acknowledged after each death.
"""

from __future__ import annotations

import os
import random
import signal
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from oz0mem.actions import entries, upkeep
from oz0mem.actions.entries import Remember
from oz0mem.store.engine import Store
from tests.reliability import soundness
from tests.reliability.conftest import read_lines
from tests.reliability.deeds import Stage, set_stage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.reliability.conftest import Victims


class Reckoning(NamedTuple):
    """What was acknowledged: texts that live and are gone; and of the last deed what may be either."""

    living: set[str]
    gone: set[str]
    may_live: set[str]
    may_go: set[str]


def reckon(said: list[dict[str, Any]]) -> Reckoning:
    """Reckon from what a victim said before it died."""
    assert not [line for line in said if "failed" in line], said
    living: set[str] = set()
    gone: set[str] = set()
    deed: dict[str, Any] = {"add": [], "gone": []}
    for line in said:
        if "will" in line:
            deed = line
        elif "did" in line:
            living = (living | set(deed["add"])) - set(deed["gone"])
            gone |= set(deed["gone"])
        if "will" not in line:
            deed = {"add": [], "gone": []}
    return Reckoning(living, gone, set(deed["add"]), set(deed["gone"]))


def assert_kept(store: Store, reckoned: Reckoning) -> None:
    """Q10: every acknowledged write is there, every such erasure is done, the last deed whole or not."""
    found = {row[0] for row in soundness.spoken(store)}
    assert reckoned.living - reckoned.may_go <= found
    assert not reckoned.gone & found
    # What was to come and what was to go change together.
    if reckoned.may_live:
        assert reckoned.may_live <= found or not reckoned.may_live & found
    if reckoned.may_go:
        assert (reckoned.may_go <= found) != (not reckoned.may_go & found)


def die(victims: Victims, stage: Stage, after: float, seed: int) -> Reckoning:
    """Let a victim live for so many seconds; answers what it had acknowledged."""
    pid, out = victims.loop(stage, number=0, seconds=60, seed=seed)
    time.sleep(after)
    os.kill(pid, signal.SIGKILL)
    assert os.WTERMSIG(victims.reap(pid)) == signal.SIGKILL
    return reckon(read_lines(out))


def survive(stage: Stage, reckoned: Reckoning) -> None:
    """Open what a death left, hold it to what was acknowledged, and go on."""
    store = Store(stage.url, "acme", os.urandom)
    ana = stage.context(store, "ana")
    soundness.assert_whole(ana, store)
    assert_kept(store, reckoned)
    entries.remember(ana, Remember("Somebody goes on"))
    assert not soundness.is_open(store)
    assert soundness.unclosed(soundness.events(store)) == {}
    store.close()


@pytest.mark.parametrize("seed", range(3))
def test_no_death_at_any_moment_loses_what_was_acknowledged(
    seed: int, tmp_path: Path, victims: Victims, staged: Callable[[Path], Stage]
) -> None:
    """Q10, L22: dozens of deaths of one store on SQLite; what is gone is in none of its files."""
    stage = staged(tmp_path)
    chance = random.Random(seed)
    gone: set[str] = set()
    for round_ in range(20):
        reckoned = die(victims, stage, chance.uniform(0.005, 0.2), seed * 1000 + round_)
        survive(stage, reckoned)
        gone |= reckoned.gone
    store = Store(stage.url, "acme", os.urandom)
    upkeep.upkeep(stage.context(store, "ana"))
    store.close()
    content = b"".join(file.read_bytes() for file in tmp_path.glob("store.db*"))
    own_words = {text.rpartition(" ")[2] for text in gone}
    assert own_words
    assert not [word for word in own_words if word.encode() in content]


def test_no_death_of_a_client_loses_what_a_server_acknowledged(victims: Victims, postgres_url: str) -> None:
    """Q10, Q14: the same on PostgreSQL, where the client is killed."""
    stage = set_stage(postgres_url)
    chance = random.Random(7)
    for round_ in range(12):
        survive(stage, die(victims, stage, chance.uniform(0.02, 0.4), round_))
