"""``forget --unlink``: the name and its key go with the rest, and what keeps them is told (L4, G41, G42)."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import auditing, context, entries, erasing, forget, jobs, listing, unlinking, upkeep
from oz0mem.model.filters import Filter
from oz0mem.model.ledger import ERASING
from oz0mem.model.names import OF_PERSON
from tests.actions.absent import NAME, assert_sound, job_about, remember
from tests.actions.evidence import events, lift_holds, number_of, place_hold, refused, run_sql
from tests.actions.guessing import pages
from tests.actions.test_erasing import hasty, reading
from tests.actions.world import World

if TYPE_CHECKING:
    from typing import Any

__all__ = ["hasty"]  # a fixture


def kept_because(world: World, name: str, **how: bool) -> list[str]:
    """What keeps a name, as the certificate asks."""
    number = number_of(world, OF_PERSON, name)
    return world.store.read(world.now, lambda desk: unlinking.kept_because(desk, number, **how))


def closing(world: World) -> list[tuple[Any, ...]]:
    """Every erasing event about a person: the handle, n, prev, how many entries."""
    told = [each for each in events(world) if each["action"] in ERASING and "subject" in each]
    return [(each["subject"], each["n"], each["prev"], each["count"]) for each in told]


def test_the_name_goes_with_the_entries_in_one_erasure(each_world: World) -> None:
    """L4, L21: both events have the handle, though nobody can make it any more; residue is told truthfully (L22)."""
    ids = remember(each_world, "She writes with ink", "She dislikes pencils")
    answer = forget.forget(each_world.ana, NAME, reason=f"{NAME} asked", unlink=True)
    assert (set(answer.ids), answer.unlinked, answer.kept_because, answer.open) == (set(ids), True, (), False)
    (started,) = events(each_world, "memory.forget_started")
    (told,) = events(each_world, "memory.forgotten")
    assert started["subject"] == told["subject"] and (told["n"], told["prev"]) == (1, -1)
    assert answer.events == [told["index"]]
    wanted = "none-found" if each_world.url.startswith("sqlite") else "not-checked"
    assert answer.residue == told["residue"] == wanted
    assert refused(lambda: forget.forget(each_world.ana, NAME)).code == "person.unknown"
    assert run_sql(each_world, "SELECT count(*) FROM erasure") == run_sql(each_world, "SELECT count(*) FROM erased")
    assert number_of(each_world, OF_PERSON, NAME) == 0
    assert_sound(each_world)


def test_a_name_goes_after_an_earlier_forget_with_an_event_of_its_own(each_world: World) -> None:
    """L1, L4: nothing is left but the name; no change without an event."""
    remember(each_world, "She writes with ink")
    forget.forget(each_world.ana, NAME)
    tried = forget.forget(each_world.ana, NAME, unlink=True, dry_run=True)
    assert (tried.ids, tried.unlinked, tried.kept_because) == ([], True, ())
    answer = forget.forget(each_world.ana, NAME, "objection", unlink=True)
    first, second = closing(each_world)
    assert second == (first[0], 2, events(each_world, "memory.forgotten")[0]["index"], 0)
    assert (answer.ids, answer.unlinked) == ([], True)
    assert answer.events == [events(each_world, "memory.forgotten")[1]["index"]]
    assert_sound(each_world)


def test_a_name_of_whom_nothing_was_ever_remembered_can_go(each_world: World) -> None:
    """L4: somebody whom only a job named."""
    job_about(each_world)
    answer = forget.forget(each_world.ana, NAME, unlink=True)
    assert (answer.unlinked, [each[1:] for each in closing(each_world)]) == (True, [(1, -1, 0)])
    assert_sound(each_world)


def test_whoever_is_remembered_later_begins_anew(each_world: World) -> None:
    """L2, L4: a new number, key and handle, and n from 1."""
    remember(each_world, "She writes with ink")
    before = number_of(each_world, OF_PERSON, NAME)
    forget.forget(each_world.ana, NAME, unlink=True)
    (again,) = remember(each_world, "She writes with ink")
    assert number_of(each_world, OF_PERSON, NAME) > before
    assert listing.list_entries(each_world.ana, Filter(about=NAME, state="held")).items[0].id == again
    assert_sound(each_world)
    forget.forget(each_world.ana, NAME, unlink=True)
    (one, *first), (two, *second) = closing(each_world)
    assert one != two and first == second == [1, -1, 1]
    assert_sound(each_world)


def test_another_spelling_is_not_known_any_more_and_may_be_taken(each_world: World) -> None:
    """L4, M4: not even that somebody's name folded alike."""
    remember(each_world, "She writes with ink")
    forget.forget(each_world.ana, unicodedata.normalize("NFD", NAME), unlink=True)
    outcome = refused(lambda: forget.forget(each_world.ana, NAME.upper()))
    assert outcome.code == "person.unknown" and NAME not in outcome.said
    assert len(remember(each_world, "She likes chalk", about=NAME.upper())) == 1


