"""The ledger's events: a closed schema an action, and the events of real receipts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oz0mem.model import ledger as words
from oz0mem.model.settings import BY_KEY
from oz0mem.rules import canonical, event_fields, events
from tests.rules.example_events import FIELDS, SUBJECT, build, fields_of

RECEIPTS = Path(__file__).resolve().parents[2].parent / "shared/cases/receipts.json"

CUT_SHORT = "s_" + "f3" * 31
# Values that no field may have: free text, names, floats, null, look-alikes of the right pattern.
NEVER: tuple[Any, ...] = (
    "Dana is in Lisbon",
    "",
    "dana ",
    "Dana",
    "дана",
    "c_" + "1D" * 32,
    CUT_SHORT,
    "n-4be1906c22d1\n",
    None,
    1.0,
    2**53,
    -2,
    {},
    {"a": 1},
    ["Dana"],
    [None],
    [["n-4be1906c22d1"]],
)


@pytest.mark.parametrize("action", sorted(words.ACTIONS))
def test_an_event_has_exactly_the_fields_of_its_action(action: str) -> None:
    """L2: with or without those that it only may have; none missing, none unknown."""
    required, optional = words.SCHEMAS[action]
    fields = fields_of(action)
    event = events.parse(build(action, fields))
    assert {name: event[name] for name in fields} == fields
    assert event.keys() == fields.keys() | set(words.ENVELOPE)
    erasing = action in words.ERASING
    build(action, {name: each for name, each in fields.items() if name in required})
    for name in required:
        with pytest.raises(ValueError, match="missing|stand together"):
            build(action, {other: each for other, each in fields.items() if other != name})
    for name in optional if not erasing else ():
        build(action, {other: each for other, each in fields.items() if other != name})
    for stranger in {"reason", "text", "note", *FIELDS} - fields.keys():
        with pytest.raises(ValueError, match="does not have"):
            build(action, {**fields, stranger: FIELDS.get(stranger, "x")})


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_no_field_takes_free_text_null_or_a_float(name: str) -> None:
    """L2: and the sentence names the field, never what stood in it."""
    action = next(each for each in sorted(words.ACTIONS) if name in fields_of(each))
    # To a name a handle cut short is a name like any other.
    named = {"agent", "purpose", "target"}
    for bad in [each for each in NEVER if name not in named or each != CUT_SHORT]:
        with pytest.raises(ValueError, match=f"{name!r} is not valid") as caught:
            build(action, {**fields_of(action), name: bad})
        assert "Dana" not in str(caught.value)


@pytest.mark.parametrize("name", words.ENVELOPE[1:])
def test_no_field_of_every_event_takes_free_text_either(name: str) -> None:
    """L2: nor may an action's own fields stand in for them."""
    # An origin is chosen freely within its letters.
    origins = ("Dana", CUT_SHORT, "c_" + "1D" * 32) if name == "ledger" else ()
    for bad in [each for each in NEVER if each not in origins]:
        event = {**json.loads(build("job.ended", {"job": FIELDS["job"]})), name: bad}
        with pytest.raises(ValueError, match=r"event|canonical"):
            events.parse(json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())
    with pytest.raises(ValueError, match="not the action's to give"):
        build("job.ended", {"job": FIELDS["job"], name: "x"})


def test_every_field_of_the_schemas_has_a_pattern_and_an_example_here() -> None:
    """L2: so that a new row cannot be written without one."""
    named = {name for required, optional in words.SCHEMAS.values() for name in required | optional}
    assert named == FIELDS.keys()
    assert event_fields.CHECKS.keys() == named | set(words.ENVELOPE)
    assert not named & set(words.ENVELOPE)


def test_an_action_that_is_not_listed_cannot_be_written() -> None:
    """L2: nor read."""
    with pytest.raises(ValueError, match="unknown action"):
        build("memory.noted", {})
    with pytest.raises(ValueError, match="unknown action"):
        events.parse(b"{}")


def test_every_setting_can_be_told_as_a_governance_change() -> None:
    """G10: by its name, with its old and its new value."""
    assert BY_KEY.keys() <= words.WHATS
    for setting in BY_KEY.values():
        assert set(setting.choices) <= words.VALUES
        assert setting.most <= canonical.MAX_INTEGER


