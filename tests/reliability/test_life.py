"""Q13: the life of entries as a machine: any order of deeds and days ends in what the table of states says.

Promises one tenant on SQLite beside a model of a few lines, compared after every step. Leaves each
transition's own test to the tests of rules and actions.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule

from oz0mem.actions import acceptance, corrections, editing, entries, forget, imports, recall, retiring, upkeep
from oz0mem.actions.entries import Remember
from oz0mem.model.errors import Oz0Error
from oz0mem.model.moments import DAY
from oz0mem.model.records import Record
from oz0mem.rules.ends import LAPSE
from tests.actions.world import World
from tests.reliability import soundness


class Row(NamedTuple):
    """What the model knows of an entry."""

    text: str
    state: str
    key: str
    scope: str
    person: bool
    ends: int
    since: int


class Life(RuleBasedStateMachine):
    """Ana's notes about work, and what the concierge learns about dana."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.world = World(f"sqlite:///{Path(self.folder.name) / 'store.db'}")
        self.world.declare()
        self.model: dict[str, Row] = {}
        self.count = 0

    def teardown(self) -> None:
        soundness.assert_whole(self.world.ana, self.world.store)
        self.world.store.close()
        self.folder.cleanup()

    def shown(self, entry_id: str) -> str:
        """The state by the clock: ended and lapsed are views of it (M31, M36)."""
        row = self.model[entry_id]
        now = self.world.now
        if row.state == "active" and now >= row.ends:
            return "ended"
        if row.state == "held" and (now >= row.ends or now >= row.since + LAPSE):
            return "lapsed"
        return row.state

    def change(self, entry_id: str, **changes: Any) -> None:
        """Change what the model knows."""
        self.model[entry_id] = self.model[entry_id]._replace(**changes)

    def hidden(self, entry_id: str) -> bool:
        """Whether nobody knows of it any more: erased, or about a person and past its end (M31)."""
        row = self.model[entry_id]
        return row.state == "erased" or (row.person and self.world.now >= row.ends)

    def in_force(self, entry_id: str) -> list[str]:
        """What an entry replaces once it is active: the same key in the same place (M11)."""
        own = self.model[entry_id]
        return [
            other
            for other, row in self.model.items()
            if other != entry_id
            and own.key
            and row.state == "active"
            and (row.key, row.scope, row.person) == (own.key, own.scope, own.person)
        ]

    def bring_into_force(self, entry_id: str, **changes: Any) -> None:
        """An entry becomes active and ends what it replaces."""
        for other in self.in_force(entry_id):
            self.change(other, state="replaced")
        self.change(entry_id, state="active", **changes)

    def tried(self, allowed: bool, act: Any) -> Any:
        """Do a deed that the model allows or not; the program has to agree."""
        try:
            answer = act()
        except Oz0Error as error:
            assert not allowed, error.code
            return None
        assert allowed
        return answer

    @rule(target=ids, key=st.sampled_from(["", "city", "colour"]), sees=st.sampled_from(["person", "published"]))
    def learn(self, key: str, sees: str) -> Any:
        """M30: what was read elsewhere is held; what the person said is active, and replaces by its key."""
        self.count += 1
        text = f"Dana fact nr{self.count}x"
        made = self.world.learn(text, key=key, sees=sees).entry
        return self.keep(made, text, key, "agent:concierge", person=True, held=sees != "person")

    @rule(target=ids, key=st.sampled_from(["", "city"]), scope=st.sampled_from(["tenant", "project:web"]))
    def note(self, key: str, scope: str) -> Any:
        """M30: a person's own note about work is active at once."""
        self.count += 1
        text = f"Work fact nr{self.count}x"
        made = self.world.note(text, key=key, scope=scope).entry
        return self.keep(made, text, key, scope, person=False, held=False)

    @rule(target=ids, key=st.sampled_from(["", "city"]))
    def bring_in(self, key: str) -> Any:
        """M30: what was imported is held, whatever it says."""
        self.count += 1
        text = f"Imported fact nr{self.count}x"
        record = Record(1, text, key=key or None)
        imports.import_records(self.world.ana, lambda: [record], imports.Import())
        made = next(each for each in self.everything() if each.text == text)
        return self.keep(made, text, key, "tenant", person=False, held=True)

    def everything(self) -> list[Any]:
        """Every entry's newest version, as it is stored."""
        return self.world.store.read(
            self.world.now,
            lambda desk: desk.entries.load([r for r in desk.listing.all_rows(10_000) if r.newest]),
        )

    def keep(self, made: Any, text: str, key: str, scope: str, *, person: bool, held: bool) -> str:
        """Take a new entry into the model."""
        state = "held" if held else "active"
        assert made.state == state
        self.model[made.id] = Row(text, "held", key, scope, person, made.ends, self.world.now)
        if not held:
            self.bring_into_force(made.id)
        return str(made.id)

    @rule(target=ids, entry_id=ids)
    def repeat(self, entry_id: str) -> Any:
        """M2: what is there, live or rejected, is not written again; a person's confirms a held one."""
        row = self.model[entry_id]
        if row.person or row.scope != "tenant":
            return multiple()
        alike = [
            other
            for other, each in self.model.items()
            if each.text == row.text and each.scope == "tenant" and not each.person
        ]
        live = [other for other in alike if self.shown(other) in ("active", "held")]
        known = live or [other for other in alike if self.model[other].state == "rejected"]
        made = entries.remember(self.world.ana, Remember(row.text, key=row.key))
        assert made.kept == ("existing" if known else "new")
        if known:
            assert made.entry.id in known
            if self.model[made.entry.id].state == "held":
                self.bring_into_force(made.entry.id, ends=made.entry.ends)
            return multiple()
        return self.keep(made.entry, row.text, row.key, "tenant", person=False, held=False)

    @rule(entry_id=ids)
    def confirm(self, entry_id: str) -> None:
        """M31, M32: a held entry, in time; one in force answers as it is."""
        allowed = not self.hidden(entry_id) and self.shown(entry_id) in ("held", "active")
        was_held = self.model[entry_id].state == "held"
        done = self.tried(allowed, lambda: acceptance.confirm(self.world.ana, entry_id))
        if done and was_held:
            self.bring_into_force(entry_id, ends=done.entry.ends)

    @rule(entry_id=ids)
    def reject(self, entry_id: str) -> None:
        """M32: a held entry, lapsed or not."""
        allowed = not self.hidden(entry_id) and self.model[entry_id].state in ("held", "rejected")
        if self.tried(allowed, lambda: acceptance.reject(self.world.ana, entry_id, "not so")):
            self.change(entry_id, state="rejected")

    @rule(entry_id=ids)
    def edit(self, entry_id: str) -> None:
        """M33: in force or held, it is recalled as rewritten and its limits count anew."""
        self.count += 1
        text = f"Rewritten nr{self.count}x"
        allowed = not self.hidden(entry_id) and self.shown(entry_id) in ("held", "active", "ended")
        done = self.tried(allowed, lambda: editing.edit(self.world.ana, entry_id, text))
        if done:
            self.bring_into_force(entry_id, text=text, ends=done[0].entry.ends)

    @rule(entry_id=ids)
    def retire(self, entry_id: str) -> None:
        """M34: only what is in force, ended too."""
        allowed = not self.hidden(entry_id) and self.model[entry_id].state in ("active", "retired")
        if self.tried(allowed, lambda: retiring.retire(self.world.ana, entry_id, "no longer so")):
            self.change(entry_id, state="retired")

    @rule(entry_id=ids, days=st.integers(1, 30))
    def renew(self, entry_id: str, days: int) -> None:
        """M35: only work; brings an ended one back."""
        row = self.model[entry_id]
        if row.state == "held":
            return
        allowed = not row.person and row.state == "active"
        if self.tried(allowed, lambda: corrections.renew(self.world.ana, entry_id, days)):
            self.change(entry_id, ends=self.world.now + days * DAY)

    @rule(entry_id=ids, scope=st.sampled_from(["tenant", "project:web"]))
    def move(self, entry_id: str, scope: str) -> None:
        """M18: only work, and only where nothing says the same or has the same key in force (M2, M11)."""
        row = self.model[entry_id]
        if row.state in ("held", "erased") or row.scope == scope:
            return
        there = [
            other
            for other, each in self.model.items()
            if not each.person and each.scope == scope and self.shown(other) in ("active", "held", "rejected")
        ]
        self.change(entry_id, scope=scope)
        taken = self.in_force(entry_id) or [other for other in there if self.model[other].text == row.text]
        self.change(entry_id, scope=row.scope)
        allowed = not row.person and row.state == "active" and not taken
        if self.tried(allowed, lambda: corrections.move(self.world.ana, entry_id, scope)):
            self.change(entry_id, scope=scope)

    @rule(entry_id=ids)
    def delete(self, entry_id: str) -> None:
        """M33, G42: anything that is there; its id stays."""
        allowed = not self.hidden(entry_id)
        if self.tried(allowed, lambda: forget.delete(self.world.ana, entry_id, "no longer wanted")):
            self.change(entry_id, state="erased")

    @rule()
    def forget(self) -> None:
        """G41: everything about dana and nothing else."""
        forget.forget(self.world.ana, "dana")
        for entry_id, row in self.model.items():
            if row.person:
                self.model[entry_id] = row._replace(state="erased")

    @rule(days=st.sampled_from([1, 5, 15, 40, 200]))
    def pass_time(self, days: int) -> None:
        """The clock."""
        self.world.later(days)

    @rule()
    def keep_up(self) -> None:
        """M31, M36: what is about a person goes at its end, once lapsed, once rejected."""
        upkeep.upkeep(self.world.ana)
        for entry_id, row in self.model.items():
            due = self.world.now >= row.ends or row.state == "rejected" or self.shown(entry_id) == "lapsed"
            if row.person and due:
                self.model[entry_id] = row._replace(state="erased")

    @invariant()
    def states_are_the_models(self) -> None:
        """Every entry is in the state that the model gives, and none is there that it does not know."""
        store = self.world.store

        wanted = {
            entry_id: (row.state, "" if row.state == "erased" else row.text) for entry_id, row in self.model.items()
        }
        assert {each.id: (each.state, each.text) for each in self.everything()} == wanted
        assert soundness.halves(store) == {}

    @invariant()
    def recall_shows_what_is_in_force(self) -> None:
        """M22: nothing held, replaced, retired, rejected, lapsed, ended or erased; all that is dana's."""
        found = recall.recall(self.world.dana, recall.Recall(max_entries=100, max_chars=100_000))
        wanted = {
            entry_id
            for entry_id, row in self.model.items()
            if (row.person or row.scope == "tenant") and self.shown(entry_id) == "active"
        }
        assert {hit.entry.id for hit in found.items} <= wanted
        if len(wanted) < 10:
            assert {hit.entry.id for hit in found.items} == wanted


Life.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestLife = Life.TestCase
