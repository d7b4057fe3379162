"""``doctor --prove`` from the command line: to the letter, for whom it is, and what is left of it (4.5, C6, G3)."""

from __future__ import annotations

import json
import tempfile
from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import auditing
from oz0mem.store.damage import DAMAGES
from tests.cli.inside import Inside, compare

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.story import Story

WORDS = ("invoices", "fridays", "lisbon", "agreed")


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant with two notes, one of them edited, and a signed head."""
    del home
    made = Inside(monkeypatch)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    note = json.loads(made.ok("remember", "Invoices go out on Fridays", "--json"))["id"]
    made.ok("move", note, "project:web", "--reason", "as agreed")
    made.ok("remember", "Parcels to Lisbon go by train")
    made.ok("audit", "head")
    return made


@pytest.mark.parametrize("form", ["terminal", "piped", "json"])
def test_the_proof_is_written_to_the_letter(inside: Inside, form: str) -> None:
    """C1, C2: a table, plain in a pipe, one document as JSON; never a word of what was remembered."""
    more = ["--json"] if form == "json" else []
    answer = inside.run("doctor", "--prove", *more, terminal=form == "terminal")
    assert answer.code == 0, answer.err
    compare(f"prove.{form}.txt", answer.out)
    assert not [word for word in WORDS if word in (answer.out + answer.err).lower()]


def test_what_was_not_noticed_is_named_and_ends_with_8(inside: Inside, home: Path) -> None:
    """L14, C3: without the key here, what came after the last signed head can be cut off; the last line says so."""
    for _ in range(4):
        inside.ok("recall", "invoices")
    (home / ".config/oz0mem/keys.toml").unlink()
    answer = inside.run("doctor", "--prove")
    assert answer.code == 8
    said = answer.out + answer.err
    assert "not noticed: " in said
    assert "oz0mem audit head -o head.txt" in said
    document = json.loads(inside.run("doctor", "--prove", "--json").out)
    missed = [item["damage"] for item in document["items"] if item["noticed"] is False]
    assert document["ok"] is False
    assert missed == ["the last three events and the head cut off"] and missed[0] in said


def test_nothing_is_left_after_ctrl_c_and_nothing_is_changed(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C6: the copy goes with the command; the store says the same before and after."""
    before = inside.ok("audit", "check", "--contents")
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    seen: list[str] = []

    def stop(*_: object, **__: object) -> None:
        seen.extend(path.name for path in folder.iterdir())
        raise KeyboardInterrupt

    with inside.patch.context() as patch:
        patch.setattr(auditing, "check", stop)
        assert inside.run("doctor", "--prove").code == 130
    assert len(seen) == 1 and list(folder.iterdir()) == []
    assert inside.ok("audit", "check", "--contents") == before


def test_it_is_for_who_may_read_the_ledger(inside: Inside) -> None:
    """G3: refused as the check is, with the reason and what to do."""
    told = inside.ok("principal", "add", "dana", "--role", "member", "--reason", "joined", "--json")
    inside.patch.setenv("OZ0MEM_TOKEN", json.loads(told)["token"])
    answer = inside.run("doctor", "--prove", "--json")
    assert (answer.code, json.loads(answer.err)["error"]["code"]) == (6, "role.forbidden")


def test_a_bar_stands_on_a_terminal_and_goes_away(story: Story) -> None:
    """C6 and C2: on stderr, never in a pipe."""
    said = story.at_terminal("doctor", "--prove")
    assert f"] {len(DAMAGES) - 1} of {len(DAMAGES)}" in said
    assert "damage" not in said.partition("\x1b[K")[0] and "a text altered" in said.rpartition("\x1b[K")[2]
    assert "\x1b" not in story.run("doctor", "--prove").err
