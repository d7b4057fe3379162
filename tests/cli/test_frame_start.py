"""What a start costs: the modules it loads, asked of a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys

import pytest

from oz0mem import __version__
from tests.cli.frame import ROOT, run, run_at_terminal, surroundings

HEAVY = (
    "sqlalchemy",
    "sqlmodel",
    "pydantic",
    "numpy",
    "rich",
    "yaml",
    "alembic",
    "cryptography",
    "importlib.metadata",
)
WATCHED = """
import sys
from oz0mem.cli.main import run
code = run(sys.argv[1:]{rows})
sys.stdout.flush()
sys.stderr.write("\\nloaded " + " ".join(sys.modules))
"""
ON_TRIED = ", rows=__import__('tests.cli.frame_commands', fromlist=['ROWS']).ROWS"


def loaded(*arguments: str, rows: str = "", **variables: str) -> set[str]:
    """The modules that a run has loaded at its end."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED.format(rows=rows), *arguments],
        capture_output=True,
        env=surroundings(**variables),
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    return set(done.stderr.decode().rpartition("loaded ")[2].split())


def commands_in(modules: set[str]) -> set[str]:
    """The modules of commands among them."""
    places = ("memory", "agent", "identity", "rules", "audit", "store", "demo")
    return {name for name in modules if name.startswith("oz0mem.cli.") and name.split(".")[2] in places}


def test_the_version_loads_next_to_nothing() -> None:
    """Q1: not even the parser."""
    modules = loaded("--version")
    assert not {"typer", "typing", "re", "oz0mem.cli.catalogue"} & modules
    assert run("--version").out == f"oz0mem {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_root_help_loads_neither_parser_nor_command(arguments: list[str]) -> None:
    """Q1: the catalogue is enough."""
    modules = loaded(*arguments)
    assert not {"typer", *HEAVY} & modules
    assert not commands_in(modules)


@pytest.mark.parametrize(
    "variables",
    [
        {"_OZ0MEM_COMPLETE": "complete_bash", "COMP_WORDS": "oz0mem ", "COMP_CWORD": "1"},
        {"_OZ0MEM_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "oz0mem "},
        {
            "_OZ0MEM_COMPLETE": "complete_fish",
            "_TYPER_COMPLETE_ARGS": "oz0mem agent ",
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        },
        {"_OZ0MEM_COMPLETE": "complete_powershell", "_TYPER_COMPLETE_ARGS": "oz0mem "},
    ],
    ids=["bash", "zsh", "fish", "powershell"],
)
def test_completion_of_names_loads_no_command_and_nothing_heavy(variables: dict[str, str]) -> None:
    """Q1: names and lines are in the catalogue."""
    modules = loaded(**variables)
    assert "typer" in modules
    assert not set(HEAVY) & modules
    assert not commands_in(modules)


@pytest.mark.parametrize("arguments", [["agent", "--help"], ["--json", "--help"], ["lst"], ["agent"]])
def test_help_of_a_group_and_an_unknown_word_load_no_command(arguments: list[str]) -> None:
    """Q1: nothing is resolved, so nothing is imported."""
    modules = loaded(*arguments)
    assert not set(HEAVY) & modules
    assert not commands_in(modules)


@pytest.mark.parametrize("format_", ["table", "json", "jsonl", "csv"])
def test_a_list_in_a_pipe_loads_nothing_heavy(format_: str) -> None:
    """Q1: rich is for tables at a terminal, YAML for YAML."""
    assert not set(HEAVY) & loaded("list", "--format", format_, rows=ON_TRIED)
    assert "yaml" in loaded("list", "--format", "yaml", rows=ON_TRIED)


def test_a_terminal_gets_rich() -> None:
    """Q1: the counterpart, so that the tests above can fail."""
    words = [sys.executable, "-c", WATCHED.format(rows=ON_TRIED)]
    assert " rich.table " in run_at_terminal("list", program=words).out.replace("\n", " ")
