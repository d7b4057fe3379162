"""Calls that wait about people or name them, and what is left of them, for tests of what becomes of those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import approvals, auditing, entries
from oz0mem.actions.entries import Remember
from tests.actions.evidence import lift_holds, refused, run_sql
from tests.actions.guessing import matches, standing
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context

SAID = "Zanzibar quagga trips"
WORDS = [SAID, "Zanzibar", "quagga"]
ERIN = "erin.pademelon"
NAMED = f"Parcels for {ERIN} wait at the harbour"


def ask(act: Callable[[], object]) -> str:
    """Let a call wait; answers its approval."""
    outcome = refused(act)
    assert outcome.code == "approval.waits"
    return str(outcome.facts["approval"])


def about_dana(world: World) -> Context:
    """A job about dana."""
    return world.job(world.dana, purpose="customer-support", about="dana", sees="person")


def learn(world: World, text: str = SAID) -> str:
    """A call that waits, to keep what dana said."""
    return ask(lambda: entries.remember(about_dana(world), Remember(text, kind="semantic", call_id="once")))


def learnt(world: World, text: str) -> str:
    """The same, approved: an entry about dana; answers its id."""
    done = approvals.approve(world.ana, learn(world, text))
    return str(done.answer.entry.id)  # type: ignore[attr-defined]  # a write


def note(world: World, text: str = NAMED, **more: object) -> str:
    """A call about work that waits."""
    return ask(lambda: entries.remember(world.job(world.ana), Remember(text, **more)))  # type: ignore[arg-type]  # tests name fields


def sound(world: World) -> None:
    """Everything left is as the ledger says."""
    assert [problem.sentence for problem in auditing.check(world.ana, contents=True).problems] == []


def gone(world: World, texts: list[str]) -> None:
    """Nothing of it stands in the files, nor can be guessed there, on SQLite."""
    if world.url.startswith("sqlite"):
        assert standing(world, texts) == []
        assert matches(world, texts) == []


def lift(world: World) -> None:
    """Lift every legal hold, the head's count of them with it."""
    lift_holds(world)
    run_sql(world, "UPDATE head SET holds = 0 WHERE tenant = 1")


def bodies(world: World) -> int:
    """How many approvals have what they would write."""
    return int(run_sql(world, "SELECT count(*) FROM approval WHERE body > 0")[0][0])


def waiting(world: World) -> list[str]:
    """What `approvals` lists."""
    return [asked.id for asked in approvals.list_approvals(world.ana).items]
