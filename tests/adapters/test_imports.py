"""Imports: other programs' files as records, each bad part told with its line."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.adapters.imports.jsonl import read_jsonl
from oz0mem.adapters.imports.lines import MAX_LINE, bound_lines
from oz0mem.adapters.imports.mem0 import read_mem0
from oz0mem.adapters.imports.mem0_files import MAX_DOCUMENT
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


def from_file(name: str) -> Read:
    """What is read from one of mem0's fixtures."""
    with (FIXTURES / name).open("rb") as stream:
        return list(read_mem0(stream))


def test_json_lines_are_records_with_their_lines() -> None:
    """M11: keys and times of writing are kept, so that the newer fact replaces the older."""
    with (FIXTURES / "memories.jsonl").open("rb") as stream:
        read = list(read_jsonl(stream))
    first, lisbon, porto, ana = read
    assert first == Record(
        1, "Deploys happen on Wednesdays.", when=parse_rfc3339("2026-09-01T08:30:00Z"), tags=("deploy",)
    )
    city = Record(0, "", "dana", "semantic", key="shipping_city")
    assert lisbon == city._replace(
        line=3, text="Dana ships to Lisbon.", when=parse_rfc3339("2026-10-01T00:00:00Z")
    )
    assert porto == city._replace(
        line=4, text="Dana ships to Porto.", when=parse_rfc3339("2026-10-03T09:00:00Z")
    )
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
            self.parts: Iterator[bytes] = iter(
                [line] * 16_000 + [b"x" * 65_536] * 128 + [b"\n"] + [line] * 16_000
            )
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


def test_what_the_library_answers_is_read() -> None:
    """M10: the person, the time of writing and mem0's own id are kept; the digest of the text is not."""
    about_dana, about_work = from_file("mem0-get-all.json")
    assert about_dana == Record(
        3,
        "Prefers dotted A5 notebooks",
        "dana",
        when=parse_rfc3339("2026-09-14T18:02:11.482913Z"),
        tags=("category=stationery", "verified=true"),
        source={"repository": "mem0", "path": "6f1c2d1e-0b5e-4b8a-9a55-0f5f5d0f7a11"},
        left_out=("agent_id", "run_id"),
    )
    assert isinstance(about_work, Record)
    assert (about_work.about, about_work.when) == ("work", parse_rfc3339("2026-09-15T08:30:36.275141Z"))
    assert about_work.ends == parse_rfc3339("2027-02-01T00:00:00Z")


def test_a_page_of_the_platform_is_read_and_a_user_id_that_is_no_subject_is_told() -> None:
    """M4: a subject id has no spaces."""
    good, bad = from_file("mem0-page.json")
    assert isinstance(good, Record)
    assert (good.line, good.about, good.tags, good.left_out) == (
        2,
        "bob",
        ("travel", "plans"),
        ("metadata.files",),
    )
    assert isinstance(bad, BadRecord)
    assert (bad.line, bad.field) == (3, "user_id")
    assert "smith" not in bad.why


def test_lines_of_memories_are_read_in_the_typescript_spelling_too() -> None:
    """M10: one memory a line, as a script writes what the client answered."""
    good, bad = from_file("mem0-memories.jsonl")
    assert isinstance(good, Record)
    assert (good.about, good.tags) == ("ana", ("work", "type=professional"))
    assert good.when == parse_rfc3339("2026-08-01T06:00:00Z")
    assert bad == BadRecord(2, "memory is empty", "memory")


@pytest.mark.parametrize("packed", [False, True])
def test_the_export_of_openmemory_is_read_with_its_names(packed: bool) -> None:
    """M10: its memories name persons and categories by keys; what was deleted there stays deleted."""
    raw = (FIXTURES / "openmemory-memories.json").read_bytes()
    if packed:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("memories.json", raw)
            archive.writestr("memories.jsonl.gz", b"\x1f\x8b")
        raw = file.getvalue()
    kept, deleted = from_mem0(raw)
    assert isinstance(kept, Record)
    assert (kept.line, kept.text, kept.about) == (33, "Likes green ink", "dana")
    assert kept.tags == ("preferences", "source_app=openmemory", "mcp_client=cursor")
    assert deleted == BadRecord(46, "this memory was deleted there and stays deleted", "state")


SAME = {"memory": "a", "user_id": "dana"}


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps([SAME, SAME]),
        json.dumps([SAME, SAME], indent=1),
        json.dumps({"results": [SAME, SAME]}),
        json.dumps({"total": 2, "results": [SAME, SAME], "relations": []}, indent=2),
        "\n\n" + json.dumps({"results": [SAME, SAME]}, indent=2),
        json.dumps({"results": [SAME]}) + "\n" + json.dumps({"results": [SAME]}) + "\n",
        json.dumps(SAME) + "\r\n\r\n" + json.dumps(SAME),
        "\ufeff" + json.dumps([SAME, SAME]),
    ],
)
def test_every_shape_that_holds_memories_gives_the_same_records(raw: str) -> None:
    """M10: a list, a document, pages one after the other, lines."""
    assert [(record.text, record.about) for record in from_mem0(raw) if isinstance(record, Record)] == [
        ("a", "dana")
    ] * 2
    assert len(from_mem0(raw)) == 2


