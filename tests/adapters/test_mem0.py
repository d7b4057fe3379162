"""Imports: mem0's files as records, in every shape that it writes them, each bad part told."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from oz0mem.adapters.imports.mem0 import read_mem0
from oz0mem.adapters.imports.mem0_files import MAX_DOCUMENT
from oz0mem.model.moments import parse_rfc3339
from oz0mem.model.records import BadRecord, Record
from tests.adapters.test_imports import FIXTURES, Read, from_mem0


def from_file(name: str) -> Read:
    """What is read from one of mem0's fixtures."""
    with (FIXTURES / name).open("rb") as stream:
        return list(read_mem0(stream))


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


def test_relations_of_a_graph_are_told_as_left_out() -> None:
    """C2: nothing is lost without a word, and no memory is lost for it."""
    graph = [{"source": "dana"}]
    read = from_mem0(json.dumps({"results": [SAME, SAME], "relations": graph}))
    assert [isinstance(record, Record) and record.left_out for record in read] == [("relations",), ()]
    assert from_mem0(json.dumps({"results": [], "relations": graph})) == [
        BadRecord(1, "relations of a graph are not read", "relations")
    ]


BROKEN = [
    (b'[{"memory": "a"},\n{"memory": }]', 2, "not valid JSON: a value is expected here"),
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
