"""The comparison of pages with the program can tell the two apart."""

from __future__ import annotations

import pytest

from tests.docs.sessions import Command, File, find_difference, read_page, use_ids

PAGE = """\
<!-- $ oz0mem init -->
```yaml concierge.yaml
name: concierge
```
```console
$ oz0mem list \\
>   --held
kept n-4be1906c22d1
$ oz0mem nonsense
no such command
(exit 2)
```
```console unrun
$ oz0mem serve
```
```bash
pip install oz0mem
```
"""


def test_a_page_is_its_files_and_commands_in_order() -> None:
    assert read_page(PAGE) == [
        Command("oz0mem init", None, 0),
        File("concierge.yaml", "name: concierge\n"),
        Command("oz0mem list \\\n  --held", ["kept n-4be1906c22d1"], 0),
        Command("oz0mem nonsense", ["no such command"], 2),
    ]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("kept, until 1 Mar 2027", "kept, until 12 Apr 2028"),
        ("at 2026-12-01T10:00:00Z it ended", "at 2027-01-31T23:59:59.123456Z it ended"),
        ("a  b", "a     b"),
        ("token …, kept", "token 0f3a, kept"),
        ("first\n…\nlast", "first\nsecond\nthird\nlast"),
        ("n-4be1906c22d1 and n-4be1906c22d1", "n-aaaaaaaaaaaa and n-aaaaaaaaaaaa"),
    ],
)
def test_what_differs_from_run_to_run_is_let_through(page: str, said: str) -> None:
    assert find_difference(page.splitlines(), said, {}) == ""


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("kept 3", "kept 4"),
        ("kept", "kept\nand more"),
        ("kept\nand more", "kept"),
        ("until 1 Mar 2027", "until tomorrow"),
        ("n-4be1906c22d1", "m-4be1906c22d1"),
        ("n-4be1906c22d1 and n-4be1906c22d1", "n-aaaaaaaaaaaa and n-bbbbbbbbbbbb"),
        ("first\n…\nlast", "first\nsecond\nthird"),
        ("a b", "ab"),
    ],
)
def test_what_is_not_so_is_found(page: str, said: str) -> None:
    assert find_difference(page.splitlines(), said, {}) != ""


def test_later_commands_use_the_id_that_was_made() -> None:
    ids: dict[str, str] = {}
    assert find_difference(["kept n-4be1906c22d1"], "kept n-aaaaaaaaaaaa", ids) == ""
    assert use_ids("oz0mem show n-4be1906c22d1", ids) == "oz0mem show n-aaaaaaaaaaaa"
    assert find_difference(["n-4be1906c22d1"], "n-bbbbbbbbbbbb", ids) != ""
