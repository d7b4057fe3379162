"""M25: nothing of what is behind a wall comes through anywhere: counts, words, scores, likeness, sameness, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, changed, entries, recall, startup
from oz0mem.actions.entries import Remember
from oz0mem.actions.recall import Recall, Recalled
from tests.actions.agreed import agree, apart
from tests.actions.evidence import alter, events, refused

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from tests.actions.world import World


def side(world: World, name: str, text: str, **asked: object) -> str:
    """A confirmed note of one compartment, in the tenant's scope; answers its id."""
    job = world.job(world.ana, compartments=(name,), sees="person")
    return entries.remember(job, Remember(text, **{"scope": "tenant", **asked})).entry.id  # type: ignore[arg-type]  # tests name fields


def sales(world: World) -> Context:
    """A job on one side of the wall."""
    return world.job(world.dana, compartments=("sales",), sees="person")


def told(found: Recalled) -> list[tuple[str, float, list[str]]]:
    """All that an answer tells but for how many it withheld."""
    return [(hit.text, hit.score, hit.matched) for hit in found.items]


@pytest.fixture
def walled(each_world: World) -> World:
    """A wall between legal and sales, with two notes of sales and one of nobody's."""
    apart(each_world)
    side(each_world, "sales", "the warehouse has two doors")
    side(each_world, "sales", "the warehouse opens at nine, the office too")
    each_world.note("the office has one door")
    return each_world


@pytest.mark.parametrize(
    "asked",
    [
        Recall("warehouse"),
        Recall("warehouse doors office"),
        Recall("warehouse office", match="all"),
        Recall(""),
        Recall("", tag="urgent"),
        Recall("warehouse gargoyle", match="all"),
        Recall("gargoyle"),
        Recall("", own_state="active"),
        Recall("", own_state="held"),
        Recall("gargoyle", include_unreviewed=True, include_ended=True),
    ],
)
def test_an_answer_is_the_same_with_and_without_what_is_behind_a_wall(walled: World, asked: Recall) -> None:
    """M25, R2: the same entries, scores, words and suggestions; only the count of withheld ones differs."""
    before = recall.recall(sales(walled), asked)
    for n in range(5):
        side(walled, "legal", f"the warehouse gargoyle {n} sues the office door")
    held = walled.job(walled.ana, compartments=("legal",))
    entries.remember(held, Remember("a gargoyle waits", scope="tenant"))
    after = recall.recall(sales(walled), asked)
    assert told(after) == told(before)
    assert (after.suggestions, after.waiting, after.altered) == (before.suggestions, before.waiting, before.altered)
    assert before.withheld == 0


def test_how_many_are_withheld_is_how_many_would_have_been_shown(walled: World) -> None:
    """M25: those of the answer's size, in all; not those that no words fit, nor held ones of others."""
    for n in range(5):
        side(walled, "legal", f"the gargoyle {n} sues")
    assert recall.recall(sales(walled), Recall("gargoyle")).withheld == 5
    assert recall.recall(sales(walled), Recall("gargoyle", max_entries=2)).withheld == 2
    assert recall.recall(sales(walled), Recall("warehouse")).withheld == 0
    assert recall.recall(sales(walled), Recall("")).withheld == 5
    assert recall.recall(sales(walled), Recall("", max_entries=2)).withheld == 2
    assert recall.recall(walled.job(walled.dana, sees="person"), Recall("gargoyle")).withheld == 0


def test_the_length_of_what_is_withheld_is_not_felt(walled: World) -> None:
    """M25: however small the answer, the count does not tell where a hidden text would have ended."""
    side(walled, "legal", "gargoyle " * 30)
    counts = {recall.recall(sales(walled), Recall("gargoyle", max_chars=n)).withheld for n in (1, 100, 299, 300, 6_000)}
    assert counts == {1}


@pytest.mark.parametrize("by", ["id", "own_state"])
def test_what_is_named_is_withheld_too(walled: World, by: str) -> None:
    """M25: an entry asked for by its id, or an agent's own writes, are no way round."""
    hidden = side(walled, "legal", "the gargoyle sues")
    found = recall.recall(sales(walled), Recall(id=hidden) if by == "id" else Recall(own_state="active"))
    assert hidden not in [hit.entry.id for hit in found.items]
    assert found.withheld == 1


