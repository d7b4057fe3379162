"""Kinds, tiers and review modes: what is held and why, by a job and by a person, the whole table (M30, M32)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, accepting, approvals, entries, governance, jobs, policies
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember
from oz0mem.model.errors import Waiting
from oz0mem.model.kinds import ACTIVE, HELD, KINDS, PERSON, PUBLISHED, UNREVIEWED
from oz0mem.model.settings import REVIEWS
from tests.actions.evidence import newest, refused
from tests.actions.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from oz0mem.actions.context import Context
    from oz0mem.model.entries import Entry

PROPOSED = ("decision", "definition", "rule")
TIERS = (PERSON, PUBLISHED, UNREVIEWED)


def expected(kind: str, tier: str, review: str) -> str:
    """Why a plain text waits, by the words of M30: '' where it does not."""
    why = ["proposal"] if kind in PROPOSED else []
    if review == "all":
        why.append("review")
    if review == "untrusted" and tier != PERSON:
        why.append("unreviewed")
    return ",".join(why)


TABLE = [(kind, tier, review) for kind in KINDS for tier in TIERS for review in REVIEWS]


def reviewing(world: World, review: str) -> World:
    """The world under a review setting."""
    if review != "untrusted":
        governance.set_settings(world.ana, {"review": review}, "as a test")
    return world


def run(world: World, starter: Context, tier: str) -> Context:
    """A job that has read what leaves it of a tier."""
    started = jobs.start(starter, jobs.Start("concierge", sees=PERSON))
    if tier != PERSON:
        jobs.read(starter, started.record.id, "a page", published=tier == PUBLISHED)
    return world.context(job=started.token)


def asked(kind: str, text: str = "the shop opens at nine") -> Remember:
    """A plain text of a kind."""
    return Remember(text, kind, key="opening" if kind == "definition" else "")


@pytest.mark.parametrize(("kind", "tier", "review"), TABLE)
def test_a_jobs_text_is_held_or_active_by_kind_tier_and_mode(world: World, kind: str, tier: str, review: str) -> None:
    """M30: every reason that applies, the tier its job's, and what is held is shown by no recall."""
    from oz0mem.actions import recall

    job = run(reviewing(world, review), world.dana, tier)
    entry = entries.remember(job, asked(kind)).entry
    why = expected(kind, tier, review)
    assert (entry.held, entry.state, entry.tier) == (why, HELD if why else ACTIVE, tier)
    found = recall.recall(run(world, world.dana, PERSON), recall.Recall("shop opens"))
    assert [hit.entry.id for hit in found.items] == ([] if why else [entry.id])


@pytest.mark.parametrize("review", REVIEWS)
@pytest.mark.parametrize("kind", [*PROPOSED, "note"])
def test_a_persons_text_is_held_or_active_by_kind_and_mode(world: World, kind: str, review: str) -> None:
    """M30: what a person writes is of their tier; a proposal waits all the same, and under `all` everything."""
    entry = entries.remember(reviewing(world, review).ana, asked(kind)).entry
    why = expected(kind, PERSON, review)
    assert (entry.held, entry.state, entry.tier, entry.origin) == (why, HELD if why else ACTIVE, PERSON, "person")


@pytest.mark.parametrize("kind", ["episodic", "semantic", "procedural"])
def test_a_person_writes_no_learned_kind(world: World, kind: str) -> None:
    """Kinds: those are what an agent learnt in a job."""
    assert refused(lambda: entries.remember(world.ana, asked(kind))).code == "memory.learned"


@pytest.mark.parametrize(("kind", "tier", "review"), [row for row in TABLE if row[0] in (*PROPOSED, "note")])
def test_core_waits_outside_the_agents_own_scope(world: World, kind: str, tier: str, review: str) -> None:
    """M30: `proposals` holds proposals alone; in its own scope core is as any."""
    job = run(reviewing(world, review), world.dana, tier)
    out, own = (
        entries.remember(job, asked(kind, text)._replace(core=True, scope=scope)).entry
        for text, scope in (("the shop opens at nine", "tenant"), ("the shop closes at six", "agent:concierge"))
    )
    why = [*filter(None, expected(kind, tier, review).split(",")), *(["core"] if review != "proposals" else [])]
    assert out.held == ",".join(why)
    assert own.held == expected(kind, tier, review)


