"""Errors: one sentence or one document on stderr, and the exit code that belongs to it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from oz0mem.cli import refusals
from tests.cli.frame import TRIED, Answer, run, run_at_terminal, run_shell, surroundings
from tests.cli.frame_commands import ERRORS

CODES = {
    "fault": 1,
    "invalid": 2,
    "refused": 3,
    "not-found": 4,
    "conflict": 5,
    "forbidden": 6,
    "waiting": 7,
    "unverified": 8,
}


@pytest.mark.parametrize("kind", CODES)
def test_every_kind_of_error_has_its_exit_code_and_stdout_stays_empty(kind: str) -> None:
    """C3 and C2: by kind; the result is on stdout, all else is not."""
    for words in ([], ["--json"]):
        answer = run("fail", kind, *words)
        assert (answer.code, answer.out) == (CODES[kind], "")
        assert answer.err.count("\n") == 1


def test_a_refusal_is_one_sentence_with_its_rule_and_what_to_type() -> None:
    """C4: what was refused, by which rule, what to type next."""
    assert run("fail", "refused").err == (
        "refused (M5): memory about people is off for support-triage. Turn it on: oz0mem person support-triage\n"
    )
    assert run("fail", "waiting").err == "waiting c-81d2: another admin has to approve\n"
    assert run("fail", "not-found").err == "not found: no entry of that id\n"


def test_a_refusal_in_json_is_one_document() -> None:
    """C4: code, message, hint, rule and facts, on stderr."""
    expected = {
        "code": "memory.people_off",
        "message": "memory about people is off for support-triage",
        "hint": "Turn it on: oz0mem person support-triage",
        "rule": "M5",
        "agent": "support-triage",
        "at": "2026-10-01T09:00:00Z",
    }
    for line in (["--json", "fail", "refused"], ["fail", "refused", "--format", "jsonl"]):
        assert json.loads(run(*line).err) == {"error": expected}
    assert json.loads(run("fail", "refused", OZ0MEM_FORMAT="json").err) == {"error": expected}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["lst"], "did you mean: list?"),
        (["agent", "declar"], "did you mean: declare?"),
        (["declare"], "did you mean: agent declare?"),
        (["list", "--hel"], "--held"),
        (["agent"], "one of: declare, list"),
        (["list", "--format", "xml"], "xml"),
        (["keep"], "'text'"),
        (["zzzzzz"], "oz0mem --help"),
    ],
)
def test_a_line_that_is_not_understood_is_told_with_the_nearest(line: list[str], said: str) -> None:
    """C8 and C3: usage errors exit 2, suggest, and are documents under --json."""
    answer = run(*line)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("usage: ")
    assert answer.err.count("\n") == 1
    assert said in answer.err
    told = run(*line, "--json")
    assert told.code == 2
    document = json.loads(told.err)["error"]
    assert document["code"] == "usage"
    assert said in document["message"] + " " + document["hint"]


def test_words_too_many_are_not_repeated() -> None:
    """Q15: they may be what was to be remembered."""
    answer = run("keep", "Dana", "lives", "in", "Lisbon")
    assert answer.code == 2
    assert "Lisbon" not in answer.err


def test_an_error_shows_what_was_typed_escaped() -> None:
    """C9: an argument may hold a terminal escape."""
    answer = run_at_terminal("\x1b[31mlist\u202e")
    assert "\x1b" not in answer.out
    assert "\\x1b[31mlist\\u202e" in answer.out


def test_a_fault_of_the_program_shows_no_traceback_and_no_word_of_its_own() -> None:
    """C4 and Q15: its kind, and under --verbose where it happened; never what it said."""
    quiet = run("fail", "bug")
    assert quiet.code == 1
    assert quiet.err == "fault: a fault of the program's own, ValueError. --verbose shows where\n"
    loud = run("fail", "bug", "--verbose")
    assert "frame_commands.py" in loud.err
    assert "builtins.ValueError" in loud.err
    assert "dana" not in loud.err
    assert json.loads(run("fail", "bug", "--json").err)["error"]["code"] == "fault.program"


def test_a_fault_of_the_machine_says_what_and_where() -> None:
    """C4: the machine's own sentence and the file."""
    answer = run("fail", "machine")
    assert answer.code == 1
    assert answer.err.startswith("fault: No such file or directory: /nowhere/at/all")


def test_a_command_whose_module_is_broken_is_a_fault_and_help_still_works() -> None:
    """C3: the root's help does not depend on any command."""
    assert run("absent").code == 1
    assert "absent" in run("--help").out


def test_a_function_may_answer_with_an_exit_code() -> None:
    """C3: 9 for differences."""
    assert run("differ").code == 9


def test_an_interrupt_ends_with_130_and_one_line() -> None:
    """C3: Ctrl-C, from inside and as a signal."""
    assert run("fail", "interrupt") == Answer(130, "", "interrupted\n")
    assert json.loads(run("fail", "interrupt", "--json").err)["error"]["code"] == "interrupted"
    process = subprocess.Popen(
        [*TRIED, "read", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(),
    )
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"interrupted\n")


@pytest.mark.parametrize("line", ["tried flood | head -1", "tried --help | head -1", "tried list --help | true"])
def test_a_closed_pipe_ends_quietly(line: str) -> None:
    """C3: no traceback at `| head`, whatever is written."""
    answer = run_shell(f'set -o pipefail; {line}; echo "${{PIPESTATUS[0]}}" >&2')
    assert answer.err == "0\n"


@pytest.mark.parametrize("line", ["tried list >&-", "tried --help >&-", "tried keep x >&- 2>&-", "tried --version >&-"])
def test_a_closed_stdout_is_told_before_anything_is_done(line: str) -> None:
    """C3: a result that nobody could read is a fault, not a success."""
    answer = run_shell(line)
    assert (answer.code, answer.out) == (1, "")
    if "2>&-" not in line:
        assert answer.err == "fault: stdout is closed, so nothing was done. redirect it to /dev/null instead\n"


def test_a_full_device_is_a_fault_told_in_one_sentence() -> None:
    """C3: a result that could not be written was not delivered."""
    for line in ("tried list --quiet > /dev/full", "tried flood > /dev/full"):
        answer = run_shell(line)
        assert answer.code == 1
        assert answer.err.startswith("fault: No space left on device")
        assert answer.err.count("\n") == 1


def test_a_file_opened_later_never_takes_the_place_of_a_closed_stdout() -> None:
    """C2: what a command opens is not written over by a print."""
    code = (
        "import os, sys; from contextlib import suppress; from oz0mem.cli import io\n"
        "with suppress(io.Fault): io.prepare()\n"
        "sys.stderr.write(str(os.open(os.devnull, os.O_RDONLY)))"
    )
    answer = run_shell("tried <&- >&-", program=[sys.executable, "-c", code])
    assert answer.err == "3"


def test_nothing_destructive_happens_unasked() -> None:
    """C5: --yes, or an answer at a terminal; otherwise refused."""
    assert run("ask", "--yes") == Answer(0, "done\n", "")
    answer = run("ask", stdin="y\n")
    assert (answer.code, answer.out) == (3, "")
    assert "--yes" in answer.err
    agreed = run_at_terminal("ask", typed="y\n")
    assert (agreed.code, agreed.out.endswith("done\n")) == (0, True)
    declined = run_at_terminal("ask", typed="\n")
    assert (declined.code, "done\n" in declined.out) == (3, False)


def test_a_sentence_ends_once_before_its_hint() -> None:
    """C4: one full stop between the two."""
    error = ERRORS["refused"]
    assert ". Turn it on" in refusals.sentence(error)
    assert ".. " not in refusals.sentence(error)
