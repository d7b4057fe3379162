"""Receipts made here: what is proven, what is not, and what no ledger can sign its way out of (L30 to L32)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oz0mem import verify
from tests.verify.made import ANA, BOB, OPENING, Ledger, code_of, compact, handle, key_file, note, simple


def proven(document: object, keys: bytes | None = None, held: str | None = None) -> verify.Verified:
    """What a good receipt proves."""
    return verify.verify(compact(document), key_file() if keys is None else keys, held)


def test_a_good_receipt_says_what_it_proves() -> None:
    """L32: how many records, about whom, from which to which, as of which entry and time, by whose key."""
    found = proven(simple().receipt())
    assert found[:7] == ("dana", 2, 1, 2, 11, "2026-09-21T14:13:20.000Z", 15)
    assert found[7:] == (ANA.entry()["id"], "2026-11-02", (), None)
    assert verify.sentence(found) == (
        f"2 records about dana, each with its proof, against a head of 15 signed by {found.key};"
        " complete from 1 to 2 as of event 11, 2026-09-21T14:13:20.000Z"
    )
    one = proven(simple(erasures=1).receipt())
    assert verify.sentence(one).startswith("1 record about dana, each with its proof, against a head of 12 signed by ")


def test_it_always_says_what_is_not_proven() -> None:
    """L32: copies elsewhere, backups until their date, models and providers, truth; and what is special to this one."""
    always = " ".join(verify.not_proven(proven(simple().receipt())))
    for word in ("copies outside the store", "backups", "2026-11-02", "provider", "true", "others", "after event 11"):
        assert word in always
    assert "residue" not in always
    left = Ledger().erase(residue="not-checked").erase(residue="found", backups_until="none").close()
    told = " ".join(verify.not_proven(proven(left.receipt())))
    assert "residue not-checked" in told
    assert "residue found" in told
    unnamed = simple()
    document = unnamed.receipt(subject={"handle": unnamed.handle})
    assert proven(document).about == unnamed.handle
    assert verify.not_proven(proven(document))[-1] == "whose handle this is"


def test_the_latest_backup_counts() -> None:
    """L32: of several dates the last, whatever the order of the records."""
    ledger = Ledger()
    for until in ("2026-11-02", "2027-01-31", "none", "2026-12-24"):
        ledger.erase(backups_until=until)
    assert proven(ledger.close().receipt()).backups == "2027-01-31"
    assert proven(Ledger().erase(backups_until="none").close().receipt()).backups == "none"


def test_that_nothing_was_erased_is_a_receipt_too() -> None:
    """L30: also in a ledger of one event, which is the receipt's own."""
    found = proven(Ledger().close().receipt())
    assert (found.records, found.through_n, found.size) == (0, 0, 1)
    assert verify.sentence(found).startswith("no records about dana, against a head of 1 signed by ")
    assert "complete as of event 0" in verify.sentence(found)
    assert proven(Ledger().fill(9).close().fill(3).receipt()).records == 0


def test_a_thousand_records_are_one_receipt() -> None:
    """L30: as many as a person has, each proven."""
    ledger = Ledger()
    for at in range(1000):
        ledger.erase([f"n-{at:012x}"])
    document = ledger.close().receipt()
    assert proven(document).records == 1000
    assert verify.sentence(proven(document)).startswith("1,000 records about dana")
    del document["records"][500]
    assert code_of(document) == "gap"


def test_a_name_is_the_same_however_its_accents_are_written() -> None:
    """L4: the handle is of the composed form, and so is what is said."""
    ledger = Ledger("zo\u00eb").erase().close()
    document = ledger.receipt()
    document["subject"]["name"] = "zoe\u0308"
    assert proven(document).about == "zo\u00eb"


@pytest.mark.parametrize(
    ("signed", "shown", "code"),
    [
        (60, 60, "ok"),
        (0, 0, "ok"),
        (79, 0, "ok"),
        (60, 0, "rollback"),
        (60, 59, "rollback"),
        (64, 64, "ok"),
        (90, 0, "rollback"),
    ],
)
def test_a_held_head_has_to_be_one_that_the_ledger_grew_from(signed: int, shown: int, code: str) -> None:
    """L31: with a proof from exactly its size, unless none is needed: from nothing, or to the very same size."""
    ledger = Ledger().fill(40).erase().fill(20).close().fill(17)
    assert ledger.size == 79
    document = ledger.receipt(since=shown)
    held = ledger.fill(20).head(signed)
    assert code_of(document, held=held) == code
    if code == "ok":
        assert proven(document, held=held).held == signed
        assert f"the head of {signed} that you hold" in verify.sentence(proven(document, held=held))


@pytest.mark.parametrize("size", [1, 33, 64, 79])
def test_a_ledger_that_was_rewritten_is_a_fork(size: int) -> None:
    """L31: the same keys, the same size, another history."""
    ledger = Ledger().fill(40).erase().fill(37).close()
    assert ledger.size == 79
    head = verify.Head(ledger.origin, size, bytes(range(32)))
    held = note(head, ANA.lines(head))
    document = ledger.receipt(since=size if size < 79 else 0)
    assert code_of(document, held=ledger.head(size)) == "ok"
    assert code_of(document, held=held) == "fork"


