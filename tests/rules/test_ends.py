"""When entries end, are renewed and lapse: M6, M31, M35, M36, M37."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.errors import Refused
from oz0mem.model.kinds import KINDS, LEARNED, TIERS
from oz0mem.model.moments import DAY, SECOND, parse_moment, parse_rfc3339
from oz0mem.model.settings import Settings
from oz0mem.rules.ends import (
    brought_down,
    ends_at,
    erased_at_end,
    lapses_at,
    limit_now,
    renewed_end,
)

NOW = parse_rfc3339("2026-12-01T09:00:00Z")
PLAIN = Settings()
spans = st.none() | st.integers(1, 90 * DAY)
settings = st.integers(1, 3_650).flatmap(
    lambda most: st.builds(Settings, default_days=st.integers(1, most), max_days=st.just(most))
)


def end(kind: str = "note", tier: str = "person", given: int | None = None, retain: int | None = None) -> int:
    return ends_at(kind, tier, False, NOW, given, PLAIN, retain)


@pytest.mark.parametrize(
    ("kind", "tier", "retain", "days"),
    [
        ("note", "person", None, 90),
        ("note", "unreviewed", None, 90),
        ("decision", "published", 30 * DAY, 90),
        ("semantic", "person", 30 * DAY, 30),
        ("semantic", "person", 90 * DAY, 90),
        ("semantic", "published", 90 * DAY, 90),
        ("semantic", "unreviewed", 90 * DAY, 30),
        ("procedural", "unreviewed", 10 * DAY, 10),
        ("episodic", "person", None, 90),
        ("episodic", "unreviewed", None, 30),
    ],
)
def test_without_a_given_end_the_default_is_cut_to_the_nearest_limit(
    kind: str, tier: str, retain: int | None, days: int
) -> None:
    """M6: the tenant's default, or `retain` for learned kinds, within the tier's cap."""
    assert end(kind, tier, None, retain) == NOW + days * DAY


def test_a_default_longer_than_the_retention_of_learned_kinds_does_not_lengthen_them() -> None:
    """M6: `retain` decides, and the tenant's longest end still cuts it."""
    short = Settings(default_days=5, max_days=7)
    assert ends_at("semantic", "person", True, NOW, None, short, 30 * DAY) == NOW + 7 * DAY


@pytest.mark.parametrize(
    ("kind", "tier", "retain", "limit", "days"),
    [
        ("note", "person", None, "longest", 365),
        ("note", "unreviewed", 10 * DAY, "longest", 365),
        ("rule", "unreviewed", None, "longest", 365),
        ("semantic", "person", 20 * DAY, "retain", 20),
        ("semantic", "person", 90 * DAY, "retain", 90),
        ("semantic", "unreviewed", 90 * DAY, "tier", 30),
        ("procedural", "published", None, "tier", 90),
    ],
)
def test_an_end_too_late_is_refused_with_the_limit_that_is_nearest(
    kind: str, tier: str, retain: int | None, limit: str, days: int
) -> None:
    """M6: refused, never cut; the last allowed microsecond is allowed."""
    latest = NOW + days * DAY
    assert end(kind, tier, latest, retain) == latest
    with pytest.raises(Refused) as refused:
        end(kind, tier, latest + 1, retain)
    error = refused.value
    assert (error.code, error.rule, error.exit_code) == ("memory.ends", "M6", 3)
    assert (error.facts["limit"], error.facts["limit_days"]) == (limit, days)
    assert f"{days} days" in error.message
    assert str(error.facts["latest"]) in error.hint


@pytest.mark.parametrize("given", [0, NOW - 1, NOW])
def test_an_end_that_has_passed_is_refused(given: int) -> None:
    """M6: an entry that ended when it was written was never kept."""
    with pytest.raises(Refused, match="has passed") as refused:
        end(given=given)
    assert refused.value.facts["limit"] == "past"
    assert end(given=NOW + 1) == NOW + 1


def test_an_end_is_named_as_it_was_typed() -> None:
    """M6, C7: a day as an end is the next day's first instant, and is told as that day."""
    with pytest.raises(Refused, match="the end of 2020-01-01 has passed"):
        end(given=parse_moment("2020-01-01", NOW, edge="until"))
    with pytest.raises(Refused, match="the end 2020-01-01T09:00:00Z has passed"):
        end(given=parse_moment("2020-01-01T09:00:00Z", NOW, edge="until"))
    with pytest.raises(Refused, match="the end of 2099-12-31 is too late"):
        end(given=parse_moment("2099-12-31", NOW, edge="until"))


