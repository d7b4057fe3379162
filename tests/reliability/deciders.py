"""What people do in the team's machine: they replace, accept, confirm, reject, let go, erase, link and approve.

Promises that each deed goes through the machine's own ``do``, which holds what came of it against what was there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from oz0mem.actions import (
    acceptance,
    accepting,
    approvals,
    corrections,
    defining,
    editing,
    forget,
    links,
    retiring,
    superseding,
    upkeep,
)
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define
from oz0mem.actions.superseding import Supersede
from tests.reliability import justice, oracle
from tests.reliability.readers import PICK

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from oz0mem.actions.context import Context
    from oz0mem.model.entries import Entry
    from oz0mem.model.errors import Oz0Error
    from tests.actions.world import World

TERMS = st.sampled_from(["customer", "Customer ", "order"])
SCOPES = st.sampled_from(["", "tenant", "tenant", "project:web", "project:web/checkout"])
PEOPLE = st.sampled_from(["ana", "rita", "dana"])
BACK = st.sampled_from([0, 0, 0, 0, 1])
"""How many versions ago the caller read."""


class Deciders:
    """What people do."""

    world: World
    scene: oracle.Scene
    people: dict[str, Context]
    runs: list[oracle.Run]

    def do(self, act: Callable[[], Any], *, erased: Collection[str] = ()) -> tuple[Any, Oz0Error | None]:
        """Do a deed."""
        raise NotImplementedError

    def entry(self, pick: int, fits: Callable[[Entry], bool] = lambda _: True) -> Any:
        """One of the entries."""
        raise NotImplementedError

    def text(self) -> str:
        """A text that nobody wrote before."""
        raise NotImplementedError

    def agree(self, proposed: Entry) -> None:
        """A reviewer accepts."""
        self.do(lambda: accepting.accept(self.people["rita"], Accept(proposed.id, proposed.version)))

    @rule(who=PEOPLE, term=TERMS, scope=SCOPES)
    def propose(self, who: str, term: str, scope: str) -> None:
        """A person proposes what a term means."""
        self.do(lambda: defining.define(self.people[who], Define(term, self.text(), scope)))

    @rule(who=PEOPLE, which=PICK, back=BACK)
    def supersede_oneself(self, who: str, which: int, back: int) -> None:
        """A person replaces what they read."""
        old = self.entry(which, oracle.is_live)
        if old is not None and old.version > back:
            asked = Supersede(old.id, old.version - back, self.text())
            self.do(lambda: superseding.supersede(self.people[who], asked))

    @rule(who=PEOPLE, which=PICK, back=BACK)
    def decide(self, who: str, which: int, back: int) -> None:
        """A person accepts what they read (M14)."""
        old = self.entry(which, oracle.is_proposed)
        if old is not None and old.version > back:
            asked = Accept(old.id, old.version - back, old.text, old.term or None)
            self.do(lambda: accepting.accept(self.people[who], asked))

    @rule(
        who=PEOPLE,
        which=PICK,
        deed=st.sampled_from(["confirm", "confirm", "reject", "retire", "renew", "move", "edit"]),
    )
    def review(self, who: str, which: int, deed: str) -> None:
        """A person does what a person may about one entry (M18, M32 to M35)."""
        old = self.entry(which, oracle.is_held if deed in ("confirm", "reject") else oracle.is_live)
        if old is None:
            return
        ctx, text = self.people[who], self.text()
        deeds: dict[str, Callable[[], Any]] = {
            "confirm": lambda: acceptance.confirm(ctx, old.id),
            "reject": lambda: acceptance.reject(ctx, old.id, "not so"),
            "retire": lambda: retiring.retire(ctx, old.id, "no longer so"),
            "renew": lambda: corrections.renew(ctx, old.id, 30),
            "move": lambda: corrections.move(ctx, old.id, "project:web"),
            "edit": lambda: editing.edit(ctx, old.id, text),
        }
        self.do(deeds[deed], erased={old.id} if deed == "edit" and old.about != "work" else ())

    @rule(which=PICK, who=PEOPLE, deed=st.sampled_from(["delete"] * 3 + ["upkeep"] * 2 + ["forget"]))
    def erase(self, which: int, who: str, deed: str) -> None:
        """An admin deletes with a reason, somebody is forgotten, upkeep takes what is due (M31, M33, M36, G41)."""
        old = self.entry(which, oracle.is_live)
        if deed == "upkeep":
            self.do(lambda: upkeep.upkeep(self.world.ana), erased=justice.erasable(self.scene))
        elif deed == "forget":
            theirs = {each.id for each in self.scene.newest.values() if each.about == who}
            self.do(lambda: forget.forget(self.people[who], who), erased=theirs)
            for run in self.runs:
                # The threads of somebody's jobs are names that go with them; a job that runs goes on without.
                run.thread = "" if run.person == who else run.thread
        elif old is not None:
            self.do(lambda: forget.delete(self.world.ana, old.id, "no longer wanted"), erased={old.id})

    @rule(who=PEOPLE, which=PICK, other=PICK, label=st.sampled_from(["supports", "contradicts"]))
    def link(self, who: str, which: int, other: int, label: str) -> None:
        """One proposes a link, another confirms it (M17)."""
        one, two = self.entry(which), self.entry(other)
        if one is None:
            return
        made, _ = self.do(lambda: links.link(self.people[who], one.id, label, two.id))
        if made is not None:
            done, error = self.do(lambda: links.confirm(self.people[who], made.link.id))
            assert error is not None or not done.changed, "one reviewer did both halves"
            self.do(lambda: links.confirm(self.people["rita" if who == "ana" else "ana"], made.link.id))

    @rule(who=PEOPLE, pick=PICK, yes=st.sampled_from([True, True, True, False]))
    def settle(self, who: str, pick: int, yes: bool) -> None:
        """A person approves or denies a call that waits; only what was asked is done (G31)."""
        waiting = sorted(str(row[1]) for row in self.scene.agreed if row[0] == 1 and row[2] == 0)
        if not waiting:
            return
        chosen = waiting[pick % len(waiting)]
        if yes:
            self.do(lambda: approvals.approve(self.people[who], chosen))
        else:
            self.do(lambda: approvals.deny(self.people[who], chosen, "no"))
