"""Q5, L20: real serialization failures, deadlocks and lost servers on PostgreSQL."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from oz0mem.model.errors import Fault
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.store.desk import Desk

TOKEN = b"\1" * 32


def with_options(url: str, options: str) -> str:
    """The URL with settings that every session on it begins with."""
    return f"{url}{'&' if '?' in url else '?'}options={options.replace(' ', '%20').replace('=', '%3D')}"


def test_a_serialization_failure_is_tried_again_whole(postgres_store: str) -> None:
    """Q5: SQLSTATE 40001, met by a snapshot that is older than another writer's commit."""
    store = desks.open_store(with_options(postgres_store, "-c default_transaction_isolation=serializable"))
    rival = desks.open_store(postgres_store)
    tries: list[int] = []

    def act(desk: Desk) -> int:
        tries.append(desk.head.size)
        if len(tries) == 1:
            # Another connection changes a row that this snapshot has seen and will change.
            with psycopg.connect(postgres_store) as raw:
                raw.execute("UPDATE usage SET entries = 7 WHERE tenant = 1 AND scope = 99")
        desk.entries.use(99, 1, 0)
        return desk.entries.used(99)[0]

    rival.write(NOW, lambda desk: desk.entries.use(99, 1, 0))
    assert store.write(NOW, act) == 8
    assert len(tries) == 2


class Knot:
    """Another program that ties a deadlock: it has a row, and asks for the head row which the writer has."""

    def __init__(self, url: str, table: str) -> None:
        self.raw: Any = psycopg.connect(with_options(url, "-c deadlock_timeout=20s"))
        self.raw.execute(f"SELECT * FROM {table} WHERE tenant = 1 FOR UPDATE")
        self.thread = threading.Thread(target=self._ask)
        self.tied = False

    def tie(self) -> None:
        """Ask for the head row, once; the caller holds it."""
        if not self.tied:
            self.tied = True
            self.thread.start()
            time.sleep(0.2)

    def _ask(self) -> None:
        self.raw.execute("SELECT * FROM head WHERE tenant = 1 FOR UPDATE")
        self.raw.rollback()
        self.raw.close()


@pytest.fixture
def quick(postgres_store: str) -> str:
    """A URL on which a session finds a deadlock at once, so that it is the one which gives way."""
    return with_options(postgres_store, "-c deadlock_timeout=20ms")


def through_a_deadlock(url: str, table: str, run: Callable[[Callable[[Desk], None]], None]) -> int:
    """Run a transaction into a deadlock; answers how often it was begun."""
    knot = Knot(url, table)
    tries: list[int] = []

    def begun(desk: Desk) -> None:
        tries.append(desk.head.next)
        knot.tie()

    run(begun)
    knot.thread.join(30)
    assert not knot.thread.is_alive()
    assert len(set(tries)) == 1
    return len(tries)


def test_a_deadlock_is_tried_again_whole(postgres_store: str, quick: str) -> None:
    """Q5: SQLSTATE 40P01; the second try begins from nothing and is written once."""
    desks.open_store(postgres_store).write(NOW, lambda desk: desk.entries.use(99, 1, 0))
    store = desks.open_store(quick)

    def run(begun: Callable[[Desk], None]) -> None:
        def act(desk: Desk) -> None:
            begun(desk)
            put(desk, "Dana is in Lisbon")
            desk.entries.use(99, 1, 0)

        store.write(NOW, act)

    assert through_a_deadlock(postgres_store, "usage", run) > 1
    assert store.read(NOW, lambda desk: (desk.head.size, desk.entries.used(99))) == (1, (2, 0))


def test_governance_is_tried_again_whole(postgres_store: str, quick: str) -> None:
    """Q5, Q1: a deadlock that SQLModel's session meets is retried like any other, its rows written once."""
    ana = desks.open_store(postgres_store).govern(
        NOW, lambda desk: desk.governance.put_principal("ana", "admin", TOKEN)
    )
    store = desks.open_store(quick)

    def run(begun: Callable[[Desk], None]) -> None:
        def act(desk: Desk) -> None:
            begun(desk)
            desk.governance.put_principal("dana", "member", b"\2" * 32)
            desk.governance.change_principal(ana, disabled=True)

        store.govern(NOW, act)

    assert through_a_deadlock(postgres_store, "principal", run) > 1
    people = store.read(NOW, lambda desk: desk.identity.principals())
    assert [(person.name, person.disabled) for person in people] == [("ana", True), ("dana", False)]


def test_a_server_that_was_restarted_is_met_again(postgres_store: str) -> None:
    """Q12: the transaction that lost its server fails with a sentence; the next one connects anew."""
    store = desks.open_store(postgres_store)

    def act(desk: Desk) -> None:
        put(desk, "Dana is in Lisbon")
        row = desk.work.row("SELECT pg_backend_pid()")
        assert row
        with psycopg.connect(postgres_store, autocommit=True) as raw:
            raw.execute("SELECT pg_terminate_backend(%s)", row)
        time.sleep(0.1)
        put(desk, "Dana is in Porto")

    with pytest.raises(Fault) as caught:
        store.write(NOW, act)
    assert caught.value.code == "store.unreachable"
    assert "Lisbon" not in caught.value.message
    assert store.write(NOW, lambda desk: put(desk, "Dana is in Faro")).numbers.event == 0
