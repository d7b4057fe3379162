"""The patterns of an event's fields: one spelling for each thing, and nothing that only looks like it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model import moments
from oz0mem.rules import event_fields
from tests.rules.example_events import FIELDS, build, fields_of


@pytest.mark.parametrize(
    ("good", "text"),
    [
        (True, "n-4be1906c22d1"),
        (True, "m_gbkygqwdf4ujr7h6"),
        (True, "abc-" + "0" * 32),
        (True, "abc_" + "0" * 10),
        (False, "n-4be1906c2"),
        (False, "abcd-4be1906c22d1"),
        (False, "-4be1906c22d1"),
        (False, "n4be1906c22d1"),
        (False, "N-4be1906c22d1"),
        (False, "n-4be1906c22D1"),
        (False, "n-_4be1906c22d1"),
        (False, "n-4be190-6c22d1"),
        (False, "1-4be1906c22d1"),
        (False, "n-4be1906c22d١"),
        (False, "abc-" + "0" * 33),
        (False, "n-4be1906c22d1\n"),
        (False, " n-4be1906c22d1"),
    ],
)
def test_an_id_has_one_shape(good: bool, text: str) -> None:
    """L2: one to three letters, a mark, ten to thirty-two digits or letters, all ASCII."""
    assert event_fields.is_id(text) is good


@given(st.integers(moments.FIRST, moments.LAST))
def test_a_time_is_written_as_the_calendar_has_it_and_read_back(at: int) -> None:
    """L2: RFC 3339 with milliseconds, cut and not rounded."""
    text = event_fields.timestamp(at)
    exact = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)
    assert text == exact.strftime(f"{exact.year:04}-%m-%dT%H:%M:%S.") + f"{exact.microsecond // 1000:03}Z"
    assert event_fields.moment(text) == at - at % 1000


@pytest.mark.parametrize(
    "text",
    [
        "2026-10-03T09:00:00Z",
        "2026-10-03T09:00:00.0000Z",
        "2026-10-03T09:00:00.000+00:00",
        "2026-10-03t09:00:00.000z",
        "2026-10-03 09:00:00.000Z",
        "2026-02-29T09:00:00.000Z",
        "2026-10-03T24:00:00.000Z",
        "2026-10-03T23:59:60.000Z",
        "2026-10-03T09:00:00.00٣Z",
        "1969-12-31T23:59:59.999Z",
        "",
    ],
)
def test_a_time_in_another_form_is_not_one(text: str) -> None:
    """L2: one instant, one spelling."""
    with pytest.raises(ValueError, match="."):
        event_fields.moment(text)


@pytest.mark.parametrize("at", [-1, moments.LAST + 1])
def test_a_time_that_has_no_such_form_is_refused(at: int) -> None:
    """L2: years have four digits."""
    with pytest.raises(ValueError, match="outside"):
        build("job.ended", {"job": FIELDS["job"]}, at=at)


@pytest.mark.parametrize("date", ["2026-02-29", "2026-13-01", "2026-1-01", "20261001", "none ", "never", "2026-11-0٢"])
def test_backups_end_on_a_day_that_exists(date: str) -> None:
    """L23: or never began."""
    fields = fields_of("memory.deleted")
    for good in ("none", "2028-02-29"):
        build("memory.deleted", {**fields, "backups_until": good})
    with pytest.raises(ValueError, match="'backups_until'"):
        build("memory.deleted", {**fields, "backups_until": date})


def test_a_salt_is_sixteen_bytes_and_has_one_spelling() -> None:
    """L6: the last character's four low bits are zero."""
    for salt in ("A" * 21, "A" * 23, "A" * 21 + "B", "A" * 21 + "=", "A" * 20 + "+A"):
        with pytest.raises(ValueError, match="'salt'"):
            build("job.ended", {"job": FIELDS["job"]}, salt=salt)


@pytest.mark.parametrize("origin", ["", "-a", "a b", "a+b", "ä.example", "https://a", "a\n", "a" * 129])
def test_an_origin_can_stand_in_a_signed_note(origin: str) -> None:
    """L1: without a scheme, a space or a plus."""
    assert event_fields.is_origin("acme.example/oz0mem")
    assert not event_fields.is_origin(origin)
