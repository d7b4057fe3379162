"""G31, M8, M9, M25, L7: ways round a call that asks, each of which was open once."""

from __future__ import annotations

import pytest

from oz0mem.actions import accepting, approvals, entries, recall, retiring, superseding
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede
from oz0mem.model.kinds import ACTIVE, HELD, RETIRED
from tests.actions.agreed import apart
from tests.actions.evidence import RESEMBLING, events, newest, refused, run_sql
from tests.actions.test_asking import asked, asking, note, only
from tests.actions.world import World

__all__ = ["asking"]


def held_note(world: World) -> str:
    """A note that waits: what its job had read was unreviewed; the text is what waits."""
    from oz0mem.actions import policies

    policies.set_policy(world.ana, "write", "allow", "for a moment")
    text = "ink is blue"
    assert note(world.job(world.ana), text).entry.state == HELD
    policies.set_policy(world.ana, "write", "ask", "as it was")
    return text


def test_repeating_a_held_text_asks_too(asking: World) -> None:
    """M2, G30: a job that saw only people would confirm it, which is a write as any other."""
    text = held_note(asking)
    approval = asked(asking, lambda: note(asking.job(asking.ana, sees="person"), text))
    assert only(asking).state == HELD
    approvals.approve(asking.ana, approval)
    (event,) = events(asking, "memory.confirmed")
    assert (only(asking).state, event["actor"]["kind"], event["approval"]) == (ACTIVE, "person", approval)


def test_a_call_without_an_id_is_the_same_only_while_what_came_of_it_stands(asking: World) -> None:
    """G31: a note that was approved and retired since is another question."""
    job = asking.job(asking.ana)
    approvals.approve(asking.ana, asked(asking, lambda: note(job)))
    assert note(job).entry.state == ACTIVE
    retiring.retire(asking.ana, only(asking).id, "not so")
    asked(asking, lambda: note(job))


def test_two_sides_of_a_wall_do_not_find_each_others_calls(asking: World) -> None:
    """M25: by what they say."""
    apart(asking)
    legal, sales = (asking.job(asking.ana, compartments=(name,)) for name in ("legal", "sales"))
    one = asked(asking, lambda: note(legal, "the moat is deep", scope="tenant"))
    two = asked(asking, lambda: note(sales, "the moat is deep", scope="tenant"))
    assert one != two
    approvals.approve(asking.ana, one)
    assert asked(asking, lambda: note(sales, "the moat is deep", scope="tenant")) == two


def test_a_retry_of_an_approved_retirement_is_answered(asking: World) -> None:
    """M9, G31: though nobody else's agent may read the entry any more."""
    other = asking.note("paper is white").entry
    job = asking.job(asking.ana)

    def retire() -> object:
        return retiring.retire(job, other.id, "old", version=1, call_id="c1").entry.state

    approvals.approve(asking.ana, asked(asking, retire))
    assert retire() == RETIRED


def test_a_stale_retirement_says_so(asking: World) -> None:
    """M15: with the newest version, as a stale supersede does."""
    old = asking.note("paper is white").entry
    superseding.supersede(asking.ana, Supersede(old.id, 1, "paper is grey"))
    outcome = refused(lambda: retiring.retire(asking.job(asking.ana), old.id, "old", version=1))
    assert (outcome.code, outcome.facts["newest"]) == ("memory.stale", 2)


def test_what_resembles_a_secret_is_told_and_waits_though_it_was_approved(asking: World) -> None:
    """M8: whatever the policy; a person confirms it by itself."""
    approval = asked(asking, lambda: note(asking.job(asking.ana, sees="person"), RESEMBLING))
    (waits,) = approvals.list_approvals(asking.ana).items
    assert waits.document["comes_to"]["held"] == "scan"
    approvals.approve(asking.ana, approval)
    assert (only(asking).state, "scan" in only(asking).held) == (HELD, True)


def test_an_approval_lapses_by_the_moment_that_the_ledger_has(asking: World) -> None:
    """L7: a row that was made younger runs nothing."""
    approval = asked(asking, lambda: note(asking.job(asking.ana)))
    asking.later(15)
    run_sql(asking, "UPDATE approval SET at = ?", asking.now)
    assert refused(lambda: approvals.approve(asking.ana, approval)).code == "approval.altered"


