"""``audit check --contents``: principals, settings, agents and secrets are what their events made them (G10, G16)."""

from __future__ import annotations

import json
import os
import shutil
from copy import copy
from pathlib import Path

import pytest

from oz0mem.actions import auditing, governance, principals
from oz0mem.actions.context import digest
from oz0mem.model.names import OF_AGENT, OF_PERSON
from oz0mem.rules.declarations import check_declaration
from oz0mem.store.engine import Store
from tests.actions.evidence import events, number_of, run_sql
from tests.actions.filled import problems
from tests.actions.world import CONCIERGE, World

BEHIND = [
    ("role", "UPDATE principal SET role = 0 WHERE num = {dana}", "principal", "dana"),
    ("role of a number that nobody gave", "UPDATE principal SET role = 9 WHERE num = {dana}", "principal", "dana"),
    ("role that is no number", "UPDATE principal SET role = 'admin' WHERE num = {dana}", "principal", "dana"),
    ("disabled", "UPDATE principal SET disabled = 1 WHERE num = {dana}", "principal", "dana"),
    ("enabled again", "UPDATE principal SET disabled = 0 WHERE num = {rita}", "principal", "rita"),
    ("token", "UPDATE principal SET token = {token} WHERE num = {dana}", "principal", "dana"),
    ("token of before", "UPDATE principal SET token = {old_token} WHERE num = {olga}", "principal", "olga"),
    ("moment", "UPDATE principal SET created = created + 1000 WHERE num = {dana}", "principal", "dana"),
    ("principal of nobody", "INSERT INTO principal VALUES (1, 999999, 0, {token}, 0, 0)", "principal", "999999"),
    (
        "principal of somebody remembered",
        "INSERT INTO principal VALUES (1, {carla}, 0, {token}, 0, 0)",
        "principal",
        "carla",
    ),
    ("principal gone", "DELETE FROM principal WHERE num = {dana}", "principal", "dana"),
    ("disabled principal gone", "DELETE FROM principal WHERE num = {rita}", "principal", "rita"),
    (
        "one principal for another",
        "UPDATE principal SET num = {carla} WHERE num = {dana}",
        "principal",
        "carla",
    ),
    ("number", "UPDATE body SET content = {more} WHERE num = {max_days}", "setting", "max_days"),
    ("number as a truth value", "UPDATE body SET content = {true} WHERE num = {recall}", "setting", "recall_entries"),
    ("switch", "UPDATE body SET content = {true} WHERE num = {council}", "setting", "works_council"),
    ("word", "UPDATE body SET content = {more} WHERE num = {review}", "setting", "review"),
    ("pair", "UPDATE body SET content = {pairs} WHERE num = {compatible}", "setting", "compatible"),
    ("value gone", "DELETE FROM body WHERE num = {max_days}", "setting", "max_days"),
    ("bodies swapped", "UPDATE setting SET body = {council} WHERE name = 'max_days'", "setting", "max_days"),
    ("setting gone", "DELETE FROM setting WHERE name = 'works_council'", "setting", "works_council"),
    ("setting added", "INSERT INTO setting VALUES (1, 'max_records', {max_days}, 0, 0)", "setting", "max_records"),
    ("setting of no name", "INSERT INTO setting VALUES (1, 'open', {max_days}, 0, 0)", "setting", "open"),
    ("setting by another", "UPDATE setting SET writer = {dana} WHERE name = 'max_days'", "setting", "max_days"),
    ("setting at another time", "UPDATE setting SET at = at - 1000 WHERE name = 'max_days'", "setting", "max_days"),
    ("agents swapped", "UPDATE agent SET body = {clerk_body} WHERE num = {concierge}", "agent", "concierge"),
    (
        "declaration",
        "UPDATE body SET content = replace(content, 'stationery', 'rifles') WHERE num = {concierge_body}",
        "agent",
        "concierge",
    ),
    (
        "declaration without its key",
        "UPDATE body SET content = {plain} WHERE num = {concierge_body}",
        "agent",
        "concierge",
    ),
    ("declaration gone", "DELETE FROM body WHERE num = {concierge_body}", "agent", "concierge"),
    ("agent gone", "DELETE FROM agent WHERE num = {clerk}", "agent", "clerk"),
    ("agent added", "INSERT INTO agent VALUES (1, 999999, 1, {clerk_body}, 0, 0)", "agent", "999999"),
    ("agent by another", "UPDATE agent SET writer = {dana} WHERE num = {clerk}", "agent", "clerk"),
    ("agent at another time", "UPDATE agent SET at = at + 1000 WHERE num = {clerk}", "agent", "clerk"),
    ("secret gone", "DELETE FROM secret", "secret", "count"),
]
"""What is altered, how, of which sort the problem is, and where."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A tenant in which everything that can be governed was governed; to be copied, not used."""
    world = World(f"sqlite:///{tmp_path_factory.mktemp('governed') / 'store.db'}")
    world.declare()
    _govern(world)
    world.store.close()
    return world


@pytest.fixture
def governed(made: World, tmp_path: Path) -> World:
    """A copy of that tenant of the test's own."""
    world = copy(made)
    world.url = f"sqlite:///{shutil.copy(made.url.removeprefix('sqlite:///'), tmp_path / 'store.db')}"
    world.store = Store(world.url, "acme", os.urandom)
    world.ana = world.context("ana's token")
    return world


