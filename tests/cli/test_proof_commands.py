"""``receipt``, ``verify``, ``audit head`` and ``audit keys`` from the command line (L12, L13, L30 to L32, L36)."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.cli.frame import Answer
from tests.cli.inside import Inside

INIT = ("init", "--tenant", "acme", "--admin", "ana", "--solo")
AGENT = "name: concierge\ncapabilities: [remember]\nmemory: {semantic: true, retain: 720h0m0s}\n"
FACTS = '{"text": "Dana ships to Lisbon", "about": "dana", "kind": "semantic"}\n'


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path, tmp_path: Path) -> Inside:
    """The program in a folder of its own, where dana was forgotten and the keys were handed out."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    made = Inside(monkeypatch)
    made.ok(*INIT)
    Path("concierge.yaml").write_text(AGENT, encoding="utf-8")
    Path("facts.jsonl").write_text(FACTS, encoding="utf-8")
    made.ok("agent", "declare", "concierge.yaml", "--reason", "first")
    made.ok("import", "facts.jsonl", "--from", "jsonl", "--agent", "concierge")
    made.ok("audit", "keys", "-o", "head.pub.json")
    made.ok("audit", "head", "-o", "head.txt")
    made.ok("forget", "--about", "dana", "--yes")
    return made


def verify(inside: Inside, *more: str) -> Answer:
    """Check the receipt."""
    return inside.run("verify", "dana.json", "--keys", "head.pub.json", *more)


def test_a_receipt_is_taken_and_checked_where_there_is_no_store(
    inside: Inside, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """L30, L31: story 3; another machine has the receipt, the keys and the head, and nothing else."""
    said = inside.ok("receipt", "-o", "dana.json", "--about", "dana", "--since", "head.txt")
    assert said.startswith("dana.json: 1 record about dana, under a head of ")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("dana.json", "head.pub.json", "head.txt"):
        shutil.copy(name, elsewhere)
    monkeypatch.chdir(elsewhere)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(elsewhere / "home"))
    size, key = _head(Path("dana.json"))
    for words in (("verify",), ("agent", "verify-receipt")):
        answer = inside.run(*words, "dana.json", "--keys", "head.pub.json", "--held", "head.txt")
        assert answer.code == 0
        proven = f"1 record about dana, each with its proof, against a head of {size} signed by {key}"
        assert answer.out.startswith(proven)
        assert "not proven:" in answer.out and "whether what was written was true" in answer.out
    assert not (elsewhere / "home").exists()


def _head(path: Path) -> tuple[int, str]:
    """The size of the head in a receipt, and the id of the one key in the key file beside it."""
    size = int(json.loads(path.read_bytes())["checkpoint"].splitlines()[1])
    return size, str(json.loads(Path("head.pub.json").read_bytes())["keys"][0]["id"])


def test_what_a_receipt_proves_and_does_not_is_one_document(inside: Inside) -> None:
    """L32, C2: the ``verify`` shape."""
    inside.ok("receipt", "-o", "dana.json", "--about", "dana")
    document: dict[str, Any] = json.loads(verify(inside, "--json").out)
    size, key = _head(Path("dana.json"))
    assert document["head"] == {"size": size, "key": key}
    assert (document["ok"], document["code"], document["about"]) == (True, "ok", "dana")
    assert (document["records"], document["from_n"], document["through_n"]) == (1, 1, 1)
    assert document["witnesses"] == [] and len(document["not_proven"]) >= 4


def test_what_does_not_hold_ends_with_8_and_its_code(inside: Inside) -> None:
    """L31, C3: on stdout as a document, so that a script reads the code."""
    inside.ok("receipt", "-o", "dana.json", "--about", "dana")
    assert json.loads(inside.run("verify", "dana.json", "--json").out)["code"] == "no-keys"
    assert json.loads(verify(inside, "--held", "head.txt", "--json").out)["code"] == "rollback"
    text = Path("dana.json").read_text(encoding="utf-8")
    Path("dana.json").write_text(text.replace('"request"', '"objection"'), encoding="utf-8")
    answer = verify(inside)
    assert answer.code == 8
    assert answer.out.startswith("not verified (root): ")
    Path("dana.json").write_bytes(b"\xff" * 100)
    assert json.loads(verify(inside, "--json").out)["code"] == "not-json"


