"""A name taken out of the tables: rows overwritten where they stand, indexes built anew (L4, L22)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.model.erasures import Gone
from oz0mem.model.names import OF_AGENT, OF_PERSON, fold
from oz0mem.store import scrubbing
from oz0mem.store.names import hash64
from oz0mem.store.unlinking import Unlinking
from tests.store import desks
from tests.store.desks import NOW

if TYPE_CHECKING:
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store

PEOPLE = 8_000


def take(desk: Desk, *names: str) -> Gone:
    """Take names as an erasure does."""
    gone = Gone([], [])
    for name in names:
        number = desk.names.find(OF_PERSON, name)
        erasure = desks.begin(desk, "memory.expired", number)
        gone = gone.joined(desk.unlinking.take(erasure, number))
    desk.unlinking.rebuild()
    return gone


def pages(store: Store) -> bytes:
    """Every byte of the file, gaps and free pages too."""
    raw: Any = store.connection()
    assert scrubbing.truncate(raw, desks.path_of(store.url))
    return bytes(raw.serialize())


def hashes(key: bytes, name: str) -> list[bytes]:
    """The hashes by which a name is found, as a row has them."""
    return [
        hash64(key, use, form).to_bytes(8, "big", signed=True) for use, form in (("name", name), ("fold", fold(name)))
    ]


@pytest.fixture
def crowded(sqlite_store: str) -> tuple[Store, list[str]]:
    """A store with so many people that pages of indexes were split, and those of whom a split left a copy behind."""
    store = desks.open_store(sqlite_store)
    names = [f"customer-{number}" for number in range(PEOPLE)]
    for start in range(0, PEOPLE, 16):
        part = names[start : start + 16]
        store.write(NOW, lambda desk, part=part: [desk.names.ensure(OF_PERSON, name) for name in part])  # type: ignore[misc]  # bound now
    key, content = store.read(NOW, lambda desk: desk.head.hash_key), pages(store)
    # A row and one index have each hash: what stands a third time is in a gap.
    seen: dict[bytes, int] = {}
    wanted = {each: name for name in names for each in hashes(key, name)}
    for at in range(len(content) - 8):
        part_ = content[at : at + 8]
        if part_ in wanted:
            seen[part_] = seen.get(part_, 0) + 1
    left = sorted({wanted[each] for each, count in seen.items() if count > 2})
    assert left, "no split left anything behind: the tests prove nothing"
    return store, left


def found(store: Store, names: list[str]) -> int:
    """How many hashes of names stand anywhere in the file."""
    key, content = store.read(NOW, lambda desk: desk.head.hash_key), pages(store)
    return sum(each in content for name in names for each in hashes(key, name))


def test_no_gap_of_a_page_keeps_a_hash(crowded: tuple[Store, list[str]]) -> None:
    """L4, L22: nor those of a split long ago; everybody else is found as before."""
    store, left = crowded
    store.write(NOW, lambda desk: take(desk, *left))
    assert found(store, left) == 0
    others = random.Random(1).sample([f"customer-{number}" for number in range(PEOPLE)], 500)
    known = store.read(NOW, lambda desk: [name for name in others if desk.names.find(OF_PERSON, name)])
    assert known == [name for name in others if name not in left]
    assert store.read(NOW, lambda desk: desk.checks.wrong_names()) == []


def test_without_new_indexes_a_gap_would(crowded: tuple[Store, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """L22: the row is overwritten, the copy beside it is not; the search of the files tells."""
    store, left = crowded
    monkeypatch.setattr(Unlinking, "rebuild", lambda _: None)
    gone = store.write(NOW, lambda desk: take(desk, *left))
    assert found(store, left) > 0
    raw = store.connection()
    assert scrubbing.residue(raw, desks.path_of(store.url), gone) == "found"
    assert store.scrub(gone) == "none-found"  # by rewriting the file whole
    assert found(store, left) == 0


def test_the_row_stays_of_its_length_and_finds_nobody(store: Store) -> None:
    """L4, L22: rows of names never move, so that none is copied; the number has no spelling and no key any more."""
    number = store.write(NOW, lambda desk: desk.names.ensure(OF_PERSON, "erin"))
    before = store.read(NOW, lambda desk: desk.work.row("SELECT hash, fold FROM name WHERE num = ?", (number,)))
    store.write(NOW, lambda desk: take(desk, "erin"))
    after = store.read(NOW, lambda desk: desk.work.row("SELECT hash, fold FROM name WHERE num = ?", (number,)))
    assert before and after and not {*before} & {*after}
    assert all(abs(value) >= 1 << 47 for value in after)
    assert store.read(NOW, lambda desk: desk.names.spelled([number])) == {number: "", 0: ""}
    assert store.read(NOW, lambda desk: desk.names.subject_key(number)) == b""
    with pytest.raises(ValueError, match="32 bytes"):
        store.read(NOW, lambda desk: desk.names.subject_handle(number))


def test_what_somebody_else_has_too_is_not_looked_for(sqlite_store: str) -> None:
    """L22: an agent of that name lives, and so does its hash; the file is not rewritten for it."""
    store = desks.open_store(sqlite_store)

    def write(desk: Desk) -> Gone:
        desk.names.ensure(OF_AGENT, "concierge")
        desk.names.ensure(OF_PERSON, "concierge")
        return take(desk, "concierge")

    gone = store.write(NOW, write)
    key = store.read(NOW, lambda desk: desk.head.hash_key)
    assert not {*hashes(key, "concierge")} & {*gone.marks}
    assert scrubbing.truncate(store.connection(), desks.path_of(store.url))
    assert scrubbing.residue(store.connection(), desks.path_of(store.url), gone) == "none-found"
    assert store.read(NOW, lambda desk: desk.names.find(OF_AGENT, "concierge")) > 0


def test_an_erasure_is_open_until_its_name_reads_back_as_zeros(store: Store) -> None:
    """L21, L22: name and key are among what is read back, and the count of the chain goes last."""
    number = store.write(NOW, lambda desk: desk.names.ensure(OF_PERSON, "erin"))
    handle = store.read(NOW, lambda desk: desk.names.subject_handle(number))
    body = store.read(NOW, lambda desk: desk.work.row("SELECT body FROM name WHERE num = ?", (number,)))
    store.write(NOW, lambda desk: take(desk, "erin"))
    (opened,) = store.read(NOW, lambda desk: desk.erasing.open())
    assert (opened.subject, opened.unlinks, opened.entries) == (handle, True, [])
    assert store.read(NOW, lambda desk: desk.erasing.reads_back_as_zeros(opened.number))
    assert store.read(NOW, lambda desk: desk.checks.people()) == [number]
    assert body is not None
    store.write(NOW, lambda desk: desk.work.run("UPDATE body SET content = ? WHERE num = ?", (b"erin", body[0])))
    assert not store.read(NOW, lambda desk: desk.erasing.reads_back_as_zeros(opened.number))
    store.write(NOW, lambda desk: desk.erasing.close(opened.number))
    assert store.read(NOW, lambda desk: desk.checks.people()) == []
