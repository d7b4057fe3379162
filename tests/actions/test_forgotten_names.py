"""G41, L4, L5: calls that wait and name somebody who is forgotten; under legal holds and without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import approvals, entries, forget, jobs, policies, retiring, upkeep
from oz0mem.actions.entries import Remember
from tests.actions.absent import remember
from tests.actions.evidence import newest, place_hold, refused, run_sql
from tests.actions.guessing import name_matches
from tests.actions.withdrawn import ERIN, NAMED, SAID, WORDS, ask, bodies, gone, lift, note, sound, waiting
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def asking(store_url: str) -> World:
    """A tenant as init leaves it, that asks about what is learnt too: agents' writes ask a person; both back ends."""
    world = World(store_url, asks=True)
    world.declare()
    policies.set_policy(world.ana, "remember", "ask", "for the tests")
    return world


def reading(world: World) -> str:
    """A call of a job that had read a page about erin."""
    started = jobs.start(world.ana, jobs.Start("concierge"))
    jobs.read(world.ana, started.record.id, f"crm://{ERIN}", published=True)
    job = world.context(job=started.token)
    approval = ask(lambda: entries.remember(job, Remember("Parcels wait")))
    run_sql(world, "DELETE FROM body WHERE num IN (SELECT body FROM job_read)")  # what a job read is not about her
    run_sql(world, "DELETE FROM job_read")
    return approval


def retirement(world: World) -> str:
    """A call that would retire a note, since erin says so."""
    entry = world.note("Parcels go by boat").entry
    return ask(lambda: retiring.retire(world.job(world.ana), entry.id, f"{ERIN} says so", version=1))


WHERE: dict[str, Callable[[World], str]] = {
    "text": note,
    "tag": lambda world: note(world, "Parcels wait", tags=(ERIN,)),
    "reason": lambda world: note(world, "Parcels wait", reason=f"for {ERIN.upper()}, she asked"),
    "source": lambda world: note(world, "Parcels wait", source={"path": f"crm/{ERIN}/parcels"}),
    "call id": lambda world: note(world, "Parcels wait", call_id=f"for {ERIN}"),
    "what its job had read": reading,
    "a job's retirement": retirement,
}


@pytest.mark.parametrize("where", WHERE)
def test_a_call_that_names_the_person_goes_with_them(asking: World, where: str) -> None:
    """G41, L5, L4: the name stands nowhere after --unlink; one that names another goes on waiting."""
    remember(asking, "She writes with ink", about=ERIN)
    other = note(asking, f"Parcels for {ERIN}s or x{ERIN} are no matter of hers")
    if where != "text":
        approvals.deny(asking.ana, other, "not now")
    WHERE[where](asking)
    tried = forget.forget(asking.ana, ERIN, unlink=True, dry_run=True)
    assert (tried.calls, tried.unlinked, bodies(asking)) == (1, True, 2 if where == "text" else 1)
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert (done.calls, done.unlinked, len(done.ids), tried.ids) == (1, True, 1, done.ids)
    assert waiting(asking) == ([other] if where == "text" else [])
    if asking.url.startswith("sqlite") and where != "text":
        assert name_matches(asking, ERIN) == set()
        gone(asking, [NAMED])
    sound(asking)


def test_the_agent_asks_again_as_if_anew(asking: World) -> None:
    """G31: what its retry was known by went too."""
    remember(asking, "She writes with ink", about=ERIN)
    job = asking.job(asking.ana)

    def call() -> object:
        return entries.remember(job, Remember(NAMED, call_id="once"))

    first = ask(call)
    forget.forget(asking.ana, ERIN)
    assert refused(lambda: approvals.approve(asking.ana, first)).code == "approval.unknown"
    gone(asking, [NAMED])
    assert run_sql(asking, "SELECT count(*) FROM call") == [(0,)]
    second = ask(call)
    assert second != first and waiting(asking) == [second]
    sound(asking)


def test_a_forget_for_a_waiting_name_alone_is_an_erasure_with_its_event(asking: World) -> None:
    """L21: of a person of whom nothing else is left; a second one finds nothing."""
    remember(asking, "She writes with ink", about=ERIN)
    forget.forget(asking.ana, ERIN)
    note(asking)
    assert len(forget.forget(asking.ana, ERIN).events) == 1
    assert forget.forget(asking.ana, ERIN).events == []
    assert bodies(asking) == 0
    sound(asking)


@pytest.mark.parametrize("hold", ["its entry", "everything", "the person"])
def test_a_hold_keeps_a_call_that_names_the_person_by_its_own_terms(asking: World, hold: str) -> None:
    """G40, L4: one on its entry, or on everything, keeps it and with it the name; one on the person does not."""
    remember(asking, "She writes with ink", about=ERIN)
    entry = asking.note("Parcels go by boat").entry
    ask(lambda: retiring.retire(asking.job(asking.ana), entry.id, f"{ERIN} says so", version=1))
    place_hold(
        asking,
        entry=newest(asking, entry) if hold == "its entry" else None,
        about=ERIN if hold == "the person" else "",
        everything=hold == "everything",
    )
    tried = forget.forget(asking.ana, ERIN, unlink=True, dry_run=True)
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert done.kept_because == tried.kept_because == ("legal_hold",)
    assert bodies(asking) == (0 if hold == "the person" else 1)
    sound(asking)
    lift(asking)
    assert forget.forget(asking.ana, ERIN, unlink=True).unlinked
    assert bodies(asking) == 0
    if asking.url.startswith("sqlite"):
        assert name_matches(asking, ERIN) == set()
    sound(asking)


def test_a_hold_on_the_entry_that_a_call_about_the_person_would_change_keeps_that_call_alone(asking: World) -> None:
    """G40, G43: a job bound to the person asked to retire work; the rest about the person goes."""
    remember(asking, "She writes with ink", about=ERIN)
    entry = asking.note("Parcels go by boat").entry
    job = asking.job(asking.ana, about=ERIN, sees="person")
    ask(lambda: retiring.retire(job, entry.id, SAID, version=1))
    place_hold(asking, entry=newest(asking, entry))
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert (len(done.ids), done.restricted, done.kept_because) == (1, 1, ("legal_hold",))
    assert forget.forget(asking.ana, ERIN).events == []
    assert bodies(asking) == 1
    sound(asking)
    lift(asking)
    upkeep.upkeep(asking.ana)
    assert bodies(asking) == 0
    gone(asking, WORDS)
    sound(asking)


def test_the_clock_takes_a_waiting_name_too(asking: World) -> None:
    """L4: when the receipt window is over."""
    remember(asking, "She writes with ink", about=ERIN)
    forget.forget(asking.ana, ERIN)
    asking.later(91)
    note(asking)
    assert upkeep.upkeep(asking.ana).unlinked == 1
    assert bodies(asking) == 0
    if asking.url.startswith("sqlite"):
        assert name_matches(asking, ERIN) == set()
    sound(asking)
