"""M20, M31, L7, C7: pages, one entry, and an id's beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, facts, governance, listing, retiring
from oz0mem.model.filters import Filter
from tests.actions.evidence import alter, place_hold, refused, run_sql

if TYPE_CHECKING:
    from oz0mem.model.entries import Entry
    from tests.actions.world import World


def _pages(world: World, limit: int, **asked: object) -> tuple[list[str], list[str]]:
    """Texts of all pages, and the ids left out as altered."""
    texts: list[str] = []
    altered: list[str] = []
    after = ""
    for _ in range(100):
        page = listing.list_entries(world.ana, Filter(**asked), limit=limit, after=after)  # type: ignore[arg-type]  # tests name fields
        assert len(page.items) <= limit
        texts += [entry.text for entry in page.items]
        altered += page.altered
        if page.next is None:
            return texts, altered
        after = page.next
    raise AssertionError("a list without an end")


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
def test_pages_have_every_entry_once_newest_first_whatever_is_left_out(each_world: World, limit: int) -> None:
    """L7, M31: altered and lapsed rows between do not end a list early nor swallow what follows."""
    governance.set_settings(each_world.ana, {"review": "proposals"}, "open")
    made: list[Entry] = []
    for n in range(24):
        made.append(each_world.learn(f"number {n:02}", ends=each_world.now + 10_000_000).entry)
        each_world.now += 1
    hidden = {2, 3, 4, 5, 9, 12, 13, 14, 22}
    for n in hidden:
        run_sql(each_world, "UPDATE version SET restricted = 1 WHERE id = ?", made[n].id)
    altered = [made[n] for n in (0, 7, 8, 17, 23)]
    for entry in altered:
        alter(each_world, entry)
    texts, left_out = _pages(each_world, limit)
    gone = hidden | {0, 7, 8, 17, 23}
    assert texts == [f"number {n:02}" for n in reversed(range(24)) if n not in gone]
    assert sorted(left_out) == sorted(entry.id for entry in altered)


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_page_of_entries_that_nobody_may_be_shown_leads_on(world: World, limit: int) -> None:
    """M31: however many of them come first, the next page is named."""
    world.note("the oldest")
    world.now += 1
    for n in range(40):
        world.learn(f"number {n}", ends=world.now + 1000)
    world.now += 1000
    assert _pages(world, limit) == (["the oldest"], [])


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        ({"agent": "concierge"}, {"learnt", "held"}),
        ({"about": "dana"}, {"learnt", "held"}),
        ({"about": "work"}, {"note", "web", "retired"}),
        ({"scope": "project:web"}, {"web"}),
        ({"kind": "note"}, {"note", "web", "retired"}),
        ({"state": "held"}, {"held"}),
        ({"state": "promoted"}, {"note", "web", "learnt"}),
        ({"state": "demoted"}, {"retired"}),
        ({"tier": "unreviewed"}, {"held"}),
        ({"key": "k"}, {"web"}),
        ({"agent": "nobody"}, set()),
    ],
)
def test_filters_select(each_world: World, asked: dict[str, object], texts: set[str]) -> None:
    """M20: each by what it names, and nothing else."""
    each_world.note("note")
    each_world.note("web", scope="project:web", key="k")
    each_world.learn("learnt")
    each_world.learn("held", sees="")
    retiring.retire(each_world.ana, each_world.note("retired").entry.id, "no")
    assert set(_pages(each_world, 50, **asked)[0]) == texts


def test_words_search_the_texts_of_what_the_caller_may_see(world: World) -> None:
    """M20: any or all of them, and a member's search finds nothing about others."""
    world.learn("dana likes green ink")
    world.learn("bob likes green paper", starter=world.add("bob", "member"))
    world.note("green boxes", reason="dana asked for violet")

    def found(ctx: object, words: str, match: str = "any") -> set[str]:
        page = listing.list_entries(ctx, Filter(), search=words, match=match)  # type: ignore[arg-type]  # a context
        return {entry.text for entry in page.items}

    assert found(world.ana, "green") == {"dana likes green ink", "bob likes green paper", "green boxes"}
    assert found(world.ana, "green likes ink", "all") == {"dana likes green ink"}
    assert found(world.dana, "green paper") == {"dana likes green ink"}
    assert found(world.ana, "violet") == set()


