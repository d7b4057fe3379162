"""What somebody may have meant by a name that there is none of (C8)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from oz0mem.cli.nearest import near
from tests.cli.inside import Inside

if TYPE_CHECKING:
    from pathlib import Path

DECLARATION = json.dumps({"name": "concierge", "capabilities": ["remember", "recall"], "purposes": ["support"]})
REASON = ("--reason", "for the test")


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant with an agent and the member dana."""
    made = Inside(monkeypatch)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    made.ok("agent", "declare", "-", *REASON, stdin=DECLARATION)
    return made


def add(inside: Inside, name: str, role: str) -> str:
    """Add a principal; answers the token."""
    return str(json.loads(inside.ok("principal", "add", name, "--role", role, *REASON, "--json"))["token"])


@pytest.mark.parametrize(
    "line",
    [
        ("agent", "show", "concirge"),
        ("job", "start", "concirge"),
        ("remember", "tea", "--agent", "concirge"),
        ("recall", "tea", "--agent", "concierge2"),
        ("history", "concirge", "city"),
        ("import", "-", "--from", "jsonl", "--agent", "concirge"),
    ],
)
def test_an_unknown_agent_names_the_nearest(inside: Inside, line: tuple[str, ...]) -> None:
    """C8: wherever an agent is named, and that it is the agent which is unknown."""
    answer = inside.run(*line, stdin='{"text": "tea"}\n')
    assert (answer.code, answer.out) == (4, "")
    assert "no agent of that name is declared. did you mean concierge?" in answer.err
    told = json.loads(inside.run(*line, "--json", stdin='{"text": "tea"}\n').err)["error"]
    assert (told["code"], told["near"]) == ("agent.unknown", ["concierge"])


def test_a_history_of_a_known_agent_says_that_the_key_is_unknown(inside: Inside) -> None:
    """M11: the agent is there, the fact is not."""
    assert "nothing with that key is known there" in inside.run("history", "concierge", "city").err


def test_an_empty_list_of_an_agent_that_is_not_declared_says_so_beside_it(inside: Inside) -> None:
    """C2: a notice on stderr, the answer as ever; none for a declared agent or under --quiet."""
    answer = inside.run("list", "--agent", "concirge", "--json")
    assert (answer.code, json.loads(answer.out)["items"]) == (0, [])
    assert "no agent of that name is declared. did you mean concierge?" in answer.err
    for line in (("list", "--agent", "concierge"), ("list", "--agent", "import")):
        assert "declared" not in inside.run(*line).err
    assert inside.run("list", "--agent", "concirge", "--quiet").err == ""


def test_a_principal_is_named_only_to_who_may_see_them(inside: Inside) -> None:
    """C8, G3: an admin is told the nearest; a member is refused as for every name."""
    token = add(inside, "dana", "member")
    for line in (("principal", "rotate", "dna"), ("principal", "disable", "dna")):
        answer = inside.run(*line, *REASON)
        assert answer.code == 4
        assert "did you mean dana" in answer.err
    inside.patch.setenv("OZ0MEM_TOKEN", token)
    answer = inside.run("principal", "rotate", "an", *REASON)
    assert (answer.code, "mean" in answer.err) == (6, False)


def test_an_agent_is_named_to_no_host(inside: Inside) -> None:
    """G3: a host starts jobs and sees no list of agents."""
    inside.patch.setenv("OZ0MEM_TOKEN", add(inside, "desk", "host"))
    answer = inside.run("job", "start", "concirge")
    assert (answer.code, "concierge" in answer.err) == (4, False)


def test_an_unknown_profile_names_the_nearest(inside: Inside) -> None:
    """C1, C8: unless what is missing is given otherwise."""
    inside.ok("init", "--profile", "office", "--tenant", "beta", "--admin", "ana", "--solo")
    answer = inside.run("list", "--profile", "ofice")
    assert (answer.code, answer.out) == (2, "")
    assert "there is no profile of that name. did you mean office?" in answer.err
    assert "oz0mem login --profile" in inside.run("list", "--profile", "zzz").err
    inside.ok("list", "--profile", "office")


def test_a_role_that_there_is_none_of_names_those_that_there_are(inside: Inside) -> None:
    """C8, G3: the nearest and all of them."""
    answer = inside.run("principal", "add", "bob", "--role", "membr", *REASON)
    assert answer.code == 2
    assert "did you mean --role member?" in answer.err
    assert "admin, reviewer, member, auditor or host" in answer.err


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (("help",), "oz0mem --help"),
        (("version",), "oz0mem --version"),
        (("agent", "help"), "oz0mem agent --help"),
    ],
)
def test_help_and_version_are_options(inside: Inside, line: tuple[str, ...], meant: str) -> None:
    """C8: what other programs have as commands is named as the option that it is here."""
    answer = inside.run(*line)
    assert (answer.code, answer.out) == (2, "")
    assert f"did you mean: {meant}?" in answer.err


def test_the_nearest_is_found_however_it_is_written() -> None:
    """C8: large or small, as it stands there; nothing where nothing is near."""
    assert near("CONCIERG", ["Concierge", "billing"]) == ["Concierge"]
    assert near("zzz", ["concierge"]) == []
