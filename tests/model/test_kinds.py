"""The table of kinds, and the order of tiers (M24)."""

from __future__ import annotations

from itertools import product

import pytest

from oz0mem.model import kinds


@pytest.mark.parametrize(
    ("kind", "prefix", "learned", "scope", "proposal"),
    [
        ("note", "n", False, "agent", False),
        ("decision", "d", False, "tenant", True),
        ("definition", "t", False, "tenant", True),
        ("rule", "r", False, "project", True),
        ("episodic", "m", True, "agent", False),
        ("semantic", "m", True, "agent", False),
        ("procedural", "m", True, "agent", False),
    ],
)
def test_each_kind_brings_what_its_row_says(kind: str, prefix: str, learned: bool, scope: str, proposal: bool) -> None:
    """M30: prefix, whether it is learned or proposed, and where it goes by default."""
    row = kinds.KINDS[kind]
    assert row == (prefix, learned, proposal, scope)


def test_there_are_seven_kinds_three_learned_and_three_proposals() -> None:
    """M30, M6: the lists that follow from the table."""
    assert len(kinds.KINDS) == 7
    assert kinds.LEARNED == ("episodic", "semantic", "procedural")
    assert kinds.PROPOSALS == ("decision", "definition", "rule")
    assert kinds.PREFIXES == "ndtrm"


@pytest.mark.parametrize(("a", "b"), [*product(kinds.TIERS, repeat=2)])
def test_the_lower_of_two_tiers_is_the_less_trusted(a: str, b: str) -> None:
    """M24: person before published before unreviewed, in whatever order they are met."""
    trust = {"person": 3, "published": 2, "unreviewed": 1}
    found = kinds.lower(a, b)
    assert trust[found] == min(trust[a], trust[b])
    assert found == kinds.lower(b, a)


def test_ended_and_lapsed_are_no_states() -> None:
    """M31: they are views of the clock, so nothing may store them."""
    assert not set(kinds.VIEWS) & set(kinds.STATES)
    assert kinds.NEW not in kinds.STATES
