"""The policy for agents' calls, as admins set it (G10, G11, G30)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import auditing, policies, principals
from oz0mem.model.agreements import EFFECTS, POLICED, Rule
from oz0mem.store import schema
from tests.actions.evidence import events, refused, run_sql
from tests.actions.guessing import pages
from tests.actions.world import START, World

if TYPE_CHECKING:
    from pathlib import Path

MINUTE = 60_000_000


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A tenant whose policy is as `init` leaves it."""
    made = World(f"sqlite:///{tmp_path / 'store.db'}", asks=True)
    made.declare()
    return made


@pytest.fixture
def each_world(store_url: str) -> World:
    """The same, once on each back end (Q14)."""
    made = World(store_url, asks=True)
    made.declare()
    return made


@pytest.fixture
def pair(tmp_path: Path) -> World:
    """A tenant with two admins and four eyes on."""
    world = World(f"sqlite:///{tmp_path / 'pair.db'}", solo=False, asks=True)
    world.add("bob", "admin")
    world.declare(memory={})
    return world


def told(world: World) -> list[tuple[object, ...]]:
    """What the ledger says of the policy: what, for whom, from, to, by a person or the program."""
    return [
        (each["function"], each.get("target"), each["from"], each["to"], each["actor"]["kind"])
        for each in events(world, "governance.changed")
        if each["what"] == "policy"
    ]


def test_a_new_tenant_has_the_plugins_rules(each_world: World) -> None:
    """G30: `init` writes write=ask and accept=ask, listed as the plugin's."""
    assert policies.show_policy(each_world.ana) == [
        Rule("write", "", "ask", "", START),
        Rule("accept", "", "ask", "", START),
    ]
    assert told(each_world) == [
        ("write", None, "absent", "ask", "system"),
        ("accept", None, "absent", "ask", "system"),
    ]


def test_a_rule_is_set_with_old_and_new_and_a_reason(each_world: World) -> None:
    """G10: for all agents, and for one by its name with the word before it or without."""
    each_world.now += MINUTE
    made = policies.set_policy(each_world.ana, "write", "allow", "as agreed")
    assert (made.what, made.by, made.changed) == ([("write", "ask", "allow")], "ana", True)
    policies.set_policy(each_world.ana, "remember", "deny", "as agreed", agent="agent:concierge")
    made = policies.set_policy(each_world.ana, "accept", "allow", "as agreed", agent="concierge")
    assert (made.what, made.agent) == ([("accept", None, "allow")], "concierge")
    at = each_world.now
    assert policies.show_policy(each_world.ana) == [
        Rule("write", "", "allow", "ana", at),
        Rule("remember", "concierge", "deny", "ana", at),
        Rule("accept", "", "ask", "", START),
        Rule("accept", "concierge", "allow", "ana", at),
    ]
    assert told(each_world)[2:] == [
        ("write", None, "ask", "allow", "person"),
        ("remember", "concierge", "absent", "deny", "person"),
        ("accept", "concierge", "absent", "allow", "person"),
    ]
    assert all("reason_commit" in each for each in events(each_world, "governance.changed")[-3:])
    assert auditing.check(each_world.ana, contents=True).problems == []


def test_several_rules_are_one_change(world: World) -> None:
    """G11: all of a command, or none of it."""
    before = len(events(world))
    outcome = refused(lambda: policies.set_policies(world.ana, {"write": "allow", "recall": "ask"}, "as agreed"))
    assert outcome.code == "policy.what" and len(events(world)) == before
    made = policies.set_policies(world.ana, {"write": "allow", "accept": "ask"}, "as agreed")
    assert made.what == [("write", "ask", "allow"), ("accept", "ask", "ask")]
    reasons = [each["reason_commit"] for each in events(world, "governance.changed")[-2:]]
    assert len(set(reasons)) == 1


