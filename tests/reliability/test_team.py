"""Q13: a team's memory as a machine: agents, jobs and people in any order, held against an oracle in plain Python.

Promises after every deed that one is in force a term and a chain of replacements, that nothing in force ended without
somebody who may, that no version was written over, that no job read across purpose, wall, scope, subject or end, and
that a refused call left nothing. Leaves what exactly is refused to the tests of each rule.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from oz0mem.actions import (
    accepting,
    defining,
    entries,
    governance,
    jobs,
    policies,
    retiring,
    superseding,
)
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede
from oz0mem.model.errors import Oz0Error, Waiting
from oz0mem.model.moments import HOUR
from tests.actions.evidence import run_sql
from tests.actions.world import World
from tests.reliability import justice, oracle, soundness
from tests.reliability.deciders import BACK, PEOPLE, SCOPES, TERMS, Deciders
from tests.reliability.readers import PICK, Readers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

PURPOSES = st.sampled_from(["", "support", "billing"])
KINDS = st.sampled_from(["note", "note", "decision", "decision", "rule", "semantic"])
KEYS = st.sampled_from(["", "", "city"])
FUNCTIONS = st.sampled_from(["write", "remember", "define", "supersede", "retire", "accept", "changed_since"])
EFFECTS = st.sampled_from(["allow", "allow", "allow", "ask", "deny"])


class Team(Readers, Deciders, RuleBasedStateMachine):
    """Two agents, three people, one tenant."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.world = World(f"sqlite:///{Path(self.folder.name) / 'store.db'}", asks=True)
        world, learns = self.world, {"semantic": True, "retain": "720h0m0s"}
        self.people = {"ana": world.ana, "dana": world.dana, "rita": world.add("rita", "reviewer")}
        for agent, projects in oracle.SCOPES.items():
            world.declare(name=agent, projects=list(projects), purposes=["support", "billing"], memory=learns)
        self.policy: dict[tuple[str, str], str] = {}
        self.law = oracle.Law(compatible=False, apart=False, review="untrusted")
        self.count = 0
        self.runs: list[oracle.Run] = []
        self.stood_for: set[tuple[str, str]] = set()
        self.cursors: dict[tuple[str, ...], str] = {}
        self.told: dict[tuple[str, ...], set[tuple[str, int]]] = {}
        self.scene = oracle.look(world)

    @initialize(compatible=st.booleans(), apart=st.booleans(), review=st.sampled_from(["untrusted", "proposals"]))
    def set_law(self, compatible: bool, apart: bool, review: str) -> None:
        """Purposes, walls and review as they stay."""
        self.law = oracle.Law(compatible, apart, review)
        changed: dict[str, Any] = {"compatible": [("support", "billing")]} if compatible else {}
        if apart:
            changed["apart"] = [("legal", "sales")]
        if review != "untrusted":
            changed["review"] = review
        if changed:
            governance.set_settings(self.world.ana, changed, "as a test")

    @initialize(effect=st.sampled_from(["allow", "allow", "ask"]))
    def set_first(self, effect: str) -> None:
        """Whether agents' calls wait from the start."""
        self.set_policy("write", effect, "")
        # Two halves take two people from here on; four eyes stay off, so that one admin can set the policy.
        run_sql(self.world, "UPDATE head SET solo = 0")

    @initialize(
        agreed=st.lists(st.booleans(), min_size=9, max_size=9),
        sides=st.lists(st.integers(0, 2), min_size=3, max_size=3),
    )
    def begin_together(self, agreed: list[bool], sides: list[int]) -> None:
        """A team that agreed on some of what its first jobs proposed."""
        for at, (agent, purpose) in enumerate((("concierge", "support"), ("decider", "billing"), ("concierge", ""))):
            self.start(agent, purpose, "ana", False, ("", "legal", "sales")[sides[at]], "person")
            self.define(0, "customer", "")
            self.remember(0, "decision", "tenant", "", "work")
            self.remember(0, "note", "tenant", "city", "work")
        for proposed, yes in zip(list(self.scene.newest.values()), agreed, strict=False):
            if yes:
                self.agree(proposed)

    def teardown(self) -> None:
        try:
            run_sql(self.world, "UPDATE head SET solo = 1")
            soundness.assert_whole(self.world.ana, self.world.store)
        finally:
            self.world.store.close()
            self.folder.cleanup()

    def text(self) -> str:
        """A text that nobody wrote before."""
        self.count += 1
        return f"Fact nr{self.count}x of it"

    def do(
        self, act: Callable[[], Any], *, erased: Collection[str] = (), may_accept: bool = False
    ) -> tuple[Any, Oz0Error | None]:
        """Do a deed, and hold what is there after it against what was there before."""
        before, answer, error = self.scene, None, None
        index = soundness.rows(self.world.store, "SELECT count(*) FROM event")[0][0]
        try:
            answer = act()
        except Oz0Error as caught:
            error = caught
        after = self.scene = oracle.look(self.world)
        told = justice.told_since(self.world, index)
        if error is not None:
            assert after.versions == before.versions, f"{error.code} left something"
            assert isinstance(error, Waiting) or after.agreed == before.agreed, f"{error.code} left a question"
        justice.check_kept(before, after, set(erased))
        justice.check_ends(before, after, told, set(erased), may_accept=may_accept)
        justice.check_begins(before, after, told, self.law, may_accept=may_accept)
        justice.check_one(after, self.law)
        for place, event in told.of.items():
            if event["action"] in justice.DECIDES and (event["actor"]["kind"] == "person" or "approval" in event):
                self.stood_for.add((place[0], after.versions[place].text))
        return answer, error

    def call(
        self, run: oracle.Run, function: str, act: Callable[[], Any], *, learned: bool = False
    ) -> tuple[Any, Oz0Error | None]:
        """An agent's call, held against the policy (G30, G31); one of a job that is over is refused."""
        before, over = self.scene, run.over(self.world.now)
        effect = oracle.effect(self.policy, function, run.agent, learned=learned)
        answer, error = self.do(act, may_accept=function == "accept" and effect == "allow")
        if over:
            assert error is not None and error.code == "job.ended"
            self.begin(run)
        elif error is None:
            assert effect == "allow" or self.scene.versions == before.versions
        elif error.code == "approval.waits":
            assert effect == "ask"
        else:
            assert (effect == "deny") == (error.code == "policy.denied"), error.code
        return answer, error

    def entry(self, pick: int, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """One of the entries, the newest first, mostly one that fits; None where there is none."""
        every = sorted(self.scene.newest.values(), key=lambda each: -each.numbers.entry)
        good = [each for each in every if fits(each)]
        chosen = good if good and pick % 7 else every
        return chosen[pick % len(chosen)] if chosen else None

    def run(self, pick: int) -> oracle.Run:
        """One of the jobs, the newest first."""
        if not self.runs:
            self.start("concierge", "", "ana", False, "", "person")
        return self.runs[-1 - pick % len(self.runs)]

    def begin(self, run: oracle.Run) -> oracle.Run:
        """Start the job that a run is of, anew."""
        asked = jobs.Start(
            run.agent, run.purpose, run.about, thread=run.thread, compartments=tuple(run.first), sees=run.sees
        )
        started = jobs.start(self.people[run.starter], asked)
        run.ctx, run.began, run.job = self.world.context(job=started.token), self.world.now, started.record.id
        run.compartments, run.tier, run.startup = set(run.first), run.sees or "unreviewed", None
        return run

    @rule(
        agent=st.sampled_from(["concierge", "decider"]),
        purpose=PURPOSES,
        starter=PEOPLE,
        oneself=st.sampled_from([False, False, False, True]),
        compartment=st.sampled_from(["", "legal", "sales"]),
        sees=st.sampled_from(["person", "person", "published", ""]),
    )
    def start(self, agent: str, purpose: str, starter: str, oneself: bool, compartment: str, sees: str) -> None:
        """A job as its starter fixes it (G2)."""
        about, first = starter if oneself else "", {compartment} if compartment else set()
        thread = "t1" if purpose == "support" else ""
        run = oracle.Run(self.world.ana, agent, purpose, starter, about, thread, sees, first)
        self.runs.append(self.begin(run))

    @rule(pick=PICK, kind=KINDS, scope=SCOPES, key=KEYS, about=st.sampled_from(["work"] * 4 + ["person", "thread"]))
    def remember(self, pick: int, kind: str, scope: str, key: str, about: str) -> None:
        """A job writes; what is kept is its job's (M4, M10, M24)."""
        run, learned = self.run(pick), kind == "semantic"
        asked = Remember(self.text(), kind, about, scope, key=key if kind != "rule" else "")
        answer, _ = self.call(run, "remember", lambda: entries.remember(run.ctx, asked), learned=learned)
        if answer is not None:
            self.check_written(run, answer)

    def check_written(self, run: oracle.Run, answer: Any) -> None:
        """What a job wrote carries its labels; what it was like was shown to it."""
        entry = answer.entry
        assert (entry.tier, set(entry.compartments), entry.purpose) == (run.tier, run.compartments, run.purpose)
        assert entry.about == (run.about or entry.about)
        assert entry.about in ("work", run.person)
        self.check_shown(run, answer.similar, oracle.recalled(run, self.law, self.scene))

    @rule(who=PEOPLE, kind=KINDS, scope=SCOPES, key=KEYS, repeat=st.booleans(), pick=PICK)
    def write(self, who: str, kind: str, scope: str, key: str, repeat: bool, pick: int) -> None:
        """A person writes, or repeats what is there (M2)."""
        old = self.entry(pick)
        text = old.text if repeat and old is not None and old.text else self.text()
        self.do(lambda: entries.remember(self.people[who], Remember(text, kind, scope=scope, key=key)))

    @rule(pick=PICK, term=TERMS, scope=SCOPES)
    def define(self, pick: int, term: str, scope: str) -> None:
        """A job proposes what a term means (M13)."""
        run = self.run(pick)
        asked = Define(term, self.text(), scope)
        answer, _ = self.call(run, "define", lambda: defining.define(run.ctx, asked))
        if answer is not None:
            self.check_defined(run, answer, term, scope)

    @rule(pick=PICK, which=PICK, back=BACK)
    def supersede(self, pick: int, which: int, back: int) -> None:
        """A job replaces what it read (M12, M15, M21)."""
        run, old = self.run(pick), self.entry(which, oracle.is_live)
        if old is None or old.version <= back:
            return
        asked, learned = Supersede(old.id, old.version - back, self.text()), old.kind == "semantic"
        was = self.change(run, "supersede", old, back, lambda: superseding.supersede(run.ctx, asked), learned=learned)
        if was is not None and self.scene.newest[was.entry.id].about == "work":
            assert (was.entry.tier, set(was.entry.compartments)) == (run.tier, run.compartments)

    @rule(pick=PICK, which=PICK, back=BACK)
    def retire(self, pick: int, which: int, back: int) -> None:
        """A job proposes that something be let go; it stays (M34)."""
        run, old = self.run(pick), self.entry(which, oracle.is_live)
        if old is None or old.version <= back:
            return
        version = old.version - back
        self.change(run, "retire", old, back, lambda: retiring.retire(run.ctx, old.id, "old", version=version))

    @rule(pick=PICK, which=PICK, back=BACK)
    def accept(self, pick: int, which: int, back: int) -> None:
        """A job accepts: asked about, unless an admin said otherwise (M14, G30)."""
        run, old = self.run(pick), self.entry(which, oracle.is_proposed)
        if old is None or old.version <= back:
            return
        asked = Accept(old.id, old.version - back, old.text, old.term or None)
        self.change(run, "accept", old, back, lambda: accepting.accept(run.ctx, asked))

    def change(
        self, run: oracle.Run, function: str, old: Any, back: int, act: Callable[[], Any], *, learned: bool = False
    ) -> Any:
        """A job's change of what is there: only of what it may name, for its own purpose, at the newest version."""
        over, now = run.over(self.world.now), self.world.now
        effect = oracle.effect(self.policy, function, run.agent, learned=learned)
        named, before = oracle.may_name(run, self.law, old, now), self.scene
        answer, error = self.call(run, function, act, learned=learned)
        if over or effect == "deny" or (error is not None and error.code == "approval.denied"):
            return None
        if error is not None and error.code == "approval.waits" and self.scene.agreed == before.agreed:
            return None  # the same call waits already
        if not named:
            assert error is not None and error.code == "memory.unknown", f"{function} of what it may not know"
        elif back and error is not None:
            assert error.code in ("memory.stale", "memory.unknown"), error.code
        elif old.purpose != run.purpose:
            assert error is not None and error.code in ("memory.purpose", "memory.unknown"), error
            assert error.facts.get("purpose", old.purpose) == old.purpose
        if function == "accept" and answer is not None and not answer.changed:
            return None
        return answer if function == "supersede" else None

    @rule(what=FUNCTIONS, effect=EFFECTS, agent=st.sampled_from(["", "", "decider"]))
    def set_policy(self, what: str, effect: str, agent: str) -> None:
        """An admin says which calls ask (G30)."""
        policies.set_policy(self.world.ana, what, effect, "as a test", agent)
        self.policy[what, agent] = effect
        self.scene = oracle.look(self.world)

    @rule(hours=st.sampled_from([0, 0, 1, 1, 1, 5, 5, 30, 15 * 24, 95 * 24]))
    def pass_time(self, hours: int) -> None:
        """The clock."""
        self.world.now += hours * HOUR
        self.scene = oracle.look(self.world)


Team.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestTeam = Team.TestCase
