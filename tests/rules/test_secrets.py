"""What the scan refuses, holds and lets pass, against the shared cases and samples made at run time.

No secret stands here in one piece: `example_secrets` puts them together when a test runs.
"""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.rules.secrets import Finding, find_own, own_secret_digest, scan, scan_arguments
from tests.rules.example_secrets import BASE64, CLEAN, HOLD, VETO, body, disguises, github

CASES = Path(__file__).resolve().parents[2].parent / "shared/cases/secrets.json"
KEY = b"k" * 32


def cases() -> list[dict[str, Any]]:
    """Read the shared cases, or skip and say that they are missing."""
    if not CASES.exists():
        pytest.skip("shared/cases/secrets.json is not here")
    answer: list[dict[str, Any]] = json.loads(CASES.read_text())["cases"]
    for case in answer:
        if "parts" in case:
            case["text"] = case["text"].format(s="".join(case["parts"]))
    return answer


def verdict(text: str) -> str:
    verdicts = {finding.verdict for finding in scan(text)}
    return "veto" if "veto" in verdicts else "hold" if verdicts else "clean"


def test_the_shared_cases_get_the_verdict_they_ask_for() -> None:
    """M8: known formats are refused, look-alikes held, ids and hashes kept."""
    wrong = [
        (case["id"], verdict(case["text"]))
        for case in cases()
        if case["verdict"] != "unscored" and verdict(case["text"]) not in {case["verdict"], *case.get("tolerate", [])}
    ]
    assert wrong == []


def test_a_refusal_names_the_kind_of_the_shared_case() -> None:
    """M8: refused with its kind."""
    wrong = [
        case["id"]
        for case in cases()
        if case["verdict"] == "veto" and case["kind"] not in {finding.kind for finding in scan(case["text"])}
    ]
    assert wrong == []


@pytest.mark.parametrize("kind", VETO)
def test_a_known_format_is_refused_with_its_kind(kind: str) -> None:
    """M8: a secret in a known format is refused with its kind."""
    found = scan(f"first line\nuse {VETO[kind]} for now")
    assert (kind, 2, "veto") in {(f.kind, f.line, f.verdict) for f in found}


@pytest.mark.parametrize("text", HOLD, ids=range(len(HOLD)))
def test_what_merely_resembles_a_secret_is_held(text: str) -> None:
    """M8: what merely resembles a secret is held, not refused."""
    assert verdict(text) == "hold"


@pytest.mark.parametrize("text", CLEAN, ids=range(len(CLEAN)))
def test_ids_hashes_and_placeholders_are_no_secrets(text: str) -> None:
    """M8: ids and hashes are not taken for secrets."""
    assert scan(text) == []


@pytest.mark.parametrize("disguise", disguises("x" * 40))
def test_a_disguised_secret_is_refused(disguise: str) -> None:
    """M8: disguises that survive copying hide no secret."""
    kinds = {(f.kind, f.verdict) for f in scan(disguises(github())[disguise])}
    assert ("github-pat", "veto") in kinds


def test_the_place_is_that_of_the_original_text() -> None:
    """M8: line and column count from one, in the text as it was given, whatever was folded or joined."""
    text = "ﬁrst\u200b\r\nö \u200b" + github()[:5] + "\u200b" + github()[5:] + "\n" + VETO["figma-token"]
    assert scan(text) == [Finding("github-pat", 2, 4, "veto"), Finding("figma-token", 3, 1, "veto")]


def test_a_sure_find_is_not_told_again_as_a_resemblance() -> None:
    """M8: one secret, one finding."""
    assert [f.kind for f in scan("GITHUB_TOKEN=" + github())] == ["github-pat"]


def test_every_argument_is_scanned_and_named_by_its_path() -> None:
    """M8: text, tags, key, term, source and reason; keys of mappings too, without showing them."""
    secret = github()
    arguments = {
        "text": "fine",
        "tags": ["ok", "fine", secret],
        "source": {"commit": secret, secret: {"path": secret}, "lines": 3},
        "reason": None,
    }
    found = scan_arguments(arguments)
    assert [path for path, _ in found] == ["tags[2]", "source{2}", "source.commit", "source{2}.path"]
    assert secret not in repr(found)


