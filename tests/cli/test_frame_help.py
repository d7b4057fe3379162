"""Help: one screen of panels for the root, a line, options, an example and exit codes for a command."""

from __future__ import annotations

import re

import pytest

from oz0mem.cli import catalogue, exits, overview
from tests.cli.frame import REAL, run, run_at_terminal


def test_root_help_shows_every_panel_on_one_screen() -> None:
    """C8: Memory, Review, Rules, Proof, Agents, Store; no more than 50 lines of 80 columns or so."""
    answer = run("--help", program=REAL)
    assert answer.code == 0
    lines = answer.out.splitlines()
    headings = [line for line in lines if re.fullmatch(r"\w+:", line)]
    assert headings == ["Memory:", "Review:", "Rules:", "Proof:", "Agents:", "Store:", "Options:"]
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 90


def test_root_help_lists_every_word_that_is_not_hidden() -> None:
    """C8: nothing that can be typed is missing from the root's help, nothing hidden stands in it."""
    text = run("--help").out
    listed = re.findall(r"^  ([a-z]+)  +[A-Z]", text, re.MULTILINE)
    assert {"globals", "list", "settings", "agent", "absent"} <= set(listed)
    assert not {"quiet", "memory", "declare"} & set(listed)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["--quiet", "--help"]])
def test_root_help_is_the_same_however_it_is_asked_for(arguments: list[str]) -> None:
    """C8: no word, --help, -h and options before it show one page."""
    assert run(*arguments).out == run("--help").out
    assert run(*arguments).code == 0


def test_root_help_at_a_terminal_has_colours_and_the_same_words() -> None:
    """C8: a terminal gets headings in colour; NO_COLOR and --no-color leave the plain text."""
    coloured = run_at_terminal("--help").out
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == run("--help").out
    assert "\x1b" not in run_at_terminal("--help", NO_COLOR="1").out
    assert "\x1b" not in run_at_terminal("--no-color", "--help").out


def test_command_help_has_a_line_options_by_heading_an_example_and_exit_codes() -> None:
    """C8: each part of a command's help, in a pipe."""
    answer = run("list", "--help")
    assert answer.code == 0
    for part in (
        "Does list.",
        "Options:",
        "--held",
        "Options of every command:",
        "--store URL",
        "Exit codes:",
    ):
        assert part in answer.out
    assert "Example:\n  oz0mem list --held '[all] of it'\n" in answer.out
    assert f"0   {exits.MEANINGS[0]}" in answer.out
    assert "\x1b" not in answer.out


def test_command_help_at_a_terminal_keeps_what_looks_like_markup() -> None:
    """C9: square brackets in help are text."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", run_at_terminal("list", "--help").out)
    assert "[for review]" in text
    assert "'[all] of it'" in text


def test_help_of_a_word_that_is_a_command_lists_the_commands_under_it() -> None:
    """C8: `settings` shows settings and says that `set` stands under it."""
    answer = run("settings", "--help")
    assert re.search(r"^Commands:\n  set +Does settings set\.$", answer.out, re.MULTILINE)
    assert re.search(r"^Commands:\n  declare +Does agent", run("agent", "--help").out, re.MULTILINE)


def test_help_stays_readable_on_ascii() -> None:
    """C2: an ASCII output is no reason to fail."""
    for arguments in (["--help"], ["list", "--help"], ["agent", "--help"]):
        answer = run(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert (answer.code, answer.err) == (0, "")
        assert answer.out.isascii()


@pytest.mark.parametrize("row", catalogue.ROWS, ids=lambda row: row.name)
def test_every_row_of_the_catalogue_is_whole(row: catalogue.Row) -> None:
    """C8: a line, an example that calls this command, exit codes that have a meaning, a known panel."""
    assert row.line.endswith(".")
    assert f" {row.name} " in f" {row.example} "
    assert set(row.exits) <= set(exits.MEANINGS)
    assert list(row.exits) == sorted(row.exits)
    assert row.panel in catalogue.PANELS
    assert row.module.startswith("oz0mem.cli.")


def test_no_name_stands_twice_and_every_group_has_a_line() -> None:
    """C8: names are unique; a word that is no command itself is told of in GROUPS."""
    names = [row.name for row in catalogue.ROWS]
    assert len(names) == len(set(names))
    groups = {entry.name for entry in catalogue.entries() if entry.own is None}
    assert groups == {group.name for group in catalogue.GROUPS}


def test_the_overview_of_no_commands_is_still_a_page() -> None:
    """C8: the page does not depend on there being commands."""
    assert "Options:" in overview.plain(())
