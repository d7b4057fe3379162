"""L22, M7, R8: entries, their content in its one place, their words and their count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.entries import Entry
from oz0mem.model.names import OF_SCOPE
from oz0mem.rules.words import index_words
from tests.store import desks
from tests.store.desks import NOW, put

if TYPE_CHECKING:
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store

FULL = {
    "kind": "semantic",
    "state": "held",
    "tier": "published",
    "held": "review,tier",
    "scope": "project:web/shop",
    "about": "dana",
    "purpose": "customer-support",
    "agent": "concierge",
    "by": "ana",
    "key": "shipping city",
    "term": "city",
    "tags": ("a", "ß"),
    "source": {"system": "crm", "id": "7"},
    "read": ("crm:7", "wiki:9"),
    "compartments": ("legal",),
    "job": "j-0123456789ab",
    "origin": "import",
    "core": True,
    "restricted": True,
    "ends": NOW + 1,
    "valid_from": 1,
    "valid_until": 2**53 - 1,
    "ended_at": -1,
    "replaces": "m-0123456789ab",
    "replaced_by": "m-0123456789ac",
}
TEXT = "Dana ships to Lisbon \N{SNOWMAN} \0 \N{ZERO WIDTH SPACE}'; DROP TABLE body; -- 100% ?"


def test_an_entry_reads_as_it_was_written(store: Store, made_url: str) -> None:
    """Q14: every field comes back to the byte and the microsecond, whichever back end keeps it."""
    written = store.write(NOW, lambda desk: put(desk, TEXT, **FULL))
    again = desks.open_store(made_url)
    read = again.read(NOW, lambda desk: desk.entries.by_id(written.id))
    assert read == written
    assert read is not None
    assert (read.text, read.secret, read.created) == (TEXT, written.secret, NOW)
    assert {name: getattr(read, name) for name in FULL} == FULL


def test_the_newest_version_is_the_one_in_force(store: Store) -> None:
    """M33, L8: versions are kept in order; the last is the newest, and each has a key of its own (L3)."""
    first = store.write(NOW, lambda desk: put(desk, "Dana is in Lisbon"))
    store.write(NOW + 1, lambda desk: desks.put_next(desk, first, "Dana is in Porto"))
    number = first.numbers.entry

    def ask(desk: Desk) -> tuple[list[Entry], list[Entry], Entry | None]:
        return (
            desk.entries.newest([number, 999, number]),
            desk.entries.versions(number),
            desk.entries.by_id(first.id),
        )

    newest, versions, by_id = store.read(NOW, ask)
    assert [entry.text for entry in newest] == ["Dana is in Porto"]
    assert [entry.version for entry in versions] == [1, 2]
    assert [entry.numbers.newest for entry in versions] == [0, 1]
    assert versions[0].secret != versions[1].secret
    assert by_id == newest[0]


def test_the_newest_come_in_the_order_asked(store: Store) -> None:
    """Q14: an answer's order is the question's; a thousand at once are no more than one."""
    numbers = store.write(NOW, lambda desk: [put(desk, "x").numbers.entry for _ in range(900)])
    asked = [*reversed(numbers)]
    assert [entry.numbers.entry for entry in store.read(NOW, lambda desk: desk.entries.newest(asked))] == asked


def test_ids_are_found_by_their_beginning(store: Store) -> None:
    """C7: in order, and no wildcard is one."""
    ids = ["m-0a00000000aa", "m-0a00000000ab", "m-0b00000000ff", "n-0a00000000aa"]
    store.write(NOW, lambda desk: [put(desk, "x", id=each) for each in reversed(ids)])

    def ask(desk: Desk) -> list[list[str]]:
        return [desk.entries.ids_from(text) for text in ("m-0a", "m-", "m-0b00000000ff", "%", "m_", "*")]

    assert store.read(NOW, ask) == [ids[:2], ids[:3], ids[2:3], [], [], []]
    assert store.read(NOW, lambda desk: [desk.entries.has_id(each) for each in (ids[0], "m-0a", "%")]) == [
        True,
        False,
        False,
    ]


def test_sameness_and_keys_are_found_in_their_place(store: Store) -> None:
    """M2, M11: same text or key, same kind, same place; not another person's, scope's or purpose's."""
    about = {"about": "dana", "key": "city", "scope": "project:web", "purpose": "support"}

    def write(desk: Desk) -> Entry:
        first = put(desk, "Dana is in Lisbon", **about)
        for changed in ({"about": "ana"}, {"scope": "tenant"}, {"purpose": "billing"}, {"kind": "episodic"}):
            put(desk, "Dana is in Lisbon", **{**about, **changed})
        put(desk, "Dana is in Porto", **{**about, "key": "City"})
        return first

    first = store.write(NOW, write)

    def ask(desk: Desk) -> tuple[list[Entry], list[Entry], list[Entry]]:
        numbers = first.numbers
        return (
            desk.entries.same("Dana is in Lisbon", numbers.place, numbers.about, "semantic"),
            desk.entries.keyed("city", numbers.place, "semantic"),
            desk.entries.keyed("", numbers.place, "semantic"),
        )

    assert store.read(NOW, ask) == ([first], [first], [])


