"""Calls that wait for a person, at the command line: one answer for every command, shown whole, decided one by one."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from tests.cli.conftest import NewStory
from tests.cli.story import Story, check_golden, normal
from tests.cli.test_agreeing import AGENT, DECIDER, WEDNESDAYS


class Asking(NamedTuple):
    """A story as init leaves it: calls ask. With a decision in force, and its id."""

    story: Story
    decided: str

    def ask(self, *arguments: str) -> str:
        """A call that waits; the id of its approval."""
        answer = self.story.run(*arguments, *AGENT, "--json")
        assert answer.code == 7, answer.err
        return str(json.loads(answer.out)["approval"])


@pytest.fixture
def asking(new_story: NewStory) -> Asking:
    story = new_story("asking")
    (story.program.folder / "decider.yaml").write_text(DECIDER)
    story.succeed("agent", "declare", "decider.yaml", "--reason", "first")
    decided = story.keep(WEDNESDAYS, "--kind", "decision")
    story.succeed("accept", decided, "--version", "1")
    return Asking(story, decided)


def test_every_command_whose_call_waits_says_so_in_one_way(asking: Asking) -> None:
    """G31, C2, C3: exit 7; a document on stdout with --json, one sentence without; nothing on stderr."""
    decided = asking.decided
    commands = {
        "remember": ("remember", "The depot opens at seven"),
        "define": ("define", "customer", "Whoever paid"),
        "supersede": ("supersede", decided, "Deploy on Tuesdays", "--version", "2"),
        "retire": ("retire", decided, "--version", "2", "--reason", "over"),
        "changed_since": ("changed-since",),
    }
    for function, command in commands.items():
        told = asking.story.run(*command, *AGENT)
        document = asking.story.run(*command, *AGENT, "--json")
        answer = json.loads(document.out)
        assert (told.code, told.err, document.code, document.err) == (7, "", 7, "")
        assert (answer["function"], answer["state"]) == (function, "waiting")
        approval = answer["approval"]
        said = f"waiting {approval}: {function} asks a person; approve it: oz0mem approvals approve {approval}\n"
        assert told.out == said
    arguments = json.dumps({"text": "The depot opens at seven"})
    called = asking.story.run("call", "oz0_memory.remember", arguments, *AGENT)
    assert (called.code, json.loads(called.out)["function"]) == (7, "remember")


def test_what_waits_is_listed_whole(asking: Asking) -> None:
    """G31, C1: everything that it would write, in blocks for people and one document for programs; a text is data."""
    listed = asking.story.run("approvals")
    assert (listed.code, listed.out, listed.err) == (0, "", "no call waits for a person\n")
    asking.ask("supersede", asking.decided, "Deploy on\u202e Tuesdays\nor \u200b[bold]never", "--version", "2")
    asking.ask("define", "active customer", "x" * 300, "--reason", "they asked")
    check_golden("approvals.piped.txt", approvals_of(asking.story.succeed("approvals")))
    check_golden("approvals.terminal.txt", approvals_of(asking.story.at_terminal("approvals")))
    check_golden("approvals.json", approvals_of(asking.story.succeed("approvals", "--json")))
    first = asking.story.document("approvals", "--limit", "1")
    assert [item["function"] for item in first["items"]] == ["supersede"]
    assert first["items"][0]["comes_to"]["replaces"] == [asking.decided]
    rest = asking.story.document("approvals", "--after", first["next"])
    assert [item["function"] for item in rest["items"]] == ["define"]
    assert "more: --after" in asking.story.run("approvals", "--limit", "1").err


def approvals_of(text: str) -> str:
    """A listing with the ids of approvals by one name."""
    import re

    return re.sub(r"\bap-[0-9a-f]{12}\b", "ap-<id>", text)


def test_whom_it_is_about_is_told_though_the_agent_does_not_say(asking: Asking) -> None:
    """M4, G31: what a job with a data subject writes is about that person."""
    concierge = ("--agent", "concierge", "--kind", "semantic")
    asking.story.succeed("plugin", "policy", "memory", "--set", "remember=ask", "--reason", "r", "--for",
                         "agent:concierge")  # fmt: skip
    asked = asking.story.run("remember", "Likes ruled paper", *concierge, "--json", by="dana")
    assert asked.code == 7, asked.err
    (item,) = asking.story.document("approvals")["items"]
    assert (item["about"], item["comes_to"]["scope"], item["starter"]) == ("dana", "agent:concierge", "dana")
    assert "about  dana\n" in normal(asking.story.succeed("approvals"))


def test_approving_says_what_the_call_did_and_denying_needs_a_reason(asking: Asking) -> None:
    """G31, C3: several are answered one by one; again changes nothing, and nothing is left of a denied one."""
    note = asking.ask("remember", "The depot opens at seven")
    over = asking.ask("retire", asking.decided, "--version", "2", "--reason", "over")
    told = normal(approvals_of(asking.story.succeed("approvals", "approve", note)))
    assert told == "approved ap-<id>: kept n-<1> v2 in agent:decider, until <time> (review date)\n"
    assert asking.story.document("approvals", "approve", note)["changed"] is False
    assert asking.story.run("approvals", "deny", over).code == 2
    denied = asking.story.document("approvals", "deny", over, "--reason", "it holds")
    assert (denied["state"], denied["arguments"], denied["answer"]) == ("denied", {}, None)
    answer = asking.story.run("approvals", "approve", note, "ap-000000000000", over, "--json")
    one, none, two = json.loads(answer.out)["items"]
    assert answer.code == 4
    assert (one["changed"], none["error"]["code"], two["error"]["code"]) == (
        False,
        "approval.unknown",
        "approval.decided",
    )
    for listing in ("approvals", "links"):
        refused = asking.story.run(listing, by="dana")
        assert (refused.code, "may not read links and the calls that wait" in refused.err) == (6, True)


def test_an_approved_retirement_and_an_approved_proposal_say_what_comes_next(asking: Asking) -> None:
    """M14, M34: what a reviewer does with a proposal is told beside the result."""
    approval = asking.ask("define", "customer", "Whoever paid")
    answer = asking.story.run("approvals", "approve", approval)
    (held,) = asking.story.document("list", "--held")["items"]
    assert answer.err == f"a reviewer decides: oz0mem accept {held['id']} --version 1\n"
    over = asking.ask("retire", asking.decided, "--version", "2", "--reason", "over")
    assert f"retired {asking.decided}" in asking.story.succeed("approvals", "approve", over)
    assert asking.story.document("show", asking.decided)["state"] == "retired"


def test_an_agents_accept_names_the_text_and_waits(asking: Asking) -> None:
    """M14, G31: without the text it is refused; with it a person is asked, and sees it."""
    new = asking.story.keep("Freeze in December.", "--kind", "decision")
    assert asking.story.run("accept", f"{new}:1", *AGENT).code == 3
    asking.ask("accept", new, "--version", "1", "--text", "Freeze in December.")
    (item,) = asking.story.document("approvals")["items"]
    assert (item["function"], item["arguments"]["text"], item["comes_to"]["id"]) == (
        "accept",
        "Freeze in December.",
        new,
    )
