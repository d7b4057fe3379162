"""Jobs: what a starter fixes, and what no agent can change (G2)."""

from __future__ import annotations

from typing import Any

import pytest

from oz0mem.actions import entries, forget, governance, jobs, principals, recall
from oz0mem.actions.context import Context
from oz0mem.actions.jobs import Job, Start
from oz0mem.model.moments import HOUR
from oz0mem.rules.declarations import check_declaration
from tests.actions.evidence import events, refused
from tests.actions.world import World


def start(ctx: Context, **asked: Any) -> Job:
    """Start a job of the concierge."""
    return jobs.start(ctx, Start(**{"agent": "concierge", **asked}))


def child(world: World, parent: Job, **asked: Any) -> Job:
    """What a job starts."""
    return start(world.context(job=parent.token), **asked)


def declare(world: World, name: str, **fields: Any) -> None:
    """Declare another agent."""
    document = {
        "name": name,
        "capabilities": ["remember", "recall"],
        "purposes": ["customer-support"],
        **fields,
    }
    governance.declare(world.ana, check_declaration(document), "for the tests")


def test_a_starter_fixes_everything_that_a_job_is(each_world: World) -> None:
    """G2: agent, purpose, subject, projects, thread, starter, compartments, promise and expiry."""
    asked = {
        "purpose": "customer-support",
        "about": "dana",
        "projects": ("web/shop",),
        "thread": "T-1",
        "compartments": ("sales", "legal"),
        "sees": "published",
    }
    made = start(each_world.ana, **asked)
    read = jobs.show(each_world.ana, made.record.id).record
    assert read == made.record
    assert (read.purpose, read.about, read.person, read.starter) == (
        "customer-support",
        "dana",
        "dana",
        "ana",
    )
    assert (read.projects, read.thread, read.sees) == (("web/shop",), "thread:T-1", "published")
    assert read.compartments == ("legal", "sales")
    assert (read.created, read.expires) == (each_world.now, each_world.now + 24 * HOUR)
    told = events(each_world, "job.started")[-1]
    assert (told["job"], told["agent"], told["sees"]) == (read.id, "concierge", "published")
    assert told["subject"].startswith("s_") and told["actor"]["kind"] == "person"


def test_without_a_promise_a_job_counts_as_having_read_something_unreviewed(world: World) -> None:
    """G2: the promise is the starter's, and it only ever lowers from there."""
    assert start(world.dana).record.tier == "unreviewed"
    assert start(world.dana, sees="person").record.tier == "person"
    assert start(world.dana, sees="published").record.tier == "published"
    assert refused(lambda: start(world.dana, sees="unreviewed")).code == "job.sees"


def test_what_a_job_has_read_only_lowers_trust(world: World) -> None:
    """G2: reported by its host, each source once, and nothing brings it back."""
    made = start(world.dana, sees="person")
    number = made.record.id
    assert jobs.read(world.dana, number, "crm", published=True).record.tier == "published"
    assert jobs.read(world.dana, number, "web", published=False).record.tier == "unreviewed"
    assert jobs.read(world.dana, number, "crm", published=True).record.tier == "unreviewed"
    shown = jobs.show(world.dana, number)
    assert (shown.record.tier, shown.read) == ("unreviewed", ["crm", "web"])
    assert [told["tier"] for told in events(world, "job.read")] == ["published", "unreviewed", "unreviewed"]


def test_a_purpose_and_a_project_must_be_the_agents(world: World) -> None:
    """G2: refused with what there is to choose from."""
    outcome = refused(lambda: start(world.dana, purpose="billing"))
    assert (outcome.code, outcome.facts) == ("job.purpose", {"purposes": ["customer-support"]})
    assert refused(lambda: start(world.dana, projects=("core",))).code == "job.projects"
    assert refused(lambda: start(world.dana, projects=("web", "core"))).code == "job.projects"
    assert start(world.dana, projects=("web/shop",)).record.projects == ("web/shop",)
    assert refused(lambda: start(world.dana, agent="nobody")).code == "agent.unknown"


