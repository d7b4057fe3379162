"""``upkeep`` takes the names of people whose receipt window is over (L4, G50)."""

from __future__ import annotations

from oz0mem.actions import forget, unlinking, upkeep
from oz0mem.model.names import OF_PERSON
from oz0mem.rules.unlinking import RECEIPT_WINDOW
from tests.actions.absent import NAME, assert_sound, job_about, remember
from tests.actions.evidence import events, number_of, place_hold, run_sql
from tests.actions.guessing import pages
from tests.actions.world import World


def is_known(world: World, name: str = NAME) -> bool:
    """Whether the store still has a name."""
    return number_of(world, OF_PERSON, name) > 0


def test_the_name_goes_when_the_window_is_over_and_not_before(each_world: World) -> None:
    """L4: ninety days after the last erasing event, with an event of its own; once."""
    remember(each_world, "She writes with ink")
    forget.forget(each_world.ana, NAME)
    each_world.now += RECEIPT_WINDOW - 1
    assert upkeep.upkeep(each_world.ana).unlinked == 0 and is_known(each_world)
    each_world.now += 1
    assert upkeep.upkeep(each_world.ana, dry_run=True).unlinked == 1 and is_known(each_world)
    assert upkeep.upkeep(each_world.ana).unlinked == 1 and not is_known(each_world)
    first, last = events(each_world, "memory.forgotten")[0], events(each_world, "memory.expired")[-1]
    assert (last["subject"], last["n"], last["prev"]) == (first["subject"], 2, first["index"])
    assert (last["count"], last["entries"], last["basis"]) == (0, [], "retention")
    told = events(each_world, "plugin.records.expired")[-1]
    assert (told["unlinked"], told["erased"]) == (1, 0)
    before = len(events(each_world))
    assert upkeep.upkeep(each_world.ana).unlinked == 0 and len(events(each_world)) == before
    assert_sound(each_world)


def test_the_window_counts_from_the_last_erasing_event(world: World) -> None:
    """L4: what is forgotten once more begins it anew, by whatever path."""
    remember(world, "She writes with ink")
    forget.forget(world.ana, NAME)
    world.later(80)
    remember(world, "She dislikes pencils")
    world.later(20)  # the import lapsed, and upkeep erases it now
    kept = upkeep.upkeep(world.ana)
    assert (kept.lapsed, kept.unlinked) == (1, 0)
    world.later(89.9)
    assert upkeep.upkeep(world.ana).unlinked == 0
    world.later(0.1)
    assert upkeep.upkeep(world.ana).unlinked == 1


def test_whoever_is_remembered_again_stays_known(world: World) -> None:
    """L4: the end of the window takes no name of which anything is left."""
    remember(world, "She writes with ink")
    forget.forget(world.ana, NAME)
    world.later(89)
    remember(world, "She dislikes pencils")
    world.later(1)
    assert upkeep.upkeep(world.ana).unlinked == 0 and is_known(world)
    assert forget.forget(world.ana, NAME).ids
    assert_sound(world)


def test_a_running_job_is_let_end_first(world: World) -> None:
    """L4, G2: the clock breaks no conversation off; a person may."""
    remember(world, "She writes with ink")
    forget.forget(world.ana, NAME)
    world.later(89.5)
    job_about(world)
    world.later(0.5)
    assert upkeep.upkeep(world.ana).unlinked == 0
    world.later(0.5)
    assert upkeep.upkeep(world.ana).unlinked == 1
    assert run_sql(world, "SELECT about, person, thread FROM job WHERE tenant = 1") == [(0, 0, 0)]
    assert_sound(world)


def test_principals_are_left_alone(world: World) -> None:
    """L4: their handles name who acted; asked again and again, no event is written."""
    world.learn("Dana likes tea")
    forget.forget(world.dana, None)
    world.later(100)
    before = len(events(world))
    assert upkeep.upkeep(world.ana).unlinked == 0 and is_known(world, "dana")
    assert len(events(world)) == before


def test_a_hold_on_everything_keeps_every_name(world: World) -> None:
    """G50: it leaves upkeep nothing but the findings."""
    remember(world, "She writes with ink")
    forget.forget(world.ana, NAME)
    place_hold(world, everything=True)
    world.later(100)
    assert upkeep.upkeep(world.ana).unlinked == 0 and is_known(world)


def test_many_people_go_in_batches_and_a_dry_run_counts_them(world: World) -> None:
    """G50: short transactions, each person with their own events; those who stay do not hold others up."""
    people = [f"customer-{number}" for number in range(unlinking.BATCH * 2 + 30)]
    for name in people:
        remember(world, "Likes ink", about=name)
    for name in people:
        forget.forget(world.ana, name)
    world.later(90)
    for name in people[::10]:
        remember(world, "Likes chalk", about=name)
    going = len(people) - len(people[::10])
    before = pages(world)
    assert upkeep.upkeep(world.ana, dry_run=True).unlinked == going
    assert pages(world) == before
    assert upkeep.upkeep(world.ana).unlinked == going
    expired = [each for each in events(world, "memory.expired") if not each["entries"]]
    assert len({each["subject"] for each in expired}) == len(expired) == going
    assert [name for name in people if is_known(world, name)] == people[::10]
    assert_sound(world)
