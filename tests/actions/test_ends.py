"""M6, M31, M35, M36: every entry ends, and what its end does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, corrections, editing, entries, facts, governance, listing, recall, upkeep
from oz0mem.actions.entries import Remember
from oz0mem.model.filters import Filter
from oz0mem.model.kinds import ACTIVE, ERASED, HELD
from oz0mem.model.moments import DAY
from tests.actions.evidence import lift_holds, newest, place_hold, refused

if TYPE_CHECKING:
    from tests.actions.world import World


@pytest.mark.parametrize(
    ("kind", "sees", "retain", "days"),
    [
        ("note", "person", "720h0m0s", 90),
        ("note", "", "720h0m0s", 90),
        ("semantic", "person", "720h0m0s", 30),
        ("semantic", "person", "2160h0m0s", 90),
        ("semantic", "published", "2160h0m0s", 90),
        ("episodic", "", "2160h0m0s", 30),
        ("procedural", "", "48h0m0s", 2),
    ],
)
def test_without_an_end_given_the_default_or_retain_holds_and_is_cut_to_the_caps(
    world: World, kind: str, sees: str, retain: str, days: int
) -> None:
    """M6: the tenant's default, or retain for what is learnt; a default above a limit is cut to it."""
    world.declare(memory={"episodic": True, "semantic": True, "procedural": True, "retain": retain})
    assert world.learn("ink is blue", kind=kind, sees=sees).entry.ends == world.now + days * DAY


@pytest.mark.parametrize(
    ("kind", "sees", "days", "limit"),
    [
        ("note", "person", 365, "longest"),
        ("semantic", "person", 30, "retain"),
        ("semantic", "", 30, "retain"),
        ("procedural", "published", 30, "retain"),
    ],
)
def test_an_end_is_taken_up_to_its_limit_and_refused_a_microsecond_after(
    world: World, kind: str, sees: str, days: int, limit: str
) -> None:
    """M6: too late is refused, naming the limit; so is what has passed."""
    last = world.now + days * DAY
    assert world.learn("ink is blue", kind=kind, sees=sees, ends=last).entry.ends == last
    late = refused(lambda: world.learn("ink is red", kind=kind, sees=sees, ends=last + 1))
    assert (late.code, late.rule, late.facts["limit"]) == ("memory.ends", "M6", limit)
    past = refused(lambda: world.learn("ink is red", kind=kind, sees=sees, ends=world.now))
    assert past.facts["limit"] == "past"


def test_the_cap_of_the_tier_refuses_what_retain_would_allow(world: World) -> None:
    """M6: 30 days for what is learnt unreviewed, whatever the declaration retains."""
    world.declare(memory={"semantic": True, "retain": "2160h0m0s"})
    late = refused(lambda: world.learn("ink is red", sees="", ends=world.now + 31 * DAY))
    assert late.facts["limit"] == "tier"
    assert world.learn("ink is red", ends=world.now + 90 * DAY).kept == "new"


def test_confirming_changes_neither_tier_nor_end_but_for_a_shorter_longest_end(world: World) -> None:
    """M6, M37: the end is brought down to the limit of that moment, counted from the first version."""
    held = world.learn("dana likes ink", sees="").entry
    world.later(1)
    same = acceptance.confirm(world.dana, held.id).entry
    assert (same.tier, same.ends) == ("unreviewed", held.ends)
    other = world.learn("dana likes paper", sees="").entry
    governance.set_settings(world.ana, {"default_days": 5, "max_days": 10}, "shorter")
    world.later(2)
    down = acceptance.confirm(world.dana, other.id).entry
    assert down.ends == other.created + 10 * DAY


@pytest.mark.parametrize("days", [13.999, 14])
def test_a_held_entry_lapses_14_days_after_it_was_written(each_world: World, days: float) -> None:
    """M31: until then a person confirms it, from then on nobody can."""
    held = each_world.learn("dana likes ink", sees="").entry
    each_world.later(days)
    if days < 14:
        assert acceptance.confirm(each_world.dana, held.id).entry.state == ACTIVE
        return
    outcome = refused(lambda: acceptance.confirm(each_world.dana, held.id))
    assert (outcome.code, outcome.rule) == ("memory.lapsed", "M31")
    assert listing.list_entries(each_world.ana, Filter(), held=True).items == []


def test_upkeep_erases_lapsed_and_rejected_entries_about_people_and_leaves_work(world: World) -> None:
    """M31: about work they stay until retention."""
    governance.set_settings(world.ana, {"review": "all"}, "stricter")
    lapsed, work = world.learn("dana likes ink").entry, world.note("ink is blue").entry
    rejected, unwanted = world.learn("dana likes paper").entry, world.note("ink is red").entry
    for entry in (rejected, unwanted):
        acceptance.reject(world.ana, entry.id, "no")
    world.later(14)
    done = upkeep.upkeep(world.ana)
    assert [newest(world, entry).state for entry in (lapsed, rejected)] == [ERASED, ERASED]
    assert [newest(world, entry).state for entry in (work, unwanted)] == [HELD, "rejected"]
    assert (done.lapsed, done.erased) == (2, 2)