def test_a_job_without_a_project_named_has_those_of_its_declaration(world: World) -> None:
    """M20: fixed at the start; what the declaration takes back since is gone, what it adds is not there."""
    made = start(world.dana)
    assert made.record.projects == ("web",)
    job = world.context(job=made.token)
    world.declare(projects=["web/shop", "core"])
    entries.remember(job, entries.Remember("Carts are emptied nightly", scope="project:web/shop"))
    for scope in ("project:web", "project:core"):
        outcome = refused(lambda s=scope: entries.remember(job, entries.Remember("Nothing", scope=s)))  # type: ignore[misc]  # bound now
        assert (outcome.code, outcome.rule) == ("memory.scope", "G4")


@pytest.mark.parametrize(
    ("role", "about", "code"),
    [
        ("member", "", ""),
        ("member", "SELF", ""),
        ("member", "dana", "job.about"),
        ("reviewer", "dana", ""),
        ("admin", "dana", ""),
        ("host", "dana", ""),
        ("host", "", ""),
        ("auditor", "", "role.forbidden"),
    ],
)
def test_who_may_start_a_job_about_whom(world: World, role: str, about: str, code: str) -> None:
    """G2: members about nobody or themself; reviewers, admins and hosts about anybody; auditors none."""
    starter = world.add("kim", role)
    subject = "kim" if about == "SELF" else about
    if code:
        assert refused(lambda: start(starter, about=subject)).code == code
        return
    record = start(starter, about=subject).record
    assert (record.about, record.starter) == (subject, "kim")
    assert record.person == (subject or ("" if role == "host" else "kim"))


def test_a_host_starts_jobs_and_does_nothing_else(world: World) -> None:
    """G2: it sees, reports to and ends its own jobs; it is told as a service."""
    host = world.add("desk", "host")
    made = start(host, about="dana")
    assert events(world, "job.started")[-1]["actor"]["kind"] == "service"
    jobs.read(host, made.record.id, "crm", published=False)
    assert jobs.show(host, made.record.id).read == ["crm"]
    jobs.end(host, made.record.id)
    for act in (
        lambda: entries.remember(host, entries.Remember("Deploys are on Wednesdays")),
        lambda: recall.recall(host, recall.Recall("deploys")),
        lambda: forget.forget(host, None),
        lambda: forget.forget(host, "dana"),
        lambda: principals.list_principals(host),
        lambda: governance.list_agents(host),
    ):
        assert refused(act).code == "role.forbidden"


def test_a_job_is_seen_by_its_starter_and_by_reviewers(world: World) -> None:
    """G2: for others there is no such job."""
    made = start(world.dana)
    reviewer, member = world.add("bob", "reviewer"), world.add("kim", "member")
    assert jobs.show(reviewer, made.record.id).record == made.record
    assert jobs.show(world.context(job=made.token), made.record.id).record == made.record
    for other in (member, world.add("olga", "auditor"), world.job(member)):
        assert refused(lambda who=other: jobs.show(who, made.record.id)).code == "job.unknown"  # type: ignore[misc]  # bound now
    assert refused(lambda: jobs.end(member, made.record.id)).code == "job.unknown"
    assert jobs.end(world.dana, made.record.id).record.ended == world.now
    world.now += HOUR
    assert jobs.end(world.dana, made.record.id).record.ended == world.now - HOUR
    assert len(events(world, "job.ended")) == 1


