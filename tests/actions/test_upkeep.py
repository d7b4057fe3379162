"""``upkeep``: what the clock makes due, as far as people's entries go (G50; M31, M36)."""

from __future__ import annotations

import pytest

from oz0mem.actions import acceptance, auditing, forget, upkeep
from oz0mem.model.moments import DAY
from tests.actions.evidence import events, place_hold, refused, run_sql
from tests.actions.guessing import matches, pages, standing, words_of
from tests.actions.test_erasing import chain, learn_many
from tests.actions.world import World


def living(world: World) -> int:
    """How many entries are not erased."""
    return int(run_sql(world, "SELECT count(*) FROM version WHERE newest = 1")[0][0])


def test_an_entry_about_a_person_is_erased_at_its_end(each_world: World) -> None:
    """M36, G50: not a moment before; work stays."""
    each_world.note("Deploys are on Wednesdays")
    entry = each_world.learn("Dana likes tea").entry
    each_world.now = entry.ends - 1
    assert upkeep.upkeep(each_world.ana).expired == 0
    each_world.now = entry.ends
    kept = upkeep.upkeep(each_world.ana)
    assert (kept.expired, kept.lapsed, kept.erased, kept.removed) == (1, 0, 1, 0)
    told = events(each_world, "memory.expired")[-1]
    assert (told["entries"], told["n"], told["prev"], told["basis"]) == ([entry.id], 1, -1, "retention")
    assert told["actor"] == {"kind": "system", "ref": "oz0mem", "verified": True}
    counts = events(each_world, "plugin.records.expired")
    assert [(each["expired"], each["erased"]) for each in counts] == [(1, 1)]
    assert living(each_world) == 1
    assert auditing.check(each_world.ana, contents=True).problems == []


def test_nothing_of_what_expired_can_be_found_or_guessed(world: World) -> None:
    """G44, 4.5: erased at its end as by a forget."""
    entry = world.learn("Dana practises calligraphy", key="weekend_hobby", reason="told over lunch").entry
    world.now = entry.ends
    upkeep.upkeep(world.ana)
    guesses = words_of([entry]) | {"told over lunch", "lunch"}
    guesses -= {"dana"}
    assert standing(world, guesses) == [] and matches(world, guesses, [entry]) == []


def test_what_nobody_confirmed_in_time_and_what_was_rejected_goes(each_world: World) -> None:
    """M31: after fourteen days, and at once."""
    held = each_world.learn("Dana likes tea", sees="").entry
    rejected = each_world.learn("Dana owns a boat", sees="").entry
    acceptance.reject(each_world.ana, rejected.id, "not true")
    assert upkeep.upkeep(each_world.ana).lapsed == 1
    each_world.later(13.9)
    assert upkeep.upkeep(each_world.ana).erased == 0
    each_world.later(0.1)
    assert upkeep.upkeep(each_world.ana).lapsed == 1
    assert [each["entries"] for each in chain(each_world)] == [[rejected.id], [held.id]]
    assert living(each_world) == 0


def test_a_dry_run_counts_and_changes_nothing(world: World) -> None:
    """G50: the same counts as the run that follows."""
    learn_many(world, 20)
    world.later(2)
    before = pages(world)
    counted = upkeep.upkeep(world.ana, dry_run=True)
    assert pages(world) == before
    assert counted.dry_run and counted.expired == 20
    assert upkeep.upkeep(world.ana) == counted._replace(dry_run=False)


def test_more_than_one_batch_and_more_than_one_person(world: World) -> None:
    """G50, L2: each person's own events, ids split, chains whole; a second run finds nothing."""
    bob = world.add("bob", "member")
    theirs = world.learn("Bob likes milk", starter=bob).entry
    ids = learn_many(world, 1_100)
    world.now = theirs.ends
    assert upkeep.upkeep(world.ana).expired == 1_101
    told = events(world, "memory.expired")
    dana = [each for each in told if each["entries"] != [theirs.id]]
    assert sorted(entry for each in dana for entry in each["entries"]) == sorted(ids)
    assert [each["n"] for each in dana] == [*range(1, len(dana) + 1)]
    assert [each["prev"] for each in dana] == [-1, *(each["index"] for each in dana[:-1])]
    before = len(events(world))
    assert upkeep.upkeep(world.ana).erased == 0
    assert len(events(world)) == before
    assert auditing.check(world.ana, contents=True).problems == []


def test_a_legal_hold_keeps_what_it_covers(world: World) -> None:
    """G40: deferred and counted, and erased once the hold is lifted."""
    entry = world.learn("Dana likes tea").entry
    place_hold(world, about="dana")
    world.now = entry.ends
    kept = upkeep.upkeep(world.ana)
    assert (kept.expired, kept.held_back, living(world)) == (0, 1, 1)
    run_sql(world, "UPDATE hold SET lifted = 1")
    run_sql(world, "UPDATE head SET holds = 0")
    assert upkeep.upkeep(world.ana).expired == 1


def test_a_person_under_a_hold_is_restricted_and_not_erased(world: World) -> None:
    """G43: covered and erased are counted apart."""
    entry, other = world.learn("Dana likes tea").entry, world.learn("Dana owns a boat").entry
    place_hold(world, entry=entry)
    answer = forget.forget(world.ana, "dana")
    assert (answer.ids, answer.restricted) == ([other.id], 1)
    assert events(world, "memory.restricted")[-1]["entry"] == entry.id
    assert forget.forget(world.ana, "dana").restricted == 1
    assert len(events(world, "memory.restricted")) == 1
    assert auditing.check(world.ana, contents=True).problems == []


def test_old_calls_are_forgotten(world: World) -> None:
    """M9: after fourteen days, with their digests."""
    world.note("Deploys are on Wednesdays", call_id="once")
    world.later(14)
    upkeep.upkeep(world.ana)
    assert run_sql(world, "SELECT * FROM call") == []


def test_only_an_admin_runs_upkeep(world: World) -> None:
    """G3: or cron with an admin's token."""
    for role in ("reviewer", "member", "auditor", "host"):
        who = world.add(f"a-{role}", role)
        assert refused(lambda w=who: upkeep.upkeep(w)).code == "role.forbidden"  # type: ignore[misc]  # bound now


def test_counting_finishes_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """C5, L21: what a reader kept open is open still after a dry run."""
    world.learn("Dana ships to Lisbon")
    with monkeypatch.context() as kept_open:
        kept_open.setattr(type(world.store), "scrub", lambda *_, **__: "")
        assert forget.forget(world.ana, "dana").open
    size = world.store.read(world.now, lambda desk: desk.head.size)
    assert upkeep.upkeep(world.ana, dry_run=True).open == 1
    assert world.store.read(world.now, lambda desk: desk.head.size) == size
    done = upkeep.upkeep(world.ana)
    assert (done.closed, done.open) == (1, 0)


def test_a_reader_is_waited_for_once_and_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """L21: upkeep says that erasures are open still, and does not wait again for each batch."""
    world.learn("Dana ships to Lisbon")
    world.learn("Dana waits for a parcel", ends=world.now + DAY)
    asked: list[float] = []

    def scrub(*_: object, patience: float = 10.0) -> str:
        asked.append(patience)
        return ""

    monkeypatch.setattr(type(world.store), "scrub", scrub)
    kept = world.learn("Dana likes ink").entry.id
    assert forget.delete(world.dana, kept, "").open
    asked.clear()
    world.later(2)
    done = upkeep.upkeep(world.ana)
    assert (done.expired, done.closed, done.open) == (1, 0, 2)
    assert [patience for patience in asked if patience >= 10] == [10.0]
