"""Moments and durations: C7 for what people type, Q14 for one answer on every machine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.errors import Invalid
from oz0mem.model.moments import (
    DAY,
    FIRST,
    HOUR,
    LAST,
    SECOND,
    parse_duration,
    parse_moment,
    parse_rfc3339,
    rfc3339,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
moments = st.integers(FIRST, LAST)
offsets = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda m: timezone(timedelta(minutes=m)))


def us(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


@given(moments)
def test_a_moment_is_written_as_the_calendar_of_python_writes_it(at: int) -> None:
    """Q14: the civil calendar of its own agrees with datetime to the microsecond."""
    expected = (EPOCH + timedelta(microseconds=at)).isoformat().replace("+00:00", "Z")
    assert rfc3339(at) == expected


def test_every_year_begins_and_ends_where_python_says() -> None:
    """Q14: first and last instants of all 8,030 years, and the days around the end of February."""
    for year in range(1970, 10_000):
        march = datetime(year, 3, 1, tzinfo=UTC)
        assert rfc3339(us(datetime(year, 1, 1, tzinfo=UTC))) == f"{year}-01-01T00:00:00Z"
        assert rfc3339(us(datetime(year, 12, 31, tzinfo=UTC)) + DAY - 1) == f"{year}-12-31T23:59:59.999999Z"
        assert parse_rfc3339(f"{year}-03-01T00:00:00Z") == us(march)
        assert rfc3339(us(march) - DAY) == f"{year}-02-{(march - timedelta(days=1)).day}T00:00:00Z"


@given(moments)
def test_what_is_written_is_read_back(at: int) -> None:
    """C7, Q14: no moment changes by being written and read."""
    assert parse_rfc3339(rfc3339(at)) == at


@given(st.datetimes(datetime(1970, 1, 3), datetime(9999, 12, 29)), offsets)
def test_an_offset_names_the_same_moment_elsewhere(local: datetime, zone: timezone) -> None:
    """C7: RFC 3339 with any offset is the moment that datetime says."""
    aware = local.replace(tzinfo=zone)
    assert parse_rfc3339(aware.isoformat()) == us(aware)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:00:00-01:00", 0),
        ("1970-01-01t01:00:00.000001+01:00", 1),
        ("1970-01-01T00:00:00.5z", SECOND // 2),
        ("1970-01-01T00:00:00.123456789Z", 123_456),
        ("1970-01-01T00:00:01-00:00", SECOND),
        ("9999-12-31T23:59:59.999999Z", LAST),
    ],
)
def test_rfc3339_is_read_in_each_of_its_spellings(text: str, expected: int) -> None:
    """C7: letters of either case, fractions of any length, offsets of either sign."""
    assert parse_rfc3339(text) == expected


@pytest.mark.parametrize("text", ["2026-12-01T09:00:00", "2026-12-01T09:00:00.25"])
def test_a_time_without_an_offset_is_refused_with_how_to_write_it(text: str) -> None:
    """C7: naive and aware are never mixed."""
    with pytest.raises(Invalid, match="offset from UTC: 2026-12-01T09:00:00Z") as refused:
        parse_rfc3339(text)
    assert refused.value.code == "moment.bad"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Z",
        "yesterday",
        "2026-12-01 09:00:00Z",
        "2026-12-01T09:00Z",
        "2026-12-01T24:00:00Z",
        "2026-12-01T23:60:00Z",
        "2026-12-31T23:59:60Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2100-02-29T00:00:00Z",
        "2026-12-01T09:00:00.Z",
        "2026-12-01T09:00:00+1:00",
        "2026-12-01T09:00:00+0100",
        "2026-12-01T09:00:00+24:00",
        "2026-12-01T09:00:00+01:60",
        "2026-12-01T09:00:00Zulu",
        "2026-12-01T09:00:00Z\n",
        "٢٠٢٦-12-01T09:00:00Z",
        "2026-12-01T0٩:00:00Z",
        "+026-12-01T09:00:00Z",
        "2026-12-0²T09:00:00Z",
        "1969-12-31T23:59:59.999999Z",
        "1970-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "0000-01-01T00:00:00Z",
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    """C7: no digits but ASCII ones, no day that is not, nothing outside 1970 to 9999."""
    with pytest.raises(Invalid) as refused:
        parse_rfc3339(text)
    assert (refused.value.code, refused.value.exit_code) == ("moment.bad", 2)


@pytest.mark.parametrize("at", [FIRST - 1, LAST + 1])
def test_a_moment_outside_the_years_1970_to_9999_is_not_written(at: int) -> None:
    """C7: such a moment has no four-digit year."""
    with pytest.raises(Invalid, match="1970 to 9999"):
        rfc3339(at)


def test_a_day_begins_with_its_first_instant_and_ends_with_that_of_the_next() -> None:
    """C7: periods are [from, until), so that no second lies in two days."""
    first = us(datetime(2026, 12, 1, tzinfo=UTC))
    assert parse_moment("2026-12-01", 0, edge="from") == first
    assert parse_moment("2026-12-01", 0, edge="until") == first + DAY == parse_moment("2026-12-02", 0, edge="from")


@pytest.mark.parametrize(("text", "span"), [("30d", 30 * DAY), ("12h", 12 * HOUR), ("720h0m0s", 30 * DAY), ("0s", 0)])
def test_a_duration_counts_from_now(text: str, span: int) -> None:
    """C7: thirty days are 30 times 24 hours, whatever the calendar does."""
    now = us(datetime(2026, 3, 1, 12, tzinfo=UTC))
    assert parse_moment(text, now, edge="from") == parse_moment(text, now, edge="until") == now + span


def test_a_whole_time_is_the_same_at_either_edge() -> None:
    """C7: only a day is wider than an instant."""
    text = "2026-12-01T09:00:00+01:00"
    assert parse_moment(text, 0, edge="from") == parse_moment(text, 0, edge="until") == parse_rfc3339(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "30",
        "d",
        "-30d",
        "2026-1-01",
        "2026-12-32",
        "2026-12-1",
        "9999-12-31",
        "99999999d",
        "30d ago",
        "2026-12-01T",
    ],
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    """C7: refused rather than guessed; the last day has no next one to end with."""
    with pytest.raises(Invalid) as refused:
        parse_moment(text, 0, edge="until")
    assert refused.value.code == "moment.bad"


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("720h0m0s", 720 * HOUR),
        ("3m0s", 180 * SECOND),
        ("30d", 30 * DAY),
        ("1d12h", 36 * HOUR),
        ("90s", 90 * SECOND),
        ("0h0m0s", 0),
        ("007d", 7 * DAY),
    ],
)
def test_a_duration_is_read_as_go_writes_it(text: str, span: int) -> None:
    """C7: and days, which Go has not."""
    assert parse_duration(text) == span


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "30",
        "d",
        "h30",
        "-1h",
        "+1h",
        "1.5h",
        "1h1h",
        "1m1h",
        "1w",
        "1H",
        "1 h",
        "1h ",
        "١h",
        "1²h",
        "5ms",
    ]
    + ["9" * 16 + "s", "9" * 5_000 + "d", "99999999d"],
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    """C7: neither sign, fraction, foreign digit nor a span past the last year."""
    with pytest.raises(Invalid) as refused:
        parse_duration(text)
    assert (refused.value.code, refused.value.exit_code) == ("duration.bad", 2)


@given(st.text(max_size=40) | st.from_regex(r"[0-9TZ:+.-]{10,32}", fullmatch=True))
def test_foreign_text_is_read_or_refused_and_never_breaks_the_reader(text: str) -> None:
    """C7, Q13: nothing but a moment in range or an `Invalid` comes back."""
    try:
        assert FIRST <= parse_moment(text, 0, edge="until") <= LAST
    except Invalid as refused:
        assert refused.code == "moment.bad"
