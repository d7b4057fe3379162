"""What ``init`` was asked for, judged before anything is made (G1).

Promises that names, the ledger's origin and the first admins are good, and that nothing contradicts a tenant
which is there already: what was fixed when it was made is not changed by making it again. Leaves making it to
the wiring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions.context import digest
from oz0mem.model.errors import Conflict, Invalid
from oz0mem.model.names import check_name, check_principal, fold
from oz0mem.rules.event_fields import is_origin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.ports import Desk


class Asked(NamedTuple):
    """A tenant as it was asked for; without an origin of its own it is ``<tenant>/oz0mem``."""

    tenant: str
    admins: tuple[str, ...]
    origin: str
    solo: bool


class There(NamedTuple):
    """A tenant as it is there: the names of its principals, its origin, whether solo."""

    names: tuple[str, ...]
    origin: str
    solo: bool


def check(tenant: str, admins: Sequence[str], origin: str, *, solo: bool) -> Asked:
    """Judge what was asked for.

    Raises:
        Invalid: ``init.tenant``, ``init.origin``, ``init.solo``, ``init.admin``, or a bad name.
    """
    if not tenant:
        raise Invalid(
            "init.tenant",
            "a store is made for a tenant, and none was named",
            hint="oz0mem init --tenant NAME --admin NAME",
            rule="G1",
        )
    check_name(tenant, "tenant")
    names = tuple(check_principal(name) for name in admins)
    if len({fold(name) for name in names}) < len(names):
        raise Invalid("init.admin", "two admins are two persons with names of their own", rule="G12")
    if solo and len(names) > 1:
        raise Invalid(
            "init.solo",
            f"a solo store is for one person, and {len(names)} admins were named",
            hint="leave --solo out, or all --admin but one",
            rule="G1",
        )
    if origin and not is_origin(origin):
        raise Invalid(
            "init.origin",
            "an origin is 1 to 128 letters, digits and . _ / -, and begins with a letter or a digit",
            hint="--origin acme.example/oz0mem",
            rule="L1",
        )
    return Asked(tenant, names, origin, solo)


def check_admins(asked: Asked) -> None:
    """Refuse to make a tenant that nobody could govern.

    Raises:
        Invalid: ``init.admin``.
    """
    if not asked.admins:
        raise Invalid(
            "init.admin",
            f"{asked.tenant} needs its first admin, and none was named",
            hint=f"oz0mem init --tenant {asked.tenant} --admin NAME (twice for four eyes, or with --solo)",
            rule="G1",
        )


def lost(tenant: str, profile: str) -> Conflict:
    """What is told where a tenant is gone that a profile has had."""
    return Conflict(
        "init.lost",
        f"profile {profile} has had {tenant} in that store, and it is gone; nothing was made in its place",
        hint="put the store or a backup back; to begin anew all the same, name a new profile with --profile",
        rule="Q12",
    )


def look(desk: Desk) -> There:
    """What is there of the tenant."""
    names = tuple(principal.name for principal in desk.identity.principals())
    return There(names, desk.head.origin, bool(desk.head.solo))


def check_same(asked: Asked, there: There) -> None:
    """Refuse what contradicts the tenant that is there; asking for the same again contradicts nothing.

    Raises:
        Conflict: ``init.different``.
    """
    message = hint = ""
    if asked.origin and asked.origin != there.origin:
        message = f"the ledger of {asked.tenant} is {there.origin}, fixed when it was made"
        hint = "leave --origin out"
    elif asked.solo and not there.solo:
        message = f"{asked.tenant} was not made as a solo store, and that is fixed"
        hint = "leave --solo out"
    elif there.names and (new := [name for name in asked.admins if name not in there.names]):
        message = f"{asked.tenant} is there already, and {', '.join(new)} is nobody there"
        hint = f"oz0mem principal add {new[0]} --role admin --reason '…'"
    if message:
        raise Conflict("init.different", message, hint=hint, rule="G1")


def are_known(desk: Desk, tokens: Mapping[str, str]) -> bool:
    """Whether tokens are those of the principals whose names they stand under."""
    found = {name: desk.identity.principal_by_token(digest(token)) for name, token in tokens.items()}
    return bool(found) and all(one is not None and one.name == name for name, one in found.items())
