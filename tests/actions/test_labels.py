"""M24: what a job reads lowers it, unless a person stands for the text; compartments join always."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, accepting, changed, corrections, editing, entries, jobs, recall, startup
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember
from oz0mem.actions.recall import Recall
from tests.actions.agreed import agree
from tests.actions.evidence import events, run_sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.entries import Entry
    from tests.actions.world import World


def reader(world: World, **asked: object) -> tuple[Context, Callable[[], JobRecord]]:
    """A job that counts as having read nothing but a person's words, and how it stands now."""
    job = world.job(world.dana, sees="person", **asked)
    number = events(world, "job.started")[-1]["job"]
    return job, lambda: jobs.show(world.ana, number).record


def unreviewed(world: World, **asked: object) -> Entry:
    """What a job that had read something unreviewed wrote about work."""
    return entries.remember(world.job(world.ana), Remember("ink is blue", scope="tenant", **asked)).entry  # type: ignore[arg-type]  # tests name fields


@pytest.mark.parametrize(
    ("door", "read"),
    [
        ("recall", lambda job: recall.recall(job, Recall("ink"))),
        ("start-up", startup.startup_context),
        ("changed-since", changed.changed_since),
    ],
)
def test_an_unreviewed_text_lowers_whoever_reads_it(
    each_world: World, door: str, read: Callable[[Context], object]
) -> None:
    """M24: from the start-up text on, with the source `memory`; what it writes next carries it, and is held."""
    world = each_world
    made = entries.remember(world.job(world.ana), Remember("ink is blue", kind="decision")).entry
    world.declare(capabilities=["remember", "recall"])
    accepting_agent(world, made)
    job, now = reader(world)
    assert now().tier == "person"
    read(job)
    assert now().tier == "unreviewed", door
    wrote = entries.remember(job, Remember("so is paper")).entry
    assert (wrote.tier, wrote.state, wrote.held, wrote.read) == ("unreviewed", "held", "unreviewed", ("memory",))


def accepting_agent(world: World, made: Entry) -> None:
    """Let an agent accept, as a policy of `accept=allow` lets it: no person stands for the text then."""
    from oz0mem.actions import policies

    policies.set_policy(world.ana, "accept", "allow", "for the test")
    accepting.accept(world.job(world.ana), Accept(made.id, 1, made.text))


@pytest.mark.parametrize("how", ["confirmed", "accepted", "edited", "written"])
def test_a_text_that_a_person_stands_for_lowers_nobody(each_world: World, how: str) -> None:
    """M24: its own tier stays as it was and is shown."""
    world = each_world
    if how == "written":
        world.note("ink is blue")
    elif how == "accepted":
        made = entries.remember(world.job(world.ana), Remember("ink is blue", kind="decision")).entry
        accepting.accept(world.ana, Accept(made.id, 1, made.text))
    else:
        made = unreviewed(world)
        acceptance.confirm(world.ana, made.id) if how == "confirmed" else editing.edit(world.ana, made.id, "ink is red")
    job, now = reader(world)
    (hit,) = recall.recall(job, Recall("ink")).items
    assert hit.entry.tier == ("unreviewed" if how in ("confirmed", "accepted") else "person")
    assert now().tier == "person"


def test_what_follows_the_confirming_does_not_undo_it(each_world: World) -> None:
    """M24: renewed or moved afterwards, the text is still the one that a person confirmed."""
    world = each_world
    made = unreviewed(world)
    acceptance.confirm(world.ana, made.id)
    corrections.renew(world.ana, made.id, 200)
    corrections.move(world.ana, made.id, "project:web")
    job, now = reader(world)
    (hit,) = recall.recall(job, Recall("ink")).items
    assert (hit.entry.version, hit.entry.tier) == (4, "unreviewed")
    assert now().tier == "person"


def test_a_confirming_that_was_never_told_so_counts_for_nothing(world: World) -> None:
    """L7, M24: whoever writes into the store lowers no guard with an event of another version."""
    confirmed = unreviewed(world)
    acceptance.confirm(world.ana, confirmed.id)
    other = entries.remember(world.job(world.ana), Remember("ink is green", scope="tenant")).entry
    event = run_sql(world, "SELECT event FROM version WHERE id = ? AND v = 2", confirmed.id)[0][0]
    run_sql(world, "UPDATE version SET event = ? WHERE id = ?", event, other.id)
    job, now = reader(world)
    recall.recall(job, Recall("ink", include_unreviewed=True))
    assert now().tier == "person"
    assert other.id in recall.recall(job, Recall("green", include_unreviewed=True)).altered


@pytest.mark.parametrize(
    ("writes", "reads", "after"),
    [
        ("none", "none", "person"),
        ("crm", "crm", "person"),
        ("crm", "none", "unreviewed"),
        ("none", "crm", "unreviewed"),
    ],
)
@pytest.mark.parametrize("confirmed", [False, True])
def test_what_an_agent_of_another_plugin_wrote_counts_as_unreviewed(
    world: World, writes: str, reads: str, after: str, confirmed: bool
) -> None:
    """M24: however far its job was trusted, unless a person stands for the text; no plugin is a plugin too."""
    world.declare(name="porter", plugin=writes, uses=["memory"])
    world.declare(plugin=reads, uses=["memory"])
    made = agree(world, "ink is blue", agent="porter") if confirmed else None
    if made is None:
        job = world.job(world.ana, agent="porter", sees="person")
        made = entries.remember(job, Remember("ink is blue", scope="tenant")).entry
        assert (made.tier, made.state) == ("person", "active")
    job, now = reader(world)
    (hit,) = recall.recall(job, Recall("ink")).items
    assert hit.entry.tier == "person"
    assert now().tier == ("person" if confirmed else after)


def test_compartments_join_whoever_stands_for_the_text(each_world: World) -> None:
    """M24: from the start-up text on; what the job writes next carries them."""
    agree(each_world, compartments=("legal",))
    job, now = reader(each_world, compartments=("press",))
    startup.startup_context(job)
    assert now().compartments == ("legal", "press")
    assert entries.remember(job, Remember("so it is")).entry.compartments == ("legal", "press")
    assert now().tier == "person"


def test_a_person_who_reads_is_labelled_with_nothing(world: World) -> None:
    """M24: labels are a job's."""
    made = unreviewed(world)
    acceptance.confirm(world.ana, made.id)
    before = len(events(world, "job.started"))
    assert recall.recall(world.ana, Recall("ink")).items
    assert len(events(world, "job.started")) == before
    assert run_sql(world, "SELECT count(*) FROM job_read") == [(0,)]
