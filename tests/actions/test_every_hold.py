"""G40: a legal hold binds every path that replaces, removes or rewrites, by whichever terms it selects.

Promises each path with each kind of hold: refused with the hold's id, or deferred and said; no version changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import (
    acceptance,
    accepting,
    approvals,
    corrections,
    defining,
    editing,
    entries,
    forget,
    imports,
    policies,
    retiring,
    superseding,
    upkeep,
)
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede
from oz0mem.model.errors import Oz0Error
from oz0mem.model.records import Record
from tests.actions.evidence import lift_holds, newest, place_hold

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.model.entries import Entry
    from tests.actions.world import World

HOLDS = ("entry", "scope", "everything")
WAITS = ("approve supersede", "approve accept", "approve retire", "accept a replacement", "confirm a replacement")


def note(world: World) -> Entry:
    """A note in force with a key."""
    return entries.remember(world.ana, Remember("paper is white", key="paper")).entry


def waiting(world: World) -> Entry:
    """A note that waits."""
    job = world.job(world.ana)
    return entries.remember(job, Remember("paper is grey", scope="tenant", key="paper")).entry


def decision(world: World, text: str = "orders leave at noon") -> Entry:
    """A decision in force."""
    proposed = entries.remember(world.ana, Remember(text, "decision")).entry
    return accepting.accept(world.ana, Accept(proposed.id, 1)).entry


def term(world: World) -> Entry:
    """A definition that is proposed."""
    written = defining.define(world.ana, Define("order", "what is asked for")).written
    assert written is not None
    return written.entry


def person(world: World) -> Entry:
    """What is about dana."""
    return world.learn("dana likes ink").entry


def approval_of(act: Callable[[], object]) -> str:
    """The approval that an asked call waits under."""
    with pytest.raises(Oz0Error) as waits:
        act()
    return str(waits.value.facts["approval"])


def begun(world: World, path: str) -> tuple[Entry, Callable[[], object]]:
    """An entry, and the act that a hold on it has to stop; what is asked or proposed before the hold is so here."""
    ana = world.ana
    simple: dict[str, tuple[Callable[[World], Entry], Callable[[Entry], object]]] = {
        "supersede note": (note, lambda old: superseding.supersede(ana, Supersede(old.id, 1, "paper is cream"))),
        "supersede proposal": (term, lambda old: superseding.supersede(ana, Supersede(old.id, 1, "another"))),
        "supersede decision": (decision, lambda old: superseding.supersede(ana, Supersede(old.id, 2, "at one"))),
        "define": (term, lambda _: defining.define(ana, Define("ORDER", "what is paid for"))),
        "retire": (note, lambda old: retiring.retire(ana, old.id, "no longer so")),
        "reject": (waiting, lambda old: acceptance.reject(ana, old.id, "not so")),
        "edit": (note, lambda old: editing.edit(ana, old.id, "paper is cream")),
        "edit person": (person, lambda old: editing.edit(ana, old.id, "dana likes paper")),
        "delete": (note, lambda old: forget.delete(ana, old.id, "not wanted")),
        "delete person": (person, lambda old: forget.delete(ana, old.id, "not wanted")),
        "move": (note, lambda old: corrections.move(ana, old.id, "project:web")),
        "renew to earlier": (note, lambda old: corrections.renew(ana, old.id, 1)),
    }
    if path in simple:
        made, act = simple[path]
        old = made(world)
        return old, lambda: act(old)
    job = world.job(ana, sees="person")
    if path == "confirm a replacement":
        held, old = waiting(world), note(world)
        return old, lambda: acceptance.confirm(ana, held.id)
    old = note(world) if path == "approve supersede" else decision(world)
    if path == "accept a replacement":
        new = superseding.supersede(ana, Supersede(old.id, 2, "orders leave at one")).entry
        return old, lambda: accepting.accept(ana, Accept(new.id, 1))
    function = path.removeprefix("approve ")
    policies.set_policy(ana, function, "ask", "as a test")
    if function == "supersede":
        approval = approval_of(lambda: superseding.supersede(job, Supersede(old.id, 1, "paper is cream")))
    elif function == "retire":
        approval = approval_of(lambda: retiring.retire(job, old.id, "no longer so", version=2))
    else:
        new = superseding.supersede(ana, Supersede(old.id, 2, "orders leave at one")).entry
        approval = approval_of(lambda: accepting.accept(job, Accept(new.id, 1, new.text)))
    return old, lambda: approvals.approve(ana, approval)


PATHS = (
    "supersede note", "supersede proposal", "supersede decision", "define", "retire", "reject", "edit", "edit person",
    "delete", "delete person", "move", "renew to earlier", *WAITS,
)  # fmt: skip


def held_by(world: World, how: str, entry: Entry) -> str:
    """A hold on an entry by its id, its scope or everything."""
    if how == "entry":
        return place_hold(world, entry=entry)
    return place_hold(world, scope=entry.scope) if how == "scope" else place_hold(world, everything=True)


def every(world: World) -> list[tuple[object, ...]]:
    """Every version, with what it says."""
    loaded = world.store.read(world.now, lambda desk: desk.entries.load(desk.listing.all_rows(1_000)))
    return sorted((each.id, each.version, each.state, each.text, each.ends, each.restricted) for each in loaded)


@pytest.mark.parametrize("how", HOLDS)
@pytest.mark.parametrize("path", PATHS)
def test_a_hold_stops_every_path(world: World, path: str, how: str) -> None:
    """G40: refused, naming the hold; nothing is written, and once it is lifted the same act runs."""
    old, act = begun(world, path)
    hold = held_by(world, how, old)
    before, waits = every(world), approvals.list_approvals(world.ana).items
    with pytest.raises(Oz0Error) as refusal:
        act()
    assert (refusal.value.code, refusal.value.rule) == ("hold.covers", "G40")
    assert refusal.value.facts["holds"] == [hold]
    assert every(world) == before
    assert [each.id for each in approvals.list_approvals(world.ana).items] == [each.id for each in waits]
    lift_holds(world)
    act()
    assert every(world) != before


@pytest.mark.parametrize("how", HOLDS)
def test_a_newer_fact_waits_where_its_key_would_replace_what_is_held(world: World, how: str) -> None:
    """M11, G40: deferred and said; a person's same text does not bring it into force either (M2)."""
    old = note(world)
    held_by(world, how, old)
    new = entries.remember(world.ana, Remember("paper is cream", key="paper")).entry
    assert (new.state, "legal_hold" in new.held) == ("held", True)
    again = entries.remember(world.ana, Remember("paper is cream", key="paper"))
    assert (again.entry.id, again.entry.state) == (new.id, "held")
    assert newest(world, old).state == "active"


