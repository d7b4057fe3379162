"""What a text gives to the index, and what a question asks of it (R1, R2)."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.rules import stems, words
from oz0mem.rules.letters import fold


def found(question: str, text: str) -> bool:
    """Whether a text has every word of a question."""
    return set(words.question_words(question)) <= set(words.index_words(text))


FOUND = [
    # An inflection, an irregular form, a contraction, a possessive.
    ("adopting", "She adopted two dogs"),
    ("go", "Ana went to Porto"),
    ("children", "one child"),
    ("dana", "Dana’s desk and Dana's chair"),
    ("will", "we won't"),
    # Marks, case, width.
    ("STRASSE", "Er wohnt in der Straße"),
    ("Straße", "STRASSE 5"),
    ("cafe", "im Café"),
    ("Cafe\u0301", "caf\u00e9"),
    ("ПЁТР", "петр"),
    ("μαιου", "Μαΐου"),
    ("istanbul", "İstanbul"),
    ("full width 12", "ＦＵＬＬ　ｗｉｄｔｈ　１２"),
    ("cooperation", "coop\u00aderation"),
    # Scripts with marks inside words.
    ("हिन्दी", "मैंने कल हिन्दी सीखी"),
    ("दिल्ली", "वह दिल्ली में है।"),
    # Scripts without spaces, and Korean endings.
    ("咖啡", "我昨天喝了咖啡，很好"),
    ("東京", "昨日東京で飲んだ"),
    ("コーヒー", "ｺｰﾋｰを飲む"),
    ("กาแฟ", "ฉันกินกาแฟทุกวัน"),
    ("서울", "어제 서울에서 만났다"),
    (unicodedata.normalize("NFD", "서울"), "서울에서"),
    # Whole and in parts.
    ("dana.smith@example.com", "write to <Dana.Smith@example.com>."),
    ("smith", "dana.smith@example.com"),
    ("example.com", "dana.smith@example.com"),
    ("1.2.3", "since v1.2.3"),
    ("v2", "on V2, not V1"),
    ("src/app/main.py", "see src/app/main.py:"),
    ("main.py", "/src/app/main.py"),
    ("users", r"C:\Users\dana"),
    ("2026-03-01", "at 2026-03-01T09:30:00Z"),
    ("n-3f2a91c07b42", "confirm N-3F2A91C07B42!"),
    ("max_records", "the cap max_records, always"),
    ("records", "max_records"),
    ("email", "by e-mail"),
    ("e-mail", "by E‑Mail"),
    ("follow", "a follow-up"),
    ("obrien", "O’Brien"),
]


@pytest.mark.parametrize(("question", "text"), FOUND)
def test_a_text_is_found_by_another_spelling_form_or_part_of_its_words(question: str, text: str) -> None:
    """R1: one normalisation at write and question."""
    assert found(question, text)


APART = [
    # `\w+` would find both in each other's letters.
    ("हिन", "हिन्दी"),
    ("काम", "कम"),
    ("咖喱", "我喝了咖啡"),
    ("1.2.3", "1.2.4"),
    ("dana@example.com", "dana@example.org"),
    ("car", "carpet"),
]


@pytest.mark.parametrize(("question", "text"), APART)
def test_other_words_are_not_found(question: str, text: str) -> None:
    """R1: marks tell words apart, and a whole is more than its parts."""
    assert not found(question, text)


def test_words_are_counted_in_the_order_of_the_text() -> None:
    """R1: counts by stem."""
    assert list(words.index_words("Runs, ran and running: tea!").items()) == [
        ("run", 3),
        ("and", 1),
        ("tea", 1),
    ]


@pytest.mark.parametrize("name", ["dana", "हिन्दी"])
def test_a_possessive_counts_its_name_once(name: str) -> None:
    """R1: the ending is no word of its own."""
    assert words.index_words(f"{name}'s") == {name: 1}


def test_a_chinese_run_gives_characters_and_pairs() -> None:
    """R1: punctuation ends a run; other letters have their own."""
    assert list(words.index_words("喝咖啡，用iPhone")) == ["喝", "咖", "啡", "喝咖", "咖啡", "用", "iphon"]


def test_a_thai_character_keeps_its_marks() -> None:
    """R1: no index word of a Thai text begins with a mark."""
    for word in words.index_words("ฉันกินข้าวที่ร้านน้ำ"):
        assert unicodedata.category(word[0])[0] != "M"


@pytest.mark.parametrize("text", ["❤️ ... -- '' // @", "\u0301\u0301", "\u0e31\u0e31", "\u200d\ufe0f", "", " \n\t"])
def test_a_text_without_letters_and_digits_has_no_words(text: str) -> None:
    """R1: signs, marks alone and unseen characters are no words."""
    assert words.index_words(text) == {}
    assert words.question_words(text) == []


@given(st.text(max_size=80))
def test_composed_and_decomposed_spellings_give_the_same_words(text: str) -> None:
    """R1: NFC, NFD, NFKC and NFKD of one text."""
    expected = words.index_words(unicodedata.normalize("NFC", text))
    for form in ("NFD", "NFKC", "NFKD"):
        assert words.index_words(unicodedata.normalize(form, text)) == expected


@given(st.text(max_size=80))
def test_folding_twice_changes_nothing(text: str) -> None:
    """R1: what is folded is at rest."""
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=300))
def test_a_question_asks_only_for_what_the_same_text_would_index(text: str) -> None:
    """R1, R2: write and question go one way, and every word is bounded."""
    indexed = words.index_words(text)
    asked = words.question_words(text)
    assert set(asked) <= set(indexed)
    assert len(asked) == len(set(asked))
    assert bool(asked) == bool(indexed)
    assert words.content_words(text) <= set(indexed)
    assert all(0 < len(word) <= words.LONGEST_WORD for word in indexed)


def test_stop_words_are_cut_from_the_question_only() -> None:
    """R2: the index has them."""
    assert words.question_words("Where did the team go?") == ["team", "go"]
    assert {"the", "where"} <= set(words.index_words("Where did the team go?"))
    assert words.content_words("the team is there") == {"team"}


def test_stop_words_are_kept_when_nothing_is_left() -> None:
    """R2: a question of stop words alone still asks."""
    assert words.question_words("who is it") == ["who", "be", "it"]
    assert words.content_words("who is it") == frozenset()


def test_a_denial_is_content() -> None:
    """M3: two texts of which one denies the other differ by a content word."""
    assert words.content_words("never deploy on Fridays") != words.content_words("deploy on Fridays")


SHOWN = [
    ("Where did Dana drink her Coffees?", {"coffe", "dana"}, ["Dana", "Coffees"]),
    ("我喜欢咖啡吗", {"咖啡", "咖", "啡"}, ["咖啡"]),
    ("我喜欢咖啡吗", {"咖", "吗"}, ["咖", "吗"]),
    ("Cafe\u0301 in der STRASSE", {"cafe", "strass"}, ["Cafe\u0301", "STRASSE"]),
    ("ＤＡＮＡ's", {"dana"}, ["ＤＡＮＡ's"]),
    ("(dana.smith@example.com)", {"example.com", "smith"}, ["smith", "example.com"]),
    ("dana.smith@example.com", {"dana.smith@example.com", "com"}, ["dana.smith@example.com"]),
    (unicodedata.normalize("NFD", "서울에서"), {"서울", "울"}, [unicodedata.normalize("NFD", "서울")]),
    ("tea, Tea and TEA", {"tea"}, ["tea"]),
    ("हिन्दी में", {"हिन्दी"}, ["हिन्दी"]),
    ("v1.2.3", {"1.2.3"}, ["1.2.3"]),
    ("tea", set(), []),
]


@pytest.mark.parametrize(("question", "matched", "forms"), SHOWN)
def test_a_hit_names_the_words_as_the_asker_wrote_them(question: str, matched: set[str], forms: list[str]) -> None:
    """R2: each hit names the words it matched."""
    assert words.shown_forms(question, matched) == forms


@given(st.text(max_size=120))
def test_every_word_that_matched_is_shown(text: str) -> None:
    """R2: a text that matched by all its words shows something for them, and nothing without."""
    indexed = set(words.index_words(text))
    assert bool(words.shown_forms(text, indexed)) == bool(indexed)
    assert words.shown_forms(text, set()) == []


HOSTILE = [
    "a" * 16_384,
    "a.b-" * 4_096,
    ".".join(f"a{number}" for number in range(3_400)),
    "e" + "\u0301\u0316" * 4_000,
    "-'" * 8_192,
    "\ufdfa" * 5_461,
    "1t" * 8_000 + ":",
    "".join(chr(0x4E00 + number) for number in range(5_461)),
    "ก" + "\u0e31" * 5_000,
    " ".join(f"w{number}" for number in range(6_000)),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_of_16_kib_costs_little_and_gives_bounded_words(text: str) -> None:
    """R1: long runs are indexed by a prefix, and at most 4,000 distinct words."""
    began = time.process_time()
    indexed = words.index_words(text)
    words.shown_forms(text, set(indexed))
    assert time.process_time() - began < 2
    assert len(indexed) <= words.MOST_WORDS
    assert all(len(word) <= words.LONGEST_WORD for word in indexed)


def test_a_long_run_is_found_by_its_own_text() -> None:
    """R1: the prefix is the same at write and question."""
    assert found("x" * 100, "see " + "x" * 90)
    assert not found("x" * 60, "x" * 90)


STEMS = {
    "running": "run", "conversations": "convers", "generously": "generous", "international": "internat",
    "relational": "relat", "flies": "fli", "happily": "happili", "skis": "ski", "dying": "die",
    "news": "news", "taught": "teach", "mice": "mous", "began": "begin", "university": "universiti",
    "organisation": "organis", "organization": "organiz", "evening": "evening", "paris": "pari",
}  # fmt: skip


def test_stems_are_those_of_this_index_version() -> None:
    """R8: another stemmer's version shows here, and then `INDEX_VERSION` has to move."""
    assert words.INDEX_VERSION == 1
    assert {word: stems.stem(word) for word in STEMS} == STEMS


