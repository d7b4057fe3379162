"""Files of other programs, brought in."""

from __future__ import annotations

import json

from tests.cli.story import Story, normal
from tests.program import ROOT

FILES = ROOT / "tests/fixtures/imports"
LINES = "".join(json.dumps({"text": f"Shelf {number} is oak", "tags": ["wood"]}) + "\n" for number in range(3))


def test_what_comes_in_is_held_and_comes_in_once(story: Story) -> None:
    """Import: held until a person confirms it; the same file again changes nothing."""
    path = str(FILES / "memories.jsonl")
    assert story.succeed("import", path, "--from", "jsonl") == (
        "imported 4 records, held until a person confirms them\n"
    )
    assert {item["held_because"] for item in story.document("list", "--held")["items"]} == {"import"}
    again = story.document("import", path, "--from", "jsonl")
    assert (again["imported"], again["existing"], again["changed"]) == (0, 4, False)


def test_mem0s_own_file_comes_in_with_what_had_no_place(story: Story) -> None:
    """Import: what is not kept is said beside the result."""
    answer = story.run("import", str(FILES / "mem0-get-all.json"), "--from", "mem0")
    assert answer.code == 0
    assert "were not kept: agent_id (2), run_id (1)" in answer.err


def test_a_dry_run_judges_and_changes_nothing(story: Story) -> None:
    """C5: counted, not written."""
    tried = story.document("import", "-", "--from", "jsonl", "--dry-run", stdin=LINES)
    assert (tried["imported"], tried["dry_run"], tried["changed"]) == (3, True, False)
    assert story.document("list")["items"] == []


def test_one_bad_record_stops_it_all_unless_it_is_skipped(story: Story) -> None:
    """Import: told by its line; nothing is imported, or everything else is."""
    bad = LINES + '{"text": ""}\n'
    answer = story.run("import", "-", "--from", "jsonl", stdin=bad)
    assert (answer.code, answer.out) == (2, "")
    assert "line 4" in answer.err
    assert story.document("list")["items"] == []
    skipped = story.run("import", "-", "--from", "jsonl", "--skip-bad", "--json", stdin=bad)
    document = json.loads(skipped.out)
    assert (document["imported"], document["bad"], document["notes"][0]["line"]) == (3, 1, 4)
    assert skipped.err.startswith("line 4: ")


def test_what_was_reviewed_is_active_with_its_reason(story: Story) -> None:
    """Import: --reviewed is the importer's own confirmation, so it says why."""
    assert story.run("import", "-", "--from", "jsonl", "--reviewed", stdin=LINES).code == 2
    told = ("--reviewed", "--reason", "read them", "--agent", "concierge", "--scope", "project:shop")
    story.succeed("import", "-", "--from", "jsonl", *told, stdin=LINES)
    items = story.document("list", "--scope", "project:shop")["items"]
    assert {(item["state"], item["agent"], item["origin"]) for item in items} == {("active", "concierge", "import")}


def test_an_imported_fact_is_confirmed_for_as_long_as_it_came_for(story: Story) -> None:
    """M37 and Import: ends count from the import, however long ago it was written."""
    line = {"text": "Dana ships to Lisbon", "about": "dana", "kind": "semantic", "when": "2020-01-01"}
    story.succeed("import", "-", "--from", "jsonl", stdin=json.dumps(line))
    (held,) = story.document("list", "--held")["items"]
    assert story.document("confirm", held["id"])["ends"] == held["ends"]
    assert story.document("show", held["id"])["created"] == "2020-01-01T00:00:00Z"


def test_an_unknown_format_and_a_missing_file_are_usage(story: Story) -> None:
    """C4: with the formats that there are."""
    unknown = story.run("import", "x", "--from", "letta")
    assert unknown.code == 2
    assert "jsonl or mem0" in unknown.err
    assert story.run("import", "nowhere.jsonl", "--from", "jsonl").code == 2


def test_a_bar_stands_on_a_terminal_and_goes_away(story: Story) -> None:
    """C6 and C2: on stderr, never in a pipe."""
    (story.program.home / "three.jsonl").write_text(LINES)
    said = story.at_terminal("import", str(story.program.home / "three.jsonl"), "--from", "jsonl")
    assert "] 3 of 3" in said
    assert normal(said.rpartition("\x1b[K")[2]).startswith("imported 3 records")
    assert story.run("import", "-", "--from", "jsonl", stdin=LINES).err == ""
