"""Check a receipt about a person without the program that made it (L12, L13, L30 to L33).

    python verify.py RECEIPT --keys head.pub.json [--held head.txt]

Promises an answer from these files alone, with Python 3.11 or later and the package ``cryptography``. Leaves whom to
trust to its reader: keys come from somebody trusted, never with the receipt. Laid out by hand, to fit on 300 lines.
"""

# fmt: off
import hmac
import json
import re
from binascii import a2b_base64, b2a_base64
from collections import namedtuple
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

ED25519, MLDSA, LENGTHS = 0x01, 0x06, {0x01: 32, 0x06: 1312, 0x04: 32}  # types of C2SP keys (0x04: a witness's), bytes
PRIME, EIGHTH = 2**255 - 19, 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826  # y of points of order 8
EMPTY_ROOT = bytes.fromhex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")  # SHA-256 of nothing
RESERVED = ("work", "person", "me", "thread", "everyone", "tenant")  # nobody is called so; below: nobody sees these
BLANK = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"

# The fields of each object, with the pattern of each value as canonical JSON.
INT, END, HEX, TEXT, OBJECT, LIST = "[0-9]+", "-1|[0-9]+", "[0-9a-f]{64}", r'"([^"\\]++|\\.)*+"', r"\{.*\}", r"\[.+\]"
TEXTS, HANDLE, ORIGIN = rf"\[({TEXT}(,{TEXT})*+)?\]", f'"s_{HEX}"', '"[A-Za-z0-9][A-Za-z0-9._/-]{0,127}"'
MONTHS = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
LEAP = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468][048]|[3579][26])00)-02-29"
DAY = f"(?=19[7-9]|[2-9])([0-9]{{4}}-({MONTHS})|{LEAP})"
WHO = f'"person","ref":"a_{HEX}"|"(agent|service|system)","ref":"(a_{HEX}|[a-z0-9][a-z0-9._-]{{0,63}})"'
EVENT = {"oz0mem": '"event/1"', "ledger": ORIGIN, "index": INT, "action": TEXT, "outcome": '"done"'} | {
    "actor": rf'\{{"kind":({WHO}),"verified":(true|false)\}}', "salt": '"[A-Za-z0-9_-]{21}[AQgw]"',  # of 16 bytes
    "at": f'"{DAY}T([01][0-9]|2[0-3])(:[0-5][0-9]){{2}}[.][0-9]{{3}}Z"', "subject": HANDLE}
ERASED = EVENT | {"n": "[1-9][0-9]*", "prev": END, "count": INT, "backups_until": f'"(none|{DAY})"',
    "basis": '"(request|withdrawn-consent|objection|retention|scim|admin|rectification)"',
    "residue": '"(none-found|not-checked|found)"', "entries": r'\[("[a-z]{1,3}[-_][0-9a-z]{10,32}",?)*(?<!,)\]'}
ACTIONS = dict.fromkeys(("memory.forgotten", "memory.deleted", "memory.expired"), ERASED) | {
    "memory.rewritten": ERASED | {"commit": f'"c_{HEX}"'},
    "receipt.issued": EVENT | {"from_n": "[1-9][0-9]*", "through_n": INT, "through_index": END}}
RECEIPT = {"oz0mem": TEXT, "ledger": ORIGIN, "records": LIST, "subject": OBJECT, "checkpoint": TEXT, "since": OBJECT}
KEY_FILE = {"oz0mem": '"keys/1"', "ledger": ORIGIN, "keys": LIST}
KEY = {"id": '"[0-9a-f]{16}"', "vkeys": TEXTS, "from": INT, "until": END}

Head = NamedTuple("Head", [("origin", str), ("size", int), ("root", bytes)])  # noqa: UP014
Key = NamedTuple("Key", [("id", str), ("vkeys", tuple[Any, ...]), ("start", int), ("until", int)])  # noqa: UP014
Keys = NamedTuple("Keys", [("ledger", str), ("keys", tuple[Key, ...])])  # noqa: UP014
Verified = namedtuple("Verified", "about records from_n through_n as_of_index as_of_at size key backups residues held")

class Unverified(Exception):
    """What does not hold: the code of the first check that failed (L31), and a sentence without raw foreign text."""
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message

def need(holds: Any, code: str, message: str) -> Any:
    """Go on with what holds, and no further with what does not."""
    if not holds: raise Unverified(code, message)
    return holds

