"""Key files, weak keys, the sizes that a key signs, and signatures against public vectors (L12, L13)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oz0mem import verify
from tests.verify.made import ANA, BOB, ORIGIN, Ledger, Signer, code_of, compact, key_file, note, simple

VECTORS = Path(__file__).resolve().parents[2].parent / "shared/cases/vectors"
P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def times_eight(y: int) -> bool | None:
    """Whether eight times a point of Ed25519 with this y is the identity; None where there is no such point."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    for _ in range(3):
        product = D * x * x * y * y % P
        x, y = 2 * x * y * pow(1 + product, -1, P) % P, (y * y + x * x) * pow(1 - product, -1, P) % P
    return (x, y) == (0, 1)


LOW = [0, 1, P - 1, verify.EIGHTH, P - verify.EIGHTH]


def ed25519_key(y: int, sign: int) -> bytes:
    """A public key as bytes, also of what no library would write."""
    return (y | sign << 255).to_bytes(32, "little")


def file_with(public: bytes) -> bytes:
    """A key file whose Ed25519 half is this one, all else as it has to be."""
    vkeys = [verify.make_vkey(ORIGIN, verify.ED25519, public), ANA.vkeys()[1]]
    return key_file({"id": verify.key_id(vkeys), "vkeys": vkeys, "from": 0, "until": -1})


def test_the_listed_points_are_those_of_low_order() -> None:
    """L13: y of 0, 1, -1 and two of order 8, computed here; every other point tried is not."""
    assert all(times_eight(y) for y in LOW)
    assert {times_eight(y) for y in range(2, 400)} == {False, None}


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("y", [*LOW, *range(P, 2**255)])
def test_a_weak_key_or_one_written_otherwise_is_refused(y: int, sign: int) -> None:
    """L13: eight points of low order, and every y that is not below the prime, with either sign of x."""
    with pytest.raises(verify.Unverified, match="weak") as caught:
        verify.read_keys(file_with(ed25519_key(y, sign)))
    assert caught.value.code == "keys"


def test_a_key_just_beside_a_weak_one_is_read() -> None:
    """L13: nothing is refused that is not weak; whether it is a point at all shows when it has to have signed."""
    for y in (2, 3, P - 2, verify.EIGHTH + 1, verify.EIGHTH - 1, 2**254):
        keys = file_with(ed25519_key(y, 0))
        assert verify.read_keys(keys).keys[0].until == -1
    ledger = simple()
    data = ledger.receipt()
    vkey = verify.make_vkey(ORIGIN, verify.ED25519, ed25519_key(2, 0))
    old, new = verify.read_vkey(ANA.vkeys()[0])[1], verify.read_vkey(vkey)[1]
    body, lines = verify.read_note(data["checkpoint"])
    forged = [verify.signature_line(name, new if hash4 == old else hash4, sig) for name, hash4, sig in lines]
    assert code_of(data | {"checkpoint": body + "\n" + "".join(forged)}, file_with(ed25519_key(2, 0))) == "signature"


def other_entry(**changed: Any) -> dict[str, Any]:
    """ANA's entry, changed; its id made anew unless one is given."""
    entry = ANA.entry() | changed
    return entry if "id" in changed else entry | {"id": verify.key_id(entry["vkeys"])}


