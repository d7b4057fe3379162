"""What a team works under, at the command line: shown before it is asked about, named by its version in a script."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from tests.cli.conftest import NewStory
from tests.cli.story import Story, check_golden, normal

DECIDER = """\
name: decider
purpose: Keep what the team decides
capabilities: [remember, recall]
tools: [oz0_memory.supersede, oz0_memory.accept, oz0_memory.define, oz0_memory.retire]
"""
AGENT = ("--agent", "decider", "--sees", "person")
WEDNESDAYS = "Deploy on Wednesdays, never on Fridays."
HOSTILE = "Pay \x1b[31mnow\u202e[bold] to\u200bday"


class Team(NamedTuple):
    """A story in which one decision is in force, and its id."""

    story: Story
    decided: str

    def propose(self, text: str, *more: str) -> str:
        """Propose a decision; its id."""
        return self.story.keep(text, "--kind", "decision", *more)


@pytest.fixture
def team(new_story: NewStory) -> Team:
    story = new_story("team")
    (story.program.folder / "decider.yaml").write_text(DECIDER)
    story.succeed("agent", "declare", "decider.yaml", "--reason", "first")
    decided = story.keep(WEDNESDAYS, "--kind", "decision")
    story.succeed("accept", decided, "--version", "1")
    return Team(story, decided)


def test_a_person_at_a_terminal_is_shown_old_beside_new_and_asked(team: Team) -> None:
    """M14: text, about whom, tier and what it would replace; no other answer than yes accepts."""
    new = str(team.story.document("supersede", team.decided, "Deploy on Tuesdays.", "--version", "2")["id"])
    declined = team.story.at_terminal("accept", new, typed="n\n")
    for said in (f"id             {new}", "Deploy on Tuesdays.", WEDNESDAYS, f"{team.decided} v2", "work", "person"):
        assert said in declined
    assert f"accept {new} v1? [y/N]" in declined
    assert "nothing was changed" in declined
    assert team.story.document("show", new)["state"] == "held"
    accepted = normal(team.story.at_terminal("accept", new, typed="y\n"))
    assert "accepted d-<1> v2 in tenant, replacing d-<2>, until <local time> (review date)" in accepted
    assert team.story.document("show", team.decided)["replaced_by"] == new


def test_what_is_asked_stands_beside_the_result(team: Team) -> None:
    """C2: with --json at a terminal the question is not part of the document."""
    new = team.propose("Freeze in December.")
    told = team.story.at_terminal("accept", new, "--json", typed="yes\n")
    document = json.loads(told[told.index("{\n") :])
    assert (document["id"], document["version"], document["changed"]) == (new, 2, True)


def test_several_are_asked_one_by_one(team: Team) -> None:
    """M14, C3: each is answered on its own."""
    one, two = team.propose("Freeze in December."), team.propose("Thaw in January.")
    team.story.at_terminal("accept", one, two, typed="n\ny\n")
    assert [team.story.document("show", each)["state"] for each in (one, two)] == ["held", "active"]


@pytest.mark.parametrize("more", [(), ("--yes",), ("--version", "1", "other")])
def test_a_script_names_the_version_that_it_read(team: Team, more: tuple[str, ...]) -> None:
    """M14: without one, or with one for several, nothing is accepted and the exact option is told."""
    new = team.propose("Freeze in December.")
    answer = team.story.run("accept", new, *[new[:8] if word == "other" else word for word in more])
    assert (answer.code, answer.out) == (2, "")
    assert "--version" in answer.err
    assert ("where --yes leaves the showing out" in answer.err) == (more == ("--yes",))
    assert team.story.document("show", new)["state"] == "held"


def test_a_script_names_the_versions_of_several_behind_their_ids(team: Team) -> None:
    """M14: ID:VERSION, each on its own; a stale one is a conflict."""
    one, two = team.propose("Freeze in December."), team.propose("Thaw in January.")
    answer = team.story.run("accept", f"{one}:1", f"{two}:7", "--json")
    first, second = json.loads(answer.out)["items"]
    assert answer.code == 5
    assert (first["id"], first["state"]) == (one, "active")
    assert (second["error"]["code"], second["error"]["newest"]) == ("memory.stale", 1)
    assert team.story.run("accept", f"{two}:x").code == 2


def test_supersede_takes_its_text_from_stdin_and_names_the_version(team: Team) -> None:
    """C7, M12, M15: a stale version is refused; only a person may shorten the id."""
    new = team.story.document("supersede", team.decided[:8], "-", "--version", "2", "--tag", "ops", stdin="Anew\n")
    entry = team.story.document("show", str(new["id"]))
    assert (entry["text"], entry["tags"], entry["kind"], entry["state"]) == ("Anew", ["ops"], "decision", "held")
    stale = team.story.run("supersede", team.decided, "Other", "--version", "1", "--json")
    assert (stale.code, json.loads(stale.err)["error"]["newest"]) == (5, 2)
    missing = team.story.run("supersede", team.decided, "Other")
    assert (missing.code, "--version N" in missing.err) == (2, True)
    short = team.story.run("supersede", team.decided[:8], "Other", "--version", "2", *AGENT)
    assert short.code == 4
    note = team.story.keep("The lift is slow")
    shown = team.story.at_terminal("supersede", note, "The lift is fast", typed="y\n")
    assert "The lift is slow" in shown
    assert team.story.document("show", note)["state"] == "replaced"


@pytest.mark.parametrize("arguments", [("accept", "ID", "--version", "1"), ("supersede", "ID", "x", "--version", "1")])
def test_an_unknown_id_suggests_the_nearest(team: Team, arguments: tuple[str, ...]) -> None:
    """C8: and no traceback."""
    near = team.decided[:-1] + ("0" if team.decided[-1] != "0" else "1")
    answer = team.story.run(*[near if word == "ID" else word for word in arguments])
    assert answer.code == 4
    assert f"did you mean {team.decided}?" in answer.err
    assert "Traceback" not in answer.err
    assert team.story.run("accept", "x; rm", "--version", "1").code == 2


def test_a_term_is_shown_with_what_is_proposed(team: Team) -> None:
    """C1, C2, M13: a table, a plain listing, a document; an empty text proposes nothing."""
    first = team.story.document("define", "active customer", "Whoever ordered.")["written"]["id"]
    team.story.succeed("accept", str(first), "--version", "1", "--term", "Active  Customer")
    told = normal(team.story.succeed("define", "Active Customer", "Whoever", "paid."))
    assert told == "held t-<1> in tenant: a proposal; it waits for a person until <time>\nin force now: t-<2> v2\n"
    check_golden("define.terminal.txt", team.story.at_terminal("define", "active customer"))
    check_golden("define.piped.txt", team.story.succeed("define", "active customer"))
    check_golden("define.json", team.story.succeed("define", "active customer", "--json"))
    assert "not defined" in team.story.run("define", "nothing").err
    assert team.story.run("define", "active customer", " ").code == 2


def test_the_start_up_text_is_all_that_is_printed(team: Team) -> None:
    """M27: to the letter; nothing where there is nothing; a person has none."""
    expected = (
        "## Context from plugin memory\n\n- Accepted decisions and definitions you work under; more with recall"
        f" (by scope) or define (by term).\n- Decision (tenant): {WEDNESDAYS} [tenant/{team.decided} v2]\n"
    )
    answer = team.story.run("startup-context", *AGENT)
    assert (answer.code, answer.out, answer.err) == (0, expected, "")
    document = team.story.document("startup-context", *AGENT)
    assert (f"{document['text']}\n", document["chars"]) == (expected, len(expected) - 1)
    assert team.story.run("startup-context", *AGENT, "--budget", "1").out == ""
    assert team.story.run("startup-context").code == 2
    assert team.story.run("startup-context", *AGENT, "--used", "-1").code == 2


def test_what_changed_is_listed_with_where_to_read_on(team: Team) -> None:
    """M26: the cursor on stderr beside a table, and in the document."""
    team.story.succeed("plugin", "policy", "memory", "--set", "changed_since=allow", "--reason", "it is a read")
    answer = team.story.run("changed-since", *AGENT)
    document = team.story.document("changed-since", *AGENT)
    assert [entry["id"] for entry in document["items"]] == [team.decided]
    assert WEDNESDAYS in answer.out
    assert "read on with the cursor" in answer.err
    assert team.story.document("changed-since", document["cursor"], *AGENT)["items"] == []
    assert team.story.run("changed-since", "nonsense", *AGENT).code == 2
    assert team.story.run("changed-since").code == 2


def test_no_text_acts_on_a_terminal(team: Team) -> None:
    """C9: escapes, bidirectional overrides and markup are shown as they are spelt, before a decision too."""
    refused = team.story.run("remember", HOSTILE, "--kind", "rule")
    assert refused.code == 2
    rule = team.story.keep(HOSTILE.replace("\x1b", ""), "--kind", "rule")
    asked = team.story.at_terminal("accept", rule, typed="y\n")
    told = asked + team.story.at_terminal("startup-context", *AGENT) + team.story.at_terminal("define", "x\u202ey", "z")
    assert "\\u202e[bold] to\\u200bday" in asked
    assert told.count("\\u202e") >= 2
    assert not {"\u202e", "\u200b"} & set(told)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("define", {}),
        ("define", {"term": 1}),
        ("supersede", {"id": "d-000000000000", "text": "x"}),
        ("supersede", {"id": "d-000000000000", "version": "1", "text": "x"}),
        ("accept", {"id": "d-000000000000"}),
        ("accept", {"id": "d-000000000000", "version": True}),
        ("accept", {"id": "d-000000000000", "version": 1, "scope": "tenant"}),
        ("changed_since", {"cursor": None}),
        ("startup_context", {"budget_tokens": 1.5}),
        ("link", {"from": "d-000000000000", "to": "d-000000000000"}),
    ],
)
def test_a_call_names_what_its_function_takes(team: Team, function: str, arguments: dict[str, object]) -> None:
    """C4: an argument too many, missing or of another type is refused by its name."""
    answer = team.story.run("call", f"oz0_memory.{function}", json.dumps(arguments))
    assert (answer.code, answer.out) == (2, "")
    assert json.loads(answer.err)["error"]["code"] == "call.arguments"
