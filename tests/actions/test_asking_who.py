"""G31, G3, M32: who decides about calls that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import approvals, defining, governance, listing, principals
from oz0mem.actions.defining import Define
from oz0mem.model.filters import Filter
from oz0mem.model.kinds import ACTIVE
from tests.actions.evidence import refused
from tests.actions.test_asking import asked, asking, note, only, waiting
from tests.actions.world import World

if TYPE_CHECKING:
    from oz0mem.model.entries import Entry

__all__ = ["asking"]


@pytest.mark.parametrize("who", ["member", "auditor", "host", "job"])
def test_only_reviewers_decide(asking: World, who: str) -> None:
    """G3: nobody else lists, approves or denies, an agent least of all."""
    approval = asked(asking, lambda: note(asking.job(asking.ana)))
    acting = asking.job(asking.ana) if who == "job" else asking.add("rita", who)
    for act in (
        lambda: approvals.list_approvals(acting),
        lambda: approvals.approve(acting, approval),
        lambda: approvals.deny(acting, approval, "no"),
    ):
        assert refused(act).code in ("role.forbidden", "role.agent")
    assert [each.id for each in waiting(asking)] == [approval]


def test_where_review_is_all_the_starter_approves_nothing(store_url: str) -> None:
    """M32: refused to the job's starter; another reviewer may."""
    world = World(store_url, solo=False, asks=True)
    world.declare(memory={})
    governance.set_settings(world.ana, {"review": "all"}, "stricter")
    rita = world.add("rita", "reviewer")
    approval = asked(world, lambda: note(world.job(rita)))
    outcome = refused(lambda: approvals.approve(rita, approval))
    assert (outcome.code, outcome.rule) == ("review.own", "M32")
    approvals.approve(world.ana, approval)
    assert only(world).state == ACTIVE


def test_a_disabled_starter_or_an_agent_that_is_gone_runs_no_call(asking: World) -> None:
    """G1, G31: under the rules of that moment, though the job's token may have run out."""
    rita = asking.add("rita", "reviewer")
    one, two = (asked(asking, lambda text=text: note(asking.job(rita), text)) for text in ("a pen", "a cap"))  # type: ignore[misc]  # bound
    asking.later(2)
    assert approvals.approve(asking.ana, one).changed
    principals.disable(asking.ana, "rita", "left")
    assert refused(lambda: approvals.approve(asking.ana, two)).code == "auth.disabled"


def test_what_would_be_replaced_since_is_not_replaced_unseen(asking: World) -> None:
    """G31: approving replaces what was shown, and nothing that came after it."""
    job = asking.job(asking.ana, sees="person")
    approval = asked(asking, lambda: note(job, "ink is blue", key="ink", scope="tenant"))
    newer = asking.note("ink is red", key="ink").entry
    outcome = refused(lambda: approvals.approve(asking.ana, approval))
    assert (outcome.code, outcome.rule) == ("approval.changed", "G31")
    assert [entry.id for entry in asking_all(asking)] == [newer.id]
    term = asked(asking, lambda: defining.define(job, Define("customer", "somebody with an order")))
    defining.define(asking.ana, Define("customer", "somebody with two orders"))
    assert refused(lambda: approvals.approve(asking.ana, term)).code == "approval.changed"


def asking_all(world: World) -> list[Entry]:
    """Every entry that there is."""
    return listing.list_entries(world.ana, Filter()).items
