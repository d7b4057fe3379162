"""The story of a team's memory, continued: links, rules, core, calls that ask, secrets."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_team_story import AS_DECIDER, WEDNESDAYS, decide, error, started, team

if TYPE_CHECKING:
    from tests.cli.story import Story

__all__ = ["team"]

GITHUB = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


def test_a_link_is_proposed_by_one_reviewer_and_confirmed_by_another(team: Story) -> None:
    """M17: and shown with both entries; derives_from given at the write needs neither."""
    one, two = team.keep("the depot opens at seven"), team.keep("the depot opens at eight")
    linked = team.document("link", one, "contradicts", two, by="rita")
    waiting = team.document("links", "--waiting")["items"]
    assert [each["link"] for each in waiting] == [linked["link"]]
    assert team.document("link", "confirm", linked["link"])["state"] == "confirmed"
    (shown,) = team.document("show", one)["links"]
    assert (shown["label"], shown["to"], shown["state"]) == ("contradicts", two, "confirmed")
    from_both = team.keep("the depot opens early", "--derives-from", one, "--derives-from", two)
    assert {(each["label"], each["state"]) for each in team.document("show", from_both)["links"]} == {
        ("derives_from", "confirmed")
    }
    team.succeed("delete", two, "--reason", "wrong", "--yes")
    assert [each["to"] for each in team.document("show", from_both)["links"]] == [one]


def test_rules_come_first_core_is_at_every_start_and_what_is_over_is_not(team: Story) -> None:
    """R7, M27, M30: kind rule, core entries, valid time, a rule of an ancestor project."""
    rule = team.keep("Ask before you delete anything.", "--kind", "rule", "--scope", "project:web")
    team.succeed("accept", rule, "--version", "1")
    core = team.keep("The depot is closed on Sundays.", "--core", "--agent", "worker", "--sees", "person")
    team.keep("The lift was broken.", "--valid-until", "2020-01-01")
    later = team.keep("The lift will be new.", "--valid-from", "2240-01-01")
    decided = decide(team)
    lines = started(team).splitlines()[3:]
    assert lines == [
        f"- Rule (project web): Ask before you delete anything. [project:web/{rule} v2]",
        f"- Note (agent): The depot is closed on Sundays. [agent:worker/{core} v1]",
        f"- Decision (tenant): {WEDNESDAYS} [tenant/{decided} v2]",
    ]
    hits = team.document("recall", "depot lift", "--agent", "worker", "--sees", "person")["items"]
    assert [hit["id"] for hit in hits] == [rule, core]
    below = team.document("recall", "nothing of the kind", "--agent", "decider", "--project", "web/checkout")["items"]
    assert [hit["id"] for hit in below] == [rule]
    assert team.document("show", later)["valid_from"] == "2240-01-01T00:00:00Z"


def test_where_it_comes_from_and_where_it_lives(team: Story) -> None:
    """M4, M10: source anchors; me, thread and everyone."""
    anchored = team.keep("see the runbook", "--source", "repository=acme/ops", "--source", "path=run.md", *AS_DECIDER)
    assert team.document("show", anchored)["source"] == {"repository": "acme/ops", "path": "run.md"}
    for about, scope in (("me", "agent:decider"), ("thread", "thread:t1"), ("everyone", "tenant")):
        kept = team.keep(f"a note about {about}", "--about", about, "--thread", "t1", *AS_DECIDER)
        shown = team.document("show", kept)
        assert (shown["scope"], shown["about"]) == (scope, "work")
    elsewhere = team.document("recall", "note", "--thread", "t2", *AS_DECIDER)["items"]
    assert {hit["scope"] for hit in elsewhere} == {"agent:decider", "tenant"}


def test_calls_that_ask_wait_with_their_whole_text_and_run_once(team: Story) -> None:
    """G30, G31: with the default policy the write and the accept of a decision wait, each as itself."""
    team.succeed("plugin", "policy", "memory", "--set", "write=ask", "--reason", "as it was")
    long = WEDNESDAYS + " " + "Tell the team the day before. " * 40
    wanted = json.dumps({"text": long, "kind": "decision", "call_id": "c1"})
    call = ("call", "oz0_memory.remember", wanted, *AS_DECIDER)
    asked = team.run(*call)
    document = json.loads(asked.out)
    assert (asked.code, document["state"], document["function"]) == (7, "waiting", "remember")
    assert json.loads(team.run(*call).out)["approval"] == document["approval"]
    (waiting,) = team.document("approvals")["items"]
    assert waiting["arguments"]["text"] == long.strip()
    assert (waiting["agent"], waiting["starter"], waiting["tier"]) == ("decider", "ana", "person")
    assert long.strip().split()[-1] in team.succeed("approvals")
    team.succeed("approvals", "approve", document["approval"], "--reason", "agreed")
    answer = team.document(*call)
    assert (answer["kept"], answer["state"]) == ("new", "held")
    accept = json.dumps({"id": answer["id"], "version": 1, "text": long, "call_id": "c2"})
    again = json.loads(team.run("call", "oz0_memory.accept", accept, *AS_DECIDER).out)
    assert again["function"] == "accept"
    denied = team.document("approvals", "deny", again["approval"], "--reason", "not yet", by="rita")
    assert denied["state"] == "denied"
    told = error(team, "call", "oz0_memory.accept", accept, *AS_DECIDER)
    assert (told["code"], told["exit"]) == ("approval.denied", 3)
    assert "not yet" not in json.dumps(told)
    assert team.document("list", "--state", "active")["items"] == []


SECRETS = {
    "a tag": ("remember", "fine", "--tag", GITHUB),
    "a key": ("remember", "fine", "--key", GITHUB),
    "a source": ("remember", "fine", "--source", f"path={GITHUB}"),
    "a reason": ("remember", "fine", "--reason", f"because of {GITHUB}"),
    "a term": ("define", GITHUB, "what it means"),
    "a definition": ("define", "token", f"such as {GITHUB}"),
    "an accept": ("accept", "d-000000000000", "--version", "1", "--text", GITHUB),
    "a link's reason": ("link", "n-000000000000", "supports", "n-000000000001", "--reason", GITHUB),
    "zero-width characters": ("remember", "\u200b".join(GITHUB)),
    "line breaks": ("remember", GITHUB[:20] + "\n" + GITHUB[20:]),
    "an approval's reason": ("approvals", "deny", "ap-000000000000", "--reason", GITHUB),
    "a call": ("call", "oz0_memory.supersede", json.dumps({"id": "n-000000000000", "version": 1, "text": GITHUB})),
}


@pytest.mark.parametrize("place", SECRETS)
@pytest.mark.parametrize("asks", [False, True])
def test_a_secret_is_refused_wherever_it_stands_and_stored_nowhere(team: Story, place: str, asks: bool) -> None:
    """M8: by kind and place, never itself; before an approval or a retry record is stored."""
    if asks:
        team.succeed("plugin", "policy", "memory", "--set", "write=ask", "--reason", "as it was")
    acting = AS_DECIDER if SECRETS[place][0] in ("remember", "define", "call") and place != "a reason" else ()
    told = error(team, *SECRETS[place], *acting)
    assert (told["code"], told["rule"], told["exit"]) == ("secret.found", "M8", 3)
    assert told["line"] >= 1 and told["column"] >= 1
    assert GITHUB not in json.dumps(told)
    assert team.on_disk(GITHUB) == []
    assert team.document("approvals")["items"] == []


def test_a_secret_after_70_kb_is_found_before_the_size_is_judged(team: Story) -> None:
    """M8: the scan comes first."""
    told = error(team, "remember", "-", stdin="all is well. " * 6_000 + GITHUB)
    assert (told["code"], told["column"] > 70_000) == ("secret.found", True)
    assert error(team, "remember", "-", stdin="all is well. " * 6_000)["code"] == "argument.size"


def test_the_tenants_own_secrets_are_kept_as_hashes_alone(team: Story) -> None:
    """M8: added from stdin, refused in every argument, found in no file."""
    own = "wren-" + secrets.token_hex(9)
    team.succeed("secrets", "add", "--reason", "the depot's door", stdin=own)
    assert team.on_disk(own) == []
    for wanted in (
        ("remember", f"the door opens with {own}"),
        ("define", own, "a code"),
        ("remember", "x", "--tag", own),
    ):
        assert error(team, *wanted)["code"] == "secret.found"
    assert team.on_disk(own) == []