def read_json(data: bytes, limit: int = 8 << 20, form: str = "") -> Any:
    """Read a JSON document of one meaning only; Unverified: ``not-json``, ``format`` (its ``oz0mem``), ``field``."""
    need(len(data) <= limit and data[:3] != b"\xef\xbb\xbf", "not-json", f"over {limit} bytes, or a byte order mark")
    try:
        depth, text = 0, data.decode()
        for bracket in re.finditer(r"[][{}]", "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])):
            depth += 1 if bracket[0] in "[{" else -1
            need(depth <= 12, "not-json", "nested deeper than 12")
        value = json.loads(text, object_pairs_hook=_dict, parse_int=_int, parse_float=_int, parse_constant=_int)
        need(not form or (type(value) is dict and value.get("oz0mem") == form), "format", f"not an oz0mem {form}")
        canonical(value)
    except ValueError as error:
        raise Unverified("field" if isinstance(error, UnicodeEncodeError) else "not-json", str(error)) from None
    return value
def _dict(pairs: list[tuple[str, object]]) -> dict[str, object]:
    need(len(dict(pairs)) == len(pairs), "not-json", "a key appears twice in an object")
    return dict(pairs)
def _int(text: str) -> int:
    good = re.fullmatch("0|-?[1-9][0-9]{0,15}", text) and abs(int(text)) < 2**53
    return int(need(good and text, "not-json", f"number {text[:20]}: not an integer below 2^53"))
def canonical(value: object) -> bytes:
    """Write a value as RFC 8785 does where names are ASCII, as an event's are; others would need another order."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

def check(value: Any, shape: dict[str, str], where: str) -> Any:
    """Refuse, as ``field``, what has not exactly these fields, each as its pattern says."""
    need(type(value) is dict and value.keys() == shape.keys(), "field", f"{where}: not the fields {', '.join(shape)}")
    for name, each in shape.items():
        need(re.fullmatch(each, canonical(value[name]).decode()), "field", f'{where}: "{name}" is not valid')
    return value

def unbase64(text: str, code: str = "proof") -> bytes:
    """Decode base64 in its one form: no white space, no stray bits, padded; else Unverified with that code."""
    data = a2b_base64(text if re.fullmatch("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}[A-Za-z0-9+/=]=)?", text) else "")
    need(b2a_base64(data, newline=False).decode() == text, code, "not base64")
    return data

def leaf_hash(data: bytes) -> bytes:
    """Hash the bytes of one event: SHA-256(0x00 || data), RFC 9162 section 2.1.1."""
    return sha256(b"\x00" + data).digest()
def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash two subtrees into one: SHA-256(0x01 || left || right), RFC 9162 section 2.1.1."""
    return sha256(b"\x01" + left + right).digest()
def climb(seed: bytes, at: int, last: int, path: Sequence[bytes]) -> tuple[str, bytes, bytes]:
    """Hash a path from place ``at`` of ``last`` up: its fault, the root of all up to there, the root of all."""
    inner, left, whole = (at ^ last).bit_length(), seed, seed  # from there on it runs along the end of the tree
    for level, sibling in enumerate(path):
        if level >= inner or at >> level & 1: left, whole = node_hash(sibling, left), node_hash(sibling, whole)
        else: whole = node_hash(whole, sibling)
    over, hashes = len(path) - inner - (at >> inner).bit_count(), {len(each) for each in (seed, *path)} == {32}
    return "too long" if over > 0 else "too short" if over else "" if hashes else "not of hashes", left, whole
def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Tell whether the proof leads from the leaf hash to the root (RFC 9162 section 2.1.3.2)."""
    return 0 <= index < size and climb(leaf, index, size - 1, proof)[::2] == ("", root)
def verify_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Tell whether the proof leads from the old root, not that of an empty tree, to the new one (section 2.1.4.2)."""
    path = [*proof] if old & (old - 1) else [old_root, *proof]  # an old tree of 2^n is a node of the new one
    if not 0 < old < new or not path: return 0 < old == new and not proof and old_root == new_root
    level = (old & -old).bit_length() - 1
    return climb(path[0], old - 1 >> level, new - 1 >> level, path[1:]) == ("", old_root, new_root)

def make_vkey(name: str, kind: int, public: bytes) -> str:
    """Write a verifier key of a C2SP note."""
    hash4 = sha256(b"%s\n%c%s" % (name.encode(), kind, public)).hexdigest()[:8]
    return f"{name}+{hash4}+{b2a_base64(bytes([kind]) + public, newline=False).decode()}"
def read_vkey(text: str) -> tuple[str, bytes, int, bytes]:
    """Read a verifier key: name, first four bytes of its hash, type, public key; Unverified, ``keys``."""
    name, _, rest = text.partition("+")
    kind, *_ = data = unbase64(rest[9:], "keys") or b"\0"
    good = re.fullmatch("[^\\s\ud800-\udfff]+", name) and LENGTHS.get(kind) == len(data) - 1
    need(good and make_vkey(name, kind, data[1:]) == text, "keys", "no verifier key of a known type")
    return name, bytes.fromhex(rest[:8]), kind, data[1:]
def key_id(vkeys: Iterable[str]) -> str:
    """The id of a key, from its verifier keys (L13): 16 hexadecimal digits."""
    return sha256("".join(["oz0mem/keys/1\n", *(each + "\n" for each in sorted(vkeys))]).encode()).hexdigest()[:16]

def head_body(origin: str, size: int, root: bytes) -> str:
    """What a head says, as C2SP checkpoints write it: the text that is signed."""
    return f"{origin}\n{size}\n{b2a_base64(root).decode()}"
def signature_line(name: str, hash4: bytes, signature: bytes) -> str:
    """One signature of a note, which is its body, an empty line, and such lines."""
    return f"\u2014 {name} {b2a_base64(hash4 + signature).decode()}"
def mldsa_message(name: str, at: int, head: Head) -> bytes:
    """What a signature of type 0x06 by ``name`` signs, ``at`` in seconds since the epoch (C2SP tlog-cosignature)."""
    signer, origin = (bytes([len(each)]) + each for each in (name.encode(), head.origin.encode()))
    return b"subtree/v1\n\0" + signer + at.to_bytes(8) + origin + bytes(8) + head.size.to_bytes(8) + head.root

def read_note(text: str) -> tuple[str, list[tuple[str, bytes, bytes]]]:
    """Split a C2SP note into its body and its signatures: name, key hash, signature; Unverified, ``head``."""
    need(len(text) < 2**20 and not re.search("[\0-\t\x0b-\x1f\ud800-\udfff]", text), "head", "too long, or odd text")
    match = need(re.fullmatch("(?s)(.+\n)\n((\u2014 [^\\s+]+ \\S+\n){1,100})", text), "head", "not a signed note")
    found = [(name, unbase64(code, "head")) for name, code in re.findall("\u2014 (\\S+) (\\S+)\n", match[2])]
    need(len({(name, data[:4]) for name, data in found}) == len(found), "head", "two signatures by one key")
    need(all(len(data) > 4 for _, data in found), "head", "a signature too short")
    return match[1], [(name, data[:4], data[4:]) for name, data in found]

def read_head(text: str) -> Head:
    """Read a head and check no signature; Unverified, ``head``."""
    match = re.fullmatch("(.+)\n(0|[1-9][0-9]{0,15})\n(.+)\n", read_note(text)[0])
    origin, size, root = need(match, "head", "not an origin, a size and a root alone").groups()
    head = Head(origin, int(size), unbase64(root, "head"))
    good = head.size < 2**53 and len(head.root) == 32 and (head.size or head.root == EMPTY_ROOT)
    need(good, "head", "the size is too large, or has another root")
    return head

def read_keys(data: bytes) -> Keys:
    """Read a key file (L13); Unverified, ``keys``, where anything about it is wrong."""
    try:
        file, keys = check(read_json(data), KEY_FILE, "key file"), []
        for key in file["keys"]:
            name, vkeys = f"key {check(key, KEY, 'key')['id']}", tuple(map(read_vkey, key["vkeys"]))
            halves = {kind: public for ledger, _, kind, public in vkeys if ledger == file["ledger"]}
            need(len(vkeys) == 2 and halves.keys() == {ED25519, MLDSA}, "keys", f"{name}: not two halves of it")
            y, weak = int.from_bytes(halves[ED25519], "little") % 2**255, (0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH)
            need(y < PRIME and y not in weak, "keys", f"{name}: a weak Ed25519 key, for which anybody can sign")
            need(key["id"] == key_id(key["vkeys"]), "keys", f"{name}: its id does not belong to it")
            need(not -1 < key["until"] < key["from"], "keys", f"{name}: it ends before it begins")
            keys.append(Key(key["id"], vkeys, key["from"], key["until"]))
        need(len({vkey[1] for key in keys for vkey in key.vkeys}) == 2 * len(keys), "keys", "a key is there twice")
    except Unverified as error: raise Unverified("keys", error.message) from None
    return Keys(file["ledger"], tuple(keys))

def check_signature(vkey: tuple[str, bytes, int, bytes], signature: bytes, body: bytes, head: Head) -> None:
    """Check one signature of a head; Unverified, ``signature``."""
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ed25519, mldsa
    (name, hash4, kind, public), at = vkey, int.from_bytes(signature[:8])
    try:
        if kind == ED25519: ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, body)
        else: mldsa.MLDSA44PublicKey.from_public_bytes(public).verify(signature[8:], mldsa_message(name, at, head))
    except InvalidSignature: raise Unverified("signature", f"{name}+{hash4.hex()} did not sign this") from None
    except UnsupportedAlgorithm: raise ImportError("cryptography 48 or later is needed, with OpenSSL 3.5") from None