def test_a_name_in_a_mapping_tells_what_its_value_is() -> None:
    """M8: a value beside a telling name, as in a source, is judged with the name."""
    found = scan_arguments({"source": {"aws_secret_access_key": body(40, BASE64)}})
    assert found == [("source.aws_secret_access_key", Finding("aws-secret-access-key", 1, 1, "veto"))]


def test_deep_arguments_do_not_break_the_scan() -> None:
    """M8: every argument is scanned, at any depth."""
    value: object = github()
    for _ in range(5000):
        value = [value]
    assert [finding.kind for _, finding in scan_arguments({"tags": value})] == ["github-pat"]


def registered(*secrets: str) -> dict[int, frozenset[bytes]]:
    answer: dict[int, frozenset[bytes]] = {}
    for length, digest in (own_secret_digest(KEY, secret) for secret in secrets):
        answer[length] = answer.get(length, frozenset()) | {digest}
    return answer


def test_a_registered_secret_is_found_anywhere_in_the_text() -> None:
    """M8: the tenant's own secrets are refused, from their keyed hashes alone."""
    own = registered("  blue heron 7\n", "Zürich!")
    text = "one\ntwoblue heron 7three, Zu\u0308rich!"
    assert find_own(text, KEY, own) == [
        Finding("own-secret", 2, 4, "veto"),
        Finding("own-secret", 2, 23, "veto"),
    ]
    assert find_own("blue heron 8 and Zürich", KEY, own) == []
    assert find_own(text, b"other key", own) == []


@pytest.mark.parametrize("disguise", sorted(set(disguises("x" * 40)) - {"base64", "hexadecimal"}))
def test_a_disguised_registered_secret_is_found(disguise: str) -> None:
    """M8: disguises hide the tenant's own secrets no better than others."""
    own = "kept_by_hand-and-long-enough-7"
    text = disguises(own)[disguise]
    assert [f.kind for f in find_own(text[-200:], KEY, registered(own))] == ["own-secret"]


def test_a_digest_counts_composed_characters_and_no_space_around() -> None:
    """M8: one secret has one digest, however it was typed."""
    assert own_secret_digest(KEY, " e\u0301t\u00e9\n") == own_secret_digest(KEY, "\u00e9te\u0301")
    assert own_secret_digest(KEY, "abc")[0] == 3


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
PIECES = st.sampled_from(
    [
        "password",
        "token",
        "secret",
        " is ",
        ": ",
        "=",
        "://",
        "@",
        "\n",
        "%5F",
        "\\",
        '"',
        "sk-",
        "eyJ",
        "İ",
        "ﬃ",
        *HOLD,
    ]
)


@given(st.lists(ANY_TEXT | PIECES, max_size=8).map("".join))
def test_no_text_breaks_the_scan_and_places_lie_inside(text: str) -> None:
    """M8: any text gets an answer, in order of place."""
    found = scan(text)
    lines = text.split("\n")
    assert found == sorted(found, key=lambda f: (f.line, f.column))
    assert all(1 <= f.column <= len(lines[f.line - 1]) for f in found)


@given(ANY_TEXT, ANY_TEXT, st.sampled_from(sorted(VETO)))
def test_the_secret_is_never_in_the_answer(before: str, after: str, kind: str) -> None:
    """M8: kind and place, never the secret."""
    secret = VETO[kind]
    found = scan_arguments({"text": f"{before} {secret} {after}", "tags": {secret: [secret]}})
    assert found
    assert not any(secret[i : i + 12] in repr(found) for i in range(len(secret) - 11))


@given(ANY_TEXT, st.text("abéＡ\u0301\u1100\u1161 ", min_size=1, max_size=12), ANY_TEXT)
def test_a_registered_secret_is_found_between_any_texts(before: str, secret: str, after: str) -> None:
    """M8: found by its length and keyed hash wherever it stands."""
    length, _ = own_secret_digest(KEY, secret)
    plain = unicodedata.normalize("NFC", secret).strip()
    found = find_own(f"{before}\n{plain}\n{after}", KEY, registered(secret))
    assert bool(found) == bool(length)


def test_a_line_of_nothing_but_odd_spaces_is_read() -> None:
    """Q13: a next line that only Unicode calls blank has no word to join to."""
    for blank in ("\x85", "\x1f", "\u2028", ">\x85"):
        assert scan(f"x1\n{blank}") == []
        assert find_own(f"x1\n{blank}", KEY, registered("secret-7")) == []
