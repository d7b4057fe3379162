"""The program run inside the test's own process, with a clock and chance that stand still, for goldens."""

from __future__ import annotations

import hashlib
import io
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from oz0mem.adapters import clock
from oz0mem.cli.main import run
from oz0mem.model.moments import parse_rfc3339
from oz0mem.store.engine import Store
from oz0mem.wiring import contexts
from tests.cli.frame import Answer

GOLDENS = Path(__file__).parent / "golden"
MINUTE = 60_000_000
START = parse_rfc3339("2026-10-01T09:00:00Z")


class _Paper(io.StringIO):
    """An output that says whether it is a terminal, in UTF-8."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]  # StringIO has none to set
        """Which characters it spells."""
        return "utf-8"

    def isatty(self) -> bool:
        """Whether a person reads it."""
        return self.terminal


class Inside:
    """The program in this process.

    Args:
        patch: undone at the end of the test.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.now = START
        self.thrown = 0
        self.opened: list[Store] = []
        patch.setattr(contexts, "Store", self._open)
        patch.setattr(clock, "now", lambda: self.now)
        patch.setattr(clock, "entropy", self._throw)
        patch.setenv("TZ", "Europe/Lisbon")
        patch.setenv("COLUMNS", "110")
        patch.setenv("NO_COLOR", "1")
        time.tzset()

    def _open(self, *arguments: Any, **named: Any) -> Store:
        self.opened.append(Store(*arguments, **named))
        return self.opened[-1]

    def _throw(self, count: int) -> bytes:
        self.thrown += 1
        return hashlib.shake_256(b"%d %d" % (self.now, self.thrown)).digest(count)

    def run(self, *arguments: str, stdin: str = "", terminal: bool = False) -> Answer:
        """Run one command line, a minute after the last; at a terminal stdout is one, the others are not."""
        self.now, self.thrown = self.now + MINUTE, 0
        out, err = _Paper(terminal=terminal), _Paper(terminal=False)
        with self.patch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
            try:
                code = run(list(arguments))
            finally:
                # A process ends with its command; this one goes on.
                while self.opened:
                    self.opened.pop().close()
        return Answer(code, out.getvalue(), err.getvalue())

    def ok(self, *arguments: str, stdin: str = "") -> str:
        """Run a command that has to succeed; answers its standard output."""
        answer = self.run(*arguments, stdin=stdin)
        assert answer.code == 0, f"{arguments}: {answer.err}"
        return answer.out


def compare(name: str, said: str) -> None:
    """Compare an output with its golden; a missing one is written, and the test fails so that it is read."""
    path = GOLDENS / name
    if not path.exists():
        path.write_text(said, encoding="utf-8")
        pytest.fail(f"{name} was written; read it, and keep it if it is right")
    assert said == path.read_text(encoding="utf-8")
