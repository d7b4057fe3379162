"""G43, G40: what stands beside entries is kept with what a legal hold keeps, and goes with its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import auditing, forget, imports, jobs, retiring
from oz0mem.model.records import Record
from tests.actions.evidence import lift_holds, place_hold, run_sql

if TYPE_CHECKING:
    from tests.actions.world import World

ERIN = "erin.pademelon"


def beside(world: World) -> tuple[int, int]:
    """How many reasons and sources of jobs there are."""
    return tuple(int(run_sql(world, f"SELECT count(*) FROM {table}")[0][0]) for table in ("reason", "job_read"))  # type: ignore[return-value]  # two


@pytest.fixture
def told(world: World) -> World:
    """Erin is remembered, a job about her read something, and a reason for an act about work names her."""
    records = [Record(1, "Erin likes ink", about=ERIN, kind="semantic")]
    imports.import_records(world.ana, lambda: records, imports.Import())
    job = world.job(world.ana, about=ERIN)
    started = world.store.read(world.now, lambda desk: desk.identity.job_by_token(_digest(job.job)))
    assert started is not None
    jobs.read(world.ana, started.id, "the delivery page", published=False)
    retiring.retire(world.ana, world.note("Parcels wait at the gate").entry.id, f"{ERIN} asked for it")
    return world


def _digest(token: str) -> bytes:
    from oz0mem.actions.context import digest

    return digest(token)


@pytest.mark.parametrize("everything", [False, True])
def test_nothing_beside_goes_under_a_hold_though_no_entry_is_left(told: World, everything: bool) -> None:
    """G43: a hold that names the person, or everything, after their entries were erased."""
    forget.forget(told.ana, ERIN)
    job = told.job(told.ana, about=ERIN)
    started = told.store.read(told.now, lambda desk: desk.identity.job_by_token(_digest(job.job)))
    assert started is not None
    jobs.read(told.ana, started.id, "another page", published=False)
    retiring.retire(told.ana, told.note("Parcels wait no more").entry.id, f"{ERIN} asked again")
    place_hold(told, about="" if everything else ERIN, everything=everything)
    before = beside(told)
    done = forget.forget(told.ana, ERIN, unlink=True)
    assert done.kept_because == ("legal_hold",)
    assert beside(told) == before
    lift_holds(told)
    run_sql(told, "UPDATE head SET holds = 0 WHERE tenant = 1")
    assert forget.forget(told.ana, ERIN, unlink=True).unlinked
    assert beside(told)[1] == 0
    assert auditing.check(told.ana, contents=True).problems == []


def test_a_reason_for_an_entry_under_a_hold_is_kept_with_it(told: World) -> None:
    """G40, L5: what a hold preserves is kept whole, the reason that names somebody else too."""
    kept = told.note("Deploys wait for two reviewers").entry
    retiring.retire(told.ana, kept.id, f"{ERIN} said so")
    held = told.store.read(told.now, lambda desk: desk.entries.by_id(kept.id))
    assert held is not None
    place_hold(told, entry=held)
    before = beside(told)[0]
    forget.forget(told.ana, ERIN)
    assert 0 < beside(told)[0] < before
    reasons = told.store.read(told.now, lambda desk: desk.reasons.of_entry(held.numbers.entry))
    assert [reason for _, reason in reasons] == [f"{ERIN} said so"]
