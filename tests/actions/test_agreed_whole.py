"""G31, G41, G44, L7: calls that agents really made go with whom and what they are about; the ledger bears it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import (
    acceptance,
    accepting,
    approvals,
    auditing,
    changed,
    editing,
    entries,
    forget,
    links,
    policies,
    retiring,
    superseding,
    upkeep,
)
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede
from tests.actions.agreeing import left
from tests.actions.evidence import refused, run_sql
from tests.actions.guessing import matches, standing
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context

SAID = "Zanzibar quagga trips"
WORDS = [SAID, "Zanzibar", "quagga", "ornithopters", "brochure-tag"]


@pytest.fixture
def asking(store_url: str) -> World:
    """A tenant as init leaves it: agents' writes ask a person; both back ends."""
    world = World(store_url, asks=True)
    world.declare()
    return world


def ask(act: Callable[[], object]) -> str:
    """Let a call wait; answers its approval."""
    outcome = refused(act)
    assert outcome.code == "approval.waits"
    return str(outcome.facts["approval"])


def about_dana(world: World) -> Context:
    """A job about dana."""
    return world.job(world.dana, purpose="customer-support", about="dana", sees="person")


def remember(world: World) -> str:
    """A call that waits, to keep what dana said."""
    policies.set_policy(world.ana, "remember", "ask", "for the tests")
    asked = Remember(SAID, kind="semantic", tags=("brochure-tag",), call_id="once", reason="about ornithopters")
    return ask(lambda: entries.remember(about_dana(world), asked))


def sound(world: World) -> None:
    """Everything left is as the ledger says."""
    assert [problem.sentence for problem in auditing.check(world.ana, contents=True).problems] == []


def gone(world: World, texts: list[str]) -> None:
    """Nothing of it stands in the files, nor can be guessed there, on SQLite."""
    if world.url.startswith("sqlite"):
        assert standing(world, texts) == []
        assert matches(world, texts) == []


def test_a_call_about_a_person_goes_with_them(asking: World) -> None:
    """G41, G44: text, tag, reason and the digest of its retry."""
    remember(asking)
    sound(asking)
    done = forget.forget(asking.dana, None)
    assert (done.open, left(asking)["approval"]) == (False, 0)
    gone(asking, WORDS)
    sound(asking)
    assert approvals.list_approvals(asking.ana).items == []


def test_the_digest_of_a_call_goes_too(world: World) -> None:
    """M9, L3: while it is there, whoever has the tenant's key and guesses the arguments finds it."""
    policies.set_policy(world.ana, "remember", "ask", "for the tests")
    ask(lambda: entries.remember(about_dana(world), Remember(SAID, kind="semantic", call_id="once")))
    assert any(each.startswith('["remember"') for each in matches(world, [SAID]))
    forget.forget(world.dana, None)
    assert matches(world, [SAID]) == []


@pytest.mark.parametrize("decide", ["approve", "deny"])
def test_what_was_decided_goes_too(asking: World, decide: str) -> None:
    """G31, G41: what a decision overwrote, and the reason for it."""
    asked = remember(asking)
    if decide == "approve":
        approvals.approve(asking.ana, asked, "as ornithopters fly")
    else:
        approvals.deny(asking.ana, asked, "as ornithopters fly")
    sound(asking)
    forget.forget(asking.dana, None)
    assert left(asking)["approval"] == 0
    gone(asking, WORDS)
    sound(asking)


def test_calls_that_would_change_an_entry_go_with_it(asking: World) -> None:
    """G41, G44: supersede, accept and retire, which hold what it said or would say."""
    policies.set_policy(asking.ana, "write", "allow", "to begin with")
    asking.declare(capabilities=["remember", "recall"])
    entry = entries.remember(asking.job(asking.ana, sees="person"), Remember(SAID, kind="decision")).entry
    policies.set_policy(asking.ana, "write", "ask", "from now on")
    job = asking.job(asking.ana, sees="person")
    ask(lambda: accepting.accept(job, Accept(entry.id, 1, SAID)))
    ask(lambda: superseding.supersede(job, Supersede(entry.id, 1, "Zanzibar by ornithopters")))
    assert left(asking)["approval"] == 2
    forget.delete(asking.ana, entry.id, "no longer so")
    assert left(asking)["approval"] == 0
    gone(asking, WORDS)
    sound(asking)


def test_an_edit_about_a_person_takes_what_asks_about_the_earlier_text(asking: World) -> None:
    """M33, G44: a retirement with a reason that tells of it."""
    policies.set_policy(asking.ana, "write", "allow", "to begin with")
    entry = entries.remember(about_dana(asking), Remember(SAID, kind="semantic")).entry
    policies.set_policy(asking.ana, "write", "ask", "from now on")
    job = about_dana(asking)
    ask(lambda: retiring.retire(job, entry.id, "no ornithopters", version=entry.version))
    editing.edit(asking.dana, entry.id, "She stays at home")
    assert left(asking)["approval"] == 0
    gone(asking, WORDS)
    sound(asking)


def test_lapsed_calls_leave_the_files_and_the_ledger_sound(asking: World) -> None:
    """G31, G50."""
    job = asking.job(asking.ana, sees="person")
    ask(lambda: entries.remember(job, Remember(SAID, call_id="once")))
    asking.later(14)
    upkeep.upkeep(asking.ana)
    assert run_sql(asking, "SELECT state, body FROM approval") == [(3, 0)]
    gone(asking, WORDS)
    sound(asking)


def test_links_gone_with_their_ends_leave_the_ledger_sound(asking: World) -> None:
    """M17, G41: waiting, confirmed and rejected ones, on both back ends."""
    policies.set_policy(asking.ana, "write", "allow", "for the tests")
    one, other = asking.note("Deploys on Friday failed").entry, asking.learn("dana deploys").entry
    third = asking.note("Deploy on Wednesdays").entry
    for label, act in (("supports", links.confirm), ("answers", links.reject), ("same_as", None)):
        made = links.link(asking.ana, one.id, label, other.id, "Zanzibar says so").link.id
        links.link(asking.ana, one.id, label, third.id)
        if act:
            act(asking.ana, made, "ornithopters say so")
    sound(asking)
    assert forget.forget(asking.dana, None).residue in ("none-found", "not-checked")
    assert left(asking)["link"] == 3
    gone(asking, WORDS)
    sound(asking)


def test_a_bookmark_that_a_job_moved_goes_with_its_person(asking: World) -> None:
    """M26, G41: after the policy let it."""
    policies.set_policy(asking.ana, "write", "allow", "for the tests")
    acceptance.confirm(asking.dana, asking.learn("dana likes ink", sees="").entry.id)
    job = about_dana(asking)
    cursor = changed.changed_since(job).cursor
    changed.changed_since(job, cursor)
    assert left(asking)["bookmark"] == 1
    forget.forget(asking.dana, None)
    assert left(asking)["bookmark"] == 0
    sound(asking)
