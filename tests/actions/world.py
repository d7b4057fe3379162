"""A small tenant to act in: ana who governs it, dana who is remembered, an agent, and a clock that tests turn."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from oz0mem.actions import entries, governance, jobs, keys, policies, principals
from oz0mem.actions.context import Context
from oz0mem.adapters.keys import Keys
from oz0mem.model.moments import DAY, parse_rfc3339
from oz0mem.rules.declarations import check_declaration
from oz0mem.store import schema
from oz0mem.store.engine import Store

if TYPE_CHECKING:
    from pathlib import Path

    from oz0mem.actions.keeping import Written

START = parse_rfc3339("2026-10-01T09:00:00Z")
ORIGIN = "acme.example/oz0mem"
CONCIERGE = {
    "name": "concierge",
    "kind": "copilot",
    "purpose": "Help customers choose stationery",
    "capabilities": ["remember", "recall"],
    "purposes": ["customer-support"],
    "projects": ["web"],
    "memory": {"episodic": True, "semantic": True, "procedural": True, "retain": "720h0m0s"},
}


class Closing(Protocol):
    """Whatever has a connection to give back."""

    def close(self) -> None:
        """Give it back."""


OPEN: list[Closing] = []
"""Stores that tests opened; the fixture ``stores_closed`` of the whole suite closes them."""


class World:
    """One tenant on one store.

    Args:
        url: of an empty store.
        solo: whether one person may do both halves of what takes two.
        folder: of the signing keys; without it heads are not signed here.
        asks: whether the policy asks a person about agents' writes, as a new tenant's does.
    """

    def __init__(
        self, url: str, *, solo: bool = True, tenant: str = "acme", folder: Path | None = None, asks: bool = False
    ) -> None:
        self.url = url
        self.now = START
        self.keys = Keys(folder, {}) if folder else None
        schema.make(url)
        schema.make_tenant(url, tenant, ORIGIN.replace("acme", tenant), solo=solo, now=self.now, entropy=os.urandom)
        self.store = self.opened(tenant)
        principals.open_tenant(self.context(), [("ana", "ana's token")], solo=solo)
        keys.open_key(self.context())
        self.ana = self.context("ana's token")
        self.dana = self.add("dana", "member")
        if asks:
            return
        # What agents write is asked about by default (G30); most tests are about what comes after that.
        policies.set_policy(self.ana, "write", "allow", "for the tests")

    def opened(self, tenant: str = "acme") -> Store:
        """The store as another process opens it."""
        pins = self.keys.pins if self.keys else None
        store = Store(self.url, tenant, os.urandom, pins=pins, place="here")
        OPEN.append(store)
        return store

    def context(self, token: str = "", job: str = "") -> Context:
        """A context of whoever has the token."""
        return Context(self.store, lambda: self.now, token, job, "python", self.keys)

    def add(self, name: str, role: str) -> Context:
        """Add a principal; answers the context that acts as them."""
        return self.context(principals.add(self.ana, name, role, "for the tests").token)

    def declare(self, **changes: object) -> None:
        """Declare the concierge."""
        governance.declare(self.ana, check_declaration({**CONCIERGE, **changes}), "for the tests")

    def job(self, starter: Context, **asked: object) -> Context:
        """Start a job of the concierge (or another agent); answers the context that acts as it."""
        started = jobs.start(starter, jobs.Start(**{"agent": "concierge", **asked}))  # type: ignore[arg-type]  # tests name fields
        return self.context(job=started.token)

    def learn(self, text: str, *, sees: str = "person", starter: Context | None = None, **asked: object) -> Written:
        """What the concierge learns about whoever starts its job (dana), by default from what they said."""
        job = self.job(starter or self.dana, sees=sees)
        return entries.remember(job, entries.Remember(text, **{"kind": "semantic", **asked}))  # type: ignore[arg-type]  # tests name fields

    def note(self, text: str, **asked: object) -> Written:
        """A note that ana writes herself."""
        return entries.remember(self.ana, entries.Remember(text, **asked))  # type: ignore[arg-type]  # tests name fields

    def later(self, days: float) -> None:
        """Turn the clock on."""
        self.now += int(days * DAY)
