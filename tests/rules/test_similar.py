"""When a text says nearly what another says (M3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.rules.similar import dice, least_shared, says_nearly_the_same
from oz0mem.rules.words import content_words

LETTERS = st.frozensets(st.sampled_from("abcdefghijkl"))


@pytest.mark.parametrize(
    ("likeness", "same_key", "similar"),
    [(0.8, False, True), (0.79, False, False), (0.6, False, False), (0.6, True, True), (0.59, True, False)],
)
def test_the_same_key_lowers_what_counts_as_nearly_the_same(likeness: float, same_key: bool, similar: bool) -> None:
    """M3: at least 0.8, or 0.6 with the same key."""
    assert says_nearly_the_same(likeness, same_key) is similar


def test_likeness_is_of_stemmed_content_words() -> None:
    """M3: inflection and stop words do not count."""
    one, other = (
        content_words("The customer ships to Lisbon"),
        content_words("customers are shipping to Lisbon"),
    )
    assert dice(one, other) == 1.0
    assert dice(one, content_words("the customer ships to Porto")) == pytest.approx(2 / 3)


def test_sets_with_nothing_to_compare_are_not_alike() -> None:
    """M3: nothing is like nothing."""
    assert dice(frozenset(), frozenset()) == 0.0
    assert dice(frozenset("a"), frozenset()) == 0.0


def test_four_of_five_is_exactly_the_limit() -> None:
    """M3: 2 × 4 / (5 + 5) is 0.8 and counts."""
    assert says_nearly_the_same(dice(frozenset("abcde"), frozenset("abcdx")), same_key=False)


@given(LETTERS, LETTERS, st.booleans())
def test_no_similar_entry_shares_fewer_words_than_the_bound(
    a: frozenset[str], b: frozenset[str], same_key: bool
) -> None:
    """M3: the bound spares no similar entry."""
    if says_nearly_the_same(dice(a, b), same_key):
        assert len(a & b) >= least_shared(len(a), same_key) > 0


@given(st.integers(1, 60), st.booleans())
def test_the_bound_is_reached(count: int, same_key: bool) -> None:
    """M3: no greater bound would do, as an entry of just those words is similar."""
    text = frozenset(map(str, range(count)))
    shared = frozenset(map(str, range(least_shared(count, same_key))))
    assert says_nearly_the_same(dice(text, shared), same_key)