UNFIT = [
    ({"memory": "a", "attributed_to": "user", "run_id": "r"}, "user_id"),
    ({"content": "a", "state": "active", "app": "openmemory", "categories": []}, "user_id"),
    ({"full_name": "Dana", "current_role": "engineer"}, "memory"),
    ({"memory": {"text": "a"}}, "memory"),
    ({"memory": "a", "user_id": "user:dana"}, "user_id"),
    ({"memory": "a", "user_id": 7}, "user_id"),
    ({"memory": "a", "created_at": 1790000000}, "created_at"),
    ({"memory": "a", "created_at": "Tuesday"}, "created_at"),
    ({"memory": "a", "expiration_date": "2026-02-30"}, "expiration_date"),
]


@pytest.mark.parametrize(("item", "field"), UNFIT)
def test_a_memory_that_cannot_be_kept_is_told_with_its_field(item: dict[str, object], field: str) -> None:
    """M4: what came from a person whom nothing names is not taken for work."""
    for raw in (json.dumps(item), json.dumps([item]), json.dumps({"results": [item]}, indent=2)):
        (bad,) = from_mem0(raw)
        assert isinstance(bad, BadRecord)
        assert bad.field == field


def test_what_has_no_place_is_named_and_no_more() -> None:
    """M1: at most 16 tags of 64 characters; a foreign field never makes a memory bad."""
    metadata = {"deep": {"a": 1}, "long": "x" * 80, "line": "a\nb", "none": None, "n": 3, "f": 0.5}
    (record,) = from_mem0(json.dumps({"memory": "a", "metadata": metadata, "hash": "d41d", "new_field": 1}))
    assert isinstance(record, Record)
    assert record.tags == ("n=3",)
    assert record.left_out == ("new_field", "metadata.deep", "metadata.long", "metadata.line", "metadata.f")


def test_relations_of_a_graph_are_told_as_not_read() -> None:
    """C2: nothing is lost without a word."""
    read = from_mem0(json.dumps({"results": [SAME], "relations": [{"source": "dana"}]}))
    assert read[1] == BadRecord(1, "relations of a graph are not read", "relations")


BROKEN = [
    (b'[{"memory": "a"},\n{"memory": }]', 2, "not valid JSON"),
    (b'{\n"results": [],\n"results": []}', 3, "a field is given twice"),
    (b'[{"memory": "a"}]\n[1]', 2, "something follows the end of the document"),
    (b"[\n" + b"[" * 100_000, 2, "nested too deeply"),
    (b'[\n{"memory": NaN}]', 2, "NaN and Infinity are no numbers"),
    (b"[\n\xff]", 2, "not valid UTF-8"),
    (b"PK\x03\x04 nothing", 1, "this zip cannot be read"),
    (b"\x1f\x8b\x08 nothing", 1, "a gzip file does not say whose memories it holds"),
    (b"words", 1, "not valid JSON"),
    (b"[" + b" " * MAX_DOCUMENT, 1, "a document of more than 32 MiB"),
]


@pytest.mark.parametrize(("raw", "line", "why"), BROKEN)
def test_a_file_that_is_none_of_mem0s_is_told_with_its_line(raw: bytes, line: int, why: str) -> None:
    """C4: a sentence, no traceback."""
    (bad,) = from_mem0(raw)
    assert isinstance(bad, BadRecord)
    assert bad.line == line
    assert bad.why.startswith(why)


def test_a_zip_that_unpacks_without_end_is_told() -> None:
    """C6: as much is read as a document may have."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("memories.json", b" " * (2 * MAX_DOCUMENT))
    assert len(file.getvalue()) < 1_000_000
    (bad,) = from_mem0(file.getvalue())
    assert isinstance(bad, BadRecord)
    assert bad.why.startswith("a document of more than 32 MiB")


def test_an_empty_file_holds_nothing() -> None:
    """C3: nothing to do is no fault."""
    for raw in ("", "\n\n", "[]", '{"results": []}', "\ufeff"):
        assert from_mem0(raw) == []
    assert from_lines("") == []


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["dana", "work"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["text", "about", "kind", "when", "key", "tags", "memory", "content", "user_id", "created_at", "metadata",
     "categories", "state", "id", "expiration_date", "results", "memories", "user", "relations",
     "category_ids"]
)  # fmt: skip
OBJECTS = st.dictionaries(
    FIELDS, st.one_of(PLAIN, st.lists(st.dictionaries(FIELDS, PLAIN, max_size=3), max_size=2))
)
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
