"""Q4: no statement of the hot path walks what it could look up. Read off SQLite's own plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.actions import (
    acceptance,
    changed,
    corrections,
    editing,
    entries,
    facts,
    forget,
    listing,
    recall,
    retiring,
    startup,
    upkeep,
)
from oz0mem.model.filters import Filter
from tests.actions.agreed import agree
from tests.actions.world import World

if TYPE_CHECKING:
    from pathlib import Path

SMALL = (
    "hold",
    "policy",
    "setting",
    "principal",
    "agent",
    "erasure",
    "secret",
    "tenant",
    "head",
    "usage",
    "alembic_version",
)
"""Tables of which a tenant has few rows, or whose whole content is what was asked for."""


class Listening:
    """A connection that remembers every statement it was given."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.statements: dict[str, tuple[Any, ...]] = {}

    def execute(self, sql: str, values: Any = ()) -> Any:
        """Run a statement and remember it."""
        self.statements[sql] = tuple(values)
        return self.raw.execute(sql, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def walks(plan: str, sql: str) -> bool:
    """Whether a step of a plan reads more of a large table than it is asked for."""
    if "LIMIT ?" in sql and plan.endswith(("version_by_time (tenant=?)", "version_erased (tenant=?)")):
        return "key_hash = ?" in sql or "entry IN" in sql  # else a page in the order of time, cut by its limit
    words = plan.split()
    if words[0] not in ("SCAN", "SEARCH") or words[1] in SMALL or words[1].startswith("("):
        return False
    if words[1] == "event" and plan.endswith("(tenant=? AND entry>?)"):
        return True
    if words[0] == "SCAN":
        return words[1] not in ("e", "n", "s", "sub") and "CONSTANT" not in plan
    return plan.endswith("(tenant=?)")


@pytest.fixture
def heard(tmp_path: Path) -> Listening:
    """Every statement of a life of entries in a store with a few hundred of them."""
    world = World(f"sqlite:///{tmp_path / 'store.db'}")
    world.declare()
    listening = Listening(world.store.connection())
    world.store._local.raw = listening
    first = world.learn("Dana ships to Lisbon", key="city", sees="").entry
    world.learn("Dana ships to Porto", key="city")
    acceptance.confirm(world.ana, first.id)
    job = world.job(world.dana, sees="person", thread="t1")
    recall.recall(job, recall.Recall("where does she ship"))
    recall.recall(job, recall.Recall(""))
    agree(world, "be kind", kind="rule", scope="project:web")
    for question in (recall.Recall("she"), recall.Recall(own_state="held"), recall.Recall(scope="project:web/shop")):
        recall.recall(job, question)
    startup.startup_context(job)
    startup.startup_context(job)
    told = changed.changed_since(job)
    changed.changed_since(job, told.cursor)
    note = world.note("Deploy on Wednesdays, never on Fridays", key="deploys", call_id="one").entry
    world.note("Deploy on Wednesdays, never on Fridays", key="deploys", call_id="one")
    for asked in (
        Filter(),
        Filter(about="dana"),
        Filter(scope="tenant"),
        Filter(agent="concierge"),
        Filter(key="city"),
        Filter(due=True),
        Filter(state="erased"),
        Filter(state="held"),
    ):
        listing.list_entries(world.ana, asked)
    listing.list_entries(world.ana, Filter(), search="deploy")
    listing.show(world.ana, note.id)
    facts.history(world.ana, "concierge", "city", "dana")
    corrections.renew(world.ana, note.id, 10)
    corrections.move(world.ana, note.id, "project:web")
    retiring.retire(world.ana, note.id, "no longer true")
    kept = entries.remember(job, entries.Remember("Dana likes dotted paper", kind="semantic", call_id="two")).entry
    editing.edit(world.dana, kept.id, "Dana likes ruled paper")
    forget.forget(world.ana, "dana")
    for name in ("erin", "bob"):
        world.job(world.ana, about=name)
        forget.forget(world.ana, name, unlink=name == "erin")
    upkeep.upkeep(world.ana)
    world.later(100)
    upkeep.upkeep(world.ana)
    return listening


def test_no_statement_walks_a_table_that_grows_with_the_store(heard: Listening) -> None:
    """Q4: every statement on a table that grows is a search by more than its tenant."""
    bad = [
        f"{step[3]}: {sql}"
        for sql, values in heard.statements.items()
        if sql.split()[0] in ("SELECT", "UPDATE", "DELETE")
        for step in heard.raw.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
        if walks(step[3], sql)
    ]
    assert len(heard.statements) > 60
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize(
    ("part", "index"),
    [
        ("AND event >= ?", "version_by_change (tenant=? AND place=? AND event>?)"),
        ("SELECT ends, entry", "version_by_ending (tenant=? AND place=? AND ends>? AND ends<?)"),
        ("SELECT valid_from, entry", "version_begins (tenant=? AND place=? AND valid_from>? AND valid_from<?)"),
        ("SELECT valid_until, entry", "version_stops (tenant=? AND place=? AND valid_until>? AND valid_until<?)"),
        ("core = 1) AND kind = 3", "version_at_startup (tenant=? AND place=? AND kind=?)"),
        ("core = 1) AND +state", "version_at_startup (tenant=? AND place=?)"),
        ("SELECT entry, min(at)", "version_1 (tenant=? AND entry=?)"),
        ("SELECT created, entry", "version_by_place (tenant=? AND place=? AND state=?)"),
        ("+agent = ?", "version_by_place (tenant=? AND place=? AND state=?)"),
        ("FROM bookmark WHERE tenant = ? AND hash", "bookmark_1 (tenant=? AND hash=?)"),
        ("FROM policy WHERE tenant = ? AND what IN", "policy_1 (tenant=? AND what=? AND agent=?)"),
    ],
)
def test_what_agents_read_on_their_own_is_found_by_where_they_may_read(heard: Listening, part: str, index: str) -> None:
    """Q4, M26, M27, M29: the start-up text, what changed and an agent's own writes grow with no other scope."""
    statements = [sql for sql in heard.statements if part in sql]
    assert statements
    for sql in statements:
        (first, *_) = heard.raw.execute(f"EXPLAIN QUERY PLAN {sql}", heard.statements[sql]).fetchall()
        assert first[3].endswith(index), first[3]


def test_every_statement_names_the_tenant(heard: Listening) -> None:
    """Q5: no statement on the tenant's tables leaves the tenant out."""
    bad = [
        sql
        for sql in heard.statements
        if sql.split()[0] in ("SELECT", "UPDATE", "DELETE", "INSERT") and "tenant" not in sql and "alembic" not in sql
    ]
    assert not bad, "\n".join(bad)
