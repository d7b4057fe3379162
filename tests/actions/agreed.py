"""What a team agreed on, for tests of what agents then read: proposed by a job, accepted by ana."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import accepting, defining, entries, governance
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember

if TYPE_CHECKING:
    from oz0mem.model.entries import Entry
    from tests.actions.world import World

WEDNESDAYS = "Deploy on Wednesdays, never on Fridays."


def agree(
    world: World, text: str = WEDNESDAYS, *, kind: str = "decision", scope: str = "tenant", **started: object
) -> Entry:
    """A decision or rule in force, of version 2, by default the tenant's."""
    job = world.job(world.ana, **{"sees": "person", **started})
    proposed = entries.remember(job, Remember(text, kind=kind, scope=scope)).entry
    return accepting.accept(world.ana, Accept(proposed.id, 1)).entry


def term(world: World, name: str, text: str, scope: str = "") -> Entry:
    """A definition in force."""
    job = world.job(world.ana, sees="person")
    written = defining.define(job, defining.Define(name, text, scope)).written
    assert written is not None
    return accepting.accept(world.ana, Accept(written.entry.id, 1)).entry


def core(world: World, text: str, scope: str = "tenant") -> Entry:
    """A core note of ana's in force; outside an agent's own scope a person confirms it first."""
    from oz0mem.actions import acceptance

    written = entries.remember(world.ana, Remember(text, scope=scope, core=True)).entry
    return acceptance.confirm(world.ana, written.id).entry


def apart(world: World, one: str = "legal", other: str = "sales") -> None:
    """Keep two compartments apart."""
    governance.set_settings(world.ana, {"apart": [(one, other)]}, "the two are adversaries")
