"""L4: a name stays as long as anything of the person does, and the reasons are told."""

from __future__ import annotations

import itertools

from oz0mem.model.erasures import Standing
from oz0mem.model.moments import DAY
from oz0mem.rules import unlinking

NOTHING = Standing(*[False] * 6)


def test_a_name_may_go_where_nothing_of_the_person_is_left() -> None:
    """L4: by hand and by the clock."""
    assert unlinking.why_kept(NOTHING, by_clock=True) == unlinking.why_kept(NOTHING, by_clock=False) == []


def test_each_thing_that_is_left_keeps_the_name_and_is_told() -> None:
    """L4, G43: every combination, in one order."""
    for flags in itertools.product((False, True), repeat=6):
        standing = Standing(*flags)
        held = standing.held or standing.restricted
        there = (standing.principal, standing.author, held, standing.remembered, standing.running)
        told = [reason for reason, is_there in zip(unlinking.REASONS, there, strict=True) if is_there]
        assert unlinking.why_kept(standing, by_clock=True) == told
        assert unlinking.why_kept(standing, by_clock=False) == [each for each in told if each != "job"]


def test_the_window_is_ninety_days_from_the_last_erasing_event() -> None:
    """L4: to the microsecond."""
    assert unlinking.over_since(100 * DAY) == 10 * DAY
    assert unlinking.RECEIPT_WINDOW == 90 * 86_400 * 1_000_000
