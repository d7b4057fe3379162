"""A small store made by the real program: ana governs, dana is remembered, and every state that a list shows.

Outputs are compared with files in ``golden`` after ids and times, which are new in every run, were replaced
by names. ``GOLDENS=write`` writes them anew; what changed is then read in the difference.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

from tests.cli.frame import REAL, Answer, run_at_terminal
from tests.program import ROOT, Program

GOLDEN = Path(__file__).parent / "golden"
DECLARATION = ROOT / "tests/fixtures/declarations/concierge.yaml"

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_ID = re.compile(r"\b([a-z])-[0-9a-f]{12}\b")
_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_LOCAL = re.compile(r"\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}(?: \d\d:\d\d [A-Z]+)?")


class Story:
    """A store in which things were remembered.

    Args:
        program: the program in an empty home.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.tokens: dict[str, str] = {}

    def begin(self) -> None:
        """Make the store, dana and the concierge."""
        self.succeed("init", "--tenant", "acme", "--admin", "ana", "--solo")
        added = self.document("principal", "add", "dana", "--role", "member", "--reason", "joined")
        self.tokens["dana"] = str(added["token"])
        self.succeed("agent", "declare", str(DECLARATION), "--reason", "first")

    def begin_as(self, other: Story) -> None:
        """Begin as a copy of another story, which costs less than making it again."""
        shutil.copytree(other.program.home, self.program.home, dirs_exist_ok=True)
        for path in self.program.home.rglob("config.toml"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(str(other.program.home), str(self.program.home)), encoding="utf-8")
        self.tokens = dict(other.tokens)

    def run(self, *arguments: str, by: str = "", stdin: str = "") -> Answer:
        """Run a command in pipes; by ana, whose token the profile has, or by somebody else."""
        token = {"OZ0MEM_TOKEN": self.tokens[by]} if by else {}
        done = self.program.execute(["oz0mem", *arguments], stdin=stdin, **token)
        return Answer(done.returncode, done.stdout, done.stderr)

    def succeed(self, *arguments: str, by: str = "", stdin: str = "") -> str:
        """Run a command that has to succeed; its standard output."""
        answer = self.run(*arguments, by=by, stdin=stdin)
        assert answer.code == 0, f"{arguments}: {answer.err}"
        return answer.out

    def document(self, *arguments: str, by: str = "", stdin: str = "") -> dict[str, Any]:
        """Run a command that has to succeed; its JSON document."""
        document = json.loads(self.succeed(*arguments, "--json", by=by, stdin=stdin))
        assert isinstance(document, dict)
        return document

    def keep(self, text: str, *more: str, by: str = "") -> str:
        """Remember a text; the id of the entry."""
        return str(self.document("remember", text, *more, by=by)["id"])

    def learn(self, text: str, *more: str) -> str:
        """The concierge learns something about dana, in a job that she starts; the id of the entry."""
        learnt = ("--agent", "concierge", "--kind", "semantic", "--sees", "person", *more)
        return self.keep(text, *learnt, by="dana")

    def at_terminal(self, *arguments: str, typed: str = "", columns: int = 140) -> str:
        """Run a command at a terminal; what stands there."""
        answer = run_at_terminal(*arguments, program=REAL, typed=typed, columns=columns, **self.program.environment)
        return answer.out

    def on_disk(self, word: str) -> list[str]:
        """The files of the home that have a word in them."""
        found = [path for path in self.program.home.rglob("*") if path.is_file()]
        return [path.name for path in found if word.encode() in path.read_bytes()]


def normal(text: str) -> str:
    """A text with its ids by the order in which they come, its times and its spaces made the same."""
    names: dict[str, str] = {}
    bare = _STYLE.sub("", text).replace("\r", "")
    named = _ID.sub(lambda found: names.setdefault(found[0], f"{found[1]}-<{len(names) + 1}>"), bare)
    timed = re.sub(r"(?<=\S) {2,}", "  ", _LOCAL.sub("<local time>", _UTC.sub("<time>", named)))
    return "".join(line.rstrip() + "\n" for line in timed.splitlines())


def check_golden(name: str, text: str) -> None:
    """Compare a text with a golden file, or write it where asked to."""
    path = GOLDEN / name
    if os.environ.get("GOLDENS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(normal(text), encoding="utf-8")
    assert normal(text) == path.read_text(encoding="utf-8")
