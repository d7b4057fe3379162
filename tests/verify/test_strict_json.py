"""Texts that two readers could understand differently: JSON, canonical JSON, base64 (L10, L31)."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem import verify
from oz0mem.rules import canonical

VECTORS = Path(__file__).resolve().parents[2].parent / "shared/cases/vectors/jcs_rfc8785.json"

BAD = (
    ("nothing", b""),
    ("white space", b" \n"),
    ("byte order mark", b"\xef\xbb\xbf{}"),
    ("not UTF-8", b'{"a":"\xff"}'),
    ("a surrogate in UTF-8", b'{"a":"\xed\xa0\x80"}'),
    ("overlong UTF-8", b'{"a":"\xc0\xaf"}'),
    ("UTF-16", '{"a":1}'.encode("utf-16")),
    ("two documents", b"{}{}"),
    ("trailing text", b"{} x"),
    ("trailing comma", b'{"a":1,}'),
    ("comment", b"{} // x"),
    ("single quotes", b"{'a':1}"),
    ("no quotes", b"{a:1}"),
    ("control character in a string", b'{"a":"\n"}'),
    ("zero byte", b'{"a":"\x00"}'),
    ("unknown escape", b'{"a":"\\x41"}'),
    ("half an escape", b'{"a":"\\u12"}'),
    ("open string", b'{"a":"'),
    ("open object", b'{"a":1'),
    ("key twice", b'{"a":1,"a":1}'),
    ("key twice by an escape", b'{"a":1,"\\u0061":1}'),
    ("key twice inside", b'[{"b":[{"a":1,"a":2}]}]'),
    ("NaN", b"[NaN]"),
    ("infinity", b"[Infinity]"),
    ("minus infinity", b"[-Infinity]"),
    ("float", b"[1.0]"),
    ("exponent", b"[1e2]"),
    ("minus zero", b"[-0]"),
    ("minus zero as a float", b"[-0.0]"),
    ("leading zero", b"[01]"),
    ("plus", b"[+1]"),
    ("hexadecimal", b"[0x1]"),
    ("Arabic digits", "[\u0661]".encode()),
    ("an underscore", b"[1_0]"),
    ("2^53", b"[9007199254740992]"),
    ("-2^53", b"[-9007199254740992]"),
    ("5,000 digits", b"[" + b"9" * 5000 + b"]"),
    ("nested 13 deep", b"[" * 13 + b"]" * 13),
    ("objects nested 13 deep", b'{"a":' * 13 + b"1" + b"}" * 13),
    ("nested 100,000 deep", b"[" * 100_000),
    ("nested deep behind an escaped quote", b'["\\"",' + b"[" * 50_000),
    ("nested deep behind an escaped backslash", b'["\\\\",' + b"[" * 50_000),
)

GOOD: tuple[tuple[bytes, Any], ...] = (
    (b" {} \r\n\t", {}),
    (b"null", None),
    (b"[9007199254740991,-9007199254740991,0,-1]", [2**53 - 1, 1 - 2**53, 0, -1]),
    (b'"\\u00e9\\ud83d\\ude02\\/\\b\\f\\n\\r\\t\\"\\\\"', '\u00e9\U0001f602/\b\f\n\r\t"\\'),
    (b'["[[[[[[[[[[[[[[[","{\\"{{{{{{{{{{{{{{{{{{{","\\\\"]', ["[" * 15, '{"' + "{" * 19, "\\"]),
    (b"[" * 12 + b"]" * 12, [[[[[[[[[[[[]]]]]]]]]]]]),
    (b'{"a":{"a":1},"b":{"a":1}}', {"a": {"a": 1}, "b": {"a": 1}}),
    (b'{"\\u0000":"\\u0000"}', {"\0": "\0"}),
)


@pytest.mark.parametrize("data", [data for _, data in BAD], ids=[name for name, _ in BAD])
def test_what_could_mean_two_things_is_not_json(data: bytes) -> None:
    """L31: and no parser is asked to follow a nesting down."""
    with pytest.raises(verify.Unverified) as caught:
        verify.read_json(data)
    assert caught.value.code == "not-json"
    assert caught.value.message.isascii()


@pytest.mark.parametrize(("data", "value"), GOOD)
def test_what_means_one_thing_is_read(data: bytes, value: object) -> None:
    """L31: every type, every escape, the largest numbers, the deepest nesting, brackets in strings."""
    assert verify.read_json(data) == value


@pytest.mark.parametrize("data", [b'["\\ud800"]', b'{"\\udc00":1}', b'["\\udc00\\ud800"]'])
def test_a_lone_surrogate_is_told_as_a_field(data: bytes) -> None:
    """L31: JSON allows it, and nothing can be said with it."""
    with pytest.raises(verify.Unverified) as caught:
        verify.read_json(data)
    assert caught.value.code == "field"


def test_a_document_of_8_mib_is_read_and_a_byte_more_is_not() -> None:
    """L31: as is one of a smaller limit."""
    data = b'"' + b"a" * ((8 << 20) - 2) + b'"'
    assert len(verify.read_json(data)) == len(data) - 2
    with pytest.raises(verify.Unverified, match="8388608"):
        verify.read_json(data + b" ")
    with pytest.raises(verify.Unverified, match="over 3 bytes"):
        verify.read_json(b"null", 3)


@pytest.mark.parametrize(
    "data", [b"[" + b"[]," * 2_700_000 + b"[]]", b'"\\' * 4_000_000, b'{"' * 4_000_000, b"-" * (8 << 20)]
)
def test_the_largest_documents_are_judged_in_one_pass(data: bytes) -> None:
    """L31: brackets, backslashes, quotes, signs: read a few times over, and never every byte for every byte."""
    try:
        assert verify.read_json(data)
    except verify.Unverified as error:
        assert error.code == "not-json"


plain = st.recursive(
    st.booleans() | st.integers(-1, 2**53 - 1) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner),
    max_leaves=12,
)


@given(plain)
def test_canonical_json_is_that_of_the_program(value: object) -> None:
    """L10: names are ASCII, and so two ways to sort them are one; and reading it gives the value again."""
    assert verify.canonical(value) == canonical.encode(value)
    assert verify.read_json(verify.canonical(value)) == value


def test_public_vectors_of_canonical_json() -> None:
    """L10: those without floats, and whose names sort alike by code points; an event's are ASCII."""
    if not VECTORS.exists():
        pytest.skip("shared/cases/vectors/jcs_rfc8785.json is not here")
    vectors = {case["name"]: case for case in json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]}
    for name in ("arrays", "french", "unicode"):
        assert verify.canonical(verify.read_json(vectors[name]["input"].encode())).decode() == vectors[name]["output"]
    for name in ("structures", "values"):
        with pytest.raises(verify.Unverified, match="not an integer"):
            verify.read_json(vectors[name]["input"].encode())
    weird = json.loads(vectors["weird"]["input"])
    assert canonical.encode(weird).decode() == vectors["weird"]["output"]


@pytest.mark.parametrize(
    "text",
    ["A", "AA", "AAA", "AA=", "AA===", "A===", "====", "=", "AAAA=", "AAAA====", "AB==", "AAB=", "AA==AA==", "AA=A"]
    + ["AAA A", " AAAA", "AAAA\n", "AA\nAA", "AAA-", "AAA_", "AAA\u0410", "\u0661AAA", "AAAA\0", "%%%%", "A\ud800AA"],
)
def test_base64_has_one_form(text: str) -> None:
    """L31: no white space, no stray bits, no other alphabet, the padding that is due."""
    with pytest.raises(verify.Unverified) as caught:
        verify.unbase64(text, "head")
    assert caught.value.code == "head"


@given(st.binary(max_size=100))
def test_base64_reads_what_was_written(data: bytes) -> None:
    """L31: and only that."""
    assert verify.unbase64(base64.b64encode(data).decode()) == data


@given(st.text(st.sampled_from("ABCw/+=4"), max_size=12))
def test_no_two_texts_are_the_same_bytes(text: str) -> None:
    """L31: whatever is accepted is what those bytes are written as."""
    try:
        data = verify.unbase64(text)
    except verify.Unverified:
        return
    assert base64.b64encode(data).decode() == text
