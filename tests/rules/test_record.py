"""The canonical record of a version, and the keyed hashes that stand in the ledger for it."""

from __future__ import annotations

import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.entries import BLANK, record_of
from oz0mem.rules import canonical, record

RECEIPTS = Path(__file__).resolve().parents[2].parent / "shared/cases/receipts.json"
ORIGIN = "acme.example/oz0mem"
KEY = bytes(range(32))

SMALLEST: dict[str, Any] = {
    "id": "n-4be1906c22d1",
    "v": 1,
    "kind": "note",
    "scope": "tenant",
    "about": "work",
    "state": "active",
    "at": 1_790_845_200_123_456,
}
WHOLE: dict[str, Any] = {
    **SMALLEST,
    "about": "dana",
    "text": "Dana is in Lisbon",
    "key": "city",
    "term": "city",
    "tags": ["travel", "city"],
    "tier": "unreviewed",
    "restricted": True,
    "held_because": "scan",
    "read": ["web page", "calendar"],
    "purpose": "support",
    "compartments": ["sales", "legal"],
    "agent": "concierge",
    "plugin": "memory",
    "job": "j-4be1906c22d1",
    "by": "ana",
    "source": {"repository": "shop", "path": "a.md"},
    "origin": "agent",
    "core": True,
    "created": 1_790_845_200_000_000,
    "counted_from": 1_790_845_200_000_001,
    "ends": 1_800_000_000_000_000,
    "valid_from": 1,
    "valid_until": 2,
    "replaces": "n-4be1906c22d0",
    "replaced_by": "n-4be1906c22d2",
    "ended_at": 3,
}

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
TIMES = st.integers(0, canonical.MAX_INTEGER)
ROWS = st.fixed_dictionaries(
    {name: st.sampled_from([each]) if name in SMALLEST else st.none() for name, each in WHOLE.items()}
    | dict.fromkeys(("text", "key", "term", "held_because", "purpose", "by", "replaced_by"), TEXTS)
    | dict.fromkeys(("created", "counted_from", "ends", "valid_from", "valid_until", "ended_at"), TIMES)
    | {name: st.booleans() for name in ("restricted", "core")}
    | {name: st.lists(TEXTS, max_size=2) for name in ("tags", "read", "compartments")}
    | {"about": TEXTS.filter(bool), "source": st.dictionaries(TEXTS, TEXTS.filter(bool), max_size=2)}
)


def test_a_record_has_the_fields_of_the_specification() -> None:
    """L8: in canonical JSON, under the names of the format, tags and compartments sorted."""
    data = record.encode(ORIGIN, WHOLE)
    wanted = {**WHOLE, "tags": ["city", "travel"], "compartments": ["legal", "sales"]}
    assert json.loads(data) == {"oz0mem": "entry/1", "ledger": ORIGIN, **wanted}
    assert data == canonical.encode(json.loads(data))


def test_what_is_absent_or_default_is_left_out() -> None:
    """L8: so that a field which joins later changes no older record."""
    data = record.encode(ORIGIN, SMALLEST)
    assert data == (
        b'{"at":1790845200123456,"id":"n-4be1906c22d1","kind":"note","ledger":"acme.example/oz0mem",'
        b'"oz0mem":"entry/1","scope":"tenant","state":"active","v":1}'
    )
    absent = {name: type(each)() for name, each in WHOLE.items() if name not in SMALLEST}
    assert record.encode(ORIGIN, {**SMALLEST, **absent}) == data
    assert record.encode(ORIGIN, {**SMALLEST, **dict.fromkeys(absent)}) == data
    assert record.encode(ORIGIN, {**SMALLEST, "source": {"path": "", "commit": None}}) == data


def test_the_fields_of_an_entry_are_the_fields_of_the_record() -> None:
    """L8: a field that an entry gains and the record does not would be guarded by nothing."""
    blank = {**record_of(BLANK), "id": "n-4be1906c22d1", "at": 5}
    assert blank.keys() == WHOLE.keys()
    assert json.loads(record.encode(ORIGIN, blank))["v"] == 1


def test_the_order_in_which_a_row_was_read_is_nothing_to_its_record() -> None:
    """L8: nor whether a store says true or 1, list or tuple."""
    other = {**dict(reversed(WHOLE.items())), "tags": ("city", "travel"), "restricted": 1, "core": 1}
    other["compartments"] = frozenset({"legal", "sales"})
    assert record.encode(ORIGIN, other) == record.encode(ORIGIN, WHOLE)


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_a_change_of_any_field_is_another_record(name: str) -> None:
    """L7: also to absent, and of the ledger."""
    value = WHOLE[name]
    changed: Any = value + 1 if type(value) is int else not value if isinstance(value, bool) else [*value, "x"]
    changed = value + "x" if isinstance(value, str) else changed
    changed = {**value, "x": "y"} if isinstance(value, dict) else changed
    records = {record.encode(ORIGIN, WHOLE), record.encode(ORIGIN, {**WHOLE, name: changed})}
    records.add(record.encode("other.example/oz0mem", WHOLE))
    if name not in SMALLEST:
        records.add(record.encode(ORIGIN, {**WHOLE, name: None}))
    assert len(records) == (3 if name in SMALLEST or isinstance(value, bool) else 4)


