"""Changing settings within their bounds (G14), and what loosens (G11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.errors import Invalid, Oz0Error, Refused
from oz0mem.model.settings import TABLE, Setting, Settings
from oz0mem.rules.settings import change, is_loosening

PLAIN = Settings()
WIDE = Settings(default_days=1, max_days=3650)
NUMBERS = [row for row in TABLE if row.shape in ("number", "bytes")]


@pytest.mark.parametrize("setting", NUMBERS, ids=[row.key for row in NUMBERS])
def test_a_number_is_taken_at_its_bounds_and_refused_beyond(setting: Setting) -> None:
    """G14: the refusal names both limits and what was given."""
    for number in (setting.least, setting.most):
        assert getattr(change(WIDE, {setting.key: number}), setting.key) == number
    for number in (setting.least - 1, setting.most + 1):
        with pytest.raises(Refused) as refused:
            change(WIDE, {setting.key: number})
        error = refused.value
        assert (error.code, error.rule, error.exit_code) == ("settings.bounds", "G14", 3)
        expected = {"setting": setting.key, "given": number, "least": setting.least, "most": setting.most}
        assert error.facts == expected
        assert f"{setting.least:,} to {setting.most:,} {setting.unit}" in error.message


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("default_days", "30", 30),
        ("max_bytes", "16MiB", 16 << 20),
        ("max_bytes", "4096", 4096),
        ("max_bytes", 4096, 4096),
        ("retention_days", 0, 0),
        ("review", "all", "all"),
        ("four_eyes", True, True),
        ("works_council", "off", False),
        ("scim_deactivate", "forget", "forget"),
        ("compatible", ["support>billing"], (("support", "billing"),)),
        ("compatible", ["b:a", "a>b"], (("a", "b"), ("b", "a"))),
        ("apart", ["m:a", ("a", "m"), ["x", "b"]], (("a", "m"), ("b", "x"))),
    ],
)
def test_a_setting_takes_each_spelling_of_its_value(key: str, value: object, expected: object) -> None:
    """G14: nothing but that setting changes."""
    new = change(PLAIN, {key: value})
    assert new == PLAIN._replace(**{key: expected})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("default_days", "thirty", "settings.value"),
        ("default_days", "٣٠", "settings.value"),
        ("default_days", "-1", "settings.value"),
        ("default_days", "9" * 5_000, "settings.value"),
        ("default_days", 1.5, "settings.value"),
        ("default_days", True, "settings.value"),
        ("default_days", None, "settings.value"),
        ("max_bytes", "16MB", "bytes.bad"),
        ("max_bytes", None, "settings.value"),
        ("review", "none", "settings.value"),
        ("review", ["all"], "settings.value"),
        ("four_eyes", "yes", "settings.value"),
        ("four_eyes", 1, "settings.value"),
        ("scim_deactivate", "delete", "settings.value"),
        ("compatible", "support>billing", "settings.value"),
        ("compatible", [3], "settings.value"),
        ("compatible", [("a", "b", "c")], "settings.value"),
        ("compatible", ["a>a"], "settings.pair"),
        ("compatible", ["a>b>c"], "settings.pair"),
        ("compatible", ["a>"], "name.bad"),
        ("apart", ["a:a"], "settings.pair"),
        ("apart", ["a>b"], "name.bad"),
        ("colour", "blue", "settings.unknown"),
    ],
)
def test_a_value_of_another_shape_is_refused(key: str, value: object, code: str) -> None:
    """G14: no truth value for a number, no digit but ASCII ones, no setting that there is not."""
    with pytest.raises(Invalid) as refused:
        change(PLAIN, {key: value})
    assert refused.value.code == code


@pytest.mark.parametrize("updates", [{"max_days": 30}, {"default_days": 400}, {"default_days": 31, "max_days": 30}])
def test_a_longest_end_below_the_default_end_is_refused_with_both_numbers(updates: dict[str, object]) -> None:
    """G14: whichever of the two was changed."""
    after = {"default_days": 90, "max_days": 365} | updates
    with pytest.raises(Refused) as refused:
        change(PLAIN, updates)
    assert refused.value.code == "settings.bounds"
    assert f"longest end, {after['max_days']} days" in refused.value.message
    assert f"default end, {after['default_days']} days" in refused.value.message


@pytest.mark.parametrize("order", [("default_days", "max_days"), ("max_days", "default_days")])
def test_both_ends_changed_at_once_are_judged_together(order: tuple[str, str]) -> None:
    """G14: in whatever order they are named."""
    values = {"default_days": 500, "max_days": 600}
    new = change(PLAIN, {key: values[key] for key in order})
    assert (new.default_days, new.max_days) == (500, 600)


def test_a_bare_word_is_answered_with_the_quoted_form() -> None:
    """G14: the shell took the rest of an unquoted pair."""
    with pytest.raises(Invalid) as refused:
        change(PLAIN, {"compatible": ["support"]})
    assert refused.value.code == "settings.pair"
    assert "--compatible 'support>OTHER'" in refused.value.hint


def test_a_pair_of_purposes_is_one_way_and_a_wall_stands_both_ways() -> None:
    """G15, M25: the order of purposes counts, that of compartments does not."""
    for text, pair in (("a>b", ("a", "b")), ("a:b", ("a", "b")), ("b>a", ("b", "a"))):
        assert change(PLAIN, {"compatible": [text]}).compatible == (pair,)
    for text in ("m:a", "a:m"):
        assert change(PLAIN, {"apart": [text]}).apart == (("a", "m"),)
    with pytest.raises(Invalid) as refused:
        change(PLAIN, {"apart": ["alone"]})
    assert "--apart alone:OTHER" in refused.value.hint


def test_pairs_are_added_and_taken_away_one_by_one() -> None:
    """G14: what stays is sorted, each once; taking away what is not there changes nothing."""
    first = change(PLAIN, {"compatible": ["b>c", "a>b"], "apart": ["x:y"]})
    assert change(first, {"compatible": ["a>b"], "no_compatible": ["c>b"], "not_apart": ["x:z"]}) == first
    second = change(first, {"compatible": ["c>d"], "no_compatible": ["b>c"], "not_apart": ["y:x"]})
    assert second.compatible == (("a", "b"), ("c", "d"))
    assert second.apart == ()
    with pytest.raises(Invalid, match="one command"):
        change(first, {"not_apart": ["y:x"], "apart": ["x:y"]})


@pytest.mark.parametrize(
    ("old", "new", "loosened"),
    [
        ({"default_days": 90}, {"default_days": 91}, ["default_days"]),
        ({"default_days": 90}, {"default_days": 89}, []),
        ({"max_days": 365}, {"max_days": 366}, ["max_days"]),
        ({"max_days": 365}, {"max_days": 364}, []),
        ({"max_records": 5}, {"max_records": 6}, ["max_records"]),
        ({"max_bytes": 2000}, {"max_bytes": 2001}, ["max_bytes"]),
        ({"max_records": 6, "max_bytes": 2001}, {"max_records": 5, "max_bytes": 2000}, []),
        ({"retention_days": 365}, {"retention_days": 364}, ["retention_days"]),
        ({"retention_days": 365}, {"retention_days": 366}, ["retention_days"]),
        ({"recall_entries": 20}, {"recall_entries": 21}, ["recall_entries"]),
        ({"recall_chars": 6000}, {"recall_chars": 6001}, ["recall_chars"]),
        ({"recall_entries": 20, "recall_chars": 6000}, {"recall_entries": 1, "recall_chars": 200}, []),
        ({"review": "all"}, {"review": "untrusted"}, ["review"]),
        ({"review": "untrusted"}, {"review": "proposals"}, ["review"]),
        ({"review": "proposals"}, {"review": "all"}, []),
        ({"four_eyes": True}, {"four_eyes": False}, ["four_eyes"]),
        ({"four_eyes": False}, {"four_eyes": True}, []),
        ({"works_council": True}, {"works_council": False}, ["works_council"]),
        ({"works_council": False}, {"works_council": True}, []),
        ({"compatible": ()}, {"compatible": (("a", "b"),)}, ["compatible"]),
        ({"compatible": (("a", "b"),)}, {"compatible": (("b", "a"),)}, ["compatible"]),
        ({"compatible": (("a", "b"),)}, {"compatible": ()}, []),
        ({"apart": (("a", "b"),)}, {"apart": ()}, ["apart"]),
        ({"apart": ()}, {"apart": (("a", "b"),)}, []),
        ({"scim_deactivate": "suspend"}, {"scim_deactivate": "forget"}, []),
        ({}, {"recall_chars": 7000, "max_days": 400}, ["max_days", "recall_chars"]),
    ],
)
def test_loosening_is_told_from_tightening(old: dict[str, object], new: dict[str, object], loosened: list[str]) -> None:
    """G11: longer, higher, wider, weaker or off; retention either way."""
    before = PLAIN._replace(**old)  # type: ignore[arg-type]
    after = PLAIN._replace(**new)  # type: ignore[arg-type]
    assert is_loosening(before, after) == loosened
    assert is_loosening(before, before) == []


numbers = st.integers(-10, 70_000_000)
updates = st.fixed_dictionaries({}, optional={row.key: numbers for row in NUMBERS})


@given(updates)
def test_a_change_is_whole_and_within_bounds_or_refused(given_updates: dict[str, object]) -> None:
    """G14: never half a change, never an end longer than the longest."""
    try:
        new = change(PLAIN, given_updates)
    except Oz0Error as refused:
        assert refused.code == "settings.bounds"
        return
    assert new == PLAIN._replace(**given_updates)  # type: ignore[arg-type]
    assert new.default_days <= new.max_days
    for row in NUMBERS:
        assert row.least <= getattr(new, row.key) <= row.most
