"""Q11: many processes on one store at once.

Promises real processes that write, correct, erase and read for seconds, each opening the store anew all the
while; and that what they were told is what the store holds in the end.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from oz0mem.actions import entries, forget, governance
from oz0mem.actions.entries import Remember
from oz0mem.store.engine import Store
from tests.reliability import soundness
from tests.reliability.conftest import read_lines
from tests.reliability.deeds import Stage, set_stage
from tests.reliability.test_kill import assert_kept, reckon

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.reliability.conftest import Victims

CAP = 40

OTHER = """
import hashlib, pathlib, sqlite3, sys
other = sqlite3.connect(sys.argv[1])
other.execute("SELECT size FROM head").fetchall()
other.close()
print(hashlib.sha256(pathlib.Path(sys.argv[1]).read_bytes()).hexdigest())
"""
"""Another process that opens a store and closes it, and says what its file holds byte for byte."""


def crowd(victims: Victims, stage: Stage, processes: int, seconds: float) -> list[list[dict[str, Any]]]:
    """Let so many processes live on one store; answers what each said."""
    store = Store(stage.url, "acme", os.urandom)
    governance.set_settings(stage.context(store, "ana"), {"max_records": CAP}, "a small cap")
    store.close()
    lives = [victims.loop(stage, number=number, seconds=seconds, cap=CAP) for number in range(processes)]
    for pid, _ in lives:
        victims.reap(pid)
    return [read_lines(out) for _, out in lives]


def assert_held(stage: Stage, said: list[list[dict[str, Any]]]) -> None:
    """Hold the store to what the crowd was told."""
    store = Store(stage.url, "acme", os.urandom)
    ana = stage.context(store, "ana")
    for lines in said:
        assert_kept(store, reckon(lines))
        assert "lived" in lines[-1]
    soundness.assert_whole(ana, store)
    over = soundness.rows(store, f"SELECT entries FROM usage WHERE entries > {CAP}")
    assert over == []
    entries.remember(ana, Remember("Values are shared", key="shared", scope="project:shared/one"))
    assert soundness.unclosed(soundness.events(store)) == {}
    assert not soundness.is_open(store)
    values = soundness.spoken(store)
    shared = [row for row in values if row[4] == "shared" and row[2] == "project:shared" and row[1] == "active"]
    assert len({row[0] for row in shared if not was_replaced(values, row)}) == 1
    store.close()


def was_replaced(values: list[tuple[str, ...]], row: tuple[str, ...]) -> bool:
    """Whether a text has a later version that was replaced."""
    return any(other[0] == row[0] and other[1] == "replaced" for other in values)


def test_eight_processes_on_one_file_lose_nothing(
    tmp_path: Path, victims: Victims, staged: Callable[[Path], Stage]
) -> None:
    """Q11, M7, M11, L2: no lock is met, no write lost, no cap passed, one key has one value in force."""
    stage = staged(tmp_path)
    said = crowd(victims, stage, processes=8, seconds=12)
    assert_held(stage, said)
    refused = sum("refused" in line for lines in said for line in lines)
    assert refused, "the cap was never met, so the test says nothing of it"


def test_an_erasure_keeps_the_locks_of_its_process(tmp_path: Path, staged: Callable[[Path], Stage]) -> None:
    """Q11, L22: looking for residue drops no lock, or the next process to close the store destroys it."""
    stage = staged(tmp_path)
    store = Store(stage.url, "acme", os.urandom)
    done = forget.delete(stage.context(store, "dana"), stage.ids["fact"], "wrong")
    assert done.residue == "none-found"
    store.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    searched = hashlib.sha256(store.connection().serialize()).hexdigest()
    told = subprocess.run(
        [sys.executable, "-c", OTHER, str(tmp_path / "store.db")], capture_output=True, text=True, check=True
    )
    assert (tmp_path / "store.db-wal").exists(), "the other process took itself for the last one"
    entries.remember(stage.context(store, "ana"), Remember("Somebody goes on"))
    soundness.assert_whole(stage.context(store, "ana"), store)
    assert told.stdout.strip() == searched, "what was searched is not what the file holds"
    store.close()


def test_four_processes_on_one_server_lose_nothing(victims: Victims, postgres_url: str) -> None:
    """Q11, Q14: the same on PostgreSQL."""
    stage = set_stage(postgres_url)
    assert_held(stage, crowd(victims, stage, processes=4, seconds=6))
