"""The real program, run as a person runs it: a process of its own, in a home of its own.

Promises that nothing of the caller's environment but the path to the tools reaches it, and that what runs is
this project's code, installed or not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def home_variables(place: Path) -> dict[str, str]:
    """The variables that make ``place`` the home, on every path that platformdirs looks at."""
    return {
        "HOME": str(place),
        "XDG_CONFIG_HOME": str(place / ".config"),
        "XDG_DATA_HOME": str(place / ".local" / "share"),
        "XDG_STATE_HOME": str(place / ".local" / "state"),
        "XDG_CACHE_HOME": str(place / ".cache"),
    }


class Program:
    """``oz0mem`` with one home.

    Args:
        place: an empty folder; the home, the current folder and an ``oz0mem`` on the path are made in it.
    """

    def __init__(self, place: Path) -> None:
        self.home = place / "home"
        self.folder = self.home / "work"
        self.folder.mkdir(parents=True)
        tools = place / "bin"
        tools.mkdir()
        command = tools / "oz0mem"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m oz0mem "$@"\n')
        command.chmod(0o755)
        self.environment = {
            **home_variables(self.home),
            # A page's python3 is the one that runs the tests, with what is installed for them.
            "PATH": os.pathsep.join((str(tools), str(Path(sys.executable).parent), os.environ["PATH"])),
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
        }

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run one command and return its status and its two outputs, apart."""
        return self.execute(["oz0mem", *arguments], stdin=stdin)

    def execute(self, command: list[str], *, stdin: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        """Run any command line in this home, with more environment variables if wanted."""
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**self.environment, **variables},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
