"""G1, G3, G10, G13: principals and tokens from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.inside import Inside

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant that ana governs."""
    made = Inside(monkeypatch)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    return made


def add(inside: Inside, name: str, role: str) -> str:
    """Add a principal; answers the token."""
    said = inside.ok("principal", "add", name, "--role", role, "--reason", "joined", "--json")
    return str(json.loads(said)["token"])


def whoami(inside: Inside) -> dict[str, Any]:
    """Who the program acts as."""
    return dict(json.loads(inside.ok("whoami", "--json")))


def test_a_token_is_told_once_and_stands_nowhere(inside: Inside, home: Path) -> None:
    """G1: the token is in the answer; the store has its hash alone, no listing shows it."""
    token = add(inside, "dana", "member")
    assert len(token) == 64
    assert token not in inside.ok("principal", "list", "--json") + inside.ok("audit", "log", "--json")
    assert all(token.encode() not in file.read_bytes() for file in home.rglob("*") if file.is_file())


def test_a_variable_goes_before_the_credentials(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """G1: the token is found in OZ0MEM_TOKEN, else in the profile's credentials."""
    token = add(inside, "dana", "member")
    assert whoami(inside)["name"] == "ana"
    monkeypatch.setenv("OZ0MEM_TOKEN", token)
    assert whoami(inside)["name"] == "dana"


def test_every_governance_command_needs_a_reason(inside: Inside) -> None:
    """G10: without --reason nothing is changed."""
    before = json.loads(inside.ok("audit", "log", "--json"))["items"][0]["index"]
    for line in (
        ("principal", "add", "dana", "--role", "member"),
        ("principal", "disable", "ana"),
        ("principal", "rotate", "ana"),
        ("settings", "set", "--default-days", "30"),
        ("secrets", "remove", "1"),
    ):
        answer = inside.run(*line)
        assert (answer.code, "--reason" in answer.err) == (2, True), line
        assert inside.run(*line, "--reason", " ").code == 2
    assert json.loads(inside.ok("audit", "log", "--json"))["items"][0]["index"] == before


def test_ones_own_new_token_is_kept_where_the_old_one_was(inside: Inside) -> None:
    """G1: a rotation does not lock out who rotates; the old token acts no more."""
    old = add(inside, "dana", "member")
    inside.ok("principal", "rotate", "ana", "--reason", "yearly")
    assert whoami(inside)["name"] == "ana"
    said = inside.ok("principal", "rotate", "dana", "--reason", "lost laptop", "--json")
    assert whoami(inside)["name"] == "ana", "another's token is not kept here"
    inside.patch.setenv("OZ0MEM_TOKEN", old)
    assert inside.run("whoami").code == 6
    inside.patch.setenv("OZ0MEM_TOKEN", json.loads(said)["token"])
    assert whoami(inside)["name"] == "dana"


def test_a_disabled_principal_acts_no_more_and_once_is_enough(inside: Inside) -> None:
    """G1, C3: disabling again changes nothing and is no error."""
    token = add(inside, "dana", "member")
    first = json.loads(inside.ok("principal", "disable", "dana", "--reason", "left", "--json"))
    again = json.loads(inside.ok("principal", "disable", "dana", "--reason", "left", "--json"))
    assert (first["changed"], again["changed"]) == (True, False)
    inside.patch.setenv("OZ0MEM_TOKEN", token)
    answer = inside.run("whoami", "--json")
    assert (answer.code, json.loads(answer.err)["error"]["code"]) == (6, "auth.disabled")


def test_the_last_admin_cannot_be_disabled(inside: Inside) -> None:
    """G13: somebody has to be able to govern."""
    answer = inside.run("principal", "disable", "ana", "--reason", "left")
    assert (answer.code, "G13" in answer.err) == (3, True)


def test_a_login_checks_the_token_and_keeps_it(inside: Inside) -> None:
    """G1: a token that is nobody's is not kept; a good one is, with the place that it is for."""
    token = add(inside, "dana", "member")
    place = ("--profile", "hers", "--tenant", "acme")
    assert inside.run("login", *place, stdin="nobody's\n").code == 6
    assert inside.run("whoami", *place).code == 6
    for words in ((), ("-",), ("--token-stdin",)):
        assert "you are dana" in inside.ok("login", *words, *place, stdin=f"{token}\n")
    assert "dana" in inside.ok("whoami", "--profile", "hers")
    assert whoami(inside)["name"] == "ana"
    assert inside.run("login", token).code == 2
    assert inside.run("login", stdin="\n").code == 2


def test_a_role_does_only_what_is_its_own(inside: Inside) -> None:
    """G3: a member sees no settings, an auditor the ledger, a host starts jobs and nothing else."""
    may = {
        "member": {"settings": 6, "audit": 6, "principal": 6},
        "auditor": {"settings": 0, "audit": 0, "principal": 0},
        "reviewer": {"settings": 0, "audit": 0, "principal": 0},
        "host": {"settings": 6, "audit": 6, "principal": 6},
    }
    lines = {"settings": ("settings",), "audit": ("audit", "log"), "principal": ("principal", "list")}
    tokens = {role: add(inside, f"the-{role}", role) for role in may}
    for role, token in tokens.items():
        inside.patch.setenv("OZ0MEM_TOKEN", token)
        assert {name: inside.run(*line).code for name, line in lines.items()} == may[role], role
        refused = inside.run("principal", "add", "eve", "--role", "admin", "--reason", "mine")
        assert refused.code == 6, role


def test_a_name_has_one_spelling_and_a_role_is_known(inside: Inside) -> None:
    """G12: spellings of one name are one person; an unknown role is refused."""
    add(inside, "dana", "member")
    assert inside.run("principal", "add", "dana", "--role", "member", "--reason", "again").code == 5
    assert inside.run("principal", "add", "Dana", "--role", "member", "--reason", "again").code in (2, 5)
    assert inside.run("principal", "add", "bob", "--role", "boss", "--reason", "new").code == 2
    assert inside.run("principal", "rotate", "nobody", "--reason", "new").code == 4
