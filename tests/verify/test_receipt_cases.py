"""Every receipt of ``receipts.json``, good and attacked, by the code that it is to be answered with (L31)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oz0mem import verify

FILE = Path(__file__).resolve().parents[2].parent / "shared/cases/receipts.json"
DATA: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"cases": []}

pytestmark = pytest.mark.skipif(not FILE.exists(), reason="shared/cases/receipts.json is not here")


def read_case(case: dict[str, Any]) -> tuple[bytes, bytes | None, str | None]:
    """The receipt, the keys and the held head of a case, as the file's ``use`` says."""
    receipt, held = case["receipt"], case["held_head"]
    if "repeat" in case:
        text, times = case["repeat"]
        receipt = text * times
    for token, text in DATA["substitute"].items():
        receipt = receipt.replace(token, json.dumps(text)[1:-1])
        held = held.replace(token, text) if held else held
    keys = DATA["key_files"][case["keys"]].encode() if case["keys"] else None
    return receipt.encode(), keys, held


def judge(receipt: bytes, keys: bytes | None, held: str | None) -> str:
    """``ok``, or the code of the first check that failed."""
    try:
        verify.verify(receipt, keys, held)
    except verify.Unverified as error:
        assert error.message
        assert error.message.isascii()
        assert error.message.isprintable()
        return error.code
    return "ok"


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: case["name"])
def test_a_receipt_is_answered_with_its_code(case: dict[str, Any]) -> None:
    """L31: good ones are good, and of the attacked ones the first check that fails is told."""
    assert judge(*read_case(case)) == case["want"]


def test_no_case_was_left_out() -> None:
    """L31: as many as the file has, good ones and bad ones."""
    wanted = [case["want"] for case in DATA["cases"]]
    assert len(wanted) == 57
    assert wanted.count("ok") == 6


@pytest.mark.parametrize(
    "name", [name for name in DATA.get("key_files", {}) if name not in ("k5", "k6", "k7", "k8", "k9")]
)
def test_a_good_key_file_is_read(name: str) -> None:
    """L13: with its keys, whatever ledger and range they are of."""
    assert verify.read_keys(DATA["key_files"][name].encode()).keys


@pytest.mark.parametrize("name", ["k5", "k6", "k7", "k8", "k9"])
def test_a_bad_key_file_is_refused(name: str) -> None:
    """L13: a weak key, types that this program does not check, an id that is not the key's, a half replaced."""
    with pytest.raises(verify.Unverified) as caught:
        verify.read_keys(DATA["key_files"][name].encode())
    assert caught.value.code == "keys"


def test_a_head_past_the_range_of_its_key_is_refused() -> None:
    """L13: the key of k3 signs up to 70; a head of 60 is its, one of 79 is not."""
    keys = verify.read_keys(DATA["key_files"]["k3"].encode())
    assert verify.check_head(DATA["substitute"]["@HEAD60@"], keys)[0].size == 60
    with pytest.raises(verify.Unverified, match="signs heads from 0 to 70") as caught:
        verify.check_head(DATA["substitute"]["@HEAD79@"], keys)
    assert caught.value.code == "key-retired"


def test_a_name_that_is_not_a_persons_never_reaches_a_terminal_raw() -> None:
    """C9, L31: what a sentence repeats of a receipt is told by its number."""
    case = next(case for case in DATA["cases"] if case["name"] == "name with a Cyrillic a")
    with pytest.raises(verify.Unverified, match=r"'d\\u0430na'"):
        verify.verify(*read_case(case))