def test_every_irregular_form_leads_to_its_base() -> None:
    """R1: one family, one stem; no form in two families."""
    families = [line.split() for line in stems.IRREGULAR.strip().splitlines()]
    forms = [form for family in families for form in family]
    assert len(forms) == len(set(forms))
    for family in families:
        assert len({stems.stem(form) for form in family}) == 1, family


def in_fresh_interpreter(program: str) -> str:
    """Run a program and answer what it printed."""
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_words_import_nothing_heavy() -> None:
    """Q1: neither regular expressions nor typing nor the other languages' stemmers are loaded."""
    loaded = in_fresh_interpreter(
        """
        import sys
        before = set(sys.modules)
        from oz0mem.rules import words
        assert words.index_words("running") == {"run": 1}
        print(*sorted(set(sys.modules) - before))
        """
    ).split()
    assert "oz0mem.rules.words" in loaded
    heavy = {"re", "typing", "functools", "collections", "snowballstemmer", "datetime", "dataclasses"}
    assert not heavy & set(loaded)
    assert not [name for name in loaded if name.endswith("_stemmer") and "english" not in name]


def test_an_installed_compiled_stemmer_changes_nothing() -> None:
    """R1: the same answer on every machine, whatever PyStemmer is there."""
    printed = in_fresh_interpreter(
        """
        import sys, types
        other = types.ModuleType("Stemmer")
        other.algorithms = lambda: ["english"]
        other.Stemmer = lambda language: None
        sys.modules["Stemmer"] = other
        import snowballstemmer
        from oz0mem.rules import words
        print(*words.index_words("running conversations"))
        """
    )
    assert printed == "run convers"
