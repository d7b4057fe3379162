"""What an event, a name and every other field of a receipt may hold, and nothing else (L2, L31)."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oz0mem import verify
from oz0mem.model import ledger as words
from oz0mem.model import names
from oz0mem.model.errors import Invalid
from oz0mem.rules import events
from tests.rules.example_events import FIELDS
from tests.verify.made import ACTOR, OPENING, Ledger, code_of, compact, key_file, simple

LEDGER = Ledger().fill(5).erase().close()
GOOD = LEDGER.receipt()
EVENTS = [record["event"] for record in GOOD["records"]]


def with_event(event: object, at: int = 0) -> dict[str, Any]:
    """The good receipt with another event in a record's place."""
    records = [record if here != at else record | {"event": event} for here, record in enumerate(GOOD["records"])]
    return GOOD | {"records": records}


BAD_VALUES: dict[str, tuple[object, ...]] = {
    "oz0mem": ("event/2", "", 1, None),
    "ledger": ("", "a b", "-a", "a+b", "x" * 129, "acme.example/\u00f6", None, 1),
    "index": (-1, True, "5", None, [5]),
    "at": (
        "2026-10-03T09:00:00Z",
        "2026-10-03 09:00:00.000Z",
        "2026-10-03T09:00:00.000+00:00",
        "2026-10-03T24:00:00.000Z",
    )
    + ("2026-10-03T09:60:00.000Z", "2026-10-03T09:00:60.000Z", "2026-02-29T09:00:00.000Z", "2026-04-31T09:00:00.000Z")
    + ("1969-12-31T09:00:00.000Z", "2026-13-01T09:00:00.000Z", "2026-00-01T09:00:00.000Z", "2026-01-00T09:00:00.000Z")
    + ("2026-10-03T09:00:00.0000Z", "\u0662026-10-03T09:00:00.000Z", "", None, 0),
    "outcome": ("refused", "failed", "DONE", "", None, True),
    "actor": (
        {},
        None,
        [],
        ACTOR | {"kind": "robot"},
        ACTOR | {"kind": None},
        ACTOR | {"verified": 1},
        ACTOR | {"verified": "true"},
        ACTOR | {"ref": "dana"},
        ACTOR | {"ref": "a_" + "2" * 63},
        ACTOR | {"ref": "s_" + "2" * 64},
        ACTOR | {"ref": "A_" + "2" * 64},
        ACTOR | {"more": 1},
        {"kind": "person", "ref": ACTOR["ref"]},
        ACTOR | {"kind": "agent", "ref": "Support"},
        ACTOR | {"kind": "agent", "ref": ""},
        ACTOR | {"kind": "agent", "ref": "-x"},
        ACTOR | {"kind": "agent", "ref": "x" * 65},
        ACTOR | {"kind": "agent", "ref": "two words"},
    ),
    "salt": ("A" * 21, "A" * 23, "A" * 21 + "B", "A" * 20 + "==", "A" * 20 + "+A", None),
    "subject": ("s_" + "f" * 63, "s_" + "F" * 64, "a_" + "f" * 64, "", None),
    "n": (0, -1, True, "1", None),
    "prev": (-2, True, "0", None),
    "count": (-1, 0, 2, True, None),
    "entries": (
        [],
        ["n-4be1906c22d1"] * 2,
        [1],
        ["x"],
        ["n-4BE1906C22D1"],
        ["nnnn-4be1906c22d1"],
        ["n-" + "a" * 33],
        None,
        {},
    )
    + (["n-4be1906c22d1,n-4be1906c22d2"], ['n-4be1906c22d1"'], "n-4be1906c22d1"),
    "basis": ("because", "", None, "Request", ["request"]),
    "residue": ("none", "", None, True),
    "backups_until": ("", None, "never", "2026-02-30", "1969-01-01", "2026-1-1", "2026-11-02T00:00:00.000Z", "None"),
    "from_n": (0, -1, True, None),
    "through_n": (-1, True, None),
    "through_index": (-2, True, None),
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_a_value_against_its_pattern_is_refused(name: str) -> None:
    """L2, L31: before anything is authenticated; every field of an erasing event and of the closing one."""
    for at, event in enumerate(EVENTS):
        for value in BAD_VALUES[name] if name in event else ():
            assert code_of(with_event(event | {name: value}, at), b"") == "field", value
    assert any(name in event for event in EVENTS)


def test_every_field_of_an_event_has_to_be_there_and_no_other() -> None:
    """L2: a field left out, a field more, a field of another action; ``action`` itself says what there is to check."""
    for at, event in enumerate(EVENTS):
        for name in event.keys() - {"action"}:
            assert code_of(with_event({each: event[each] for each in event if each != name}, at), b"") == "field", name
        for more in ({"reason": "free text"}, {"verified": True}, {"commit": "c_" + "1" * 64}, {"Index": 5}):
            assert code_of(with_event(event | more, at), b"") == "field"
    assert set(BAD_VALUES) == {name for event in EVENTS for name in event} - {"action"}


@pytest.mark.parametrize("action", [*words.SCHEMAS, "memory.unknown", "", None, 1, True, [], {}, ["memory.forgotten"]])
def test_only_erasing_events_and_the_closing_one_are_carried(action: object) -> None:
    """L31: others are told as ``action``, in their turn and whatever else is wrong with them."""
    event = EVENTS[0] | {"action": action}
    if action in [*words.ERASING, "receipt.issued"]:
        assert code_of(with_event(event), b"") == (
            "field" if action in ("memory.rewritten", "receipt.issued") else "keys"
        )
    else:
        assert code_of(with_event(event)) == "action"
        assert code_of(with_event({"action": action, "l": [{}]})) == "action"
    assert code_of(with_event({name: event[name] for name in event if name != "action"})) == "action"


@pytest.mark.parametrize("action", sorted(words.ERASING))
def test_every_erasing_event_that_the_program_writes_is_carried(action: str) -> None:
    """L2: with the fields of ``model.ledger``, each of its words for basis and residue, and up to 256 ids."""
    required, optional = words.SCHEMAS[action]
    extra = {name: FIELDS[name] for name in (required | optional) - {"subject", "n", "prev", "count", "entries"}}
    ledger = Ledger()
    for basis in sorted(words.BASES):
        for residue in sorted(words.RESIDUES):
            last = ledger.records[-1] if ledger.records else {"n": 0, "index": -1}
            ids = [f"n-{at:012x}" for at in range(words.MAX_IDS if basis == "scim" else 0)]
            told = extra | {"basis": basis, "residue": residue, "count": len(ids), "entries": ids}
            ledger.append(ledger.build(action, n=last["n"] + 1, prev=last["index"], **told))
    assert code_of(ledger.close().receipt()) == "ok"


def test_an_event_has_at_most_256_ids_and_8_kib() -> None:
    """L10: one id more, or longer ones, and it is no event of this format."""
    for count, length in ((257, 12), (250, 32)):
        ids = [f"n-{at:0{length}x}" for at in range(count)]
        event = EVENTS[0] | {"count": count, "entries": ids}
        assert code_of(with_event(event), b"") == "field"
        with pytest.raises(ValueError, match=r"'entries' is not valid|larger than"):
            events.parse(verify.canonical(event))


@given(st.dates(date(1900, 1, 1), date(9999, 12, 31)), st.integers(0, 6000))
@example(date(2100, 2, 28), 0)
@example(date(2400, 2, 29), 0)
def test_the_days_that_there_are_are_read_and_no_others(day: date, ahead: int) -> None:
    """L2: leap years of both kinds; from 1970 on."""
    later = day + timedelta(ahead) if day.year < 9980 else day
    for each in (day, later):
        is_day = code_of(with_event(EVENTS[0] | {"backups_until": each.isoformat()}), b"") == "keys"
        assert is_day == (each.year >= 1970)
    for text in (f"{day.year}-02-29", f"{day.year}-{day.month:02}-31", f"{day.year}-{day.month:02}-30"):
        try:
            real = date.fromisoformat(text).year >= 1970
        except ValueError:
            real = False
        assert (code_of(with_event(EVENTS[0] | {"backups_until": text}), b"") == "keys") == real


RECEIPTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "a field more": lambda good: good | {"verified": True},
    "no subject": lambda good: {name: good[name] for name in good if name != "subject"},
    "no checkpoint": lambda good: {name: good[name] for name in good if name != "checkpoint"},
    "no ledger": lambda good: {name: good[name] for name in good if name != "ledger"},
    "no records": lambda good: {name: good[name] for name in good if name != "records"},
    "empty records": lambda good: good | {"records": []},
    "records as an object": lambda good: good | {"records": {"0": good["records"][0]}},
    "a record that is a list": lambda good: good | {"records": [[]]},
    "a record that is null": lambda good: good | {"records": [None]},
    "a record with more": lambda good: good | {"records": [good["records"][0] | {"leaf": ""}]},
    "a record without a proof": lambda good: good | {"records": [{"event": good["records"][0]["event"]}]},
    "a proof that is text": lambda good: good | {"records": [good["records"][0] | {"proof": ""}]},
    "a proof of numbers": lambda good: good | {"records": [good["records"][0] | {"proof": [1]}]},
    "an event that is text": lambda good: good | {"records": [good["records"][0] | {"event": "x"}]},
    "an event that is null": lambda good: good | {"records": [good["records"][0] | {"event": None}]},
    "a checkpoint that is a list": lambda good: good | {"checkpoint": []},
    "since that is null": lambda good: good | {"since": None},
    "since without a proof": lambda good: good | {"since": {"size": 3}},
    "since of a negative size": lambda good: good | {"since": {"size": -1, "consistency": []}},
    "since of size true": lambda good: good | {"since": {"size": True, "consistency": []}},
    "since with more": lambda good: good | {"since": {"size": 1, "consistency": [], "x": 1}},
    "since with a number": lambda good: good | {"since": {"size": 1, "consistency": [0]}},
    "a subject that is text": lambda good: good | {"subject": "dana"},
    "a subject without a handle": lambda good: good | {"subject": {"name": "dana", "key": OPENING.hex()}},
    "a name without a key": lambda good: good | {"subject": {"handle": LEDGER.handle, "name": "dana"}},
    "a key without a name": lambda good: good | {"subject": {"handle": LEDGER.handle, "key": OPENING.hex()}},
    "an empty name": lambda good: good | {"subject": good["subject"] | {"name": ""}},
    "a name that is a number": lambda good: good | {"subject": good["subject"] | {"name": 1}},
    "a key in capitals": lambda good: good | {"subject": good["subject"] | {"key": "AB" * 32}},
    "a short key": lambda good: good | {"subject": good["subject"] | {"key": "ab" * 31}},
    "an origin with a space": lambda good: good | {"ledger": "acme example"},
}


