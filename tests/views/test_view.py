"""Times in views are moments until a door writes them."""

from __future__ import annotations

import time

import pytest

from oz0mem.views.view import Day, Moment, View, written

NINE = 1_790_845_200_000_000


def test_a_moment_is_written_in_utc() -> None:
    """C2: RFC 3339; a fraction only where there is one."""
    assert Moment(NINE).rfc3339() == "2026-10-01T09:00:00Z"
    assert Moment(NINE + 1).rfc3339() == "2026-10-01T09:00:00.000001Z"
    assert Day(NINE).rfc3339() == "2026-10-01T09:00:00Z"
    assert Moment(0).rfc3339() == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("UTC", "1 Oct 2026 09:00 UTC", "1 Oct 2026"),
        ("America/New_York", "1 Oct 2026 05:00 EDT", "1 Oct 2026"),
        ("Pacific/Kiritimati", "1 Oct 2026 23:00 +14", "1 Oct 2026"),
        ("Pacific/Pago_Pago", "30 Sep 2026 22:00 SST", "30 Sep 2026"),
    ],
)
def test_a_moment_is_told_in_local_time(zone: str, moment: str, day: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """C7: with its zone; of a day, the day where the reader is."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert Moment(NINE).local() == moment
        assert Day(NINE).local() == day
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_document_is_written_with_its_times_and_nothing_else_changed() -> None:
    """C2: at any depth; a tuple becomes a list, as JSON has it."""
    document = {"items": [{"ends": Moment(NINE), "size": NINE, "ended": False, "tags": ("a",)}], "next": None}
    assert written(document) == {
        "items": [{"ends": "2026-10-01T09:00:00Z", "size": NINE, "ended": False, "tags": ["a"]}],
        "next": None,
    }


def test_a_view_needs_only_what_it_shows() -> None:
    """C2: a change has a sentence and a document; no columns."""
    assert View("text", document={}, sentence="done").columns == ()
