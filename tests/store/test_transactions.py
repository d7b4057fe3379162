"""L1, L20, Q5: one transaction, whole or not at all, under the tenant's lock, tried again if it was busy."""

from __future__ import annotations

import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from oz0mem.model.errors import Fault, Refused
from oz0mem.store import work
from oz0mem.store.dialects import placeholders
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store


def lock(url: str, seconds: float, locked: threading.Event) -> None:
    """Hold acme's lock on a connection of another program for a while."""
    if url.startswith("sqlite"):
        raw: Any = sqlite3.connect(desks.path_of(url), isolation_level=None)
        raw.execute("BEGIN IMMEDIATE")
    else:
        raw = psycopg.connect(url)
        raw.execute("SELECT * FROM head WHERE tenant = 1 FOR UPDATE")
    locked.set()
    time.sleep(seconds)
    raw.rollback()
    raw.close()


def while_locked(url: str, seconds: float, act: Callable[[], object]) -> float:
    """Run ``act`` while another connection holds the lock; answers how long it took."""
    locked = threading.Event()
    holder = threading.Thread(target=lock, args=(url, seconds, locked))
    holder.start()
    assert locked.wait(10)
    began = time.monotonic()
    try:
        act()
    finally:
        took = time.monotonic() - began
        holder.join()
    return took


def state(store: Store) -> tuple[Any, ...]:
    """What a write would leave behind: head, and rows of the tables that it writes."""

    def count(desk: Desk) -> tuple[Any, ...]:
        tables = (
            "version",
            "event",
            "body",
            "word",
            "word_hash",
            "posting",
            "name",
            "subject",
            "usage",
            "place",
        )
        rows = [desk.work.row(f"SELECT count(*) FROM {table}") for table in tables]
        return (desk.head, *rows)

    return store.read(NOW, count)


def test_a_writer_waits_for_the_lock_and_then_writes(store: Store, made_url: str) -> None:
    """L20: a store that another connection holds is tried again until it is free."""
    took = while_locked(made_url, 0.4, lambda: store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon")))
    assert 0.2 < took < 5
    assert store.read(NOW, lambda desk: desk.head.size) == 1


def test_a_reader_waits_for_nobody(store: Store, made_url: str) -> None:
    """Q11: a reading transaction takes no lock and is let in beside a writer."""
    store.connection()
    took = while_locked(made_url, 0.6, lambda: store.read(NOW, lambda desk: desk.head))
    assert took < 0.3


def test_patience_ends_with_a_sentence(sqlite_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """L20, Q11: who holds the lock for ever makes a fault with a code, never "database is locked"."""
    monkeypatch.setattr(work, "PATIENCE", 0.2)
    store = desks.open_store(sqlite_store)
    with pytest.raises(Fault) as caught:
        while_locked(sqlite_store, 0.6, lambda: store.write(NOW, lambda desk: put(desk, "Lisbon")))
    assert caught.value.code == "store.busy"
    assert "nothing was changed" in caught.value.message
    assert state(store)[0].size == 0


@pytest.mark.parametrize("error", [Refused("memory.cap", "no"), KeyError("a bug"), KeyboardInterrupt()])
def test_what_fails_leaves_nothing(store: Store, error: BaseException) -> None:
    """L1, L20: an error at the end of a transaction takes everything with it, the numbers too."""
    before = state(store)

    def act(desk: Desk) -> None:
        put(desk, "Dana is in Lisbon", about="dana", scope="project:web/shop")
        raise error

    with pytest.raises(type(error)):
        store.write(NOW, act)
    assert state(store) == before
    store.write(NOW, lambda desk: put(desk, "Dana is in Porto"))
    assert state(store)[0].size == 1


def test_a_statement_that_fails_leaves_nothing(store: Store) -> None:
    """L1: a fault of the database in the middle is one sentence, and the event before it is gone too."""
    before = state(store)

    def act(desk: Desk) -> None:
        put(desk, "Dana is in Lisbon")
        desk.work.run("INSERT INTO head (tenant) VALUES (?)", (desk.work.tenant,))

    with pytest.raises(Fault) as caught:
        store.write(NOW, act)
    assert caught.value.code == "store.failed"
    assert not {"head", "UNIQUE", "NULL", "constraint"} & set(caught.value.message.replace(".", " ").split())
    assert state(store) == before


def test_an_event_that_is_there_already_is_told_of_the_ledger(store: Store) -> None:
    """L1, Q12: a head that was set back by hand; the driver's words and the tables' names are told to nobody."""
    store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))

    def act(desk: Desk) -> None:
        row = desk.work.row("SELECT * FROM event WHERE tenant = ?", (desk.work.tenant,))
        assert row is not None
        desk.work.run(f"INSERT INTO event VALUES ({placeholders(row)})", row)

    with pytest.raises(Fault) as caught:
        store.write(NOW, act)
    assert caught.value.code == "store.head"
    assert caught.value.hint == "oz0mem audit check --contents"
    assert "event." not in caught.value.message


