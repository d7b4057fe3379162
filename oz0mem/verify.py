"""Check a receipt about a person without the program that made it (L12, L13, L30 to L33).

    python verify.py RECEIPT --keys head.pub.json [--held head.txt]

Promises an answer from these files alone, with Python from 3.11 on and the package ``cryptography``. Leaves whom to
trust to its reader: the keys must come from somebody they trust, never with the receipt. Read it downwards.
"""

import hmac
import json
import re
import sys
from binascii import a2b_base64, b2a_base64
from collections import namedtuple
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

LARGEST = 8 << 20  # bytes of a file
ED25519, COSIGNATURE, MLDSA = 0x01, 0x04, 0x06  # signature types of C2SP notes; the second is a witness's
PUBLIC_LENGTHS = {ED25519: 32, COSIGNATURE: 32, MLDSA: 1312}
EMPTY_ROOT = bytes.fromhex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")  # SHA-256 of nothing
PRIME, EIGHTH = (
    (1 << 255) - 19,
    0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
)  # of Ed25519; of points of order 8
RESERVED = ("work", "person", "me", "thread", "everyone", "tenant")  # nobody is called so
# Characters that nobody sees, though their category does not say so.
UNSEEN = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)

# Shapes: the pattern of a string, the least integer, a type, [the shape of each], or fields, those with ? optional.
ORIGIN, DATE, HANDLE = (
    "[A-Za-z0-9][A-Za-z0-9._/-]{0,127}",
    "(19[7-9]|[2-9][0-9]{2})[0-9](-[0-9]{2}){2}",
    "s_[0-9a-f]{64}",
)
KEY = {"id": "[0-9a-f]{16}", "vkeys": [str], "from": 0, "until": -1}
ACTOR = {"kind": "person|agent|service|system", "ref": "a_[0-9a-f]{64}|[a-z0-9][a-z0-9._-]{0,63}", "verified": bool}
EVENT = {"oz0mem": "event/1", "ledger": ORIGIN, "index": 0, "action": str, "outcome": "done", "actor": ACTOR}
EVENT |= {"at": DATE + "T([01][0-9]|2[0-3])(:[0-5][0-9]){2}[.][0-9]{3}Z", "subject": HANDLE}
EVENT |= {"salt": "[A-Za-z0-9_-]{21}[AQgw]"}  # 16 bytes; the last character has two bits of them
ERASED = EVENT | {"n": 1, "prev": -1, "count": 0, "entries": ["[a-z]{1,3}[-_][0-9a-z]{10,32}"]}
ERASED |= {"basis": "request|withdrawn-consent|objection|retention|scim|admin|rectification"}
ERASED |= {"residue": "none-found|not-checked|found", "backups_until": f"none|{DATE}"}
ISSUED = EVENT | {"from_n": 1, "through_n": 0, "through_index": -1}
ACTIONS: dict[str, Any] = dict.fromkeys(("memory.forgotten", "memory.deleted", "memory.expired"), ERASED)
ACTIONS |= {"memory.rewritten": ERASED | {"commit": "c_[0-9a-f]{64}"}, "receipt.issued": ISSUED}
RECEIPT = {"oz0mem": str, "ledger": ORIGIN, "records": [{"event": dict, "proof": [str]}], "checkpoint": str}
RECEIPT |= {"subject": {"handle": HANDLE, "name?": str, "key?": "[0-9a-f]{64}"}}
RECEIPT |= {"since?": {"size": 0, "consistency": [str]}}

Vkey = tuple[str, bytes, int, bytes]  # a key's name, the first four bytes of its hash, signature type, public key
Head = NamedTuple("Head", [("origin", str), ("size", int), ("root", bytes)])  # noqa: UP014 - a line is enough
Key = NamedTuple("Key", [("id", str), ("vkeys", tuple[Vkey, ...]), ("start", int), ("until", int)])  # noqa: UP014
Keys = NamedTuple("Keys", [("ledger", str), ("keys", tuple[Key, ...])])  # noqa: UP014
Verified = namedtuple(
    "Verified",
    "about ledger records entries from_n through_n as_of_index as_of_at size key backups_until residues held",
)


