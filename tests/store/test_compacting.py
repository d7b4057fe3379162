"""L22: the embedded store written anew: smaller, without gaps, and the same."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.model.errors import Fault
from oz0mem.store import compacting, scrubbing
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from pathlib import Path

    from oz0mem.model.entries import Entry
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store

LONG = "harbour " * 900


def fill(store: Store) -> list[Entry]:
    """Write texts and erase every other; answers those that live."""

    def act(desk: Desk) -> list[Entry]:
        kept = [put(desk, f"paper{n} {LONG}", about="dana", key=f"key{n}") for n in range(60)]
        erasure = desks.begin(desk)
        for entry in kept[::2]:
            desk.erasing.erase_entry(erasure, entry)
        desk.erasing.close(erasure)
        return kept[1::2]

    return store.write(NOW, act)


def rows(store: Store) -> dict[str, list[Any]]:
    """Every row of every table, zeros as nothing."""
    raw = store.connection()
    tables = [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]

    def plain(value: Any) -> Any:
        return b"" if isinstance(value, bytes) and not value.strip(b"\0") else value

    return {
        table: sorted([tuple(plain(value) for value in row) for row in raw.execute(f"SELECT * FROM {table}")], key=repr)
        for table in tables
    }


def test_zeros_and_free_pages_are_given_back(sqlite_store: str) -> None:
    """L22: what lives is the same, row by row; zeros are no bytes at all, and still read as zeros."""
    store = desks.open_store(sqlite_store)
    kept = fill(store)
    erased = store.read(
        NOW, lambda desk: desk.work.rows("SELECT num FROM body WHERE content = zeroblob(length(content))")
    )
    before = rows(store)
    said = store.compact(dry_run=True)
    assert rows(store) == before and said is not None
    done = store.compact()
    assert done is not None and done.before == said.before
    assert done.after == desks.path_of(sqlite_store).stat().st_size < said.before - 30 * len(LONG)
    assert abs(done.after - said.after) < 60_000
    assert rows(store) == before
    raw = store.connection()
    assert raw.execute("SELECT count(*) FROM body WHERE substr(content, 1, 8) = zeroblob(8)").fetchone() == (0,)
    assert store.read(NOW, lambda desk: desk.bodies.are_zeros(row[0] for row in erased))
    assert store.read(NOW, lambda desk: desk.entries.newest(entry.numbers.entry for entry in kept)) == kept
    assert desks.path_of(sqlite_store).with_name("oz0mem.db-wal").stat().st_size == 0
    assert raw.execute("PRAGMA temp_store").fetchone() == (2,)


def test_a_key_that_begins_with_a_zero_stays(sqlite_store: str) -> None:
    """L22: only what is zeros from end to end is emptied."""
    store = desks.open_store(sqlite_store)
    key = b"\0" * 8 + b"k" * 24
    number = store.write(NOW, lambda desk: desk.bodies.put(key))
    store.compact()
    found = store.read(NOW, lambda desk: desk.work.row("SELECT content FROM body WHERE num = ?", (number,)))
    assert found == (key,)


def test_a_large_file_is_copied_beside_itself(sqlite_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """L22: not in memory; nothing is left in the folder."""
    store = desks.open_store(sqlite_store)
    fill(store)
    before, files = rows(store), sorted(desks.path_of(sqlite_store).parent.iterdir())
    monkeypatch.setattr(scrubbing, "LARGEST", 4_096)
    store.compact()
    assert rows(store) == before
    assert sorted(desks.path_of(sqlite_store).parent.iterdir()) == files
    assert store.connection().execute("PRAGMA temp_store").fetchone() == (2,)


def test_a_disk_without_room_is_told_before_anything_is_written(
    sqlite_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """L22, C6: how much it takes, and how much there is."""
    store = desks.open_store(sqlite_store)
    fill(store)
    scrubbing.truncate(store.connection(), desks.path_of(sqlite_store))
    before = desks.path_of(sqlite_store).read_bytes()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
    with pytest.raises(Fault) as refused:
        store.compact()
    assert refused.value.code == "compact.room" and "of which 1 are free" in refused.value.message
    assert desks.path_of(sqlite_store).read_bytes() == before


def test_a_reader_is_told_of(sqlite_store: str) -> None:
    """L22: it keeps the old pages; once it is gone the next try cuts the file."""
    store = desks.open_store(sqlite_store)
    kept = fill(store)
    reader = sqlite3.connect(desks.path_of(sqlite_store), isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM body").fetchone()
    with pytest.raises(Fault) as refused:
        store.compact(patience=0.1)
    assert refused.value.code == "compact.busy"
    assert store.read(NOW, lambda desk: desk.entries.newest(entry.numbers.entry for entry in kept)) == kept
    reader.close()
    done = store.compact()
    assert done is not None and done.after < done.before // 2


def test_a_writer_is_waited_for(sqlite_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """L20, L22: as any write does; and then the sentence."""
    store = desks.open_store(sqlite_store)
    fill(store)
    monkeypatch.setattr(compacting, "attempts", lambda: range(3))
    with sqlite3.connect(desks.path_of(sqlite_store), isolation_level=None) as raw:
        raw.execute("BEGIN IMMEDIATE")
        with pytest.raises(Fault) as refused:
            store.compact()
        raw.execute("ROLLBACK")
    raw.close()
    assert refused.value.code == "compact.busy"
    assert store.compact() is not None


VICTIM = """
import sys
from tests.store import desks
store = desks.open_store(sys.argv[1])
store.connection()
print("ready", flush=True)
store.compact()
"""


@pytest.mark.parametrize("wait", [0.0, 0.002, 0.005, 0.01, 0.02, 0.04])
def test_a_kill_in_the_middle_harms_nothing(sqlite_store: str, wait: float) -> None:
    """L22, 4.5: whenever it comes, the store is the old one or the new one, and the same rows."""
    store = desks.open_store(sqlite_store)
    fill(store)
    before = rows(store)
    store.close()
    process = subprocess.Popen([sys.executable, "-c", VICTIM, sqlite_store], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    time.sleep(wait)
    process.kill()
    process.wait()
    process.stdout.close()
    assert rows(store) == before
    assert store.connection().execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert store.compact() is not None
    assert rows(store) == before


def test_a_server_compacts_by_itself(postgres_store: str) -> None:
    """L22: nothing is done there, and nothing is said to be."""
    store = desks.open_store(postgres_store)
    assert not store.embedded
    assert store.compact() is None and store.compact(dry_run=True) is None


def test_the_folder_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """L22: a quote in a path is no SQL."""
    folder = tmp_path / "it's here"
    folder.mkdir()
    url = f"sqlite:///{folder}/oz0mem.db"
    desks.make(url)
    store = desks.open_store(url)
    monkeypatch.setattr(scrubbing, "LARGEST", 4_096)
    assert store.compact() is not None
