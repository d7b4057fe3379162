"""Signed notes, heads and what their signatures sign, against public vectors of C2SP (L12)."""

from __future__ import annotations

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from oz0mem import verify
from tests.rules.naive_tree import naive_root
from tests.verify.made import ANA, Ledger, key_file, note

VECTORS = Path(__file__).resolve().parents[2].parent / "shared/cases/vectors"
ROOT = "A" * 43 + "="


def vectors(name: str) -> Any:
    """Read a file of public vectors, or skip and say which is missing."""
    path = VECTORS / name
    if not path.exists():
        pytest.skip(f"shared/cases/vectors/{name} is not here")
    return json.loads(path.read_text(encoding="utf-8"))


def judge_note(data: bytes, vkeys: list[str]) -> str:
    """What a note is worth under Ed25519 keys: ``ok``, ``malformed``, ``unverified``, ``invalid`` or ``ambiguous``."""
    known = {vkey[:2]: vkey for vkey in map(verify.read_vkey, vkeys)}
    if len(known) < len(vkeys):
        return "ambiguous"
    try:
        body, lines = verify.read_note(data.decode("utf-8", "surrogateescape"))
    except verify.Unverified as error:
        assert error.code == "head"
        return "malformed"
    signed = [(known[name, hash4], signature) for name, hash4, signature in lines if (name, hash4) in known]
    try:
        for vkey, signature in signed:
            verify.check_signature(vkey, signature, body.encode(), verify.Head("", 0, bytes(32)))
    except verify.Unverified:
        return "invalid"
    return "ok" if signed else "unverified"


def test_every_public_note_is_judged_as_its_vector_wants() -> None:
    """L12: 15 notes, good, unknown, malformed; unknown signature lines are passed over."""
    cases = vectors("signed_notes.json")["notes"]
    for case in cases:
        assert judge_note(b64decode(case["note_b64"]), case["vkeys"]) == case["want"], case["name"]
    assert len(cases) == 15


def test_every_public_verifier_key_is_judged_as_its_vector_wants() -> None:
    """L12: every byte of one changed, other lengths and types."""
    cases = vectors("signed_notes.json")["vkeys"]
    for case in cases:
        try:
            name, _, kind, public = verify.read_vkey(case["vkey"])
            good = verify.make_vkey(name, kind, public) == case["vkey"]
        except verify.Unverified as error:
            assert error.code == "keys"
            good = False
        assert good == case["ok"], case
    assert len(cases) > 70


def test_a_head_is_an_origin_a_size_and_a_root_alone() -> None:
    """L12: public checkpoint bodies read strictly: no extension lines, and a root of 32 bytes."""
    cases = vectors("checkpoint_bodies.json")["vectors"]
    for case in cases:
        body = case["body"]
        root = (body.split("\n") + ["", ""])[2]
        plain = body.count("\n") == 3 and len(root) == 44
        assert is_head(body) == (not case["want_err"] and plain), case["desc"]
    assert [case["desc"] for case in cases if is_head(case["body"])] == ["golden"]


def is_head(body: str) -> bool:
    """Whether a body is read as that of a head."""
    try:
        return verify.head_body(*verify.read_head(f"{body}\n\u2014 x AAAAAAA=\n")) == body
    except verify.Unverified as error:
        assert error.code == "head"
        return False


@pytest.mark.parametrize(
    "body",
    [
        "",
        "\n",
        f"x\n00\n{ROOT}\n",
        f"x\n01\n{ROOT}\n",
        f"x\n+1\n{ROOT}\n",
        f"x\n 1\n{ROOT}\n",
        f"x\n1 \n{ROOT}\n",
        f"x\n\u0661\n{ROOT}\n",
        f"x\n{2**53}\n{ROOT}\n",
        f"x\n{2**64}\n{ROOT}\n",
        f"x\n{'9' * 5000}\n{ROOT}\n",
        f"x\n0\n{ROOT}\n",
        f"x\n1\n {ROOT}\n",
        f"x\n1\n{ROOT}=\n",
        f"x\n1\n{ROOT[:-2]}B=\n",
        f"x\n1\n{ROOT}\nmore\n",
        f"x\n1\n{ROOT}\n\n",
        f"\n1\n{ROOT}\n",
        f"x\r\n1\n{ROOT}\n",
        f"x\x00\n1\n{ROOT}\n",
        f"x\ud800\n1\n{ROOT}\n",
    ],
)
def test_a_head_written_in_any_other_way_is_refused(body: str) -> None:
    """L12, L31: sizes, roots and lines have one spelling; an empty ledger has one root."""
    assert not is_head(body)


def test_heads_at_the_edges_are_read() -> None:
    """L12: the largest size; an empty ledger with its own root; an origin that is not a ledger's of ours."""
    assert is_head(f"x\n{2**53 - 1}\n{ROOT}\n")
    assert is_head(verify.head_body("go.sum database tree \u00e9", 0, verify.EMPTY_ROOT))


