"""Principals and callers as people and scripts see them; a token only where it was just made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from oz0mem.actions.principals import Made, Self
    from oz0mem.model.actors import Principal

_COLUMNS = (
    Column("name", "id"),
    Column("role", "id"),
    Column("disabled", "id"),
    Column("added", "moment"),
)
_WHOAMI = ("name", "role", "tenant", "ledger", "solo")
_IN_JOB = ("job", "agent", "purpose", "about", "starter", "asks", "tenant", "ledger", "solo", "expires")


def to_document(principal: Principal, **more: Any) -> dict[str, Any]:
    """A principal as JSON has it."""
    return {
        "name": principal.name,
        "role": principal.role,
        "disabled": principal.disabled,
        "added": Moment(principal.created),
        **more,
    }


def listing(principals: list[Principal]) -> View:
    """Every principal."""
    rows: list[tuple[object, ...]] = [(one.name, one.role, one.disabled, Moment(one.created)) for one in principals]
    return View("list", _COLUMNS, rows, {"items": [to_document(one) for one in principals], "next": None})


def added(made: Made) -> View:
    """A principal that was added, with the token that is told once."""
    one = made.principal
    return _with_token(made, f"added {one.name} as {one.role}", f"{one.name} keeps it with: oz0mem login")


def rotated(made: Made, hint: str) -> View:
    """A principal with a new token."""
    return _with_token(made, f"{made.principal.name} has a new token, the old one acts no more", hint)


def _with_token(made: Made, said: str, hint: str) -> View:
    document = to_document(made.principal, token=made.token, changed=True)
    return View("text", document=document, sentence=f"{said}; told once: {made.token}", next=hint)


def disabled(made: Made) -> View:
    """A principal whose tokens act no more."""
    name = made.principal.name
    said = f"{name} is disabled; their tokens act no more" if made.changed else f"{name} was disabled before"
    return View("text", document=to_document(made.principal, changed=made.changed), sentence=said)


def whoami(found: Self) -> View:
    """Who the caller is: a person, or a job with its agent."""
    caller, job = found.caller, found.caller.job
    document: dict[str, Any] = {
        "kind": "agent" if job else "service" if caller.role == "host" else "person",
        "name": job.agent if job else caller.name,
        "role": None if job else caller.role,
        "tenant": found.tenant,
        "ledger": found.origin,
        "solo": found.solo,
        "job": job.id if job else None,
    }
    if job:
        document |= {
            "agent": job.agent,
            "purpose": job.purpose or None,
            "about": job.about or "work",
            "starter": job.starter,
            "asks": list(found.asks),
            "expires": Moment(job.expires),
        }
    names = _IN_JOB if job else _WHOAMI
    return View("item", tuple(Column(name) for name in names), [tuple(document[name] for name in names)], document)


def logged_in(found: Self, credentials: str) -> View:
    """A token that was checked and kept."""
    name, role = found.caller.name, found.caller.role
    document = {
        "name": name,
        "role": role,
        "tenant": found.tenant,
        "credentials": credentials,
        "changed": True,
    }
    said = f"you are {name}, {role} in {found.tenant}; the token is kept in {credentials}"
    return View("text", document=document, sentence=said)