def test_one_entry_is_shown_whole_by_a_beginning_of_its_id(each_world: World) -> None:
    """C7: at least four digits, unambiguous among what the caller may see; else the nearest are named."""
    entry = each_world.note("ink is blue").entry
    assert listing.show(each_world.ana, entry.id[:9]).entry.id == entry.id
    assert refused(lambda: listing.show(each_world.ana, entry.id[:5])).code == "id.short"
    wrong = entry.id[:-1] + ("0" if entry.id[-1] != "0" else "1")
    near = refused(lambda: listing.show(each_world.ana, wrong))
    assert (near.code, near.facts["near"]) == ("memory.unknown", [entry.id])


def test_an_ambiguous_beginning_names_what_the_caller_may_see_of_it(world: World) -> None:
    """C7, M20: another person's entry makes nothing ambiguous for a member."""
    mine = world.learn("dana likes ink").entry
    bobs = world.learn("bob likes ink", starter=world.add("bob", "member")).entry
    for entry, new in ((mine, "m-aaaa11111111"), (bobs, "m-aaaa22222222")):
        # Unaltered ids of one beginning cannot be had by asking, so both are looked up without being shown.
        run_sql(world, "UPDATE version SET id = ? WHERE id = ?", new, entry.id)
    outcome = refused(lambda: listing.show(world.ana, "m-aaaa"))
    assert (outcome.code, outcome.facts["ids"]) == ("memory.ambiguous", ["m-aaaa11111111", "m-aaaa22222222"])
    assert refused(lambda: listing.show(world.dana, "m-aaaa")).code == "memory.altered"


def test_show_tells_holds_and_what_waits(world: World) -> None:
    """G40, M34: the holds on an entry, in the list too."""
    entry = world.learn("dana likes ink").entry
    hold = place_hold(world, entry=entry)
    assert listing.show(world.dana, entry.id).holds == [hold]
    page = listing.list_entries(world.dana, Filter())
    assert page.holds == {entry.numbers.entry: [hold]}


def test_held_ones_that_have_lapsed_wait_for_nobody(world: World) -> None:
    """M31: neither in what is held nor, about a person, anywhere."""
    governance.set_settings(world.ana, {"review": "all"}, "stricter")
    person, work = world.learn("dana likes ink").entry, world.note("ink is blue").entry
    assert len(listing.list_entries(world.ana, Filter(), held=True).items) == 2
    world.later(14)
    assert listing.list_entries(world.ana, Filter(), held=True).items == []
    assert [entry.id for entry in listing.list_entries(world.ana, Filter()).items] == [work.id]
    lapsed = listing.list_entries(world.ana, Filter(state="lapsed")).items
    assert {entry.id for entry in lapsed} == {person.id, work.id}
    assert refused(lambda: acceptance.confirm(world.ana, work.id)).code == "memory.lapsed"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"asked": Filter(kind="thought")}, "list.filter"),
        ({"asked": Filter(state="gone")}, "list.filter"),
        ({"asked": Filter(state="active"), "held": True}, "list.filter"),
        ({"asked": Filter(), "limit": 0}, "list.limit"),
        ({"asked": Filter(), "after": "x-y"}, "list.cursor"),
        ({"asked": Filter(), "search": "a", "match": "none"}, "list.match"),
    ],
)
def test_what_no_list_can_be_asked_is_refused(world: World, asked: dict[str, object], code: str) -> None:
    """M20: with the words that there are."""
    assert refused(lambda: listing.list_entries(world.ana, **asked)).code == code  # type: ignore[arg-type]  # tests name fields


def test_a_fact_that_was_confirmed_begins_when_it_came_into_force(world: World) -> None:
    """M11: a held fact is in force from its confirmation on, so two never hold at once in a history."""
    porto = world.learn("Dana ships to Porto", key="city").entry
    world.later(1)
    madrid = world.learn("Dana ships to Madrid", key="city", sees="").entry
    world.later(2)
    acceptance.confirm(world.ana, madrid.id)
    spans = facts.history(world.ana, "concierge", "city", "dana").items
    assert [(fact.entry.id, fact.start, fact.until) for fact in spans] == [
        (porto.id, porto.created, world.now),
        (madrid.id, world.now, 0),
    ]