LINE = verify.signature_line("x", b"abcd", b"e")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "body\n\n",
        "body\n" + LINE,
        "body\n\n" + LINE[:-1],
        "body\n\n" + LINE + "\n",
        "body\n\n" + LINE + "more\n",
        "body\n\n" + LINE.replace("\u2014", "-"),
        "body\n\n" + LINE.replace(" ", "  "),
        "body\n\n" + LINE.replace(" x ", " a b "),
        "body\n\n" + LINE.replace(" x ", " a+b "),
        "body\n\n" + LINE.replace(" x ", " a\u00a0b "),
        "body\n\n" + LINE.replace(" x ", "  "),
        "body\n\n" + LINE.replace("\n", " \n"),
        "body\n\n" + LINE.replace("\n", "\r\n"),
        "body\n\n" + verify.signature_line("x", b"abcd", b""),
        "body\n\n" + verify.signature_line("x", b"abc", b""),
        "body\n\n" + LINE + LINE,
        "body\n\n" + LINE + verify.signature_line("x", b"abcd", b"other"),
        "body\n\n" + "".join(verify.signature_line("x", b"%4d" % at, b"e") for at in range(101)),
        "body\t\n\n" + LINE,
        "b" * (1 << 20) + "\n\n" + LINE,
    ],
)
def test_a_note_that_is_not_quite_one_is_refused(text: str) -> None:
    """L12, L31: and told as ``head``."""
    with pytest.raises(verify.Unverified) as caught:
        verify.read_note(text)
    assert caught.value.code == "head"


def test_a_note_is_split_at_its_last_empty_line() -> None:
    """L12: a body may have empty lines; a hundred signatures are read; a name may be of any letters."""
    body, lines = verify.read_note("one\n\ntwo\n\n" + LINE)
    assert (body, lines) == ("one\n\ntwo\n", [("x", b"abcd", b"e")])
    many = "".join(verify.signature_line(f"w\u00fc{at}", b"abcd", b"e" * 2428) for at in range(100))
    assert len(verify.read_note("body\n\n" + many)[1]) == 100
    with pytest.raises(verify.Unverified):
        verify.read_head("one\n\ntwo\n\n" + LINE)


def test_what_mldsa_signs_is_what_c2sp_says() -> None:
    """L12: the message of a known answer, and heads signed by another program, both halves."""
    case = vectors("hybrid_ledger.json")
    origin = "ledger.example/oz0mem"
    head = verify.read_head(case["checkpoint_79"])
    assert verify.mldsa_message(origin, 0x6AB13B80, head) == b64decode(case["mldsa_signed_message_b64"])
    entry = {"id": verify.key_id(case["vkeys"]), "vkeys": case["vkeys"], "from": 0, "until": -1}
    keys = verify.read_keys(key_file(entry, origin=origin))
    leaves = [verify.leaf_hash(each.encode()) for each in case["leaves"]]
    for size in (64, 79):
        found, key = verify.check_head(case[f"checkpoint_{size}"], keys)
        assert (found.size, found.root, key) == (size, naive_root(leaves[:size]), entry["id"])
    inclusion = [verify.unbase64(each) for each in case["inclusion_64_in_79"]]
    assert verify.verify_inclusion(leaves[64], 64, 79, inclusion, head.root)
    old = verify.read_head(case["checkpoint_64"])
    growth = [verify.unbase64(each) for each in case["consistency_64_79"]]
    assert verify.verify_consistency(64, 79, old.root, head.root, growth)


def test_the_seeds_of_the_known_answer_make_its_keys() -> None:
    """L12: verifier keys are made as they are read."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey

    case = vectors("hybrid_ledger.json")
    seeds = {name: sha256(seed.encode()).digest() for name, seed in case["seeds"].items()}
    publics = {
        verify.ED25519: Ed25519PrivateKey.from_private_bytes(seeds["ed25519"]).public_key().public_bytes_raw(),
        verify.MLDSA: MLDSA44PrivateKey.from_seed_bytes(seeds["ml-dsa-44"]).public_key().public_bytes_raw(),
    }
    assert [verify.make_vkey("ledger.example/oz0mem", *each) for each in publics.items()] == case["vkeys"]


def test_heads_of_a_public_log_are_read_at_every_size() -> None:
    """L12: of the origin, the size and the root that its leaves have, signed by its key."""
    case = vectors("tessera_tile_log.json")
    leaves = [verify.leaf_hash(each.encode()) for each in case["leaves"]]
    for size in range(len(leaves) + 1):
        head = verify.read_head(case["files"][f"checkpoint.{size}"])
        assert head == (case["vkey"].split("+")[0], size, naive_root(leaves[:size]))
        assert judge_note(case["files"][f"checkpoint.{size}"].encode(), [case["vkey"]]) == "ok"


def test_lines_of_witnesses_are_passed_over() -> None:
    """L36: a head may carry lines of keys that were not given; their order does not matter."""
    head = verify.read_head(Ledger().fill(3).head())
    first, second = ANA.lines(head)
    witness = verify.signature_line("witness.example/w1", b"abcd", bytes(72))
    cosigned = verify.signature_line(head.origin, b"abcd", bytes(72))
    keys = verify.read_keys(key_file())
    for lines in ([witness, second, cosigned, first], [first, second, witness], [second, first]):
        assert verify.check_head(note(head, lines), keys) == (head, ANA.entry()["id"])