def test_what_an_approved_call_replaces_names_the_approval_and_is_answered(asking: World) -> None:
    """L2, M12: the ledger does not show an agent ending something by itself."""
    job = asking.job(asking.ana, sees="person")
    old = asking.note("paper is white").entry
    wanted = Supersede(old.id, 1, "paper is grey", call_id="c1")
    approval = asked(asking, lambda: superseding.supersede(job, wanted))
    approvals.approve(asking.ana, approval)
    assert superseding.supersede(job, wanted).replaced == old.id
    assert [event["approval"] for event in events(asking, "memory.replaced")] == [approval]


def test_accepting_names_a_version_whoever_accepts(asking: World) -> None:
    """M14: at every door; only a terminal fills it in."""
    proposed = entries.remember(asking.ana, Remember("Deploy on Wednesdays.", "decision")).entry
    outcome = refused(lambda: accepting.accept(asking.ana, Accept(proposed.id, None)))
    assert (outcome.code, newest(asking, proposed).state) == ("memory.version", HELD)


@pytest.mark.parametrize("compartment", ["legal", "sales"])
def test_what_a_person_rewords_stays_on_its_side_of_a_wall(asking: World, compartment: str) -> None:
    """M25: people read across walls."""
    apart(asking)
    job = asking.job(asking.ana, sees="person", compartments=("legal",))
    approvals.approve(asking.ana, asked(asking, lambda: note(job, "the moat is deep", scope="tenant")))
    superseding.supersede(asking.ana, Supersede(only(asking).id, 2, "the moat is very deep"))
    reader = asking.job(asking.ana, compartments=(compartment,))
    found = recall.recall(reader, recall.Recall("moat"))
    assert (len(found.items), found.withheld) == ((1, 0) if compartment == "legal" else (0, 1))


@pytest.mark.parametrize("column", ["purpose", "starter", "agent"])
def test_a_call_runs_as_the_job_that_asked_and_no_other(asking: World, column: str) -> None:
    """L7: a job's row altered behind the approval."""
    asking.declare(purposes=["customer-support", "billing"])
    approval = asked(asking, lambda: note(asking.job(asking.ana, purpose="billing")))
    asking.job(asking.ana, purpose="customer-support", sees="person")
    run_sql(asking, f"UPDATE job SET {column} = {column} + 1 WHERE num = (SELECT job FROM approval)")
    assert refused(lambda: approvals.approve(asking.ana, approval)).code in ("approval.altered", "auth.disabled")


def test_a_denied_call_put_back_from_a_copy_is_not_run(asking: World) -> None:
    """L7: the ledger knows of the decision."""
    approval = asked(asking, lambda: note(asking.job(asking.ana)))
    row = run_sql(asking, "SELECT state, decided, decider, body FROM approval")[0]
    content = run_sql(asking, "SELECT content FROM body WHERE num = ?", row[3])[0][0]
    approvals.deny(asking.ana, approval, "no")
    run_sql(asking, "UPDATE approval SET state = ?, decided = ?, decider = ?, body = ?", *row)
    run_sql(asking, "UPDATE body SET content = ? WHERE num = ?", content, row[3])
    assert refused(lambda: approvals.approve(asking.ana, approval)).code == "approval.altered"


@pytest.mark.parametrize("why", ["core", "scan", "procedural"])
def test_an_agent_lifts_no_doubt_but_its_own_by_repeating_a_text(world: World, why: str) -> None:
    """M2, M30, M8, M4: what waits for another reason than what its job had read waits on."""
    asked_for = {
        "core": Remember("obey the north gate", scope="tenant", core=True),
        "scan": Remember("obey the north gate", scope="tenant", tags=(RESEMBLING,)),
        "procedural": Remember("obey the north gate", "procedural"),
    }[why]
    about = {"about": "dana"} if why == "procedural" else {}
    held = entries.remember(world.job(world.dana, sees="person", **about), asked_for).entry
    assert (held.state, why in held.held) == (HELD, True)
    plain = asked_for._replace(core=False, tags=())
    assert entries.remember(world.job(world.dana, sees="person"), plain).entry.state == HELD


def test_a_retry_shows_what_this_job_may_read_now(world: World) -> None:
    """M9, M20: the call is remembered for the agent, and its projects are each job's own."""
    world.declare(projects=[])
    secret, web = (world.job(world.ana, sees="person", projects=(name,)) for name in ("secret", "web"))
    entries.remember(secret, Remember("the moat is three metres deep", scope="project:secret"))
    said = Remember("the moat is three metres deep now", call_id="c1")
    assert len(entries.remember(secret, said).similar) == 1
    assert entries.remember(web, said).similar == []
