"""The frame run as a program on the catalogue of ``frame_commands``: in a pipe, or at a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TRIED = [sys.executable, "-m", "tests.cli.frame_commands"]
REAL = [sys.executable, "-m", "oz0mem"]


class Answer(NamedTuple):
    """Exit code and the two outputs, apart; at a terminal both are in ``out``."""

    code: int
    out: str
    err: str


def surroundings(**variables: str) -> dict[str, str]:
    """The environment of a run: UTF-8, a zone that is not UTC, nothing of the caller's own settings."""
    base = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "LANG": "C.UTF-8", "TZ": "Europe/Lisbon"}
    return {**base, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **variables}


def run(*arguments: str, program: list[str] = TRIED, stdin: str = "", **variables: str) -> Answer:
    """Run in pipes."""
    done = subprocess.run(
        [*program, *arguments],
        input=stdin.encode(),
        capture_output=True,
        env=surroundings(**variables),
        timeout=60,
        check=False,
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_shell(line: str, program: list[str] = TRIED, **variables: str) -> Answer:
    """Run a line of bash in which ``tried`` is the program."""
    words = " ".join(f"'{word}'" for word in program)
    script = f'tried() {{ {words} "$@"; }}\n{line}'
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, env=surroundings(**variables), timeout=60, check=False
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_at_terminal(
    *arguments: str, program: list[str] = TRIED, typed: str = "", columns: int = 120, **variables: str
) -> Answer:
    """Run at a terminal of that width; line ends are given as line feeds."""
    ours, theirs = pty.openpty()
    settings = {"TERM": "xterm-256color", "COLUMNS": str(columns), **variables}
    process = subprocess.Popen(
        [*program, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings(**settings)
    )
    os.close(theirs)
    if typed:
        os.write(ours, typed.encode())
    said = b""
    # Linux ends a terminal that nobody holds any more with an error.
    while (part := _read(ours)) != b"":
        said += part
    os.close(ours)
    return Answer(process.wait(timeout=60), said.decode(errors="surrogateescape").replace("\r\n", "\n"), "")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
