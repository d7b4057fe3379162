"""Text is shown, never obeyed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.views.escape import is_hidden, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, päivä, 記憶, العربية, 🙂, e\u0301", "plain, päivä, 記憶, العربية, 🙂, e\u0301"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x00\x07\x08\x7f\r", "\\x00\\x07\\x08\\x7f\\x0d"),
        ("\x9b31m\x85", "\\x9b31m\\x85"),
        ("\u202eevil\u202c", "\\u202eevil\\u202c"),
        ("\u2066a\u2069\u200e\u200f\u061c", "\\u2066a\\u2069\\u200e\\u200f\\u061c"),
        ("a\u200bb\u200cc\u200dd\ufeffe\u2060f\u00adg", "a\\u200bb\\u200cc\\u200dd\\ufeffe\\u2060f\\xadg"),
        ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
        ("\ud800", "\\ud800"),
        ("\U000e0041\U000e0100", "\\U000e0041\\U000e0100"),
        ("\u3164\uffa0\u115f\u034f\ufe00", "\\u3164\\uffa0\\u115f\\u034f\\ufe00"),
        ("no\u00a0break, wide\u3000space", "no\u00a0break, wide\u3000space"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("\\x1b stays", "\\x1b stays"),
    ],
)
def test_what_acts_or_hides_is_shown_by_its_number(text: str, shown: str) -> None:
    """C9: controls, escapes, bidirectional marks, zero-width, separators, surrogates, tags, fillers."""
    assert visible(text) == shown


def test_line_feeds_and_tabs_are_kept_or_marked() -> None:
    """C9: a text keeps its lines, a cell of a table marks them."""
    assert visible("a\tb\nc") == "a\tb\nc"
    assert visible("a\tb\nc", newline="↵", tab=" ") == "a b↵c"


@given(st.text(st.characters()))
def test_nothing_that_acts_comes_out(text: str) -> None:
    """C9: for all text; and what is shown is shown the same again."""
    shown = visible(text, newline="↵", tab=" ")
    assert not any(is_hidden(character) for character in shown)
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in shown)
    assert visible(shown, newline="↵", tab=" ") == shown


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"], max_codepoint=0x10FF)))
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    """C9: letters, digits, signs and spaces of the living scripts are untouched."""
    kept = "".join(character for character in text if character not in "\u115f\u1160")
    assert visible(kept) == kept
