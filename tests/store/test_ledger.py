"""L1, L10, L11: the ledger's rows, its tree beside them, and what guards them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import sql

from oz0mem.model.errors import Fault, Refused
from oz0mem.rules import events, merkle
from oz0mem.store.engine import Store
from tests.conftest import Databases
from tests.rules.naive_tree import naive_path, naive_root
from tests.store import desks
from tests.store.desks import ACTOR, NOW, put

if TYPE_CHECKING:
    from oz0mem.store.desk import Desk

MANY = 700
"""Events that fill two tiles and begin a third."""


@pytest.fixture
def long_store(store: Store) -> Store:
    """A ledger of many events, written in transactions of uneven sizes."""
    left = MANY
    for size in (1, 254, 1, 1, 255, 40, 148):
        store.write(NOW, lambda desk, size=size: [append(desk) for _ in range(size)])  # type: ignore[misc]  # mypy cannot infer the lambda's default
        left -= size
    assert left == 0
    return store


def append(desk: Desk) -> int:
    """Append an event that says nothing in particular."""
    return desk.ledger.append("job.ended", ACTOR, {"job": f"j-{desk.head.size:012x}"})


def test_events_stand_as_they_were_built(long_store: Store) -> None:
    """L10: the bytes are canonical, each says its own index, and the leaf beside it is their hash."""
    told = long_store.read(NOW, lambda desk: desk.ledger.between(0, MANY + 1))
    assert [each.at for each in told] == list(range(MANY))
    for each in told:
        assert events.parse(each.body)["index"] == each.at
        assert each.leaf == merkle.leaf_hash(each.body)
    assert len({events.parse(each.body)["salt"] for each in told}) == MANY


def test_the_edge_is_the_naive_trees(long_store: Store) -> None:
    """L11: the head row's edge folds to the root that RFC 9162 defines."""
    head, leaves = long_store.read(NOW, lambda desk: (desk.head, leaves_of(desk)))
    assert head.size == MANY
    assert merkle.root(head.edge, head.size) == naive_root(leaves)


def leaves_of(desk: Desk) -> list[bytes]:
    """The stored leaf hashes."""
    stored = desk.ledger.leaves(0, MANY + 1)
    return [stored[at : at + 32] for at in range(0, len(stored), 32)]


def test_proofs_come_from_leaves_and_tiles(long_store: Store) -> None:
    """L11: every kind of place has the proof that RFC 9162 defines; complete groups have tiles."""

    def prove(desk: Desk) -> None:
        leaves = leaves_of(desk)
        assert desk.ledger.row(1, 0) == naive_root(leaves[:256]) + naive_root(leaves[256:512])
        assert desk.ledger.row(2, 0) == b""
        for index in (0, 1, 255, 256, 511, 512, MANY - 1):
            for size in (index + 1, 512, MANY):
                if index < size:
                    proof = merkle.inclusion(index, size, desk.ledger.leaves, desk.ledger.row)
                    assert proof == naive_path(index, leaves[:size])

    long_store.read(NOW, prove)


def test_an_event_goes_with_its_change(store: Store) -> None:
    """L1: when the change is taken back, so are event, leaf, tile and edge."""
    store.write(NOW, lambda desk: [append(desk) for _ in range(255)])
    before = store.read(NOW, lambda desk: (desk.head, desk.ledger.row(1, 0)))

    def act(desk: Desk) -> None:
        put(desk, "Dana is in Lisbon")
        assert desk.ledger.row(1, 0) != b""
        raise Refused("x", "no")

    with pytest.raises(Refused):
        store.write(NOW, act)
    assert store.read(NOW, lambda desk: (desk.head, desk.ledger.row(1, 0))) == before
    assert store.read(NOW, lambda desk: desk.ledger.at(255)) is None


def test_an_event_against_its_schema_is_not_written(store: Store) -> None:
    """L2: an unknown action or field takes the whole transaction with it."""
    for action, fields in (("memory.dreamt", {}), ("job.ended", {"job": "j-0123456789ab", "text": "Lisbon"})):
        with pytest.raises(ValueError, match="event"):
            store.write(
                NOW,
                lambda desk, told=(action, fields): desk.ledger.append(told[0], ACTOR, told[1]),  # type: ignore[misc]  # as above
            )
    assert store.read(NOW, lambda desk: desk.head.size) == 0


def test_the_newest_event_of_an_entry(store: Store) -> None:
    """L7: of several versions the last event counts; an entry without one has none."""
    first = store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    other = store.write(NOW, lambda desk: put(desk, "Ana is in Porto"))
    second = store.write(NOW, lambda desk: desks.put_next(desk, first, "Dana is in Faro"))
    numbers = (first.numbers.entry, other.numbers.entry, 999)
    told = store.read(NOW, lambda desk: desk.ledger.newest_of(numbers))
    assert {number: each.at for number, each in told.items()} == {numbers[0]: 2, numbers[1]: 1}
    assert second.numbers.event == 2
    assert events.parse(told[numbers[0]].body)["version"] == 2