@pytest.mark.parametrize("name", RECEIPTS)
def test_a_receipt_of_another_shape_is_refused(name: str) -> None:
    """L31: exactly the fields, each by its pattern, before keys are even read."""
    assert code_of(RECEIPTS[name](dict(GOOD)), b"") == "field"


def is_taken(text: str) -> bool:
    """Whether the program would take a text as the id of a person."""
    try:
        names.check_subject(text)
    except Invalid:
        return False
    return True


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
    | st.text(
        st.sampled_from("daZ*:?%. \u00a0\u3164\u200b\u202e\u0301\u00e9\ufe0f\uff0a\u0390\u1fb3\U000e0100"), min_size=1
    )
)
@example("everyone")
@example("Everyone")
@example("\uff37ork")
@example("a" * 128)
@example("a" * 129)
@example("e\u0301" * 128)
@example("e\u0301" * 257)
@example("dana\n")
def test_a_name_is_read_exactly_where_the_program_takes_it(name: str) -> None:
    """M4, L31: what somebody can be called has a receipt; what hides, or means more than one person, has none."""
    document = json.dumps(GOOD | {"subject": GOOD["subject"] | {"name": name}}).encode()
    assert code_of(document, b"") == ("keys" if is_taken(name) else "field")


@pytest.mark.parametrize(
    "name", ["\u05d3\u05e0\u05d4", "zo\u00eb", "d\u0430na", "O'Neil", "dana@acme.example", "\U0001f600"]
)
def test_a_name_that_is_taken_opens_its_handle_and_no_other(name: str) -> None:
    """L4: in any script; and a receipt is never about somebody who only looks the same."""
    ledger = Ledger(name).erase().close()
    assert verify.verify(compact(ledger.receipt()), key_file()).about == name
    assert code_of(ledger.receipt() | {"subject": ledger.receipt()["subject"] | {"name": "dana"}}) == "name"
    assert code_of(simple().receipt() | {"subject": simple().receipt()["subject"] | {"name": name}}) == "name"
