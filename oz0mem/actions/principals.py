"""Principals: the first admins, those added later, their tokens (G1, G3, G10, G13).

Promises that a token is given once and kept as a hash, that every change has a reason and an event (G10), and
that what needs a second admin is refused until changes can wait for one. Leaves where a token is kept to the
caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import audit, context, gate, refusals
from oz0mem.model.errors import Conflict, Invalid, NotFound, Refused
from oz0mem.model.names import OF_PERSON, check_principal
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.actors import Principal

ROLES = ("admin", "reviewer", "member", "auditor", "host")


class Made(NamedTuple):
    """A principal, with the token only where it was just made, and whether anything changed."""

    principal: Principal
    token: str = ""
    changed: bool = True


def open_tenant(ctx: Context, admins: Sequence[tuple[str, str]], *, solo: bool) -> bool:
    """Write a new tenant's first event, admins and policy; answers whether that was still to do.

    Args:
        ctx: the store, without a caller yet.
        admins: name and token of each first admin, the token kept safe by the caller already.
        solo: whether one person may do both halves of what takes two (G1).
    """
    from oz0mem.actions.defaults import write_defaults

    def act(desk: Desk) -> bool:
        if desk.identity.principals():
            return False
        told: dict[str, Any] = {"solo": True} if solo else {}
        desk.ledger.append("ledger.opened", context.SYSTEM, told)
        for name, token in admins:
            number = desk.governance.put_principal(name, "admin", context.digest(token))
            _tell(desk, context.SYSTEM, "principal", number, "absent", "admin", _committed(desk, token))
        for setting, value in _first_settings(len(admins), solo=solo):
            desk.governance.put_setting(setting, value, admins[0][0])
            desk.ledger.append("governance.changed", context.SYSTEM, {"what": setting, "to": "on" if value else "off"})
        write_defaults(desk)
        return True

    return ctx.store.govern(ctx.clock(), act)


def _first_settings(admins: int, *, solo: bool) -> list[tuple[str, bool]]:
    """Solo turns works-council mode off (G1); two admins turn four eyes on (G13)."""
    if solo:
        return [("works_council", False)]
    return [("four_eyes", True)] if admins > 1 else []


@refusals.told("principal")
def add(ctx: Context, name: str, role: str, reason: str) -> Made:
    """Add a principal; its token is in the answer and nowhere else.

    Raises:
        Conflict: ``principal.exists``, or ``name.spelling`` where it folds to a known name.
        Refused: ``change.needs_second`` where a second admin would have to approve.
    """
    gate.scan({"name": name, "reason": reason})
    checked = check_principal(name)
    why = check_reason(reason)
    if role not in ROLES:
        raise _no_role(role)
    return ctx.govern(lambda desk: _add(desk, ctx, checked, role, why))


def _no_role(role: str) -> Invalid:
    from difflib import get_close_matches

    near = get_close_matches(role.lower(), ROLES, 1)
    hint = f"did you mean --role {near[0]}? " if near else ""
    roles = f"{', '.join(ROLES[:-1])} or {ROLES[-1]}"
    return Invalid("principal.role", "there is no such role", hint=f"{hint}A role is {roles}", rule="G3")


def _add(desk: Desk, ctx: Context, name: str, role: str, reason: str) -> Made:
    caller = context.person_of(desk, ctx, "govern")
    gate.scan_own(desk, {"reason": reason})
    known = desk.names.folded(OF_PERSON, name)
    if known and known != name:
        raise Refused(
            "name.spelling",
            f"that name is known by another spelling: {known}",
            hint=f"use {known}",
            rule="G12",
        )
    if desk.identity.principal(name) is not None:
        raise Conflict(
            "principal.exists",
            f"{name} is a principal already",
            hint=f"oz0mem principal rotate {name} --reason '…'",
            rule="G10",
        )
    settings = context.settings_of(desk)
    if role == "admin":
        check_second(desk, settings.four_eyes, "adding an admin")
    token = desk.random(32).hex()
    number = desk.governance.put_principal(name, role, context.digest(token))
    told = {**_committed(desk, token), **audit.reasoned(desk, reason)}
    _tell(desk, context.actor(desk, caller), "principal", number, "absent", role, told)
    if role == "admin" and not desk.head.solo and not settings.four_eyes:
        desk.governance.put_setting("four_eyes", True, caller.name)
        actor = context.actor(desk, caller)
        desk.ledger.append("governance.changed", actor, {"what": "four_eyes", "from": "off", "to": "on"})
    return Made(_plain(number, name, role, disabled=False, created=desk.now), token)


def _plain(number: int, name: str, role: str, *, disabled: bool, created: int) -> Principal:
    from oz0mem.model.actors import Principal

    return Principal(number, name, role, disabled, created)


def check_second(desk: Desk, four_eyes: bool, what: str) -> None:
    """Refuse what waits for another admin while four eyes is on (G11), until changes can wait.

    Raises:
        Refused: ``change.needs_second``.
    """
    if four_eyes and not desk.head.solo:
        raise Refused(
            "change.needs_second",
            f"{what} needs another admin while four eyes is on, and this version cannot keep a change waiting",
            hint="nothing was changed; a tenant made with init --solo has one person do both halves",
            rule="G11",
        )


def _tell(desk: Desk, actor: dict[str, Any], what: str, number: int, old: str, new: str, more: dict[str, str]) -> None:
    target = desk.names.actor_handle(number)
    told = {"what": what, "target": target, "from": old, "to": new, **more}
    desk.ledger.append("governance.changed", actor, told)


def _committed(desk: Desk, token: str) -> dict[str, str]:
    return {"commit": audit.committed_token(desk, context.digest(token))}


def list_principals(ctx: Context) -> list[Principal]:
    """Every principal, by name."""

    def look(desk: Desk) -> list[Principal]:
        context.person_of(desk, ctx, "see_rules")
        return desk.identity.principals()

    return ctx.read(look)


@refusals.told("principal")
def disable(ctx: Context, name: str, reason: str) -> Made:
    """Disable a principal: their tokens act no more.

    Raises:
        Refused: ``principal.last_admin`` where nobody could govern any more (G13).
    """
    gate.scan({"name": name, "reason": reason})
    why = check_reason(reason)
    return ctx.govern(lambda desk: _disable(desk, ctx, name, why))


def _disable(desk: Desk, ctx: Context, name: str, reason: str) -> Made:
    caller = context.person_of(desk, ctx, "govern")
    gate.scan_own(desk, {"reason": reason})
    principal = _known(desk, name)
    if principal.disabled:
        return Made(principal, changed=False)
    if principal.role == "admin":
        admins = [each for each in desk.identity.principals() if each.role == "admin" and not each.disabled]
        least = 2 if context.settings_of(desk).four_eyes else 1
        if len(admins) <= least:
            raise Refused(
                "principal.last_admin",
                f"{name} is the last active admin, and nobody could govern any more"
                if least == 1
                else f"{name} is one of the last two active admins, and four eyes takes two",
                hint="add another admin first: oz0mem principal add NAME --role admin --reason '…'",
                rule="G13",
            )
    desk.governance.change_principal(principal.number, disabled=True)
    actor = context.actor(desk, caller)
    _tell(desk, actor, "principal", principal.number, "active", "disabled", audit.reasoned(desk, reason))
    return Made(principal._replace(disabled=True))


@refusals.told("principal")
def rotate(ctx: Context, name: str, reason: str) -> Made:
    """Give a principal a new token; the old one acts no more, and a disabled principal acts again.

    Everybody may rotate their own.

    Raises:
        Refused: ``change.needs_second`` for another admin's token while four eyes is on (G11).
    """
    gate.scan({"name": name, "reason": reason})
    why = check_reason(reason)
    return ctx.govern(lambda desk: _rotate(desk, ctx, name, why))


def _rotate(desk: Desk, ctx: Context, name: str, reason: str) -> Made:
    caller: Caller = context.caller_of(desk, ctx)
    if caller.is_agent or caller.name != name:
        caller = context.person_of(desk, ctx, "govern")
    gate.scan_own(desk, {"reason": reason})
    principal = _known(desk, name)
    if principal.role == "admin" and principal.name != caller.name:
        check_second(desk, context.settings_of(desk).four_eyes, "rotating another admin's token")
    token = desk.random(32).hex()
    desk.governance.change_principal(principal.number, token=context.digest(token), disabled=False)
    actor = context.actor(desk, caller)
    if principal.disabled:
        _tell(desk, actor, "principal", principal.number, "disabled", "active", {})
        principal = principal._replace(disabled=False)
    told = {**_committed(desk, token), **audit.reasoned(desk, reason)}
    _tell(desk, actor, "token", principal.number, "active", "changed", told)
    return Made(principal, token)


def _known(desk: Desk, name: str) -> Principal:
    principal = desk.identity.principal(name)
    if principal is None:
        known = desk.names.folded(OF_PERSON, name)
        raise NotFound(
            "principal.unknown",
            "there is no principal of that name",
            hint=f"did you mean {known}?" if known else "oz0mem principal list",
            rule="G1",
        )
    return principal


class Self(NamedTuple):
    """Who the caller is here; of a job, also which of its calls wait for a person (G30)."""

    caller: Caller
    tenant: str
    origin: str
    solo: bool
    asks: tuple[str, ...] = ()


def whoami(ctx: Context) -> Self:
    """Who the caller is: a principal with a role, or a job with its agent."""

    def look(desk: Desk) -> Self:
        caller = context.caller_of(desk, ctx)
        asks = _asks(desk, caller)
        return Self(caller, ctx.store.tenant, desk.head.origin, bool(desk.head.solo), asks)

    return ctx.read(look)


def _asks(desk: Desk, caller: Caller) -> tuple[str, ...]:
    """The functions that a job may call and that wait for a person then (D2)."""
    from oz0mem.rules import policies

    if caller.job is None or caller.declaration is None:
        return ()
    agent = caller.declaration
    rules = desk.policies.for_agent(agent.name)
    return tuple(
        function
        for function in policies.CALLS
        if agent.may_call(function, text=True) and policies.effect_of(rules, function, agent.name) == "ask"
    )
