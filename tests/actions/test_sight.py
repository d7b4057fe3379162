"""M20, M21: who reads what."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import editing, entries, facts, forget, governance, listing, recall
from oz0mem.actions.entries import Remember
from oz0mem.actions.recall import Recall
from oz0mem.model.filters import Filter
from oz0mem.rules import permission
from tests.actions.evidence import refused, run_sql

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from tests.actions.world import World


@pytest.fixture
def peopled(world: World) -> World:
    """Work in every kind of scope, with a purpose and without, and memory about two people."""
    world.declare(purposes=["support", "billing"], projects=[])
    world.declare(name="porter", purposes=["support"], projects=["web"])
    ana, dana, bob = world.ana, world.dana, world.add("bob", "member")
    for scope in ("tenant", "project:web", "project:web/checkout", "project:website", "project:shop"):
        world.note(f"ink work {scope}", scope=scope)
    for agent in ("concierge", "porter"):
        for purpose in ("", "support"):
            job = world.job(ana, agent=agent, sees="person", purpose=purpose, thread="t1")
            for about in ("me", "thread", "everyone"):
                asked = Remember(f"ink {about} {agent} {purpose or '-'}", "procedural", about)
                entries.remember(job, asked)
        for starter, name in ((dana, "dana"), (bob, "bob")):
            for purpose in ("", "support"):
                job = world.job(starter, agent=agent, sees="person", purpose=purpose)
                entries.remember(job, Remember(f"ink {name} {agent} {purpose or '-'}", "semantic"))
    billing = world.job(dana, sees="person", purpose="billing")
    entries.remember(billing, Remember("ink dana concierge billing", "semantic"))
    entries.remember(billing, Remember("ink me concierge billing", "procedural", "me"))
    return world


def _read(ctx: Context) -> set[str]:
    found = recall.recall(ctx, Recall("ink", max_entries=100, max_chars=60_000))
    listed = recall.recall(ctx, Recall("", max_entries=100, max_chars=60_000))
    texts = {hit.text.removeprefix("ink ") for hit in found.items}
    assert texts == {hit.text.removeprefix("ink ") for hit in listed.items}
    return texts


_EVERYBODYS = {"work tenant", "everyone concierge -", "everyone porter -"}
_OWN = {"me concierge -"}
_SUPPORT = {"everyone concierge support", "everyone porter support", "me concierge support"}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, _EVERYBODYS | _OWN | {"dana concierge -"}),
        ({"about": "dana"}, _EVERYBODYS | _OWN | {"dana concierge -"}),
        ({"purpose": "support"}, _EVERYBODYS | _OWN | _SUPPORT | {"dana concierge support"}),
        (
            {"purpose": "billing"},
            _EVERYBODYS | _OWN | {"me concierge billing", "dana concierge billing"},
        ),
        (
            {"projects": ("web",)},
            _EVERYBODYS | _OWN | {"dana concierge -", "work project:web", "work project:web/checkout"},
        ),
        (
            {"projects": ("web/checkout",)},
            _EVERYBODYS | _OWN | {"dana concierge -", "work project:web/checkout"},
        ),
        (
            {"thread": "t1"},
            _EVERYBODYS | _OWN | {"dana concierge -", "thread concierge -", "thread porter -"},
        ),
        ({"thread": "t2"}, _EVERYBODYS | _OWN | {"dana concierge -"}),
        (
            {"agent": "porter"},
            _EVERYBODYS | {"me porter -", "dana porter -", "work project:web", "work project:web/checkout"},
        ),
    ],
)
def test_a_job_reads_its_own_scopes_its_person_and_its_purpose(
    peopled: World, asked: dict[str, object], expected: set[str]
) -> None:
    """M20, M21: subtrees and no ancestors or namesakes, the declaration's projects where none is named."""
    assert _read(peopled.job(peopled.dana, **asked)) == expected


def test_a_job_about_somebody_else_reads_what_is_about_them_alone(peopled: World) -> None:
    """M20: the data subject is its person, not the starter; a service account's job has none."""
    bobs = _read(peopled.job(peopled.ana, about="bob"))
    assert {text for text in bobs if text.startswith(("bob", "dana"))} == {"bob concierge -"}
    nobodys = _read(peopled.job(peopled.add("runner", "host")))
    assert not {text for text in nobodys if text.startswith(("bob", "dana"))}


def test_a_compatible_purpose_is_read_one_way(peopled: World) -> None:
    """M21, G15: support>billing lets jobs for billing read support's, and not the reverse."""
    governance.set_settings(peopled.ana, {"compatible": (("support", "billing"),)}, "for the test")
    billing = _read(peopled.job(peopled.dana, purpose="billing"))
    assert {"dana concierge support", "dana concierge billing", "me concierge support"} <= billing
    support = _read(peopled.job(peopled.dana, purpose="support"))
    assert not {text for text in support if text.endswith("billing")}
    assert not {text for text in _read(peopled.job(peopled.dana)) if text.endswith(("billing", "support"))}


