"""Results: one view in every format, at a terminal and in a pipe."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date

import pytest
import yaml

from tests.cli.frame import Answer, run, run_at_terminal
from tests.cli.frame_commands import HOSTILE, LONG_ID

BARE = re.compile(r"\x1b\[[0-9;]*m")
ITEM = {"id": LONG_ID, "size": 7, "ends": "2026-10-01T09:00:00Z", "text": HOSTILE, "tags": ["a", "b"]}


def test_a_list_in_a_pipe_is_plain_aligned_and_whole() -> None:
    """C1: columns under their names, nothing shortened whatever COLUMNS says; the cursor is on stderr."""
    answer = run("list", COLUMNS="20")
    shown = "\\x1b[31mred\\x1b[0m \\u202eevil\\u200b [bold]markup[/bold] :smile: \\x9b2J↵second line\\ud800"
    wide = len(shown)
    assert answer.out.splitlines() == [
        f"{'id':<62}   size  {'ends':<20}  {'text':<{wide}}  tags",
        f"{LONG_ID:<62}      7  2026-10-01T09:00:00Z  {shown}  a, b",
        # The four ideographs of two columns each take two more than they count.
        f"{'n-2':<62}  12345  2026-10-01T09:00:00Z  {'päivä 記憶':<{wide - 2}}  -",
    ]
    assert answer.err == "more: --after c7\n"


def test_a_list_at_a_terminal_shortens_texts_and_never_ids() -> None:
    """C8 and C9: ids whole at any width, text on one line, no escape of its own, local time with its zone."""
    for columns in (20, 80, 200):
        said = BARE.sub("", run_at_terminal("list", columns=columns).out)
        assert LONG_ID in said
        assert "12345" in said
        assert "1 Oct 2026 10:00 WEST" in said
        assert "\x1b" not in said
        assert "\u202e" not in said
    assert "[bold]markup[/bold] :smile:" in BARE.sub("", run_at_terminal("list", columns=250).out)


def test_colours_are_left_out_where_nobody_wants_them() -> None:
    """C1: NO_COLOR, --no-color; styles of a terminal may stay, colours may not."""
    for answer in (run_at_terminal("list", "--no-color"), run_at_terminal("list", NO_COLOR="1")):
        assert not re.search(r"\x1b\[[0-9;]*3[0-7]", answer.out)


def test_utc_makes_a_terminal_tell_what_a_pipe_tells() -> None:
    """C7: --utc is RFC 3339 everywhere."""
    assert "2026-10-01T09:00:00Z" in run_at_terminal("list", "--utc").out
    assert "2026-10-01T09:00:00Z" in run_at_terminal("keep", "x", "--utc").out


@pytest.mark.parametrize("arguments", [["--json", "list"], ["list", "--format", "json"]])
def test_json_is_one_document_with_the_exact_text(arguments: list[str]) -> None:
    """C2: items and next, times in RFC 3339; nothing but JSON's own escapes, save lone surrogates."""
    answer = run(*arguments)
    document = json.loads(answer.out)
    assert document["items"][0] == ITEM
    assert document["next"] == "c7"
    assert answer.out.count("\n") == 1
    assert "\u202eevil\u200b" in answer.out
    assert "päivä 記憶" in answer.out
    assert answer.err == ""


def test_json_at_a_terminal_is_the_same_document_and_acts_on_nothing() -> None:
    """C9: what would act or hide is spelt by its number, which JSON reads as the same text."""
    said = run_at_terminal("--json", "list").out
    assert json.loads(said)["items"][0] == ITEM
    assert not re.search("[\x1b\x9b\u202e\u200b]", said)


def test_json_lines_are_one_item_a_line() -> None:
    """C1: a list by its items, anything else as one."""
    answer = run("list", "--format", "jsonl")
    assert [json.loads(line)["id"] for line in answer.out.split("\n")[:-1]] == [LONG_ID, "n-2"]
    assert answer.err == "more: --after c7\n"
    assert [json.loads(line)["id"] for line in run("item", "--format", "jsonl").out.splitlines()] == [LONG_ID]


