"""Erasing in two steps: ids split and never cut, chains without a gap, a reader's delay (L2, L21, L22)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.actions import auditing, context, editing, erasing, forget, upkeep, versions
from oz0mem.model.entries import BLANK
from oz0mem.model.ledger import ERASING
from oz0mem.model.moments import DAY
from tests.actions.evidence import events, run_sql
from tests.actions.world import World

if TYPE_CHECKING:
    from oz0mem.actions.ports import Desk

SUBJECT = ("subject", "n", "prev")


def learn_many(world: World, count: int) -> list[str]:
    """So many entries about dana in one transaction, as her jobs would have learnt them."""
    blank = BLANK._replace(
        kind="semantic", scope="agent:concierge", about="dana", agent="concierge", by="dana", tier="person"
    )

    def act(desk: Desk) -> list[str]:
        actor = dict(context.SYSTEM)
        return [
            versions.write_first(desk, blank._replace(text=f"Dana owns pen {at}", ends=desk.now + DAY), actor).id
            for at in range(count)
        ]

    return world.store.write(world.now, act)


def chain(world: World) -> list[dict[str, Any]]:
    """Dana's erasing events in the order of the ledger, checked to be whole (L2)."""
    told = [each for each in events(world) if each["action"] in ERASING and "subject" in each]
    assert [each["n"] for each in told] == [*range(1, len(told) + 1)]
    assert [each["prev"] for each in told] == [-1, *(each["index"] for each in told[:-1])]
    assert len({each["subject"] for each in told}) <= 1
    assert all(each["count"] == len(each["entries"]) <= 256 for each in told)
    return told


@contextmanager
def reading(world: World) -> Iterator[sqlite3.Connection]:
    """Another process that reads all the while."""
    path = world.store.back.path  # type: ignore[union-attr]  # asked of SQLite worlds alone
    other = sqlite3.connect(path)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM body").fetchall()
    yield other
    other.close()


