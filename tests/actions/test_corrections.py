"""M15, M18, M33, M34, G40: what is changed of an entry that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import corrections, editing, entries, forget, listing, recall, retiring
from oz0mem.actions.entries import Remember
from oz0mem.model.kinds import ACTIVE, RETIRED
from tests.actions.evidence import alter, entries_of, events, newest, place_hold, refused, stored_bytes
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_stale_version_is_refused_with_the_newest_number(each_world: World) -> None:
    """M15: for an agent and for a person who names one; nothing is changed."""
    entry = each_world.learn("dana likes ink").entry
    editing.edit(each_world.dana, entry.id, "I like blue ink")
    job = each_world.job(each_world.dana)
    for acting in (job, each_world.ana):
        outcome = refused(lambda acting=acting: retiring.retire(acting, entry.id, "old", version=1))  # type: ignore[misc]  # bound
        assert (outcome.code, outcome.rule, outcome.facts["newest"]) == ("memory.stale", "M15", 2)
    assert events(each_world, "memory.retire_proposed") == []
    unnamed = refused(lambda: retiring.retire(job, entry.id, "old"))
    assert (unnamed.code, unnamed.rule) == ("memory.version", "M15")


def test_an_agents_retirement_waits_for_a_person(each_world: World) -> None:
    """M34: in force until then; a reviewer's own retire approves it, and settles what waits."""
    entry = each_world.learn("dana likes ink").entry
    job = each_world.job(each_world.dana)
    outcome = refused(lambda: retiring.retire(job, entry.id, "out of date", version=1))
    assert (outcome.code, outcome.facts["id"], outcome.facts["version"]) == (
        "memory.retirement_waits",
        entry.id,
        1,
    )
    assert newest(each_world, entry).state == ACTIVE
    assert [hit.entry.id for hit in recall.recall(job, recall.Recall("ink")).items] == [entry.id]
    assert listing.show(each_world.ana, entry.id).retirements == ["out of date"]
    assert retiring.retire(each_world.ana, entry.id, "yes", version=1).entry.state == RETIRED
    assert recall.recall(job, recall.Recall("ink", include_ended=True)).items == []
    assert listing.show(each_world.ana, entry.id).retirements == []


def test_whoever_started_the_proposing_job_does_not_approve_it(tmp_path: Path) -> None:
    """M34: outside a solo store another person does."""
    world = World(f"sqlite:///{tmp_path / 'several.db'}", solo=False)
    world.declare(memory={})
    rita, remo = world.add("rita", "reviewer"), world.add("remo", "reviewer")
    entry = entries.remember(remo, Remember("ink is blue")).entry
    assert refused(lambda: retiring.retire(world.job(rita), entry.id, "old", version=1)).code.endswith("waits")
    outcome = refused(lambda: retiring.retire(rita, entry.id, "yes"))
    assert (outcome.code, outcome.rule) == ("review.own", "M34")
    assert retiring.retire(remo, entry.id, "yes").entry.state == RETIRED


@pytest.mark.parametrize("why", ["another person's", "purpose", "capability", "restricted", "altered", "held"])
def test_an_agent_proposes_only_what_it_may(world: World, why: str) -> None:
    """M34, M21, G5: of what its job reads, of its own purpose; what is hidden is not there."""
    entry = world.learn("dana likes ink", sees="" if why == "held" else "person").entry
    job, code = world.job(world.dana), "memory.unknown"
    if why == "another person's":
        job = world.job(world.add("bob", "member"))
    elif why == "purpose":
        entry, job = world.note("ink is blue").entry, world.job(world.dana, purpose="customer-support")
        code = "memory.purpose"
    elif why == "capability":
        world.declare(capabilities=["recall"])
        code = "agent.function"
    elif why == "held":
        code = "memory.state"
    elif why == "restricted":
        place_hold(world, about="dana")
        forget.forget(world.dana, None)
    elif why == "altered":
        alter(world, entry)
    version = newest(world, entry).version
    assert refused(lambda: retiring.retire(job, entry.id, "old", version=version)).code == code
    assert events(world, "memory.retire_proposed") == []


@pytest.mark.parametrize("about", ["work", "dana"])
def test_edit_erases_the_earlier_texts_about_a_person_and_keeps_works(each_world: World, about: str) -> None:
    """M33: a version of tier person whose limits count anew, recalled as rewritten."""
    entry = (each_world.learn("dana likes zebrawood", sees="published") if about == "dana"
             else each_world.note("ink is zebrawood")).entry  # fmt: skip
    if about == "dana":
        from oz0mem.actions import acceptance

        acceptance.confirm(each_world.dana, entry.id)
    each_world.later(5)
    changed, erased = editing.edit(each_world.ana, entry.id, "it is mahogany")
    assert (changed.entry.tier, changed.entry.state, changed.entry.text) == (
        "person",
        ACTIVE,
        "it is mahogany",
    )
    assert changed.entry.ends == each_world.now + (30 if about == "dana" else 90) * 86_400_000_000
    acting = each_world.job(each_world.dana) if about == "dana" else each_world.ana
    assert recall.recall(acting, recall.Recall("zebrawood")).items == []
    assert [hit.entry.id for hit in recall.recall(acting, recall.Recall("mahogany")).items] == [entry.id]
    texts = [each.text for each in listing.show(each_world.ana, entry.id, versions=True).versions]
    if about == "dana":
        assert erased is not None
        assert texts == ["", "", "it is mahogany"]
        if each_world.url.startswith("sqlite"):
            assert b"zebrawood" not in stored_bytes(each_world).lower()
    else:
        assert (erased, texts) == (None, ["ink is zebrawood", "it is mahogany"])
    assert editing.edit(each_world.ana, entry.id, "it is mahogany")[0].changed is False


