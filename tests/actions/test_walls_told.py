"""M25: what is behind a wall is told by no error, no id and no retry either, however near the job that asks stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, accepting, approvals, defining, entries, policies, superseding
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede
from oz0mem.model.errors import Oz0Error
from tests.actions.agreed import apart
from tests.actions.evidence import newest, place_hold, refused
from tests.actions.test_decisions import decide

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.model.entries import Entry
    from tests.actions.world import World


@pytest.fixture
def walled(world: World) -> World:
    """Legal and sales are kept apart, and agents' accepts ask nobody."""
    apart(world)
    policies.set_policy(world.ana, "accept", "allow", "as a test")
    return world


def side(world: World, name: str) -> Context:
    """A job of one side."""
    return world.job(world.ana, sees="person", compartments=(name,))


def over(ctx: Context, old: Entry, text: str) -> Entry:
    """What a job writes over an entry."""
    return superseding.supersede(ctx, Supersede(old.id, 2, text)).entry


@pytest.mark.parametrize("how", ["accept", "supersede"])
def test_an_error_names_no_entry_from_behind_a_wall(walled: World, how: str) -> None:
    """M14, M15, M25: that it was overtaken is said; by what is the other side's."""
    old = decide(walled)
    legal = over(side(walled, "legal"), old, "Deploy as counsel says.")
    sales = side(walled, "sales")
    own = over(sales, old, "Deploy as customers like.")
    accepting.accept(walled.ana, Accept(legal.id, 1))
    if how == "accept":
        outcome = refused(lambda: accepting.accept(sales, Accept(own.id, 1, own.text)))
    else:
        outcome = refused(lambda: over(sales, old, "Deploy another way."))
    assert outcome.code in ("memory.overtaken", "memory.stale")
    assert legal.id not in outcome.said


def test_an_agents_accept_ends_and_names_nothing_from_behind_a_wall(walled: World) -> None:
    """M13, M25: what is in force under the term is the other side's, so that a person has to decide."""
    theirs = defining.define(side(walled, "legal"), Define("customer", "whoever signed")).written
    assert theirs is not None
    accepting.accept(walled.ana, Accept(theirs.entry.id, 1))
    sales = side(walled, "sales")
    own = defining.define(sales, Define("customer", "whoever pays")).written
    assert own is not None
    asked = Accept(own.entry.id, 1, "whoever pays", "customer")
    waits = refused(lambda: accepting.accept(sales, asked))
    assert (waits.code, waits.facts["function"]) == ("approval.waits", "accept")
    assert theirs.entry.id not in waits.said
    assert [newest(walled, each).state for each in (theirs.entry, own.entry)] == ["active", "held"]
    approvals.approve(walled.ana, str(waits.facts["approval"]))
    assert [newest(walled, each).state for each in (theirs.entry, own.entry)] == ["replaced", "active"]
    assert newest(walled, own.entry).replaces == theirs.entry.id
    for again in (asked, asked._replace(version=2), asked._replace(call_id="another")):
        try:
            answer = accepting.accept(sales, again)
        except Oz0Error as error:
            assert theirs.entry.id not in f"{error} {vars(error)}"
        else:
            assert (answer.entry.id, answer.changed) == (own.entry.id, False)
            assert theirs.entry.id not in repr(answer)


def test_a_proposal_ends_none_from_behind_a_wall(walled: World) -> None:
    """M13, M25: a job ends no proposal of which it may not even hear."""
    theirs = defining.define(side(walled, "legal"), Define("customer", "whoever signed")).written
    assert theirs is not None
    defining.define(side(walled, "sales"), Define("customer", "whoever pays"))
    assert newest(walled, theirs.entry).state == "held"


def test_a_hold_behind_a_wall_is_not_told(walled: World) -> None:
    """G40, M25: a refusal because of a hold names no entry of the other side."""
    theirs = defining.define(side(walled, "legal"), Define("customer", "whoever signed")).written
    assert theirs is not None
    place_hold(walled, entry=theirs.entry)
    own = defining.define(side(walled, "sales"), Define("customer", "whoever pays"))
    assert own.written is not None
    assert theirs.entry.id not in repr(own)
    assert [newest(walled, each).state for each in (theirs.entry, own.written.entry)] == ["held", "held"]


def test_a_retry_by_a_job_of_the_other_side_shows_nothing_of_this_one(walled: World) -> None:
    """M9, M25: the call is remembered by agent and starter; what it was like is judged by who asks now."""
    legal = side(walled, "legal")
    first = entries.remember(legal, Remember("the contract of the warehouse ends in May", scope="tenant")).entry
    said = Remember("the contract of the warehouse ends in May soon", scope="tenant", call_id="c1")
    kept = entries.remember(legal, said)
    assert [entry.id for entry in kept.similar] == [first.id]
    again = entries.remember(legal, said)
    assert (again.entry.id, [entry.id for entry in again.similar]) == (kept.entry.id, [first.id])
    other = refused(lambda: entries.remember(side(walled, "sales"), said))
    assert (other.code, other.rule) == ("call.reused", "M9")
    assert not [told for told in (first.id, kept.entry.id, "warehouse") if told in other.said]


def test_a_persons_confirm_is_bound_by_no_wall(walled: World) -> None:
    """M25: people are bound by their role."""
    job = walled.job(walled.ana, compartments=("legal",))
    held = entries.remember(job, Remember("the moat is deep", scope="tenant")).entry
    assert acceptance.confirm(walled.ana, held.id).entry.state == "active"
