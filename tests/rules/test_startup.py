"""M27: the order, the words and the budget of what an agent starts with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.entries import BLANK
from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import KINDS
from oz0mem.rules import startup
from oz0mem.rules.startup import Candidate
from oz0mem.store import mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

EXAMPLE = """\
## Context from plugin memory

- Accepted decisions and definitions you work under; more with recall (by scope) or define (by term).
- Decision (tenant): Deploy on Wednesdays, never on Fridays. [tenant/d-3f2a91c07b42 v2]
- Definition of 'active customer' (tenant): A customer with an order in the last 90 days. [tenant/t-5b1e0c2d4a17 v2]"""


class Case(NamedTuple):
    """An entry to be told in a line."""

    kind: str
    scope: str
    said: str


def test_the_text_is_exactly_that_of_the_rule() -> None:
    """M27: heading, words and marks."""
    entries = [
        BLANK._replace(id="d-3f2a91c07b42", version=2, kind="decision", text="Deploy on Wednesdays, never on Fridays."),
        BLANK._replace(
            id="t-5b1e0c2d4a17",
            version=2,
            kind="definition",
            term="active customer",
            text="A customer with an order in the last 90 days.",
        ),
    ]
    assert startup.text_of(map(startup.line, entries)) == EXAMPLE
    assert startup.text_of([]) == ""


@pytest.mark.parametrize(
    "case",
    [
        Case("rule", "project:web/checkout", "- Rule (project web/checkout): x [project:web/checkout/r-1 v1]"),
        Case("note", "agent:decider", "- Note (agent): x [agent:decider/r-1 v1]"),
        Case("note", "thread:T1", "- Note (thread): x [thread:T1/r-1 v1]"),
        Case("procedural", "agent:a", "- Procedural (agent): x [agent:a/r-1 v1]"),
        Case("decision", "tenant", "- Decision (tenant): x [tenant/r-1 v1]"),
    ],
)
def test_each_scope_has_its_words_and_its_mark(case: Case) -> None:
    """M27: where an entry lives is said as a person says it, and as a scope."""
    entry = BLANK._replace(id="r-1", kind=case.kind, scope=case.scope, text="x")
    assert startup.line(entry) == case.said


@given(st.text(), st.text())
def test_no_text_makes_a_line_of_its_own(text: str, term: str) -> None:
    """M27: white space of every kind becomes one space, so that no text fakes a line or closes the block."""
    line = startup.line(BLANK._replace(id="t-1", kind="definition", text=text, term=term))
    assert len(line.splitlines()) == 1
    assert "  " not in startup.flat(text)


@pytest.mark.parametrize("space", ["\n", "\r\n", "\t", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85"])
def test_control_spaces_are_spaces(space: str) -> None:
    """M27: also those that only some programs end a line at."""
    assert startup.flat(f" a{space}{space}b ") == "a b"


@pytest.mark.parametrize("space", ["\u00a0", "\u2028", "\u2029", "\u3000", "\u1680", "\u2009"])
def test_spaces_of_every_script_are_spaces(space: str) -> None:
    """M27: line and paragraph separators too."""
    assert startup.flat(f"a{space}b") == "a b"


def test_rules_come_first_then_scopes_from_the_nearest_and_core_last() -> None:
    """M27: the newest in force first within each, a thread right after the agent."""
    rows = [
        ("decision", "tenant", 5),
        ("note", "tenant", 9),
        ("definition", "tenant", 6),
        ("rule", "tenant", 7),
        ("rule", "agent:a", 1),
        ("rule", "project:web", 2),
        ("rule", "project:web/checkout", 3),
        ("note", "agent:a", 4),
        ("decision", "agent:a", 1),
        ("note", "thread:t", 9),
        ("decision", "project:web", 9),
    ]
    candidates = [Candidate(n, f"x-{n}", kind, scope, since, 0) for n, (kind, scope, since) in enumerate(rows)]
    assert list(startup.order(candidates)) == [4, 6, 5, 3, 8, 7, 9, 10, 2, 0, 1]


def test_ties_are_broken_by_newer_and_then_by_id() -> None:
    """Q14: one order on every machine."""
    candidates = [
        Candidate(1, "d-b", "decision", "tenant", 5, 1),
        Candidate(2, "d-a", "decision", "tenant", 5, 1),
        Candidate(3, "d-c", "decision", "tenant", 5, 2),
    ]
    assert list(startup.order(candidates)) == list(startup.order(reversed(candidates))) == [3, 2, 1]


_MADE = st.tuples(
    st.sampled_from(["rule", "decision", "note"]),
    st.sampled_from(["tenant", "agent:a", "project:web"]),
    st.integers(0, 4),
    st.integers(0, 3),
    st.integers(0, 2),
)


@given(st.lists(_MADE, max_size=30), st.integers(1, 5))
def test_asking_bit_by_bit_gives_the_order_of_knowing_all(
    made: list[tuple[str, str, int, int, int]], most: int
) -> None:
    """M27, Q14: ``since`` may be later than the truth; what the order comes to is the truth's."""
    since = {number: each[2] for number, each in enumerate(made)}
    whole = [Candidate(n, f"x-{n}", kind, scope, at, made_at) for n, (kind, scope, at, _, made_at) in enumerate(made)]
    at_most = [each._replace(since=each.since + made[each.number][3]) for each in whole]
    found = startup.order(at_most, lambda numbers: {number: since[number] for number in numbers}, most)
    assert list(found) == list(startup.order(whole))


def test_no_more_is_asked_than_is_taken() -> None:
    """R7: the first of very many rules costs as much as the first of few."""
    asked: list[int] = []

    def since_of(numbers: Sequence[int]) -> dict[int, int]:
        asked.extend(numbers)
        return {number: number for number in numbers}

    candidates = [Candidate(n, f"r-{n}", "rule", "tenant", n, n) for n in range(300)]
    candidates += [Candidate(1_000 + n, f"d-{n}", "decision", "tenant", n, n) for n in range(300)]
    taken = startup.order(candidates, since_of, 10)
    assert [next(taken) for _ in range(9)] == list(range(299, 290, -1))
    assert len(asked) == 10


@pytest.mark.parametrize(
    ("asked", "used", "declared", "chars"),
    [
        (None, 0, None, 16_000),
        (None, 0, 100, 400),
        (50, 0, 100, 200),
        (500, 0, 100, 400),
        (10_000, 0, None, 40_000),
        (None, 3_999, None, 4),
        (None, 9_999, None, 0),
        (None, 0, 0, 0),
        (9, 0, 0, 0),
    ],
)
def test_the_budget_is_the_calls_but_never_above_the_declarations(
    asked: int | None, used: int, declared: int | None, chars: int
) -> None:
    """M27: four characters are a token, less what others used; a declared 0 is no text."""
    assert startup.budget(asked, used, declared) == chars


@pytest.mark.parametrize(("asked", "used"), [(0, 0), (-1, 0), (None, -1)])
def test_a_budget_of_nothing_is_no_budget(asked: int | None, used: int) -> None:
    """M27: such a number is an error of the caller's."""
    with pytest.raises(Invalid, match="at least") as caught:
        startup.budget(asked, used, None)
    assert (caught.value.code, caught.value.rule) == ("startup.budget", "M27")


def test_kinds_are_numbered_as_they_are_listed() -> None:
    """M20: a row's kind is known by its number before the row is read."""
    assert tuple(KINDS) == mapping.KINDS