def test_a_hostile_receipt_never_reaches_the_terminal_raw(inside: Inside) -> None:
    """C9: escapes in a name, a key, a code; at a terminal and in a pipe."""
    inside.ok("receipt", "-o", "dana.json", "--about", "dana")
    document = json.loads(Path("dana.json").read_bytes())
    for name in ("\x1b[2Jdana", "da\u202ena", "da\u200bna", "\x07", "d" * 100_000, "\ud800"):
        document["subject"]["name"] = name
        Path("dana.json").write_text(json.dumps(document), encoding="utf-8")
        for terminal in (False, True):
            answer = inside.run("verify", "dana.json", "--keys", "head.pub.json", terminal=terminal)
            assert answer.code == 8
            assert not set(answer.out + answer.err) & set("\x1b\x07\u202e\u200b\ud800")
            assert len(answer.out) < 2_000


def test_a_receipt_is_for_its_owner_alone_and_whole_or_not_there(inside: Inside) -> None:
    """L30: mode 0600, also over a file that others could read; what cannot be written is refused before all else."""
    Path("dana.json").write_text("before", encoding="utf-8")
    Path("dana.json").chmod(0o644)
    inside.ok("receipt", "-o", "dana.json", "--about", "dana")
    assert stat.S_IMODE(os.stat("dana.json").st_mode) == 0o600
    before = inside.ok("audit", "check", "--json")
    for place in ("missing/dana.json", ".", "a\0b", ""):
        answer = inside.run("receipt", "-o", place, "--about", "dana")
        assert (answer.code, "output.file" in inside.run("receipt", "-o", place, "--json").err) == (2, True)
    assert inside.ok("audit", "check", "--json") == before
    assert inside.run("receipt", "-o", "erin.json", "--about", "erin").code == 4
    assert not Path("erin.json").exists() and not [*Path().glob("*.part")]


def test_a_receipt_goes_to_stdout_where_it_is_asked_for(inside: Inside) -> None:
    """C2, C7: the document and nothing else."""
    said = inside.run("receipt", "-o", "-", "--about", "dana")
    assert json.loads(said.out)["oz0mem"] == "receipt/1"
    assert said.err == ""
    assert inside.run("verify", "-", "--keys", "head.pub.json", stdin=said.out).code == 0


def test_a_certificate_goes_by_the_files_name(inside: Inside) -> None:
    """L35: Markdown, or HTML."""
    for name, begins in (("dana.md", "# Certificate"), ("dana.html", "<!doctype html>"), ("dana", "# Certificate")):
        inside.ok("receipt", "--certificate", "-o", name, "--about", "dana")
        assert Path(name).read_text(encoding="utf-8").startswith(begins)
        assert stat.S_IMODE(os.stat(name).st_mode) == 0o600


def test_a_head_that_was_kept_is_compared(inside: Inside) -> None:
    """L36: story 5; it only grew, until yesterday's file stands in its place."""
    assert inside.run("audit", "check", "--against", "head.txt").code == 0
    store = next(Path(os.environ["HOME"]).rglob("oz0mem.db"))
    yesterday = shutil.copy(store, "yesterday.db")
    inside.ok("remember", "Invoices go out on Fridays")
    inside.ok("audit", "head", "-o", "today.txt")
    shutil.copy(yesterday, store)
    refused = inside.run("remember", "Deploys wait")
    assert (refused.code, "(L14)" in refused.err, "signed.json" in refused.err) == (3, True, True)
    found = json.loads(inside.run("audit", "check", "--against", "today.txt", "--json").out)
    assert found["ok"] is False
    assert any("events are missing" in problem["problem"] for problem in found["problems"])
    doctor = json.loads(inside.run("doctor", "--json").out)
    assert [line["ok"] for line in doctor["items"] if line["what"] == "head"] == [False]