ED, ML = ANA.vkeys()
ELSEWHERE = Signer("ana", "other.example/oz0mem")
BAD_FILES = {
    "nothing": b"",
    "a list": b"[]",
    "another format": key_file().replace(b"keys/1", b"keys/2"),
    "a field more": json.dumps(json.loads(key_file()) | {"policy": 1}).encode(),
    "a key twice in JSON": key_file()[:-1] + b',"keys":[]}',
    "no keys": b'{"oz0mem":"keys/1","ledger":"acme.example/oz0mem","keys":[]}',
    "no name": key_file(origin=""),
    "a key that is text": b'{"oz0mem":"keys/1","ledger":"acme.example/oz0mem","keys":["x"]}',
    "another id": key_file(other_entry(id="0" * 16)),
    "an id in capitals": key_file(other_entry(id=ANA.entry()["id"].upper())),
    "one half": key_file(other_entry(vkeys=[ED])),
    "the other half": key_file(other_entry(vkeys=[ML])),
    "no halves": key_file(other_entry(vkeys=[])),
    "a half twice": key_file(other_entry(vkeys=[ED, ED])),
    "three halves": key_file(other_entry(vkeys=[ED, ML, BOB.vkeys()[0]])),
    "two of Ed25519": key_file(other_entry(vkeys=[ED, BOB.vkeys()[0]])),
    "a witness's type": key_file(
        other_entry(vkeys=[verify.make_vkey(ORIGIN, 4, ANA.ed25519().public_key().public_bytes_raw()), ML])
    ),
    "a type nobody knows": key_file(other_entry(vkeys=[verify.make_vkey(ORIGIN, 0x65, bytes(32)), ML])),
    "a short key": key_file(other_entry(vkeys=[verify.make_vkey(ORIGIN, 1, bytes(31)), ML])),
    "halves of another ledger": key_file(ELSEWHERE.entry()),
    "one half of another ledger": key_file(other_entry(vkeys=[ED, ELSEWHERE.vkeys()[1]])),
    "a damaged half": key_file(other_entry(vkeys=[ED[:-2] + "A=", ML])),
    "a hash of another key": key_file(other_entry(vkeys=[ED.replace(ED.split("+")[1], "00000000"), ML])),
    "a half that is a number": key_file(other_entry(id="0" * 16, vkeys=[1, 2])),
    "a range below zero": key_file(ANA.entry(-1)),
    "an end below -1": key_file(ANA.entry(0, -2)),
    "an end before the beginning": key_file(ANA.entry(5, 4)),
    "a beginning that is true": key_file(other_entry() | {"from": True}),
    "the same key twice": key_file(ANA.entry(0, 9), ANA.entry(10)),
    "a half of two keys": key_file(ANA.entry(), other_entry(vkeys=[ED, BOB.vkeys()[1]])),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_key_file_with_anything_wrong_is_refused_whole(name: str) -> None:
    """L13: and told as ``keys``, whatever the fault is."""
    with pytest.raises(verify.Unverified) as caught:
        verify.read_keys(BAD_FILES[name])
    assert caught.value.code == "keys"
    assert caught.value.message.isascii()
    assert caught.value.message.isprintable()


def test_a_key_file_is_read_as_it_was_written() -> None:
    """L13: halves in either order, several keys, their ranges; white space does not matter."""
    swapped = other_entry(vkeys=[ML, ED])
    assert verify.read_keys(key_file(swapped)).keys[0].id == ANA.entry()["id"]
    keys = verify.read_keys(json.dumps(json.loads(key_file(ANA.entry(0, 9), BOB.entry(8))), indent=2).encode())
    assert keys.ledger == ORIGIN
    assert [(key.id, key.start, key.until) for key in keys.keys] == [
        (ANA.entry()["id"], 0, 9),
        (BOB.entry()["id"], 8, -1),
    ]
    assert keys.keys[0].vkeys == tuple(map(verify.read_vkey, ANA.vkeys()))


@pytest.mark.parametrize(
    ("start", "until", "code"),
    [(0, -1, "ok"), (15, 15, "ok"), (0, 15, "ok"), (15, -1, "ok"), (16, -1, "key-retired"), (0, 14, "key-retired")],
)
def test_a_key_signs_heads_of_its_sizes_only(start: int, until: int, code: str) -> None:
    """L13: both ends belong to the range."""
    ledger = simple()
    assert ledger.size == 15
    assert code_of(ledger.receipt(), key_file(ANA.entry(start, until))) == code


def test_a_rotation_is_signed_by_both_and_known_by_either() -> None:
    """L13: whoever has the old file, the new one or both accepts the head between; a retired key signs no more."""
    ledger = simple()
    both = ledger.receipt(checkpoint=ledger.head(signers=[ANA, BOB]))
    for keys in ([ANA.entry()], [BOB.entry()], [ANA.entry(0, 15), BOB.entry(15)]):
        assert code_of(both, key_file(*keys)) == "ok"
    assert verify.verify(compact(both), key_file(ANA.entry(0, 15), BOB.entry(15))).key == BOB.entry()["id"]
    assert code_of(both, key_file(ANA.entry(0, 9), BOB.entry(10))) == "key-retired"
    assert code_of(ledger.receipt(), key_file(ANA.entry(0, 9), BOB.entry(10))) == "key-retired"


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("signer", [ANA, BOB])
def test_of_every_known_key_that_signed_both_halves_are_due(signer: Signer, half: int) -> None:
    """L12: a head is not taken on the word of one half, nor where another known key's signature is bad."""
    ledger = simple()
    head = verify.read_head(ledger.head())
    lines = {each: each.lines(head) for each in (ANA, BOB)}
    keys = key_file(ANA.entry(), BOB.entry())
    kept = [line for each in lines for at, line in enumerate(lines[each]) if (each, at) != (signer, half)]
    assert code_of(ledger.receipt(checkpoint=note(head, kept)), keys) == "downgrade"
    wrong = signer.lines(verify.Head(head.origin, head.size, bytes(range(32))))[half]
    bad = [wrong if (each, at) == (signer, half) else line for each in lines for at, line in enumerate(lines[each])]
    assert code_of(ledger.receipt(checkpoint=note(head, bad)), keys) == "signature"
    assert code_of(ledger.receipt(checkpoint=note(head, [*bad, lines[signer][half]])), keys) == "head"


@pytest.mark.parametrize("length", [1, 7, 8, 9, 63, 65, 72, 2427, 2429])
@pytest.mark.parametrize("half", [0, 1])
def test_a_signature_of_another_length_is_none(half: int, length: int) -> None:
    """L12: neither shorter nor longer, of either half."""
    ledger = simple()
    head = verify.read_head(ledger.head())
    lines = ANA.lines(head)
    name, hash4, signature = verify.read_note(note(head, [lines[half]]))[1][0]
    lines[half] = verify.signature_line(name, hash4, (signature + bytes(3000))[:length])
    assert code_of(ledger.receipt(checkpoint=note(head, lines))) == "signature"


def test_a_signature_moved_to_the_other_half_is_none() -> None:
    """L12: Ed25519's under ML-DSA's key hash and the other way round."""
    ledger = simple()
    head = verify.read_head(ledger.head())
    (name, one, first), (_, two, second) = verify.read_note(note(head, ANA.lines(head)))[1]
    crossed = [verify.signature_line(name, two, first), verify.signature_line(name, one, second)]
    assert code_of(ledger.receipt(checkpoint=note(head, crossed))) == "signature"


def test_the_time_of_a_signature_is_signed() -> None:
    """L12: the eight bytes before ML-DSA's signature are part of what it says."""
    ledger = simple()
    head = verify.read_head(ledger.head())
    lines = ANA.lines(head)
    name, hash4, signature = verify.read_note(note(head, lines[1:]))[1][0]
    lines[1] = verify.signature_line(name, hash4, bytes(8) + signature[8:])
    assert code_of(ledger.receipt(checkpoint=note(head, lines))) == "signature"


def test_public_signatures_of_ed25519_are_judged_as_their_vectors_want() -> None:
    """L12: malleable, truncated and other bad ones of Project Wycheproof, in a head's place."""
    path = VECTORS / "wycheproof_ed25519.json"
    if not path.exists():
        pytest.skip("shared/cases/vectors/wycheproof_ed25519.json is not here")
    tried = 0
    for group in json.loads(path.read_text())["groups"]:
        for test in group["tests"]:
            vkey = verify.read_vkey(verify.make_vkey(ORIGIN, verify.ED25519, bytes.fromhex(group["pk"])))
            try:
                verify.check_signature(vkey, bytes.fromhex(test["sig"]), bytes.fromhex(test["msg"]), EMPTY)
                good = True
            except verify.Unverified as error:
                assert error.code == "signature"
                good = False
            assert good == (test["result"] == "valid"), test["tcId"]
            tried += 1
    assert tried >= 80


EMPTY = verify.Head(ORIGIN, 0, verify.EMPTY_ROOT)


def test_a_ledger_of_another_name_signs_other_heads() -> None:
    """L12: key material used twice under two names is two keys."""
    other = Ledger(origin="other.example/oz0mem").erase().close()
    document = other.receipt(checkpoint=other.head(signers=[ELSEWHERE]))
    assert code_of(document, key_file(ELSEWHERE.entry(), origin=other.origin)) == "ok"
    assert code_of(document) == "ledger"
    assert code_of(document | {"ledger": ORIGIN}) == "ledger"
    mixed = simple().receipt(checkpoint=simple().head(signers=[ELSEWHERE]))
    assert code_of(mixed) == "unknown-key"