@pytest.mark.parametrize(("about_person", "meaning"), [(True, "erased"), (False, "reviewed")])
def test_the_refusal_says_what_the_end_would_mean(about_person: bool, meaning: str) -> None:
    """M6, M36: about a person it erases, about work it is a review date."""
    with pytest.raises(Refused) as refused:
        ends_at("note", "person", about_person, NOW, NOW + 366 * DAY, PLAIN, None)
    assert meaning in refused.value.hint


def test_a_retention_in_hours_is_said_in_days() -> None:
    """M6: and keeps its hours."""
    with pytest.raises(Refused, match=r"1\.50 days"):
        end("semantic", "person", NOW + 2 * DAY, 36 * 3_600 * SECOND)


@given(st.sampled_from([*KINDS]), st.sampled_from(TIERS), st.booleans(), spans, settings)
def test_no_end_by_default_is_past_any_limit_or_before_the_entry(
    kind: str, tier: str, about_person: bool, retain: int | None, tenant: Settings
) -> None:
    """M6: after its beginning, and within the tenant's longest end, `retain` and the tier's cap."""
    ends = ends_at(kind, tier, about_person, NOW, None, tenant, retain)
    assert NOW < ends <= NOW + tenant.max_days * DAY
    assert ends <= limit_now(kind, tier, NOW, tenant, retain)
    if kind in LEARNED:
        assert ends <= NOW + (30 if tier == "unreviewed" else 90) * DAY
        assert retain is None or ends <= NOW + retain


@given(st.sampled_from([*KINDS]), st.sampled_from(TIERS), spans, settings, st.integers(-DAY, 4_000 * DAY))
def test_a_given_end_is_kept_exactly_or_refused(
    kind: str, tier: str, retain: int | None, tenant: Settings, after: int
) -> None:
    """M6: nothing between the two."""
    allowed = NOW < NOW + after <= limit_now(kind, tier, NOW, tenant, retain)
    try:
        assert ends_at(kind, tier, False, NOW, NOW + after, tenant, retain) == NOW + after
        assert allowed
    except Refused:
        assert not allowed


def test_a_shorter_longest_end_brings_an_end_down_and_never_up() -> None:
    """M37: on accepting, confirming or replacing; counted from the first version."""
    shorter = Settings(default_days=10, max_days=30)
    limit = limit_now("note", "person", NOW, shorter, None)
    assert limit == NOW + 30 * DAY
    assert brought_down(NOW + 90 * DAY, limit) == limit
    assert brought_down(NOW + 5 * DAY, limit) == NOW + 5 * DAY


@pytest.mark.parametrize(("days", "expected"), [(None, 90), (1, 1), (365, 365)])
def test_renewing_moves_the_end_from_now(days: int | None, expected: int) -> None:
    """M35: the default days, or those given, up to the longest end."""
    assert renewed_end(NOW, days, PLAIN) == NOW + expected * DAY


@pytest.mark.parametrize("days", [366, 10**12, 0, -1])
def test_renewing_for_more_than_the_longest_end_or_for_nothing_is_refused(days: int) -> None:
    """M35: naming the longest end."""
    with pytest.raises(Refused, match="1 to 365 days") as refused:
        renewed_end(NOW, days, PLAIN)
    assert (refused.value.code, refused.value.rule) == ("memory.ends", "M35")


def test_renewing_does_not_lift_the_limit_of_a_learned_entry() -> None:
    """M35, M6: the default is cut to it, more days are refused, and past it there is nothing to renew."""
    cap = NOW + 20 * DAY
    assert renewed_end(NOW, None, PLAIN, cap=cap) == cap
    assert renewed_end(NOW, 20, PLAIN, cap=cap) == cap
    for days, limit in ((21, cap), (None, NOW), (1, NOW)):
        with pytest.raises(Refused, match="learned") as refused:
            renewed_end(NOW, days, PLAIN, cap=limit)
        assert refused.value.rule == "M35"


def test_a_held_entry_waits_fourteen_days() -> None:
    """M31: to the microsecond."""
    assert lapses_at(NOW) == parse_rfc3339("2026-12-15T09:00:00Z")


@pytest.mark.parametrize("kind", [*KINDS])
def test_the_end_erases_what_is_about_a_person_and_every_learned_entry(kind: str) -> None:
    """M36: procedural too; other work stays for review."""
    assert erased_at_end(kind, about_person=True)
    assert erased_at_end(kind, about_person=False) == (kind in ("episodic", "semantic", "procedural"))