def test_rules_behind_a_wall_steer_nobody(walled: World) -> None:
    """M25, R7: counted as withheld, and what they would have built a wall against is shown."""
    agree(walled, "be brief", kind="rule")
    agree(walled, "sue first", kind="rule", compartments=("legal",))
    found = recall.recall(sales(walled), Recall("warehouse"))
    assert [hit.text for hit in found.items][0] == "be brief"
    assert (len(found.items), found.withheld) == (3, 1)
    neither = recall.recall(walled.job(walled.dana, sees="person"), Recall("warehouse"))
    assert {hit.text for hit in neither.items} == {"be brief", "sue first"}
    assert neither.withheld == 2


def test_what_a_write_is_like_is_of_its_own_side(walled: World) -> None:
    """M25, M2, M3: neither the same text nor one nearly the same is named from behind a wall or in an error."""
    hidden = side(walled, "legal", "the gargoyle above the door sues everybody")
    job = sales(walled)
    same = entries.remember(job, Remember("the gargoyle above the door sues everybody", scope="tenant"))
    assert (same.kept, same.similar) == ("new", [])
    assert same.entry.id != hidden
    near = Remember("the gargoyle above the door sues everybody!", scope="project:web", on_similar="refuse")
    refusal = refused(lambda: entries.remember(job, near))
    assert refusal.code == "memory.similar"
    assert hidden not in refusal.said


def test_a_crowd_behind_the_wall_hides_nothing_on_this_side(walled: World) -> None:
    """M25, M3: what is like a write is found however many hidden ones are more like it."""
    kept = side(walled, "sales", "the copper gargoyle above the north door leaks")
    for n in range(30):
        side(walled, "legal", f"the copper gargoyle above the north door leaks, {n}")
    written = entries.remember(sales(walled), Remember("copper gargoyle above the north door leaks", scope="tenant"))
    assert [other.id for other in written.similar] == [kept]


def test_that_something_behind_a_wall_was_altered_is_not_told(walled: World) -> None:
    """M25, L7: neither its id nor that there is such a row."""
    job = walled.job(walled.ana, compartments=("legal",), sees="person")
    made = entries.remember(job, Remember("the gargoyle sues", scope="tenant")).entry
    alter(walled, made)
    for ask in (lambda: recall.recall(sales(walled), Recall("gargoyle")), lambda: changed.changed_since(sales(walled))):
        assert ask().altered == []


def test_no_call_of_any_kind_shows_both_sides(walled: World) -> None:
    """M25: recall, start-up and changed-since by jobs of every side."""
    for name in ("legal", "sales", "press"):
        for kind in ("rule", "decision"):
            agree(walled, f"{kind} on doors as {name} sees it", kind=kind, compartments=(name,))
    for own in ((), ("legal",), ("sales",), ("press",), ("press", "legal")):
        answers = (
            [hit.entry for hit in recall.recall(_job(walled, own), Recall("doors")).items],
            [hit.entry for hit in recall.recall(_job(walled, own), Recall()).items],
            startup.startup_context(_job(walled, own)).items,
            changed.changed_since(_job(walled, own)).items,
        )
        for shown in answers:
            read = {*own, *(each for entry in shown for each in entry.compartments)}
            assert shown
            assert not {"legal", "sales"} <= read


def _job(world: World, own: tuple[str, ...]) -> Context:
    return world.job(world.dana, compartments=own, sees="person")


def test_no_refusal_or_event_names_what_is_withheld(walled: World) -> None:
    """M25, M28: what was not shown is in no event of reading."""
    hidden = side(walled, "legal", "the gargoyle sues")
    for ask in (
        lambda: recall.recall(sales(walled), Recall("gargoyle warehouse")),
        lambda: startup.startup_context(sales(walled)),
        lambda: changed.changed_since(sales(walled)),
    ):
        assert hidden not in repr(ask())
    assert all(hidden not in read["entries"] for read in events(walled, "plugin.records.read"))


def test_people_meet_no_wall(walled: World) -> None:
    """M25: walls are a job's; a reviewer reads both sides."""
    side(walled, "legal", "the warehouse gargoyle sues")
    held = entries.remember(walled.job(walled.ana, compartments=("legal",)), Remember("warehouse", scope="tenant"))
    acceptance.confirm(walled.ana, held.entry.id)
    found = recall.recall(walled.ana, Recall("warehouse"))
    assert (len(found.items), found.withheld) == (4, 0)
