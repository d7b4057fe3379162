"""Some thousand damaged inputs of every kind: an answer or Unverified, and never a claim that was not made (L31).

The guided search for many more of them is ``tests/verify/fuzz.py``.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oz0mem import verify
from tests.verify.made import ANA, BOB, compact, key_file, simple

CODES = """not-json format field no-keys keys head ledger unknown-key key-retired downgrade signature name
    action subject order index proof root closing gap rollback fork"""
LEDGER = simple(erasures=2, before=4)
GOOD = LEDGER.receipt(since=4, checkpoint=LEDGER.head(signers=[ANA, BOB]))
HELD = LEDGER.head(4)
DATA, KEYS = compact(GOOD), key_file(ANA.entry(), BOB.entry())
CLAIM = verify.verify(DATA, KEYS, HELD)
UNHELD = CLAIM._replace(held=None)
PIECES = [
    b'"',
    b"\\",
    b"\\u0000",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"0",
    b"-1",
    b"1e9",
    b"null",
    b"true",
    b" ",
    b"\n",
]
PIECES += [
    b"\\ud800",
    b"\xe2\x80\x94",
    b"=",
    b"A",
    b"receipt.issued",
    b"memory.deleted",
    b"\xff",
    b'"n":1,',
    b"[]",
    b"{}",
]

many = settings(max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def told(receipt: bytes, keys: bytes = KEYS, held: str | None = HELD) -> verify.Verified | None:
    """What is proven, or None; anything but Unverified is a fault of the verifier."""
    try:
        return verify.verify(receipt, keys, held)
    except verify.Unverified as error:
        assert error.code in CODES.split()
        assert error.message
        assert error.message.isascii()
        assert error.message.isprintable()
        return None


@st.composite
def spliced(draw: st.DrawFn, data: bytes) -> bytes:
    """Data that was cut, put together again, and had pieces put in."""
    for _ in range(draw(st.integers(1, 3))):
        begin = draw(st.integers(0, len(data)))
        end = draw(
            st.one_of(st.just(begin), st.integers(begin, min(len(data), begin + 40)), st.integers(begin, len(data)))
        )
        piece = draw(st.sampled_from(PIECES) | st.binary(max_size=4) | st.just(data[begin:end] * 2))
        data = data[:begin] + piece + data[end:]
    return data


@many
@given(spliced(DATA))
def test_a_damaged_receipt_proves_what_it_proved_or_nothing(data: bytes) -> None:
    """L31: bytes cut, doubled, exchanged."""
    assert told(data) in (None, CLAIM)
    assert told(data, held=None) in (None, UNHELD)


@many
@given(spliced(KEYS))
def test_a_damaged_key_file_changes_who_signed_at_most(keys: bytes) -> None:
    """L13: with a key taken away, or its range changed, the claim is by the other key; it is never another claim."""
    found = told(DATA, keys)
    assert found is None or found._replace(key=CLAIM.key) == CLAIM
    assert found is None or found.key in (ANA.entry()["id"], BOB.entry()["id"])


@many
@given(spliced(HELD.encode()))
def test_a_damaged_head_is_the_same_head_or_none(head: bytes) -> None:
    """L31: as text of any kind; unknown lines may come and go."""
    text = head.decode("utf-8", "replace")
    assert told(DATA, held=text) in (None, CLAIM)
    try:
        body, lines = verify.read_note(text)
        assert text == f"{body}\n" + "".join(verify.signature_line(*line) for line in lines)
        assert body == verify.head_body(*verify.read_head(text))
    except verify.Unverified as error:
        assert error.code == "head"


@many
@given(st.binary(max_size=200) | spliced(b'{"oz0mem":"receipt/1","a":[{"b":"\\u00e9"},-1,true,null,"\\""]}'))
def test_json_is_read_as_others_read_it_or_not_at_all(data: bytes) -> None:
    """L31: strictly less than the standard library reads, and the same."""
    try:
        value = verify.read_json(data)
    except verify.Unverified as error:
        assert error.code in ("not-json", "field")
        return
    assert value == json.loads(data)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The place of every value in a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(each for name, part in inner for each in paths(part, (*path, name)))]


PATHS = [path for path in paths(GOOD) if path]
VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    2**53 - 1,
    "",
    "dana",
    "erin",
    [],
    {},
    [[]],
    [None],
    {"": 0},
    "\u202e",
    "=",
    "A" * 44,
]


@many
@given(
    st.lists(
        st.tuples(st.sampled_from(PATHS), st.sampled_from(VALUES) | st.sampled_from(PATHS)), min_size=1, max_size=3
    )
)
def test_a_receipt_with_other_values_proves_what_it_proved_or_nothing(
    changes: list[tuple[tuple[Any, ...], Any]],
) -> None:
    """L31: well-formed JSON of any shape: values taken out, put in, moved from elsewhere in the document."""
    document = json.loads(DATA)
    for path, value in changes:
        place, new = document, GOOD if isinstance(value, tuple) else value
        for name in value if isinstance(value, tuple) else ():
            new = new[name]
        try:
            for name in path[:-1]:
                place = place[name]
            place[path[-1]] = json.loads(json.dumps(new))
        except (KeyError, IndexError, TypeError):
            continue
    assert told(compact(document)) in (None, CLAIM)


@pytest.mark.parametrize("size", [1, 4, 15])
def test_the_good_ones_that_are_damaged_here_are_good(size: int) -> None:
    """L31: otherwise all of the above would hold for a verifier that refuses everything."""
    ledger = simple(erasures=2, before=4)
    document = ledger.receipt(since=size if size < ledger.size else 0)
    assert told(compact(document), held=ledger.head(min(size, ledger.size)))
    assert told(DATA) == CLAIM
