"""The generated pages are the program's own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.reference import PAGES, VARIABLES, find_variables


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_generated_page_is_up_to_date(page: Path) -> None:
    """C3, C8, G14: write it anew with `python -m tests.docs.reference --write`."""
    assert page.read_text(encoding="utf-8") == PAGES[page]()


def test_every_variable_that_the_program_reads_is_told() -> None:
    """C1: an option has its variable, and no other is read."""
    assert find_variables() == set(VARIABLES)
