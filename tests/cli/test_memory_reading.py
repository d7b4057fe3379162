"""What is remembered, as it is read: at a terminal, in a pipe, and in every format of machines."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import stat
from typing import NamedTuple

import pytest
import yaml

from tests.cli.conftest import NewStory
from tests.cli.story import Story, check_golden

CITIES = ("Lisbon", "Porto", "Lisbon again")
NAMES = [
    "id", "version", "kind", "state", "scope", "about", "text", "key", "term", "tags", "tier", "held_because",
    "purpose", "agent", "by", "plugin", "created", "updated", "ends", "ended", "valid_from", "valid_until",
    "core", "source", "origin", "replaces", "replaced_by", "legal_holds", "restricted",
]  # fmt: skip


class Told(NamedTuple):
    """A story in which dana moved twice and one text waits, with the ids of what it tells."""

    story: Story
    note: str
    fact: str
    held: str


@pytest.fixture(scope="module")
def told(new_story: NewStory) -> Told:
    story = new_story("told")
    note = story.keep("Invoices go out on Fridays", "--tag", "billing", "--source", "path=guide.md")
    story.keep("The depot opens\nat seven [bold]\u202eten[/bold]")
    facts = [story.learn(f"Dana ships to {city}", "--key", "shipping_city") for city in CITIES]
    held = story.keep("Dana likes ruled paper", "--agent", "concierge", "--kind", "semantic", by="dana")
    return Told(story, note, facts[-1], held)


LISTINGS = {
    "list": ("list",),
    "list-held": ("list", "--held"),
    "show": ("show", "NOTE"),
    "show-versions": ("show", "NOTE", "--versions"),
    "history": ("history", "concierge", "shipping_city", "--about", "dana"),
    "recall": ("recall", "invoices", "depot"),
}


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_is_a_table_at_a_terminal_plain_in_a_pipe_and_one_document_in_json(told: Told, name: str) -> None:
    """C1, C2 and C9: the same result three times, each for its reader."""
    arguments = [told.note if word == "NOTE" else word for word in LISTINGS[name]]
    check_golden(f"{name}.terminal.txt", told.story.at_terminal(*arguments))
    check_golden(f"{name}.piped.txt", told.story.succeed(*arguments))
    check_golden(f"{name}.json", json.dumps(told.story.document(*arguments), indent=1, ensure_ascii=False))


def test_an_entry_has_every_name_of_the_contract(told: Told) -> None:
    """C2: names are there whether they hold anything or not; what is missing is null."""
    (entry,) = told.story.document("list", "--search", "invoices")["items"]
    assert [name for name in NAMES if name not in entry] == []
    assert entry["purpose"] is entry["agent"] is entry["key"] is entry["held_because"] is None
    assert (entry["tags"], entry["source"], entry["legal_holds"]) == (["billing"], {"path": "guide.md"}, [])


def test_every_format_of_machines_has_the_same_entries(told: Told) -> None:
    """C1: JSON Lines, CSV with every field, YAML."""
    ids = [item["id"] for item in told.story.document("list")["items"]]
    lines = told.story.succeed("list", "--format", "jsonl").splitlines()
    rows = list(csv.DictReader(io.StringIO(told.story.succeed("list", "--format", "csv"))))
    read = yaml.safe_load(told.story.succeed("list", "--format", "yaml"))
    assert [json.loads(line)["id"] for line in lines] == ids
    assert [row["id"] for row in rows] == ids
    assert [item["id"] for item in read["items"]] == ids
    assert set(NAMES) <= set(rows[0])


def test_csv_has_the_fields_of_json_whatever_there_is(told: Told) -> None:
    """C1: stable headers, of an entry, of an erased one and of no entry; a list is a JSON array."""
    heads = {}
    for entry_id in (told.note, told.held):
        (row,) = csv.DictReader(io.StringIO(told.story.succeed("show", entry_id, "--format", "csv")))
        shown = told.story.document("show", entry_id)
        assert list(row) == list(shown)
        assert json.loads(row["tags"]) == shown["tags"]
        heads[entry_id] = list(row)
    assert heads[told.note] == heads[told.held]
    for command in (("list", "--key", "none"), ("recall", "zanzibar")):
        empty = told.story.succeed(*command, "--format", "csv")
        assert set(NAMES) <= set(empty.strip().split(","))
    (versions, *_) = csv.reader(io.StringIO(told.story.succeed("show", told.note, "--versions", "--format", "csv")))
    assert versions == ["version", "at", "state", "tier", "by", "text"]


def test_a_list_goes_on_where_its_cursor_says(told: Told) -> None:
    """C2: `next` is the cursor, null on the last page; the pages are the list."""
    whole = [item["id"] for item in told.story.document("list")["items"]]
    first = told.story.document("list", "--limit", "4")
    rest = told.story.document("list", "--limit", "4", "--after", first["next"])
    assert [item["id"] for item in first["items"] + rest["items"]] == whole
    assert rest["next"] is None


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (("--about", "dana"), 4),
        (("--about", "work"), 2),
        (("--agent", "concierge", "--state", "replaced"), 2),
        (("--kind", "semantic", "--tier", "person"), 3),
        (("--scope", "tenant"), 2),
        (("--key", "shipping_city"), 3),
        (("--state", "promoted"), 3),
        (("--state", "demoted"), 0),
        (("--state", "ended"), 0),
        (("--state", "lapsed"), 0),
        (("--search", "lisbon porto"), 3),
        (("--search", "lisbon again", "--match", "all"), 1),
        (("--due",), 0),
        (("--ended",), 0),
    ],
)  # fmt: skip
def test_a_list_keeps_what_its_filters_say(told: Told, arguments: tuple[str, ...], count: int) -> None:
    """C1: each filter narrows."""
    assert len(told.story.document("list", *arguments)["items"]) == count


@pytest.mark.parametrize(
    "arguments",
    [("--kind", "memo"), ("--state", "gone"), ("--tier", "high"), ("--scope", "all"), ("--limit", "0"),
     ("--after", "x"), ("--match", "most"), ("--held", "--state", "active")],
    ids=" ".join,
)  # fmt: skip
def test_a_filter_that_nothing_can_have_is_refused(told: Told, arguments: tuple[str, ...]) -> None:
    """C3 and C4: exit 2, one sentence."""
    answer = told.story.run("list", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1


def test_a_member_is_shown_what_is_about_themself(told: Told) -> None:
    """M20: dana lists her own, and an id of nobody's is one that is not there."""
    items = told.story.document("list", by="dana")["items"]
    assert {item["about"] for item in items} == {"dana"}
    assert told.story.run("show", "n-000000000000", by="dana").code == 4