def test_setting_what_an_admin_set_writes_nothing(world: World) -> None:
    """G10: and saying what the plugin says makes the rule an admin's, which is a change (G30)."""
    assert policies.set_policy(world.ana, "write", "ask", "ours now").changed
    assert policies.show_policy(world.ana)[0].by == "ana"
    before, bytes_before = len(events(world)), pages(world)
    made = policies.set_policy(world.ana, "write", "ask", "again")
    assert (made.changed, made.what) == (False, [])
    assert len(events(world)) == before and pages(world) == bytes_before
    # A row of the same effect that is set already is no part of the change.
    made = policies.set_policies(world.ana, {"write": "ask", "retire": "deny"}, "one more")
    assert made.what == [("retire", None, "deny")]


@pytest.mark.parametrize(
    ("effects", "agent", "code"),
    [
        ({}, "", "policy.none"),
        ({"recall": "ask"}, "", "policy.what"),
        ({"oz0_memory.remember": "ask"}, "", "policy.what"),
        ({"": "ask"}, "", "policy.what"),
        ({"write": "ALLOW"}, "", "policy.effect"),
        ({"write": ""}, "", "policy.effect"),
        ({"write": "ask"}, "agent:", "policy.agent"),
        ({"write": "ask"}, "nobody", "agent.unknown"),
        ({"write": "ask"}, "agent:import", "agent.unknown"),
        ({"write": "ask"}, "*", "agent.unknown"),
    ],
)
def test_what_is_no_rule_is_refused(world: World, effects: dict[str, str], agent: str, code: str) -> None:
    """G30: with what there is; nothing is written."""
    before = len(events(world))
    outcome = refused(lambda: policies.set_policies(world.ana, effects, "to try", agent))
    assert (outcome.code, len(events(world))) == (code, before)
    if code == "policy.what":
        assert all(word in outcome.said for word in POLICED)
    if code == "policy.effect":
        assert all(word in outcome.said for word in EFFECTS)


def test_a_reason_is_needed_and_holds_no_secret(world: World) -> None:
    """G10, M8: the scan comes first."""
    assert refused(lambda: policies.set_policy(world.ana, "write", "deny", " ")).code == "argument.blank"
    leaked = "AKIA" + "Q3EGRIZNMBXLDC7W"
    assert refused(lambda: policies.set_policy(world.ana, "write", "deny", leaked)).code == "secret.found"
    assert refused(lambda: policies.set_policy(world.ana, "write", "deny", "so", leaked)).code == "secret.found"


def test_only_admins_set_it_and_who_sees_rules_sees_it(world: World) -> None:
    """G3: an agent never, whatever its starter is."""
    for role in ("reviewer", "member", "auditor", "host"):
        other = world.add(f"a-{role}", role)
        acts = (
            lambda who=other: policies.set_policy(who, "write", "deny", "to try"),
            lambda who=other: policies.install(who, "memory"),
        )
        assert {refused(act).code for act in acts} == {"role.forbidden"}
        if role in ("reviewer", "auditor"):
            assert len(policies.show_policy(other)) == 2
        else:
            assert refused(lambda who=other: policies.show_policy(who)).code == "role.forbidden"  # type: ignore[misc]  # bound now
    job = world.job(world.ana)
    assert refused(lambda: policies.set_policy(job, "write", "allow", "to try")).code == "role.agent"
    assert refused(lambda: policies.show_policy(job)).code == "role.agent"
    assert [(each["function"], each["rule"]) for each in events(world, "plugin.records.refused")[-2:]] == [
        ("policy", "G3"),
        ("policy", "G3"),
    ]


LOOSER = [
    ({"write": "allow"}, ""),
    ({"accept": "allow"}, ""),
    ({"remember": "allow"}, ""),
    ({"write": "allow"}, "agent:concierge"),
    # One part loosens, so all of it waits.
    ({"write": "deny", "accept": "allow"}, ""),
    # For this agent it was denied by its own rule.
    ({"retire": "ask"}, "concierge"),
]
TIGHTER = [({"write": "ask"}, ""), ({"define": "deny"}, ""), ({"write": "deny"}, "concierge"), ({"write": "deny"}, "")]