@pytest.fixture
def hasty(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """The world, whose erasures do not wait ten seconds for a reader."""
    monkeypatch.setattr(world.store, "scrub", _hurried(world))
    return world


def _hurried(world: World) -> Any:
    scrub = world.store.scrub

    def run(gone: Any, *, patience: float = 0.0) -> str:
        return scrub(gone, patience=min(patience, 0.3))

    return partial(run, patience=0.3)


@pytest.mark.parametrize(("count", "parts"), [(1, [1]), (256, [256]), (257, [256, 1]), (300, [256, 44])])
def test_ids_are_split_over_events_and_none_is_cut(each_world: World, count: int, parts: list[int]) -> None:
    """L2: at most 256 an event, each with its own n, started and closed alike."""
    ids = learn_many(each_world, count)
    answer = forget.forget(each_world.ana, "dana")
    told = chain(each_world)
    assert [each["count"] for each in told] == parts
    assert sorted(entry for each in told for entry in each["entries"]) == sorted(ids) == sorted(answer.ids)
    assert answer.events == [each["index"] for each in told]
    started = [each for each in events(each_world, "memory.forget_started") if "subject" in each]
    assert sorted(entry for each in started for entry in each["entries"]) == sorted(ids)
    assert max(each["index"] for each in started) < told[0]["index"]


def test_three_thousand_entries_go_in_one_forget(world: World) -> None:
    """L2, L21: twelve events in one transaction, and nothing is left."""
    ids = learn_many(world, 3_000)
    answer = forget.forget(world.ana, "dana")
    assert (len(answer.ids), answer.residue, answer.open) == (3_000, "none-found", False)
    told = chain(world)
    assert [each["count"] for each in told] == [256] * 11 + [184]
    assert answer.events == [*range(answer.events[0], answer.events[0] + 12)]
    assert {entry for each in told for entry in each["entries"]} == set(ids)
    assert run_sql(world, "SELECT count(*) FROM version WHERE state <> 5") == [(0,)]
    assert run_sql(world, "SELECT sum(entries), sum(bytes) FROM usage") == [(0, 0)]


def test_edit_delete_expiry_and_forget_are_one_chain(each_world: World) -> None:
    """L2, L21: every path that removes continues a person's chain, each under its own name."""
    one, two = each_world.learn("Dana likes tea").entry, each_world.learn("Dana owns a boat").entry
    editing.edit(each_world.dana, one.id, "Dana likes milk")
    forget.delete(each_world.dana, two.id, "")
    learn_many(each_world, 300)
    each_world.later(2)
    upkeep.upkeep(each_world.ana)
    forget.forget(each_world.ana, "dana", "objection", reason="she objects")
    told = chain(each_world)
    assert [(each["action"].removeprefix("memory."), each["basis"], each["count"]) for each in told] == [
        ("rewritten", "rectification", 1),
        ("deleted", "request", 1),
        ("expired", "retention", 256),
        ("expired", "retention", 44),
        ("forgotten", "objection", 1),
    ]
    assert auditing.check(each_world.ana, contents=True).problems == []


def test_people_have_chains_of_their_own(world: World) -> None:
    """L2: n counts one person's erasures."""
    bob = world.add("bob", "member")
    for _ in range(2):
        for who in (world.dana, bob):
            world.learn("Something about somebody", starter=who)
            forget.forget(who, None)
    told = events(world, "memory.forgotten")
    assert [each["n"] for each in told] == [1, 1, 2, 2]
    assert told[0]["subject"] == told[2]["subject"] != told[1]["subject"] == told[3]["subject"]


def test_the_start_is_told_in_the_transaction_that_overwrites(hasty: World) -> None:
    """L21: a reader keeps the log from being cut, so that the erasure stays open, and the answer says so."""
    entry = hasty.learn("Dana likes oolong").entry
    with reading(hasty):
        answer = forget.forget(hasty.ana, "dana")
        assert (answer.open, answer.residue, answer.events) == (True, "not-checked", [])
        assert events(hasty)[-1]["action"] == "memory.forget_started"
        assert run_sql(hasty, "SELECT open_erasures FROM head") == [(1,)]
        assert auditing.check(hasty.ana, contents=True).problems == []
    assert answer.ids == [entry.id]


def test_the_next_writing_command_finishes_what_was_left_open(hasty: World) -> None:
    """L21, L22: with its closing event, as soon as the reader is gone and no sooner."""
    entry = hasty.learn("Dana likes oolong").entry
    forget.delete(hasty.dana, hasty.learn("Dana likes rooibos").entry.id, "")
    with reading(hasty):
        assert forget.forget(hasty.ana, "dana").open
        hasty.note("Deploys are on Wednesdays")
        assert events(hasty, "memory.forgotten") == []
    hasty.note("Releases are on Thursdays")
    told = chain(hasty)
    assert [each["action"] for each in told] == ["memory.deleted", "memory.forgotten"]
    assert (told[1]["entries"], told[1]["residue"]) == ([entry.id], "not-checked")
    assert told[1]["actor"] == events(hasty, "memory.forget_started")[-1]["actor"]
    assert run_sql(hasty, "SELECT count(*) FROM erasure") == run_sql(hasty, "SELECT count(*) FROM erased") == [(0,)]
    assert auditing.check(hasty.ana, contents=True).problems == []


def test_a_later_forget_or_upkeep_finishes_it_too_in_order(hasty: World) -> None:
    """L21: two left open are closed oldest first, each n its own."""
    for text in ("Dana likes oolong", "Dana likes rooibos"):
        entry = hasty.learn(text).entry
        with reading(hasty):
            assert forget.delete(hasty.dana, entry.id, "").open
    hasty.learn("Dana likes sencha")
    forget.forget(hasty.ana, "dana")
    assert [each["action"].removeprefix("memory.") for each in chain(hasty)] == [
        "deleted",
        "deleted",
        "forgotten",
    ]
    entry = hasty.learn("Dana likes matcha").entry
    with reading(hasty):
        assert forget.delete(hasty.dana, entry.id, "").open
    assert upkeep.upkeep(hasty.ana).closed == 1
    assert [each["n"] for each in chain(hasty)] == [1, 2, 3, 4]


def test_an_edit_left_open_answers_so_and_keeps_its_new_text(hasty: World) -> None:
    """L21, M33: the new version stands at once; the closing event commits to it."""
    entry = hasty.learn("Dana likes oolong").entry
    with reading(hasty):
        changed, erased = editing.edit(hasty.dana, entry.id, "Dana likes rooibos")
        assert erased is not None and erased.open and changed.entry.text == "Dana likes rooibos"
    hasty.note("Releases are on Thursdays")
    told = chain(hasty)[-1]
    assert (told["action"], told["commit"]) == (
        "memory.rewritten",
        events(hasty, "memory.edited")[-1]["commit"],
    )


def test_what_another_process_closed_is_answered_with_its_events(world: World) -> None:
    """L21: the answer has the closing events that are there, and the residue that they tell."""
    one = world.learn("Dana likes tea").entry
    begun = world.store.write(world.now, lambda desk: forget._forget(desk, world.ana, "dana", "request", ""))
    assert erasing.finish_open(world.ana, patience=5) == 1
    answered = erasing.finish(world.ana, begun, "dana")
    told = events(world, "memory.forgotten")
    assert (answered.ids, answered.events, answered.residue) == ([one.id], [told[-1]["index"]], told[-1]["residue"])