class Unverified(Exception):
    """What does not hold: the code of the first check that failed (L31), and a sentence without raw foreign text."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def need(holds: object, code: str, message: str) -> None:
    """Go no further where something does not hold."""
    if not holds:
        raise Unverified(code, message)


def check(value: Any, shape: Any, where: str) -> None:
    """Refuse, as ``field``, what has another shape."""
    if isinstance(shape, dict):
        rules = {name.rstrip("?"): rule for name, rule in shape.items()}
        known = type(value) is dict and value.keys() <= rules.keys() and all(n in value or n[-1] == "?" for n in shape)
        need(known, "field", f"{where}: not exactly the fields {', '.join(shape)}")
        for name, each in value.items():
            check(each, rules[name], f'{where}: "{name}"')
    elif isinstance(shape, list):
        need(type(value) is list, "field", f"{where} is not valid")
        for each in value:
            check(each, shape[0], where)
    elif isinstance(shape, str):
        need(isinstance(value, str) and re.fullmatch(shape, value), "field", f"{where} is not valid")
    else:
        good = type(value) is shape or (type(value) is type(shape) is int and value >= shape)
        need(good, "field", f"{where} is not valid")


def read_json(data: bytes, limit: int = LARGEST, form: str = "") -> Any:
    """Read a JSON document of one meaning only; Unverified: ``not-json``, ``format`` (its ``oz0mem``), ``field``."""
    need(len(data) <= limit, "not-json", f"larger than {limit} bytes")
    need(data[:3] != b"\xef\xbb\xbf", "not-json", "byte order mark")
    depth = 0
    try:
        text = data.decode()
        outside = "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])  # of strings
        for bracket in re.finditer(r"[][{}]", outside):
            depth += 1 if bracket[0] in "[{" else -1
            need(depth <= 12, "not-json", "nested deeper than 12")
        value = json.loads(text, object_pairs_hook=_object, parse_int=_int, parse_float=_int, parse_constant=_int)
        need(not form or (type(value) is dict and value.get("oz0mem") == form), "format", f"not an oz0mem {form}")
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Unverified("field", "a lone surrogate in a string") from None
    except ValueError as error:
        raise Unverified("not-json", "not UTF-8" if isinstance(error, UnicodeError) else str(error)) from None
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    need(len(dict(pairs)) == len(pairs), "not-json", "a key appears twice in an object")
    return dict(pairs)


def _int(text: str) -> int:
    good = re.fullmatch("0|-?[1-9][0-9]{0,15}", text) and abs(int(text)) < 1 << 53
    need(good, "not-json", f"number {text[:20]}: not an integer below 2^53")
    return int(text)


def canonical(value: object) -> bytes:
    """Write a value as RFC 8785 does where names are ASCII, as an event's are; others would need another order."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def base64(data: bytes) -> str:
    """Encode in base64, padded."""
    return b2a_base64(data, newline=False).decode()


def unbase64(text: str, code: str = "proof") -> bytes:
    """Decode base64 in its one form: no white space, no stray bits, padded; else Unverified with that code."""
    try:
        data = a2b_base64(text)
    except ValueError:
        data = b""
    need(base64(data) == text, code, "not base64")
    return data


def leaf_hash(data: bytes) -> bytes:
    """Hash the bytes of one event: SHA-256(0x00 || data), RFC 9162 section 2.1.1."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash two subtrees into one: SHA-256(0x01 || left || right), RFC 9162 section 2.1.1."""
    return sha256(b"\x01" + left + right).digest()


