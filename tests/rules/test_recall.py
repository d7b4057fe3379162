"""Order, cut and budget of what is recalled (R2, R7)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.entries import BLANK, Numbers
from oz0mem.model.errors import Invalid
from oz0mem.rules import recall, words
from oz0mem.rules.walls import NONE, Walls

CASES = Path(__file__).resolve().parents[2].parent / "shared/cases/recall"
SCORER = CASES.parents[1] / "tools/score_recall.py"
FOUR = recall.Statistics(entries=4, words=20)
EVEN = dict.fromkeys(range(1, 5), 5)


def test_a_score_is_that_of_the_formula() -> None:
    """R2: BM25 with k1 0.3 and b 0.2, worked out by hand."""
    # ln(1 + 3.5 / 1.5) × 2 × 1.3 / (2 + 0.3 × (0.8 + 0.2 × 10 / 5))
    assert recall.score([7], {7: {1: 2}}, {1: 10}, FOUR) == {1: 1.326410717}


def test_any_word_matches_and_more_words_weigh_more() -> None:
    """R2: an entry with one of the words is a hit below one with both."""
    scores = recall.score([1, 2, 9], {1: {1: 1, 2: 1}, 2: {2: 1}}, EVEN, FOUR)
    assert set(scores) == {1, 2}
    assert scores[2] > scores[1] > 0


def test_a_rarer_word_a_shorter_entry_and_a_repetition_weigh_more() -> None:
    """R2: and a word that every entry has still counts for, never against."""
    common = dict.fromkeys(EVEN, 1)
    assert recall.bm25(1, 1, 5, FOUR) > recall.bm25(1, 3, 5, FOUR) > recall.bm25(1, 4, 5, FOUR) > 0
    assert recall.bm25(1, 1, 3, FOUR) > recall.bm25(1, 1, 9, FOUR)
    assert recall.bm25(3, 1, 5, FOUR) > recall.bm25(1, 1, 5, FOUR)
    assert min(recall.score([1], {1: common}, EVEN, FOUR).values()) > 0


def test_scores_have_nine_places() -> None:
    """R2, Q14: rounded before they are compared."""
    for value in recall.score([1, 2], {1: {1: 1, 2: 3}, 2: {2: 1}}, {1: 4, 2: 7}, FOUR).values():
        assert value == round(value, 9)


def test_ties_go_to_the_newer_then_to_the_id() -> None:
    """R7: score, then newer, then id."""
    scores = {1: 1.0, 2: 2.0, 3: 1.0, 4: 1.0}
    created = {1: 10, 2: 1, 3: 20, 4: 10}
    assert recall.rank(scores, created, {1: "n-b", 2: "n-z", 3: "n-c", 4: "n-a"}) == [2, 3, 4, 1]


def test_what_scores_less_than_a_share_of_the_best_is_cut() -> None:
    """R7: the limit itself stays; the order given stays."""
    scores = {1: 10.0, 2: 2.0, 3: 1.99}
    assert recall.cut([1, 2, 3], scores, 0.2) == [1, 2]
    assert recall.cut([1, 2, 3], scores, 0.0) == [1, 2, 3]
    assert recall.cut([], {}) == []


def test_the_callers_budget_counts_where_it_is_smaller() -> None:
    """R7, M29: four characters a token."""
    assert recall.budget(20, 6_000) == (20, 6_000)
    assert recall.budget(20, 6_000, 5, 100_000, 400) == (5, 1_600)
    assert recall.budget(20, 6_000, 50, 900, 400) == (20, 900)


@pytest.mark.parametrize("limits", [(0, None, None), (None, 0, None), (None, None, -1)])
def test_a_budget_of_nothing_is_an_error(limits: tuple[int | None, int | None, int | None]) -> None:
    """R7: a limit below 1 is a mistake, not an empty answer."""
    with pytest.raises(Invalid) as refused:
        recall.budget(20, 6_000, *limits)
    assert refused.value.rule == "R7"


def fit(texts: list[tuple[int, str]], *, max_entries: int, max_chars: int) -> list[tuple[int, str, bool, int]]:
    """What of some texts is shown, by number."""
    entries = [BLANK._replace(text=text, numbers=Numbers(entry=number)) for number, text in texts]
    filled = recall.fill(entries, NONE, max_entries=max_entries, max_chars=max_chars, first_chars=max_chars)
    return [(shown.entry.numbers.entry, *shown[1:]) for shown in filled.shown]


def test_only_whole_texts_are_shown_and_what_does_not_fit_is_passed_over() -> None:
    """R7: a long text hides no shorter one after it."""
    shown = fit([(1, "aaaa"), (2, "bbbbbbb"), (3, "cc")], max_entries=9, max_chars=6)
    assert shown == [(1, "aaaa", False, 4), (3, "cc", False, 2)]


def test_a_first_text_that_does_not_fit_alone_is_cut_and_says_its_length() -> None:
    """R7: marked truncated, with the length of the whole; then the budget is spent."""
    assert fit([(1, "abcdefgh"), (2, "x")], max_entries=9, max_chars=6) == [(1, "abcdef", True, 8)]


def test_a_text_of_just_the_budget_is_whole() -> None:
    """R7: the budget's last character may be used."""
    assert fit([(1, "abcdef"), (2, "x")], max_entries=9, max_chars=6) == [(1, "abcdef", False, 6)]


