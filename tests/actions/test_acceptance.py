"""M16, M32, L7: what a person decides about a held entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, editing, entries, forget, governance, listing, recall, retiring
from oz0mem.actions.entries import Remember
from oz0mem.model.kinds import ACTIVE, HELD, REJECTED
from tests.actions.evidence import alter, entries_of, events, newest, place_hold, refused
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from oz0mem.model.entries import Entry


def test_confirming_makes_a_new_version_that_is_recalled(each_world: World) -> None:
    """M32: with its event, once; a second confirm changes nothing."""
    held = each_world.learn("dana likes ink", sees="").entry
    job = each_world.job(each_world.dana)
    assert recall.recall(job, recall.Recall("ink")).items == []
    done = acceptance.confirm(each_world.dana, held.id, "that is so")
    assert (done.changed, done.entry.version, done.entry.state, done.entry.held) == (True, 2, ACTIVE, "")
    assert [hit.entry.version for hit in recall.recall(job, recall.Recall("ink")).items] == [2]
    (event,) = events(each_world, "memory.confirmed")
    assert (event["entry"], event["version"], event["tier"]) == (held.id, 2, "unreviewed")
    again = acceptance.confirm(each_world.dana, held.id)
    assert (again.changed, again.entry.version) == (False, 2)


@pytest.mark.parametrize(
    ("who", "mine", "code"),
    [
        ("member", True, ""),
        ("member", False, "memory.unknown"),
        ("reviewer", False, ""),
        ("admin", False, ""),
        ("auditor", False, "role.forbidden"),
        ("host", False, "role.forbidden"),
        ("job", True, "role.agent"),
    ],
)
def test_confirm_is_a_persons_who_may(world: World, who: str, mine: bool, code: str) -> None:
    """M32, G3: members their own, reviewers everybody's, agents never."""
    held = world.learn("dana likes ink", sees="").entry
    acting = {"member": lambda: world.dana if mine else world.add("bob", "member"),
              "admin": lambda: world.ana,
              "job": lambda: world.job(world.dana)}.get(who, lambda: world.add("rita", who))()  # fmt: skip
    if not code:
        assert acceptance.confirm(acting, held.id).entry.state == ACTIVE
        return
    assert refused(lambda: acceptance.confirm(acting, held.id)).code == code
    assert newest(world, held).state == HELD


@pytest.fixture
def strict(tmp_path: Path) -> World:
    """A tenant of several people, review all."""
    made = World(f"sqlite:///{tmp_path / 'strict.db'}", solo=False)
    made.declare(memory={})
    governance.set_settings(made.ana, {"review": "all"}, "stricter")
    return made


def test_where_review_is_all_neither_writer_nor_starter_confirms(strict: World) -> None:
    """M32: another reviewer does; a rewriting makes its author a writer and leaves the starter one."""
    rita, remo = strict.add("rita", "reviewer"), strict.add("remo", "reviewer")
    own = entries.remember(rita, Remember("ink is blue")).entry
    outcome = refused(lambda: acceptance.confirm(rita, own.id))
    assert (outcome.code, outcome.rule) == ("review.own", "M32")
    assert acceptance.confirm(remo, own.id).entry.state == ACTIVE
    by_job = entries.remember(strict.job(rita, sees="person"), Remember("ink is red", scope="tenant")).entry
    assert refused(lambda: acceptance.confirm(rita, by_job.id)).code == "review.own"
    rewritten, _ = editing.edit(remo, by_job.id, "ink is green")
    assert rewritten.entry.state == HELD
    for person in (rita, remo):
        assert refused(lambda person=person: acceptance.confirm(person, by_job.id)).code == "review.own"  # type: ignore[misc]  # bound
    assert acceptance.confirm(strict.ana, by_job.id).entry.text == "ink is green"


def test_a_solo_stores_one_person_confirms_their_own(world: World) -> None:
    """M32, G1: one person may do both halves."""
    governance.set_settings(world.ana, {"review": "all"}, "stricter")
    own = world.note("ink is blue").entry
    assert acceptance.confirm(world.ana, own.id).entry.state == ACTIVE


