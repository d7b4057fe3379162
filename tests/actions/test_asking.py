"""G30, G31: calls that the policy asks about wait, and run once, as the agent, under the rules of that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import (
    accepting,
    approvals,
    changed,
    entries,
    governance,
    jobs,
    listing,
    policies,
    recall,
    retiring,
    superseding,
)
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember
from oz0mem.actions.keeping import Written
from oz0mem.actions.superseding import Supersede
from oz0mem.model.filters import Filter
from oz0mem.model.kinds import ACTIVE, HELD, REPLACED, RETIRED
from tests.actions.evidence import entries_of, events, newest, place_hold, refused, run_sql
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from oz0mem.model.agreements import Approval
    from oz0mem.model.entries import Entry

INK = "ink is blue"


@pytest.fixture
def asking(store_url: str) -> World:
    """A tenant as init leaves it: agents' writes and accepts ask a person."""
    world = World(store_url, asks=True)
    world.declare()
    return world


def asked(world: World, act: Callable[[], object]) -> str:
    """The approval that a call waits under; nothing of it is written yet."""
    before = entries_of(world)
    outcome = refused(act)
    assert (outcome.code, outcome.rule, outcome.facts["state"]) == ("approval.waits", "G31", "waiting")
    assert entries_of(world) == before
    return str(outcome.facts["approval"])


def waiting(world: World) -> list[Approval]:
    """What waits."""
    return approvals.list_approvals(world.ana).items


def only(world: World) -> Entry:
    """The one entry that there is."""
    (entry,) = listing.list_entries(world.ana, Filter()).items
    return entry


def note(job: Context, text: str = INK, **more: object) -> Written:
    """A note of a job's."""
    return entries.remember(job, Remember(text, **more))  # type: ignore[arg-type]  # tests name fields


def test_an_asked_write_waits_with_its_whole_text_and_what_its_job_had_read(asking: World) -> None:
    """G31: who asks, what would be written, its tier and what the job had read; recorded before it is shown (M28)."""
    started = jobs.start(asking.ana, jobs.Start("concierge"))
    jobs.read(asking.ana, started.record.id, "the ink page", published=False)
    job = asking.context(job=started.token)
    approval = asked(asking, lambda: note(job, "x" * 3_000, tags=("ink",), source={"path": "a.md"}))
    (found,) = waiting(asking)
    assert (found.id, found.function, found.agent, found.starter) == (approval, "remember", "concierge", "ana")
    assert found.document["arguments"] == {
        "text": "x" * 3_000,
        "kind": "note",
        "about": "work",
        "tags": ["ink"],
        "source": {"path": "a.md"},
        "on_similar": "keep",
    }
    assert (found.document["tier"], found.document["read"]) == ("unreviewed", ["the ink page"])
    read = events(asking, "plugin.records.read")[-1]
    assert (read["entries"], read["versions"], read["function"]) == ([approval], [1], "approvals")
    (event,) = events(asking, "approval.asked")
    assert (event["approval"], event["actor"]["ref"]) == (approval, "concierge")


def test_approving_a_note_makes_it_active_as_the_agents(asking: World) -> None:
    """G31: written once by the agent, brought into force by the person; its tier stays, and its reader's does."""
    job = asking.job(asking.ana)
    approval = asked(asking, lambda: note(job, call_id="c1"))
    done = approvals.approve(asking.ana, approval, "fine")
    assert done.changed
    entry = only(asking)
    assert (entry.state, entry.version, entry.tier, entry.agent, entry.by) == (
        ACTIVE,
        2,
        "unreviewed",
        "concierge",
        "ana",
    )
    first, then = events(asking, "memory.remembered")[-1], events(asking, "memory.confirmed")[-1]
    assert (first["actor"]["kind"], then["actor"]["kind"]) == ("agent", "person")
    assert first["approval"] == then["approval"] == approval
    again = note(job, call_id="c1")
    assert (again.entry.id, again.entry.version, again.kept) == (entry.id, 2, "new")
    assert refused(lambda: note(job, "other", call_id="c1")).code == "call.reused"
    assert approvals.approve(asking.ana, approval).changed is False
    assert only(asking).id == entry.id
    reader = asking.job(asking.ana, sees="person")
    assert [hit.entry.id for hit in recall.recall(reader, recall.Recall("ink")).items] == [entry.id]


