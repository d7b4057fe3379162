"""M17 at the command line: ``link``, ``link confirm``, ``link reject``, ``links``, and links in ``show``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from oz0mem.cli import exits
from tests.cli.inside import Inside, compare

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant with three entries; ``inside.ids`` has theirs."""
    del home  # of this test's own
    made = Inside(monkeypatch)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    return made


def keep(inside: Inside, text: str) -> str:
    """Keep a text; answers its id."""
    return str(json.loads(inside.ok("remember", text, "--json"))["id"])


def linked(inside: Inside) -> tuple[list[str], list[str]]:
    """Three entries and three links, one of each state; their ids."""
    entries = [keep(inside, text) for text in ("Deploys on Friday failed", "Deploy on Wednesdays", "Weeks are short")]
    made = [
        str(json.loads(inside.ok("link", entries[a], label, entries[b], "--json"))["link"])
        for a, label, b in ((0, "supports", 1), (1, "depends_on", 2), (2, "answers", 0))
    ]
    inside.ok("link", "confirm", made[0])
    inside.ok("link", "reject", made[2], "--reason", "it does not")
    return entries, made


LISTINGS = {"links": ("links",), "links-waiting": ("links", "--waiting"), "links-show": ("show", "ENTRY")}


@pytest.mark.parametrize("form", ["terminal", "piped", "json"])
@pytest.mark.parametrize("name", LISTINGS)
def test_links_are_written_to_the_letter(inside: Inside, name: str, form: str) -> None:
    """C1, C2: a table at a terminal, plain in a pipe, one document as JSON."""
    entries, _ = linked(inside)
    arguments = [entries[1] if word == "ENTRY" else word for word in LISTINGS[name]]
    answer = inside.run(*arguments, *(["--json"] if form == "json" else []), terminal=form == "terminal")
    assert answer.code == exits.DONE, answer.err
    compare(f"{name}.{form}.txt", answer.out)


def test_a_step_says_what_it_did_and_what_comes_next(inside: Inside) -> None:
    """C4: to be confirmed, confirmed, nothing to do."""
    one, other = keep(inside, "Deploys on Friday failed"), keep(inside, "Deploy on Wednesdays")
    said = inside.ok("link", one[:8], "supports", other)
    made = said.split()[1].rstrip(":")
    assert said == f"proposed {made}: {one} supports {other}; it waits to be confirmed: oz0mem link confirm {made}\n"
    assert inside.ok("link", "confirm", made) == f"confirmed {made}: {one} supports {other}\n"
    assert inside.ok("link", one, "supports", other).startswith(f"nothing to do: {made} (")
    refused = inside.run("link", "reject", made, "--reason", "no")
    assert (refused.code, "M17" in refused.err) == (exits.CONFLICT, True)


def test_a_word_behind_link_is_a_command_or_an_entry(inside: Inside) -> None:
    """C8: `confirm` is the command wherever options of every command stand, and as a reason it is a word."""
    one, other = keep(inside, "Deploys on Friday failed"), keep(inside, "Deploy on Wednesdays")
    document = json.loads(inside.ok("link", "--json", one, "answers", other, "--reason", "confirm"))
    assert json.loads(inside.ok("link", "--tenant", "acme", "--json", "confirm", document["link"])) == {
        **document,
        "state": "confirmed",
    }
    assert "LABEL" in inside.run("link", one).err
    assert "FROM" in inside.run("link").err
    assert inside.run("link", "confirn", "l-0123456789ab").code == exits.USAGE
    assert "confirm" in inside.ok("link", "--help") and "ID" in inside.ok("link", "confirm", "--help")
    assert json.loads(inside.ok("memory", "links", "--json"))["items"][0]["link"] == document["link"]


def test_several_links_are_answered_one_by_one(inside: Inside) -> None:
    """C3: the first that is not done gives the exit code; the others are done."""
    one, other = keep(inside, "Deploys on Friday failed"), keep(inside, "Deploy on Wednesdays")
    made = [json.loads(inside.ok("link", one, label, other, "--json"))["link"] for label in ("supports", "answers")]
    answer = inside.run("link", "confirm", made[0], "l-000000000000", made[1], "--json")
    assert answer.code == exits.NOT_FOUND
    assert [item.get("state") for item in json.loads(answer.out)["items"]] == ["confirmed", None, "confirmed"]


def test_a_reject_says_why(inside: Inside) -> None:
    """M17: before anything is looked for."""
    answer = inside.run("link", "reject", "l-000000000000")
    assert (answer.code, "--reason" in answer.err) == (exits.USAGE, True)


def test_pages_go_on(inside: Inside) -> None:
    """C1: by the cursor that the page names."""
    _, made = linked(inside)
    first = json.loads(inside.ok("links", "--limit", "2", "--json"))
    second = json.loads(inside.ok("links", "--limit", "2", "--after", first["next"], "--json"))
    assert [item["link"] for item in (*first["items"], *second["items"])] == made
    assert second["next"] is None
    assert "nothing" not in inside.ok("links", "--limit", "1")
