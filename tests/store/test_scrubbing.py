"""L22: nothing that was erased is left in any file of a store on SQLite."""

from __future__ import annotations

import io
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.model.erasures import Gone
from oz0mem.store import scrubbing, searching
from oz0mem.store.bodies import Bodies
from oz0mem.store.dialects import placeholders
from tests.store import desks
from tests.store.churn import Churn, found_in
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.model.entries import Entry
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store


def test_nothing_erased_is_left_after_twenty_thousand_deeds(sqlite_store: str) -> None:
    """L22: the canary. SQLite does not promise that an overwrite is in place; this says when it is not."""
    store = desks.open_store(sqlite_store)
    churn = Churn(store, seed=20_261_001)
    churn.run(20_000)
    assert len(churn.erased) > 20_000
    assert len(churn.erased_keys) > 7_000
    # Without the hashes, for which the file would be written anew: what is asked here is whether that is in place.
    assert store.scrub(churn.gone._replace(marks=())) == "none-found"
    assert desks.path_of(sqlite_store).with_name("oz0mem.db-wal").stat().st_size == 0
    assert churn.left() == (set(), set())
    marks, keys = found_in(desks.path_of(sqlite_store))
    assert keys == churn.keys
    assert marks >= {word.encode() for entry in churn.living for word in entry.text.split() if word[:2] == "zq"}
    sample = churn.living[:: len(churn.living) // 500]
    stored = store.read(NOW, lambda desk: desk.entries.newest(entry.numbers.entry for entry in sample))
    assert stored == sample


@pytest.fixture
def sabotaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """An overwrite that is none: the rows are deleted, as products of this kind do."""

    def delete(self: Bodies, part: Sequence[int], table: str) -> list[bytes]:
        where = f"FROM {table} WHERE tenant = ? AND num IN ({placeholders(part)})"
        rows = self.work.rows(f"SELECT content {where}", (self.work.tenant, *part))
        self.work.run(f"DELETE {where}", (self.work.tenant, *part))
        return [bytes(row[0]) for row in rows]

    monkeypatch.setattr(Bodies, "_overwrite", delete)


@pytest.mark.usefixtures("sabotaged")
def test_the_canary_finds_what_deleting_leaves(sqlite_store: str) -> None:
    """L22: rows that are deleted, though securely, leave words behind; VACUUM is the fallback."""
    store = desks.open_store(sqlite_store)
    churn = Churn(store, seed=7)
    churn.run(4_000)
    assert scrubbing.truncate(store.connection(), desks.path_of(sqlite_store))
    words, _ = churn.left()
    assert words, "deleting left nothing, so the canary proves nothing"
    assert scrubbing.residue(store.connection(), desks.path_of(sqlite_store), churn.gone) == "found"
    assert store.scrub(churn.gone) == "none-found"
    assert churn.left() == (set(), set())


@pytest.mark.usefixtures("sabotaged")
def test_a_vacuum_that_cannot_be_is_no_success(sqlite_store: str) -> None:
    """L21, L22: while another writes, the file cannot be written anew, and the erasure stays open."""
    store = desks.open_store(sqlite_store)
    store.connection().execute("PRAGMA secure_delete=OFF").fetchall()
    gone = erase(store, store.write(NOW, lambda desk: put(desk, "Dana is in lisboncity")))
    with sqlite3.connect(desks.path_of(sqlite_store), isolation_level=None) as raw:
        raw.execute("BEGIN IMMEDIATE")
        assert store.scrub(gone, patience=0.1) == ""
        raw.execute("ROLLBACK")
    raw.close()
    assert store.scrub(gone) == "none-found"
    assert b"lisboncity" not in desks.path_of(sqlite_store).read_bytes()


def erase(store: Store, entry: Entry) -> Gone:
    """Erase one entry."""

    def act(desk: Desk) -> Gone:
        erasure = desks.begin(desk)
        gone = desk.erasing.erase_entry(erasure, entry)
        desk.erasing.close(erasure)
        return gone

    return store.write(NOW, act)


def test_a_reader_keeps_an_erasure_open(sqlite_store: str) -> None:
    """L22: who reads all the while keeps the old pages in the log; once they leave it is done."""
    store = desks.open_store(sqlite_store)
    entry = store.write(NOW, lambda desk: put(desk, "Dana is in lisboncity"))
    reader: Any = sqlite3.connect(desks.path_of(sqlite_store), isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM body").fetchone()
    gone = erase(store, entry)
    assert store.scrub(gone, patience=0.2) == ""
    assert store.scrub(None, patience=0.2) == ""
    # The store is not held up by it meanwhile.
    assert store.write(NOW, lambda desk: put(desk, "Ana is in Porto")).numbers.event == 1
    reader.execute("COMMIT")
    reader.close()
    assert store.scrub(gone) == "none-found"
    path = desks.path_of(sqlite_store)
    assert all(b"lisboncity" not in file.read_bytes() for file in path.parent.glob(path.name + "*"))


def test_what_a_crash_took_from_memory_is_not_checked(sqlite_store: str) -> None:
    """L21: nobody knows any more what to look for, so nobody says that it was not found."""
    assert desks.open_store(sqlite_store).scrub(None) == "not-checked"


def test_postgresql_says_that_it_cannot_know(postgres_store: str) -> None:
    """L22: words stay in heap, log and replicas there, whatever is overwritten."""
    store = desks.open_store(postgres_store)
    gone = erase(store, store.write(NOW, lambda desk: put(desk, "Dana is in lisboncity")))
    assert gone.words
    assert store.scrub(gone) == "not-checked"


def test_what_lives_elsewhere_is_no_residue(sqlite_store: str) -> None:
    """L22: another tenant's text, an agent's name and the ledger's own words tell of nobody erased."""
    store, other = desks.open_store(sqlite_store), desks.open_store(sqlite_store, "globex")
    other.write(NOW, lambda desk: put(desk, "lisboncity is far"))
    entry = store.write(
        NOW,
        lambda desk: put(desk, "concierge remembered the request, pending since lisboncity; memory version"),
    )
    gone = erase(store, entry)
    assert len(gone.words) > 5
    assert store.scrub(gone) == "none-found"
    # Its own key is, wherever it stands.
    raw = store.connection()
    raw.execute("CREATE TABLE leak (x)")
    raw.execute("PRAGMA secure_delete=OFF").fetchall()
    raw.execute("INSERT INTO leak VALUES (?)", (gone.bodies[0],))
    raw.execute("DROP TABLE leak")
    scrubbing.truncate(raw, desks.path_of(sqlite_store))
    assert scrubbing.residue(raw, desks.path_of(sqlite_store), gone) == "found"


@pytest.mark.parametrize("chunk", [64, 300, 1 << 20])
def test_a_search_meets_what_stands_across_two_reads(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """L22: wherever a read of the file ends; and half a word is not the word."""
    monkeypatch.setattr(searching, "_CHUNK", chunk)
    wanted = {b"lisbon", b"porto7", "ångström".encode(), b"f" * 64}
    for shift in range(0, 70, 3):
        stream = io.BytesIO(
            b"\xe9" * shift + b"lisbon\0lisbonne xporto7 porto78 \xff" + "ångström".encode() + b'"' + b"f" * 64
        )
        found = searching.found_in(stream, wanted)
        assert found == {b"lisbon", "ångström".encode(), b"f" * 64}, shift


def test_a_large_file_is_not_searched(sqlite_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """L22: past 64 MiB the search is upkeep's, and the answer says so."""
    store = desks.open_store(sqlite_store)
    gone = erase(store, store.write(NOW, lambda desk: put(desk, "Dana is in lisboncity")))
    assert scrubbing.LARGEST == 64 * 1024 * 1024
    monkeypatch.setattr(scrubbing, "LARGEST", 4_096)
    assert store.scrub(gone) == "not-checked"