@pytest.mark.parametrize("call_id", ["", "c1"])
def test_a_retry_finds_what_waits_and_then_its_answer(asking: World, call_id: str) -> None:
    """G31, M9: by its call id, or without one by its arguments; no second approval."""
    job = asking.job(asking.ana)
    approval = asked(asking, lambda: note(job, call_id=call_id))
    other = asking.job(asking.ana)
    assert asked(asking, lambda: note(other, call_id=call_id)) == approval
    assert len(waiting(asking)) == 1
    approvals.approve(asking.ana, approval)
    assert waiting(asking) == []
    assert note(other, call_id=call_id).entry.state == ACTIVE


def test_a_denied_call_tells_the_agent_no_reason(asking: World) -> None:
    """G31, M32: nothing is written, what it would have written is gone, the reason is for people."""
    job = asking.job(asking.ana)
    approval = asked(asking, lambda: note(job, call_id="c1"))
    assert approvals.deny(asking.ana, approval, "hearsay").changed
    assert approvals.deny(asking.ana, approval, "hearsay").changed is False
    outcome = refused(lambda: note(job, call_id="c1"))
    assert (outcome.code, outcome.rule) == ("approval.denied", "G31")
    assert "hearsay" not in outcome.said
    assert refused(lambda: approvals.approve(asking.ana, approval)).code == "approval.decided"
    assert entries_of(asking) == []
    assert all(INK.encode() not in bytes(row[0]) for row in run_sql(asking, "SELECT content FROM body"))


def test_an_approved_decision_still_waits_for_accept_which_asks_too(asking: World) -> None:
    """G31: the write becomes a proposal; the agent's accept shows the whole text again and runs as the agent."""
    text = "Deploy on Wednesdays, never on Fridays."
    job = asking.job(asking.ana)
    approvals.approve(asking.ana, asked(asking, lambda: note(job, text, kind="decision", call_id="c1")))
    proposed = note(job, text, kind="decision", call_id="c1").entry
    assert (proposed.state, proposed.version) == (HELD, 1)
    wanted = Accept(proposed.id, 1, text, call_id="c2")
    approval = asked(asking, lambda: accepting.accept(job, wanted))
    assert waiting(asking)[0].document["arguments"]["text"] == text
    approvals.approve(asking.ana, approval)
    (event,) = events(asking, "memory.accepted")
    assert (event["actor"]["kind"], event["approval"]) == ("agent", approval)
    assert newest(asking, proposed).state == ACTIVE
    assert accepting.accept(job, wanted).entry.version == 2


def test_a_call_that_a_rule_refuses_leaves_no_approval(asking: World) -> None:
    """G31: refusing rules run first."""
    job = asking.job(asking.ana, sees="person")
    policies.set_policy(asking.ana, "retire", "deny", "never")
    mine = asking.note("paper is white").entry
    for act in (
        lambda: note(job, "x\x00"),
        lambda: note(job, scope="agent:other"),
        lambda: note(job, ends=asking.now + 9_999 * 86_400_000_000),
        lambda: note(job, about="dana"),
        lambda: note(job, "paper is white!", scope="tenant", on_similar="refuse"),
        lambda: accepting.accept(job, Accept(mine.id, 1, "paper is white")),
        lambda: superseding.supersede(job, Supersede(mine.id, 7, INK)),
        lambda: superseding.supersede(job, Supersede("n-000000000000", 1, INK)),
        lambda: retiring.retire(job, mine.id, "old", version=1),
    ):
        assert refused(act).code != "approval.waits"
    governance.set_settings(asking.ana, {"max_records": 1}, "small")
    assert refused(lambda: note(job, INK, scope="tenant")).code == "memory.cap"
    assert waiting(asking) == []


def test_it_runs_under_the_rules_of_the_moment_of_approval(asking: World) -> None:
    """G31: refused then, it waits on, and nothing is written."""
    job = asking.job(asking.ana, sees="person")
    old = asking.note("paper is white").entry
    by_text = asked(asking, lambda: note(job, INK, scope="tenant"))
    by_version = asked(asking, lambda: superseding.supersede(job, Supersede(old.id, 1, "paper is grey")))
    superseding.supersede(asking.ana, Supersede(old.id, 1, "paper is yellow"))
    assert refused(lambda: approvals.approve(asking.ana, by_version)).code == "memory.stale"
    policies.set_policy(asking.ana, "remember", "deny", "stop")
    before = entries_of(asking)
    assert refused(lambda: approvals.approve(asking.ana, by_text)).code == "policy.denied"
    assert entries_of(asking) == before
    assert {each.id for each in waiting(asking)} == {by_text, by_version}
    policies.set_policy(asking.ana, "remember", "allow", "go on")
    assert approvals.approve(asking.ana, by_text).changed