def test_csv_has_the_rows_under_their_names() -> None:
    """C1: read back by a CSV reader, with the text as it was."""
    rows = list(csv.reader(io.StringIO(run("list", "--format", "csv").out)))
    text = HOSTILE.replace("\ud800", "\\ud800")
    assert rows[0] == ["id", "size", "ends", "text", "tags"]
    assert rows[1] == [LONG_ID, "7", "2026-10-01T09:00:00Z", text, '["a", "b"]']
    assert rows[2][-1] == ""
    change = list(csv.reader(io.StringIO(run("keep", "x", "--format", "csv").out)))
    assert change == [["id", "ends", "changed"], ["n-2", "2026-10-01T09:00:00Z", "true"]]
    assert not re.search("[\x1b\x9b\u202e]", run_at_terminal("list", "--format", "csv").out)


def test_yaml_is_the_document_again() -> None:
    """C1: read back by a YAML reader; times are text."""
    document = yaml.safe_load(run("list", "--format", "yaml").out)
    assert document["items"][0] == ITEM
    assert list(document["items"][0]) == list(ITEM)
    assert not re.search("[\x1b\x9b\u202e]", run_at_terminal("list", "--format", "yaml").out)


def test_a_change_is_told_as_its_sentence() -> None:
    """C7: a day is local at a terminal and RFC 3339 in a pipe; in JSON it is the document."""
    assert run("keep", "x") == Answer(0, "kept n-2 v1, until 2026-10-01T09:00:00Z: x\n", "")
    assert run_at_terminal("keep", "\x1b[5mx").out == "kept n-2 v1, until 1 Oct 2026: \\x1b[5mx\n"
    assert json.loads(run("keep", "x", "--json").out)["changed"] is True


def test_an_item_is_names_and_values() -> None:
    """C9: a text keeps its lines, each under the first."""
    assert run("item").out == (f"id     {LONG_ID}\ntext   one\n       two\nends   2026-10-01T09:00:00Z\nended  no\n")


def test_an_empty_list_says_so_beside_the_result() -> None:
    """C2: nothing on stdout; --quiet says nothing at all."""
    assert run("nothing") == Answer(0, "", "nothing is remembered\n")
    assert run("nothing", "--quiet") == Answer(0, "", "")
    assert json.loads(run("nothing", "--json").out) == {"items": [], "next": None}
    assert run("list", "--quiet").err == ""


@pytest.mark.parametrize("format_", ["table", "json", "jsonl", "csv", "yaml"])
def test_an_ascii_output_is_no_crash_and_documents_stay_readable(format_: str) -> None:
    """C2: what ASCII cannot spell is escaped, in JSON and YAML as these spell it."""
    answer = run("list", "--format", format_, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert answer.code == 0
    assert answer.out.isascii()
    if format_ in ("json", "yaml"):
        read = json.loads(answer.out) if format_ == "json" else yaml.safe_load(answer.out)
        assert read["items"][0] == ITEM
        assert read["items"][1]["text"] == "päivä 記憶"


@pytest.mark.parametrize("format_", ["table", "json", "jsonl", "csv", "yaml"])
def test_no_format_sends_colours_into_a_pipe(format_: str) -> None:
    """C2: no ANSI on stdout, even where colours are forced."""
    answer = run("list", "--format", format_, FORCE_COLOR="1", TERM="xterm-256color")
    assert "\x1b[1m" not in answer.out
    assert not re.search(r"\x1b\[(?!31m|0m)", answer.out)


def test_the_day_of_these_tests_is_the_one_they_say() -> None:
    """C7: the moment in these tests is 1 October 2026, 09:00 UTC."""
    assert date(2026, 10, 1).toordinal() - date(1970, 1, 1).toordinal() == 1_790_845_200 // 86_400