def check_head(text: str, keys: Keys) -> tuple[Head, str]:
    """Check a head's signatures (L12): of every known key that signed, both. Answers it, and the newest such key."""
    head, (body, lines) = read_head(text), read_note(text)
    need(head.origin == keys.ledger, "ledger", f"the head is of {ascii(head.origin[:80])}, the keys of {keys.ledger}")
    signed = {(name, hash4): signature for name, hash4, signature in lines}
    signers = [key for key in keys.keys if any(vkey[:2] in signed for vkey in key.vkeys)]
    need(signers, "unknown-key", "no signature on this head is by a key you gave")
    for key, _, start, until in signers:
        due = start <= head.size and not -1 < until < head.size
        need(due, "key-retired", f"key {key} signs heads from {start} to {until}, and this is one of {head.size}")
    need(all(v[:2] in signed for key in signers for v in key.vkeys), "downgrade", "one of two signatures is missing")
    for vkey in (v for key in signers for v in key.vkeys): check_signature(vkey, signed[vkey[:2]], body.encode(), head)
    return head, signers[-1].id

def read_receipt(data: bytes) -> Any:
    """Read a receipt and authenticate nothing; Unverified: ``not-json``, ``format``, ``field``."""
    from unicodedata import category, normalize
    receipt = check({"since": {"size": 0, "consistency": []}} | read_json(data, form="receipt/1"), RECEIPT, "receipt")
    subject, named = receipt["subject"], {"name": TEXT, "key": f'"{HEX}"'}
    check(subject, {"handle": HANDLE} | (named if len(subject) > 1 else {}), "subject")
    check(receipt["since"], {"size": INT, "consistency": TEXTS}, "since")
    name = normalize("NFC", subject.get("name", "-")[:513])
    folded = normalize("NFKC", normalize("NFKC", normalize("NFD", name).casefold()).casefold())
    unseen = re.search(BLANK, name) or {category(c) for c in name} & {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
    bad = unseen or not 0 < len(name) <= 128 or re.search(r"[:*?%\s]", folded) or folded in RESERVED
    need(not bad, "field", 'subject: "name" is not valid')
    for record in receipt["records"]:
        event = check(record, {"event": OBJECT, "proof": TEXTS}, "record")["event"]
        if event.get("action") in [*ACTIONS]:  # others are refused in their turn
            entries = check(event, ACTIONS[event["action"]], "event").get("entries", [])
            counted = event.get("count", 0) == len(entries) == len(set(entries)) <= 256
            need(counted, "field", "count is not the number of entries")
            need(len(canonical(event)) <= 8 << 10, "field", "an event of more than 8 KiB")
    return receipt | {"name": name if subject.get("name") else ""}

def verify(receipt: bytes, keys: bytes | None, held: str | None = None) -> Verified:
    """Check a receipt with a key file, and a head that was kept; Unverified: the first check that failed (L31)."""
    events: list[Any] = [{"index": -1, "action": ""}]
    read, size = read_receipt(receipt), None
    need(keys is not None, "no-keys", "nothing was authenticated: give the keys with --keys")
    known, ledger, name, since = read_keys(keys or b""), read["ledger"], read["name"], read["since"]
    subject, handle, _ = read["subject"], read["subject"]["handle"], read_head(read["checkpoint"])
    need(ledger == known.ledger, "ledger", f"the receipt is of {ledger}, the keys are of {known.ledger}")
    head, key = check_head(read["checkpoint"], known)
    opened = hmac.new(bytes.fromhex(subject.get("key", "")), f"oz0mem/subject/1\0{ledger}\0{name}".encode(), "sha256")
    need(not name or handle == "s_" + opened.hexdigest(), "name", f"the handle is not that of {ascii(name)}")
    for at, (event, proof) in enumerate((record["event"], record["proof"]) for record in read["records"]):
        need(event.get("action") in [*ACTIONS], "action", f"record {at} is of a kind that no receipt carries")
        need(event["ledger"] == ledger, "ledger", f"record {at} is of another ledger")
        need(event["subject"] == handle, "subject", f"record {at} is about somebody else")
        need((index := event["index"]) > events[-1]["index"], "order", f"record {at} goes back to entry {index}")
        need(index < head.size, "index", f"entry {index} is outside a ledger of {head.size}")
        fault, _, root = climb(leaf_hash(canonical(event)), index, head.size - 1, [*map(unbase64, proof)])
        need(not fault, "proof", f"record {at}: proof {fault}")
        need(root == head.root, "root", f"record {at} is not in the ledger that this head signs")
        events.append(event)
    (_, *erased, end), ends = events, [event["action"] == "receipt.issued" for event in events]
    need(ends[-1] and sum(ends) == 1, "closing", "the last record, and no other, says what the receipt covers")
    for n, event in enumerate(erased):
        need((event["n"], event["prev"]) == (n + 1, events[n]["index"]), "gap", f"record {n + 1} of theirs is missing")
    covers = (end["from_n"], end["through_n"], end["through_index"]) == (1, len(erased), events[-2]["index"])
    need(covers, "gap", f"the last record covers {end['from_n']} to {end['through_n']}, and others are here")
    if held is not None:
        _, size, root = check_head(held, known)[0]
        proven = size <= head.size and (since["size"] == size or size in (0, head.size))
        need(proven, "rollback", f"no proof of growth from the head of {size} that you hold (receipt --since)")
        proof = [unbase64(each, "fork") for each in since["consistency"] if since["size"] == size]
        grown = verify_consistency(size, head.size, root, head.root, proof) if size else not proof
        need(grown, "fork", "the ledger was rewritten since the head that you hold")
    until = max((each["backups_until"] for each in erased if each["backups_until"] != "none"), default="none")
    left, n = tuple(sorted({each["residue"] for each in erased} - {"none-found"})), len(erased)
    return Verified(name or handle, n, 1, n, end["index"], end["at"], head.size, key, until, left, size)

def sentence(found: Verified) -> str:
    """What a receipt proves, in one sentence (L32)."""
    many, whole = f"{found.records:,} record{'' if found.records == 1 else 's'}", f" from 1 to {found.through_n}"
    said = f"{many} about {found.about}, each with its proof" if found.records else f"no records about {found.about}"
    head = f"against a head of {found.size} signed by {found.key}; complete{whole if found.records else ''} as of event"
    held = "" if found.held is None else f"; the ledger grew from the head of {found.held} that you hold"
    return f"{said}, {head} {found.as_of_index}, {found.as_of_at}{held}"

def not_proven(found: Verified) -> list[str]:
    """What a receipt does not prove, which is always said (L32)."""
    backups = f"backups, which may hold it until {found.backups}" if found.backups != "none" else "backups"
    told = ["copies outside the store: exports, logs, notes", "what a model or its provider kept", backups]
    told += ["whether what was written was true", "what entries about others or about work say of them"]
    told += ["that nothing is remembered about them now", f"what came after event {found.as_of_index}"]
    told += ["that others are shown the same ledger: nobody witnessed it"]
    told += [f"that nothing is left in the store's own files: residue {each}" for each in found.residues]
    return told + (["whose handle this is"] if re.fullmatch(HANDLE, f'"{found.about}"') else [])

def main(argv: Sequence[str] | None = None) -> int:
    """Check the receipt of a command line: 0, or 8 where it does not hold, or 2 where something cannot be read."""
    from argparse import ArgumentParser
    from pathlib import Path
    parser = ArgumentParser(description="Check a receipt with the keys of its ledger, and with a head that you held.")
    for name in ("file", "--keys", "--held"): parser.add_argument(name, type=lambda path: Path(path).read_bytes())
    try:
        receipt, keys, held = vars(parser.parse_args(argv)).values()
        found = verify(receipt, keys, None if held is None else held.decode("utf-8", "replace"))
        status, lines = 0, [sentence(found), "not proven:", *(f"- {each}" for each in not_proven(found))]
    except Unverified as error: status, lines = 8, [f"not verified ({error.code}): {error.message}"]
    except (OSError, ValueError, ImportError) as error: status, lines = 2, [f"cannot check: {error}"]
    print("\n".join(lines).encode("ascii", "backslashreplace").decode())
    return status

if __name__ == "__main__": raise SystemExit(main())
