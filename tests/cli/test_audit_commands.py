"""L1, L2, L7, L10, G3: the ledger from the command line."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.model.ledger import ACTIONS, SCHEMAS
from oz0mem.rules.canonical import encode
from oz0mem.rules.events import parse
from oz0mem.views import audit as view
from tests.cli.inside import Inside
from tests.rules.example_events import FIELDS, build, fields_of

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "the depot opens at seven"


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant with two notes."""
    made = Inside(monkeypatch)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    made.ok("remember", TEXT)
    made.ok("remember", "and closes at noon")
    return made


def log(inside: Inside, *words: str) -> dict[str, Any]:
    """A page of the ledger."""
    return dict(json.loads(inside.ok("audit", "log", *words, "--json")))


def test_the_log_has_no_word_of_what_was_remembered(inside: Inside) -> None:
    """L2: events have ids, handles and numbers; no text, no reason in words."""
    inside.ok("settings", "set", "--max-days", "300", "--reason", "zanzibar")
    said = inside.ok("audit", "log", "--json") + inside.ok("audit", "log")
    assert "depot" not in said
    assert "zanzibar" not in said


def test_a_beginning_that_cannot_be_read_says_what_can(inside: Inside) -> None:
    """C7: days and times as well as how long ago."""
    answer = inside.run("audit", "log", "--since", "yesterday")
    assert answer.code == 2
    assert all(form in answer.err for form in ("2026-12-01", "2026-12-01T09:00:00Z", "7d"))


def test_pages_have_every_event_once(inside: Inside) -> None:
    """C2: a page ends with the cursor of the next, null at the end."""
    whole = [event["index"] for event in log(inside)["items"]]
    seen: list[int] = []
    after: list[str] = []
    while True:
        page = log(inside, "--limit", "2", *after)
        seen += [event["index"] for event in page["items"]]
        if page["next"] is None:
            break
        after = ["--after", page["next"]]
    assert seen == whole == sorted(whole, reverse=True)


def test_the_log_is_narrowed_by_type_entry_and_time(inside: Inside) -> None:
    """L1: what was asked for and nothing else; an entry's id may be shortened (C7)."""
    kept = log(inside, "--type", "memory.remembered")["items"]
    assert [event["action"] for event in kept] == ["memory.remembered"] * 2
    entry = kept[0]["entry"]
    for given in (entry, entry[:8]):
        assert [event["entry"] for event in log(inside, "--about-entry", given)["items"]] == [entry]
    assert log(inside, "--since", "2026-10-02")["items"] == []
    assert len(log(inside, "--since", "2m")["items"]) < len(log(inside, "--since", "2d")["items"])
    assert inside.run("audit", "log", "--type", "memory.remember").code == 2
    assert inside.run("audit", "log", "--about-entry", "n-000000000000").code == 4
    assert inside.run("audit", "log", "--limit", "0").code == 2
    assert inside.run("audit", "log", "--after", "x").code == 2


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_every_event_has_a_sentence(action: str) -> None:
    """C9: made of the event's own fields; handles are shortened, ids are not."""
    for fields in (fields_of(action), {name: FIELDS[name] for name in SCHEMAS[action][0]}):
        event = json.loads(build(action, fields))
        said = view.sentence(event, {})
        assert said or not fields
        assert all(str(event[name]) in said for name in ("entry", "job", "what") if name in event)
        assert not any(len(word.strip(",:")) > 60 for word in said.split()), "a handle whole"


def test_a_text_altered_behind_the_ledger_is_found(inside: Inside, home: Path) -> None:
    """L7, C3: audit check --contents names the entry and ends with 8; without it all holds."""
    assert json.loads(inside.ok("audit", "check", "--contents", "--json"))["versions"] == 2
    alter(home, f"UPDATE body SET content = replace(content, '{TEXT}', 'the depot opens at eight')")
    inside.ok("audit", "check")
    answer = inside.run("audit", "check", "--contents", "--json")
    found = json.loads(answer.out)
    assert (answer.code, found["ok"], len(found["problems"])) == (8, False, 1)
    assert found["problems"][0]["where"].startswith("n-")
    plain = inside.run("audit", "check", "--contents")
    assert (plain.code, "not verified" in plain.err, "n-" in plain.out) == (8, True, True)


def test_an_event_altered_behind_the_tree_is_found_and_not_shown(inside: Inside, home: Path) -> None:
    """L10: the event does not hash to its leaf; doctor sees it where it is the last."""
    last = log(inside)["items"][0]["index"]
    alter(home, f"UPDATE event SET body = replace(body, 'ana', 'bob') || ' ' WHERE idx = {last}", drop=True)
    answer = inside.run("audit", "check", "--json")
    assert answer.code == 8
    assert [problem["where"] for problem in json.loads(answer.out)["problems"]] == [str(last)]
    page = log(inside)
    assert page["altered"] == [last]
    assert last not in [event["index"] for event in page["items"]]
    doctor = inside.run("doctor", "--json")
    wrong = [line["what"] for line in json.loads(doctor.out)["items"] if not line["ok"]]
    assert (doctor.code, wrong) == (1, ["ledger"])


def alter(home: Path, statement: str, *, drop: bool = False) -> None:
    """Change the store by SQL, as somebody with the file could."""
    (path,) = home.rglob("oz0mem.db")
    raw = sqlite3.connect(path)
    if drop:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
    assert raw.execute(statement).rowcount
    raw.commit()
    raw.close()


def test_events_are_as_they_were_written(inside: Inside) -> None:
    """L10: what JSON shows parses as an event, with nothing added or taken."""
    for event in log(inside)["items"]:
        assert parse(encode(event)) == event
