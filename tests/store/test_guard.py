"""L14: nothing is appended to an older copy of what was signed, or to another ledger in its place."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from oz0mem.model.errors import Refused
from oz0mem.model.heads import Pin
from oz0mem.rules import merkle
from oz0mem.store.engine import Store
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from oz0mem.store.desk import Desk

HERE = "a place"


def pinned(desk: Desk) -> Pin:
    """What ``signed.json`` would have of the ledger as it is now."""
    head = desk.head
    root = merkle.root(head.edge, head.size).hex()
    return Pin(head.origin, desk.ledger.leaves(0, 1).hex(), HERE, head.size, root, "")


def opened(url: str, pin: Pin, place: str = HERE) -> Store:
    """The store as a process opens it on the machine that signed."""
    store = Store(url, "acme", os.urandom, pins=lambda origin: [pin] if origin == pin.ledger else [], place=place)
    desks.OPENED.append(store)
    return store


@pytest.fixture
def pin(made_url: str) -> Pin:
    """The head of a ledger of 700 events, so that tiles are read too."""
    store = desks.open_store(made_url)

    def fill(desk: Desk) -> None:
        for _ in range(700):
            desk.ledger.append("plugin.records.expired", desks.ACTOR, dict.fromkeys(_COUNTS, 0))

    store.write(NOW, fill)
    return store.read(NOW, pinned)


_COUNTS = ("lapsed", "expired", "erased", "removed")


def test_a_ledger_that_only_grew_is_appended_to(made_url: str, pin: Pin) -> None:
    """L14: at the size that was signed, and beyond it."""
    for text in ("Dana is in Lisbon", "Dana is in Porto"):
        opened(made_url, pin).write(NOW, lambda desk, text=text: put(desk, text))  # type: ignore[misc]  # bound now
    assert desks.open_store(made_url).read(NOW, lambda desk: desk.head.size) > pin.size


@pytest.mark.parametrize("run", ["write", "record", "govern"])
def test_an_older_copy_is_read_and_not_appended_to(made_url: str, pin: Pin, run: str) -> None:
    """L14: each kind of write, and what is told has both sizes."""
    store = opened(made_url, pin._replace(size=pin.size + 3))
    with pytest.raises(Refused) as caught:
        getattr(store, run)(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    assert caught.value.code == "ledger.rollback"
    assert caught.value.facts == {"events": 700, "signed": 703}
    assert store.read(NOW, lambda desk: desk.head.size) == 700
    with pytest.raises(Refused):  # once more: a refusal is not forgotten
        store.write(NOW, lambda desk: None)


def test_a_rewritten_ledger_is_not_appended_to(made_url: str, pin: Pin) -> None:
    """L14: as many events and more, under another root."""
    other = merkle.leaf_hash(b"another history").hex()
    with pytest.raises(Refused) as caught:
        opened(made_url, pin._replace(root=other)).write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    assert caught.value.code == "ledger.fork"


def test_another_ledger_in_the_same_place_is_not_appended_to(made_url: str, pin: Pin) -> None:
    """L14: one of the same origin, made anew where the signed one stood."""
    other = pin._replace(first="00" * 32)
    with pytest.raises(Refused) as caught:
        opened(made_url, other).write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    assert caught.value.code == "ledger.replaced"
    opened(made_url, other, place="elsewhere").write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))


def test_a_rewritten_leaf_far_back_is_noticed_where_it_is_read(made_url: str, pin: Pin) -> None:
    """L14, L11: the root is made from what is stored, so a tile that was changed does not pass."""
    store = desks.open_store(made_url)
    row = store.read(NOW, lambda desk: desk.ledger.row(1, 0))
    changed = bytes([row[0] ^ 1]) + row[1:]
    store.write(NOW, lambda desk: desk.work.run("UPDATE tile SET hashes = ? WHERE tenant = ?", (changed, 1)))
    with pytest.raises(Refused) as caught:
        opened(made_url, pin).write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    assert caught.value.code == "ledger.fork"