@pytest.mark.parametrize("what", sorted(words.PERSONAL))
def test_a_principal_is_told_by_handle(what: str) -> None:
    """L4: a name in the ledger could never be erased."""
    build("governance.changed", {"what": what, "target": "a_" + "27" * 32, "to": "reviewer"})
    for fields in ({"what": what, "target": "dana"}, {"what": what}):
        with pytest.raises(ValueError, match="by handle"):
            build("governance.changed", fields)


def test_a_person_acts_by_handle_and_what_is_configured_by_its_name() -> None:
    """L4: the reference of an actor."""
    job = {"job": FIELDS["job"]}
    for kind in ("agent", "service", "system"):
        build("job.ended", job, actor={"kind": kind, "ref": "concierge", "verified": False})
        build("job.ended", job, actor={"kind": kind, "ref": "a_" + "00" * 32, "verified": False})
    for actor in (
        {"kind": "person", "ref": "dana", "verified": True},
        {"kind": ["person"], "ref": "a_" + "00" * 32, "verified": True},
        {"kind": "person", "ref": "s_" + "00" * 32, "verified": True},
        {"kind": "person", "ref": "a_" + "00" * 32, "verified": 1},
        {"kind": "person", "ref": "a_" + "00" * 32},
        {"kind": "person", "ref": "a_" + "00" * 32, "verified": True, "name": "dana"},
        {"kind": "agent", "ref": "Dana Scully", "verified": True},
    ):
        with pytest.raises(ValueError, match="'actor'"):
            build("job.ended", job, actor=actor)


def test_only_a_refusal_is_refused() -> None:
    """L2: a refusal has the rule and the function, and nothing of the arguments."""
    refusal = {"rule": "M28", "function": "remember"}
    assert events.parse(build("plugin.records.refused", refusal))["outcome"] == "refused"
    for action, fields, outcome in (
        ("plugin.records.refused", refusal, "done"),
        ("job.ended", {"job": FIELDS["job"]}, "refused"),
    ):
        with pytest.raises(ValueError, match="outcome"):
            build(action, fields, outcome=outcome)


@pytest.mark.parametrize(
    ("action", "changes"),
    [
        ("memory.deleted", {"count": 2}),
        ("memory.deleted", {"entries": ["n-4be1906c22d1"] * 2, "count": 2}),
        ("memory.deleted", {"n": 1}),
        ("memory.deleted", {"prev": -1}),
        ("memory.deleted", {"subject": ...}),
        ("memory.expired", {"n": ..., "prev": ...}),
        ("memory.forget_started", {"count": 0}),
        ("receipt.issued", {"through_n": 0}),
        ("receipt.issued", {"through_index": -1}),
        ("plugin.records.read", {"versions": [1, 2]}),
        ("plugin.records.read", {"versions": []}),
    ],
)
def test_fields_that_contradict_each_other_are_refused(action: str, changes: dict[str, Any]) -> None:
    """L2: counts count, a chain begins at 1 with -1, and a person's three fields stand together."""
    fields = {name: each for name, each in {**fields_of(action), **changes}.items() if each is not ...}
    with pytest.raises(ValueError, match=f"event {action}"):
        build(action, fields)


def test_an_erasure_of_work_has_no_chain_and_an_erasure_for_a_person_has_one() -> None:
    """L2: the three fields of a person are all there or none; forget is always about a person."""
    for action in sorted(words.ERASING - {"memory.forgotten"}):
        work = {name: FIELDS[name] for name in words.SCHEMAS[action][0]}
        build(action, work)
        build(action, {**work, "subject": SUBJECT, "n": 1, "prev": -1})


def test_the_events_of_good_receipts_are_events_of_this_schema() -> None:
    """L30: the form of the receipts' own cases, to the byte."""
    if not RECEIPTS.exists():
        pytest.skip("shared/cases/receipts.json is not here")
    seen = set()
    for event in good_events(json.loads(RECEIPTS.read_text())):
        data = canonical.encode(event)
        assert events.parse(data) == event
        fields = {name: each for name, each in event.items() if name not in words.ENVELOPE}
        envelope = {name: event[name] for name in ("ledger", "index", "outcome", "actor", "salt")}
        assert build(event["action"], fields, **envelope, at=event_fields.moment(event["at"])) == data
        seen.add(event["action"])
    assert seen == {"memory.forgotten", "memory.deleted", "memory.rewritten", "receipt.issued"}


