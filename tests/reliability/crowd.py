"""A process that writes, corrects and erases in a loop, as one of many on one store or until it is killed.

Promises to say what it is about to do and, once the call has returned, that it is done; every text has a word
of its own, so that each can be looked for. Leaves the reckoning to the tests.
"""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import acceptance, editing, entries, forget, imports, listing, recall, upkeep
from oz0mem.actions.entries import Remember
from oz0mem.model.errors import Refused
from oz0mem.model.filters import Filter
from oz0mem.model.names import OF_SCOPE
from oz0mem.model.records import Record
from oz0mem.store.engine import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from tests.reliability.deeds import Stage

    Say = Callable[[dict[str, Any]], None]

REOPENED = 9
"""Deeds after which a process closes its store and opens it anew, as commands do."""


class Life(NamedTuple):
    """Which of the processes this is, for how long it lives, and how many entries a scope may hold."""

    stage: Stage
    number: int
    seconds: float
    cap: int = 0
    seed: int = 0


class Writer:
    """One process's hand in the store.

    Args:
        life: what it was given.
        say: tells the test what happened.
    """

    def __init__(self, life: Life, say: Say) -> None:
        self.life = life
        self.tell = say
        self.chance = random.Random(life.seed * 100 + life.number)
        self.store = Store(life.stage.url, "acme", os.urandom)
        self.made = 0
        self.notes: list[tuple[str, list[str]]] = []
        self.facts: list[tuple[str, list[str]]] = []

    def as_(self, who: str) -> Context:
        """A context of ana, or of dana's job, on the store as it is open now."""
        return self.life.stage.context(self.store, who)

    def text(self, what: str) -> str:
        """A text with a word that no other has."""
        self.made += 1
        return f"{what} told as {os.getpid()}of{self.life.number}nr{self.made}x"

    def do(self, deed: str, add: list[str], gone: list[str], act: Callable[[], Any]) -> Any:
        """Do a deed, saying so before and after; a full scope is no failure."""
        self.tell({"will": deed, "add": add, "gone": gone})
        try:
            answer = act()
        except Refused as error:
            if error.code != "memory.cap":
                raise
            self.tell({"refused": error.code})
            return None
        self.tell({"did": deed})
        return answer

    def remember(self) -> None:
        """Write a note about work."""
        text = self.text("Work")
        made = self.do("remember", [text], [], lambda: entries.remember(self.as_("ana"), Remember(text)))
        if made:
            self.notes.append((made.entry.id, [text]))

    def replace(self) -> None:
        """Write the newest value of a key that every process writes."""
        text = self.text("Value")
        asked = Remember(text, key="shared", scope="project:shared")
        self.do("replace", [text], [], lambda: entries.remember(self.as_("ana"), asked))

    def learn(self) -> None:
        """Learn something about dana."""
        text = self.text("Dana")
        asked = Remember(text, kind="semantic")
        made = self.do("learn", [text], [], lambda: entries.remember(self.as_("job"), asked))
        if made:
            self.facts.append((made.entry.id, [text]))

    def rewrite(self) -> None:
        """Edit what is about dana, so that the earlier text goes."""
        if self.facts:
            entry, texts = self.facts[-1]
            text = self.text("Dana rather")
            ctx = self.as_("dana")
            if self.do("rewrite", [text], texts, lambda: editing.edit(ctx, entry, text)):
                self.facts[-1] = (entry, [text])

    def delete(self) -> None:
        """Delete what this process wrote."""
        for mine, who in ((self.notes, "ana"), (self.facts, "dana")):
            if mine:
                entry, texts = mine.pop(0)
                ctx = self.as_(who)
                self.do("delete", [], texts, lambda: forget.delete(ctx, entry, "no longer"))  # noqa: B023  # called at once

    def bring_in(self) -> None:
        """Import facts about a person, confirm one, and forget the person."""
        person = f"guest{os.getpid()}n{self.made}"
        texts = [self.text("Guest") for _ in range(2)]
        records = [Record(line, text, about=person) for line, text in enumerate(texts, 1)]
        ctx = self.as_("ana")
        self.do("import", texts, [], lambda: imports.import_records(ctx, lambda: records, imports.Import()))
        held = listing.list_entries(ctx, Filter(about=person), held=True).items
        if held:
            self.do("confirm", [], [], lambda: acceptance.confirm(ctx, held[0].id))
            self.do("forget", [], texts, lambda: forget.forget(ctx, person))

    def read(self) -> None:
        """Read as commands do."""
        recall.recall(self.as_("job"), recall.Recall("told dana work"))
        listing.list_entries(self.as_("ana"), Filter(), limit=20)

    def keep_up(self) -> None:
        """Do what is due; nothing is, but erasures may be open."""
        upkeep.upkeep(self.as_("ana"))

    def check_cap(self) -> None:
        """Tell where a scope holds more than it may (M7)."""
        used = self.store.read(0, lambda desk: desk.entries.used(desk.names.find(OF_SCOPE, "tenant")))
        if self.life.cap and used[0] > self.life.cap:
            self.tell({"failed": f"{used[0]} entries where {self.life.cap} may be"})


def live(life: Life, say: Say) -> None:
    """Write until the time is up."""
    writer = Writer(life, say)
    deeds = [writer.remember, writer.replace, writer.learn, writer.rewrite, writer.delete, writer.bring_in]
    deeds += [writer.remember, writer.replace, writer.learn, writer.read, writer.read, writer.keep_up]
    until = time.monotonic() + life.seconds
    count = 0
    while time.monotonic() < until:
        writer.chance.choice(deeds)()
        count += 1
        if count % REOPENED == 0:
            writer.check_cap()
            writer.store.close()
            writer.store = Store(life.stage.url, "acme", os.urandom)
    say({"lived": count})