def test_the_latest_events(store: Store) -> None:
    """L2, Q14: newest first, by action, by entry and since a moment."""
    entry = store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    store.write(NOW + 5, append)
    store.write(NOW + 9, lambda desk: put(desk, "Ana is in Porto"))

    def ask(desk: Desk) -> list[list[int]]:
        answers = (
            desk.ledger.latest(before=9, limit=9),
            desk.ledger.latest(before=2, limit=9),
            desk.ledger.latest(before=9, limit=1),
            desk.ledger.latest(before=9, limit=9, action="memory.remembered"),
            desk.ledger.latest(before=9, limit=9, entry=entry.numbers.entry),
            desk.ledger.latest(before=9, limit=9, since=NOW + 5),
            desk.ledger.latest(before=9, limit=9, since=NOW + 6, action="job.ended"),
        )
        return [[told.at for told in answer] for answer in answers]

    assert store.read(NOW, ask) == [[2, 1, 0], [1, 0], [2], [2, 0], [0], [2, 1], []]


TAMPERING = (
    "DELETE FROM event WHERE tenant = 1 AND idx = 0",
    "DELETE FROM event",
    "UPDATE event SET action = 'job.ended'",
    "UPDATE event SET leaf = body",
    "UPDATE event SET idx = idx + 100",
    "UPDATE event SET at = at + 1",
    "UPDATE event SET entry = 0",
    "UPDATE event SET tenant = 2",
)
BLANKING = "UPDATE event SET body = {} WHERE tenant = 1 AND idx = 0"


@pytest.mark.parametrize("statement", [*TAMPERING, BLANKING.format("x'00'"), "UPDATE event SET body = x'', at = 0"])
def test_triggers_refuse_a_changed_event(sqlite_store: str, statement: str) -> None:
    """L11: on SQLite no statement deletes an event or changes one, but to blank its body."""
    store = desks.open_store(sqlite_store)
    store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    before = store.read(NOW, lambda desk: desk.ledger.at(0))
    with pytest.raises(Fault):
        store.write(NOW, lambda desk: desk.work.run(statement))
    assert store.read(NOW, lambda desk: desk.ledger.at(0)) == before


def test_a_trigger_lets_a_body_be_blanked(sqlite_store: str) -> None:
    """L11: past its retention a body may go; the leaf stays."""
    store = desks.open_store(sqlite_store)
    store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    leaf = store.read(NOW, lambda desk: desk.ledger.leaves(0, 1))
    store.write(NOW, lambda desk: desk.work.run(BLANKING.format("x''")))
    told = store.read(NOW, lambda desk: desk.ledger.at(0))
    assert told is not None
    assert (told.body, told.leaf) == (b"", leaf)


@pytest.fixture
def owned_url(databases: Databases) -> Any:
    """A database whose owner is a plain role, as an operator sets it up; a superuser has every privilege."""
    role = f"oz0mem_plain_{databases.run}"
    with psycopg.connect(databases.server, autocommit=True) as raw:
        raw.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))
        raw.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'plain'").format(sql.Identifier(role)))
        url = databases.create()
        name = url.partition("?")[0].rpartition("/")[2]
        raw.execute(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(sql.Identifier(name), sql.Identifier(role)))
    yield psycopg.conninfo.make_conninfo(url, user=role, password="plain")
    databases.drop(url)
    with psycopg.connect(databases.server, autocommit=True) as raw:
        raw.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


def as_url(conninfo: str) -> str:
    """Connection settings as a URL."""
    from urllib.parse import quote, urlencode

    parts = {key: str(value) for key, value in psycopg.conninfo.conninfo_to_dict(conninfo).items()}
    return f"postgresql:///{quote(parts.pop('dbname'))}?{urlencode(parts)}"


def test_privileges_refuse_a_changed_event(owned_url: str) -> None:
    """L11: on PostgreSQL even the owner of the tables may blank a body and nothing else."""
    desks.make(as_url(owned_url))
    store = desks.open_store(as_url(owned_url))
    store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    before = store.read(NOW, lambda desk: desk.ledger.at(0))
    for statement in (*TAMPERING, "TRUNCATE event"):
        with pytest.raises(Fault) as caught:
            store.write(NOW, lambda desk, tried=statement: desk.work.run(tried))  # type: ignore[misc]  # as above
        assert caught.value.code == "store.readonly", statement
    assert store.read(NOW, lambda desk: desk.ledger.at(0)) == before
    store.write(NOW, lambda desk: desk.work.run(BLANKING.format("''::bytea")))
    told = store.read(NOW, lambda desk: desk.ledger.at(0))
    assert told is not None
    assert told.body == b""
