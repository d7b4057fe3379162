"""Every state and every act, by the real actions: what follows, or by which refusal nothing does (1-memory, States).

Promises the table of the specification whole, for a note and for a decision: a pair that the table does not have is
refused, answered as it is, or leaves the entry alone, and then not one version is written to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import (
    acceptance,
    accepting,
    approvals,
    corrections,
    editing,
    entries,
    forget,
    policies,
    retiring,
    superseding,
)
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede
from oz0mem.model.errors import Oz0Error, Waiting
from oz0mem.model.kinds import ACTIVE, DECISION, ERASED, HELD, NOTE, REJECTED, REPLACED, RETIRED
from oz0mem.rules import lifecycle
from tests.actions.evidence import newest

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.model.entries import Entry
    from tests.actions.world import World

TEXT = "the warehouse is in Porto"
STATES = (HELD, ACTIVE, REPLACED, RETIRED, REJECTED, ERASED)
VIEWS = ("lapsed", "ended")


def propose(world: World, kind: str, text: str = TEXT) -> Entry:
    """A held entry about work: a job's that read something unreviewed, in the tenant's scope."""
    job = world.job(world.ana)
    return entries.remember(job, Remember(text, kind, scope="tenant", key="place" if kind == NOTE else "")).entry


def begin(world: World, kind: str) -> Entry:
    """An entry in force."""
    held = propose(world, kind)
    if kind == NOTE:
        return acceptance.confirm(world.ana, held.id).entry
    return accepting.accept(world.ana, Accept(held.id, 1, TEXT)).entry


def reach(world: World, kind: str, state: str) -> Entry:
    """An entry in a state."""
    entry = propose(world, kind) if state in (HELD, REJECTED, "lapsed") else begin(world, kind)
    if state == REJECTED:
        acceptance.reject(world.ana, entry.id, "not so")
    elif state == RETIRED:
        retiring.retire(world.ana, entry.id, "no longer so")
    elif state == ERASED:
        forget.delete(world.ana, entry.id, "not wanted")
    elif state == REPLACED:
        new = superseding.supersede(world.ana, Supersede(entry.id, entry.version, "the warehouse moved")).entry
        if kind == DECISION:
            accepting.accept(world.ana, Accept(new.id, 1))
    elif state in VIEWS:
        world.later(100 if state == "ended" or kind == DECISION else 14)
    return newest(world, entry)


def approve(world: World, entry: Entry) -> None:
    """A person approves what an agent asked to do with it: replace it (G31)."""
    policies.set_policy(world.ana, "supersede", "ask", "as a test")
    job = world.job(world.ana, sees="person")
    with pytest.raises(Waiting) as waits:
        superseding.supersede(job, Supersede(entry.id, entry.version, "the warehouse is in Faro"))
    approvals.approve(world.ana, str(waits.value.facts["approval"]))


def replace_by_key(world: World, entry: Entry) -> None:
    """A newer entry in force with the same key (M11)."""
    entries.remember(world.ana, Remember("the warehouse is in Braga", entry.kind, key=entry.key or "other"))


ACTS: dict[str, Callable[[World, Entry], object]] = {
    "confirm": lambda world, entry: acceptance.confirm(world.ana, entry.id),
    "accept": lambda world, entry: accepting.accept(world.ana, Accept(entry.id, entry.version, entry.text or TEXT)),
    "repeat": lambda world, entry: entries.remember(world.ana, Remember(TEXT, entry.kind, key=entry.key)),
    "approve": approve,
    "newer": lambda world, entry: superseding.supersede(
        world.job(world.ana), Supersede(entry.id, entry.version, "the warehouse is in Lagos")
    ),
    "supersede": lambda world, entry: superseding.supersede(
        world.ana, Supersede(entry.id, entry.version, "the warehouse is in Evora")
    ),
    "key": replace_by_key,
    "reject": lambda world, entry: acceptance.reject(world.ana, entry.id, "not so"),
    "retire": lambda world, entry: retiring.retire(world.ana, entry.id, "no longer so"),
    "propose_retiring": lambda world, entry: retiring.retire(
        world.job(world.ana, sees="person"), entry.id, "no longer so", version=entry.version
    ),
    "renew": lambda world, entry: corrections.renew(world.ana, entry.id, 60),
    "move": lambda world, entry: corrections.move(world.ana, entry.id, "project:web"),
    "edit": lambda world, entry: editing.edit(world.ana, entry.id, "the warehouse is in Beja"),
    "delete": lambda world, entry: forget.delete(world.ana, entry.id, "not wanted"),
}

COLUMNS = (*STATES, *VIEWS)
"""What the table's columns begin from; a word is the state after, ``=`` that nothing of it changed, else a refusal."""
NOTES = """
confirm           active   =        state    state    state    erased!  lapsed!  state
accept            kind     state    state    state    state    erased!  kind     state
repeat            active   =        =        =        =        =        =        replaced
approve           state    replaced state    state    state    unknown  unknown  replaced
newer             state    =        state    state    state    unknown  unknown  =
supersede         state    replaced state    state    state    erased!  state    replaced
key               =        replaced =        =        =        =        =        replaced
reject            rejected state    state    state    =        erased!  rejected state
retire            state    retired  state    =        state    erased!  state    retired
propose_retiring  state    waits    state    state    state    unknown  unknown  waits
renew             held     active   state    state    state    erased!  lapsed!  active
move              held     active   state    state    state    erased!  lapsed!  ended
edit              active   active   state    state    state    erased!  lapsed!  active
delete            erased   erased   erased   erased   erased   erased!  erased   erased
"""
"""A note with a key: only in force is it replaced or retired, only waiting is it confirmed or rejected."""
DECISIONS = """
confirm           kind     =        state    state    state    erased!  kind     state
accept            active   =        state    state    state    erased!  lapsed!  ended!
repeat            =        =        =        =        =        =        =        =
approve           replaced =        state    state    state    unknown  unknown  =
newer             replaced =        state    state    state    unknown  unknown  =
supersede         replaced =        state    state    state    erased!  replaced =
key               =        =        =        =        =        =        =        =
reject            rejected state    state    state    =        erased!  rejected state
retire            state    retired  state    =        state    erased!  state    retired
propose_retiring  state    waits    state    state    state    unknown  unknown  waits
renew             held     active   state    state    state    erased!  lapsed!  active
move              held     accepted state    state    state    erased!  lapsed!  accepted
edit              kind     kind     state    state    state    erased!  kind     kind
delete            erased   erased   erased   erased   erased   erased!  erased   erased
"""
"""A decision: whoever proposes over one in force ends nothing; only `accept` and a person's `retire` do."""
REFUSED = {
    "state": "memory.state",
    "kind": "memory.kind",
    "erased!": "memory.erased",
    "lapsed!": "memory.lapsed",
    "ended!": "memory.ended",
    "unknown": "memory.unknown",
    "accepted": "memory.accepted",
    "waits": "memory.retirement_waits",
}


