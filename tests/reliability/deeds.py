"""Every deed that writes, each small enough to be broken off at each of its statements.

Promises a tenant in which each of them has something to do, and that a deed run twice from the same start
ends in the same state. Leaves killing to ``victim``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import (
    acceptance,
    corrections,
    editing,
    entries,
    forget,
    governance,
    imports,
    jobs,
    listing,
    recall,
    retiring,
    upkeep,
)
from oz0mem.actions.context import Context
from oz0mem.actions.entries import Remember
from oz0mem.actions.keeping import Written
from oz0mem.adapters.keys import Keys
from oz0mem.model.filters import Filter
from oz0mem.model.moments import DAY
from oz0mem.model.records import Record
from oz0mem.rules.declarations import check_declaration
from oz0mem.rules.unlinking import RECEIPT_WINDOW
from tests.actions.world import CONCIERGE, World

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.store.engine import Store

CALLED = "a call that happens once"
ABSENT = "erin.pademelon"
"""Somebody who is remembered and is no principal, so that their name can go (L4)."""
LONG_GONE = "bob.bettongfact"
"""Somebody who was forgotten, and whose name is there until their receipt window is over."""
ERASES = {
    "edit_person": ("quokkafact",),
    "delete_person": ("quokkafact",),
    "delete_work": ("wombatfact",),
    "forget": ("quokkafact", "numbatfact", "bilbyfact", "echidnareason", "potoroofact"),
    "upkeep": ("potoroofact", "bilbyfact"),
    "unlink": ("kowarifact", "dunnartfact", ABSENT),
    "window": ("potoroofact", "bilbyfact", "quokkafact", LONG_GONE),
}
"""Deeds that erase, with words that stand in nothing but what they erase."""


class Stage(NamedTuple):
    """What a deed is given: who acts, what is there by name, the moment, and the folder of the signing keys."""

    url: str
    tokens: dict[str, str]
    ids: dict[str, str]
    now: int
    folder: str = ""

    def context(self, store: Store, who: str, keys: Keys | None = None) -> Context:
        """A context of ana or dana, or of dana's job."""
        token, job = ("", self.tokens["job"]) if who == "job" else (self.tokens[who], "")
        return Context(store, lambda: self.now, token, job, "python", keys or self.keys())

    def keys(self) -> Keys | None:
        """The signing keys of this machine."""
        return Keys(Path(self.folder), {}) if self.folder else None


def set_stage(url: str, folder: Path | None = None) -> Stage:
    """Make the tenant: facts about dana, in force and held, notes about work, things that are due."""
    world = World(url, folder=folder)
    world.declare()
    ids = {
        "fact": world.learn("Dana ships to Lisbon, quokkafact", key="shipping_city").entry.id,
        "held": world.learn("Dana may like numbatfact paper", sees="published").entry.id,
        "refused": world.learn("Dana dislikes bilbyfact", sees="published").entry.id,
        "due": world.learn("Dana waits for potoroofact", ends=world.now + DAY).entry.id,
        "note": world.note("Deploys wait for wombatfact", key="deploys").entry.id,
        "other": world.note("Invoices go out on Mondays").entry.id,
    }
    acceptance.reject(world.ana, ids["refused"], "not hers, echidnareason")
    world.later(2)
    _remember_absent(world)
    world.job(world.ana, about=ABSENT)
    job = world.job(world.dana, sees="person")
    tokens = {"ana": world.ana.token, "dana": world.dana.token, "job": job.job}
    world.store.close()
    return Stage(url, tokens, ids, world.now, str(folder or ""))


def _remember_absent(world: World) -> None:
    """Entries about somebody who is no principal, a job about them; and somebody who was forgotten."""
    told = {ABSENT: ("Erin writes with kowarifact", "Erin owns a dunnartfact"), LONG_GONE: ("Bob likes ink",)}
    for about, texts in told.items():
        records = [Record(line, text, about=about, kind="semantic") for line, text in enumerate(texts, 1)]
        imports.import_records(world.ana, lambda records=records: records, imports.Import())  # type: ignore[misc]  # bound now
    forget.forget(world.ana, LONG_GONE)


def _import(ctx: Context) -> None:
    records = [Record(line, f"Imported fact {line}", key=f"fact_{line % 2}") for line in range(1, 5)]
    imports.import_records(ctx, lambda: records, imports.Import())


def _declare(ctx: Context) -> None:
    governance.declare(ctx, check_declaration({**CONCIERGE, "purposes": ["sales"]}), "wider")


def call_once(stage: Stage, store: Store) -> Written:
    """The call that is tried again (M9)."""
    asked = Remember("Dana pays by invoice", kind="semantic", key="payment", call_id=CALLED)
    return entries.remember(stage.context(store, "job"), asked)


DEEDS: dict[str, Callable[[Stage, Store], Any]] = {
    "remember": lambda s, store: entries.remember(
        s.context(store, "job"), Remember("Dana ships to Porto now", kind="semantic", key="shipping_city")
    ),
    "remember_once": call_once,
    "confirm": lambda s, store: acceptance.confirm(s.context(store, "dana"), s.ids["held"], "it is so"),
    "reject": lambda s, store: acceptance.reject(s.context(store, "ana"), s.ids["held"], "it is not so"),
    "edit_person": lambda s, store: editing.edit(s.context(store, "dana"), s.ids["fact"], "Dana ships to Braga"),
    "edit_work": lambda s, store: editing.edit(s.context(store, "ana"), s.ids["note"], "Deploys wait no more"),
    "delete_person": lambda s, store: forget.delete(s.context(store, "dana"), s.ids["fact"], "wrong"),
    "delete_work": lambda s, store: forget.delete(s.context(store, "ana"), s.ids["note"], "no longer so"),
    "retire": lambda s, store: retiring.retire(s.context(store, "ana"), s.ids["note"], "no longer so"),
    "renew": lambda s, store: corrections.renew(s.context(store, "ana"), s.ids["note"], 300),
    "move": lambda s, store: corrections.move(s.context(store, "ana"), s.ids["note"], "project:web/shop"),
    "forget": lambda s, store: forget.forget(s.context(store, "ana"), "dana", reason="dana asked"),
    "unlink": lambda s, store: forget.forget(s.context(store, "ana"), ABSENT, reason="erin asked", unlink=True),
    "upkeep": lambda s, store: upkeep.upkeep(s.context(store, "ana")),
    "window": lambda s, store: upkeep.upkeep(s._replace(now=s.now + RECEIPT_WINDOW).context(store, "ana")),
    "import": lambda s, store: _import(s.context(store, "ana")),
    "declare": lambda s, store: _declare(s.context(store, "ana")),
    "start": lambda s, store: jobs.start(s.context(store, "dana"), jobs.Start("concierge")),
    "recall": lambda s, store: recall.recall(s.context(store, "job"), recall.Recall("Lisbon")),
    "list": lambda s, store: listing.list_entries(s.context(store, "ana"), Filter()),
}