def test_a_new_key_needs_a_reason_and_an_answer(inside: Inside) -> None:
    """L13, C5: story 6 from the command line; without a terminal it needs --yes."""
    assert inside.run("audit", "keys", "rotate", "--yes").code == 2
    assert inside.run("audit", "keys", "rotate", "--reason", "yearly").code == 3
    assert inside.run("audit", "keys", "turn").code == 2
    assert inside.run("audit", "keys", "rotate", "-o", "x", "--reason", "yearly", "--yes").code == 2
    inside.ok("receipt", "-o", "dana.json", "--about", "dana")
    said = inside.ok("audit", "keys", "rotate", "--reason", "yearly", "--yes")
    old = _head(Path("dana.json"))[1]
    assert said.rstrip().endswith(f"signs from now on, {old} no more")
    inside.ok("receipt", "-o", "later.json", "--about", "dana")
    assert inside.run("verify", "later.json", "--keys", "head.pub.json").out.startswith("not verified (unknown-key)")
    inside.ok("audit", "keys", "-o", "head.pub.json")
    for name in ("dana.json", "later.json"):
        assert inside.run("verify", name, "--keys", "head.pub.json").code == 0


def test_files_that_cannot_be_read_are_said(inside: Inside) -> None:
    """C3: a missing file is a usage error, not a receipt that does not hold."""
    assert inside.run("verify", "nowhere.json", "--keys", "head.pub.json").code == 2
    assert inside.run("verify", "head.txt", "--keys", "nowhere.json").code == 2
    assert inside.run("receipt", "-o", "dana.json", "--since", "nowhere.txt").code == 2
    assert inside.run("audit", "check", "--against", "nowhere.txt").code == 2
    Path("junk.txt").write_bytes(b"\xff\x00junk")
    assert inside.run("receipt", "-o", "dana.json", "--about", "dana", "--since", "junk.txt").code == 8
    assert not Path("dana.json").exists()


def test_another_ledger_in_its_place_is_refused_by_whatever_path_it_is_named(inside: Inside, tmp_path: Path) -> None:
    """L14: a link and a path with dots lead to the same place."""
    store = next(Path(os.environ["HOME"]).rglob("oz0mem.db"))
    Path("link.db").symlink_to(store)
    other = tmp_path / "other.db"
    inside.ok("init", "--store", f"sqlite:///{other}", "--tenant", "acme", "--admin", "eve", "--profile", "eve")
    shutil.copy(other, store)
    for url in (
        f"sqlite:///{store}",
        "sqlite:///link.db",
        f"sqlite:///{store.parent}/../{store.parent.name}/oz0mem.db",
    ):
        answer = inside.run("remember", "Invoices", "--store", url, "--tenant", "acme", "--profile", "eve", "--json")
        assert (answer.code, json.loads(answer.err)["error"]["code"]) == (3, "ledger.replaced"), url


def test_a_ledgers_name_is_one_tenants_in_a_store(inside: Inside) -> None:
    """L1, L14: else two ledgers would stand under one name, and each be taken for the other."""
    line = ("init", "--tenant", "beta", "--admin", "bea", "--profile", "beta", "--origin", "acme/oz0mem", "--json")
    answer = inside.run(*line)
    assert (answer.code, json.loads(answer.err)["error"]["code"]) == (5, "init.origin_taken")
    inside.ok("remember", "Invoices go out on Fridays")
    inside.ok(*line[:-3], "--origin", "beta/oz0mem")


def test_a_new_key_says_where_its_seeds_are(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """L13: a key out of the environment is no surprise, and keys that were made here are taken first."""
    made = json.loads(inside.ok("audit", "keys", "rotate", "--reason", "yearly", "--yes", "--json"))
    assert made["where"].endswith("keys.toml")
    monkeypatch.setenv("OZ0MEM_SIGNING_KEY", f"{'1a' * 32}:{'2b' * 32}")
    made = json.loads(inside.ok("audit", "keys", "rotate", "--reason", "to the server", "--yes", "--json"))
    assert made["where"] == "OZ0MEM_SIGNING_KEY"
    monkeypatch.delenv("OZ0MEM_SIGNING_KEY")
    assert inside.run("audit", "head").code == 3