def test_numbers_go_on_where_the_last_commit_ended(store: Store, made_url: str) -> None:
    """L20, Q5: a number is the head row's, given again after a rollback and never after a commit."""
    given: list[int] = []

    def fail(desk: Desk) -> None:
        given.extend(desk.work.number() for _ in range(3))
        raise Refused("x", "no")

    with pytest.raises(Refused):
        store.write(NOW, fail)
    assert given == [1, 2, 3]
    assert store.write(NOW, lambda desk: [desk.work.number() for _ in range(3)]) == [1, 2, 3]
    assert desks.open_store(made_url).write(NOW, lambda desk: desk.work.number()) == 4


def test_a_number_is_not_given_again_after_its_row_is_erased(store: Store) -> None:
    """L20: a later entry never inherits what hangs on an erased one's number."""
    first = store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))

    def erase(desk: Desk) -> None:
        erasure = desks.begin(desk)
        desk.erasing.erase_entry(erasure, first)
        desk.erasing.close(erasure)

    store.write(NOW, erase)
    assert store.write(NOW, lambda desk: put(desk, "Lisbon")).numbers.entry > first.numbers.entry


def test_there_is_no_sequence(postgres_store: str) -> None:
    """L20: numbers never come from a database sequence, which leaves gaps and knows no rollback."""
    with psycopg.connect(postgres_store) as raw:
        assert raw.execute("SELECT count(*) FROM pg_class WHERE relkind = 'S'").fetchone() == (0,)


class Listening:
    """A connection that remembers the statements it was given."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.statements: list[str] = []

    def execute(self, sql: str, values: Any = ()) -> Any:
        """Run a statement and remember it."""
        self.statements.append(sql)
        return self.raw.execute(sql, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def test_the_head_row_is_locked_first(store: Store) -> None:
    """L20: nothing of the tenant is read before its head row is locked."""
    store.read(NOW, lambda desk: desk.head)
    listening = Listening(store.connection())
    store._local.raw = listening
    store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    said = [sql for sql in listening.statements if not sql.startswith("PRAGMA")]
    if store.back.name == "sqlite":
        assert said[0] == "BEGIN IMMEDIATE"
    else:
        assert "FROM head" in said[0]
        assert said[0].endswith("FOR UPDATE")
    assert "FROM head" in said[1] or "FROM head" in said[0]


def test_two_writers_give_no_number_twice(made_url: str) -> None:
    """L20: caps and numbers cannot race, since one waits for the other."""
    seen: list[int] = []

    def run() -> None:
        store = desks.open_store(made_url)
        for _ in range(25):
            seen.append(store.write(NOW, lambda desk: put(desk, "Lisbon").numbers.entry))
        store.close()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = desks.open_store(made_url)
    assert len(set(seen)) == 100
    assert store.read(NOW, lambda desk: desk.head.size) == 100
    assert store.read(NOW, lambda desk: desk.entries.used(desk.names.find(1, "tenant"))) == (100, 600)


def test_another_tenant_is_not_waited_for(postgres_store: str) -> None:
    """Q5, L20: the lock is the tenant's, not the server's."""
    store = desks.open_store(postgres_store, "globex")
    store.connection()
    took = while_locked(postgres_store, 0.6, lambda: store.write(NOW, lambda desk: put(desk, "Lisbon")))
    assert took < 0.4


def test_a_read_keeps_one_snapshot(store: Store, made_url: str) -> None:
    """L20: what is read together was there together, whatever is written meanwhile."""
    writer = desks.open_store(made_url)

    def act(desk: Desk) -> tuple[int, int]:
        before = len(desk.ledger.between(0, 10))
        writer.write(NOW, lambda inner: put(inner, "Dana is in Lisbon"))
        return before, len(desk.ledger.between(0, 10))

    assert store.read(NOW, act) == (0, 0)
    assert store.read(NOW, lambda desk: len(desk.ledger.between(0, 10))) == 1


def test_a_read_cannot_write(postgres_store: str) -> None:
    """L1: on PostgreSQL a reading transaction is told to be one."""
    store = desks.open_store(postgres_store)
    with pytest.raises(Fault):
        store.read(NOW, lambda desk: desk.entries.use(1, 1, 1))


def test_opening_waits_for_another_process_that_opens_or_closes(sqlite_store: str) -> None:
    """Q11: the file is locked whole for a moment then, and no command says so."""
    raw = sqlite3.connect(desks.path_of(sqlite_store), isolation_level=None, check_same_thread=False)
    raw.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("UPDATE head SET created = created")
    raw.execute("COMMIT")
    timer = threading.Timer(0.3, raw.close)
    timer.start()
    assert desks.open_store(sqlite_store).read(NOW, lambda desk: desk.head.size) == 0
    timer.join()