def test_an_id_may_be_shortened_to_four_digits(told: Told) -> None:
    """C7: unambiguous among what the caller sees."""
    assert told.story.document("show", told.note[:8])["id"] == told.note
    assert told.story.run("show", told.note[:4]).code == 2


def test_a_fact_can_be_asked_for_by_any_of_its_ids(told: Told) -> None:
    """M11: Lisbon, Porto, Lisbon again, each with its time; the last is true now."""
    history = told.story.document("history", told.fact)
    assert [item["text"][14:] for item in history["items"]] == ["Lisbon", "Porto", "Lisbon again"]
    ends = [item["until"] for item in history["items"]]
    assert ends[:2] == [item["from"] for item in history["items"]][1:]
    assert ends[2] is None
    assert told.story.run("history", told.fact, "--about", "dana").code == 2


def test_recall_says_what_matched_and_what_it_took(told: Told) -> None:
    """M23 and R7: words, rank and budget; --explain adds why."""
    found = told.story.document("recall", "when", "do", "invoices", "go", "--explain", "--max-chars", "100")
    (hit,) = found["items"]
    assert (hit["rank"], hit["id"]) == (1, told.note)
    assert "invoices" in hit["matched"]
    assert hit["why"]["words"] > 0
    assert found["budget"] | {"used_chars": 26} == found["budget"]
    assert "why" not in told.story.document("recall", "invoices")["items"][0]


def test_recall_as_an_agent_finds_its_own_held_entry_only_where_asked(told: Told) -> None:
    """M22: include_unreviewed shows the agent's own held ones."""
    asked = ("recall", "ruled paper", "--agent", "concierge")
    assert told.story.document(*asked, by="dana")["items"] == []
    (hit,) = told.story.document(*asked, "--include-unreviewed", by="dana")["items"]
    assert (hit["id"], hit["state"]) == (told.held, "held")


def test_a_fact_of_a_job_without_an_agent_is_refused(told: Told) -> None:
    """C5: no option is accepted without effect."""
    for option in ("--purpose", "--about", "--project", "--thread", "--compartment", "--sees"):
        answer = told.story.run("recall", "invoices", option, "x")
        assert (answer.code, answer.out) == (2, "")
        assert f"{option} is a fact of a job" in answer.err


def test_what_was_altered_by_sql_is_left_out_and_counted(story: Story) -> None:
    """L7: list and recall leave it out and say how many; show refuses it."""
    good, bad = story.keep("Paper is white"), story.keep("Paper is ruled")
    (path,) = story.program.home.rglob("*.db")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE version SET tier = 2 WHERE id = ?", (bad,))
    connection.close()
    for command in (("list",), ("recall", "paper")):
        answer = story.run(*command, "--json")
        document = json.loads(answer.out)
        assert [item["id"] for item in document["items"]] == [good]
        assert document["altered"] == 1
        assert answer.err == "left out 1 altered entry (L7): oz0mem audit check --contents\n"
    assert story.run("show", bad).code == 5
