"""The global options: before or after, from variables, together with a command's own."""

from __future__ import annotations

import json

import pytest

from oz0mem.cli import options
from oz0mem.model.errors import Invalid
from tests.cli.frame import run


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["--store", "sqlite:///x.db"], "store", "sqlite:///x.db"),
        (["--store", ""], "store", ""),
        (["--tenant=acme"], "tenant", "acme"),
        (["--profile", "work"], "profile", "work"),
        (["--no-color"], "no_color", True),
        (["--quiet"], "quiet", True),
        (["--verbose"], "verbose", True),
        (["--utc"], "utc", True),
    ],
)
def test_a_global_option_means_the_same_before_and_after_the_command(
    words: list[str], name: str, value: object
) -> None:
    """C1: before the command, after it, and after a command in a group."""
    for line in (
        ["--json", *words, "globals"],
        ["globals", "--json", *words],
        [*words, "settings", "--json"],
        ["settings", *words, "--json"],
    ):
        document = json.loads(run(*line).out)
        assert document[name] == value, line


def test_of_an_option_before_and_after_the_later_one_counts() -> None:
    """C1: the one nearer to the command's end."""
    document = json.loads(run("--tenant", "acme", "globals", "--tenant", "other", "--json").out)
    assert document["tenant"] == "other"


@pytest.mark.parametrize("format_", options.FORMATS)
def test_a_variable_chooses_the_format_and_an_option_goes_before_it(format_: str) -> None:
    """C1: option before variable."""
    assert run("list", OZ0MEM_FORMAT=format_).out == run("list", "--format", format_).out
    assert run("list", "--json", OZ0MEM_FORMAT=format_).out == run("list", "--json").out


def test_switches_come_from_variables_too() -> None:
    """C1: OZ0MEM_UTC and the rest take yes and no, nothing else."""
    document = json.loads(run("globals", "--json", OZ0MEM_UTC="yes", OZ0MEM_QUIET="0").out)
    assert (document["utc"], document["quiet"]) == (True, False)
    answer = run("globals", OZ0MEM_UTC="perhaps")
    assert (answer.code, answer.out) == (2, "")
    assert "OZ0MEM_UTC" in answer.err


def test_what_was_settled_first_stays_and_options_go_before_it() -> None:
    """C1: option, variable, oz0mem.toml, config.toml: each later one only fills what is open."""
    options.begin([], {"OZ0MEM_FORMAT": "csv"})
    options.settle({"format": "yaml", "utc": "true"})
    options.settle({"utc": False})
    assert (options.current().format, options.current().utc) == ("csv", True)
    options.record("format", "jsonl")
    assert options.current().format == "jsonl"
    assert options.given() == {"format": "jsonl"}
    options.begin([], {})
    assert options.current().format == "table"


def test_json_beside_another_format_is_refused() -> None:
    """C1: no option is accepted without effect."""
    for words in (["--json", "--format", "csv"], ["--format", "csv", "--json"]):
        answer = run("globals", *words)
        assert (answer.code, answer.out) == (2, "")
    with pytest.raises(Invalid):
        options.begin([], {"OZ0MEM_FORMAT": "xml"})


def test_after_two_dashes_nothing_is_an_option() -> None:
    """C1: a text may look like an option."""
    answer = run("keep", "--", "--json")
    assert answer.out.endswith(": --json\n")
    assert run("fail", "--", "--json").err.startswith("fault: ")


def test_the_commands_answer_under_memory_too() -> None:
    """C1: `oz0mem memory list --held` is `oz0mem list --held`; so are groups."""
    assert run("memory", "list", "--held") == run("list", "--held")
    assert run("memory", "list", "--held").code == 0
    assert run("memory", "settings", "set", "x") == run("settings", "set", "x")


def test_a_word_that_is_a_command_and_a_group_is_both() -> None:
    """C1: `settings` alone runs; `settings set` runs what stands under it."""
    assert json.loads(run("settings", "--json").out)["format"] == "json"
    assert json.loads(run("settings", "--tenant", "set", "--json").out)["tenant"] == "set"
    assert run("settings", "set", "x").out == run("keep", "x").out
    assert run("settings", "--tenant", "acme", "set", "x").out == run("keep", "x").out


def test_a_command_may_not_take_a_global_option_of_its_own() -> None:
    """C1: it would be accepted before the command without effect."""
    answer = run("double", "--verbose")
    assert answer.code == 1
    assert "TypeError" in answer.err


def test_a_dash_reads_stdin() -> None:
    """C7: - is stdin wherever a text is taken."""
    assert run("read", "-", stdin="\ufeffline\nnext\n").out == repr("line\nnext") + "\n"
    assert run("read", "word").out == repr("word") + "\n"


@pytest.mark.parametrize("text", ["--the vault opens with Kestrel", "--" + "Kestrel" * 9, "--vault=Kestrel and more"])
def test_a_text_that_begins_with_a_dash_is_not_repeated(text: str) -> None:
    """C4: what was to be remembered stands in no error."""
    answer = run("fail", text)
    assert (answer.code, answer.out) == (2, "")
    assert "Kestrel" not in answer.err
