"""G2, G4, G5: agents and their jobs from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.inside import Inside

if TYPE_CHECKING:
    from pathlib import Path

CONCIERGE = {
    "name": "concierge",
    "capabilities": ["remember", "recall"],
    "purposes": ["customer-support"],
    "projects": ["web"],
}


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant with an agent and the member dana."""
    made = Inside(monkeypatch)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    declare(made)
    return made


def declare(inside: Inside, **changes: object) -> dict[str, Any]:
    """Declare the concierge from stdin."""
    text = json.dumps({**CONCIERGE, **changes})
    said = inside.ok("agent", "declare", "-", "--reason", "for the test", "--json", stdin=text)
    return dict(json.loads(said))


def start(inside: Inside, *words: str) -> dict[str, Any]:
    """Start a job."""
    return dict(json.loads(inside.ok("job", "start", "concierge", *words, "--json")))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "name: porter\ncapabilities: [recall]\npurposes: [moving]\n"),
        ("a.json", '{"name": "porter", "capabilities": ["recall"], "purposes": ["moving"]}'),
        ("a.toml", 'name = "porter"\ncapabilities = ["recall"]\npurposes = ["moving"]\n'),
    ],
)
def test_one_declaration_is_read_from_each_format(inside: Inside, home: Path, name: str, text: str) -> None:
    """G5: YAML, JSON and TOML say the same."""
    (home / name).write_text(text)
    inside.ok("agent", "declare", str(home / name), "--reason", "first")
    shown = json.loads(inside.ok("agent", "show", "porter", "--json"))
    assert (shown["capabilities"], shown["purposes"]) == (["recall"], ["moving"])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("name: porter\nwings: 2\n", 2),
        ("name: porter\nmemory:\n  episodic: true\n", 2),
        ("name: porter\nmemory:\n  episodic: true\n  retain: 91d\n", 4),
        ("name: porter\nmemory:\n  episodic: true\n  retain: soon\n", 4),
    ],
)
def test_a_bad_declaration_is_refused_with_its_line(inside: Inside, home: Path, text: str, line: int) -> None:
    """G5: unknown fields, bad durations, retain missing or over 90 days; nothing is declared."""
    (home / "bad.yaml").write_text(text)
    answer = inside.run("agent", "declare", str(home / "bad.yaml"), "--reason", "first", "--json")
    error = json.loads(answer.err)["error"]
    assert (answer.code, error["line"]) == (2, line)
    assert inside.run("agent", "show", "porter").code == 4


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_what_is_shown_can_be_declared(inside: Inside, form: str) -> None:
    """G5: the document of `agent show` is a declaration, and the same one."""
    declare(inside, memory={"semantic": True, "retain": "720h0m0s"}, limits={"startup_tokens": 300})
    shown = inside.ok("agent", "show", "concierge", "--format", form)
    again = json.loads(inside.ok("agent", "declare", "-", "--reason", "again", "--json", stdin=shown))
    assert again["changed"] is False
    assert "declared" in inside.ok("agent", "show", "concierge")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- name: porter\n", "stdin line 1: fields and their values are expected"),
        ("name: porter\nwings: 2\n", "stdin line 2: there is no field wings"),
        ('{"name": porter}', "stdin line 1: this is not valid JSON: a value is expected here: a text in double quotes"),
        ('{"name": "porter",}', "a field's name in double quotes is expected here"),
        ('{"name": "porter"\n"kind": "x"}', "stdin line 2: this is not valid JSON: ',' or '}' is expected here"),
        ('{"tools": ["a" "b"]}', "',' or ']' is expected here"),
        ('{"name" "porter"}', "':' is expected here"),
        ('{"name": "porter', "a text is not closed by a double quote"),
    ],
)
def test_a_declaration_that_cannot_be_read_says_what_was_expected(inside: Inside, text: str, says: str) -> None:
    """C4, C7: what came on stdin is called so."""
    answer = inside.run("agent", "declare", "-", "--reason", "x", stdin=text)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err


def test_declaring_again_changes_nothing(inside: Inside) -> None:
    """G10: declared so already; a change of it is one."""
    assert declare(inside)["changed"] is False
    assert declare(inside, purposes=["customer-support", "billing"])["changed"] is True
    listed = json.loads(inside.ok("agent", "list", "--json"))["items"]
    assert [(agent["name"], agent["purposes"]) for agent in listed] == [("concierge", ["customer-support", "billing"])]


