"""Q12: what is no store, cannot be written or has no room: one sentence, nothing made, nothing lost."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oz0mem.model.errors import Fault, Invalid, Oz0Error
from oz0mem.store import schema
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from oz0mem.store.engine import Store

RUNS = ("read", "write", "record", "govern")


def refused(url: str, run: str) -> Oz0Error:
    """How a store that cannot be opened is refused."""
    store: Store = desks.open_store(url)
    with pytest.raises(Oz0Error) as caught:
        getattr(store, run)(NOW, lambda desk: desk.head)
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value


def listing(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with what is in it."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    made = tmp_path / "folder"
    made.mkdir()
    return made


@pytest.mark.parametrize("run", RUNS)
def test_a_missing_store_is_not_made(folder: Path, run: str) -> None:
    """Q12: a misspelt path is a fault, never a fresh empty store."""
    error = refused(f"sqlite:///{folder / 'misspelt.db'}", run)
    assert error.code == "store.missing"
    assert "oz0mem init" in error.hint
    assert refused(f"sqlite:///{folder / 'no' / 'such' / 'folder.db'}", run).code == "store.missing"
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "store.foreign"),
        (b"a letter to dana\n" * 400, "store.foreign"),
        (b"SQLite format 3\0" + b"\xff" * 4_080, "store.foreign"),
        (b"SQLite format 3\0", "store.foreign"),
    ],
)
def test_another_file_is_left_alone(folder: Path, content: bytes, code: str, run: str) -> None:
    """Q12: an empty, foreign or damaged file is refused, and not changed by a byte."""
    path = folder / "other.db"
    path.write_bytes(content)
    assert refused(f"sqlite:///{path}", run).code == code
    assert listing(folder)["other.db"] == content


def test_nothing_is_made_in_a_foreign_file(folder: Path) -> None:
    """Q12: ``init`` and ``upgrade`` refuse it as the others do."""
    path = folder / "other.db"
    path.write_bytes(b"a letter to dana\n" * 400)
    for run in (schema.make, schema.upgrade):
        with pytest.raises(Fault) as caught:
            run(f"sqlite:///{path}")
        assert caught.value.code == "store.foreign"
    assert listing(folder) == {"other.db": b"a letter to dana\n" * 400}


@pytest.mark.parametrize("run", RUNS)
def test_a_truncated_store_is_refused(sqlite_store: str, run: str) -> None:
    """Q12: a store that lost its end is damaged; it is neither mended nor made anew."""
    path = desks.path_of(sqlite_store)
    whole = path.read_bytes()
    for size in (len(whole) // 2, 4_096, 5_000, 100):
        path.write_bytes(whole[:size])
        assert refused(sqlite_store, run).code == "store.foreign", size
        assert path.read_bytes() == whole[:size]


@pytest.mark.parametrize("run", RUNS)
def test_a_folder_is_no_store(folder: Path, run: str) -> None:
    """Q12: a path to a folder is a fault of its own."""
    assert refused(f"sqlite:///{folder}", run).code == "store.unreachable"
    with pytest.raises(Fault):
        schema.make(f"sqlite:///{folder}")
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("url", ["", "oz0mem.db", "mysql://host/db", "sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_url_names_sqlite_or_postgresql(url: str) -> None:
    """Q12: what is neither is an invalid argument."""
    with pytest.raises(Invalid) as caught:
        desks.open_store(url)
    assert caught.value.code == "store.url"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://127.0.0.1:1/oz0mem",
        "postgresql://no-such-host.invalid/oz0mem",
        "postgresql://127.0.0.1:port/oz0mem",
        "postgresql://127.0.0.1:1/oz0mem?sslmode=sideways",
    ],
)
def test_a_server_that_is_not_there(url: str) -> None:
    """Q12: an unreachable server or a misspelt URL is one sentence."""
    assert refused(url, "read").code == "store.unreachable"


def test_a_database_that_is_not_there(postgres_store: str) -> None:
    """Q12: the server says which, and no database is made."""
    url = postgres_store.replace("/oz0mem_test_", "/misspelt_", 1)
    assert refused(url, "write").code == "store.unreachable"


def test_a_store_is_its_owners_alone(folder: Path) -> None:
    """Q12, C5: file, log and shared memory are made with mode 0600, whatever the umask."""
    url = f"sqlite:///{folder / 'deep' / 'down' / 'oz0mem.db'}"
    desks.make(url)
    store = desks.open_store(url)
    store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    files = [*(folder / "deep" / "down").iterdir()]
    assert sorted(path.name for path in files) == ["oz0mem.db", "oz0mem.db-shm", "oz0mem.db-wal"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE((folder / "deep" / "down").stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["a b.db", "100%.db", "q?x=1.db", "ü#.db", "a'b.db"])
def test_any_file_name_will_do(folder: Path, name: str) -> None:
    """Q12: the file that is named is the one that is made and opened, and no other."""
    from urllib.parse import quote

    url = f"sqlite:///{folder}/{quote(name)}"
    desks.make(url)
    assert desks.open_store(url).read(NOW, lambda desk: desk.head.size) == 0
    assert {path.name.removesuffix("-wal").removesuffix("-shm") for path in folder.iterdir()} == {name}


def test_a_full_disk_changes_nothing(sqlite_store: str) -> None:
    """Q12: what finds no room is taken back whole, and the store goes on once there is some."""
    store = desks.open_store(sqlite_store)
    store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    before = store.read(NOW, lambda desk: desk.head)
    raw = store.connection()
    pages = raw.execute("PRAGMA page_count").fetchone()[0]
    raw.execute(f"PRAGMA max_page_count={pages + 2}").fetchall()
    with pytest.raises(Fault) as caught:
        store.write(NOW, lambda desk: [put(desk, "x" * 10_000) for _ in range(9)])
    assert caught.value.code == "store.full"
    assert store.read(NOW, lambda desk: desk.head) == before
    raw.execute("PRAGMA max_page_count=1000000").fetchall()
    assert store.write(NOW, lambda desk: put(desk, "Dana is in Porto")).numbers.event == 1


def test_a_store_that_cannot_be_written(sqlite_store: str) -> None:
    """Q12: the sentence says what needs to be writable, since reads are recorded too."""
    store = desks.open_store(sqlite_store)
    raw = store.connection()
    raw.execute("PRAGMA query_only=ON").fetchall()
    with pytest.raises(Fault) as caught:
        store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    assert caught.value.code == "store.readonly"
    raw.execute("PRAGMA query_only=OFF").fetchall()
    assert store.read(NOW, lambda desk: desk.head.size) == 0


def test_opening_takes_no_write_lock(sqlite_store: str) -> None:
    """Q11: a reading command comes in while somebody writes."""
    writer = sqlite3.connect(desks.path_of(sqlite_store), isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert desks.open_store(sqlite_store).read(NOW, lambda desk: desk.head.size) == 0
    writer.execute("ROLLBACK")
    writer.close()


def test_what_a_fault_says_has_no_content(made_url: str) -> None:
    """Q15: the sentence of a failed statement names no text that was in it."""
    store = desks.open_store(made_url)
    with pytest.raises(Fault) as caught:
        store.write(NOW, lambda desk: [put(desk, "Dana is in Lisbon", id="m-0123456789ab") for _ in "ab"])
    assert "Lisbon" not in f"{caught.value.message} {caught.value.hint} {caught.value.facts}"
