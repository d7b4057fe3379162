"""Every session that README and docs show is run, and answers what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.sessions import Command, File, find_difference, read_page, use_ids
from tests.program import ROOT, Program

README = ROOT / "README.md"
PAGES = [
    page
    for page in [README, *sorted((ROOT / "docs").rglob("*.md"))]
    if page.is_file() and any(isinstance(step, Command) for step in read_page(page.read_text("utf-8")))
]


def test_the_readme_shows_sessions() -> None:
    assert README in PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_says_what_the_program_does(page: Path, program: Program) -> None:
    ids: dict[str, str] = {}
    for step in read_page(page.read_text("utf-8")):
        if isinstance(step, File):
            (program.folder / step.name).write_text(step.text, encoding="utf-8")
        else:
            run_command(program, step, ids)


def run_command(program: Program, command: Command, ids: dict[str, str]) -> None:
    """Run one command of a page and compare its answer and its status."""
    line = use_ids(command.line, ids)
    ran = program.execute(["sh", "-c", line])
    said = (ran.stdout + ran.stderr).replace(str(program.home), "~")
    assert ran.returncode == command.status, f"$ {line}\n{said}"
    if command.answer is not None:
        difference = find_difference(command.answer, said, ids)
        assert not difference, f"$ {line}\n{difference}"
