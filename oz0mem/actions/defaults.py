"""The plugin's own rules of the policy, in force until an admin sets others (G30).

Promises that a rule that is there stays, and that each one written has its event. Leaves an admin's changes to
``policies``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from oz0mem.actions import context
from oz0mem.model.agreements import DEFAULTS, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.ports import Desk

ABSENT: Final = "absent"
"""What the ledger says of a rule that was not there before."""


def write_defaults(desk: Desk) -> list[Rule]:
    """Write the plugin's own rules where there are none for everybody; answers those that were missing."""
    there = {rule.what for rule in desk.policies.rules() if not rule.agent}
    missing = [Rule(what, "", effect, "", desk.now) for what, effect in DEFAULTS.items() if what not in there]
    for rule in missing:
        put_rule(desk, rule, ABSENT, context.SYSTEM, {})
    return missing


def put_rule(desk: Desk, rule: Rule, before: str, actor: Mapping[str, Any], more: Mapping[str, str]) -> None:
    """Write a rule with its event.

    Args:
        desk: the transaction.
        rule: as it stands from now on.
        before: the effect that it had, or ``ABSENT``.
        actor: who sets it, as the ledger names them.
        more: further fields of the event.
    """
    desk.governance.put_policy(rule.what, rule.agent, rule.effect, rule.by)
    told = {"what": "policy", "function": rule.what, "from": before, "to": rule.effect, **more}
    desk.ledger.append("governance.changed", actor, {**told, **({"target": rule.agent} if rule.agent else {})})
