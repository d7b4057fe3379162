"""The process that forks victims, and stages copied for each of them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.deeds import Stage, set_stage

ROOT = Path(__file__).resolve().parents[2]


class Victims:
    """Processes forked to die.

    Args:
        place: a folder for what they say.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self.made = 0
        self.server = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.victim"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **asked: Any) -> dict[str, Any]:
        """Ask the server."""
        assert self.server.stdin is not None and self.server.stdout is not None
        self.server.stdin.write(json.dumps(asked) + "\n")
        self.server.stdin.flush()
        answer: dict[str, Any] = json.loads(self.server.stdout.readline())
        return answer

    def deed(self, stage: Stage, deed: str, at: int, run: str = "deed") -> dict[str, Any]:
        """Run a deed that dies before its at-th statement; {} where it did, else what it said."""
        out = self.place / "deed"
        status = self.ask(run=run, stage=stage, deed=deed, at=at, out=str(out))["status"]
        said = read_lines(out)
        if os.WIFSIGNALED(status):
            assert os.WTERMSIG(status) == signal.SIGKILL
            assert said == []
            return {}
        assert status == 0, said
        return said[0]

    def loop(self, stage: Stage, **life: Any) -> tuple[int, Path]:
        """Start a process that writes until it is killed or its time is up."""
        self.made += 1
        out = self.place / f"loop{self.made}"
        return self.ask(run="loop", stage=stage, life=life, out=str(out))["pid"], out

    def reap(self, pid: int) -> int:
        """Wait for a process's end; answers its status."""
        return int(self.ask(run="reap", pid=pid)["status"])

    def close(self) -> None:
        """Let the server end."""
        assert self.server.stdin is not None and self.server.stdout is not None
        self.server.stdin.close()
        self.server.stdout.close()
        self.server.wait()


def read_lines(path: Path) -> list[dict[str, Any]]:
    """What a victim said; a line that its death cut short was not said."""
    return [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]


@pytest.fixture(scope="module")
def victims(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victims]:
    """The process that forks victims."""
    made = Victims(tmp_path_factory.mktemp("victims"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Stage]:
    """Gives copies of one stage on SQLite."""
    first = tmp_path_factory.mktemp("stage") / "store.db"
    stage = set_stage(f"sqlite:///{first}")

    def copy(place: Path) -> Stage:
        for old in place.glob("store.db*"):
            old.unlink()
        shutil.copy(first, place / "store.db")
        return stage._replace(url=f"sqlite:///{place / 'store.db'}")

    return copy


@pytest.fixture(scope="module")
def signed_stages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Stage]:
    """Gives copies of one stage on SQLite with signing keys, and what was signed with them, beside it."""
    first = tmp_path_factory.mktemp("signed")
    stage = set_stage(f"sqlite:///{first / 'store.db'}", first / "keys")

    def copy(place: Path) -> Stage:
        for old in place.glob("store.db*"):
            old.unlink()
        shutil.rmtree(place / "keys", ignore_errors=True)
        shutil.copy(first / "store.db", place / "store.db")
        shutil.copytree(first / "keys", place / "keys")
        return stage._replace(url=f"sqlite:///{place / 'store.db'}", folder=str(place / "keys"))

    return copy
