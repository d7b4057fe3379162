"""A perfect guesser: the files, every key that lives in them, every erased text to try (part 4.5)."""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from typing import TYPE_CHECKING, Any

from oz0mem.actions import gate
from oz0mem.actions.entries import Remember
from oz0mem.model.entries import Entry, record_of
from oz0mem.model.names import fold
from oz0mem.rules import merkle, record
from oz0mem.rules.sameness import same_text
from oz0mem.rules.words import index_words
from oz0mem.store.names import hash64
from tests.actions.evidence import run_sql, stored_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oz0mem.actions.ports import Desk
    from tests.actions.world import World

LABELS = ("oz0mem/subject/1", "oz0mem/actor/1", "oz0mem/reason/1", "oz0mem/entry/1")
"""Under which keyed digests are made (L3 to L5)."""
USES = ("word", "same", "key", "name", "fold", "call")


def words_of(entries: Iterable[Entry]) -> set[str]:
    """Everything in words that entries say: texts, their words, keys, tags, sources, what was read."""
    found: set[str] = set()
    for entry in entries:
        texts = [entry.text, entry.key, *entry.tags, *entry.source.values(), *entry.read]
        found.update(text for text in texts if text)
        found.update(word for text in texts for word in index_words(text))
    return found


def _keys(world: World) -> list[bytes]:
    """Every key that lives: the tenant's, people's, those of versions and reasons."""
    rows = run_sql(world, "SELECT content FROM body")
    bodies = [bytes(row[0]) for row in rows]
    keys = [bytes(run_sql(world, "SELECT hash_key FROM head")[0][0])]
    keys += [body for body in bodies if len(body) == 32]
    for body in bodies:
        at = body.rfind(b'"k":"')
        if at >= 0:
            keys.append(bytes.fromhex(body[at + 5 : at + 69].decode()))

    def own(desk: Desk) -> bytes:
        return gate.own_key(desk)

    return [*keys, world.store.read(world.now, own)]


