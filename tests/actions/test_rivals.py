"""M14: of two replacements of one entry never both come into force, whatever became of that entry meanwhile."""

from __future__ import annotations

import pytest

from oz0mem.actions import accepting, forget, retiring
from oz0mem.actions.accepting import Accept
from tests.actions.evidence import events, newest, refused
from tests.actions.test_decisions import decide, over
from tests.actions.world import World


@pytest.mark.parametrize("how", ["retired", "deleted"])
def test_rivals_of_what_was_let_go_do_not_both_come_into_force(world: World, how: str) -> None:
    """M14: another replacement of the same entry was accepted in the meantime."""
    old = decide(world)
    one, two = over(world, old, "Deploy on Thursdays."), over(world, old, "Deploy on Mondays.")
    if how == "retired":
        retiring.retire(world.ana, old.id, "no longer so")
    else:
        forget.delete(world.ana, old.id, "not wanted")
    accepting.accept(world.ana, Accept(one.id, 1))
    assert refused(lambda: accepting.accept(world.ana, Accept(two.id, 1))).code == "memory.overtaken"
    assert newest(world, two).state == "held"


@pytest.mark.parametrize("how", ["retired", "deleted"])
def test_down_a_chain_of_proposals_too(world: World, how: str) -> None:
    """M12, M14: what gave way passes on what it was over, and what came into force may have been replaced since."""
    old = decide(world)
    one, two = over(world, old, "Deploy on Thursdays."), over(world, old, "Deploy on Mondays.")
    one, two = over(world, one, "Deploy on Thursdays at ten."), over(world, two, "Deploy on Mondays at ten.")
    if how == "retired":
        retiring.retire(world.ana, old.id, "no longer so")
    else:
        forget.delete(world.ana, old.id, "not wanted")
    accepted = accepting.accept(world.ana, Accept(one.id, 1)).entry
    accepting.accept(world.ana, Accept(over(world, accepted, "Deploy at noon.").id, 1))
    assert refused(lambda: accepting.accept(world.ana, Accept(two.id, 1))).code == "memory.overtaken"


def test_what_was_written_over_an_erased_proposal_is_proposed_anew(world: World) -> None:
    """M12: what it would end is not known any more, so that it may not come into force beside it."""
    old = decide(world)
    first = over(world, old, "Deploy on Thursdays.")
    second = over(world, first, "Deploy on Thursdays at ten.")
    forget.delete(world.ana, first.id, "not wanted")
    outcome = refused(lambda: accepting.accept(world.ana, Accept(second.id, 1)))
    assert (outcome.code, newest(world, old).state) == ("memory.erased_between", "active")


def test_the_ledger_knows_of_a_replacement_that_is_erased(each_world: World) -> None:
    """M14, G42: deleting what came between brings no second replacement into force."""
    old = decide(each_world)
    one, two = over(each_world, old, "Deploy on Thursdays."), over(each_world, old, "Deploy on Mondays.")
    retiring.retire(each_world.ana, old.id, "no longer so")
    accepted = accepting.accept(each_world.ana, Accept(one.id, 1)).entry
    newer = over(each_world, accepted, "Deploy at noon.")
    accepting.accept(each_world.ana, Accept(newer.id, 1))
    forget.delete(each_world.ana, one.id, "not wanted")
    assert refused(lambda: accepting.accept(each_world.ana, Accept(two.id, 1))).code == "memory.overtaken"
    forget.delete(each_world.ana, old.id, "not wanted")
    assert refused(lambda: accepting.accept(each_world.ana, Accept(two.id, 1))).code == "memory.overtaken"
    (event, *_) = [each for each in events(each_world, "memory.accepted") if each["entry"] == one.id]
    assert event["over"] == old.id