def test_work_is_deleted_by_an_admin_with_a_reason(world: World) -> None:
    """M33: members and reviewers delete what is about themselves."""
    work, mine = world.note("ink is blue").entry, world.learn("dana likes ink").entry
    assert refused(lambda: forget.delete(world.ana, work.id, "")).code == "memory.reason"
    assert refused(lambda: forget.delete(world.add("rita", "reviewer"), work.id, "no")).code == "role.forbidden"
    assert refused(lambda: forget.delete(world.dana, work.id, "no")).code == "role.forbidden"
    forget.delete(world.dana, mine.id, "")
    forget.delete(world.ana, work.id, "wrong")
    assert [newest(world, entry).state for entry in (work, mine)] == ["erased", "erased"]


def test_a_move_keeps_id_and_history_and_adds_a_version(each_world: World) -> None:
    """M18: found in the new scope's places from then on, and not in the old's."""
    entry = each_world.note("ink is blue").entry
    moved = corrections.move(each_world.ana, entry.id, "project:web/a", "it is web's").entry
    assert (moved.id, moved.version, moved.scope, moved.created) == (
        entry.id,
        2,
        "project:web/a",
        entry.created,
    )
    job = each_world.job(each_world.dana, projects=("web/a",))
    assert [hit.entry.id for hit in recall.recall(job, recall.Recall("ink")).items] == [entry.id]
    other = each_world.job(each_world.dana, projects=("web/b",))
    assert recall.recall(other, recall.Recall("ink")).items == []
    assert corrections.move(each_world.ana, entry.id, "project:web/a").changed is False


@pytest.mark.parametrize("who", ["member", "auditor", "host", "job"])
def test_a_move_is_for_people_who_review(world: World, who: str) -> None:
    """M18: never an agent or a service account."""
    entry = world.note("ink is blue").entry
    acting = {"member": lambda: world.dana, "job": lambda: world.job(world.ana)}.get(
        who, lambda: world.add("rita", who)
    )()
    code = refused(lambda: corrections.move(acting, entry.id, "project:web")).code
    assert code in ("role.forbidden", "role.agent")


@pytest.mark.parametrize("why", ["same text", "same key", "person", "hold", "scope"])
def test_a_move_passes_sameness_keys_people_and_holds(world: World, why: str) -> None:
    """M18: M2, M11, G21, G40; refused whole (M16)."""
    entry, code = world.note("ink is blue", key="ink").entry, "memory.same"
    if why == "same text":
        world.note("Ink is BLUE", scope="project:web")
    elif why == "same key":
        world.note("ink is red", key="ink", scope="project:web")
    elif why == "person":
        entry, code = world.learn("dana likes ink").entry, "memory.scope"
    elif why == "hold":
        place_hold(world, entry=entry)
        code = "hold.covers"
    before = entries_of(world)
    target = "nowhere" if why == "scope" else "project:web"
    outcome = refused(lambda: corrections.move(world.ana, entry.id, target))
    assert outcome.code == ("scope.bad" if why == "scope" else code)
    assert entries_of(world) == before


@pytest.mark.parametrize("act", ["delete", "edit", "retire", "move"])
def test_under_a_hold_nothing_lets_go_of_an_entry(each_world: World, act: str) -> None:
    """G40: delete, edit, retire and move are refused with the hold's id; reading is allowed."""
    entry = each_world.note("ink is blue").entry
    hold = place_hold(each_world, scope="tenant")
    deeds: dict[str, Callable[[], object]] = {
        "delete": lambda: forget.delete(each_world.ana, entry.id, "no"),
        "edit": lambda: editing.edit(each_world.ana, entry.id, "ink is red"),
        "retire": lambda: retiring.retire(each_world.ana, entry.id, "no"),
        "move": lambda: corrections.move(each_world.ana, entry.id, "project:web"),
    }
    before, told = entries_of(each_world), len(events(each_world))
    outcome = refused(deeds[act])
    assert (outcome.code, outcome.rule, outcome.facts["holds"]) == ("hold.covers", "G40", [hold])
    assert (entries_of(each_world), len(events(each_world))) == (before, told)
    assert listing.show(each_world.ana, entry.id).holds == [hold]


def test_forget_under_a_hold_restricts_what_is_covered_and_erases_the_rest(each_world: World) -> None:
    """G43: counted apart; the restricted is recalled, listed and shown to nobody, nor named as similar."""
    kept, gone = each_world.learn("dana likes ink").entry, each_world.learn("dana likes paper").entry
    place_hold(each_world, entry=kept)
    answer = forget.forget(each_world.dana, None)
    assert (answer.ids, answer.restricted) == ([gone.id], 1)
    assert (newest(each_world, kept).restricted, newest(each_world, gone).state) == (True, "erased")
    job = each_world.job(each_world.dana)
    for acting in (job, each_world.dana, each_world.ana):
        assert recall.recall(acting, recall.Recall("ink", include_ended=True)).items == []
        assert recall.recall(acting, recall.Recall(id=kept.id)).items == []
    for acting in (each_world.dana, each_world.ana):
        assert refused(lambda acting=acting: listing.show(acting, kept.id)).code == "memory.unknown"  # type: ignore[misc]  # bound
    assert each_world.learn("dana likes ink indeed").similar == []