def test_a_job_of_a_job_takes_over_what_it_may_not_choose(world: World) -> None:
    """G2: purpose, subject, starter, compartments, promise and what was read, whatever it asks for."""
    parent = start(world.ana, purpose="customer-support", about="dana", compartments=("sales",), sees="person")
    jobs.read(world.ana, parent.record.id, "crm", published=True)
    declare(world, "helper", purposes=["customer-support", "billing"], projects=["web"])
    asked = {"purpose": "billing", "about": "bob", "compartments": (), "sees": "person"}
    made = child(world, parent, agent="helper", **asked)
    kept = ("purpose", "about", "person", "starter", "compartments", "sees")
    assert [getattr(made.record, name) for name in kept] == [getattr(parent.record, name) for name in kept]
    assert (made.record.tier, made.read, made.record.agent) == ("published", ["crm"], "helper")
    assert jobs.show(world.ana, made.record.id).read == ["crm"]
    declare(world, "other", purposes=["billing"])
    assert refused(lambda: child(world, parent, agent="other")).code == "job.purpose"


@pytest.mark.parametrize(
    ("of_parent", "of_agent", "asked", "has"),
    [
        (("web",), ["web"], (), ("web",)),
        (("web",), ["web"], ("web/shop",), ("web/shop",)),
        (("web/shop",), ["web"], (), ("web/shop",)),
        (("web/shop",), ["web"], ("web",), None),
        (("web/shop",), ["web"], ("web/blog",), None),
        ((), ["web", "core"], (), ("web",)),
        ((), ["core"], (), ()),
        ((), ["core"], ("core",), None),
        ((), [], (), ("web",)),
        ((), [], ("core",), None),
        (("web",), ["web/shop", "web/blog"], (), ("web/shop", "web/blog")),
    ],
)
def test_a_job_of_a_job_has_fewer_projects_never_more(
    world: World,
    of_parent: tuple[str, ...],
    of_agent: list[str],
    asked: tuple[str, ...],
    has: tuple[str, ...] | None,
) -> None:
    """G2: also where the other agent's declaration has more than the job that starts it."""
    declare(world, "helper", projects=of_agent)
    parent = start(world.dana, projects=of_parent)
    if has is None:
        assert refused(lambda: child(world, parent, agent="helper", projects=asked)).code == "job.projects"
        return
    made = child(world, parent, agent="helper", projects=asked)
    assert made.record.projects == has
    job = world.context(job=made.token)
    reached = "project:core" in _writable(job, ("project:core", "project:web/shop"))
    assert not reached


def _writable(job: Context, scopes: tuple[str, ...]) -> list[str]:
    able = []
    for scope in scopes:
        try:
            entries.remember(job, entries.Remember(f"A note for {scope}", scope=scope))
        except Exception:  # any refusal will do: what counts is what was written
            continue
        able.append(scope)
    return able


def test_a_job_of_a_job_runs_in_its_thread_or_in_none(world: World) -> None:
    """G2: no agent chooses whose conversation it reads."""
    parent = start(world.dana, thread="t1")
    assert child(world, parent).record.thread == ""
    assert child(world, parent, thread="t1").record.thread == "thread:t1"
    outcome = refused(lambda: child(world, parent, thread="t2"))
    assert (outcome.code, outcome.rule) == ("job.thread", "G2")
    assert refused(lambda: child(world, start(world.dana), thread="t1")).code == "job.thread"


def test_a_job_of_a_job_ends_with_it_at_the_latest(world: World) -> None:
    """G2: no agent lengthens its own run."""
    parent = start(world.dana)
    world.now += 23 * HOUR
    made = child(world, parent)
    assert made.record.expires == parent.record.expires
    again = child(world, made)
    world.now += HOUR
    assert refused(lambda: principals.whoami(world.context(job=again.token))).code == "job.ended"


def test_a_secret_or_a_wildcard_starts_nothing(world: World) -> None:
    """M8, M4: no job is kept of what is refused."""
    before = len(events(world))
    for asked in (
        {"about": "*"},
        {"about": "da%"},
        {"about": ""} | {"thread": "a b"},
        {"projects": ("../x",)},
    ):
        refused(lambda asked=asked: start(world.ana, **asked))  # type: ignore[misc]  # bound now
    known = refused(lambda: start(world.ana, about="Dana"))
    assert (known.code, "dana" in known.said) == ("name.spelling", True)
    assert len(events(world)) == before
