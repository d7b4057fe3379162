"""G10, G14, G16, M8: settings and own secrets from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.model.settings import TABLE
from tests.cli.inside import Inside

if TYPE_CHECKING:
    from pathlib import Path

SETS: dict[str, tuple[tuple[str, ...], Any]] = {
    "default_days": (("--default-days", "30"), 30),
    "max_days": (("--max-days", "730"), 730),
    "max_records": (("--max-records", "100"), 100),
    "max_bytes": (("--max-bytes", "16MiB"), 16 << 20),
    "compatible": (("--compatible", "a>b", "--compatible", "c:d"), ["a>b", "c>d"]),
    "review": (("--review", "all"), "all"),
    "retention_days": (("--retention-days", "0"), 0),
    "works_council": (("--works-council",), True),
    "apart": (("--apart", "sales:legal"), [["legal", "sales"]]),
    "recall_entries": (("--recall-entries", "5"), 5),
    "recall_chars": (("--recall-chars", "500"), 500),
    "scim_deactivate": (("--scim-deactivate", "forget"), "forget"),
}


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant that ana governs."""
    made = Inside(monkeypatch)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    return made


def settings(inside: Inside) -> dict[str, Any]:
    """The settings' document."""
    return dict(json.loads(inside.ok("settings", "--json")))


def test_every_setting_is_set_by_its_option(inside: Inside) -> None:
    """G14: each option sets its setting, G10: with old and new value, G16: and who changed it is shown."""
    assert {row.key for row in TABLE} - {"four_eyes"} == set(SETS)
    for key, (words, value) in SETS.items():
        before = settings(inside)[key]
        made = json.loads(inside.ok("settings", "set", *words, "--reason", "for the test", "--json"))
        assert made["what"] == [{"setting": key, "old": before, "new": value}]
        assert (made["state"], made["changed"], made["by"]) == ("applied", True, "ana")
        after = settings(inside)
        assert (after[key], after["changed"][key]["by"]) == (value, "ana")


def test_pairs_are_taken_away_again(inside: Inside) -> None:
    """G14: --no-compatible and --not-apart take their pair away."""
    inside.ok("settings", "set", "--compatible", "a>b", "--apart", "x:y", "--reason", "on")
    inside.ok("settings", "set", "--no-compatible", "a:b", "--not-apart", "y:x", "--reason", "off")
    now = settings(inside)
    assert (now["compatible"], now["apart"]) == ([], [])


def test_setting_what_is_set_writes_nothing(inside: Inside) -> None:
    """G10: the answer is applied, exit 0, and no event."""
    size = len(json.loads(inside.ok("audit", "log", "--json"))["items"])
    made = json.loads(inside.ok("settings", "set", "--default-days", "90", "--reason", "same", "--json"))
    assert (made["state"], made["changed"], made["what"]) == ("applied", False, [])
    assert len(json.loads(inside.ok("audit", "log", "--json"))["items"]) == size


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--default-days", "0"), 3),
        (("--default-days", "366"), 3),
        (("--max-days", "89"), 3),
        (("--max-days", "3651"), 3),
        (("--max-bytes", "1023"), 3),
        (("--max-bytes", "65MiB"), 3),
        (("--recall-chars", "199"), 3),
        (("--default-days", "many"), 2),
        (("--review", "none"), 2),
        (("--compatible", "support"), 2),
        (("--four-eyes",), 3),
    ],
)
def test_what_is_out_of_bounds_is_refused_whole(inside: Inside, words: tuple[str, ...], code: int) -> None:
    """G14: a value outside its bounds changes nothing, nor does what stands beside it."""
    assert inside.run("settings", "set", *words, "--max-records", "7", "--reason", "no").code == code
    assert inside.run("settings", "set", "--reason", "nothing named").code == 2
    assert settings(inside)["max_records"] == 5_000


def test_both_numbers_are_told_where_the_longest_end_is_too_short(inside: Inside) -> None:
    """G14: a longest end below the default end is refused with both numbers."""
    answer = inside.run("settings", "set", "--max-days", "60", "--reason", "no")
    assert (answer.code, "60" in answer.err, "90" in answer.err) == (3, True, True)


def test_a_bare_word_is_answered_with_the_quoted_form(inside: Inside) -> None:
    """G14: an unquoted > is the shell's."""
    assert "'support>OTHER'" in inside.run("settings", "set", "--compatible", "support", "--reason", "x").err


def test_loosening_is_refused_under_four_eyes(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """G11: what would wait for another admin is refused until changes can wait; tightening applies."""
    inside = Inside(monkeypatch)
    inside.ok("init", "--tenant", "acme", "--admin", "ana", "--admin", "bob")
    assert inside.run("settings", "set", "--max-days", "730", "--reason", "longer").code == 3
    assert inside.run("settings", "set", "--no-four-eyes", "--reason", "alone").code == 3
    assert inside.run("principal", "add", "eve", "--role", "admin", "--reason", "third").code == 3
    inside.ok("settings", "set", "--max-days", "300", "--reason", "shorter")
    assert settings(inside)["four_eyes"] is True


def test_an_own_secret_is_refused_everywhere_and_shown_nowhere(inside: Inside, home: Path) -> None:
    """M8: a registered secret is kept as a keyed hash; no text with it is kept, nor the secret itself."""
    secret = "blue bicycle 77"
    added = json.loads(inside.ok("secrets", "add", "--reason", "leaked", "--json", stdin=f"{secret}\n"))
    assert inside.run("secrets", "add", "--reason", "again", stdin=secret).code == 5
    assert inside.run("secrets", "add", "--reason", f"it is {secret}", stdin=secret).code == 3
    assert inside.run("secrets", "add", "--reason", "short", stdin="1234567\n").code == 2
    assert inside.run("remember", f"the lock opens with {secret}").code == 3
    assert inside.run("settings", "set", "--max-days", "300", "--reason", f"says {secret}").code == 3
    assert all(secret.encode() not in file.read_bytes() for file in home.rglob("*") if file.is_file())
    number = str(added["secret"])
    inside.ok("secrets", "remove", number, "--reason", "rotated")
    assert inside.run("secrets", "remove", number, "--reason", "rotated").code == 4
    inside.ok("remember", f"the lock opens with {secret}")
