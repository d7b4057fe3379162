"""Imports: other programs' files as records, each bad part told with its line."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.adapters.imports.jsonl import read_jsonl
from oz0mem.adapters.imports.lines import MAX_LINE, bound_lines
from oz0mem.adapters.imports.mem0 import read_mem0
from oz0mem.model.moments import parse_rfc3339
from oz0mem.model.records import BadRecord, Record

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures/imports"
Read = list[Record | BadRecord]


def from_lines(text: str) -> Read:
    """What is read from JSON Lines."""
    return list(read_jsonl(bound_lines(io.BytesIO(text.encode()))))


def from_mem0(raw: str | bytes) -> Read:
    """What is read from a file of mem0's."""
    return list(read_mem0(io.BytesIO(raw if isinstance(raw, bytes) else raw.encode())))


def test_json_lines_are_records_with_their_lines() -> None:
    """M11: keys and times of writing are kept, so that the newer fact replaces the older."""
    with (FIXTURES / "memories.jsonl").open("rb") as stream:
        read = list(read_jsonl(stream))
    first, lisbon, porto, ana = read
    assert first == Record(
        1, "Deploys happen on Wednesdays.", when=parse_rfc3339("2026-09-01T08:30:00Z"), tags=("deploy",)
    )
    city = Record(0, "", "dana", "semantic", key="shipping_city")
    assert lisbon == city._replace(line=3, text="Dana ships to Lisbon.", when=parse_rfc3339("2026-10-01T00:00:00Z"))
    assert porto == city._replace(line=4, text="Dana ships to Porto.", when=parse_rfc3339("2026-10-03T09:00:00Z"))
    assert ana == Record(5, "Ana räumt freitags auf.", "ana", tags=("büro", "freitag"))


def test_a_byte_order_mark_and_windows_line_ends_are_taken() -> None:
    """C7: whoever wrote the file."""
    assert from_lines('\ufeff{"text": "a"}\r\n\r\n{"text": "b"}\r\n') == [Record(1, "a"), Record(3, "b")]


BAD_LINES = [
    ('{"text": "a", "who": "dana"}', "who"),
    ('{"about": "dana"}', "text"),
    ('{"text": " "}', "text"),
    ('{"text": 7}', "text"),
    ('{"text": "\\ud800"}', "text"),
    ('{"text": "a", "about": "dana smith"}', "about"),
    ('{"text": "a", "about": "user:dana"}', "about"),
    ('{"text": "a", "about": "everyone"}', "about"),
    ('{"text": "a", "about": ["dana"]}', "about"),
    ('{"text": "a", "kind": "fact"}', "kind"),
    ('{"text": "a", "kind": []}', "kind"),
    ('{"text": "a", "kind": "procedural", "about": "dana"}', "about"),
    ('{"text": "a", "when": "yesterday"}', "when"),
    ('{"text": "a", "when": "30d"}', "when"),
    ('{"text": "a", "when": "2026-13-01"}', "when"),
    ('{"text": "a", "when": 1790000000}', "when"),
    ('{"text": "a", "key": ""}', "key"),
    ('{"text": "a", "key": "' + "k" * 201 + '"}', "key"),
    ('{"text": "a", "tags": "x"}', "tags"),
    ('{"text": "a", "tags": [1]}', "tags"),
    ('{"text": "a", "tags": ["' + "t" * 65 + '"]}', "tags"),
    ('{"text": "a", "tags": ' + json.dumps([str(n) for n in range(17)]) + "}", "tags"),
    ('{"text": "a", "text": "b"}', ""),
    ('{"text": NaN}', ""),
    ('{"text": ' + "9" * 5000 + "}", ""),
    ('{"text": ' + "[" * 100_000, ""),
    ("{'text': 'a'}", ""),
    ('["a"]', ""),
    ('{"text": "' + "a" * MAX_LINE + '"}', ""),
]


@pytest.mark.parametrize(("line", "field"), BAD_LINES)
def test_a_bad_line_is_told_with_its_number_and_field_and_the_others_are_read(line: str, field: str) -> None:
    """M1, M4: what no write could keep; and the reason never repeats the line."""
    first, bad, last = from_lines('{"text": "before"}\n' + line + '\n{"text": "after"}')
    assert (first, last) == (Record(1, "before"), Record(3, "after"))
    assert isinstance(bad, BadRecord)
    assert (bad.line, bad.field) == (2, field)
    assert "smith" not in bad.why
    assert len(bad.why) < 200


def test_a_large_file_is_never_whole_in_memory() -> None:
    """C6: 40 MB of lines, one of them 8 MB long, in less than 8 MB."""

    class Long(io.RawIOBase):
        """A file that is made while it is read."""

        def __init__(self) -> None:
            line = json.dumps({"text": "x" * 1000}).encode() + b"\n"
            self.parts: Iterator[bytes] = iter([line] * 16_000 + [b"x" * 65_536] * 128 + [b"\n"] + [line] * 16_000)
            self.rest = b""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            """Fill a buffer."""
            into = memoryview(cast("bytearray", buffer))
            while not self.rest:
                part = next(self.parts, None)
                if part is None:
                    return 0
                self.rest = part
            size = min(len(into), len(self.rest))
            into[:size], self.rest = self.rest[:size], self.rest[size:]
            return size

    def lines_of(stream: BinaryIO) -> Iterator[Record | BadRecord]:
        return read_jsonl(bound_lines(stream))

    for read in (lines_of, read_mem0):
        tracemalloc.start()
        records = sum(1 for _ in read(cast("BinaryIO", io.BufferedReader(Long()))))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert records == 32_001
        assert peak < 8_000_000


def test_an_empty_file_holds_nothing() -> None:
    """C3: nothing to do is no fault."""
    for raw in ("", "\n\n", "[]", '{"results": []}', "\ufeff"):
        assert from_mem0(raw) == []
    assert from_lines("") == []


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["dana", "work"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["text", "about", "kind", "when", "key", "tags", "memory", "content", "user_id", "created_at", "metadata",
     "categories", "state", "id", "expiration_date", "results", "memories", "user", "relations",
     "category_ids"]
)  # fmt: skip
OBJECTS = st.dictionaries(FIELDS, st.one_of(PLAIN, st.lists(st.dictionaries(FIELDS, PLAIN, max_size=3), max_size=2)))
FILES = st.one_of(
    st.binary(max_size=80),
    st.text(st.sampled_from('{}[]":,ab1\\ \n\r'), max_size=40).map(lambda text: text.encode()),
    st.lists(OBJECTS, max_size=3).map(lambda items: "\n".join(json.dumps(item) for item in items).encode()),
    OBJECTS.map(lambda item: json.dumps(item, indent=1).encode()),
    st.lists(OBJECTS, max_size=3).map(lambda items: json.dumps(items).encode()),
    st.binary(max_size=60).map(lambda tail: b"PK\x03\x04" + tail),
)


@given(FILES)
def test_no_file_does_more_than_be_read_or_told(raw: bytes) -> None:
    """Q12: whatever it holds, every part is a record or a bad one with a line."""
    for read in (from_mem0(raw), list(read_jsonl(bound_lines(io.BytesIO(raw))))):
        for record in read:
            assert record.line >= 1
            if isinstance(record, Record):
                assert record.text.strip()
                assert record.about
                record.text.encode()
                "".join(record.tags).encode()
