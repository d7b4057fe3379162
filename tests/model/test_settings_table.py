"""The table of settings against the value (G14)."""

from __future__ import annotations

import pytest

from oz0mem.model.settings import BY_KEY, TABLE, Settings


@pytest.mark.parametrize(
    ("key", "default", "least", "most", "option"),
    [
        ("default_days", 90, 1, 3650, "--default-days"),
        ("max_days", 365, 1, 3650, "--max-days"),
        ("max_records", 5000, 1, 20000, "--max-records"),
        ("max_bytes", 8388608, 1024, 67108864, "--max-bytes"),
        ("compatible", (), 0, 0, "--compatible/--no-compatible"),
        ("review", "untrusted", 0, 0, "--review"),
        ("retention_days", 365, 0, 3650, "--retention-days"),
        ("four_eyes", False, 0, 0, "--four-eyes/--no-four-eyes"),
        ("works_council", True, 0, 0, "--works-council/--no-works-council"),
        ("apart", (), 0, 0, "--apart/--not-apart"),
        ("recall_entries", 20, 1, 100, "--recall-entries"),
        ("recall_chars", 6000, 200, 60000, "--recall-chars"),
        ("scim_deactivate", "suspend", 0, 0, "--scim-deactivate"),
    ],
)
def test_each_setting_has_its_default_bounds_and_option(
    key: str, default: object, least: int, most: int, option: str
) -> None:
    """G14: the table as the specification has it."""
    row = BY_KEY[key]
    assert (row.default, row.least, row.most, row.option) == (default, least, most, option)
    assert getattr(Settings(), key) == default


def test_the_table_and_the_value_have_the_same_settings_in_the_same_order() -> None:
    """G14: a setting is one row and one field."""
    assert tuple(row.key for row in TABLE) == Settings._fields


def test_every_default_lies_within_its_bounds() -> None:
    """G14: a new tenant breaks no bound."""
    for row in TABLE:
        if row.shape in ("number", "bytes"):
            assert isinstance(row.default, int)
            assert row.least <= row.default <= row.most
        if row.shape == "choice":
            assert row.default in row.choices
