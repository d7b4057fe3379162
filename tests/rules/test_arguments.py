"""The arguments of a write (M1)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import KINDS, PROPOSALS
from oz0mem.rules.arguments import (
    check_key,
    check_kind,
    check_reason,
    check_source,
    check_tags,
    check_text,
    check_valid,
)

KIB16 = 16 * 1024


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Deploy on Wednesdays", "Deploy on Wednesdays"),
        ("  Deploy\n", "Deploy"),
        ("\u00a0Deploy\u3000", "Deploy"),
        ("first\n\tsecond", "first\n\tsecond"),
        ("cafe\u0301", "café"),
        ("\u1112\u1161\u11ab", "한"),
        ("right \u202e left", "right \u202e left"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_a_text_is_kept_in_nfc_and_trimmed(given: str, kept: str) -> None:
    """M1: newline and tab stay inside; format characters are text, and are shown by whoever shows them."""
    assert check_text(given, "note") == kept


@pytest.mark.parametrize("kind", [*KINDS])
def test_a_text_has_at_most_16_kib_and_a_proposal_2000_characters(kind: str) -> None:
    """M1: bytes of UTF-8 after trimming for any, characters for decisions, definitions and rules."""
    most = 2_000 if kind in PROPOSALS else KIB16
    assert check_text(f"  {'a' * most}  ", kind) == "a" * most
    with pytest.raises(Invalid) as refused:
        check_text("a" * (most + 1), kind)
    assert (refused.value.code, refused.value.rule) == ("argument.size", "M1")
    assert refused.value.facts["most"] == most


def test_sizes_count_bytes_of_utf8_and_characters_as_composed() -> None:
    """M1: a letter of two bytes counts two of 16 KiB, and one of 2,000 however it was typed."""
    assert check_text("é" * (KIB16 // 2), "note")
    assert check_text("e\u0301" * 2_000, "rule") == "é" * 2_000
    with pytest.raises(Invalid, match="16 KiB"):
        check_text("é" * (KIB16 // 2) + "a", "note")
    with pytest.raises(Invalid, match="2,000"):
        check_text("é" * 2_001, "rule")


@pytest.mark.parametrize("letter", ["한", "é", "ǖ", "ᾂ", "a"])
def test_the_largest_value_in_its_longest_spelling_is_taken(letter: str) -> None:
    """M1: typed as its parts it is up to four times as long, and nothing that fits is refused for it."""
    whole = letter * (KIB16 // len(letter.encode()))
    assert check_text(unicodedata.normalize("NFD", whole), "note") == whole
    assert check_key(unicodedata.normalize("NFD", letter * 200)) == letter * 200
    assert check_tags([unicodedata.normalize("NFD", letter * 64)]) == (letter * 64,)


def test_what_is_far_too_long_is_refused_before_any_work_is_done_on_it() -> None:
    """M1: a million accents cost no time that grows with their square."""
    for check in (lambda t: check_text(t, "note"), check_key, check_reason, lambda t: check_tags([t])):
        with pytest.raises(Invalid, match="far too long") as refused:
            check("a" + "\u0301\u0316" * 1_000_000)
        assert refused.value.code == "argument.size"


@pytest.mark.parametrize("given", ["", " ", "\n\t ", "\u00a0\u3000", "\u200b", "\u200b \u2060\ufeff"])
def test_a_text_with_nothing_to_see_is_refused(given: str) -> None:
    """M1: blank, or only characters of no width."""
    for check in (lambda t: check_text(t, "note"), check_key, check_reason, lambda t: check_tags([t])):
        with pytest.raises(Invalid) as refused:
            check(given)
        assert refused.value.code == "argument.blank"


@pytest.mark.parametrize("control", ["\x00", "\x07", "\x08", "\r", "\x0b", "\x1b", "\x7f", "\x85", "\x9b"])
def test_a_control_character_is_refused_with_its_place(control: str) -> None:
    """M1: none but newline and tab; the sentence has the place and never the text."""
    with pytest.raises(Invalid) as refused:
        check_text(f"Wednesdays\nand {control}[31mFridays", "note")
    error = refused.value
    assert error.code == "argument.control"
    assert (error.facts["line"], error.facts["column"]) == (2, 5)
    assert f"U+{ord(control):04X}" in error.message
    assert "Fridays" not in repr((error.message, error.hint, error.facts))


@pytest.mark.parametrize("given", ["a\ud800", "\udfff", "a\udc80b"])
def test_half_a_surrogate_pair_is_refused_and_leaves_no_cause_with_the_text(given: str) -> None:
    """M1, Q15: it is no UTF-8, and no exception that carries the text hangs on."""
    for check in (lambda t: check_text(t, "note"), check_key, check_reason, lambda t: check_tags([t])):
        with pytest.raises(Invalid) as refused:
            check(given)
        assert refused.value.code == "argument.unicode"
        assert refused.value.__context__ is None


@pytest.mark.parametrize("given", [None, 3, b"text", ["text"], {"text": 1}])
def test_what_is_no_text_is_refused(given: object) -> None:
    """M1: arguments come as JSON, so of any type."""
    for check in (lambda t: check_text(t, "note"), check_key, check_reason):
        with pytest.raises(Invalid) as refused:
            check(given)
        assert refused.value.code == "argument.type"


@given(st.text(max_size=50), st.sampled_from([*KINDS]))
def test_a_text_that_is_kept_is_kept_again_unchanged(text: str, kind: str) -> None:
    """M1: what a check answers passes it, in NFC, trimmed, without controls."""
    try:
        kept = check_text(text, kind)
    except Invalid:
        return
    assert check_text(kept, kind) == kept == unicodedata.normalize("NFC", kept) == kept.strip()
    assert not [c for c in kept if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t"]


def test_tags_are_kept_in_their_order_each_once() -> None:
    """M1: two spellings of one tag in NFC are one."""
    assert check_tags(["b", " a ", "cafe\u0301", "café", "b"]) == ("b", "a", "café")
    assert check_tags(None) == check_tags([]) == ()


def test_at_most_16_tags_of_64_characters() -> None:
    """M1: sixteen different ones."""
    tags = [f"{n:02}" + "x" * 62 for n in range(16)]
    assert check_tags(tags + tags) == tuple(tags)
    with pytest.raises(Invalid, match="16 tags") as refused:
        check_tags([*tags, "one more"])
    assert refused.value.code == "argument.tags"
    with pytest.raises(Invalid, match="64 characters"):
        check_tags(["x" * 65])


@pytest.mark.parametrize("tags", ["tag", {"a": 1}, 3, [3], [None]])
def test_tags_are_a_list_of_texts(tags: object) -> None:
    """M1: a text alone is not a list of its letters."""
    with pytest.raises(Invalid) as refused:
        check_tags(tags)
    assert refused.value.code == "argument.type"


@pytest.mark.parametrize(("check", "most"), [(check_key, 200), (check_reason, 1_000)])
def test_a_key_has_at_most_200_and_a_reason_1000_characters(check: object, most: int) -> None:
    """M1: counted as composed, after trimming."""
    assert callable(check)
    assert check(" " + "e\u0301" * most + " ") == "é" * most
    with pytest.raises(Invalid, match=f"{most:,} characters"):
        check("é" * (most + 1))


@pytest.mark.parametrize("control", "\n\t")
def test_a_key_and_a_tag_are_one_line_and_a_reason_may_be_more(control: str) -> None:
    """M1: newline and tab belong in texts and reasons."""
    given = f"a{control}b"
    assert check_reason(given) == given
    for check in (check_key, lambda t: check_tags([t]), lambda t: check_source({"path": t})):
        with pytest.raises(Invalid) as refused:
            check(given)
        assert refused.value.code == "argument.control"


def test_a_term_is_named_in_its_refusal() -> None:
    """M1: a key and a term have one limit."""
    with pytest.raises(Invalid, match="a term has at most 200"):
        check_key("x" * 201, "term")


def test_a_source_has_four_fields_in_one_order() -> None:
    """M1, M10: what is not given is left out."""
    source = {"path": " a/b.py ", "fingerprint": "0f", "commit": None, "repository": "web"}
    kept = check_source(source)
    assert kept == {"repository": "web", "path": "a/b.py", "fingerprint": "0f"}
    assert [*kept] == ["repository", "path", "fingerprint"]
    assert check_source(None) == check_source({}) == {}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ({"url": "x"}, "argument.source"),
        ({"path": "x", 3: "y"}, "argument.source"),
        ({"path": 3}, "argument.type"),
        ({"path": ""}, "argument.blank"),
        ({"path": "x" * 1_001}, "argument.size"),
        ("path", "argument.type"),
        ([], "argument.type"),
    ],
)
def test_a_source_with_anything_else_is_refused(source: object, code: str) -> None:
    """M1: closed, each field at most 1,000 characters."""
    with pytest.raises(Invalid) as refused:
        check_source(source)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("valid_from", "valid_until", "taken"),
    [
        (None, None, True),
        (5, None, True),
        (None, 5, True),
        (0, 1, True),
        (5, 5, False),
        (6, 5, False),
        (None, 2**53 - 1, True),
        (None, 2**53, False),
        (-1, None, False),
    ],
)
def test_what_is_valid_begins_before_it_stops(valid_from: int | None, valid_until: int | None, taken: bool) -> None:
    """M1, L8: [from, until), so an empty period is none; a record holds integers up to 2^53 - 1."""
    if taken:
        check_valid(valid_from, valid_until)
        return
    with pytest.raises(Invalid) as refused:
        check_valid(valid_from, valid_until)
    assert refused.value.code == "argument.valid"


def test_a_kind_is_one_of_seven() -> None:
    """M1: by its exact name."""
    assert [check_kind(kind) for kind in KINDS] == [*KINDS]
    for kind in ("Note", "", "memo", None, 3, ["note"]):
        with pytest.raises(Invalid) as refused:
            check_kind(kind)
        assert refused.value.code == "argument.kind"