@pytest.mark.parametrize("review", REVIEWS)
@pytest.mark.parametrize("kind", ["note", "decision", "semantic"])
def test_what_resembles_a_secret_waits_in_every_mode(world: World, kind: str, review: str) -> None:
    """M8, M30: whatever tier or policy."""
    from tests.actions.evidence import RESEMBLING

    entry = entries.remember(run(reviewing(world, review), world.dana, PERSON), asked(kind, RESEMBLING)).entry
    assert entry.state == HELD
    assert "scan" in entry.held.split(",")


@pytest.mark.parametrize("review", REVIEWS)
@pytest.mark.parametrize("kind", ["note", "decision", "rule"])
@pytest.mark.parametrize("tier", TIERS)
def test_approving_an_asked_write_by_kind_tier_and_mode(store_url: str, kind: str, tier: str, review: str) -> None:
    """G31, M30: a note becomes active, its tier stays; a decision or rule is a proposal that still waits."""
    world = reviewing(World(store_url, asks=True), review)
    world.declare()
    job = run(world, world.dana, tier)
    with pytest.raises(Waiting) as waits:
        entries.remember(job, asked(kind))
    done = approvals.approve(world.ana, str(waits.value.facts["approval"]))
    entry: Entry = done.answer.entry  # type: ignore[attr-defined]  # a write's answer
    assert (entry.state, entry.tier) == (HELD if kind in PROPOSED else ACTIVE, tier)


@pytest.fixture
def strict(tmp_path: Path) -> World:
    """A tenant of several people where everything is reviewed."""
    from tests.actions.evidence import run_sql

    world = World(f"sqlite:///{tmp_path / 'store.db'}")
    world.declare()
    world.add("rita", "reviewer")
    governance.set_settings(world.ana, {"review": "all"}, "as a test")
    policies.set_policy(world.ana, "accept", "ask", "as a test")
    run_sql(world, "UPDATE head SET solo = 0")
    return world


@pytest.mark.parametrize("how", ["confirm", "accept", "approve the write", "approve the accept"])
def test_where_review_is_all_neither_writer_nor_starter_decides(strict: World, how: str) -> None:
    """M32: confirm, accept and approve are refused to them, by every way into force, and done by another."""
    from oz0mem.actions import principals

    rita = strict.context(principals.add(strict.ana, "rosa", "reviewer", "for the tests").token)
    job = run(strict, rita, PERSON)
    if how == "approve the write":
        policies.set_policy(strict.ana, "remember", "ask", "as a test")
        with pytest.raises(Waiting) as waits:
            entries.remember(job, asked("note"))
        approval = str(waits.value.facts["approval"])
        assert refused(lambda: approvals.approve(rita, approval)).code == "review.own"
        assert approvals.approve(strict.ana, approval).changed
        return
    entry = entries.remember(job, asked("note" if how == "confirm" else "decision")).entry
    if how == "confirm":
        assert refused(lambda: acceptance.confirm(rita, entry.id)).code == "review.own"
        assert acceptance.confirm(strict.ana, entry.id).entry.state == ACTIVE
    elif how == "accept":
        assert refused(lambda: accepting.accept(rita, Accept(entry.id, 1))).code == "review.own"
        assert accepting.accept(strict.ana, Accept(entry.id, 1)).entry.state == ACTIVE
    else:
        # Another's job of the same agent accepts; whoever wrote it does not approve that either.
        other = run(strict, strict.ana, PERSON)
        with pytest.raises(Waiting) as waits:
            accepting.accept(other, Accept(entry.id, 1, entry.text))
        approval = str(waits.value.facts["approval"])
        assert refused(lambda: approvals.approve(rita, approval)).code == "review.own"
        assert newest(strict, entry).state == HELD
