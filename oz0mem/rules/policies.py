"""What the policy says of an agent's call: allowed, asked about or denied (G30).

Promises one answer for any rules: the most specific rule, then the stricter. Leaves the rules to the store, and what
becomes of an asked call to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oz0mem.model.agreements import DEFAULTS, EFFECTS, GROUPED, POLICED, WRITE_GROUP, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

ALLOW: Final = EFFECTS[0]
CALLS: Final = tuple(what for what in POLICED if what != WRITE_GROUP)
"""The functions that a policy says something of."""


def in_force(rules: Sequence[Rule]) -> list[Rule]:
    """The rules with the plugin's own before them, where a store of an older schema has none for everybody (G30)."""
    there = {rule.what for rule in rules if not rule.agent}
    own = [Rule(what, "", effect, "", 0) for what, effect in DEFAULTS.items() if what not in there]
    return [*own, *rules]


def effect_of(rules: Sequence[Rule], function: str, agent: str, *, learned_on: bool = False) -> str:
    """Say what the policy does with a call (G30).

    A rule that names the agent, and one that names the function and not its group, are each one step more specific
    than one that does not; among the most specific the strictest wins.

    Args:
        rules: as they were written; the plugin's own stand in where they are missing.
        function: one of ``CALLS``.
        agent: name of the agent that calls.
        learned_on: whether the call writes a learned kind that the agent's declaration turned on. Such a call is asked
            about, or denied, by an admin's rule alone; a rule that an admin set counts, also where it only repeats
            what the plugin's said.

    Returns:
        `allow`, `ask` or `deny`.

    Raises:
        ValueError: for what no policy is about.
    """
    if function not in CALLS:
        raise ValueError("no policy is about that function")
    group = function in GROUPED
    fitting = [
        rule
        for rule in in_force(rules)
        if (rule.what == function or (group and rule.what == WRITE_GROUP))
        and rule.agent in ("", agent)
        and (rule.by or not learned_on)
    ]
    if not fitting:
        return ALLOW
    return max(fitting, key=lambda rule: (_specificity(rule), EFFECTS.index(rule.effect))).effect


def _specificity(rule: Rule) -> int:
    return (rule.agent != "") + (rule.what != WRITE_GROUP)


def is_loosening(before: Sequence[Rule], after: Sequence[Rule]) -> bool:
    """Whether some call is held back less than before: deny to ask or allow, ask to allow (G11).

    Only the agents whom changed rules name are looked at, and one whom no rule names, such as one that is declared
    later: a rule for all never holds an agent with rules of its own back less unless it does the others too.

    Args:
        before: the rules in force.
        after: the rules as they would be.
    """
    changed = {rule.agent for rule in {*before} ^ {*after}}
    return any(
        EFFECTS.index(effect_of(then, function, agent, learned_on=learned))
        < EFFECTS.index(effect_of(now, function, agent, learned_on=learned))
        for agent in {"", *changed}
        for now, then in ((_of(before, agent), _of(after, agent)),)
        for function in CALLS
        for learned in (False, True)
    )


def _of(rules: Sequence[Rule], agent: str) -> list[Rule]:
    return [rule for rule in rules if rule.agent in ("", agent)]
