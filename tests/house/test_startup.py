"""What a command loads before it says a word (Q1), seen in a fresh interpreter."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.house.sources import PACKAGE, read_sources
from tests.program import Program

HEAVY = {"sqlalchemy", "sqlmodel", "pydantic", "pydantic_core", "numpy", "rich", "alembic"}

# The program may leave by os._exit, which asks no exit handler.
DRIVER = """
import atexit, os, sys
def tell():
    with open(os.environ["LOADED"], "w") as file:
        file.write("\\n".join(sys.modules))
def leave(status, really=os._exit):
    tell()
    really(status)
os._exit = leave
atexit.register(tell)
from oz0mem.cli.main import run
sys.argv[0] = "oz0mem"
sys.exit(run())
"""

READING = (
    ("--help",),
    ("list", "--help"),
    ("--version",),
    ("list",),
    ("list", "--json"),
    ("show", "ID"),
    ("history", "ID"),
    ("recall", "parcel"),
    ("define", "parcel"),
    ("startup-context", "--agent", "sorter"),
    ("changed-since", "--agent", "sorter"),
    ("settings",),
    ("verify", "receipt.json", "--keys", "head.pub.json"),
)
WRITING = (
    ("remember", "the depot opens at seven"),
    ("confirm", "HELD"),
    ("supersede", "ID", "parcels go out on Thursdays", "--version", "1"),
    ("accept", "PROPOSED", "--version", "1"),
    ("define", "parcel", "what the depot sends"),
    ("approvals",),
    ("receipt", "--about", "ana", "-o", "another.json"),
    ("audit", "head"),
    ("forget", "--about", "dana", "--yes"),
)

COSTS = (
    (("--version",), 48),
    (("--help",), 80),
    (("list",), 275),
    (("recall", "parcel"), 290),
    (("remember", "the depot has two gates"), 300),
    (("forget", "--about", "dana", "--yes"), 305),
    (("settings", "set", "--default-days", "80", "--reason", "a start"), 640),
)
"""Modules that a command may have loaded at its end: those of today and a tenth more."""


class Started:
    """A store with one entry that is recalled and one that waits for review.

    Args:
        place: an empty folder.
    """

    def __init__(self, place: Path) -> None:
        self.program = Program(place)
        self.loaded = place / "loaded"
        self.succeed("init", "--tenant", "acme", "--admin", "ana", "--solo")
        kept = json.loads(self.succeed("remember", "parcels go out on Tuesdays", "--json"))
        (self.program.folder / "notes.jsonl").write_text(
            '{"text": "dana takes parcels at noon", "about": "dana"}\n{"text": "the depot closes at six"}\n'
        )
        self.succeed("import", "notes.jsonl", "--from", "jsonl")
        (self.program.folder / "sorter.json").write_text('{"name": "sorter", "capabilities": ["remember", "recall"]}')
        self.succeed("agent", "declare", "sorter.json", "--reason", "sorts")
        self.succeed("plugin", "policy", "memory", "--set", "write=allow", "--reason", "of something else")
        proposed = json.loads(self.succeed("remember", "no parcels on Sundays", "--kind", "decision", "--json"))
        self.succeed("audit", "keys", "-o", "head.pub.json")
        self.succeed("receipt", "--about", "dana", "-o", "receipt.json")
        held = json.loads(self.succeed("list", "--held", "--json"))
        self.ids = {"ID": str(kept["id"]), "HELD": str(held["items"][-1]["id"]), "PROPOSED": str(proposed["id"])}

    def succeed(self, *arguments: str) -> str:
        """Run a command, which has to succeed, and return its standard output."""
        ran = self.program.run(*arguments)
        assert ran.returncode == 0, f"{arguments[0]}: {ran.stderr}"
        return ran.stdout

    def load(self, *arguments: str, **variables: str) -> set[str]:
        """Run a command, which has to succeed, and return the top-level modules that it loaded."""
        return {name.partition(".")[0] for name in self.modules(*arguments, **variables)}

    def modules(self, *arguments: str, **variables: str) -> list[str]:
        """Run a command, which has to succeed, and return every module that it loaded."""
        line = [self.ids.get(argument, argument) for argument in arguments]
        driver = [sys.executable, "-c", DRIVER, *line]
        ran = self.program.execute(driver, LOADED=str(self.loaded), **variables)
        assert ran.returncode == 0, ran.stderr
        return self.loaded.read_text().split()


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Started:
    return Started(tmp_path_factory.mktemp("started"))


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_a_reading_command_loads_nothing_heavy(started: Started, arguments: tuple[str, ...]) -> None:
    """Q1: help and the reading verbs load no SQLAlchemy, SQLModel, pydantic, numpy, rich."""
    loaded = started.load(*arguments)
    assert "oz0mem" in loaded
    assert not loaded & HEAVY


@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_a_write_of_an_entry_speaks_plain_sql(started: Started, arguments: tuple[str, ...]) -> None:
    """Q1: entries are written on the DB-API connection, without the tables' classes."""
    loaded = started.load(*arguments)
    assert "sqlite3" in loaded
    assert not loaded & HEAVY


@pytest.mark.parametrize("arguments", [("list",), ("remember", "the lift is mended"), ("show", "n-0000")], ids=" ".join)
def test_a_command_that_is_over_has_closed_the_store(started: Started, arguments: tuple[str, ...]) -> None:
    """Q11, Q12: one file is left, whole without a log beside it, after an error too."""
    started.program.run(*arguments)
    assert [path.name for path in started.program.home.rglob("oz0mem.db*")] == ["oz0mem.db"]


@pytest.mark.parametrize(("arguments", "most"), COSTS)
def test_a_command_loads_no_more_modules_than_it_may_take_time(
    started: Started, arguments: tuple[str, ...], most: int
) -> None:
    """Q2: a start costs its imports; the times themselves, and what they may be, are told by bench/."""
    loaded = started.modules(*arguments)
    assert len(loaded) <= most, sorted(loaded)


def test_no_value_of_ours_is_a_dataclass() -> None:
    """Q2: thirty of them double a start; values here are named tuples and plain rows."""
    made = [source.path for source in read_sources(PACKAGE) if "dataclass" in source.text]
    assert not made


def test_completion_loads_nothing_heavy(started: Started) -> None:
    """Q1: a shell that completes a word waits for nothing."""
    asked = {"_OZ0MEM_COMPLETE": "complete_bash", "COMP_WORDS": "oz0mem reca", "COMP_CWORD": "1"}
    assert not started.load(**asked) & HEAVY


def test_importing_the_package_loads_nothing_else(started: Started) -> None:
    """Q1: who imports the package pays for what they then use."""
    line = [sys.executable, "-c", "import sys, oz0mem; print(*sys.modules)"]
    loaded = {name.partition(".")[0] for name in started.program.execute(line).stdout.split()}
    assert "oz0mem" in loaded
    assert not loaded & {*HEAVY, "typer", "sqlite3", "cryptography", "psycopg"}