def climb(seed: bytes, at: int, last: int, path: Sequence[bytes]) -> tuple[str, bytes, bytes]:
    """Hash a path upwards: its fault, the root of what stands left of it with the seed, that of the whole tree."""
    left = whole = seed
    for sibling in path:
        if last == 0 or len(sibling) != 32:
            return "proof too long" if last == 0 else "not a hash", left, whole
        if at & 1 or at == last:
            left, whole = node_hash(sibling, left), node_hash(sibling, whole)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            whole = node_hash(whole, sibling)
        at, last = at >> 1, last >> 1
    return "proof too short" if last else "", left, whole


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Tell whether the proof leads from the leaf hash to the root (RFC 9162 section 2.1.3.2)."""
    return 0 <= index < size and len(leaf) == 32 and climb(leaf, index, size - 1, proof)[::2] == ("", root)


def verify_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Tell whether the proof leads from the old root, not that of an empty tree, to the new one (section 2.1.4.2)."""
    # Where the old tree is one perfect subtree of the new one, its root is the first of the path.
    path = [*proof] if old & (old - 1) else [old_root, *proof]
    if not 0 < old < new or not path:
        return 0 < old == new and not proof and old_root == new_root
    level = (old & -old).bit_length() - 1
    return climb(path[0], old - 1 >> level, new - 1 >> level, path[1:]) == ("", old_root, new_root)


def make_vkey(name: str, kind: int, public: bytes) -> str:
    """Write a verifier key of a C2SP note."""
    hash4 = sha256(b"%s\n%c%s" % (name.encode(), kind, public)).hexdigest()[:8]
    return f"{name}+{hash4}+{base64(bytes([kind]) + public)}"


def read_vkey(text: str) -> Vkey:
    """Read a verifier key; Unverified, ``keys``, where it is none."""
    name, _, rest = text.partition("+")
    data = unbase64(rest[9:], "keys")
    good = re.fullmatch(r"\S+", name) and data and PUBLIC_LENGTHS.get(data[0]) == len(data) - 1
    need(good and make_vkey(name, data[0], data[1:]) == text, "keys", "not a verifier key of a type that is known")
    return name, bytes.fromhex(rest[:8]), data[0], data[1:]


def key_id(vkeys: Iterable[str]) -> str:
    """The id of a key, from its verifier keys (L13): 16 hexadecimal digits."""
    return sha256("".join(["oz0mem/keys/1\n", *(each + "\n" for each in sorted(vkeys))]).encode()).hexdigest()[:16]


def head_body(origin: str, size: int, root: bytes) -> str:
    """What a head says, as C2SP checkpoints write it: the text that is signed."""
    return f"{origin}\n{size}\n{base64(root)}\n"


def signature_line(name: str, hash4: bytes, signature: bytes) -> str:
    """One signature of a note, which is its body, an empty line, and such lines."""
    return f"\u2014 {name} {base64(hash4 + signature)}\n"


def mldsa_message(name: str, at: int, head: Head) -> bytes:
    """What a signature of type 0x06 by ``name`` signs, ``at`` in seconds since the epoch (C2SP tlog-cosignature)."""
    signer, origin = (bytes([len(each)]) + each for each in (name.encode(), head.origin.encode()))
    return b"subtree/v1\n\0" + signer + at.to_bytes(8) + origin + bytes(8) + head.size.to_bytes(8) + head.root


def read_note(text: str) -> tuple[str, list[tuple[str, bytes, bytes]]]:
    """Split a C2SP note into its body and its signatures: name, key hash, signature; Unverified, ``head``."""
    good = len(text) <= 1_000_000 and not re.search("[\0-\t\x0b-\x1f\ud800-\udfff]", text)
    need(good, "head", "a control character, or too long")
    match = re.fullmatch("(?s)(.+\n)\n((\u2014 [^\\s+]+ \\S+\n){1,100})", text)
    need(match, "head", "not a signed note")
    found = [(name, unbase64(code, "head")) for name, code in re.findall("\u2014 (\\S+) (\\S+)\n", match[2])]
    need(all(len(data) > 4 for _, data in found), "head", "a signature too short")
    need(len({(name, data[:4]) for name, data in found}) == len(found), "head", "two signatures by one key")
    return match[1], [(name, data[:4], data[4:]) for name, data in found]


