"""``audit check --contents``: policy, links and approvals are what their events made them (G30, G31, M17)."""

from __future__ import annotations

import os
import shutil
from copy import copy
from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import approvals, auditing, forget, links, policies, proving
from oz0mem.actions.startup import startup_context
from oz0mem.model.errors import Oz0Error
from oz0mem.model.names import OF_AGENT, OF_PERSON
from oz0mem.store.engine import Store
from tests.actions.evidence import number_of, run_sql
from tests.actions.filled import agree, problems, wait
from tests.actions.world import World

if TYPE_CHECKING:
    from pathlib import Path

POLICY = "what = 'write' AND agent = {concierge}"
OWN = "what = 'write' AND agent = 0"
BEHIND = [
    ("effect", f"UPDATE policy SET effect = 0 WHERE {POLICY}", "policy", "write for concierge"),
    ("effect of no word", f"UPDATE policy SET effect = 9 WHERE {POLICY}", "policy", "write for concierge"),
    ("effect of minus one", f"UPDATE policy SET effect = -1 WHERE {OWN}", "policy", "write"),
    ("effect that is no number", f"UPDATE policy SET effect = 'allow' WHERE {OWN}", "policy", "write"),
    ("setter", f"UPDATE policy SET writer = {{dana}} WHERE {OWN}", "policy", "write"),
    ("made the plugin's", f"UPDATE policy SET writer = 0 WHERE {POLICY}", "policy", "write for concierge"),
    ("moment", f"UPDATE policy SET at = at + 1000 WHERE {OWN}", "policy", "write"),
    ("for another agent", f"UPDATE policy SET agent = 999999 WHERE {POLICY}", "policy", "write for concierge"),
    ("for everybody", f"UPDATE policy SET what = 'define', agent = 0 WHERE {POLICY}", "policy", "define"),
    ("of no function", f"UPDATE policy SET what = 'x' WHERE {OWN}", "policy", "x"),
    ("added", "INSERT INTO policy VALUES (1, 'remember', {concierge}, 0, 0, 0)", "policy", "remember for concierge"),
    ("gone", f"DELETE FROM policy WHERE {POLICY}", "policy", "write for concierge"),
    ("turned around", "UPDATE link SET entry = other, other = entry WHERE id = '{link}'", "link", "{link}"),
    ("label", "UPDATE link SET label = 3 WHERE id = '{link}'", "link", "{link}"),
    ("label of no word", "UPDATE link SET label = 99 WHERE id = '{link}'", "link", "{link}"),
    ("label that is no number", "UPDATE link SET label = 'supports' WHERE id = '{link}'", "link", "{link}"),
    ("confirmed", "UPDATE link SET state = 1 WHERE id = '{link}'", "link", "{link}"),
    ("state of no word", "UPDATE link SET state = -1 WHERE id = '{link}'", "link", "{link}"),
    ("confirmed by another", "UPDATE link SET decider = {dana} WHERE id = '{confirmed}'", "link", "{confirmed}"),
    ("proposed by another", "UPDATE link SET proposer = {dana} WHERE id = '{link}'", "link", "{link}"),
    ("decided earlier", "UPDATE link SET decided = decided - 1000 WHERE id = '{confirmed}'", "link", "{confirmed}"),
    ("an agent's by another", "UPDATE link SET proposer = {ana} WHERE id = '{derived}'", "link", "{derived}"),
    ("an agent's decided", "UPDATE link SET decider = {ana} WHERE id = '{derived}'", "link", "{derived}"),
    ("link gone", "DELETE FROM link WHERE id = '{link}'", "link", "{link}"),
    ("link added", "UPDATE link SET id = 'l-000000000000' WHERE id = '{link}'", "link", "l-000000000000"),
    ("approved", "UPDATE approval SET state = 1, body = 0 WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("lapsed at once", "UPDATE approval SET state = 3, body = 0 WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("waits again", "UPDATE approval SET state = 0 WHERE id = '{denied}'", "approval", "{denied}"),
    ("asked state of no word", "UPDATE approval SET state = 9 WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("asked state, no number", "UPDATE approval SET state = 'x' WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("another function", "UPDATE approval SET function = 'accept' WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("another agent", "UPDATE approval SET agent = {ana} WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("another job", "UPDATE approval SET job = job - 1 WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("another starter", "UPDATE approval SET starter = {ana} WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("about somebody else", "UPDATE approval SET about = {ana} WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("of an entry", "UPDATE approval SET entry = 1 WHERE id = '{waiting}'", "approval", "{waiting}"),
    ("decided by another", "UPDATE approval SET decider = {dana} WHERE id = '{approved}'", "approval", "{approved}"),
    ("text", "UPDATE body SET content = replace(content, 'Carts', 'Cats') WHERE num = {body}", "approval", "{waiting}"),
    ("no document", "UPDATE body SET content = x'5b5d' WHERE num = {body}", "approval", "{waiting}"),
    ("document gone", "DELETE FROM body WHERE num = {body}", "approval", "{waiting}"),
    ("text of a denied call kept", "UPDATE approval SET body = {body} WHERE id = '{denied}'", "approval", "{denied}"),
    ("approval gone", "DELETE FROM approval WHERE id = '{waiting}'", "approval", "{waiting}"),
]  # fmt: skip
"""What is altered, how, of which sort the problem is, and where."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A tenant with links, rules and calls in every state; to be copied, not used."""
    world = World(f"sqlite:///{tmp_path_factory.mktemp('agreed') / 'store.db'}")
    world.declare()
    agree(world)
    world.store.close()
    return world


@pytest.fixture
def agreed(made: World, tmp_path: Path) -> World:
    """A copy of that tenant of the test's own."""
    world = copy(made)
    world.url = f"sqlite:///{shutil.copy(made.url.removeprefix('sqlite:///'), tmp_path / 'store.db')}"
    world.store = Store(world.url, "acme", os.urandom)
    world.ana, world.dana = world.context("ana's token"), made.dana._replace(store=world.store)
    return world


def facts(world: World) -> dict[str, object]:
    """Numbers and ids of the rows that tests alter."""
    states = dict(run_sql(world, "SELECT state, id FROM approval"))
    return {
        "ana": number_of(world, OF_PERSON, "ana"),
        "dana": number_of(world, OF_PERSON, "dana"),
        "concierge": number_of(world, OF_AGENT, "concierge"),
        "link": run_sql(world, "SELECT id FROM link WHERE state = 0 ORDER BY num LIMIT 1")[0][0],
        "confirmed": run_sql(world, "SELECT id FROM link WHERE state = 1 AND decider <> 0")[0][0],
        "derived": run_sql(world, "SELECT id FROM link WHERE state = 1 AND decider = 0")[0][0],
        **dict(zip(("waiting", "approved", "denied"), (states[0], states[1], states[2]), strict=True)),
        "body": run_sql(world, "SELECT body FROM approval WHERE state = 0")[0][0],
    }


def test_what_nobody_altered_has_no_problem(each_world: World) -> None:
    """G30, G31, M17: on both back ends, in every state."""
    agree(each_world)
    assert problems(each_world) == []


@pytest.mark.parametrize(("statement", "what", "where"), [row[1:] for row in BEHIND], ids=[row[0] for row in BEHIND])
def test_what_was_agreed_altered_behind_the_ledger_is_found(
    agreed: World, statement: str, what: str, where: str
) -> None:
    """G10, G31, M17, 4.5: said which, and where; nothing else is blamed."""
    known = facts(agreed)
    run_sql(agreed, statement.format(**known))
    told = problems(agreed)
    assert any((each.what, each.where) == (what, where.format(**known)) for each in told), told
    assert {each.what for each in told} == {what}
    assert problems(agreed, contents=False) == []


@pytest.mark.parametrize("statement", [row[1] for row in BEHIND], ids=[row[0] for row in BEHIND])
def test_no_altered_row_breaks_what_reads_it(agreed: World, statement: str) -> None:
    """L7: whatever stands there, each reading answers or refuses; a policy that was altered lets nothing through."""
    known = facts(agreed)
    run_sql(agreed, statement.format(**known))
    job = agreed.job(agreed.dana, sees="person")
    for look in (
        lambda: policies.show_policy(agreed.ana),
        lambda: links.list_links(agreed.ana),
        lambda: links.confirm(agreed.ana, str(known["link"])),
        lambda: approvals.list_approvals(agreed.ana),
        lambda: approvals.approve(agreed.ana, str(known["waiting"])),
        lambda: startup_context(job),
    ):
        try:
            look()
        except Oz0Error as error:
            assert error.code != "fault.program"


@pytest.mark.parametrize("name", ["another job", "another starter", "another function", "text", "no document"])
def test_a_call_that_was_altered_is_not_run(agreed: World, name: str) -> None:
    """G31, L7: what is approved is what was asked, by whom it was asked."""
    known = facts(agreed)
    run_sql(agreed, next(row[1] for row in BEHIND if row[0] == name).format(**known))
    with pytest.raises(Oz0Error) as caught:
        approvals.approve(agreed.ana, str(known["waiting"]))
    assert caught.value.code == "approval.altered"
    page = approvals.list_approvals(agreed.ana)
    assert (page.items, page.altered) == ([], [known["waiting"]])


def test_a_reason_is_tied_to_what_its_approval_would_change(agreed: World) -> None:
    """L5: so that it goes with the entry and the person."""
    number = run_sql(agreed, "SELECT num FROM reason ORDER BY num DESC LIMIT 1")[0][0]
    run_sql(agreed, "UPDATE reason SET about = ? WHERE num = ?", number_of(agreed, OF_PERSON, "dana"), number)
    assert [each.what for each in problems(agreed)] == ["reason"]


def test_what_an_erasure_took_is_not_missed(agreed: World) -> None:
    """G41: links of an erased entry have no row; one that stands again is found."""
    rows = run_sql(agreed, "SELECT * FROM link ORDER BY num")
    gone = run_sql(agreed, "SELECT v.id FROM link l JOIN version v ON v.entry = l.other WHERE l.state = 0")[0][0]
    forget.delete(agreed.ana, gone, "no longer so")
    forget.forget(agreed.ana, "dana")
    assert problems(agreed) == []
    assert len(run_sql(agreed, "SELECT * FROM link")) < len(rows)
    run_sql(agreed, f"INSERT INTO link VALUES ({', '.join('?' * len(rows[0]))})", *rows[0])
    assert [(each.what, each.where) for each in problems(agreed)] == [("link", rows[0][2])]


def test_a_call_that_lapsed_is_what_the_clock_made_it(agreed: World) -> None:
    """G31: no event tells of it; its moment does."""
    wait(agreed, "Stairs creak")
    agreed.later(15)
    lapsed = "UPDATE approval SET state = 3, body = 0, decided = ? WHERE state = 0"
    run_sql(agreed, lapsed, agreed.now)
    assert problems(agreed) == []
    run_sql(agreed, "UPDATE approval SET decided = at + 1000 WHERE state = 3")
    assert {each.what for each in auditing.check(agreed.ana, contents=True).problems} == {"approval"}


def test_doctor_damages_what_was_agreed(agreed: World) -> None:
    """4.5: a rule, a link and a call that waits, each noticed by the check of contents."""
    from oz0mem.store.copying import copied

    found = proving.prove(agreed.ana, lambda: copied(agreed.store, agreed.now), lambda done, total: None)
    by = {one.damage: (one.there, one.by) for one in found.items}
    for name in ("a rule of the policy altered", "a link turned around", "what waits for approval altered"):
        assert by[name] == (True, proving.CONTENTS)
