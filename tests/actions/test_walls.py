"""M24, M25: compartments join what a job reads, and what the tenant keeps apart is never read together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, entries, governance, recall
from oz0mem.rules import walls
from tests.actions.evidence import refused

if TYPE_CHECKING:
    from oz0mem.actions.recall import Recalled
    from tests.actions.world import World


@pytest.mark.parametrize(
    ("ours", "theirs", "apart"),
    [
        ((), ("legal",), False),
        (("sales",), ("legal",), True),
        (("legal",), ("sales",), True),
        (("sales", "legal"), (), False),
        (("press",), ("legal", "sales"), False),
        (("press", "sales"), ("hr", "legal"), True),
    ],
)
def test_a_wall_stands_both_ways(ours: tuple[str, ...], theirs: tuple[str, ...], apart: bool) -> None:
    """M25: a pair kept apart is apart from either side."""
    assert walls.are_apart([("legal", "sales")], ours, theirs) is apart


def ask(world: World, *compartments: str) -> Recalled:
    """What a job that began with some compartments recalls of the warehouse."""
    job = world.job(world.ana, compartments=compartments, sees="person")
    return recall.recall(job, recall.Recall("warehouse"))


@pytest.fixture
def walled(world: World) -> World:
    """One entry of each of two compartments, kept apart, and one of neither."""
    for name in ("legal", "sales"):
        job = world.job(world.ana, compartments=(name,), sees="person")
        asked = entries.Remember(f"the warehouse as {name} sees it", scope="tenant")
        acceptance.confirm(world.ana, entries.remember(job, asked).entry.id)
    world.note("the warehouse has two doors")
    governance.set_settings(world.ana, {"apart": [("legal", "sales")]}, "the two are adversaries")
    return world


def test_without_walls_nothing_is_withheld(walled: World) -> None:
    """M25: compartments alone keep nothing apart."""
    governance.set_settings(walled.ana, {"not_apart": [("legal", "sales")]}, "the wall is down")
    found = ask(walled, "sales")
    assert (len(found.items), found.withheld) == (3, 0)


def test_a_job_never_reads_what_is_apart_from_its_own(walled: World) -> None:
    """M25: the answer says how many were withheld, and nothing else about them."""
    found = ask(walled, "sales")
    assert sorted(hit.entry.compartments for hit in found.items) == [(), ("sales",)]
    assert found.withheld == 1


def test_one_call_never_reads_both_sides(walled: World) -> None:
    """M25: in the order shown the first decides."""
    found = ask(walled)
    assert found.withheld == 1
    assert len({hit.entry.compartments for hit in found.items} - {()}) == 1


def test_what_a_job_has_read_joins_its_compartments(walled: World) -> None:
    """M24: the next call, and what the job writes next, carry what was read."""
    job = walled.job(walled.ana, sees="person")
    first = recall.recall(job, recall.Recall("legal"))
    assert [hit.entry.compartments for hit in first.items] == [("legal",)]
    assert recall.recall(job, recall.Recall("sales")).withheld == 1
    written = entries.remember(job, entries.Remember("doors are counted", scope="tenant"))
    assert written.entry.compartments == ("legal",)


def test_no_job_begins_on_both_sides_of_a_wall(walled: World) -> None:
    """M25: neither one that a person starts nor one that a job starts, though that job began before the wall stood."""
    both = ("sales", "press", "legal")
    outcome = refused(lambda: walled.job(walled.ana, compartments=both))
    assert (outcome.code, outcome.rule, outcome.facts["apart"]) == ("job.compartments", "M25", ["legal", "sales"])
    governance.set_settings(walled.ana, {"not_apart": [("legal", "sales")]}, "the wall is down")
    parent = walled.job(walled.ana, compartments=both)
    governance.set_settings(walled.ana, {"apart": [("legal", "sales")]}, "the wall is up")
    assert refused(lambda: walled.job(parent)).code == "job.compartments"
    assert walled.job(walled.ana, compartments=("sales", "press")).job
