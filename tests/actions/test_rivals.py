"""M14: of two replacements of one entry never both come into force, whatever became of that entry meanwhile."""

from __future__ import annotations

import pytest

from oz0mem.actions import accepting, forget, retiring
from oz0mem.actions.accepting import Accept
from tests.actions.evidence import newest, refused
from tests.actions.test_decisions import decide, over
from tests.actions.world import World


@pytest.mark.xfail(
    strict=True, reason="only a target that was replaced is looked at, not one that left force otherwise"
)
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
