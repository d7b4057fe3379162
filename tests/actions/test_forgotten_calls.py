"""G41, G43, L5: calls that wait about somebody who is forgotten, or that name them; under legal holds and without."""

from __future__ import annotations

import pytest

from oz0mem.actions import approvals, auditing, entries, forget, policies, upkeep
from oz0mem.actions.entries import Remember
from oz0mem.model.agreements import DENIED
from tests.actions.absent import remember
from tests.actions.agreeing import left
from tests.actions.evidence import events, place_hold, refused, run_sql
from tests.actions.withdrawn import (
    ERIN,
    SAID,
    WORDS,
    about_dana,
    ask,
    bodies,
    gone,
    learn,
    learnt,
    lift,
    sound,
    waiting,
)
from tests.actions.world import World


@pytest.fixture
def asking(store_url: str) -> World:
    """A tenant as init leaves it, that asks about what is learnt too: agents' writes ask a person; both back ends."""
    world = World(store_url, asks=True)
    world.declare()
    policies.set_policy(world.ana, "remember", "ask", "for the tests")
    return world


@pytest.mark.parametrize("hold", ["person", "everything", "an entry about them", "their scope"])
def test_under_a_hold_a_waiting_call_is_denied_and_kept_for_nobody(asking: World, hold: str) -> None:
    """G43, G31: it can neither be shown nor approved after the forget, and goes once no hold preserves it."""
    told = learnt(asking, "dana likes ink")
    approval = ask(
        lambda: entries.remember(about_dana(asking), Remember(SAID, kind="semantic", call_id="twice")),
    )
    entry = asking.store.read(asking.now, lambda desk: desk.entries.by_id(told))
    assert entry is not None
    place_hold(
        asking,
        entry=entry if hold.startswith("an entry") else None,
        about="dana" if hold == "person" else "",
        scope=entry.scope if hold == "their scope" else "",
        everything=hold == "everything",
    )
    assert forget.forget(asking.ana, "dana", dry_run=True).restricted == 2
    assert waiting(asking) == [approval]
    for _ in range(2):  # forgotten twice: told twice, denied once
        done = forget.forget(asking.ana, "dana")
        assert (done.ids, done.restricted, done.calls) == ([], 2, 0)
        (denied,) = events(asking, "approval.denied")
        assert denied["approval"] == approval and "reason_commit" not in denied
        assert waiting(asking) == []
        assert refused(lambda: approvals.approve(asking.ana, approval)).code == "approval.decided"
        shown = approvals.deny(asking.ana, approval, "no").approval
        assert (shown.state, shown.document, shown.decider) == (DENIED, {}, "ana")
        assert bodies(asking) == 1
        sound(asking)
    again = refused(
        lambda: entries.remember(about_dana(asking), Remember(SAID, kind="semantic", call_id="twice")),
    )
    assert again.code == "approval.denied"
    asking.later(15)
    upkeep.upkeep(asking.ana)
    assert bodies(asking) == 1
    sound(asking)
    lift(asking)
    assert upkeep.upkeep(asking.ana, dry_run=True).released == 1
    assert bodies(asking) == 1
    assert upkeep.upkeep(asking.ana).released == 1
    assert (bodies(asking), run_sql(asking, "SELECT count(*) FROM erasure")) == (0, [(0,)])
    (closed,) = events(asking, "memory.forgotten")
    assert (closed["count"], closed["actor"]["kind"]) == (0, "system") and "subject" in closed
    assert left(asking)["approval"] == 1  # the one that made the entry, which forget takes
    gone(asking, WORDS)
    sound(asking)
    assert forget.forget(asking.ana, "dana").ids == [told]
    assert left(asking)["approval"] == 0
    sound(asking)


def test_audit_tells_of_a_denied_calls_text_that_no_hold_keeps_or_that_was_altered(asking: World) -> None:
    """L7, G43: a hold excuses that it is there, and nothing else."""
    approval = learn(asking)
    place_hold(asking, about="dana")
    forget.forget(asking.ana, "dana")
    ((content,),) = run_sql(asking, "SELECT content FROM body WHERE num = (SELECT body FROM approval)")
    altered = bytes(content).replace(b"quagga", b"zebras")
    assert altered != bytes(content)
    behind = "UPDATE body SET content = ? WHERE num = (SELECT body FROM approval)"
    run_sql(asking, behind, altered)
    (problem,) = auditing.check(asking.ana, contents=True).problems
    assert approval in problem.sentence and "committed" in problem.sentence
    run_sql(asking, behind, bytes(content))
    sound(asking)
    lift(asking)
    (problem,) = auditing.check(asking.ana, contents=True).problems
    assert approval in problem.sentence and "still there" in problem.sentence


def test_a_forget_after_the_hold_takes_what_was_kept_too(asking: World) -> None:
    """G41: with the person, and their name."""
    remember(asking, "She writes with ink", about=ERIN)
    job = asking.job(asking.ana, about=ERIN, purpose="customer-support", sees="person")
    governed = refused(lambda: entries.remember(job, Remember(SAID, kind="procedural")))
    assert governed.code == "approval.waits"
    place_hold(asking, about=ERIN)
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert (done.restricted, done.unlinked, done.kept_because) == (2, False, ("legal_hold",))
    lift(asking)
    done = forget.forget(asking.ana, ERIN, unlink=True)
    assert (len(done.ids), done.restricted, done.unlinked, done.calls) == (1, 0, True, 0)
    assert (left(asking)["approval"], bodies(asking)) == (0, 0)
    gone(asking, WORDS)
    sound(asking)