def cells() -> list[tuple[str, str, str, str]]:
    """Kind, act, state, and what the table says."""
    made = []
    for kind, table in ((NOTE, NOTES), (DECISION, DECISIONS)):
        for line in table.strip().splitlines():
            act, *says = line.split()
            assert len(says) == len(COLUMNS)
            made += [(kind, act, state, said) for state, said in zip(COLUMNS, says, strict=True)]
    return made


CELLS = cells()


def test_the_table_has_every_act_in_every_state() -> None:
    """States: none is left out."""
    wanted = {(kind, act, state) for kind in (NOTE, DECISION) for act in ACTS for state in COLUMNS}
    assert {cell[:3] for cell in CELLS} == wanted


@pytest.mark.parametrize(("kind", "act", "state", "says"), CELLS)
def test_what_an_act_does_in_a_state(world: World, kind: str, act: str, state: str, says: str) -> None:
    """States, M11 to M15, M18, M30 to M35: the state after, or the refusal after which nothing changed."""
    entry = reach(world, kind, state)
    before = versions(world, entry)
    outcome = ""
    try:
        ACTS[act](world, entry)
    except Oz0Error as error:
        outcome = error.code
    assert outcome == REFUSED.get(says, "")
    after = newest(world, entry)
    shown = lifecycle.shown_state(after.state, after.ends, after.counted_from, world.now, kind=kind)
    if outcome or says == "=":
        assert (versions(world, entry), shown) == (before, state)
        return
    assert shown == says
    if says == ERASED:
        assert "Porto" not in str(world.store.read(world.now, lambda desk: desk.entries.versions(entry.numbers.entry)))
        return
    assert versions(world, entry)[: len(before)] == before, "no version is written over"
    assert len(versions(world, entry)) == len(before) + 1, "one act is one version"


def versions(world: World, entry: Entry) -> list[tuple[object, ...]]:
    """Every version of an entry, with what it says."""
    every = world.store.read(world.now, lambda desk: desk.entries.versions(entry.numbers.entry))
    return [(each.version, each.state, each.text, each.tier, each.ends, each.held, each.scope) for each in every]