@pytest.mark.parametrize("how", HOLDS)
def test_forgetting_upkeep_and_import_leave_what_is_held(world: World, how: str) -> None:
    """G40, G43: deferred, counted and said; its texts stay as they were."""
    theirs, work = person(world), note(world)
    for each in [theirs, work] if how == "entry" else [theirs]:
        held_by(world, how, each)
    if how == "scope":
        place_hold(world, scope="tenant")
    records = [Record(1, "paper is cream", key="paper")]
    imports.import_records(world.ana, lambda: records, imports.Import())
    assert newest(world, work).state == "active"
    done = forget.forget(world.ana, "dana")
    assert done.restricted > 0
    assert newest(world, theirs).text == "dana likes ink"
    world.later(400)
    upkeep.upkeep(world.ana)
    assert (newest(world, theirs).text, newest(world, work).text) == ("dana likes ink", "paper is white")


def test_what_a_hold_allows(world: World) -> None:
    """G40: reading, confirm, accept of the entry itself, and a later end."""
    from oz0mem.actions import listing

    held, proposed, work = waiting(world), term(world), entries.remember(world.ana, Remember("ink is blue")).entry
    place_hold(world, everything=True)
    assert listing.show(world.ana, work.id).holds != []
    assert acceptance.confirm(world.ana, held.id).entry.state == "active"
    assert accepting.accept(world.ana, Accept(proposed.id, 1)).entry.state == "active"
    assert corrections.renew(world.ana, work.id, 365).entry.ends > work.ends
