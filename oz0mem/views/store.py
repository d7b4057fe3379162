"""The installation as people and scripts see it: what ``init`` made, settings of the program, ``doctor``.

Promises that a password in a store's URL is shown to nobody.
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.views.view import Column, View

if TYPE_CHECKING:
    from oz0mem.actions.doctor import Line

_LINES = (Column("what", "id"), Column("ok", "id"), Column("says"), Column("do"))
_SETTINGS = (Column("setting", "id"), Column("value", "id"))
_HIDDEN = "***"
_SECOND = (
    "not solo     agents that learn cannot be declared here until changes can wait for a second person; "
    "--solo, where one person does both, can be chosen only when a tenant is made"
)


class Place(NamedTuple):
    """A tenant that was made or found: where its parts are, and the tokens of new admins."""

    store: str
    tenant: str
    origin: str
    solo: bool
    profile: str
    config: str
    credentials: str
    keys: str
    key: str
    tokens: dict[str, str]
    settled: bool
    changed: bool


def masked(url: str) -> str:
    """A store's URL without its password, whether it stands before the host or behind the question mark."""
    front, mark, rest = url.partition("://")
    if not mark or front == "sqlite":
        return url
    place, question, query = rest.partition("?")
    who, at, where = place.rpartition("@")
    user, colon, password = who.partition(":")
    secret = _HIDDEN if password else ""
    asked = [
        f"{name}{sign}{_HIDDEN}" if "password" in name else f"{name}{sign}{value}"
        for name, sign, value in (part.partition("=") for part in query.split("&"))
    ]
    return f"{front}://{user}{colon}{secret}{at}{where}{question}{'&'.join(asked)}"


def made(place: Place) -> View:
    """What ``init`` made or found."""
    document: dict[str, Any] = {
        "tenant": place.tenant,
        "ledger": place.origin,
        "solo": place.solo,
        "store": masked(place.store),
        "profile": place.profile if place.settled else None,
        "config": place.config,
        "credentials": place.credentials,
        "keys": place.keys,
        "key": place.key or None,
        "admins": [{"name": name, "role": "admin", "token": token} for name, token in place.tokens.items()],
        "changed": place.changed,
    }
    return View("text", document=document, sentence="\n".join(_told(place)), next=_next(place))


def _told(place: Place) -> list[str]:
    solo = ", a solo store" if place.solo else ""
    lines = [
        f"{'made' if place.changed else 'there already:'} {place.tenant}{solo}; its ledger is {place.origin}",
        f"store        {masked(place.store)}",
    ]
    if place.settled:
        lines.append(f"profile      {place.profile}, in {place.config}")
        lines.append(f"credentials  {place.credentials}")
    else:
        lines.append(f"profile      {place.profile} is taken by another tenant or store, and stays so")
    if place.key:
        lines.append(f"signing key  {place.key}, in {place.keys}; keep a copy of that file somewhere safe")
    for at, (name, token) in enumerate(place.tokens.items()):
        kept = "; kept in the credentials" if place.settled and at == 0 else ""
        lines.append(f"token        {name}: {token}{kept}")
    if not place.settled:
        lines.append(_keeping(place))
    if place.changed and not place.solo:
        lines.append(_SECOND)
    return lines


def _keeping(place: Place) -> str:
    """How a token is kept where the profile could not take it."""
    said = {0: "", 1: "the token is not kept; "}.get(len(place.tokens), "the tokens are not kept; ")
    where = f"--tenant {place.tenant} --store {quote(masked(place.store))}"
    return f"not kept     {said}keep one in another profile: oz0mem login --profile NAME {where}"


def _next(place: Place) -> str | None:
    if not place.tokens:
        return None
    told = "these are told" if len(place.tokens) > 1 else "the token is told"
    return f"{told} once; then: oz0mem doctor"


def upgraded(migrations: list[str]) -> View:
    """The migrations that were run."""
    document = {"migrations": migrations, "changed": bool(migrations)}
    said = f"the schema is {migrations[-1]} now" if migrations else "the schema is up to date"
    return View("text", document=document, sentence=said)


def configured(rows: list[tuple[str, str, str]], *, origin: bool) -> View:
    """Settings of the program: name, value, and where it comes from."""
    shown = [(name, masked(value) if name == "store" else value or None, where) for name, value, where in rows]
    items = [dict(zip(("setting", "value", "origin"), row, strict=True)) for row in shown]
    columns = (*_SETTINGS, Column("origin", "id")) if origin else _SETTINGS
    cells: list[tuple[object, ...]] = [row if origin else row[:2] for row in shown]
    return View("list", columns, cells, {"items": items, "next": None})


def looked_over(lines: list[Line]) -> View:
    """What ``doctor`` saw."""
    rows: list[tuple[object, ...]] = [
        (line.name, "ok" if line.ok else "no", line.says, line.do or None) for line in lines
    ]
    items = [{"what": line.name, "ok": line.ok, "says": line.says, "do": line.do or None} for line in lines]
    wrong = sum(not line.ok for line in lines)
    document = {"ok": not wrong, "items": items, "next": None}
    return View("list", _LINES, rows, document, f"{wrong} of {len(lines)} need something done" if wrong else "")