def good_events(cases: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of every receipt that is to verify."""
    for case in cases["cases"]:
        if case["want"] == "ok":
            yield from (record["event"] for record in json.loads(case["receipt"])["records"])


def test_bytes_that_build_would_not_write_are_not_read() -> None:
    """L10: other white space, order, escapes, a key that stands twice, too much, or no JSON at all."""
    data = build("job.ended", {"job": FIELDS["job"]})
    assert events.parse(data)["index"] == 78
    for bad in (
        data.replace(b",", b", ", 1),
        data.replace(b'"index":78', b'"index":78,"index":78'),
        data.replace(b'"done"', b'"d\\u006fne"'),
        data.replace(b'"index":78', b'"index":78.0'),
        data.replace(b'"index":78', b'"index":7e1'),
        data.replace(b'"index":78', b'"index":' + b"7" * 5000),
        data.replace(b'"index":78', b'"index":NaN'),
        data.replace(b'"index":78', b'"index":' + b"[" * 4000 + b"]" * 4000),
        b"\xef\xbb\xbf" + data,
        data + b"\n",
        data + b" " * 9000,
        data.decode().encode("utf-16"),
        b"[]",
        b"null",
        b"[" * 8000,
        b"\xff",
        b"",
    ):
        with pytest.raises(ValueError):
            events.parse(bad)


def test_more_than_256_ids_are_no_event() -> None:
    """L2: they are split over several."""
    ids = [f"n-{each:012x}" for each in range(257)]
    fields = {**fields_of("memory.deleted"), "entries": ids, "count": 257}
    with pytest.raises(ValueError, match="'entries'"):
        build("memory.deleted", fields)
    assert [len(part) for part in events.split(ids)] == [256, 1]
    assert [len(part) for part in events.split(ids, 100)] == [100, 100, 57]
    assert events.split([]) == []


def test_no_event_is_larger_than_8_kib() -> None:
    """L10: even of 256 ids, where these are the longest that there can be."""
    ids = [f"abc-{each:032}" for each in range(256)]
    with pytest.raises(ValueError, match="8192"):
        build("memory.deleted", {**fields_of("memory.deleted"), "entries": ids, "count": 256})


@settings(max_examples=60)
@given(
    st.lists(st.from_regex(r"[a-z]{1,3}[-_][0-9a-z]{10,32}", fullmatch=True), unique=True),
    st.integers(0, 700),
)
def test_what_is_split_is_whole_and_every_part_fits_an_event(ids: Sequence[str], more: int) -> None:
    """L2: never cut; with the longest origin, and a million versions of each."""
    ids = [*ids, *(f"zzz_{each:0{10 + each % 23}}" for each in range(more))]
    parts = events.split(ids)
    assert [each for part in parts for each in part] == ids
    for part in parts:
        entries = list(part)
        erased = {**fields_of("memory.rewritten"), "entries": entries, "count": len(part)}
        read = {**fields_of("plugin.records.read"), "entries": entries, "versions": [999_999] * len(part)}
        for action, fields in (
            ("memory.rewritten", {**erased, "n": 2**53 - 1, "prev": 2**53 - 2}),
            ("plugin.records.read", read),
        ):
            build(action, fields, ledger="a" * words.MAX_ORIGIN, index=2**53 - 1)


def test_erasing_key_opening_and_receipt_events_are_never_blanked() -> None:
    """L11: the ledger's own retention spares what proves an erasure, and what proves the ledger."""
    assert words.ERASING < words.NEVER_BLANKED < words.ACTIONS
    others = {"ledger.opened", "ledger.key_added", "ledger.key_retired", "receipt.issued"}
    assert others == words.NEVER_BLANKED - words.ERASING


def test_every_event_that_adds_a_version_carries_its_commitment() -> None:
    """L3: entry, version and commit stand together; a rewriting is told by its entry list."""
    for action, (required, optional) in words.SCHEMAS.items():
        if "version" in required and action != "memory.retire_proposed":
            assert {"entry", "commit"} <= required
        assert "commit" not in optional or action in ("memory.retire_proposed", "governance.changed")
