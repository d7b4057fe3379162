"""A page names only what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.program import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PATHS = re.compile(r"`((?:oz0mem|tests|docs|bench|completions)/(?!(?:entry|agent|approval|token|keys)/)[\w./-]+)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_and_links_of_a_page_are_there(page: Path) -> None:
    """Every file that a page names in backticks, and every page that it links to, with its heading."""
    text = page.read_text(encoding="utf-8")
    gone = [path for path in PATHS.findall(text) if not (ROOT / path).exists()]
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, heading = target.partition("#")
        linked = page.parent / path if path else page
        if not linked.is_file() or (heading and not has_heading(linked.read_text(encoding="utf-8"), heading)):
            gone.append(target)
    assert not gone


def has_heading(text: str, anchor: str) -> bool:
    """Whether a page has a heading that a link leads to."""
    return anchor in {
        re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in re.findall(r"^#+ (.+)$", text, re.M)
    }


def test_rooms_of_the_house_are_there() -> None:
    """The table of rooms names files of the floor that its column stands for."""
    table = (ROOT / "docs/house.md").read_text(encoding="utf-8").split("## Rooms")[1].split("\n\n")[2]
    floors = ("", "", "actions", "store", "views", "cli")
    gone = [
        f"{floor}/{room}"
        for line in table.splitlines()[2:]
        for floor, cell in zip(floors, line.strip("|").split("|"), strict=True)
        for room in re.findall(r"`([\w/.]+)`", cell)
        if not (ROOT / "oz0mem" / floor / room).exists()
    ]
    assert table.count("\n") > 5
    assert not gone
