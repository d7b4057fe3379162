"""L22: what is looked for in a file is found wherever it stands; hashes in the gaps of pages are cleared."""

from __future__ import annotations

import io
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.model.erasures import Gone
from oz0mem.rules.sameness import same_text
from oz0mem.rules.words import index_words
from oz0mem.store import scrubbing, searching
from oz0mem.store.names import hash64
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from oz0mem.model.entries import Entry
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store


ENTRIES = 3_000


def hashes(store: Store, entry: Entry) -> list[bytes]:
    """What leads to an entry with the key of the store in hand: hashes of its words, its key and its text."""
    key = store.read(NOW, lambda desk: desk.head.hash_key)
    tries = [("word", word) for word in index_words(entry.text)]
    tries += [("key", entry.key), ("same", same_text(entry.text))]
    return [hash64(key, use, text).to_bytes(8, "big", signed=True) for use, text in tries if text]


def pages(store: Store) -> bytes:
    """Every byte of the file, gaps and free pages too."""
    raw: Any = store.connection()
    assert scrubbing.truncate(raw, desks.path_of(store.url))
    return bytes(raw.serialize())


def guessed(store: Store, entries: list[Entry]) -> int:
    """How many hashes of entries stand anywhere in the file."""
    content = pages(store)
    return sum(each in content for entry in entries for each in hashes(store, entry))


def erase(store: Store, entries: list[Entry]) -> Gone:
    """Erase entries, one transaction each."""

    def act(desk: Desk, entry: Entry) -> Gone:
        erasure = desks.begin(desk)
        gone = desk.erasing.erase_entry(erasure, entry)
        desk.erasing.close(erasure)
        return gone

    return Gone([], []).joined(*(store.write(NOW, lambda desk, entry=entry: act(desk, entry)) for entry in entries))  # type: ignore[misc]  # bound now


@pytest.fixture
def crowded(sqlite_store: str) -> tuple[Store, list[Entry]]:
    """A store so full that pages of indexes were split, and those entries of which a split left a copy behind."""
    store = desks.open_store(sqlite_store)
    kept: list[Entry] = []
    for start in range(0, ENTRIES, 20):
        part = [f"paper{n} harbour{n} bicycle{n} shared" for n in range(start, start + 20)]
        kept += store.write(NOW, lambda desk, part=part: [put(desk, text, key=text[:10]) for text in part])  # type: ignore[misc]  # bound now
    content = pages(store)
    owners = {each: entry for entry in kept for each in hashes(store, entry)[:2]}
    runs = (content[at : at + 8] for at in range(len(content) - 7))
    copies = Counter(run for run in runs if run in owners)
    left = {entry.id: entry for each, entry in owners.items() if copies[each] > 1}
    assert left, "no split left anything behind: the tests prove nothing"
    return store, list(left.values())


def test_no_gap_of_a_page_keeps_a_hash_of_what_was_erased(crowded: tuple[Store, list[Entry]]) -> None:
    """L22, 4.5: the search finds it, and the file is written anew; who has the key guesses nothing."""
    store, left = crowded
    gone = erase(store, left)
    assert guessed(store, left) > len(left)  # "shared" lives
    assert scrubbing.residue(store.connection(), desks.path_of(store.url), gone) == "found"
    assert store.scrub(gone) == "none-found"
    assert guessed(store, left) == len(left)
    gone_words = [entry.text.split()[0] for entry in left]
    assert store.read(NOW, lambda desk: len(desk.words.numbers([*gone_words, *index_words("shared")]))) == 1


def test_without_the_marks_a_gap_would(crowded: tuple[Store, list[Entry]]) -> None:
    """4.5: letters and version keys are gone, and the search for them finds nothing; the hashes are there."""
    store, left = crowded
    gone = erase(store, left)
    assert store.scrub(gone._replace(marks=())) == "none-found"
    assert guessed(store, left) > len(left)


def test_every_hash_that_led_to_an_entry_is_looked_for(store: Store) -> None:
    """L22, 4.5: of all its versions, also of words that an edit of work took out of the index long ago."""

    def live(desk: Desk) -> tuple[list[Entry], Gone]:
        first = put(desk, "harbour paper", key="city")
        before = desk.words.take(first.numbers.entry)
        second = desks.put_next(desk, first, "bicycle")
        desk.words.put(first.numbers.entry, second.numbers.place, index_words("bicycle"))
        desk.erasing.erase_words(0, desk.words.unused(before))
        desk.calls.note("call", {}, entry=first.numbers.entry, about=0)
        desk.reasons.put("because", entry=first.numbers.entry)
        return [first, second], desk.erasing.erase_entry(desks.begin(desk), second)

    versions, gone = store.write(NOW, live)
    key = store.read(NOW, lambda desk: desk.head.hash_key)
    beside = {hash64(key, "call", "call"), *(hash64(key, "word", word) for word in index_words("because"))}
    wanted = {each for entry in versions for each in hashes(store, entry)}
    assert {*gone.marks} == wanted | {value.to_bytes(8, "big", signed=True) for value in beside}


def test_a_hash_that_lives_again_is_no_residue(sqlite_store: str) -> None:
    """L22: the key of another fact, a word that somebody used since; the file is not written anew for them."""
    store = desks.open_store(sqlite_store)

    def live(desk: Desk) -> Gone:
        put(desk, "Lisbon", key="city")
        entry = put(desk, "Porto harbour", key="city")
        gone = desk.erasing.erase_entry(desks.begin(desk), entry)
        put(desk, "harbour")
        return gone

    gone = store.write(NOW, live)
    assert len(gone.marks) == 4
    assert scrubbing.truncate(store.connection(), desks.path_of(sqlite_store))
    assert scrubbing.residue(store.connection(), desks.path_of(sqlite_store), gone) == "none-found"
    assert searching.found_in(io.BytesIO(pages(store)), (), gone.marks)


@pytest.mark.parametrize("count", [3, 40])
@pytest.mark.parametrize("chunk", [23, 64, 1 << 20])
def test_many_parts_are_found_wherever_they_stand(monkeypatch: pytest.MonkeyPatch, count: int, chunk: int) -> None:
    """L22: at every offset, across two reads, at the end; of any length; and nothing that is not there."""
    monkeypatch.setattr(searching, "_CHUNK", chunk)
    chance = random.Random(count)
    parts = [chance.randbytes(chance.choice((1, 6, 7, 8, 8, 8, 32))) for _ in range(count)]
    there, absent = parts[: count // 2], {part for part in parts[count // 2 :] if len(part) > 1}
    for shift in range(9):
        content = b"\0" * shift + b"".join(part + b"\0" * (shift % 3) for part in there)
        assert searching.found_in(io.BytesIO(content), (), parts) - {p for p in parts if len(p) == 1} == {
            part for part in there if len(part) > 1
        }
        assert not searching.found_in(io.BytesIO(content), absent) & absent


def test_a_mark_that_is_a_word_is_found_within_another() -> None:
    """L22: marks are looked for as bytes, words as whole words."""
    content = b"\0lisbonne\0"
    assert searching.found_in(io.BytesIO(content), {b"lisbon"}) == set()
    assert searching.found_in(io.BytesIO(content), {b"lisbon"}, {b"lisbon"}) == {b"lisbon"}
