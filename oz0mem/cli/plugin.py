"""The built-in plugin: the policy for its calls, and installing what is there already (G30)."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.actions import policies
from oz0mem.cli import nearest, out, session
from oz0mem.cli.reasons import Uncalled, Yes
from oz0mem.model.errors import Invalid
from oz0mem.views import policies as view

Plugin = Annotated[str, typer.Argument(metavar="PLUGIN", help="memory, or hub:ai.oz0/memory.")]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="WHAT=EFFECT", help="Such as write=allow: allow, ask or deny. Several are one change."
    ),
]
For = Annotated[str, typer.Option("--for", metavar="agent:A", help="For this agent alone.")]
Why = Annotated[str, typer.Option("--reason", metavar="R", help="Why; recorded with the change.")]


def policy(plugin: Plugin, rules: Rules = None, agent: For = "", reason: Why = "", yes: Yes = False) -> None:
    """Show which calls of agents are allowed, asked about or denied, or set it."""
    del yes
    policies.check_plugin(plugin)
    ctx = session.context()
    if not rules:
        if agent or reason:
            raise Invalid("policy.none", "no rule was named", hint="--set write=ask", rule="G30")
        out.emit(view.shown(policies.show_policy(ctx)))
        return
    with nearest.of_agents(ctx, agent.removeprefix("agent:")):
        out.emit(view.changed(policies.set_policies(ctx, _read(rules), reason, agent)))


def _read(given: list[str]) -> dict[str, str]:
    effects: dict[str, str] = {}
    for each in given:
        what, mark, effect = each.partition("=")
        if not mark:
            raise Invalid(
                "policy.pair", "a rule is written WHAT=EFFECT", hint="--set write=ask, or allow, or deny", rule="G30"
            )
        if effects.setdefault(what.strip(), effect.strip()) != effect.strip():
            raise Invalid("policy.twice", "one rule was set in two ways", hint="name each once", rule="G30")
    return effects


def install(plugin: Plugin, reason: Uncalled = "", yes: Yes = False) -> None:
    """Write the plugin's own policy where it is missing; it is built in."""
    del reason, yes
    out.emit(view.installed(policies.install(session.context(), plugin)))
