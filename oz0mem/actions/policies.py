"""The policy for agents' calls as people change it, and the built-in plugin's own rules (G10, G11, G30).

Promises that one command is one change, with a reason and an event for each rule that it touches, and none for setting
what an admin set already. Leaves what a policy does with a call to ``rules/policies``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import audit, context, gate, refusals
from oz0mem.actions.defaults import ABSENT, put_rule, write_defaults
from oz0mem.actions.principals import check_second
from oz0mem.model.agreements import DEFAULTS, EFFECTS, POLICED, Rule
from oz0mem.model.errors import Invalid, NotFound
from oz0mem.rules import policies
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk

PLUGINS = ("hub:ai.oz0/memory", "memory")
"""What names the one plugin that there is; it is built in."""


class PolicySet(NamedTuple):
    """A change of the policy.

    Attributes:
        what: each function or group with its effect of before (None where no rule said so) and now.
        agent: for whom; '' for all.
        changed: False where an admin had set it all so already.
    """

    what: list[tuple[str, str | None, str]]
    agent: str
    by: str
    reason: str
    changed: bool


@refusals.told("policy")
def show_policy(ctx: Context) -> list[Rule]:
    """The rules in force, the plugin's own among them (G30)."""

    def look(desk: Desk) -> list[Rule]:
        context.person_of(desk, ctx, "see_rules")
        return sorted(policies.in_force(desk.policies.rules()), key=_place)

    return ctx.read(look)


def _place(rule: Rule) -> tuple[int, str]:
    known = POLICED.index(rule.what) if rule.what in POLICED else len(POLICED)
    return known, rule.agent


def set_policy(ctx: Context, what: str, effect: str, reason: str, agent: str = "") -> PolicySet:
    """Set one rule of the policy; as ``set_policies``."""
    return set_policies(ctx, {what: effect}, reason, agent)


@refusals.told("policy")
def set_policies(ctx: Context, effects: Mapping[str, str], reason: str, agent: str = "") -> PolicySet:
    """Set rules of the policy; one command is one change (G11).

    Args:
        ctx: acts as an admin.
        effects: of functions, or of the group `write`: `allow`, `ask` or `deny`.
        reason: why; kept with the change.
        agent: the rules are for this one alone, as `agent:NAME` or plain; for all where empty.

    Raises:
        Invalid: ``policy.what``, ``policy.effect`` or ``policy.none``.
        NotFound: ``agent.unknown``.
        Refused: ``change.needs_second`` where some call would be held back less, while four eyes is on.
    """
    name = agent.removeprefix("agent:")
    gate.scan({"reason": reason, "for": name})
    _check(effects, agent, name)
    why = check_reason(reason)
    return ctx.govern(lambda desk: _set(desk, ctx, effects, why, name))


def _check(effects: Mapping[str, str], agent: str, name: str) -> None:
    whats = f"{', '.join(POLICED[:-1])} or {POLICED[-1]}"
    words = f"{', '.join(EFFECTS[:-1])} or {EFFECTS[-1]}"
    if not effects:
        raise Invalid("policy.none", "no rule was named", hint="--set write=ask", rule="G30")
    if any(what not in POLICED for what in effects):
        raise Invalid("policy.what", f"a policy is about {whats}", hint="--set write=ask", rule="G30")
    if any(effect not in EFFECTS for effect in effects.values()):
        raise Invalid("policy.effect", f"the effect of a policy is {words}", hint="--set write=ask", rule="G30")
    if agent and not name:
        raise Invalid("policy.agent", "no agent was named", hint="--for agent:NAME", rule="G30")


def _set(desk: Desk, ctx: Context, effects: Mapping[str, str], reason: str, agent: str) -> PolicySet:
    caller = context.person_of(desk, ctx, "govern")
    gate.scan_own(desk, {"reason": reason, "for": agent})
    if agent and desk.identity.agent(agent) is None:
        raise NotFound("agent.unknown", "no agent of that name is declared", hint="oz0mem agent list", rule="G5")
    written = desk.policies.rules()
    old = {rule.what: rule for rule in written if rule.agent == agent}
    new = [
        Rule(what, agent, effect, caller.name, desk.now)
        for what, effect in effects.items()
        if what not in old or (old[what].effect, bool(old[what].by)) != (effect, True)
    ]
    if not new:
        return PolicySet([], agent, caller.name, reason, changed=False)
    kept = [rule for rule in written if rule.agent != agent or rule.what not in {each.what for each in new}]
    if policies.is_loosening(written, [*kept, *new]):
        check_second(desk, context.settings_of(desk).four_eyes, "that change")
    told = audit.reasoned(desk, reason)
    actor = context.actor(desk, caller)
    for rule in new:
        before = old[rule.what].effect if rule.what in old else ABSENT
        put_rule(desk, rule, before, actor, told)
    what = [(rule.what, _before(policies.in_force(written), rule), rule.effect) for rule in new]
    return PolicySet(what, agent, caller.name, reason, changed=True)


def _before(rules: Sequence[Rule], rule: Rule) -> str | None:
    """The effect that the same rule had, where there was one."""
    return next((each.effect for each in rules if (each.what, each.agent) == (rule.what, rule.agent)), None)


def check_plugin(plugin: str) -> None:
    """Refuse the name of a plugin that is not here.

    Raises:
        Invalid: ``plugin.unknown``.
    """
    if plugin not in PLUGINS:
        raise Invalid(
            "plugin.unknown",
            f"the one plugin here is {PLUGINS[0]}, which is built in",
            hint=f"write memory, or {PLUGINS[0]}",
            rule="G30",
        )


class Installed(NamedTuple):
    """The plugin, which is built in: its own rules, and whether this call wrote any."""

    rules: list[Rule]
    changed: bool


@refusals.told("plugin")
def install(ctx: Context, plugin: str) -> Installed:
    """Write the plugin's own rules where they are missing (G30); what an admin set stays.

    Raises:
        Invalid: ``plugin.unknown``: there is no other plugin.
    """
    check_plugin(plugin)

    def act(desk: Desk) -> Installed:
        context.person_of(desk, ctx, "govern")
        there = [rule for rule in desk.policies.rules() if not rule.agent and rule.what in DEFAULTS]
        missing = write_defaults(desk)
        return Installed(sorted([*there, *missing], key=_place), bool(missing))

    return ctx.govern(act)
