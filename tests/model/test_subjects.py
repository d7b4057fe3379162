"""Subject ids, and when two spellings are one person: M4, G12, G41."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.errors import Invalid
from oz0mem.model.names import RESERVED, check_subject, fold


@pytest.mark.parametrize(
    "subject",
    ["dana", "Dana", "dana@example.org", "straße", "李雷", "दाना", "o'neill", "a" * 128, "U0-12|34", "pat"],
)
def test_a_subject_is_answered_in_nfc(subject: str) -> None:
    """M4: any visible characters, upper case too."""
    assert check_subject(unicodedata.normalize("NFD", subject)) == unicodedata.normalize("NFC", subject)


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        ("", "subject.bad"),
        ("a" * 129, "subject.bad"),
        ("a" * 100_000, "subject.bad"),
        ("dana b", "subject.bad"),
        ("dana\u00a0b", "subject.bad"),
        ("dana\u3000", "subject.bad"),
        ("dana\t", "subject.bad"),
        ("da\x00na", "subject.bad"),
        ("da\x7fna", "subject.bad"),
        ("da\x9bna", "subject.bad"),
        ("da\u200bna", "subject.bad"),
        ("da\u202ena", "subject.bad"),
        ("da\ufe0fna", "subject.bad"),
        ("da\u034fna", "subject.bad"),
        ("da\u3164na", "subject.bad"),
        ("da\U000e0061na", "subject.bad"),
        ("da\ud800na", "subject.bad"),
        ("dana\u00b4", "subject.bad"),
        ("agent:dana", "subject.bad"),
        ("agent\uff1adana", "subject.bad"),
        ("*", "subject.wildcard"),
        ("dan?", "subject.wildcard"),
        ("%", "subject.wildcard"),
        ("dana\uff05", "subject.wildcard"),
        *((word, "subject.reserved") for word in RESERVED),
        ("Work", "subject.reserved"),
        ("EVERYONE", "subject.reserved"),
        ("\uff2d\uff25", "subject.reserved"),
        ("\U0001d4c5erson", "subject.reserved"),
    ],
)
def test_a_subject_that_could_mean_something_else_is_refused(subject: str, code: str) -> None:
    """M4, G41: no space, control, invisible character, colon, wildcard or reserved word, folded too."""
    with pytest.raises(Invalid) as refused:
        check_subject(subject)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Dana", "dana"),
        ("straße", "STRASSE"),
        ("Å", "\u212b"),
        ("é", "e\u0301"),
        ("ｄａｎａ", "dana"),
        ("ﬁona", "FIONA"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("ᾳ", "αι"),
    ],
)
def test_two_spellings_of_one_name_fold_to_one(a: str, b: str) -> None:
    """G12: one person's spellings are one person."""
    assert fold(a) == fold(b)


@pytest.mark.parametrize(("a", "b"), [("pat", "patricia"), ("dana", "dána"), ("ana", "аna")])
def test_different_names_stay_different(a: str, b: str) -> None:
    """G41: folding joins spellings, not people."""
    assert fold(a) != fold(b)


@given(st.text(max_size=30))
def test_folding_twice_is_folding_once(text: str) -> None:
    """G12: the folded form is a fixed point, whichever form of Unicode came in."""
    once = fold(text)
    assert fold(once) == once
    assert fold(unicodedata.normalize("NFD", text)) == once == fold(unicodedata.normalize("NFC", text))


def test_folding_is_a_fixed_point_for_every_character() -> None:
    """G12: all of Unicode, one character at a time; letters also before an iota below and an accent."""
    for code in range(0x110000):
        if not 0xD800 <= code <= 0xDFFF:
            once = fold(chr(code))
            assert fold(once) == once
            if code < 0x2000:
                marked = fold(chr(code) + "\u0345\u0301")
                assert fold(marked) == marked == fold(chr(code) + "\u0301\u0345")


@given(st.text(min_size=1, max_size=20))
def test_a_subject_that_passes_has_nothing_that_is_not_seen(text: str) -> None:
    """M4: what passes passes again, is NFC, and is no reserved word in any spelling."""
    try:
        subject = check_subject(text)
    except Invalid:
        return
    assert check_subject(subject) == subject == unicodedata.normalize("NFC", text)
    assert fold(subject) not in RESERVED
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp") for c in subject)
