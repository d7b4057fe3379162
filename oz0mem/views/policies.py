"""The policy for agents' calls and its changes, as people and scripts see them (G30)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from oz0mem.actions.policies import Installed, PolicySet
    from oz0mem.model.agreements import Rule

PLUGIN = "plugin"
"""Who set a rule that no admin set."""
_COLUMNS = (
    Column("what", "id"),
    Column("for", "id"),
    Column("effect", "id"),
    Column("set by"),
    Column("set", "moment"),
)


def _to_document(rule: Rule) -> dict[str, Any]:
    return {
        "what": rule.what,
        "for": rule.agent or None,
        "effect": rule.effect,
        "by": rule.by or None,
        "at": Moment(rule.at) if rule.at else None,
    }


def shown(rules: list[Rule]) -> View:
    """The rules in force, each with who set it."""
    rows: list[tuple[object, ...]] = [
        (
            rule.what,
            rule.agent or "every agent",
            rule.effect,
            rule.by or PLUGIN,
            Moment(rule.at) if rule.at else None,
        )
        for rule in rules
    ]
    return View("list", _COLUMNS, rows, {"items": [_to_document(rule) for rule in rules], "next": None})


def changed(made: PolicySet) -> View:
    """A change of the policy."""
    agent = made.agent or None
    document = {
        "change": None,
        "state": "applied",
        "what": [
            {"setting": "policy", "what": what, "for": agent, "old": old, "new": new} for what, old, new in made.what
        ],
        "by": made.by,
        "reason": made.reason,
        "needs": None,
        "changed": made.changed,
    }
    told = ", ".join(_said(*each) for each in made.what)
    said = f"applied: {told} for {made.agent or 'every agent'}"
    return View("text", document=document, sentence=said if told else "nothing to change: it is set so already")


def _said(what: str, old: str | None, new: str) -> str:
    if old == new:
        return f"{what} {new}, as the plugin had it,"
    return f"{what} {old} → {new}" if old else f"{what} {new}"


def installed(found: Installed) -> View:
    """The built-in plugin, and what its own rules are."""
    rules = ", ".join(f"{rule.what}={rule.effect}" for rule in found.rules)
    said = "wrote its policy: " if found.changed else "nothing to do; its policy is "
    document = {"plugin": "ai.oz0/memory", "built_in": True, "policy": [_to_document(each) for each in found.rules]}
    return View("text", document={**document, "changed": found.changed}, sentence=f"memory is built in; {said}{rules}")