def test_a_missing_file_is_one_sentence(inside: Inside) -> None:
    """C4: no such file."""
    answer = inside.run("agent", "declare", "nowhere.yaml", "--reason", "first")
    assert (answer.code, answer.err.count("\n")) == (2, 1)


def test_a_job_binds_what_its_starter_said(inside: Inside) -> None:
    """G2: agent, purpose, subject, projects, thread, starter, compartments and expiry."""
    job = start(
        inside,
        *("--purpose", "customer-support", "--about", "dana", "--project", "web/shop", "--thread", "T-1"),
        *("--compartment", "sales", "--compartment", "legal", "--sees", "published"),
    )
    told = {name: value for name, value in job.items() if name not in ("job", "token", "started", "expires")}
    assert told == {
        "agent": "concierge",
        "purpose": "customer-support",
        "about": "dana",
        "person": "dana",
        "starter": "ana",
        "projects": ["web/shop"],
        "thread": "T-1",
        "compartments": ["legal", "sales"],
        "sees": "published",
        "tier": "published",
        "read": [],
        "ended": None,
        "steps": [],
        "changed": True,
    }
    inside.patch.setenv("OZ0MEM_JOB", job["token"])
    me = json.loads(inside.ok("whoami", "--json"))
    assert (me["kind"], me["name"], me["job"], me["starter"]) == ("agent", "concierge", job["job"], "ana")


def test_a_job_cannot_have_what_its_agent_has_not(inside: Inside) -> None:
    """G2: a purpose must stand in the agent's, a project below one of its own."""
    assert inside.run("job", "start", "concierge", "--purpose", "billing").code == 3
    assert inside.run("job", "start", "concierge", "--project", "app").code == 3
    assert inside.run("job", "start", "concierge", "--sees", "nothing").code == 2
    assert inside.run("job", "start", "porter").code == 4


def test_what_a_job_has_read_only_lowers_trust(inside: Inside) -> None:
    """G2: published after a person's words is published; unreviewed stays unreviewed."""
    job = start(inside, "--sees", "person")["job"]
    tiers = []
    for words in (("the handbook", "--published"), ("a web page",), ("the handbook", "--published")):
        said = json.loads(inside.ok("job", "read", job, *words, "--json"))
        tiers.append(said["tier"])
    assert tiers == ["published", "unreviewed", "unreviewed"]
    assert said["read"] == ["the handbook", "a web page"]
    assert start(inside)["tier"] == "unreviewed", "without a promise it counts as having read anything"


def test_an_ended_job_acts_no_more(inside: Inside) -> None:
    """G2: its token is refused; ending it again changes nothing."""
    job = start(inside)
    ended = [json.loads(inside.ok("job", "end", job["job"], "--json"))["changed"] for _ in range(2)]
    assert ended == [True, False]
    inside.patch.setenv("OZ0MEM_JOB", job["token"])
    assert inside.run("whoami").code == 6


def test_a_member_starts_jobs_about_themself_or_nobody(inside: Inside) -> None:
    """G2: about somebody else they are refused, and another's job is not there for them."""
    said = inside.ok("principal", "add", "dana", "--role", "member", "--reason", "joined", "--json")
    of_ana = start(inside)["job"]
    inside.patch.setenv("OZ0MEM_TOKEN", json.loads(said)["token"])
    assert inside.run("job", "start", "concierge", "--about", "bob").code == 6
    assert start(inside, "--about", "dana")["about"] == "dana"
    assert inside.run("job", "show", of_ana).code == 4


def test_an_agent_governs_nothing(inside: Inside) -> None:
    """G3: a job's token opens no command of a person's."""
    inside.patch.setenv("OZ0MEM_JOB", start(inside)["token"])
    for line in (
        ("settings",),
        ("settings", "set", "--max-days", "300", "--reason", "mine"),
        ("principal", "add", "eve", "--role", "admin", "--reason", "mine"),
        ("agent", "list"),
        ("audit", "log"),
        ("secrets", "list"),
        ("upkeep",),
    ):
        assert inside.run(*line).code == 6, line