def test_a_scopes_count_goes_up_and_down(store: Store) -> None:
    """M7: the usage columns say what the rows say after writes, an edit and an erasure."""

    def write(desk: Desk) -> list[Entry]:
        return [put(desk, text, scope=scope) for text, scope in (("é", "tenant"), ("abc", "tenant"), ("d", "agent:a"))]

    first, second, _ = store.write(NOW, write)

    def ask(desk: Desk) -> list[tuple[int, int]]:
        scopes = [desk.names.find(OF_SCOPE, scope) for scope in ("tenant", "agent:a", "agent:b")]
        assert all(noted == there for _, noted, there in desk.checks.usage())
        return [desk.entries.used(scope) for scope in scopes]

    assert store.read(NOW, ask) == [(2, 5), (1, 1), (0, 0)]
    store.write(NOW, lambda desk: desks.put_next(desk, first, "four"))
    assert store.read(NOW, ask) == [(2, 9), (1, 1), (0, 0)]

    def erase(desk: Desk) -> None:
        newest = desk.entries.by_id(first.id)
        assert newest is not None
        desk.erasing.erase_entry(desks.begin(desk), newest)

    store.write(NOW, erase)
    assert store.read(NOW, ask) == [(1, 3), (1, 1), (0, 0)]
    assert second.numbers.bytes == 3


def test_a_body_is_overwritten_where_it_stands(sqlite_store: str) -> None:
    """L22: the file has zeros at the very place where the text was, and is no longer by a byte."""
    store = desks.open_store(sqlite_store)
    path = desks.path_of(sqlite_store)
    for size in (20, 500, 3_000, 15_000):
        content = (f"<{size}>" + "v" * size).encode()
        number = store.write(NOW, lambda desk, content=content: desk.bodies.put(content))  # type: ignore[misc]  # mypy cannot infer the lambda's default
        assert store.scrub(None) == "not-checked"
        before = path.read_bytes()
        at = before.index(content[:20])
        gone = store.write(NOW, lambda desk, number=number: desk.bodies.overwrite([number, 0]))  # type: ignore[misc]  # as above
        assert gone == [content]
        assert store.scrub(None) == "not-checked"
        after = path.read_bytes()
        assert len(after) == len(before)
        assert content[:20] not in after
        assert b"v" * 20 not in after
        assert after[at : at + 20] == bytes(20)
        assert store.read(NOW, lambda desk, number=number: desk.bodies.get(number)) == b""  # type: ignore[misc]  # as above


def test_what_is_overwritten_reads_as_nothing(store: Store) -> None:
    """L22: zeros of the same length, and only where something stood; what was never there is no zero."""
    one, two = store.write(NOW, lambda desk: (desk.bodies.put(b"Lisbon"), desk.bodies.put(b"Porto")))
    assert store.write(NOW, lambda desk: desk.bodies.overwrite([one])) == [b"Lisbon"]
    assert store.write(NOW, lambda desk: desk.bodies.overwrite([one])) == []

    def ask(desk: Desk) -> None:
        row = desk.work.row("SELECT content FROM body WHERE tenant = ? AND num = ?", (desk.work.tenant, one))
        assert row is not None
        assert bytes(row[0]) == bytes(6)
        assert desk.bodies.many([one, two, 999]) == {one: b"", two: b"Porto"}
        assert desk.bodies.are_zeros([one])
        assert not desk.bodies.are_zeros([one, two])
        assert not desk.bodies.are_zeros([one, 999])

    store.read(NOW, ask)