def test_a_rejection_keeps_its_reason_for_people_and_the_agent_learns_the_state(each_world: World) -> None:
    """M32: a member does not see who said what; the ledger has no word of it."""
    held = each_world.learn("dana likes ink", sees="").entry
    rejected = acceptance.reject(each_world.ana, held.id, "hearsay from a page").entry
    assert (rejected.state, rejected.version) == (REJECTED, 2)
    assert listing.show(each_world.ana, held.id).reasons == ["hearsay from a page"]
    assert listing.show(each_world.dana, held.id).reasons == []
    (event,) = events(each_world, "memory.rejected")
    assert "hearsay" not in str(event)
    again = each_world.learn("dana likes ink")
    assert (again.entry.state, again.kept) == (REJECTED, "existing")
    assert acceptance.reject(each_world.ana, held.id, "again").changed is False


@pytest.mark.parametrize("who", ["member", "auditor", "host", "job"])
def test_reject_is_a_reviewers(world: World, who: str) -> None:
    """M32, G3: and nobody else's; and it takes a reason."""
    held = world.learn("dana likes ink", sees="").entry
    acting = {"member": lambda: world.dana, "job": lambda: world.job(world.dana)}.get(
        who, lambda: world.add("rita", who)
    )()
    assert refused(lambda: acceptance.reject(acting, held.id, "no")).code in ("role.forbidden", "role.agent")
    assert refused(lambda: acceptance.reject(world.ana, held.id, " ")).code == "argument.blank"
    assert newest(world, held).state == HELD


@pytest.mark.parametrize("state", ["active", "replaced", "retired", "rejected", "erased"])
def test_only_what_is_held_is_confirmed_or_rejected(world: World, state: str) -> None:
    """M32: from every other state it is refused and nothing changes."""
    entry = world.learn("dana likes ink", key="k", sees="" if state == "rejected" else "person").entry
    deeds: dict[str, Callable[[], object]] = {
        "active": lambda: None,
        "replaced": lambda: world.learn("dana likes paper", key="k"),
        "retired": lambda: retiring.retire(world.ana, entry.id, "no"),
        "rejected": lambda: acceptance.reject(world.ana, entry.id, "no"),
        "erased": lambda: forget.delete(world.ana, entry.id, ""),
    }
    deeds[state]()
    before = entries_of(world)
    if state != "active":
        assert refused(lambda: acceptance.confirm(world.ana, entry.id)).code in (
            "memory.state",
            "memory.erased",
        )
    if state != "rejected":
        code = refused(lambda: acceptance.reject(world.ana, entry.id, "no")).code
        assert code in ("memory.state", "memory.erased")
    assert entries_of(world) == before


def test_a_held_entry_under_a_hold_is_confirmed_but_not_rejected(world: World) -> None:
    """G40: rejecting lets go, confirming keeps."""
    held = world.learn("dana likes ink", sees="").entry
    place_hold(world, entry=held)
    assert refused(lambda: acceptance.reject(world.ana, held.id, "no")).code == "hold.covers"
    assert acceptance.confirm(world.ana, held.id).entry.state == ACTIVE


@pytest.mark.parametrize("text", ["", "dana hates ink"], ids=["row", "text"])
def test_an_altered_entry_is_not_confirmed_nor_decided_about(each_world: World, text: str) -> None:
    """L7: nothing is done on the strength of a row that its event does not cover; it can be deleted."""
    held = each_world.learn("dana likes ink", sees="").entry
    alter(each_world, held, text)
    deeds: list[Callable[[Entry], object]] = [
        lambda entry: acceptance.confirm(each_world.ana, entry.id),
        lambda entry: acceptance.reject(each_world.ana, entry.id, "no"),
        lambda entry: editing.edit(each_world.ana, entry.id, "x"),
        lambda entry: listing.show(each_world.ana, entry.id),
    ]
    before = entries_of(each_world)
    for deed in deeds:
        outcome = refused(lambda deed=deed: deed(held))  # type: ignore[misc]  # bound
        assert (outcome.code, outcome.rule) == ("memory.altered", "L7")
    assert entries_of(each_world) == before
    forget.delete(each_world.ana, held.id, "altered")
    assert newest(each_world, held).state == "erased"