@pytest.mark.parametrize("way", ["deny", "read"])
def test_grants_only_narrow_what_is_read(peopled: World, way: str) -> None:
    """M20, G4: a denial always wins; a list of what is read leaves out the rest."""
    grants = {"deny": ["tenant"]} if way == "deny" else {"read": ["agent:concierge"]}
    peopled.declare(purposes=["support", "billing"], projects=[], grants=grants)
    assert _read(peopled.job(peopled.dana)) == {"me concierge -", "dana concierge -"}


def test_a_member_reads_what_is_about_themself_and_the_tenants_work_in_force(peopled: World) -> None:
    """M20: of every agent and purpose; nothing about anybody else, nothing of an agent's or a project's."""
    mine = {
        "dana concierge -",
        "dana concierge support",
        "dana concierge billing",
        "dana porter -",
        "dana porter support",
    }
    read = _read(peopled.dana)
    assert read == mine | _EVERYBODYS | {"everyone concierge support", "everyone porter support"}
    listed = {entry.text.removeprefix("ink ") for entry in listing.list_entries(peopled.dana, Filter()).items}
    assert listed == mine
    work = {entry.text.removeprefix("ink ") for entry in listing.list_entries(peopled.dana, Filter(about="work")).items}
    assert work == read - mine


@pytest.mark.parametrize(
    ("role", "sees"),
    [("member", "own"), ("reviewer", "all"), ("admin", "all"), ("auditor", "no"), ("host", "no")],
)
def test_a_role_sees_entries_by_the_table(peopled: World, role: str, sees: str) -> None:
    """M20: reviewers and admins all of the tenant, auditors and service accounts never a text."""
    acting = {"member": lambda: peopled.dana, "admin": lambda: peopled.ana}.get(
        role, lambda: peopled.add("rita", role)
    )()
    everything = run_sql(peopled, "SELECT id, about FROM version WHERE newest = 1")
    if sees == "no":
        for act in (
            lambda: recall.recall(acting, Recall("ink")),
            lambda: listing.list_entries(acting, Filter()),
            lambda: listing.show(acting, everything[0][0]),
            lambda: facts.history(acting, "concierge", "k"),
        ):
            assert refused(act).code == "role.forbidden"
        return
    seen = {entry.id for entry in listing.list_entries(acting, Filter(), limit=1000).items}
    assert (seen == {row[0] for row in everything}) is (sees == "all")
    for entry_id, _ in everything:
        if sees == "all":
            assert listing.show(acting, entry_id).entry.id == entry_id
        elif entry_id not in seen:
            work = listing.show(peopled.ana, entry_id).entry
            if work.scope != "tenant":
                unseen = partial(listing.show, acting, entry_id)
                assert refused(unseen).code == "memory.unknown"


def test_a_member_is_refused_other_peoples_lists(peopled: World) -> None:
    """M20: by name, and by guessing an id's beginning, which suggests none of theirs."""
    for asked in (
        Filter(about="bob"),
        Filter(about="work", scope="project:web"),
        Filter(about="work", state="held"),
    ):
        assert refused(lambda asked=asked: listing.list_entries(peopled.dana, asked)).code == "role.forbidden"  # type: ignore[misc]  # bound
    bobs = listing.list_entries(peopled.ana, Filter(about="bob")).items
    for entry in bobs:
        outcome = refused(lambda entry=entry: listing.show(peopled.dana, entry.id[:7]))  # type: ignore[misc]  # bound
        assert outcome.code == "memory.unknown"
        assert entry.id not in outcome.said
    assert permission.may("member", "see_all") is False


def test_an_agents_job_does_not_list_show_or_tell_history(peopled: World) -> None:
    """M20: those are people's; a job recalls."""
    job = peopled.job(peopled.ana)
    for act in (
        lambda: listing.list_entries(job, Filter()),
        lambda: listing.show(job, "n-000000000000"),
        lambda: facts.history(job, "concierge", "k"),
    ):
        assert refused(act).code == "role.agent"


def test_a_member_reads_of_work_only_the_version_in_force(world: World) -> None:
    """M20: what a reviewer took out of a text is not read in its earlier versions, nor in its history."""
    entry = world.note("the vault opens with Kestrel").entry
    editing.edit(world.ana, entry.id, "the vault has a new lock")
    assert [each.version for each in listing.show(world.dana, entry.id, versions=True).versions] == [2]
    assert [fact.entry.version for fact in facts.history_of(world.dana, entry.id).items] == [2]
    assert [each.version for each in listing.show(world.ana, entry.id, versions=True).versions] == [1, 2]


def test_a_member_is_told_of_mentions_only_in_what_they_see(world: World) -> None:
    """M20, G41: that an entry about bob names dana is told to who may edit it, not to dana."""
    world.declare()
    bobs = world.learn("bob shares his desk with dana", starter=world.add("bob", "member")).entry
    works = world.note("ask dana for the key").entry
    assert forget.forget(world.dana, None, dry_run=True).mentions == (works.id,)
    assert set(forget.forget(world.ana, "dana", dry_run=True).mentions) == {bobs.id, works.id}
