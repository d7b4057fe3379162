"""L4, L22: names are numbers found by keyed hashes; people stand in the ledger by handle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.names import OF_AGENT, OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.rules import record
from tests.store import desks
from tests.store.desks import NOW

if TYPE_CHECKING:
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store


def test_a_name_keeps_its_number(store: Store, made_url: str) -> None:
    """L22: one spelling is one number, for its kind, in every transaction."""
    number = store.write(NOW, lambda desk: desk.names.ensure(OF_PERSON, "dana"))
    again = desks.open_store(made_url)
    assert again.write(NOW, lambda desk: desk.names.ensure(OF_PERSON, "dana")) == number
    assert again.read(NOW, lambda desk: desk.names.find(OF_PERSON, "dana")) == number
    assert again.read(NOW, lambda desk: desk.names.find(OF_AGENT, "dana")) == 0
    assert again.read(NOW, lambda desk: desk.names.spelled([number, 0, 999])) == {number: "dana", 0: ""}


def test_nobody_is_number_none(store: Store) -> None:
    """L22: the empty name has no number and no row."""
    assert store.write(NOW, lambda desk: [desk.names.ensure(kind, "") for kind in (1, 2, 3, 4)]) == [
        0,
        0,
        0,
        0,
    ]
    assert store.read(NOW, lambda desk: desk.checks.people()) == []


def test_a_name_is_no_prefix_of_another(store: Store) -> None:
    """G41's faults: pat is not patricia, and a wildcard is nobody."""
    pat, patricia = store.write(
        NOW, lambda desk: (desk.names.ensure(OF_PERSON, "pat"), desk.names.ensure(OF_PERSON, "patricia"))
    )
    assert pat != patricia
    found = store.read(
        NOW,
        lambda desk: [desk.names.find(OF_PERSON, text) for text in ("pat", "pa", "pat%", "*", "%", "", "PAT")],
    )
    assert found == [pat, 0, 0, 0, 0, 0, 0]


def test_spellings_that_look_alike_are_found(store: Store) -> None:
    """M23: folding finds the spelling that is there, for its kind; the first one where there are two."""
    store.write(NOW, lambda desk: desk.names.ensure(OF_PERSON, "Straße"))

    def ask(desk: Desk) -> list[str]:
        asked = ("STRASSE", "Straße", "strasse", "Strasse2", "")
        return [desk.names.folded(OF_PERSON, text) for text in asked]

    assert store.read(NOW, ask) == ["Straße", "Straße", "Straße", "", ""]
    store.write(NOW, lambda desk: desk.names.ensure(OF_PERSON, "strasse"))
    assert store.read(NOW, ask) == ["Straße", "Straße", "Straße", "", ""]
    assert store.read(NOW, lambda desk: desk.names.folded(OF_AGENT, "strasse")) == ""


def test_a_persons_handle_opens_with_their_key(store: Store) -> None:
    """L4: the handle is made of their own random key, the origin and the name; of no other person's."""

    def ask(desk: Desk) -> tuple[str, str, bytes, str]:
        number = desk.names.find(OF_PERSON, "dana")
        key = desk.names.subject_key(number)
        return desk.names.subject_handle(number), desk.names.actor_handle(number), key, desk.head.origin

    store.write(NOW, lambda desk: desk.names.ensure(OF_PERSON, "dana"))
    handle, actor, key, origin = store.read(NOW, ask)
    assert len(key) == 32
    assert handle == record.subject_handle(key, origin, "dana")
    assert actor == record.actor_handle(key, origin, "dana")
    assert handle[2:] != actor[2:]
    assert store.read(NOW, ask)[0] == handle


def test_handles_tell_people_and_tenants_apart(store: Store, other: Store) -> None:
    """L4: the same name elsewhere is another handle, so that two ledgers cannot be joined."""

    def ask(desk: Desk) -> list[str]:
        return [desk.names.subject_handle(desk.names.ensure(OF_PERSON, name)) for name in ("dana", "ana")]

    handles = store.write(NOW, ask) + other.write(NOW, ask)
    assert len(set(handles)) == 4


def test_hashes_of_a_person_are_keyed_by_their_own_key(store: Store) -> None:
    """L4, M2: the same text about two people and about work has three hashes."""

    def ask(desk: Desk) -> set[int]:
        people = [desk.names.ensure(OF_PERSON, name) for name in ("dana", "ana")]
        return {desk.entries.same_hash("Lisbon", about) for about in (0, *people)}

    assert len(store.write(NOW, ask)) == 3


def test_a_project_holds_what_lies_below_it(store: Store) -> None:
    """M20: a path reads its subtree, and never a project that only begins like it."""

    def make(desk: Desk) -> dict[str, int]:
        scopes = ("project:web/shop/cart", "project:webinar", "project:web/blog", "tenant", "agent:web")
        return {scope: desk.names.ensure(OF_SCOPE, scope) for scope in scopes}

    numbers = store.write(NOW, make)

    def within(desk: Desk, scope: str) -> set[int]:
        return set(desk.names.scopes_within(scope))

    def ask(desk: Desk) -> None:
        web = within(desk, "project:web")
        assert {numbers["project:web/shop/cart"], numbers["project:web/blog"]} < web
        assert len(web) == 4  # web and web/shop have their numbers too
        assert numbers["project:webinar"] not in web
        assert numbers["agent:web"] not in web
        assert within(desk, "project:web/shop/cart") == {numbers["project:web/shop/cart"]}
        assert within(desk, "tenant") == {numbers["tenant"]}
        assert within(desk, "project:nowhere") == set()
        assert within(desk, "project:we%") == set()

    store.read(NOW, ask)


def test_the_count_of_a_persons_erasures(store: Store) -> None:
    """L2: n and the index of the last erasing event; none yet is 0 and -1."""
    number = store.write(NOW, lambda desk: desk.names.ensure(OF_PERSON, "dana"))
    assert store.read(NOW, lambda desk: desk.names.counted(number)) == (0, -1)
    store.write(NOW, lambda desk: desk.names.count(number, 3, 41))
    assert store.read(NOW, lambda desk: desk.names.counted(number)) == (3, 41)
    assert store.read(NOW, lambda desk: desk.names.counted(999)) == (0, -1)


def test_a_spelling_stands_in_a_body_alone(sqlite_store: str) -> None:
    """L22: of a name, every other table has numbers and keyed hashes."""
    store = desks.open_store(sqlite_store)
    kinds = {OF_SCOPE: "project:xylophone", OF_PERSON: "xylophone", OF_PURPOSE: "xylophone", OF_AGENT: "xylophone"}
    store.write(NOW, lambda desk: [desk.names.ensure(kind, text) for kind, text in kinds.items()])
    with_it = desks.tables_with(store, b"xylophone")
    assert with_it == {"body"}
