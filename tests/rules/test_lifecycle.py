"""The states of an entry: every pair of states, every act in every state, and the clock's views."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from oz0mem.model.errors import Conflict
from oz0mem.model.kinds import KINDS, NEW, PROPOSALS, STATES
from oz0mem.model.moments import DAY
from oz0mem.rules.lifecycle import (
    TRANSITIONS,
    VERBS,
    check,
    check_act,
    is_ended,
    is_lapsed,
    shown_state,
)

ALL = (NEW, *STATES)
FOLLOWS: dict[tuple[str, str], set[str]] = {
    ("new", "held"): {"hold"},
    ("new", "active"): {"keep"},
    ("held", "held"): {"redraft", "renew", "move"},
    ("held", "active"): {"confirm", "accept", "repeat", "approve", "edit"},
    ("held", "replaced"): {"give_way"},
    ("held", "rejected"): {"reject"},
    ("held", "erased"): {"erase"},
    ("active", "active"): {"edit", "renew", "move"},
    ("active", "replaced"): {"replace"},
    ("active", "retired"): {"retire"},
    ("active", "erased"): {"erase"},
    ("replaced", "erased"): {"erase"},
    ("retired", "erased"): {"erase"},
    ("rejected", "erased"): {"erase"},
}
PAIRS = [(a, b) for a in ALL for b in ALL]
STEPS = [(state, verb) for state in ALL for verb in VERBS]


@pytest.mark.parametrize(("from_state", "to_state"), PAIRS)
def test_a_state_follows_another_by_these_acts_and_no_others(from_state: str, to_state: str) -> None:
    """M12, M14, M32, M33, M34: every pair of states against the table of the specification."""
    acts = {verb for (state, verb), after in TRANSITIONS.items() if (state, after) == (from_state, to_state)}
    assert acts == FOLLOWS.get((from_state, to_state), set())


@pytest.mark.parametrize(("state", "verb"), STEPS)
def test_every_act_in_every_state_is_answered_or_refused_with_a_sentence(state: str, verb: str) -> None:
    """M15, M32, M34: nothing that the table does not name changes anything."""
    after = [to_state for (start, to_state), verbs in FOLLOWS.items() if start == state and verb in verbs]
    if after:
        assert [check(state, verb)] == after
        return
    with pytest.raises(Conflict, match=f"the entry is {state}; only one that is ") as refused:
        check(state, verb)
    error = refused.value
    assert (error.code, error.exit_code, error.rule) == ("memory.state", 5, VERBS[verb][1])
    assert error.facts == {"state": state, "verb": verb}


def test_every_act_that_has_a_name_is_possible_somewhere() -> None:
    """M32: the table and the words are about the same acts."""
    assert {verb for _, verb in TRANSITIONS} == set(VERBS)


def test_nothing_follows_erased_and_nothing_comes_back_from_an_end_of_life() -> None:
    """G42, M34: history stays history."""
    assert not [verb for state, verb in TRANSITIONS if state == "erased"]
    for state in ("replaced", "retired", "rejected"):
        assert {after for (start, _), after in TRANSITIONS.items() if start == state} == {"erased"}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(("now", "past"), [(99, False), (100, True), (101, True)])
def test_an_active_entry_has_ended_from_the_moment_of_its_end(state: str, now: int, past: bool) -> None:
    """M36: [from, until); the boundary second is in one period only."""
    assert is_ended(state, 100, now) == (past and state == "active")


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize("state", STATES)
def test_a_held_entry_lapses_after_fourteen_days_and_a_proposal_at_its_end(kind: str, state: str) -> None:
    """M31: from the very microsecond on, and no other state lapses."""
    ends, lapse = 90 * DAY, 14 * DAY
    moment = ends if kind in PROPOSALS else lapse
    for now, past in ((moment - 1, False), (moment, True), (100 * DAY, True)):
        assert is_lapsed(state, ends, 0, now, kind=kind) == (past and state == "held")


@pytest.mark.parametrize("kind", [*KINDS])
def test_a_held_entry_whose_end_comes_first_lapses_at_its_end(kind: str) -> None:
    """M31, M36: nobody confirms what has ended."""
    assert not is_lapsed("held", 3 * DAY, 0, 3 * DAY - 1, kind=kind)
    assert is_lapsed("held", 3 * DAY, 0, 3 * DAY, kind=kind)


@pytest.mark.parametrize(
    ("state", "kind", "day", "shown"),
    [
        ("active", "note", 13, "active"),
        ("active", "note", 30, "ended"),
        ("held", "note", 13, "held"),
        ("held", "note", 14, "lapsed"),
        ("held", "decision", 29, "held"),
        ("held", "decision", 30, "lapsed"),
        ("replaced", "note", 30, "replaced"),
        ("retired", "note", 30, "retired"),
        ("rejected", "note", 30, "rejected"),
        ("erased", "note", 30, "erased"),
    ],
)
def test_people_are_shown_the_state_or_what_the_clock_made_of_it(state: str, kind: str, day: int, shown: str) -> None:
    """M31, M36: ended and lapsed are seen without any upkeep."""
    assert shown_state(state, 30 * DAY, 0, day * DAY, kind=kind) == shown


def act(verb: str, kind: str, state: str, day: int) -> str:
    return check_act(verb, kind=kind, state=state, ends=90 * DAY, held_since=0, now=day * DAY)


@pytest.mark.parametrize("kind", ["note", "semantic", "decision"])
@pytest.mark.parametrize("verb", [verb for state, verb in TRANSITIONS if state == "held"])
def test_a_lapsed_entry_can_only_give_way_be_rejected_or_be_erased(verb: str, kind: str) -> None:
    """M31: nobody can confirm it any more, by no act that would bring it back."""
    if verb in ("give_way", "reject", "erase"):
        assert act(verb, kind, "held", 90) == check("held", verb)
        return
    with pytest.raises(Conflict) as refused:
        act(verb, kind, "held", 90)
    assert refused.value.code in ("memory.lapsed", "memory.kind")
    suits = (verb == "accept") == (kind == "decision") or verb in ("renew", "move")
    assert (refused.value.code == "memory.lapsed") == suits


def test_the_last_moment_to_confirm_is_the_one_before_the_fourteen_days_are_over() -> None:
    """M31, M35: and an ended active entry can still be renewed."""
    times = {"kind": "note", "ends": 90 * DAY, "held_since": 0}
    assert check_act("confirm", state="held", now=14 * DAY - 1, **times) == "active"  # type: ignore[arg-type]
    with pytest.raises(Conflict, match="lapsed"):
        check_act("confirm", state="held", now=14 * DAY, **times)  # type: ignore[arg-type]
    assert act("renew", "note", "active", 91) == "active"


@pytest.mark.parametrize("kind", [*KINDS])
def test_a_proposal_comes_into_force_by_accept_and_nothing_else_does(kind: str) -> None:
    """M14, M30: confirming, repeating, approving or editing is no second way around the gate."""
    ways = set()
    for state, verb in TRANSITIONS:
        if state == "held":
            try:
                if act(verb, kind, "held", 1) == "active":
                    ways.add(verb)
            except Conflict as refused:
                assert (refused.code, refused.rule) == ("memory.kind", "M14")
    assert ways == ({"accept"} if kind in PROPOSALS else {"confirm", "repeat", "approve", "edit"})


@pytest.mark.parametrize("kind", PROPOSALS)
def test_what_was_accepted_is_not_edited(kind: str) -> None:
    """M33: it changes by supersede and accept."""
    with pytest.raises(Conflict, match="supersede and accept") as refused:
        act("edit", kind, "active", 1)
    assert refused.value.hint == "oz0mem supersede ID TEXT --version N"


@pytest.mark.parametrize(("state", "verb"), STEPS)
def test_what_the_table_does_not_name_is_refused_for_that_reason_first(state: str, verb: str) -> None:
    """M34: whatever its kind and the moment."""
    if (state, verb) not in TRANSITIONS:
        with pytest.raises(Conflict) as refused:
            act(verb, "decision", state, 100)
        assert refused.value.code == "memory.state"


class Life(RuleBasedStateMachine):
    """M12, M14, M32: whatever is tried in whatever order, an entry keeps to the table."""

    def __init__(self) -> None:
        super().__init__()
        self.past = [NEW]

    @rule(verb=st.sampled_from([*VERBS]))
    def attempt(self, verb: str) -> None:
        try:
            self.past.append(check(self.past[-1], verb))
        except Conflict:
            assert (self.past[-1], verb) not in TRANSITIONS

    @invariant()
    def erased_is_the_last_state(self) -> None:
        assert "erased" not in self.past[:-1]

    @invariant()
    def nothing_is_held_again_after_it_was_active(self) -> None:
        if "active" in self.past:
            assert "held" not in self.past[self.past.index("active") :]


TestLife = Life.TestCase


@given(st.sampled_from(STATES), st.sampled_from([*KINDS]), st.integers(0, 100), st.integers(0, 100))
def test_time_never_brings_an_entry_back(state: str, kind: str, day: int, later: int) -> None:
    """M31, M36: what is ended or lapsed stays so."""
    first = shown_state(state, 30 * DAY, 0, day * DAY, kind=kind)
    if first in ("ended", "lapsed"):
        assert shown_state(state, 30 * DAY, 0, (day + later) * DAY, kind=kind) == first
