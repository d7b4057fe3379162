"""Canonical JSON: the public vectors of RFC 8785, and what is refused because two programs could disagree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.rules import canonical

VECTORS = Path(__file__).resolve().parents[2].parent / "shared/cases/vectors/jcs_rfc8785.json"

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    TEXTS | st.booleans() | st.integers(-1, canonical.MAX_INTEGER),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def number(text: str) -> object:
    """Read 56.0 as the integer that RFC 8785 writes it as."""
    return int(float(text)) if float(text).is_integer() and "E" not in text else float(text)


def test_the_public_vectors_are_written_as_rfc_8785_wants_them() -> None:
    """L10: those without null and fractions; L2: the others are refused."""
    if not VECTORS.exists():
        pytest.skip("shared/cases/vectors/jcs_rfc8785.json is not here")
    vectors = {each["name"]: each for each in json.loads(VECTORS.read_text())["vectors"]}
    for name in ("french", "structures", "unicode", "weird"):
        value = json.loads(vectors[name]["input"], parse_float=number)
        assert canonical.encode(value) == vectors[name]["output"].encode(), name
    for name in ("arrays", "values"):
        with pytest.raises(ValueError, match="canonical JSON"):
            canonical.encode(json.loads(vectors[name]["input"]))
    string = json.loads(vectors["values"]["input"])["string"]
    assert canonical.encode({"string": string}).decode()[1:] in vectors["values"]["output"]


def test_keys_are_sorted_by_utf_16_units() -> None:
    """L10: a character past U+FFFF begins with D8xx, so it stands before U+FB33, not after."""
    assert canonical.encode({"\ufb33": 1, "\U0001f602": 2}) == '{"\U0001f602":2,"\ufb33":1}'.encode()
    assert canonical.encode([{"\ufb33": 1, "\U0001f602": {"b": 1, "a": 2}}]) == (
        '[{"\U0001f602":{"a":2,"b":1},"\ufb33":1}]'.encode()
    )


def test_only_what_must_be_escaped_is() -> None:
    """L10: RFC 8785 section 3.2.2.2."""
    assert canonical.encode('\b\t\n\f\r"\\/\x00\x1f\x7f\u2028é') == (
        '"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u001f\x7f\u2028é"'.encode()
    )


@pytest.mark.parametrize(
    "value",
    [1.0, float("nan"), None, b"x", (1,), {1}, 2**53, -2, {1: "x"}, {True: "x"}, {None: "x"}, "\ud800"],
)
def test_what_has_no_agreed_form_is_refused_however_deep_it_stands(value: object) -> None:
    """L2: no float, no null, integers to 2**53 - 1, and no lone surrogate."""
    for nested in (
        value,
        [value],
        ["a", value, "b"],
        {"a": value},
        {"ö": [value]},
        {"a": "b", "c": {"d": value}},
    ):
        with pytest.raises(ValueError, match="canonical JSON"):
            canonical.encode(nested)


def test_a_lone_surrogate_in_a_key_is_refused() -> None:
    """L2: by either way of sorting."""
    for key in ("\udfff", "a\ud83d"):
        with pytest.raises(ValueError, match="lone surrogate"):
            canonical.encode({key: 1, "a": 2})


def test_nesting_has_a_floor() -> None:
    """L10: what is nested without end, or in itself, is refused and does not exhaust the stack."""
    deep: list[Any] = []
    for _ in range(canonical.MAX_DEPTH - 1):
        deep = [deep]
    assert canonical.encode(deep) == b"[" * canonical.MAX_DEPTH + b"]" * canonical.MAX_DEPTH
    with pytest.raises(ValueError, match="nested deeper"):
        canonical.encode([deep])
    deep.append(deep)
    with pytest.raises(ValueError, match="nested deeper"):
        canonical.encode(deep)


def test_a_refusal_never_repeats_a_text() -> None:
    """Q15: neither in its sentence nor in what it was raised from."""
    with pytest.raises(ValueError) as caught:
        canonical.encode({"text": "Dana takes the late train \ud800", "n": 1})
    error: BaseException | None = caught.value
    while error is not None:
        assert "Dana" not in repr(error.args)
        error = error.__cause__ or error.__context__


@given(VALUES)
def test_bytes_say_the_value_and_do_not_depend_on_the_order_of_keys(value: Any) -> None:
    """L10: one value, one byte string."""
    data = canonical.encode(value)
    assert json.loads(data) == value
    assert canonical.encode(backwards(value)) == data
    assert canonical.encode(json.loads(data)) == data


def backwards(value: Any) -> Any:
    """Turn every object's keys around."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(each) for each in value] if isinstance(value, list) else value


@given(st.dictionaries(TEXTS, st.integers(0, 9)))
def test_the_keys_come_in_the_order_of_their_utf_16_units(value: dict[str, int]) -> None:
    """L10: read back in the order in which they stand."""
    keys = [key for key, _ in json.loads(canonical.encode(value), object_pairs_hook=list)]
    units = [[*memoryview(key.encode("utf-16-le")).cast("H")] for key in keys]
    assert units == sorted(units)