def test_a_running_job_about_the_person_ends(each_world: World) -> None:
    """G2, L1: with its event, by who forgets; an ended one is shown without a person, and has no second end."""
    ended, _ = job_about(each_world)
    jobs.end(each_world.ana, ended)
    running, acting = job_about(each_world)
    other = each_world.job(each_world.dana)
    remember(each_world, "She writes with ink")
    forget.forget(each_world.ana, NAME, unlink=True)
    told = events(each_world, "job.ended")
    assert [each["job"] for each in told] == [ended, running]
    assert told[1]["actor"] == events(each_world, "memory.forgotten")[0]["actor"]
    assert refused(lambda: entries.remember(acting, entries.Remember("Ink"))).code == "job.ended"
    for job in (ended, running):
        shown = jobs.show(each_world.ana, job)
        assert (shown.record.about, shown.record.person, shown.record.thread, shown.read) == ("", "", "", [])
        assert shown.record.ended and not jobs.end(each_world.ana, job).token
    assert entries.remember(other, entries.Remember("Deploys are on Mondays")).entry.id
    assert len(events(each_world, "job.ended")) == 2
    assert_sound(each_world)


def test_every_view_goes_on_without_the_person(each_world: World) -> None:
    """G42: the log, erased entries and lists say nothing of whom they were about, and none fails."""
    (entry,) = remember(each_world, "She writes with ink")
    forget.forget(each_world.ana, NAME, unlink=True)
    found = auditing.log(each_world.ana, limit=1_000)
    assert found.altered == [] and NAME not in str(found)
    shown = listing.show(each_world.ana, entry)
    assert (shown.entry.state, shown.entry.about, shown.entry.by) == ("erased", "work", "")
    assert NAME not in str(listing.list_entries(each_world.ana, Filter(state="erased"), limit=100))
    assert run_sql(each_world, "SELECT count(*) FROM place WHERE about > 1000000") == [(0,)]
    people = {row[0] for row in run_sql(each_world, "SELECT num FROM subject")}
    assert {row[0] for row in run_sql(each_world, "SELECT about FROM place WHERE about > 0")} <= people
    assert {row[0] for row in run_sql(each_world, "SELECT person FROM job WHERE person > 0")} <= people


def test_a_principal_keeps_name_and_key_and_all_else_goes(each_world: World) -> None:
    """L4, 4.5: a disabled one too, since a handle in the ledger names who acted."""
    each_world.learn("Dana likes tea")
    answer = forget.forget(each_world.dana, None, unlink=True)
    assert (len(answer.ids), answer.unlinked, answer.kept_because) == (1, False, ("principal",))
    each_world.learn("Dana likes milk")
    from oz0mem.actions import principals

    principals.disable(each_world.ana, "dana", "left")
    tried = forget.forget(each_world.ana, "dana", unlink=True, dry_run=True)
    assert (len(tried.ids), tried.unlinked, tried.kept_because) == (1, False, ("principal",))
    assert forget.forget(each_world.ana, "dana", unlink=True).kept_because == ("principal",)
    before = len(events(each_world))
    again = forget.forget(each_world.ana, "dana", unlink=True)
    assert (again.ids, again.events, again.kept_because) == ([], [], ("principal",))
    assert len(events(each_world)) == before
    assert kept_because(each_world, "dana") == ["principal"]
    assert_sound(each_world)


def test_an_author_of_something_that_stays_keeps_name_and_key(each_world: World) -> None:
    """L4, 4.5: an entry's record names who wrote it, and could not be checked without; their own entries go."""
    remember(each_world, "She writes with ink")
    note = each_world.note("Deploys are on Wednesdays").entry.numbers
    number = number_of(each_world, OF_PERSON, NAME)
    run_sql(each_world, "UPDATE version SET writer = ? WHERE tenant = 1 AND about = ?", number, number)
    assert kept_because(each_world, NAME, going=True) == []
    run_sql(each_world, "UPDATE version SET writer = ? WHERE tenant = 1 AND entry = ?", number, note.entry)
    assert kept_because(each_world, NAME) == ["author", "remembered"]
    answer = forget.forget(each_world.ana, NAME, unlink=True)
    assert (len(answer.ids), answer.unlinked, answer.kept_because) == (1, False, ("author",))
    each_world.later(100)
    assert upkeep.upkeep(each_world.ana).unlinked == 0
    run_sql(each_world, "UPDATE version SET writer = ? WHERE tenant = 1 AND entry = ?", note.writer, note.entry)
    assert upkeep.upkeep(each_world.ana).unlinked == 1