@pytest.mark.parametrize("moment", [-1, 0], ids=["last-microsecond", "end"])
def test_a_persons_entry_past_its_end_is_shown_to_nobody_upkeep_or_not(world: World, moment: int) -> None:
    """M31, M22: ended at the exact microsecond; not recalled, listed, shown, edited or told in history."""
    entry = world.learn("dana likes ink", key="likes").entry
    job = world.job(world.dana)
    world.now = entry.ends + moment
    if moment < 0:
        assert listing.show(world.dana, entry.id).entry.id == entry.id
        return
    # The job of before has run out by now; the next reads the same places.
    assert refused(lambda: recall.recall(job, recall.Recall("ink"))).code == "job.ended"
    later = world.job(world.dana)
    assert recall.recall(later, recall.Recall("ink", include_ended=True)).items == []
    for ctx in (world.dana, world.ana):
        assert recall.recall(ctx, recall.Recall("ink", include_ended=True)).items == []
        assert listing.list_entries(ctx, Filter()).items == []
        assert listing.list_entries(ctx, Filter(ended=True)).items == []
        assert refused(lambda ctx=ctx: listing.show(ctx, entry.id)).code == "memory.unknown"  # type: ignore[misc]  # bound
        assert refused(lambda ctx=ctx: editing.edit(ctx, entry.id, "x")).code == "memory.unknown"  # type: ignore[misc]  # bound
    assert refused(lambda: facts.history(world.ana, "concierge", "likes", "dana")).code == "history.unknown"


def test_upkeep_erases_at_its_end_what_is_about_a_person_and_what_was_learnt(each_world: World) -> None:
    """M36: procedural too; other work stays, past its review date."""
    person = each_world.learn("dana likes ink").entry
    procedure = each_world.learn("pack ink upright", kind="procedural").entry
    work = each_world.note("ink is blue", ends=each_world.now + 30 * DAY).entry
    each_world.now = person.ends - 1
    assert upkeep.upkeep(each_world.ana).expired == 0
    each_world.now = person.ends
    assert upkeep.upkeep(each_world.ana, dry_run=True).expired == 2
    assert newest(each_world, person).state == ACTIVE
    done = upkeep.upkeep(each_world.ana)
    assert (done.expired, done.erased) == (2, 2)
    assert [newest(each_world, entry).state for entry in (person, procedure)] == [ERASED, ERASED]
    assert newest(each_world, work).state == ACTIVE
    assert upkeep.upkeep(each_world.ana).erased == 0


def test_a_hold_defers_expiry_and_lapse(world: World) -> None:
    """G40: upkeep leaves what is covered, counts it, and takes it after the hold."""
    ended, held = world.learn("dana likes ink").entry, world.learn("dana likes paper", sees="").entry
    place_hold(world, about="dana")
    world.later(14)
    assert upkeep.upkeep(world.ana).held_back == 1
    world.now = ended.ends
    assert upkeep.upkeep(world.ana).erased == 0
    assert [newest(world, entry).state for entry in (ended, held)] == [ACTIVE, HELD]
    lift_holds(world)
    assert upkeep.upkeep(world.ana).erased == 2


@pytest.mark.parametrize(("days", "after", "ends_in"), [(None, 10, 90), (365, 0, 365), (1, 0, 1), (30, 100, 30)])
def test_renew_moves_the_end_of_work_and_brings_back_an_ended_one(
    each_world: World, days: int | None, after: int, ends_in: int
) -> None:
    """M35: from now, the tenant's default days where none are named."""
    entry = each_world.note("ink is blue").entry
    each_world.later(after)
    renewed = corrections.renew(each_world.ana, entry.id, days).entry
    assert (renewed.ends, renewed.version, renewed.state) == (each_world.now + ends_in * DAY, 2, ACTIVE)
    assert [hit.entry.id for hit in recall.recall(each_world.ana, recall.Recall("ink")).items] == [entry.id]


def test_renew_is_refused_past_the_longest_end_and_for_people(world: World) -> None:
    """M35: entries about people are never renewed."""
    work, person = world.note("ink is blue").entry, world.learn("dana likes ink").entry
    for days in (366, 0, -1):
        assert refused(lambda days=days: corrections.renew(world.ana, work.id, days)).rule == "M35"  # type: ignore[misc]  # bound
    outcome = refused(lambda: corrections.renew(world.ana, person.id, 10))
    assert (outcome.code, outcome.rule) == ("memory.renew_person", "M35")


def test_renew_to_an_earlier_end_is_refused_under_a_hold_and_a_later_one_is_not(world: World) -> None:
    """G40: an earlier end is refused, a later end allowed."""
    entry = world.note("ink is blue").entry
    place_hold(world, entry=entry)
    assert refused(lambda: corrections.renew(world.ana, entry.id, 10)).code == "hold.covers"
    assert corrections.renew(world.ana, entry.id, 100).entry.ends == world.now + 100 * DAY


def test_a_procedure_keeps_its_cap_however_often_it_is_renewed(world: World) -> None:
    """M35, M6: counted from the first version."""
    job = world.job(world.dana, sees="person")
    entry = entries.remember(job, Remember("pack ink upright", "procedural")).entry
    world.later(20)
    assert corrections.renew(world.ana, entry.id, None).entry.ends == entry.created + 90 * DAY
    assert refused(lambda: corrections.renew(world.ana, entry.id, 71)).facts["limit"] == "learned"
