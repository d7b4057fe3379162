"""M26: a cursor is taken only from the reader whom it was given to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.agreements import Bookmark
from oz0mem.model.errors import Invalid
from oz0mem.rules import cursors

if TYPE_CHECKING:
    from collections.abc import Callable

KEY, OTHER = b"k" * 64, b"o" * 64
NUMBER = st.integers(0, 2**63 - 1)


def refused(key: bytes, who: str, cursor: str) -> bool:
    """Whether a cursor is refused, as what it is."""
    with pytest.raises(Invalid) as caught:
        cursors.read(key, who, cursor)
    return (caught.value.code, caught.value.rule) == ("changed.cursor", "M26")


@given(NUMBER, NUMBER, NUMBER)
def test_a_cursor_says_what_was_written_into_it(first: int, event: int, moment: int) -> None:
    """M26: for every position; another reader's and another tenant's are refused."""
    written = cursors.write(KEY, "a", Bookmark(first, event, moment))
    assert cursors.read(KEY, "a", written) == (first, event, moment)
    assert refused(KEY, "b", written)
    assert refused(OTHER, "a", written)


@given(st.text(max_size=90))
def test_no_made_up_text_is_a_cursor(text: str) -> None:
    """M26: whatever it is, it is refused and never a fault."""
    assert refused(KEY, "a", text)


@pytest.mark.parametrize(
    "bend",
    [
        lambda c: c[:-1] + ("0" if c[-1] != "0" else "1"),
        lambda c: ("0" if c[0] != "0" else "1") + c[1:],
        lambda c: c.upper(),
        lambda c: c + "00",
        lambda c: c[:-2],
        lambda c: " " + c[1:],
        lambda c: "٠" + c[1:],
    ],
)
def test_a_bent_cursor_is_refused(bend: Callable[[str], str]) -> None:
    """M26: no digit of it may change."""
    written = cursors.write(KEY, "a", Bookmark(1, 2, 1_000_000))
    assert bend(written) != written
    assert refused(KEY, "a", bend(written))


def test_a_cursor_tells_nothing_of_the_ledger() -> None:
    """M26: positions that are alike do not look alike, and no number of the ledger stands in it."""
    one, other = (cursors.write(KEY, "a", Bookmark(7, event, 9)) for event in (70, 71))
    assert sum(a == b for a, b in zip(one, other, strict=True)) < 30
    assert "0" * 8 not in one