def test_what_lets_more_through_waits_for_another_admin(pair: World) -> None:
    """G11: deny to ask, ask to allow; judged by what a call meets."""
    policies.set_policy(pair.ana, "retire", "deny", "as agreed", "concierge")
    before, rules = len(events(pair)), policies.show_policy(pair.ana)
    for effects, agent in LOOSER:
        outcome = refused(lambda e=effects, a=agent: policies.set_policies(pair.ana, e, "to try", a))  # type: ignore[misc]  # bound now
        assert (outcome.code, outcome.rule) == ("change.needs_second", "G11"), effects
    assert policies.show_policy(pair.ana) == rules
    assert len(events(pair, "governance.changed")) == len(
        [each for each in events(pair)[:before] if each["action"] == "governance.changed"]
    )
    for effects, agent in TIGHTER:
        assert policies.set_policies(pair.ana, effects, "tighter", agent).changed


def test_a_stricter_row_for_one_agent_hides_no_loosening_for_others(pair: World) -> None:
    """G11: `write` denied for all, then asked about: looser for everybody whose own rule does not deny."""
    policies.set_policy(pair.ana, "write", "deny", "as agreed")
    assert refused(lambda: policies.set_policy(pair.ana, "write", "ask", "to try")).code == "change.needs_second"
    policies.set_policies(pair.ana, dict.fromkeys(POLICED[1:-1], "deny"), "as agreed")
    # Every function of the group has a stricter rule of its own now.
    assert policies.set_policy(pair.ana, "write", "ask", "tidy").changed


def test_installing_writes_the_plugins_rules_once(each_world: World) -> None:
    """G30: where a store of before has none; what an admin set stays; never ask into allow."""
    assert not policies.install(each_world.ana, "memory").changed
    policies.set_policy(each_world.ana, "accept", "deny", "ours")
    run_sql(each_world, "DELETE FROM policy WHERE what = 'write'")
    assert policies.show_policy(each_world.ana)[0] == Rule("write", "", "ask", "", 0)
    each_world.now += MINUTE
    made = policies.install(each_world.ana, "hub:ai.oz0/memory")
    assert made.changed and [(rule.what, rule.effect, rule.by) for rule in made.rules] == [
        ("write", "ask", ""),
        ("accept", "deny", "ana"),
    ]
    assert told(each_world)[-1] == ("write", None, "absent", "ask", "system")
    assert not policies.install(each_world.ana, "memory").changed
    assert auditing.check(each_world.ana, contents=True).problems == []


@pytest.mark.parametrize("name", ["", "ai.oz0/memory", "hub:ai.oz0/mail", "MEMORY", "../memory"])
def test_there_is_no_other_plugin(world: World, name: str) -> None:
    """G30: the refusal says which one there is."""
    outcome = refused(lambda: policies.install(world.ana, name))
    assert outcome.code == "plugin.unknown" and "hub:ai.oz0/memory" in outcome.said


def test_a_job_is_told_which_of_its_calls_ask(world: World) -> None:
    """D2: of those that it may make, by the rules of that moment."""
    world.declare(capabilities=["recall"], tools=["oz0_memory.remember", "oz0_memory.accept"])
    job = world.job(world.dana)
    assert principals.whoami(job).asks == ("remember", "changed_since", "accept")
    policies.set_policies(world.ana, {"remember": "allow", "accept": "deny"}, "as agreed", "concierge")
    assert principals.whoami(job).asks == ("changed_since",)
    assert principals.whoami(world.ana).asks == ()


def test_a_policy_is_the_tenants_own(tmp_path: Path) -> None:
    """Q5: another tenant of the same store keeps its own rules."""
    url = f"sqlite:///{tmp_path / 'two.db'}"
    acme = World(url)
    schema.make_tenant(url, "globex", "globex.example/oz0mem", solo=True, now=START, entropy=lambda n: b"\7" * n)
    store = acme.opened("globex")
    there = acme.ana._replace(store=store, token="")
    principals.open_tenant(there, [("bob", "bob's token")], solo=True)
    policies.set_policy(acme.ana, "write", "deny", "ours")
    assert [rule.effect for rule in policies.show_policy(there._replace(token="bob's token"))] == ["ask", "ask"]
