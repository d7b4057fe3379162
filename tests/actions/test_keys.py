"""M11: a newer fact with the same key replaces the older one, once it is active."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, entries, facts, retiring
from oz0mem.actions.entries import Remember
from oz0mem.model.kinds import ACTIVE, HELD, REPLACED
from oz0mem.model.moments import DAY
from tests.actions.evidence import alter, entries_of, events, lift_holds, newest, place_hold, refused

if TYPE_CHECKING:
    from tests.actions.world import World


def test_lisbon_porto_lisbon_are_three_rows_with_their_times(each_world: World) -> None:
    """M11: history shows each span, and the last is true now."""
    start = each_world.now
    for city in ("Lisbon", "Porto", "Lisbon"):
        each_world.learn(city, key="shipping_city")
        each_world.later(1)
    found = facts.history(each_world.ana, "concierge", "shipping_city", "dana")
    spans = [(fact.entry.text, (fact.start - start) // DAY, (fact.until - start) // DAY) for fact in found.items]
    assert spans[:2] == [("Lisbon", 0, 1), ("Porto", 1, 2)]
    assert [spans[2][:2], found.items[2].until] == [("Lisbon", 2), 0]
    first, second, third = (fact.entry for fact in found.items)
    assert [first.replaced_by, second.replaced_by, third.replaced_by] == [second.id, third.id, ""]
    assert [second.replaces, third.replaces] == [first.id, second.id]


def test_the_older_stopped_being_true_when_the_newer_began(world: World) -> None:
    """M11: at the new one's valid_from where it has one, else when it became active."""
    old = world.learn("Lisbon", key="city").entry
    began = world.now - DAY
    new = world.learn("Porto", key="city", valid_from=began).entry
    closed = newest(world, old)
    assert (closed.state, closed.ended_at, closed.replaced_by) == (REPLACED, began, new.id)
    assert closed.ends == old.ends


def test_a_held_one_replaces_nothing_until_a_person_confirms_it(each_world: World) -> None:
    """M11: and then from the moment of confirming."""
    old = each_world.learn("Lisbon", key="city").entry
    held = each_world.learn("Porto", key="city", sees="").entry
    assert (held.state, held.replaces, newest(each_world, old).state) == (HELD, "", ACTIVE)
    each_world.later(3)
    confirmed = acceptance.confirm(each_world.dana, held.id).entry
    closed = newest(each_world, old)
    assert (confirmed.state, confirmed.replaces) == (ACTIVE, old.id)
    assert (closed.state, closed.ended_at, closed.replaced_by) == (REPLACED, each_world.now, held.id)


@pytest.mark.parametrize("other", ["key", "kind", "scope", "person", "purpose"])
def test_another_key_kind_scope_person_or_purpose_replaces_nothing(world: World, other: str) -> None:
    """M11: all five have to agree."""
    old = world.learn("Lisbon", key="city").entry
    if other == "key":
        world.learn("Porto", key="City")
    elif other == "kind":
        world.learn("Porto", key="city", kind="episodic")
    elif other == "scope":
        world.note("Porto", key="city")
    elif other == "person":
        world.learn("Porto", key="city", starter=world.add("bob", "member"))
    else:
        job = world.job(world.dana, sees="person", purpose="customer-support")
        entries.remember(job, Remember("Porto", "semantic", key="city"))
    assert newest(world, old).state == ACTIVE


def test_a_text_gets_no_key_by_itself(world: World) -> None:
    """M11: only definitions do."""
    assert world.learn("Lisbon").entry.key == ""
    world.learn("Porto")
    assert len([state for _, _, state in entries_of(world) if state == 1]) == 2


@pytest.mark.parametrize("how", ["entry", "about", "scope", "everything"])
def test_what_would_replace_an_entry_under_a_legal_hold_waits_as_held(world: World, how: str) -> None:
    """M11, G40: however the hold covers it; confirming is refused meanwhile, with nothing changed (M16)."""
    old = world.learn("Lisbon", key="city").entry
    hold = {
        "entry": lambda: place_hold(world, entry=old),
        "about": lambda: place_hold(world, about="dana"),
        "scope": lambda: place_hold(world, scope="agent:concierge"),
        "everything": lambda: place_hold(world, everything=True),
    }[how]()
    waiting = world.learn("Porto", key="city").entry
    assert (waiting.state, waiting.held, waiting.replaces) == (HELD, "legal_hold", "")
    before, told = entries_of(world), len(events(world))
    outcome = refused(lambda: acceptance.confirm(world.dana, waiting.id))
    assert (outcome.code, outcome.rule, outcome.facts["holds"]) == ("hold.covers", "G40", [hold])
    assert (entries_of(world), len(events(world))) == (before, told)
    lift_holds(world)
    assert acceptance.confirm(world.dana, waiting.id).entry.replaces == old.id


def test_an_altered_fact_is_not_closed_over_as_good(world: World) -> None:
    """L7, M16: a version made of an altered row would open its commitment; the write is refused instead."""
    old = world.learn("Lisbon", key="city").entry
    alter(world, old, "Paris")
    before = entries_of(world)
    outcome = refused(lambda: world.learn("Porto", key="city"))
    assert (outcome.code, outcome.facts["id"]) == ("memory.altered", old.id)
    assert "Paris" not in outcome.said
    assert entries_of(world) == before


def test_what_is_retired_stops_being_true_then(world: World) -> None:
    """M11, M34: history does not show a retired fact as true now."""
    old = world.learn("Lisbon", key="city").entry
    world.later(2)
    retiring.retire(world.ana, old.id, "she moved")
    (fact,) = facts.history(world.ana, "concierge", "city", "dana").items
    assert fact.until == world.now


def test_history_counts_what_was_altered_and_shows_only_what_is_whole(world: World) -> None:
    """L7: an altered row is left out of history, and named."""
    world.learn("Lisbon", key="city")
    new = world.learn("Porto", key="city").entry
    alter(world, new, "Paris")
    found = facts.history(world.ana, "concierge", "city", "dana")
    assert ([fact.entry.text for fact in found.items], found.altered) == (["Lisbon"], (new.id,))
    unknown = refused(lambda: facts.history(world.ana, "concierge", "town", "dana"))
    assert (unknown.code, unknown.rule) == ("history.unknown", "M11")
