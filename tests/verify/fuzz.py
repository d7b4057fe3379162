"""A search, guided by coverage, for an input that the verifier is wrong about (L31).

    python -m tests.verify.fuzz -runs=1000000 -timeout=10

No part of the tests: it needs ``atheris``, which has no wheel for every Python, and says so and ends where that is not
installed. What a thousand inputs of each kind can find, ``tests/verify/test_fuzz.py`` finds on every build.

An input's first byte chooses what is tried, the rest is it: the bytes of a receipt, of a key file or of a head; other
values in a good receipt; a ledger whose owner writes what they like, proves it and signs it. What must hold: nothing
but ``Unverified`` is raised, with a code of L31 and a plain sentence; the answer is yes only to what has the meaning of
something known to be good; nothing takes long (libFuzzer's ``-timeout``).
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

from oz0mem.rules import merkle
from tests.verify.made import ANA, BOB, Ledger, compact, key_file, note, simple

try:
    atheris: Any = importlib.import_module("atheris")
except ImportError:
    sys.exit("atheris is not installed, so nothing was searched: pip install atheris")
with atheris.instrument_imports(include=["oz0mem.verify"]):
    sys.modules.pop("oz0mem.verify", None)
    verify: Any = importlib.import_module("oz0mem.verify")

CODES = """not-json format field no-keys keys head ledger unknown-key key-retired downgrade signature name
    action subject order index proof root closing gap rollback fork"""
LEDGERS = [simple(erasures=2, before=4), Ledger().close(), Ledger("zo\u00eb").fill(3).erase().close().fill(60)]
GOOD = [ledger.receipt(since=4 if ledger.size > 4 else 0) for ledger in LEDGERS]
# Without name and key a receipt is still good, and says less.
GOOD += [{**good, "subject": {"handle": good["subject"]["handle"]}} for good in GOOD]
WITNESSED = GOOD[0]["checkpoint"] + verify.signature_line("witness.example/w1", b"abcd", bytes(72))
GOOD.append({**GOOD[0], "checkpoint": WITNESSED})
HELD = LEDGERS[0].head(4)
KEYS = [key_file(), key_file(ANA.entry(0, 99), BOB.entry(40))]
IDS = {ANA.entry()["id"], BOB.entry()["id"]}
KNOWN = {vkey[:2] for vkey in map(verify.read_vkey, ANA.vkeys() + BOB.vkeys())}
VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    5,
    2**53 - 1,
    "",
    "dana",
    [],
    {},
    [[]],
    [None],
    "\u202e",
    "A" * 43 + "=",
    "none",
]


def judged(call: Any, *arguments: Any) -> Any:
    """What a call answers, or None where it raises what it may."""
    try:
        return call(*arguments)
    except verify.Unverified as error:
        assert error.code in CODES.split(), error.code
        assert error.message and error.message.isascii() and error.message.isprintable(), error.message
        return None


def meaning(document: dict[str, Any], held: str | None) -> str:
    """A receipt without what nobody looks at: foreign signature lines and, with no held head, the proof from it."""
    body, lines = verify.read_note(document["checkpoint"])
    kept = sorted(line for line in lines if line[:2] in KNOWN)
    plain = {name: document[name] for name in document if name != "checkpoint" and (held or name != "since")}
    return json.dumps([plain, body, repr(kept)], sort_keys=True)


MEANINGS = {held: {meaning(document, held) for document in GOOD} for held in (None, HELD)}


def check_yes(data: bytes, keys: bytes, held: str | None) -> None:
    """Answer a receipt; where it is yes, it has to mean what a good one means."""
    if judged(verify.verify, data, keys, held) is not None:
        assert meaning(json.loads(data), held) in MEANINGS[held], data


def try_receipt(data: bytes) -> None:
    """The bytes of a receipt, behind one that says with which keys and which held head."""
    choice = data[0] if data else 0
    check_yes(data[1:], KEYS[choice & 1], HELD if choice & 2 else None)


def try_keys(data: bytes) -> None:
    """The bytes of a key file."""
    found = judged(verify.verify, compact(GOOD[0]), data, None)
    assert found is None or found.key in IDS
    keys = judged(verify.read_keys, data)
    for key in keys.keys if keys else ():
        assert [vkey[2] for vkey in sorted(key.vkeys, key=lambda vkey: int(vkey[2]))] == [verify.ED25519, verify.MLDSA]
        assert key.id == verify.key_id(verify.make_vkey(name, kind, public) for name, _, kind, public in key.vkeys)


def try_head(data: bytes) -> None:
    """The text of a head, and of a note and a verifier key, which have one spelling."""
    text = data.decode("utf-8", "surrogateescape")
    found = judged(verify.check_head, text, verify.read_keys(KEYS[0]))
    if found is not None:
        assert found[0] in [verify.read_head(head) for head in (HELD, *(good["checkpoint"] for good in GOOD))]
    read = judged(verify.read_note, text)
    assert read is None or text == f"{read[0]}\n" + "".join(verify.signature_line(*line) for line in read[1])
    vkey = judged(verify.read_vkey, text)
    assert vkey is None or verify.make_vkey(vkey[0], vkey[2], vkey[3]) == text


def try_json(data: bytes) -> None:
    """Any bytes as JSON: read as the standard library does, or not at all."""
    value = judged(verify.read_json, data)
    assert value is None or value == json.loads(data)


def edit(given: Any, document: Any) -> None:
    """Put other values somewhere into a document, as the input chooses."""
    for _ in range(given.ConsumeIntInRange(1, 3)):
        place: Any = document
        name: Any = ""
        while isinstance(place, dict | list) and place:
            name = given.PickValueInList(list(place) if isinstance(place, dict) else list(range(len(place))))
            if not isinstance(place[name], dict | list) or given.ConsumeIntInRange(0, 5) == 0:
                break
            place = place[name]
        if not isinstance(place, dict | list) or not place:
            continue
        what = given.ConsumeIntInRange(0, 4)
        if what == 0:
            del place[name]
        elif what == 1 and isinstance(place, list):
            place.insert(0, deepcopy(place[name]))
        elif what == 2:
            place[name] = given.ConsumeUnicode(12)
        elif what == 3:
            place[name] = given.ConsumeIntInRange(-2, 90)
        else:
            place[name] = deepcopy(given.PickValueInList(VALUES))


def try_values(data: bytes) -> None:
    """A good receipt with other values in it."""
    given = atheris.FuzzedDataProvider(data)
    document = json.loads(compact(given.PickValueInList(GOOD)))
    held = HELD if given.ConsumeBool() else None
    edit(given, document)
    check_yes(json.dumps(document).encode(), KEYS[given.ConsumeBool()], held)


def try_ledger(data: bytes) -> None:
    """A ledger that was written by somebody who has its keys: every leaf is theirs, proven and signed.

    Where the answer is yes, the records have to be what a receipt is, counted here once more.
    """
    given = atheris.FuzzedDataProvider(data)
    document = json.loads(compact(GOOD[given.ConsumeIntInRange(0, 2)]))
    events = [record["event"] for record in document["records"]]
    edit(given, events)
    ledger = Ledger(document["subject"].get("name", ""))
    whole = [event for event in events if isinstance(event, dict) and isinstance(event.get("index"), int)]
    for event in whole:
        if ledger.size <= event["index"] < 100:
            ledger.fill(event["index"] - ledger.size)
            ledger.log.append(
                [
                    merkle.leaf_hash(
                        json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(
                            "utf-8", "replace"
                        )
                    )
                ]
            )
    if not ledger.size or not whole:
        return
    document["records"] = [
        ledger.record(event) if 0 <= event["index"] < ledger.size else {"event": event, "proof": []} for event in whole
    ]
    head = verify.Head(ledger.origin, ledger.size, merkle.root(ledger.log.edge, ledger.size))
    document["checkpoint"] = note(head, ANA.lines(head))
    found = judged(verify.verify, json.dumps(document).encode(), KEYS[0], None)
    if found is not None:
        *erased, end = whole
        assert [event["n"] for event in erased] == list(range(1, len(whole)))
        assert [event["prev"] for event in erased] == [-1, *(event["index"] for event in erased)][: len(erased)]
        assert end["through_n"] == len(erased) == found.records
        assert {event["subject"] for event in whole} == {document["subject"]["handle"]}
        assert all(event["action"] in verify.ACTIONS and event["outcome"] == "done" for event in whole)


def try_tree(data: bytes) -> None:
    """A path made of hashes that are about: only the right one leads to the root."""
    given = atheris.FuzzedDataProvider(data)
    log = LEDGERS[2].log
    new = given.ConsumeIntInRange(1, len(log.leaves))
    old, index = given.ConsumeIntInRange(1, new), given.ConsumeIntInRange(0, new - 1)
    roots = [merkle.root(merkle.edge_of(size, log.read_leaves, log.read), size) for size in (old, new)]
    tries: list[tuple[list[bytes], Any]] = [
        (log.consistency(old, new), lambda path: verify.verify_consistency(old, new, *roots, path)),
        (
            log.inclusion(index, new),
            lambda path: verify.verify_inclusion(log.leaves[index], index, new, path, roots[1]),
        ),
    ]
    for right, says in tries:
        path = list(right)
        for _ in range(given.ConsumeIntInRange(0, 3)):
            at = given.ConsumeIntInRange(0, len(path))
            path[at : at + given.ConsumeIntInRange(0, 2)] = [
                given.PickValueInList([*right, *roots, *log.leaves[:3], b""])
            ]
        assert says(path) == (path == right)


TRIED = (try_receipt, try_keys, try_head, try_json, try_values, try_ledger, try_tree)


def try_one(data: bytes) -> None:
    """Try one input."""
    if data:
        TRIED[data[0] % len(TRIED)](data[1:])


def write_corpus(folder: Path) -> None:
    """The good ones that the search begins with."""
    seeds = [bytes([0, choice]) + compact(good) for good in GOOD for choice in range(4)]
    seeds += [bytes([1]) + keys for keys in KEYS]
    seeds += [bytes([2]) + text.encode() for text in (HELD, WITNESSED, ANA.vkeys()[0], ANA.vkeys()[1])]
    seeds += [bytes([3]) + compact(good) for good in (*GOOD, [1, -1, {"a": None, "b": [True, '\u00e9\\"']}])]
    seeds += [bytes([kind, *range(begin, begin + 24)]) for kind in (4, 5, 6) for begin in range(0, 240, 24)]
    for at, seed in enumerate(seeds):
        (folder / f"seed{at:03}").write_bytes(seed)


def main() -> None:
    """Search, with libFuzzer's options."""
    for good in GOOD:
        assert verify.verify(compact(good), KEYS[0], None), "what is called good is good"
    with tempfile.TemporaryDirectory() as folder:
        write_corpus(Path(folder))
        atheris.Setup([*sys.argv, "-max_len=8000", folder], try_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