def test_what_is_approved_is_what_was_shown(asking: World) -> None:
    """G31, L7: a row altered behind the ledger is neither listed nor run; the job's later reading changes nothing."""
    started = jobs.start(asking.ana, jobs.Start("concierge", sees="person"))
    job = asking.context(job=started.token)
    approval = asked(asking, lambda: note(job))
    jobs.read(asking.ana, started.record.id, "a page", published=False)
    body = run_sql(asking, "SELECT body FROM approval")[0][0]
    kept = bytes(run_sql(asking, "SELECT content FROM body WHERE num = ?", body)[0][0])
    run_sql(asking, "UPDATE body SET content = ? WHERE num = ?", kept.replace(b"blue", b"gold"), body)
    assert waiting(asking) == []
    assert approvals.list_approvals(asking.ana).altered == [approval]
    assert refused(lambda: approvals.approve(asking.ana, approval)).code == "approval.altered"
    run_sql(asking, "UPDATE body SET content = ? WHERE num = ?", kept, body)
    approvals.approve(asking.ana, approval)
    assert only(asking).tier == "person"


def test_approvals_lapse_after_14_days(asking: World) -> None:
    """G31: nobody can approve it any more, and the same call is a new question."""
    job = asking.job(asking.ana)
    approval = asked(asking, lambda: note(job))
    asking.later(14)
    assert waiting(asking) == []
    outcome = refused(lambda: approvals.approve(asking.ana, approval))
    assert (outcome.code, outcome.facts["state"]) == ("approval.decided", "lapsed")
    assert asked(asking, lambda: note(asking.job(asking.ana))) != approval


def test_learned_kinds_do_not_ask_until_an_admin_says_so(asking: World) -> None:
    """G30: the declaration turned them on; they are held by tier."""
    assert asking.learn("dana likes ink", sees="").entry.held == "unreviewed"
    policies.set_policy(asking.ana, "remember", "ask", "look at all of it")
    asked(asking, lambda: asking.learn("dana likes paper", sees=""))


def test_an_approved_retirement_retires_where_somebody_else_started_the_job(store_url: str) -> None:
    """M34, G31: the approver is the person whom the proposal waits for, and never its author."""
    world = World(store_url, solo=False, asks=True)
    world.declare(memory={})
    rita = world.add("rita", "reviewer")
    old = world.note("paper is white").entry
    approval = asked(world, lambda: retiring.retire(world.job(rita), old.id, "no paper", version=1))
    assert refused(lambda: approvals.approve(rita, approval)).code == "review.own"
    approvals.approve(world.ana, approval)
    assert newest(world, old).state == RETIRED


def test_a_legal_hold_on_what_would_be_replaced_refuses_the_approval(asking: World) -> None:
    """G40: asked before the hold, refused after it."""
    job = asking.job(asking.ana, sees="person")
    old = asking.note("paper is white").entry
    approval = asked(asking, lambda: superseding.supersede(job, Supersede(old.id, 1, "paper is grey")))
    place_hold(asking, entry=old)
    assert refused(lambda: approvals.approve(asking.ana, approval)).code == "hold.covers"
    run_sql(asking, "UPDATE head SET holds = 0")
    run_sql(asking, "DELETE FROM hold")
    approvals.approve(asking.ana, approval)
    assert newest(asking, old).state == REPLACED


def test_changed_since_asks_and_answers_once_for_each_approval(asking: World) -> None:
    """G30: its only write is the agent's bookmark; the answer is made when the agent asks again."""
    job = asking.job(asking.ana, sees="person")
    approval = asked(asking, lambda: changed.changed_since(job))
    asking.note("paper is white")
    assert asked(asking, lambda: changed.changed_since(job)) == approval
    approvals.approve(asking.ana, approval)
    assert [entry.text for entry in changed.changed_since(job).items] == ["paper is white"]
    assert asked(asking, lambda: changed.changed_since(job)) != approval
