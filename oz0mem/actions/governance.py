"""The tenant's rules as people change them: settings, agents' declarations, own secrets (G10, G14, G16, M8).

Promises a reason and an event for each change, and none for setting what is set. What would wait for another
admin is refused until changes can wait (G11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import audit, context, gate, refusals
from oz0mem.actions.principals import check_second
from oz0mem.model.declarations import BUILT_IN, Declaration, from_document, to_document
from oz0mem.model.errors import Conflict, Invalid, NotFound, Refused
from oz0mem.model.settings import TABLE, Settings
from oz0mem.rules import record
from oz0mem.rules import settings as rule
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk


class Shown(NamedTuple):
    """Settings in force, who changed each last and when, whether solo, and the agents that learn."""

    settings: Settings
    changed: dict[str, tuple[str, int]]
    solo: bool
    agents: list[Declaration]


class Change(NamedTuple):
    """A governance change: what, old and new; ``applied`` or nothing to do."""

    what: list[tuple[str, Any, Any]]
    by: str
    reason: str
    changed: bool


class Declared(NamedTuple):
    """A declaration in force, since when, and whether this call changed it."""

    declaration: Declaration
    at: int
    changed: bool


def show_settings(ctx: Context) -> Shown:
    """Every setting with who changed it last (G16)."""

    def look(desk: Desk) -> Shown:
        context.person_of(desk, ctx, "see_rules")
        stored = desk.identity.settings()
        agents = [from_document(document) for _, document, _ in desk.identity.agents()]
        return Shown(
            context.settings_of(desk),
            {name: (row[1], row[2]) for name, row in stored.items()},
            bool(desk.head.solo),
            [agent for agent in agents if agent.memory.kinds()],
        )

    return ctx.read(look)


@refusals.told("settings")
def set_settings(ctx: Context, updates: Mapping[str, object], reason: str) -> Change:
    """Change settings within their bounds; one command is one change (G11).

    Raises:
        Refused: ``settings.bounds``, or ``change.needs_second`` where it loosens under four eyes.
    """
    gate.scan({"reason": reason})
    if not updates:
        raise Invalid("settings.none", "no setting was named", hint="oz0mem settings set --help", rule="G14")
    why = check_reason(reason)
    return ctx.govern(lambda desk: _set_settings(desk, ctx, updates, why))


def _set_settings(desk: Desk, ctx: Context, updates: Mapping[str, object], reason: str) -> Change:
    caller = context.person_of(desk, ctx, "govern")
    gate.scan_own(desk, {"reason": reason})
    old = context.settings_of(desk)
    new = rule.change(old, updates)
    what = [(row.key, getattr(old, row.key), getattr(new, row.key)) for row in TABLE]
    what = [(key, before, after) for key, before, after in what if before != after]
    if not what:
        return Change([], caller.name, reason, changed=False)
    if rule.is_loosening(old, new):
        check_second(desk, old.four_eyes, "that change")
    if new.four_eyes and not old.four_eyes:
        _check_two_admins(desk)
    told = audit.reasoned(desk, reason)
    actor = context.actor(desk, caller)
    for key, before, after in what:
        desk.governance.put_setting(key, after, caller.name)
        for fields in _fields(key, before, after):
            desk.ledger.append("governance.changed", actor, {"what": key, **fields, **told})
    return Change(what, caller.name, reason, changed=True)


def _check_two_admins(desk: Desk) -> None:
    admins = [each for each in desk.identity.principals() if each.role == "admin" and not each.disabled]
    if len(admins) < 2 or desk.head.solo:
        raise Refused(
            "settings.four_eyes",
            "four eyes can be on only while there are two active admins, and never in a solo store",
            hint="oz0mem principal add NAME --role admin --reason '…'",
            rule="G13",
        )


def _fields(key: str, before: Any, after: Any) -> list[dict[str, Any]]:
    """What the ledger is told of one setting: enumerations and numbers; each pair by its names (L2)."""
    if isinstance(before, tuple):
        mark = ">" if key == "compatible" else ":"
        changed = sorted(set(before) ^ set(after))
        return [
            {
                "target": f"{pair[0]}{mark}{pair[1]}",
                "from": "present" if pair in before else "absent",
                "to": "present" if pair in after else "absent",
            }
            for pair in changed
        ]
    return [{"from": plain(before), "to": plain(after)}]


def plain(value: Any) -> Any:
    """A number or a word of a setting as an event has it: a switch is on or off."""
    return ("on" if value else "off") if isinstance(value, bool) else value


@refusals.told("agent")
def declare(ctx: Context, declaration: Declaration, reason: str) -> Declared:
    """Declare an agent, or change its declaration.

    Raises:
        Refused: ``agent.built_in``, or ``change.needs_second`` where it turns learned kinds on outside a solo store.
    """
    gate.scan({"purpose": declaration.purpose, "reason": reason})
    why = check_reason(reason)
    if declaration.name == BUILT_IN:
        raise Refused(
            "agent.built_in",
            "`import` is built in and cannot be declared",
            hint="choose another name",
            rule="G2",
        )
    return ctx.govern(lambda desk: _declare(desk, ctx, declaration, why))


def _declare(desk: Desk, ctx: Context, declaration: Declaration, reason: str) -> Declared:
    caller = context.person_of(desk, ctx, "govern")
    gate.scan_own(desk, {"purpose": declaration.purpose, "reason": reason})
    old = desk.identity.agent(declaration.name)
    document = to_document(declaration)
    if old == document:
        at = next(at for name, _, at in desk.identity.agents() if name == declaration.name)
        return Declared(declaration, at, changed=False)
    if declaration.memory.kinds() and not desk.head.solo:
        raise Refused(
            "change.needs_second",
            "a declaration with learned kinds waits for another admin, and this version cannot keep one waiting",
            hint="declare it without `memory`, or use a tenant made with init --solo",
            rule="G11",
        )
    key = desk.random(record.KEY_BYTES)
    desk.governance.put_agent(declaration.name, document, key, caller.name)
    desk.ledger.append(
        "governance.changed",
        context.actor(desk, caller),
        {
            "what": "agent",
            "target": declaration.name,
            "from": "absent" if old is None else "present",
            "to": "present" if old is None else "changed",
            "commit": record.declaration_commit(key, document),
            **audit.reasoned(desk, reason),
        },
    )
    return Declared(declaration, desk.now, changed=True)


def list_agents(ctx: Context) -> list[Declared]:
    """Every declared agent, by name."""

    def look(desk: Desk) -> list[Declared]:
        context.person_of(desk, ctx, "see")
        return [Declared(from_document(document), at, changed=False) for _, document, at in desk.identity.agents()]

    return ctx.read(look)


def show_agent(ctx: Context, name: str) -> Declared:
    """One declared agent.

    Raises:
        NotFound: ``agent.unknown``.
    """
    found = [declared for declared in list_agents(ctx) if declared.declaration.name == name]
    if not found:
        raise NotFound("agent.unknown", "no agent of that name is declared", hint="oz0mem agent list", rule="G5")
    return found[0]


class OwnSecret(NamedTuple):
    """A registered secret without what it is: its number, length in characters, when, by whom."""

    number: int
    length: int
    at: int
    by: str


@refusals.told("secrets")
def add_secret(ctx: Context, secret: str, reason: str) -> OwnSecret:
    """Register a secret of the tenant's own, kept as a keyed hash (M8).

    Raises:
        Invalid: ``secret.short`` below 8 characters: it would be found in harmless words.
        Conflict: ``secret.known``.
    """
    from oz0mem.rules.secrets import own_secret_digest

    gate.scan({"reason": reason})
    why = check_reason(reason)
    plain = secret.strip()
    if not 8 <= len(plain) <= 1_000:
        raise Invalid("secret.short", "a secret has 8 to 1,000 characters", hint="give it on stdin", rule="M8")
    if plain in why:
        raise Refused("secret.found", "the reason holds the secret itself", hint="say why without it", rule="M8")

    def act(desk: Desk) -> OwnSecret:
        caller = context.person_of(desk, ctx, "govern")
        gate.scan_own(desk, {"reason": why})
        length, digest = own_secret_digest(gate.own_key(desk), plain)
        if digest in desk.identity.own_secrets().get(length, set()):
            raise Conflict("secret.known", "that secret is registered already", hint="oz0mem secrets list", rule="M8")
        number = desk.governance.put_secret(length, digest, caller.name)
        told = {"what": "secret", "from": "absent", "to": "present", **audit.reasoned(desk, why)}
        desk.ledger.append("governance.changed", context.actor(desk, caller), told)
        return OwnSecret(number, length, desk.now, caller.name)

    return ctx.govern(act)


def list_secrets(ctx: Context) -> list[OwnSecret]:
    """The registered secrets, without what they are."""

    def look(desk: Desk) -> list[OwnSecret]:
        context.person_of(desk, ctx, "govern")
        return [OwnSecret(*row) for row in desk.identity.secrets()]

    return ctx.read(look)


@refusals.told("secrets")
def remove_secret(ctx: Context, number: int, reason: str) -> int:
    """Take a registered secret out.

    Raises:
        NotFound: ``secret.unknown``.
    """
    gate.scan({"reason": reason})
    why = check_reason(reason)

    def act(desk: Desk) -> int:
        caller = context.person_of(desk, ctx, "govern")
        gate.scan_own(desk, {"reason": why})
        if not 0 < number < 1 << 63 or not desk.governance.drop_secret(number):
            raise NotFound("secret.unknown", "no secret has that number", hint="oz0mem secrets list", rule="M8")
        told = {"what": "secret", "from": "present", "to": "absent", **audit.reasoned(desk, why)}
        desk.ledger.append("governance.changed", context.actor(desk, caller), told)
        return number

    return ctx.govern(act)
