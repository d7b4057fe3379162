"""The readers of the team's machine: recall, define, start-up and what changed, held against the oracle.

Promises that an answer holds nothing that the oracle keeps from its job, that nothing is missing from it but what a
wall withholds, which is counted, and that the job carries what it read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from oz0mem.actions import changed, defining, jobs, recall, startup
from oz0mem.model.errors import Oz0Error
from tests.reliability import oracle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from oz0mem.model.entries import Entry
    from tests.actions.world import World

PICK = st.integers(0, 40)
FEW = 10
"""As many are never cut by a budget, whatever share of it the rules have (R7)."""


class Readers:
    """What jobs read."""

    world: World
    law: oracle.Law
    scene: oracle.Scene
    stood_for: set[tuple[str, str]]
    policy: dict[tuple[str, str], str]
    cursors: dict[tuple[str, ...], str]
    told: dict[tuple[str, ...], set[tuple[str, int]]]

    def run(self, pick: int) -> oracle.Run:
        """One of the jobs."""
        raise NotImplementedError

    def do(self, act: Callable[[], Any]) -> tuple[Any, Oz0Error | None]:
        """Do a deed."""
        raise NotImplementedError

    def call(self, run: oracle.Run, function: str, act: Callable[[], Any]) -> tuple[Any, Oz0Error | None]:
        """An agent's call."""
        raise NotImplementedError

    def begin(self, run: oracle.Run) -> oracle.Run:
        """Start a job anew."""
        raise NotImplementedError

    def ready(self, pick: int) -> oracle.Run:
        """One of the jobs, started anew where it is over."""
        run = self.run(pick)
        return self.begin(run) if run.over(self.world.now) else run

    def check_shown(self, run: oracle.Run, shown: Iterable[Entry], allowed: set[str]) -> None:
        """Hold entries that a job was shown against what it may be shown, and let it have read them (M20 to M25)."""
        items = list(shown)
        beyond = {each.id for each in items} - allowed
        assert not beyond, [self.scene.newest[each] for each in beyond]
        sides = set(run.compartments).union(*(each.compartments for each in items))
        assert not (self.law.apart and {"legal", "sales"} <= sides), "both sides of a wall"
        oracle.show(run, items, self.stood_for)
        record = jobs.show(run.ctx, run.job).record
        assert (record.tier, set(record.compartments)) == (run.tier, run.compartments)

    @rule(pick=PICK)
    def recall(self, pick: int) -> None:
        """M20 to M25: what is in force within reach, all of it but what a wall withholds."""
        run = self.ready(pick)
        asked = recall.Recall(max_entries=100, max_chars=100_000)
        found, error = self.do(lambda: recall.recall(run.ctx, asked))
        assert error is None
        wanted = oracle.recalled(run, self.law, self.scene)
        assert len(found.items) + found.withheld == len(wanted) or len(wanted) > FEW
        assert self.law.apart or found.withheld == 0
        self.check_shown(run, [hit.entry for hit in found.items], wanted)

    @rule(pick=PICK)
    def recall_more(self, pick: int) -> None:
        """M22: what ended and the agent's own held ones too; never what somebody else's was while it waited."""
        run, now = self.ready(pick), self.world.now
        asked = recall.Recall(max_entries=100, max_chars=100_000, include_ended=True, include_unreviewed=True)
        found, error = self.do(lambda: recall.recall(run.ctx, asked))
        assert error is None
        allowed = set()
        for each in self.scene.newest.values():
            own = each.agent == run.agent
            ended = each.state == "active" and each.about == "work" and each.ends <= now
            replaced = each.state == "replaced" and (not each.held or own or each.kind in oracle.PROPOSALS)
            held = own and oracle.waits(each, now)
            if oracle.in_force(each, now) or ((ended or replaced or held) and not oracle.is_over(each, now)):
                allowed |= {each.id} if oracle.in_reach(run, self.law, each) else set()
        self.check_shown(run, [hit.entry for hit in found.items], allowed)

    @rule(pick=PICK, term=st.sampled_from(["customer", "ＣUSTOMER", "order"]))
    def look_up(self, pick: int, term: str) -> None:
        """M13: in force and proposed, and reading asks nobody."""
        run = self.ready(pick)
        answer, error = self.do(lambda: defining.define(run.ctx, defining.Define(term)))
        assert error is None
        self.check_defined(run, answer, term, "")

    def check_defined(self, run: oracle.Run, answer: Any, term: str, scope: str) -> None:
        """What `define` shows: all of the term in reach, in force and proposed, its own purpose first."""
        now, folded = self.world.now, "order" if term == "order" else "customer"
        there = [each for each in self.scene.newest.values() if each.kind == "definition" and each.key == folded]
        there = [each for each in there if oracle.in_reach(run, self.law, each)]
        there = [each for each in there if not scope or each.scope == scope or each.scope.startswith(f"{scope}/")]
        force = {each.id for each in there if oracle.in_force(each, now)}
        waits = {each.id for each in there if oracle.waits(each, now) and not oracle.is_over(each, now)}
        shown = [*([answer.in_force] if answer.in_force else []), *answer.also]
        assert {each.id for each in shown} <= force
        assert {each.id for each in answer.proposed} <= waits
        assert len(shown) + len(answer.proposed) + answer.withheld == len(force) + len(waits)
        if answer.in_force and answer.in_force.purpose != run.purpose and not self.law.apart:
            assert all(each.purpose != run.purpose for each in shown)
        self.check_shown(run, [*shown, *answer.proposed], force | waits)

    @rule(pick=PICK)
    def begin_with(self, pick: int) -> None:
        """M27: what is in force and agreed or core; again, the first text without what may not be shown now."""
        run, now = self.ready(pick), self.world.now
        answer, error = self.do(lambda: startup.startup_context(run.ctx))
        assert error is None
        shown = [(each.id, each.version) for each in answer.items]
        agreed = {
            each.id
            for each in self.scene.newest.values()
            if each.id in oracle.recalled(run, self.law, self.scene) and (each.kind in oracle.PROPOSALS or each.core)
        }
        if run.startup is None:
            assert len(shown) + answer.withheld == len(agreed)
            run.startup, allowed = shown, agreed
        else:
            assert [each for each in run.startup if each in shown] == shown, "another text than the first"
            there = [self.scene.newest[each] for each, _ in run.startup]
            allowed = {
                each.id
                for each in there
                if each.state != "erased" and not oracle.is_over(each, now) and oracle.in_reach(run, self.law, each)
            }
            assert len(shown) + answer.withheld == len(allowed)
        self.check_shown(run, answer.items, allowed)

    @rule(pick=PICK, resume=st.booleans())
    def catch_up(self, pick: int, resume: bool) -> None:
        """M26: what was written, replaced, accepted or ended; nothing missed by whoever names every cursor."""
        run, now = self.ready(pick), self.world.now
        who = (run.agent, run.purpose, run.person, run.thread)
        cursor = self.cursors.get(who, "") if resume else ""
        answer, error = self.call(run, "changed_since", lambda: changed.changed_since(run.ctx, cursor))
        if error is not None:
            assert error.code in ("approval.waits", "policy.denied", "approval.denied")
            return
        allowed = set()
        for each in self.scene.newest.values():
            over = each.state in ("replaced", "retired") and not each.held
            ended = each.state == "active" and not oracle.is_over(each, now)
            if oracle.in_reach(run, self.law, each) and (over or ended) and not oracle.is_over(each, now):
                allowed.add(each.id)
        told = self.told.setdefault(who, set())
        told |= {(each.id, each.version) for each in answer.items}
        self.cursors[who] = answer.cursor
        if not self.law.apart:
            missed = oracle.recalled(run, self.law, self.scene) - {entry_id for entry_id, _ in told}
            assert not missed
            stale = {
                each
                for each in oracle.recalled(run, self.law, self.scene)
                if (each, self.scene.newest[each].version) not in told
            }
            assert not stale, "a change that was not told"
        self.check_shown(run, answer.items, allowed)
