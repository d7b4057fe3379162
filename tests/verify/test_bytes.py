"""A good receipt of which one byte is another: refused, or the very same claim where that byte claims nothing (L30)."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from oz0mem import verify
from tests.verify.made import ANA, BOB, compact, key_file, simple

KEYS = key_file()
HELD = 4


def changes(data: bytes, at: int, *, few: bool) -> Iterator[bytes]:
    """The data with another byte at a place: a bit flipped, a neighbour, what means something to JSON or base64."""
    old = data[at]
    values = {old ^ 1, old ^ 0x20} if few else {old ^ 1, old ^ 0x20, old ^ 0x80, ord("0"), ord(" "), ord('"'), ord("A")}
    for value in sorted(values - {old}):
        yield data[:at] + bytes([value]) + data[at + 1 :]


def outcome(data: bytes, keys: bytes = KEYS, held: str | None = None) -> verify.Verified | None:
    """What is proven, or None where the receipt is refused."""
    try:
        return verify.verify(data, keys, held)
    except verify.Unverified:
        return None


def span(data: bytes, text: str) -> range:
    """Where a text stands in the data, once."""
    assert data.count(text.encode()) == 1
    begin = data.index(text.encode())
    return range(begin, begin + len(text.encode()))


def test_no_byte_of_a_receipt_can_change() -> None:
    """L30: without white space, everything in it is authenticated: no change of one byte is accepted at all."""
    ledger = simple(erasures=1, before=HELD)
    receipt, held = ledger.receipt(since=HELD), ledger.head(HELD)
    data = compact(receipt)
    assert outcome(data, held=held)
    signatures = span(data, json.dumps(receipt["checkpoint"], ensure_ascii=False)[100:-1])
    accepted = [
        (at, bad[at : at + 1])
        for at in range(len(data))
        for bad in changes(data, at, few=at in signatures)
        if outcome(bad, held=held)
    ]
    assert not accepted


def test_what_nobody_checks_changes_nothing_of_the_claim() -> None:
    """L30, L36: a line of a key that was not given and, without a held head, the proof from it are not looked at."""
    ledger = simple(erasures=1, before=HELD)
    receipt = ledger.receipt(since=HELD)
    head = verify.read_head(receipt["checkpoint"])
    stranger = BOB.lines(head)[0]
    receipt["checkpoint"] += stranger
    data = compact(receipt)
    good = outcome(data)
    assert good
    free = [
        *span(data, json.dumps(stranger, ensure_ascii=False)[1:-3]),
        *span(data, json.dumps(receipt["since"], separators=(",", ":"))),
    ]
    accepted = {at for at in free for bad in changes(data, at, few=False) if (found := outcome(bad)) and found == good}
    differing = [at for at in free for bad in changes(data, at, few=False) if outcome(bad) not in (None, good)]
    assert len(accepted) > len(free) / 2
    assert not differing


def test_white_space_is_all_that_may_change_between_tokens() -> None:
    """L31: as the program writes it, with lines and indents: another white space is the same receipt."""
    data = json.dumps(simple(erasures=1).receipt(), indent=1, ensure_ascii=False).encode()
    good = outcome(data)
    assert good
    spaces = [at for at in range(len(data)) if data[at : at + 1] in (b" ", b"\n")]
    for at in spaces:
        for value in b"\t\r\n {,0":
            bad = data[:at] + bytes([value]) + data[at + 1 :]
            found = outcome(bad)
            assert found in (None, good)
            inside = data[at : at + 1] == b" " and at and b"\xe2\x80\x94" in data[at - 40 : at]
            assert (found is None) == (bad != data and (value not in b"\t\r\n " or bool(inside))), (at, value)


@pytest.mark.parametrize("place", ["id", "vkeys", "from", "until", "ledger"])
def test_no_byte_of_a_key_file_can_change_the_key(place: str) -> None:
    """L13: any other character in an id, a key or the name is refused; a range may be another, and then says so."""
    keys = key_file(ANA.entry(0, 99))
    data = compact(simple(erasures=1).receipt())
    wanted = {"id": ANA.entry()["id"], "vkeys": ANA.vkeys()[0], "from": '"from": 0', "until": '"until": 99'}
    where = span(keys, wanted.get(place, '"ledger": "acme.example/oz0mem"'))
    for at in where:
        for bad in changes(keys, at, few=False):
            found = outcome(data, bad)
            assert found is None or place in ("from", "until")


def test_every_truncation_is_refused() -> None:
    """L31: a receipt that was cut off anywhere."""
    data = compact(simple(erasures=1).receipt())
    assert not [at for at in range(0, len(data), 7) if outcome(data[:at])]
    assert outcome(data + b"\n")
    assert not outcome(data + b"x")
