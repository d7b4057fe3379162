"""What the policy says of a call (G30)."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.agreements import DEFAULTS, EFFECTS, GROUPED, POLICED, Rule
from oz0mem.rules import policies

PLUGIN = [Rule("write", "", "ask", "", 1), Rule("accept", "", "ask", "", 1)]
OF = {
    "write": ("write", ""),
    "write for a": ("write", "a"),
    "remember": ("remember", ""),
    "remember for a": ("remember", "a"),
}
STEPS = {"write": 0, "write for a": 1, "remember": 1, "remember for a": 2}
"""How specific each is: it names the agent, it names the function."""
WORDS = ("", *EFFECTS)


def _rules(said: dict[str, str], by: str = "ana") -> list[Rule]:
    return [Rule(*OF[name], effect, by, 2) for name, effect in said.items() if effect]


@pytest.mark.parametrize("effects", list(itertools.product(WORDS, repeat=4)), ids=",".join)
def test_the_most_specific_rule_wins_and_then_the_stricter(effects: tuple[str, ...]) -> None:
    """G30: every way to set four rules of one call, 256 of them."""
    said = dict(zip(OF, effects, strict=True))
    said["write"] = said["write"] or DEFAULTS["write"]
    there = {name: effect for name, effect in said.items() if effect}
    most = max(STEPS[name] for name in there)
    wanted = max((effect for name, effect in there.items() if STEPS[name] == most), key=EFFECTS.index)
    assert policies.effect_of(_rules(said), "remember", "a") == wanted
    assert policies.effect_of(list(reversed(_rules(said))), "remember", "a") == wanted


@pytest.mark.parametrize("said", WORDS)
def test_of_another_agent_and_another_function_only_the_wider_rules_count(said: str) -> None:
    """G30: a rule for an agent is that agent's, a rule of a function that function's."""
    rules = _rules({"write": "allow", "write for a": said, "remember for a": said})
    assert policies.effect_of(rules, "remember", "b") == "allow"
    rules = _rules({"write": "allow", "remember": said, "remember for a": said})
    assert policies.effect_of(rules, "supersede", "a") == "allow"


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ({"write for a": "allow", "remember": "ask"}, "ask"),
        ({"write for a": "deny", "remember": "allow"}, "deny"),
        ({"write for a": "ask", "remember": "allow"}, "ask"),
        ({"write for a": "deny", "remember": "deny", "remember for a": "allow"}, "allow"),
        ({"write": "deny", "remember": "allow"}, "allow"),
        ({"write": "deny", "write for a": "allow"}, "allow"),
    ],
)
def test_some_answers_by_hand(said: dict[str, str], wanted: str) -> None:
    """G30: what the table above works out, written out."""
    assert policies.effect_of(_rules(said), "remember", "a") == wanted


@pytest.mark.parametrize("function", policies.CALLS)
@pytest.mark.parametrize("rules", [[], PLUGIN], ids=["older store", "as init writes them"])
def test_every_call_is_asked_about_until_an_admin_says_otherwise(rules: list[Rule], function: str) -> None:
    """G30: no upgrade turns ask into allow."""
    assert policies.effect_of(rules, function, "a") == "ask"


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_group_is_every_function_but_accept(effect: str) -> None:
    """G30: ``write`` says nothing of accept, and accept nothing of the others."""
    write = [*PLUGIN, Rule("write", "a", effect, "ana", 2)]
    accept = [*PLUGIN, Rule("accept", "a", effect, "ana", 2)]
    for function in GROUPED:
        assert policies.effect_of(write, function, "a") == effect
        assert policies.effect_of(accept, function, "a") == "ask"
    assert policies.effect_of(write, "accept", "a") == "ask"
    assert policies.effect_of(accept, "accept", "a") == effect


def test_the_plugins_rules_stand_in_one_by_one() -> None:
    """G30: a rule for one agent takes away nothing from the others."""
    assert policies.in_force([]) == [Rule("write", "", "ask", "", 0), Rule("accept", "", "ask", "", 0)]
    mine = Rule("write", "a", "allow", "ana", 2)
    assert policies.in_force([mine]) == [*policies.in_force([]), mine]
    everybody = Rule("write", "", "allow", "ana", 2)
    assert policies.in_force([everybody]) == [Rule("accept", "", "ask", "", 0), everybody]


@pytest.mark.parametrize("effect", EFFECTS)
def test_learned_kinds_that_are_on_are_asked_about_by_an_admins_rule_alone(effect: str) -> None:
    """G30: they are held by tier; an admin's rule counts, also where it says what the plugin's said."""
    assert policies.effect_of(PLUGIN, "remember", "a", learned_on=True) == "allow"
    assert policies.effect_of([], "remember", "a", learned_on=True) == "allow"
    for what, agent in OF.values():
        rules = [*PLUGIN[(what, agent) == ("write", "") :], Rule(what, agent, effect, "ana", 2)]
        assert policies.effect_of(rules, "remember", "a", learned_on=True) == effect
        assert policies.effect_of(rules, "remember", "b", learned_on=True) == ("allow" if agent else effect)


@pytest.mark.parametrize("function", ["write", "recall", "", "oz0_memory.remember"])
def test_what_no_policy_is_about_has_no_effect(function: str) -> None:
    """G30: nobody asks about reading, and a group is no function."""
    with pytest.raises(ValueError, match="no policy"):
        policies.effect_of(PLUGIN, function, "a")


def test_the_functions_and_their_group_are_what_a_rule_may_be_about() -> None:
    """G30: nothing is forgotten."""
    assert set(policies.CALLS) | {"write"} == set(POLICED)


@pytest.mark.parametrize(("old", "new"), list(itertools.product(EFFECTS, repeat=2)))
@pytest.mark.parametrize("agent", ["", "a"])
def test_loosening_is_what_holds_back_less(old: str, new: str, agent: str) -> None:
    """G11: deny to ask, ask to allow, whoever they are for."""
    before = [*PLUGIN, Rule("remember", agent, old, "ana", 2)]
    after = [*PLUGIN, Rule("remember", agent, new, "ana", 3)]
    assert policies.is_loosening(before, after) == (EFFECTS.index(new) < EFFECTS.index(old))


@pytest.mark.parametrize(
    ("rules", "new", "wanted"),
    [
        (PLUGIN, Rule("write", "a", "allow", "ana", 2), True),
        (PLUGIN, Rule("remember", "", "deny", "ana", 2), False),
        # For everybody it was denied: what allows it for one agent lets that one through.
        ([*PLUGIN, Rule("remember", "", "deny", "ana", 2)], Rule("remember", "a", "ask", "ana", 3), True),
        # It changes nothing while each function has a stricter rule of its own ...
        ([Rule(what, "", "deny", "ana", 1) for what in GROUPED], Rule("write", "", "allow", "ana", 2), False),
        # ... and one rule that names the function beats the group's tightening.
        ([*PLUGIN, Rule("remember", "", "deny", "ana", 1)], Rule("remember", "a", "allow", "ana", 2), True),
    ],
)
def test_loosening_is_judged_by_what_calls_meet(rules: list[Rule], new: Rule, wanted: bool) -> None:
    """G11: by the effect that a call has, not by the row that changed."""
    after = [rule for rule in rules if (rule.what, rule.agent) != (new.what, new.agent)] + [new]
    assert policies.is_loosening(rules, after) == wanted


def test_an_admins_rule_over_the_plugins_is_judged_for_learned_kinds_too() -> None:
    """G11, G30: `write=ask` of an admin holds back more than the plugin's, and `allow` after it less."""
    admins = [Rule("write", "", "ask", "ana", 2), PLUGIN[1]]
    looser = [Rule("write", "", "allow", "ana", 3), PLUGIN[1]]
    assert not policies.is_loosening(PLUGIN, admins)
    assert policies.is_loosening(PLUGIN, looser)
    assert policies.is_loosening(admins, looser)


_RULES = st.lists(
    st.builds(
        Rule,
        st.sampled_from(["write", "remember", "accept"]),
        st.sampled_from(["", "a", "b"]),
        st.sampled_from(EFFECTS),
        st.sampled_from(["", "ana"]),
        st.just(1),
    ),
    max_size=8,
    unique_by=lambda rule: (rule.what, rule.agent),
)


@given(_RULES, _RULES)
def test_the_agents_that_changed_rules_name_are_enough(before: list[Rule], changed: list[Rule]) -> None:
    """G11: looked at for every agent that there is, the answer is the same."""
    names = {(rule.what, rule.agent) for rule in changed}
    after = [*(rule for rule in before if (rule.what, rule.agent) not in names), *changed]

    def effect(rules: list[Rule], what: str, agent: str, learned: bool) -> int:
        return EFFECTS.index(policies.effect_of(rules, what, agent, learned_on=learned))

    every = itertools.product(policies.CALLS, ["", "a", "b", "c"], [False, True])
    assert policies.is_loosening(before, after) == any(effect(after, *call) < effect(before, *call) for call in every)
