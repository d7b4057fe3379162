"""A person forgotten through the real commands: counted, refused, delayed by a reader, and taken with their name."""

from __future__ import annotations

import json
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

from tests.cli.story import Story

if TYPE_CHECKING:
    from typing import Any

ERIN = "erin.4711"
"""Somebody who is remembered and is no principal."""


def remember(story: Story, count: int, about: str = ERIN) -> None:
    """Import so many entries about somebody."""
    lines = [json.dumps({"text": f"Owns pen {at}", "about": about, "kind": "semantic"}) for at in range(count)]
    assert story.document("import", "-", "--from", "jsonl", stdin="\n".join(lines))["imported"] == count


def erasing(story: Story) -> list[dict[str, Any]]:
    """The closing events of forgets, oldest first."""
    items = story.document("audit", "log", "--type", "memory.forgotten", "--limit", "1000")["items"]
    return [*reversed(items)]


def assert_holds(story: Story) -> None:
    """The ledger checks, contents and all."""
    assert story.document("audit", "check", "--contents")["ok"] is True


def test_three_hundred_entries_go_over_two_events_and_the_name_afterwards(story: Story) -> None:
    """G41, L2, L4: no id is cut, the chain has no gap, and what is left tells nobody's name."""
    remember(story, 300)
    tried = story.document("forget", "--about", ERIN, "--dry-run")
    assert (tried["erased"], tried["unlinked"], tried["kept_because"]) == (300, False, [])
    done = story.document("forget", "--about", ERIN, "--yes")
    told = erasing(story)
    assert [(each["n"], each["count"]) for each in told] == [(1, 256), (2, 44)]
    assert [each["prev"] for each in told] == [-1, told[0]["index"]]
    assert sorted(entry for each in told for entry in each["entries"]) == sorted(done["entries"])
    assert done["events"] == [each["index"] for each in told] and done["residue"] == "none-found"
    assert story.on_disk(ERIN) != []
    said = story.succeed("forget", "--about", ERIN, "--unlink", "--dry-run")
    assert said == (
        f"nothing is remembered about {ERIN}; the name and its key would go too, and no receipt could be made after:"
        " take it first\n"
    )
    said = story.succeed("forget", "--about", ERIN, "--unlink", "--yes", "--reason", f"{ERIN} asked")
    assert said == (
        f"nothing is remembered about {ERIN}; the name and its key are gone too, so no receipt about them can be made"
        " any more\n"
    )
    assert [(each["n"], each["count"]) for each in erasing(story)] == [(1, 256), (2, 44), (3, 0)]
    assert story.on_disk(ERIN) == []
    assert story.run("forget", "--about", ERIN, "--yes").code == 4
    assert_holds(story)


def test_what_would_be_unlinked_is_asked_about_and_a_principal_is_told_why_not(story: Story) -> None:
    """C5, L4: the question says what cannot be made after; the answer says what stays."""
    remember(story, 2)
    asked = story.at_terminal("forget", "--about", ERIN, "--unlink", typed="no\n")
    assert "for good, with the name, so that no receipt can be made after? [y/N]" in asked
    story.learn("Dana collects kites")
    said = story.succeed("forget", "--unlink", "--yes", by="dana")
    assert said == (
        "forgot 1 entry about dana in 1 scope; the name stays: they are a principal, and the ledger names who acted\n"
    )
    done = story.document("forget", "--about", ERIN, "--unlink", "--yes")
    assert (done["erased"], done["unlinked"], done["kept_because"]) == (2, True, [])
    assert_holds(story)


@pytest.mark.parametrize(
    "name", ["", " ", "*", "%", "dan*", "_", "work", "dan", "danaa", "Dana", "\uff44ana", "nobody"]
)
def test_nobody_in_particular_is_refused_and_nothing_changed(story: Story, name: str) -> None:
    """G41: blank, a wildcard, a prefix, another spelling, somebody unknown; with each option."""
    story.learn("Dana collects kites")
    for more in ((), ("--unlink",), ("--dry-run",)):
        answer = story.run("forget", "--about", name, "--yes", *more)
        assert (answer.code in (2, 4), answer.out) == (True, ""), more
    assert len(story.document("list", "--about", "dana")["items"]) == 1
    assert erasing(story) == []


def test_a_member_forgets_themself_and_nobody_else(story: Story) -> None:
    """G3, G41: not even whether somebody else is known."""
    remember(story, 1)
    story.learn("Dana collects kites")
    for name in (ERIN, "nobody", "ana"):
        for more in ((), ("--unlink",), ("--dry-run",)):
            answer = story.run("forget", "--about", name, "--yes", *more, by="dana")
            assert (answer.code, answer.out) == (6, ""), more
    assert erasing(story) == []
    assert story.document("forget", "--yes", by="dana")["erased"] == 1
    assert len(story.document("list", "--held")["items"]) == 1


def test_a_reader_keeps_it_open_and_the_next_command_finishes_it(story: Story) -> None:
    """L21, L22: exit 7 and told so; the name is in the old log as long, and in nothing after."""
    remember(story, 3)
    path = next(story.program.home.rglob("*.db"))
    other = sqlite3.connect(path)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM body").fetchall()
    answer = story.run("forget", "--about", ERIN, "--unlink", "--yes", "--json")
    document = json.loads(answer.out)
    assert (answer.code, document["open"], document["residue"]) == (7, True, "not-checked")
    assert (document["erased"], document["unlinked"], document["events"]) == (3, True, [])
    assert erasing(story) == []
    assert_holds(story)
    other.close()
    story.keep("Deploys are on Wednesdays")
    (told,) = erasing(story)
    assert (told["count"], told["residue"], told["n"]) == (3, "not-checked", 1)
    assert story.on_disk(ERIN) == []
    assert_holds(story)


def test_upkeep_says_how_many_names_it_took(story: Story) -> None:
    """L4, G50: the window is moved by hand, since nobody waits ninety days."""
    remember(story, 1)
    story.succeed("forget", "--about", ERIN, "--yes")
    assert story.document("upkeep")["unlinked"] == 0
    store = sqlite3.connect(next(story.program.home.rglob("*.db")))
    long_ago = int(time.time() * 1_000_000) - 91 * 86_400_000_000
    store.execute("UPDATE subject SET forgotten = ? WHERE forgotten > 0", (long_ago,))
    store.commit()
    store.close()
    said = story.succeed("upkeep", "--dry-run")
    assert said == "would take the names of 1 person whose receipt window is over\n"
    counts = story.document("upkeep")
    assert (counts["unlinked"], counts["erased"], counts["changed"]) == (1, 0, True)
    assert story.succeed("upkeep") == "nothing is due\n"
    assert story.on_disk(ERIN) == []
    assert "1 unlinked" in story.succeed("audit", "log", "--type", "plugin.records.expired")
    assert_holds(story)