def _govern(world: World) -> None:
    for name in ("rita", "olga"):
        world.add(name, "auditor")
    principals.disable(world.ana, "rita", "left us")
    principals.rotate(world.ana, "olga", "a lost laptop")
    for updates in (
        {"max_days": 400, "review": "all", "recall_entries": 1, "compatible": ["support>billing", "support>sales"]},
        {"max_days": 300, "no_compatible": ["support>billing"], "apart": ["sales:legal"]},
        {"not_apart": ["legal:sales"]},
    ):
        governance.set_settings(world.ana, updates, "as agreed")
    governance.declare(world.ana, check_declaration({**CONCIERGE, "name": "clerk", "keep_for": "8760h"}), "one more")
    world.declare(purposes=["customer-support", "sales"])
    kept = governance.add_secret(world.ana, "correct horse battery", "leaked once")
    governance.add_secret(world.ana, "a door code of ours", "leaked twice")
    governance.remove_secret(world.ana, kept.number, "changed")
    world.store.write(world.now, lambda desk: desk.names.ensure(OF_PERSON, "carla"))


def _facts(world: World) -> dict[str, object]:
    """Numbers and bodies of the rows that tests alter."""
    bodies = dict(run_sql(world, "SELECT name, body FROM setting"))
    declared = dict(run_sql(world, "SELECT num, body FROM agent"))
    concierge, clerk = (number_of(world, OF_AGENT, name) for name in ("concierge", "clerk"))
    document = world.store.read(world.now, lambda desk: desk.identity.agent("concierge"))
    return {
        **{name: number_of(world, OF_PERSON, name) for name in ("ana", "dana", "rita", "olga", "carla")},
        "max_days": bodies["max_days"],
        "recall": bodies["recall_entries"],
        "council": bodies["works_council"],
        "review": bodies["review"],
        "compatible": bodies["compatible"],
        "concierge": concierge,
        "clerk": clerk,
        "concierge_body": declared[concierge],
        "clerk_body": declared[clerk],
        "token": f"x'{digest('somebody else').hex()}'",
        "old_token": f"x'{digest('of before').hex()}'",
        "more": _blob({"value": 3_650}),
        "true": _blob({"value": True}),
        "pairs": _blob({"value": [["support", "billing"], ["support", "sales"]]}),
        "plain": _blob(document),
    }


def _blob(document: object) -> str:
    return f"x'{json.dumps(document).encode().hex()}'"


def test_rules_that_nobody_altered_have_no_problem(each_world: World) -> None:
    """G10: on both back ends, whatever was added, changed, disabled, rotated or taken out."""
    _govern(each_world)
    assert problems(each_world) == []


@pytest.mark.parametrize(("statement", "what", "where"), [row[1:] for row in BEHIND], ids=[row[0] for row in BEHIND])
def test_a_rule_altered_behind_the_ledger_is_found(governed: World, statement: str, what: str, where: str) -> None:
    """G10, G16, 4.5: said which, and where."""
    run_sql(governed, statement.format(**_facts(governed)))
    told = problems(governed)
    assert any(each.what == what and each.where == where for each in told), told
    # The head counts secrets too.
    assert {each.what for each in told} <= {what, "head"}
    assert {each.what for each in problems(governed, contents=False)} <= {"head"}


def test_two_tokens_exchanged_are_both_found(governed: World) -> None:
    """G1: a token opens the commitment of its own principal alone."""
    dana, olga = (number_of(governed, OF_PERSON, name) for name in ("dana", "olga"))
    tokens = dict(run_sql(governed, "SELECT num, token FROM principal"))
    run_sql(governed, "UPDATE principal SET token = ? WHERE num = ?", b"\1" * 32, dana)
    run_sql(governed, "UPDATE principal SET token = ? WHERE num = ?", tokens[dana], olga)
    run_sql(governed, "UPDATE principal SET token = ? WHERE num = ?", tokens[olga], dana)
    assert sorted(each.where for each in problems(governed)) == ["dana", "olga"]


def test_a_declaration_of_before_put_back_with_its_key_is_found(world: World) -> None:
    """G5, G11: the newest event of an agent counts."""
    body = run_sql(world, "SELECT b.content FROM body b JOIN agent a ON a.body = b.num")[0][0]
    world.declare(capabilities=["recall"], memory={})
    run_sql(world, "UPDATE body SET content = ? WHERE num = (SELECT body FROM agent)", body)
    assert [(each.what, each.where) for each in problems(world)] == [("agent", "concierge")]


def test_the_same_declaration_commits_to_something_else_each_time(world: World) -> None:
    """L3: 32 random bytes beside it, so that nobody who guesses a declaration finds it in the ledger."""
    world.declare(capabilities=["recall"], memory={})
    world.declare()
    told = [each["commit"] for each in events(world, "governance.changed") if each["what"] == "agent"]
    assert len(told) == len(set(told)) == 3
    assert world.store.read(world.now, lambda desk: "k" in (desk.identity.agent("concierge") or {})) is False
    assert governance.declare(world.ana, check_declaration(CONCIERGE), "again").changed is False


def test_a_problem_of_a_rule_says_what_the_ledger_says(governed: World) -> None:
    """G16: with the event, so that a person can look it up."""
    made = next(each["index"] for each in events(governed, "governance.changed") if each.get("to") == "member")
    run_sql(governed, "UPDATE principal SET role = 0 WHERE num = ?", number_of(governed, OF_PERSON, "dana"))
    told = auditing.check(governed.ana, contents=True).problems
    assert [each.sentence for each in told] == [f"principal dana: its role is not member, as event {made} made it"]