def read_head(text: str) -> Head:
    """Read a head and check no signature; Unverified, ``head``."""
    match = re.fullmatch("(.+)\n(0|[1-9][0-9]{0,15})\n(.+)\n", read_note(text)[0])
    need(match, "head", "not an origin, a size and a root alone")
    head = Head(match[1], int(match[2]), unbase64(match[3], "head"))
    need(head.size < 1 << 53 and len(head.root) == 32, "head", "the size is too large, or the root is no hash")
    need(head.size or head.root == EMPTY_ROOT, "head", "a ledger without events has another root")
    return head


def read_keys(data: bytes) -> Keys:
    """Read a key file (L13); Unverified, ``keys``, where anything about it is wrong."""
    try:
        file = read_json(data)
        check(file, {"oz0mem": "keys/1", "ledger": ORIGIN, "keys": [KEY]}, "key file")
    except Unverified as error:
        raise Unverified("keys", error.message) from None
    keys = [Key(key["id"], tuple(map(read_vkey, key["vkeys"])), key["from"], key["until"]) for key in file["keys"]]
    for key in keys:
        kinds = sorted((kind, name) for name, _, kind, _ in key.vkeys)
        need(
            kinds == [(ED25519, file["ledger"]), (MLDSA, file["ledger"])],
            "keys",
            f"key {key.id}: not one Ed25519 and one ML-DSA-44 key of the ledger",
        )
        y = (
            int.from_bytes(next(public for _, _, kind, public in key.vkeys if kind == ED25519), "little")
            & (1 << 255) - 1
        )
        weak = y >= PRIME or y in (0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH)
        need(not weak, "keys", f"key {key.id}: a weak Ed25519 key, for which anybody can sign")
        need(
            key.id == key_id(make_vkey(name, kind, public) for name, _, kind, public in key.vkeys),
            "keys",
            f"key {key.id}: its id does not belong to it",
        )
        need(key.until == -1 or key.start <= key.until, "keys", f"key {key.id} ends before it begins")
    need(len({vkey[1] for key in keys for vkey in key.vkeys}) == 2 * len(keys) > 0, "keys", "no key, or one twice")
    return Keys(file["ledger"], tuple(keys))


def check_head(text: str, keys: Keys) -> tuple[Head, str]:
    """Check a head's signatures (L12): every key of ours that signed has to be due, and to have signed with both halves.

    Returns:
        The head, and the id of the newest key that signed it.

    Raises:
        Unverified: ``head``, ``ledger``, ``unknown-key``, ``key-retired``, ``downgrade`` or ``signature``.
    """
    head, (body, lines) = read_head(text), read_note(text)
    need(
        head.origin == keys.ledger, "ledger", f"the head is of {ascii(head.origin[:80])}, the keys are of {keys.ledger}"
    )
    signed = {(name, hash4): signature for name, hash4, signature in lines}
    signers = [key for key in keys.keys if any(vkey[:2] in signed for vkey in key.vkeys)]
    need(signers, "unknown-key", "no signature on this head is by a key you gave")
    for key in signers:
        due = key.start <= head.size and (key.until == -1 or head.size <= key.until)
        need(
            due,
            "key-retired",
            f"key {key.id} signs heads from {key.start} to {key.until}, and this is one of {head.size}",
        )
    for key in signers:
        both = all(vkey[:2] in signed for vkey in key.vkeys)
        need(both, "downgrade", f"one of the two signatures of key {key.id} is missing; both are required")
    for key in signers:
        good = all(is_signed(vkey, signed[vkey[:2]], body, head) for vkey in key.vkeys)
        need(good, "signature", f"a signature by key {key.id} does not verify")
    return head, signers[-1].id


