"""When texts and names are the same (M2)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.rules.sameness import fold_name, same_text

SAME = [
    ("Straße 5", "STRASSE 5"),
    ("Cafe\u0301", "caf\u00e9"),
    ("ＦＵＬＬ　ｗｉｄｔｈ", "full width"),
    ("two  words\n", "\tTwo\u00a0words"),
    ("ﬁne", "fine"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ("\u1fb3", "\u0391\u0345"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_alike_by_compatibility_case_and_white_space_are_the_same(one: str, other: str) -> None:
    """M2: NFKC, case folded, white space collapsed."""
    assert same_text(one) == same_text(other)


@pytest.mark.parametrize(("one", "other"), [("cafe", "café"), ("a b", "ab"), ("tea", "tea."), ("e-mail", "email")])
def test_texts_that_differ_otherwise_are_not_the_same(one: str, other: str) -> None:
    """M2: sameness is not likeness; marks, punctuation and gaps count."""
    assert same_text(one) != same_text(other)


def test_names_keep_their_white_space() -> None:
    """M13: a name folds, and inner space of a text alone collapses."""
    assert fold_name("Dana  X") == "dana  x"
    assert same_text(" Active \n Customer ") == "active customer"


@given(st.text(max_size=60))
def test_folding_is_at_rest_and_blind_to_the_form_of_the_input(text: str) -> None:
    """M2: folding twice changes nothing, and composed and decomposed input give one spelling."""
    for folding in (fold_name, same_text):
        once = folding(text)
        assert folding(once) == once
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            assert folding(unicodedata.normalize(form, text)) == once
