"""Settings, declarations, own secrets: with a reason, old and new, or not at all (G4, G10, G11, G14, G16)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oz0mem.actions import auditing, entries, governance
from oz0mem.model.settings import TABLE, Settings
from oz0mem.rules.declarations import check_declaration
from tests.actions.evidence import events, refused, stored_bytes
from tests.actions.guessing import pages
from tests.actions.world import CONCIERGE, World

NUMBERS = [row for row in TABLE if row.most]
OTHER: dict[str, object] = {
    "compatible": ["support>billing"],
    "review": "all",
    "four_eyes": False,
    "works_council": True,
    "apart": ["legal:sales"],
    "scim_deactivate": "forget",
}


@pytest.fixture
def pair(tmp_path: Path) -> World:
    """A tenant with two admins and four eyes on."""
    world = World(f"sqlite:///{tmp_path / 'pair.db'}", solo=False)
    world.add("bob", "admin")
    return world


def change(world: World, **updates: object) -> governance.Change:
    """Change settings as ana."""
    return governance.set_settings(world.ana, updates, "for a test")


def settings(world: World) -> Settings:
    """The settings in force."""
    return governance.show_settings(world.ana).settings


@pytest.mark.parametrize("row", NUMBERS, ids=lambda row: row.key)
def test_a_number_is_set_within_its_bounds_and_refused_outside(world: World, row: Any) -> None:
    """G14: both bounds are allowed, one step past either changes nothing."""
    if row.key == "max_days":
        change(world, default_days=1)
    if row.key == "default_days":
        change(world, max_days=3_650)
    for value in (row.most, row.least):
        change(world, **{row.key: value})
        assert getattr(settings(world), row.key) == value
    before = len(events(world))
    for value in (row.least - 1, row.most + 1):
        outcome = refused(lambda v=value: change(world, **{row.key: v}))  # type: ignore[misc]  # bound now
        assert (outcome.code, outcome.rule) == ("settings.bounds", "G14")
        assert (outcome.facts["least"], outcome.facts["most"]) == (row.least, row.most)
    assert getattr(settings(world), row.key) == row.least
    assert len(events(world)) == before


def test_a_longest_end_below_the_default_end_is_refused_with_both_numbers(world: World) -> None:
    """G14: whichever of the two is set."""
    for updates in ({"max_days": 89}, {"default_days": 366}, {"default_days": 20, "max_days": 10}):
        outcome = refused(lambda u=updates: change(world, **u))  # type: ignore[misc]  # bound now
        assert outcome.code == "settings.bounds" and {"default_days", "max_days"} <= outcome.facts.keys()
    change(world, default_days=10, max_days=10)
    assert settings(world)[:2] == (10, 10)


def test_old_and_new_are_recorded_with_the_reason(each_world: World) -> None:
    """G10: one event a setting, each pair by its names, who and why committed to."""
    change(each_world, max_days=400, review="proposals", works_council=True)
    change(each_world, compatible=["support>billing"], apart=["sales:legal"])
    change(each_world, no_compatible=["support:billing"])
    told = [each for each in events(each_world, "governance.changed") if "reason_commit" in each][-6:]
    assert [(each["what"], each.get("target"), each["from"], each["to"]) for each in told] == [
        ("max_days", None, 365, 400),
        ("review", None, "untrusted", "proposals"),
        ("works_council", None, "off", "on"),
        ("compatible", "support>billing", "absent", "present"),
        ("apart", "legal:sales", "absent", "present"),
        ("compatible", "support>billing", "present", "absent"),
    ]
    assert all(each["actor"]["kind"] == "person" for each in told)
    assert auditing.check(each_world.ana, contents=True).problems == []


def test_the_settings_say_who_changed_each_last_and_when(world: World) -> None:
    """G16: nobody for a default."""
    bob = world.add("bob", "admin")
    change(world, max_days=400)
    world.later(1)
    governance.set_settings(bob, {"max_days": 500}, "more")
    shown = governance.show_settings(world.ana)
    assert shown.changed["max_days"] == ("bob", world.now) and "max_bytes" not in shown.changed
    assert shown.solo and [agent.name for agent in shown.agents] == ["concierge"]


@pytest.mark.parametrize("updates", [{"max_days": 365}, {"max_bytes": "8MiB"}, {"no_apart": []}, OTHER])
def test_setting_what_is_set_writes_nothing(world: World, updates: dict[str, object]) -> None:
    """G10: applied, and no event, row or reason is written."""
    if updates is OTHER:
        change(world, **OTHER)
    if "no_apart" in updates:
        updates = {"not_apart": ["legal:sales"]}
    before, bytes_before = len(events(world)), pages(world)
    answer = change(world, **updates)
    assert (answer.changed, answer.what) == (False, [])
    assert len(events(world)) == before and pages(world) == bytes_before


def test_nothing_named_or_something_unknown_is_refused(world: World) -> None:
    """G14: with what there is."""
    assert refused(lambda: change(world)).code == "settings.none"
    assert refused(lambda: change(world, colour="red")).code == "settings.unknown"
    assert refused(lambda: change(world, max_days="soon")).code == "settings.value"
    assert "billing" in refused(lambda: change(world, compatible=["billing"])).said


LOOSER: list[dict[str, object]] = [
    {"default_days": 91},
    {"max_days": 366},
    {"max_records": 5_001},
    {"max_bytes": "9MiB"},
    {"compatible": ["a>b"]},
    {"review": "proposals"},
    {"retention_days": 366},
    {"retention_days": 364},
    {"recall_entries": 21},
    {"recall_chars": 6_001},
    {"four_eyes": False},
    {"works_council": False},
    {"not_apart": ["legal:sales"]},
    {"max_days": 300, "recall_entries": 21},
]
TIGHTER: list[dict[str, object]] = [
    {"default_days": 89},
    {"max_days": 364},
    {"max_records": 4_999},
    {"max_bytes": "1KiB"},
    {"no_compatible": ["x>y"]},
    {"review": "all"},
    {"recall_entries": 19},
    {"recall_chars": 5_999},
    {"apart": ["one:two"]},
    {"scim_deactivate": "forget"},
]


def test_what_loosens_is_refused_while_four_eyes_is_on(tmp_path: Path) -> None:
    """G11: all of a command waits where a part would; nothing is half changed."""
    world = World(f"sqlite:///{tmp_path / 'pair.db'}", solo=False)
    change(world, apart=["legal:sales"], compatible=["x>y"])
    world.add("bob", "admin")
    before, old = len(events(world)), settings(world)
    for updates in LOOSER:
        outcome = refused(lambda u=updates: change(world, **u))  # type: ignore[misc]  # bound now
        assert (outcome.code, outcome.rule) == ("change.needs_second", "G11"), updates
    assert settings(world) == old and len(events(world)) == before
    for updates in TIGHTER:
        assert change(world, **updates).changed, updates


def test_everything_applies_at_once_where_one_person_governs(world: World) -> None:
    """G1: a solo store has one person do both halves."""
    change(world, apart=["legal:sales"])
    for updates in LOOSER:
        change(world, **updates)
    assert settings(world).recall_entries == 21


def test_a_declaration_is_a_change_with_a_reason(each_world: World) -> None:
    """G10: added, changed, and nothing where it says the same."""
    document = check_declaration({**CONCIERGE, "name": "helper"})
    assert governance.declare(each_world.ana, document, "to help").changed
    before = len(events(each_world))
    assert not governance.declare(each_world.ana, document, "to help").changed
    assert len(events(each_world)) == before
    assert governance.declare(each_world.ana, document._replace(kind="worker"), "renamed").changed
    told = [(each["target"], each["from"], each["to"]) for each in events(each_world) if each.get("what") == "agent"]
    assert told[-2:] == [("helper", "absent", "present"), ("helper", "present", "changed")]
    assert governance.show_agent(each_world.dana, "helper").declaration.kind == "worker"
    assert refused(lambda: governance.show_agent(each_world.dana, "nobody")).code == "agent.unknown"
    built_in = document._replace(name="import")
    assert refused(lambda: governance.declare(each_world.ana, built_in, "to try")).code == "agent.built_in"


def test_a_declaration_with_learned_kinds_is_refused_outside_a_solo_store(pair: World) -> None:
    """G11, M5: without them it applies at once; the refusal changes nothing."""
    outcome = refused(pair.declare)
    assert (outcome.code, outcome.rule) == ("change.needs_second", "G11")
    assert governance.list_agents(pair.ana) == []
    pair.declare(memory={})
    assert [each.declaration.name for each in governance.list_agents(pair.ana)] == ["concierge"]


def test_grants_hold_for_what_an_agent_writes_and_reads(world: World) -> None:
    """G4: narrowed by the declaration, however far its jobs would reach."""
    world.declare(grants={"write": ["tenant", "project:web"], "deny": ["project:web/shop"]})
    job = world.job(world.dana)
    entries.remember(job, entries.Remember("Carts are emptied nightly", scope="project:web/blog"))
    for scope in ("project:web/shop", "agent:concierge"):
        outcome = refused(lambda s=scope: entries.remember(job, entries.Remember("Nothing", scope=s)))  # type: ignore[misc]  # bound now
        assert (outcome.code, outcome.rule) == ("memory.scope", "G4")
        assert scope not in outcome.facts["scopes"]


def test_only_admins_govern(world: World) -> None:
    """G3: reviewers and auditors look, members see the agents."""
    for role in ("reviewer", "member", "auditor", "host"):
        other = world.add(f"a-{role}", role)
        for act in (
            lambda who=other: governance.set_settings(who, {"max_days": 100}, "to try"),
            lambda who=other: governance.declare(who, check_declaration(CONCIERGE), "to try"),
            lambda who=other: governance.add_secret(who, "swordfish-42", "to try"),
            lambda who=other: governance.list_secrets(who),
        ):
            assert refused(act).code == "role.forbidden"
        if role in ("reviewer", "auditor"):
            assert governance.show_settings(other).settings == settings(world)
        else:
            assert refused(lambda who=other: governance.show_settings(who)).code == "role.forbidden"  # type: ignore[misc]  # bound now


def test_an_own_secret_is_kept_as_a_keyed_hash_and_refused_by_every_path(world: World) -> None:
    """M8: known by nobody, told by number and length."""
    made = governance.add_secret(world.ana, " swordfish-42\n", "ours")
    assert (made.length, made.by) == (12, "ana")
    assert governance.list_secrets(world.ana) == [made]
    assert b"swordfish" not in stored_bytes(world)
    assert refused(lambda: governance.add_secret(world.ana, "swordfish-42", "again")).code == "secret.known"
    assert refused(lambda: governance.add_secret(world.ana, "short", "ours")).code == "secret.short"
    assert refused(lambda: world.note("the password is swordfish-42")).code == "secret.found"
    assert refused(lambda: governance.set_settings(world.ana, {"max_days": 100}, "swordfish-42")).code == "secret.found"
    governance.remove_secret(world.ana, made.number, "no longer")
    assert refused(lambda: governance.remove_secret(world.ana, made.number, "no longer")).code == "secret.unknown"
    assert world.note("the word is swordfish-42").entry.text
    told = [(each["from"], each["to"]) for each in events(world) if each.get("what") == "secret"]
    assert told == [("absent", "present"), ("present", "absent")]