def is_signed(vkey: Vkey, signature: bytes, body: str, head: Head) -> bool:
    """Tell whether a signature of a head is good."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ed25519, mldsa

    name, _, kind, public = vkey
    try:
        if kind == ED25519:
            ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, body.encode())
        else:
            message = mldsa_message(name, int.from_bytes(signature[:8]), head)
            mldsa.MLDSA44PublicKey.from_public_bytes(public).verify(signature[8:], message)
    except InvalidSignature:
        return False
    return True


def read_receipt(data: bytes) -> Any:
    """Read a receipt and authenticate nothing; Unverified: ``not-json``, ``format``, ``field``."""
    receipt = read_json(data, form="receipt/1")
    check(receipt, RECEIPT, "receipt")
    subject, records = receipt["subject"], receipt["records"]
    need(len(subject) != 2 and is_name(subject.get("name", "none")), "field", "subject: no such name, or no key to it")
    need(records, "field", 'receipt: "records" is not valid')
    for event in (record["event"] for record in records if record["event"].get("action") in [*ACTIONS]):
        check(event, ACTIONS[event["action"]], "event")
        entries, actor = event.get("entries", []), event["actor"]
        need(actor["kind"] != "person" or len(actor["ref"]) == 66, "field", "actor: a person goes by handle")
        count = event.get("count", 0)
        need(count == len(entries) == len(set(entries)) <= 256, "field", "count is not the number of entries")
        need(is_day(event["at"][:10]) and is_day(event.get("backups_until", "none")), "field", "event: no such day")
        need(len(canonical(event)) <= 8 << 10, "field", "event: larger than 8 KiB")
    return receipt


def is_day(text: str) -> bool:
    """Tell whether there is such a day, or it is none."""
    try:
        return text == "none" or bool(date.fromisoformat(text))
    except ValueError:
        return False


def is_name(text: str) -> bool:
    """Tell whether the program would take a name: seen as it is, with nothing that stands for more than one person."""
    from unicodedata import category, normalize

    name = normalize("NFC", text[:513])
    folded = normalize("NFKC", normalize("NFKC", normalize("NFD", name).casefold()).casefold())
    hidden = re.search(UNSEEN, name) or {category(c) for c in name} & {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
    return (
        len(text) <= 512
        and 1 <= len(name) <= 128
        and not hidden
        and not re.search(r"[:*?%\s]", folded)
        and folded not in RESERVED
    )


def verify(receipt: bytes, keys: bytes | None, held: str | None = None) -> Verified:
    """Check a receipt with a key file, and a head that was kept; Unverified: the first check that failed (L31)."""
    from unicodedata import normalize

    document = read_receipt(receipt)
    need(keys is not None, "no-keys", "nothing was authenticated: give the keys with --keys")
    known, ledger, subject = read_keys(keys or b""), document["ledger"], document["subject"]
    read_head(document["checkpoint"])
    need(ledger == known.ledger, "ledger", f"the receipt is of {ledger}, the keys are of {known.ledger}")
    head, key = check_head(document["checkpoint"], known)
    name = normalize("NFC", subject.get("name", ""))
    opened = hmac.digest(
        bytes.fromhex(subject.get("key", "")), f"oz0mem/subject/1\0{ledger}\0{name}".encode(), "sha256"
    )
    opens = not name or subject["handle"] == "s_" + opened.hex()
    need(opens, "name", f"the name does not open the handle: this receipt is not about {ascii(name)}")
    *erased, closing = check_records(document, head)
    since, size = document.get("since", {"size": -1, "consistency": []}), None
    if held is not None:
        _, size, root = check_head(held, known)[0]
        proven = since["size"] == size
        need(
            size <= head.size and (proven or size in (0, head.size)),
            "rollback",
            f"no proof that this ledger of {head.size} grew from the head of {size} that you hold",
        )
        proof = [unbase64(each, "fork") for each in since["consistency"]] if proven else []
        grown = verify_consistency(size, head.size, root, head.root, proof) if size else not proof
        need(grown, "fork", "the ledger was rewritten since the head that you hold")
    return Verified(
        name or subject["handle"],
        ledger,
        len(erased),
        sum(event["count"] for event in erased),
        1,
        len(erased),
        closing["index"],
        closing["at"],
        head.size,
        key,
        max([e["backups_until"] for e in erased if e["backups_until"] != "none"], default="none"),
        tuple(sorted({event["residue"] for event in erased} - {"none-found"})),
        size,
    )


def check_records(document: Any, head: Head) -> list[Any]:
    """Check each record, in order, and that none is left out; answers the events."""
    events: list[Any] = []
    for at, record in enumerate(document["records"]):
        event, proof = record["event"], record["proof"]
        need(event.get("action") in [*ACTIONS], "action", f"record {at} is of a kind that no receipt carries")
        index, last = event["index"], events[-1]["index"] if events else -1
        need(event["ledger"] == document["ledger"], "ledger", f"record {at} is of another ledger")
        need(event["subject"] == document["subject"]["handle"], "subject", f"record {at} is about somebody else")
        need(index > last, "order", f"record {at} repeats or goes back to entry {index}")
        need(index < head.size, "index", f"entry {index} is outside a ledger of {head.size}")
        fault, _, root = climb(leaf_hash(canonical(event)), index, head.size - 1, [unbase64(each) for each in proof])
        need(not fault, "proof", f"record {at}: {fault}")
        need(root == head.root, "root", f"record {at} is not in the ledger this head signs")
        events.append(event)
    *erased, closing = events
    ends = [event["action"] == "receipt.issued" for event in events]
    need(
        ends.index(True) == len(erased) if any(ends) else False,
        "closing",
        "the last record, and no other, says what the receipt covers",
    )
    last = -1
    for n, event in enumerate(erased, 1):
        need((event["n"], event["prev"]) == (n, last), "gap", f"record {n} of this person is missing")
        last = event["index"]
    covered = closing["from_n"], closing["through_n"], closing["through_index"]
    need(
        covered == (1, len(erased), last),
        "gap",
        f"the receipt covers records {covered[0]} to {covered[1]}, and others are here",
    )
    return events


def sentence(found: Verified) -> str:
    """What a receipt proves, in one sentence (L32)."""
    records = f"{found.records:,} record{'' if found.records == 1 else 's'} about {found.about}, each with its proof"
    what = records if found.records else f"nothing was erased about {found.about}"
    kept = "" if found.held is None else f", which extends the head of {found.held} that you hold"
    return (
        f"{what}, against a head of {found.size} signed by {found.key}{kept}; complete from 1 to {found.through_n} as of entry"
        f" {found.as_of_index} of {found.ledger}, {found.as_of_at}"
    )


def not_proven(found: Verified) -> list[str]:
    """What a receipt does not prove, which is always said (L32)."""
    until = f"backups, which can hold it until {found.backups_until}" if found.backups_until != "none" else "backups"
    told = [
        "copies outside the store: exports, logs, screens, what somebody wrote down",
        until + ", and copies of the store that nobody recorded",
        "what a model or its provider kept",
        "whether what was written was true",
        "that others' entries and those about work do not mention them",
        f"what happened after entry {found.as_of_index}, and that everybody is shown this ledger: no witness was asked",
    ]
    if found.residues:
        told.append(f"that nothing is left in the store's own files: residue {' and '.join(found.residues)}")
    if found.about.startswith("s_"):
        told.append("whose handle that is")
    return told


def main(argv: Sequence[str]) -> int:
    """Check the receipt of a command line: 0, or 8 where it does not hold, or 2 where something cannot be read."""
    import argparse

    parser = argparse.ArgumentParser(prog="verify.py", description="Check a receipt; needs no store and no network.")
    parser.add_argument("file", help="the receipt")
    parser.add_argument("--keys", help="the key file, from somebody you trust")
    parser.add_argument("--held", help="a head that you kept; the ledger must extend it")
    try:
        given = parser.parse_args(argv)
        receipt, keys, held = (
            None if path is None else read_file(path) for path in (given.file, given.keys, given.held)
        )
        found = verify(receipt or b"", keys, None if held is None else held.decode("utf-8", "replace"))
        answer, lines = 0, [sentence(found), "not proven:", *(f"- {each}" for each in not_proven(found))]
    except Unverified as error:
        answer, lines = 8, [f"not verified ({error.code}): {error.message}"]
    except (OSError, ValueError, ImportError) as error:
        answer, lines = 2, [f"cannot check: {error}"]
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    print("\n".join(ascii(line)[1:-1] for line in lines))
    return answer


def read_file(path: str) -> bytes:
    """Read a file, and no more of it than is needed to see that it is too large."""
    with open(path, "rb") as file:
        return file.read(LARGEST + 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
