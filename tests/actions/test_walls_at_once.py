"""M24, M25: two calls of one job at once, the one between the other's looking up and its recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, accepting, context, defining, entries, recall, startup
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define
from oz0mem.actions.recall import Recall
from tests.actions.agreed import apart
from tests.actions.evidence import events, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from tests.actions.world import World

READS: dict[str, Callable[[Context, str], object]] = {
    "recall": lambda ctx, side: recall.recall(ctx, Recall(f"warehouse {side}", match="all")),
    "define": lambda ctx, side: defining.define(ctx, Define(f"{side} customer")),
}


@pytest.fixture
def sided(each_world: World) -> World:
    """A note and a term of each of two compartments."""
    for side in ("legal", "sales"):
        job = each_world.job(each_world.ana, sees="person", compartments=(side,))
        written = defining.define(job, Define(f"{side} customer", f"whoever {side} says")).written
        assert written is not None
        accepting.accept(each_world.ana, Accept(written.entry.id, 1))
        entries.remember(job, entries.Remember(f"warehouse of {side}", scope="agent:concierge"))
    return each_world


def between(ctx: Context, meanwhile: Callable[[], object]) -> Context:
    """The same caller, who meanwhile makes another call: between the first transaction of theirs and the next."""
    asked: list[int] = []

    def clock() -> int:
        asked.append(0)
        if len(asked) == 2:
            meanwhile()
        return ctx.clock()

    return ctx._replace(clock=clock)


def compartments(ctx: Context) -> tuple[str, ...]:
    """What a job has read by now."""
    job = ctx.read(lambda desk: desk.identity.job_by_token(context.digest(ctx.job)))
    assert job is not None
    return job.compartments


@pytest.mark.parametrize("how", READS)
def test_two_calls_at_once_leave_what_both_read(sided: World, how: str) -> None:
    """M24: neither overwrites what the other has joined."""
    job = sided.job(sided.ana, sees="person")
    READS[how](between(job, lambda: READS[how](job, "sales")), "legal")
    assert compartments(job) == ("legal", "sales")


@pytest.mark.parametrize("how", READS)
def test_two_calls_at_once_never_read_both_sides(sided: World, how: str) -> None:
    """M25: whichever records first decides; the other is shown nothing, and no event says that it was."""
    apart(sided)
    job = sided.job(sided.ana, sees="person")
    told = len(events(sided, "plugin.records.read"))
    outcome = refused(lambda: READS[how](between(job, lambda: READS[how](job, "sales")), "legal"))
    assert (outcome.code, outcome.rule) == ("wall.joined", "M25")
    assert compartments(job) == ("sales",)
    assert len(events(sided, "plugin.records.read")) == told + 1


def test_what_a_job_started_with_keeps_what_it_had_read(sided: World) -> None:
    """M24, M27: both are noted of a job side by side, in either order."""
    job = sided.job(sided.ana, sees="person")
    READS["recall"](job, "legal")
    first = startup.startup_context(job).text
    READS["recall"](job, "sales")
    assert compartments(job) == ("legal", "sales")
    assert startup.startup_context(job).text == first != ""


def test_a_proposal_shows_no_term_from_behind_a_wall_that_its_own_likeness_built(each_world: World) -> None:
    """M3, M25: what a write is like is read first, and then the term's other meanings by what has been read."""
    world = each_world
    apart(world)
    legal = world.job(world.ana, sees="person", compartments=("legal",))
    like = entries.remember(legal, entries.Remember("whoever signed the contract today", scope="tenant")).entry
    acceptance.confirm(world.ana, like.id)
    sales = world.job(world.ana, sees="person", compartments=("sales",))
    theirs = defining.define(sales, Define("customer", "people that pay")).written
    assert theirs is not None
    accepting.accept(world.ana, Accept(theirs.entry.id, 1))
    job = world.job(world.ana, sees="person")
    found = defining.define(job, Define("customer", "whoever signed the contract"))
    assert found.written is not None
    assert [entry.id for entry in found.written.similar] == [like.id]
    assert ([entry.id for entry in found.proposed], found.withheld) == ([found.written.entry.id], 1)
    assert compartments(job) == ("legal",)