@pytest.mark.parametrize("terms", [{"about": NAME}, {"everything": True}, {"scope": "agent:import"}])
def test_a_legal_hold_keeps_the_name(each_world: World, terms: dict[str, Any]) -> None:
    """G43, L4: of whom it covers, with what is restricted; once it is lifted and all is erased they go."""
    remember(each_world, "She writes with ink")
    place_hold(each_world, **terms)
    for dry_run in (True, False):
        answer = forget.forget(each_world.ana, NAME, unlink=True, dry_run=dry_run)
        assert (answer.ids, answer.restricted, answer.unlinked) == ([], 1, False)
        assert answer.kept_because == ("legal_hold",)
    assert kept_because(each_world, NAME) == ["legal_hold"]
    lift_holds(each_world)
    run_sql(each_world, "UPDATE head SET holds = 0")
    assert forget.forget(each_world.ana, NAME, unlink=True).unlinked
    assert_sound(each_world)


def test_a_hold_on_a_person_keeps_their_name_where_nothing_is_remembered(world: World) -> None:
    """G40, L4: it selects later entries too, and would not know them by another number."""
    remember(world, "She writes with ink")
    forget.forget(world.ana, NAME)
    place_hold(world, about=NAME)
    assert forget.forget(world.ana, NAME, unlink=True).kept_because == ("legal_hold",)
    world.later(100)
    assert upkeep.upkeep(world.ana).unlinked == 0


def test_a_dry_run_changes_nothing(world: World) -> None:
    """G41: and says what would become of the name."""
    remember(world, "She writes with ink")
    before = pages(world)
    answer = forget.forget(world.ana, NAME, unlink=True, dry_run=True)
    assert (len(answer.ids), answer.unlinked, answer.events) == (1, True, [])
    assert pages(world) == before


def test_a_reader_leaves_it_open_and_the_next_command_closes_it(hasty: World) -> None:
    """L21: name and key are zeros by then; an older erasure of the same person is closed before it."""
    one, two = remember(hasty, "She writes with ink", "She dislikes pencils")
    with reading(hasty):
        assert forget.delete(hasty.ana, one, "").open
        answer = forget.forget(hasty.ana, NAME, unlink=True)
        assert (answer.ids, answer.open, answer.unlinked) == ([two], True, True)
        assert_sound(hasty)
    assert refused(lambda: forget.forget(hasty.ana, NAME, unlink=True)).code == "person.unknown"
    first, second = closing(hasty)
    assert (first[1], second[1], first[0]) == (1, 2, second[0])
    assert run_sql(hasty, "SELECT count(*) FROM subject WHERE key_body = 0") == [(0,)]
    assert_sound(hasty)


def test_what_another_process_closed_is_answered_with_its_events(world: World) -> None:
    """L21: an erasure without entries is known by its handle, and the earlier one is not taken for it."""
    remember(world, "She writes with ink")
    forget.forget(world.ana, NAME)
    begun = world.store.write(world.now, lambda desk: forget._forget(desk, world.ana, NAME, "request", "", unlink=True))
    assert erasing.finish_open(world.ana, patience=5) == 1
    answered = erasing.finish(world.ana, begun, NAME)
    told = events(world, "memory.forgotten")
    assert (len(told), answered.events, answered.residue) == (2, [told[-1]["index"]], "not-checked")


def test_a_key_that_no_erasure_took_is_found(world: World) -> None:
    """L4: whoever takes the key by hand hides a person's chain, and the check says so."""
    remember(world, "She writes with ink")
    forget.forget(world.ana, NAME)
    number = number_of(world, OF_PERSON, NAME)
    run_sql(world, "UPDATE subject SET key_body = 0 WHERE num = ?", number)
    (problem,) = auditing.check(world.ana, contents=True).problems
    assert (problem.what, problem.where) == ("name", f"person {number}")


def test_the_actor_of_the_window_is_the_program(world: World) -> None:
    """L2: nobody asked for it."""
    remember(world, "She writes with ink")
    forget.forget(world.ana, NAME)
    world.later(90)
    upkeep.upkeep(world.ana)
    assert events(world, "memory.expired")[-1]["actor"] == context.SYSTEM
