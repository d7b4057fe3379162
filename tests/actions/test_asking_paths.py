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
