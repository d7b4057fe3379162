"""G30: the policy for agents' calls from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.inside import Inside, compare

if TYPE_CHECKING:
    from pathlib import Path

CONCIERGE = "name: concierge\ncapabilities: [remember]\n"


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant with an agent."""
    made = Inside(monkeypatch)
    file = home / "concierge.yaml"
    file.write_text(CONCIERGE)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    made.ok("agent", "declare", str(file), "--reason", "first version")
    return made


@pytest.mark.parametrize("form", ["terminal", "piped", "json"])
def test_the_policy_is_listed_to_the_letter(inside: Inside, form: str) -> None:
    """C1, G30: what, for whom, which effect, who set it: the plugin or a name."""
    inside.ok("plugin", "policy", "memory", "--set", "remember=deny", "--for", "agent:concierge", "--reason", "a trial")
    answer = inside.run(
        "plugin", "policy", "memory", *(["--json"] if form == "json" else []), terminal=form == "terminal"
    )
    assert answer.code == 0, answer.err
    compare(f"rules-policy.{form}.txt", answer.out)


def test_a_rule_is_set_in_a_sentence(inside: Inside) -> None:
    """G10: with old and new; several are one change; nothing where it is set so."""
    words = ("plugin", "policy", "memory", "--reason", "as agreed")
    said = inside.ok(*words, "--set", "write=allow")
    assert said == "applied: write ask → allow for every agent\n"
    assert inside.ok(*words, "--set", "write=allow") == "nothing to change: it is set so already\n"
    said = inside.ok(*words, "--set", "retire=ask", "--set", "accept=ask", "--for", "concierge")
    assert said == "applied: retire ask, accept ask for concierge\n"
    assert "as the plugin had it" in inside.ok(*words, "--set", "accept=ask")
    made = json.loads(inside.ok(*words, "--set", "write=deny", "--json"))
    assert made["what"] == [{"setting": "policy", "what": "write", "for": None, "old": "allow", "new": "deny"}]
    assert (made["state"], made["changed"]) == ("applied", True)


@pytest.mark.parametrize(
    ("words", "code", "exits"),
    [
        (("memory", "--set", "write"), "policy.pair", 2),
        (("memory", "--set", "write=ask", "--set", "write=deny"), "policy.twice", 2),
        (("memory", "--set", "recall=ask"), "policy.what", 2),
        (("memory", "--set", "write=maybe"), "policy.effect", 2),
        (("memory", "--for", "agent:concierge"), "policy.none", 2),
        (("mail", "--set", "write=ask"), "plugin.unknown", 2),
        (("memory", "--set", "write=ask", "--for", "agent:concirge"), "agent.unknown", 4),
    ],
)
def test_what_is_no_rule_is_refused(inside: Inside, words: tuple[str, ...], code: str, exits: int) -> None:
    """C3, C4: with a code, and nothing is changed."""
    before = inside.ok("plugin", "policy", "memory", "--json")
    answer = inside.run("plugin", "policy", *words, "--reason", "to try", "--json")
    told = json.loads(answer.err)["error"]
    assert (told["code"], answer.code, answer.out) == (code, exits, "")
    if code == "agent.unknown":
        assert "concierge" in told["hint"]
    assert inside.ok("plugin", "policy", "memory", "--json") == before


def test_setting_needs_a_reason(inside: Inside) -> None:
    """G10: and showing does not."""
    answer = inside.run("plugin", "policy", "memory", "--set", "write=ask", "--json")
    assert (json.loads(answer.err)["error"]["code"], answer.code) == ("argument.blank", 2)


def test_the_plugin_is_built_in(inside: Inside) -> None:
    """G30: installing says so, under both of its names, and changes nothing."""
    for name in ("memory", "hub:ai.oz0/memory"):
        said = inside.ok("plugin", "install", name)
        assert said == "memory is built in; nothing to do; its policy is write=ask, accept=ask\n"
    answer = inside.run("plugin", "install", "hub:ai.oz0/mail")
    assert answer.code == 2 and "hub:ai.oz0/memory" in answer.err