def _numbers(world: World) -> set[int]:
    """Every number in every table that could be a hash."""
    tables = [row[0] for row in run_sql(world, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    found: set[int] = set()
    for table in tables:
        for row in run_sql(world, f"SELECT * FROM {table}"):
            found.update(value for value in row if isinstance(value, int) and abs(value) > 2**53)
    return found


def _messages(world: World, texts: Iterable[str], entries: Iterable[Entry]) -> Iterator[bytes]:
    """What a keyed digest could have been made over."""
    for text in texts:
        yield text.encode()
        yield b"oz0mem/reason/1\0" + text.encode()
        for kind in ("note", "semantic"):
            asked: dict[str, Any] = Remember(text, kind=kind)._asdict()
            plain = {name: value for name, value in asked.items() if value not in (None, "", (), False)}
            for given in ({**asked, "call_id": ""}, plain):
                yield json.dumps(["remember", given], sort_keys=True, default=str).encode()
    for entry in entries:
        origin = world.store.read(world.now, lambda desk: desk.head.origin)
        yield b"oz0mem/entry/1\0" + record.encode(origin, record_of(entry))
        yield record.encode(origin, record_of(entry))


def _tries(texts: Iterable[str], keys: Iterable[bytes]) -> Iterator[tuple[str, bytes, str, str]]:
    """Every text in every form that is hashed, under every key, for every use."""
    forms = [(text, form) for text in texts for form in {text, same_text(text), fold(text)}]
    return ((text, key, use, form) for text, form in forms for key in keys for use in USES)


def matches(world: World, texts: Iterable[str], entries: Iterable[Entry] = ()) -> list[str]:
    """Which guesses match anything that is left; of each match its beginning."""
    said, kept = [*texts], [*entries]
    stored, numbers, keys = stored_bytes(world), _numbers(world), _keys(world)
    assert numbers and len(keys) > 3  # there is something to guess at
    hits: list[str] = []
    eights = {stored[at : at + 8] for at in range(len(stored) - 7)}
    for text, key, use, form in _tries(said, keys):
        value = hash64(key, use, form)
        if value in numbers:
            hits.append(f"{use} {text}")
        if any(width in eights if len(width) == 8 else width in stored for width in _widths(value)):
            hits.append(f"{use} in the bytes {text}")
    for message in _messages(world, said, kept):
        digests = [
            hashlib.sha256(message).digest(),
            hashlib.blake2b(message).digest(),
            merkle.leaf_hash(message),
        ]
        digests += [hmac.digest(key, message, "sha256") for key in keys]
        for digest in digests:
            if digest in stored or digest.hex().encode() in stored:
                hits.append(message[:60].decode("utf-8", "replace"))
    return hits


def spellings(name: str) -> set[str]:
    """A name as somebody might write it: composed, decomposed, folded, in other letters, and its words."""
    forms = {name, fold(name), same_text(name), name.upper(), name.lower(), name.title(), name.casefold()}
    forms |= {unicodedata.normalize(form, each) for each in forms for form in ("NFC", "NFD", "NFKC", "NFKD")}
    return forms | {word for each in forms for word in index_words(each)}


def _widths(value: int) -> list[bytes]:
    """A number as a row of SQLite may have it."""
    return [value.to_bytes(size, "big", signed=True) for size in (8, 6) if abs(value) < 1 << 8 * size - 1]


def _digests(world: World, forms: Iterable[str], keys: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Every digest that could have been made over a name, with what it would be."""
    origin = world.store.read(world.now, lambda desk: desk.head.origin)
    for form in forms:
        said = form.encode()
        yield from (("plain", made(said).digest()) for made in (hashlib.sha256, hashlib.blake2b, hashlib.sha1))
        for key in keys:
            yield "plain", hmac.digest(key, said, "sha256")
            for label in LABELS:
                use = label.split("/")[1]
                yield use, hmac.digest(key, f"{label}\0{origin}\0{form}".encode(), "sha256")
                yield use, hmac.digest(key, f"{label}\0{form}".encode(), "sha256")


def name_matches(world: World, name: str, *callers: str) -> set[str]:
    """By what a name is found in anything that is left, with every key in hand; nothing where it is gone (4.5).

    Args:
        world: on SQLite.
        name: the person's.
        callers: what calls with that name in them are remembered by, where somebody knows all the rest (M9).
    """
    forms, stored, numbers, keys = spellings(name), stored_bytes(world), _numbers(world), _keys(world)
    assert numbers and len(keys) > 3  # there is something to guess at
    hits = {"standing" for form in forms if len(form.encode()) > 5 and form.encode() in stored}
    for key, use, form in ((key, use, form) for key in keys for use in USES for form in (*forms, *callers)):
        value = hash64(key, use, form)
        if value in numbers:
            hits.add(use)
        if any(width in stored for width in _widths(value)):
            hits.add(f"{use} in the bytes")
    hits |= {use for use, made in _digests(world, forms, keys) if made in stored or made.hex().encode() in stored}
    return hits


def standing(world: World, texts: Iterable[str]) -> list[str]:
    """Which of these stand in the files of the store as they are; short ones are left to the guesser."""
    stored = stored_bytes(world)
    return sorted(text for text in texts if len(text) > 3 and text.encode() in stored)


def pages(world: World) -> bytes:
    """The store's file and its log, without the index of the log, which every reader may write to."""
    path = world.store.back.path  # type: ignore[union-attr]  # asked of SQLite worlds alone
    return b"".join(file.read_bytes() for file in (path, path.with_name(path.name + "-wal")) if file.exists())


def living(world: World) -> list[Entry]:
    """Every version that is not erased."""

    def look(desk: Any) -> list[Entry]:
        return [entry for entry in desk.entries.load(desk.listing.all_rows(10_000)) if entry.state != "erased"]

    return world.store.read(world.now, look)