def test_no_more_entries_than_the_budget_says() -> None:
    """R7: the first ones in rank order."""
    shown = fit([(entry, "x") for entry in range(30)], max_entries=20, max_chars=6_000)
    assert [hit[0] for hit in shown] == list(range(20))
    assert fit([], max_entries=20, max_chars=6_000) == []


@given(st.lists(st.text(max_size=12)), st.integers(1, 6), st.integers(1, 30))
def test_an_answer_never_passes_its_budget_nor_is_empty_for_want_of_room(
    texts: list[str], max_entries: int, max_chars: int
) -> None:
    """R7: for all texts and budgets."""
    shown = fit(list(enumerate(texts)), max_entries=max_entries, max_chars=max_chars)
    assert len(shown) <= max_entries
    assert sum(len(text) for _, text, _, _ in shown) <= max_chars
    assert bool(shown) == bool(texts)
    assert all(truncated == (text != texts[number]) for number, text, truncated, _ in shown)
    assert all(length == len(texts[number]) for number, _, _, length in shown)


def test_rules_take_half_of_an_answer_and_at_least_one() -> None:
    """R7: however small the answer, one rule is in it; a first rule may take more than its half."""
    assert recall.rules_share(recall.Budget(20, 6_000)) == (10, 3_000)
    assert recall.rules_share(recall.Budget(1, 7)) == (1, 3)
    entries = [BLANK._replace(text="x" * length) for length in (5, 1, 1)]
    filled = recall.fill(entries, NONE, max_entries=9, max_chars=3, first_chars=6)
    assert [shown.text for shown in filled.shown] == ["xxxxx"]


def test_what_is_passed_over_builds_no_wall() -> None:
    """M25: the first that is shown decides, not the first that would have been."""
    pairs = [("legal", "sales")]
    entries = [
        BLANK._replace(text="aa"),
        BLANK._replace(text="too long", compartments=("legal",)),
        BLANK._replace(text="b", compartments=("sales",)),
        BLANK._replace(text="c", compartments=("legal",)),
    ]
    filled = recall.fill(entries, Walls(pairs, ()), max_entries=9, max_chars=5, first_chars=5)
    assert ([shown.text for shown in filled.shown], filled.withheld) == (["aa", "b"], 1)


class Index:
    """Postings of one scope's memories, as rows of numbers."""

    def __init__(self, rows: list[dict[str, str]]) -> None:
        self.ids = {entry: row["id"] for entry, row in enumerate(rows)}
        self.numbers: dict[str, int] = {}
        self.postings: dict[int, dict[int, int]] = {}
        self.lengths: dict[int, int] = {}
        for entry, row in enumerate(rows):
            counts = words.index_words(f"{row['about']}: {row['text']} {row.get('caption', '')}")
            self.lengths[entry] = sum(counts.values())
            for word, count in counts.items():
                number = self.numbers.setdefault(word, len(self.numbers))
                self.postings.setdefault(number, {})[entry] = count

    def ask(self, question: str) -> list[str]:
        """Answer the ids of the best 20."""
        stats = recall.Statistics(len(self.lengths), sum(self.lengths.values()))
        asked = [self.numbers[word] for word in words.question_words(question) if word in self.numbers]
        scores = recall.score(asked, self.postings, self.lengths, stats)
        ranked = recall.rank(scores, {entry: -entry for entry in self.ids}, self.ids)
        return [self.ids[entry] for entry in recall.cut(ranked, scores)[:20]]


def lines(name: str) -> list[dict[str, str]]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("kind", "found", "order"), [("turns", 1.13, 1.2), ("observations", 1.05, 1.06)])
def test_words_alone_find_more_than_a_plain_full_text_index(
    kind: str, found: float, order: float, tmp_path: Path
) -> None:
    """R2: ratios of R@10 and nDCG@10 to the baseline; the other signals are to add to these."""
    if not SCORER.exists():
        pytest.skip("the recall cases are not here")
    rows = lines(f"{kind}.jsonl")
    by_scope = {scope: Index([row for row in rows if row["scope"] == scope]) for scope in {r["scope"] for r in rows}}
    answers = tmp_path / "answers.jsonl"
    with answers.open("w", encoding="utf-8") as file:
        for question in lines("questions.jsonl"):
            ranked = by_scope[question["scope"]].ask(question["question"])
            file.write(json.dumps({"id": question["id"], "ranked": ranked}) + "\n")
    scored = subprocess.run(
        [sys.executable, str(SCORER), str(CASES), kind, str(answers)],
        capture_output=True,
        text=True,
        check=True,
    )
    ratios = {line.split()[0]: float(line.split()[-1]) for line in scored.stdout.splitlines()[1:]}
    assert ratios["R@10"] >= found
    assert ratios["nDCG@10"] >= order