@pytest.mark.parametrize("proof", [[], ["AAAA"], ["A" * 43 + "="] * 3, ["not base64"]])
def test_a_proof_of_growth_that_is_none_is_a_fork(proof: list[str]) -> None:
    """L31: too short, not of hashes, of other hashes, not base64."""
    ledger = simple(before=4)
    document = ledger.receipt()
    document["since"] = {"size": 3, "consistency": proof}
    assert code_of(document) == "ok"
    assert code_of(document, held=ledger.head(3)) == "fork"


def test_a_held_head_is_checked_like_any_other() -> None:
    """L31: and after the receipt."""
    ledger = simple()
    document = ledger.receipt()
    for held, code in (
        ("", "head"),
        (ledger.head(3, [BOB]), "unknown-key"),
        (simple().head(3).replace("acme", "icme"), "ledger"),
        (ledger.head(3).rpartition("\u2014")[0], "downgrade"),
    ):
        assert code_of(document, held=held) == code
    document["records"][0]["proof"] = []
    assert code_of(document, held="") == "proof"


@pytest.mark.parametrize(
    ("bend", "code"),
    [
        ({"n": 3}, "gap"),
        ({"n": 1, "prev": -1}, "gap"),
        ({"prev": 4}, "gap"),
    ],
)
def test_a_chain_with_a_hole_is_a_gap_though_the_ledger_signed_it(bend: dict[str, Any], code: str) -> None:
    """L30: ``n`` runs without one, and each ``prev`` is the one before."""
    ledger = Ledger().fill(5).erase().erase(**bend)
    assert code_of(ledger.close(through_n=2, through_index=6).receipt()) == code


@pytest.mark.parametrize(
    "bend",
    [{"from_n": 2}, {"through_n": 1}, {"through_n": 3}, {"through_index": 5}, {"through_n": 0, "through_index": -1}],
)
def test_an_end_that_says_something_else_is_a_gap(bend: dict[str, Any]) -> None:
    """L30: the closing record fixes how many there are, from the first on."""
    assert code_of(Ledger().fill(5).erase().erase().close(**bend).receipt()) == "gap"


def test_a_receipt_ends_with_its_own_end_and_has_no_other() -> None:
    """L30: nothing after it, none in the middle, none left out."""
    ledger = simple()
    document = ledger.receipt()
    assert code_of(document | {"records": document["records"][:-1]}) == "closing"
    assert code_of(document | {"records": document["records"][:1]}) == "closing"
    assert code_of(ledger.close(through_n=2, through_index=8).receipt()) == "closing"
    assert code_of(Ledger().close().erase(n=1, prev=-1).receipt()) == "closing"


def test_an_event_of_another_ledger_or_person_is_told_before_its_place() -> None:
    """L31: ``ledger`` and ``subject`` come before ``order``, ``index``, ``proof`` and ``root``."""
    document = simple().receipt()
    record = document["records"][1]
    for bend, code in (
        ({"ledger": "other.example/oz0mem", "subject": "s_" + "0" * 64, "index": 2}, "ledger"),
        ({"subject": "s_" + "0" * 64, "index": 2}, "subject"),
        ({"index": 2}, "order"),
        ({"index": 5}, "order"),
        ({"index": 900}, "index"),
        ({"residue": "found"}, "root"),
    ):
        bent = [document["records"][0], {"event": record["event"] | bend, "proof": record["proof"]}]
        assert code_of(document | {"records": bent}) == code
    short = [document["records"][0], {"event": record["event"] | {"residue": "found"}, "proof": []}]
    assert code_of(document | {"records": short}) == "proof"


def test_the_codes_come_in_their_order() -> None:
    """L31: a receipt with every fault is answered with the first; mended one by one, with the next."""
    ledger, other = simple(), Ledger(origin="other.example/oz0mem").close()
    good = ledger.receipt()
    opened = {"handle": handle("dana", OPENING), "name": "erin", "key": OPENING.hex()}
    bad: dict[str, Any] = good | {"checkpoint": "x", "subject": opened, "records": good["records"][:1]}
    assert code_of(b"\xef\xbb\xbf" + compact(bad | {"oz0mem": "receipt/2", "more": 1})) == "not-json"
    assert code_of(json.dumps(bad | {"oz0mem": "receipt/2", "more": "\ud800"}).encode()) == "format"
    assert code_of(json.dumps(bad | {"ledger": "\ud800"}).encode()) == "field"
    assert code_of(bad | {"oz0mem": "receipt/2", "more": 1}) == "format"
    assert code_of(bad | {"more": 1}, b"") == "field"
    assert code_of(bad, b"") == "keys"
    assert code_of(bad, key_file(origin="other.example/oz0mem")) == "keys"
    assert code_of(bad) == "head"
    assert code_of(bad | {"checkpoint": other.head(), "ledger": other.origin}) == "ledger"
    assert code_of(bad | {"checkpoint": other.head()}) == "ledger"
    assert code_of(bad | {"checkpoint": ledger.head(signers=[BOB])}) == "unknown-key"
    assert code_of(bad | {"checkpoint": good["checkpoint"]}) == "name"
    assert code_of(bad | {"checkpoint": good["checkpoint"], "subject": good["subject"]}) == "closing"
    with pytest.raises(verify.Unverified) as caught:
        verify.verify(compact(bad), None)
    assert caught.value.code == "no-keys"