@given(ROWS, ROWS)
def test_two_versions_that_differ_have_different_records(one: dict[str, Any], other: dict[str, Any]) -> None:
    """L7: leaving out what is absent loses nothing."""

    def told(row: dict[str, Any]) -> dict[str, Any]:
        return {name: sorted(row[name]) if name in ("tags", "compartments") else row[name] for name in row}

    assert (record.encode(ORIGIN, one) == record.encode(ORIGIN, other)) is (told(one) == told(other))


@pytest.mark.parametrize(
    "changes",
    [
        {"colour": "blue"},
        {"id": ""},
        {"v": 0},
        {"about": ""},
        {"about": None},
        {"at": None},
        {"v": True},
        {"v": 1.0},
        {"ends": "2026"},
        {"ends": 2**53},
        {"text": b"Dana"},
        {"text": 5},
        {"text": "Dana \ud800"},
        {"tags": "Dana"},
        {"source": ["Dana"]},
        {"core": 2},
        {"core": "yes"},
    ],
)
def test_a_row_that_is_none_is_refused_without_a_word_of_it(changes: dict[str, Any]) -> None:
    """L8: a fault of ours; Q15: told by the field's name only."""
    with pytest.raises(ValueError, match=r"record|canonical JSON") as caught:
        record.encode(ORIGIN, {**SMALLEST, **changes})
    assert "Dana" not in str(caught.value)


def test_a_commitment_is_keyed_by_the_version() -> None:
    """L3: HMAC-SHA256 under the version's key, of a label and the record."""
    data = record.encode(ORIGIN, WHOLE)
    wanted = hmac.new(KEY, b"oz0mem/entry/1\x00" + data, "sha256").hexdigest()
    assert record.commit(KEY, data) == f"c_{wanted}"
    assert record.commit(bytes(32), data) != record.commit(KEY, data)


def test_a_handle_is_the_one_that_receipts_carry() -> None:
    """L4: the key and the name of a good receipt open its handle."""
    if not RECEIPTS.exists():
        pytest.skip("shared/cases/receipts.json is not here")
    cases = [case for case in json.loads(RECEIPTS.read_text())["cases"] if case["want"] == "ok"]
    subjects = [(each["ledger"], each["subject"]) for each in (json.loads(case["receipt"]) for case in cases)]
    named = [(origin, subject) for origin, subject in subjects if "key" in subject]
    assert named
    for origin, subject in named:
        key = bytes.fromhex(subject["key"])
        assert record.subject_handle(key, origin, subject["name"]) == subject["handle"]


def test_a_handle_is_of_one_person_in_one_ledger() -> None:
    """L4: one spelling of a name, no two alike by where the parts meet, and never an actor's."""
    composed, decomposed = "jos\u00e9", "jose\u0301"
    assert record.subject_handle(KEY, ORIGIN, composed) == record.subject_handle(KEY, ORIGIN, decomposed)
    assert record.actor_handle(KEY, ORIGIN, composed) == record.actor_handle(KEY, ORIGIN, decomposed)
    handles = {
        record.subject_handle(KEY, ORIGIN, "dana"),
        record.subject_handle(KEY, ORIGIN + "d", "ana"),
        record.subject_handle(KEY, ORIGIN, "ana"),
        record.subject_handle(bytes(32), ORIGIN, "dana"),
        record.actor_handle(KEY, ORIGIN, "dana").replace("a_", "s_", 1),
    }
    assert len(handles) == 5
    assert all(each.startswith("s_") and len(each) == 66 for each in handles)


def test_a_reason_is_committed_to_by_its_key() -> None:
    """L5: not by its words alone."""
    said = record.reason_commit(KEY, "asked by dana")
    assert said == "c_" + hmac.new(KEY, b"oz0mem/reason/1\x00asked by dana", "sha256").hexdigest()
    assert said != record.reason_commit(bytes(32), "asked by dana")


def test_a_declaration_and_a_token_are_committed_to_by_a_key() -> None:
    """L3, G10: each under a label of its own, the declaration as canonical JSON."""
    said = record.declaration_commit(KEY, {"name": "concierge", "capabilities": ["recall"]})
    document = b'{"capabilities":["recall"],"name":"concierge"}'
    assert said == "c_" + hmac.new(KEY, b"oz0mem/agent/1\0" + document, "sha256").hexdigest()
    assert record.token_commit(KEY, b"\7" * 32) == (
        "c_" + hmac.new(KEY, b"oz0mem/token/1\0" + b"\7" * 32, "sha256").hexdigest()
    )


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_a_key_has_32_bytes(key: bytes) -> None:
    """L3: an erased or damaged key is a fault, not another commitment."""
    with pytest.raises(ValueError, match="32 bytes"):
        record.commit(key, b"{}")
    with pytest.raises(ValueError, match="32 bytes"):
        record.reason_commit(key, "asked by dana")
    for name in (record.subject_handle, record.actor_handle):
        with pytest.raises(ValueError, match="32 bytes"):
            name(key, ORIGIN, "dana")
