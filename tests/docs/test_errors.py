"""The list of errors is the code's own list."""

from __future__ import annotations

import re

from tests.docs.errors import PAGE, read_kinds, read_raised, write_page


def test_the_page_of_errors_says_what_the_code_raises() -> None:
    """C4: codes are listed in docs/errors.md; write it anew with `python -m tests.docs.errors --write`."""
    assert PAGE.read_text(encoding="utf-8") == write_page()


def test_every_code_is_lower_case_words_and_dots() -> None:
    """C4: a code can be matched, and stays."""
    codes = {raised.code for raised in read_raised()}
    assert codes
    assert not [code for code in codes if not re.fullmatch(r"[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)*", code)]


def test_a_code_has_one_exit_status() -> None:
    """C3, C4: a script that knows the code knows the status."""
    kinds = read_kinds()
    seen: dict[str, dict[int, str]] = {}
    for raised in read_raised():
        seen.setdefault(raised.code, {})[kinds[raised.kind]] = raised.place
    assert not {code: places for code, places in seen.items() if len(places) > 1}