def test_content_stands_in_one_place(sqlite_store: str) -> None:
    """L22: texts, keys, terms, tags, sources and version keys in bodies alone, words in words alone."""
    store = desks.open_store(sqlite_store)
    named = {name: f"quagga-{name}" for name in ("key", "term")}
    entry = store.write(
        NOW,
        lambda desk: put(
            desk,
            "Quagga-text",
            tags=("quagga-tag",),
            source={"id": "quagga-source"},
            read=("quagga-read",),
            **named,
        ),
    )
    store.write(NOW, lambda desk: desk.reasons.put("quagga-reason"))
    store.write(NOW, lambda desk: desk.calls.note("quagga", {"a": "quagga"}, entry=1, about=0))
    store.write(NOW, lambda desk: desk.proposals.put(entry, starter=1, agent=2, reason="quagga"))
    assert desks.tables_with(store, b"quagga") == {"body", "word"}
    assert desks.tables_with(store, b"Quagga") == {"body"}
    assert desks.tables_with(store, entry.secret) == set()
    assert desks.tables_with(store, entry.secret.hex().encode()) == {"body"}


def test_postings_say_which_entry_has_which_word(store: Store) -> None:
    """R8: word, place, entry and count; within places or everywhere."""
    one = store.write(NOW, lambda desk: put(desk, "Lisbon harbour, Lisbon bridge", scope="project:a"))
    two = store.write(NOW, lambda desk: put(desk, "Porto bridge", scope="project:b"))

    def ask(desk: Desk) -> None:
        words = [word for text in ("lisbon", "bridge", "madrid") for word in index_words(text)]
        numbers = desk.words.numbers(words)
        assert list(numbers) == words[:2]
        lisbon, bridge = numbers.values()
        a, b = one.numbers.entry, two.numbers.entry
        assert desk.words.postings([lisbon, bridge], None) == {lisbon: {a: 2}, bridge: {a: 1, b: 1}}
        assert desk.words.postings([bridge], [two.numbers.place]) == {bridge: {b: 1}}
        assert desk.words.postings([], None) == {}
        assert desk.words.postings([bridge], []) == {bridge: {}}
        found = {word: count for word, _, _, count in desk.checks.postings(b)}
        assert found == dict(index_words("Porto bridge"))
        places = [one.numbers.place, two.numbers.place]
        assert desk.words.sharing([lisbon, bridge], places, 1, 9) == [(a, 2), (b, 1)]
        assert desk.words.sharing([lisbon, bridge], places, 2, 9) == [(a, 2)]
        assert desk.words.sharing([], places, 1, 9) == []

    store.read(NOW, ask)


def test_a_word_goes_with_its_last_entry(store: Store) -> None:
    """R8, L22: an orphaned word is overwritten, and gets a new number when it comes again."""
    one = store.write(NOW, lambda desk: put(desk, "Lisbon bridge"))
    two = store.write(NOW, lambda desk: put(desk, "Porto bridge"))
    words = {word: word for word in ("lisbon", "bridg")}

    def erase(desk: Desk, entry: Entry) -> list[bytes]:
        return desk.erasing.erase_entry(desks.begin(desk), entry).words

    before = store.read(NOW, lambda desk: desk.words.numbers(words))
    assert store.write(NOW, lambda desk: erase(desk, one)) == [b"lisbon"]
    after = store.read(NOW, lambda desk: desk.words.numbers(words))
    assert after == {"bridg": before["bridg"]}
    assert store.read(NOW, lambda desk: desk.bodies.are_zeros([before["lisbon"]], table="word"))
    again = store.write(NOW, lambda desk: (put(desk, "Lisbon"), desk.words.numbers(words)))[1]
    assert again["lisbon"] > before["bridg"]
    assert sorted(store.write(NOW, lambda desk: erase(desk, two))) == [b"bridg", b"porto"]


def test_nothing_is_asked_for_and_nothing_answered(store: Store) -> None:
    """Q14: an empty list of numbers is in no row, on either back end."""

    def ask(desk: Desk) -> list[object]:
        return [
            desk.entries.newest([]),
            desk.entries.parts_of([]),
            desk.bodies.many([]),
            desk.words.numbers([]),
            desk.words.postings([], [1]),
            desk.ledger.newest_of([]),
            desk.listing.in_places([], ["active"], 9),
            desk.listing.in_places([1], [], 9),
            desk.listing.rows_of([]),
            desk.listing.counts([], NOW),
            desk.holds.covering_each([]),
        ]

    store.write(NOW, lambda desk: put(desk, "Lisbon"))
    assert store.read(NOW, ask) == [[], {}, {}, {}, {}, {}, [], [], [], (0, 0), {}]
