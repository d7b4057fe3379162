"""The only module that knows which adapter is used: it makes a context out of what the program was given.

Promises that nothing is opened before a command needs it, and that Alembic and SQLModel are reached through
here by ``init``, ``upgrade`` and governance alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions.context import Context
from oz0mem.adapters import clock, config
from oz0mem.store.engine import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from oz0mem.adapters.config import Found
    from oz0mem.model.declarations import Declaration
    from oz0mem.model.records import BadRecord, Record


def found(given: Mapping[str, str | None]) -> Found:
    """What the program was configured with, each value with where it comes from."""
    return config.find(given)


def context_of(settings: Found, door: str = "cli") -> Context:
    """A context on the configured store, acting with the configured token or job."""
    store = Store(settings.get("store"), settings.get("tenant"), clock.entropy)
    return Context(store, clock.now, settings.token.value, settings.job.value, door)


def context_on(url: str, tenant: str, token: str = "", job: str = "", door: str = "python") -> Context:
    """A context on a store that is named outright."""
    return Context(Store(url, tenant, clock.entropy), clock.now, token, job, door)


class Made(NamedTuple):
    """What ``init`` made or found: where everything is, the tokens of new admins, and whether anything is new."""

    store: str
    tenant: str
    origin: str
    profile: str
    config: Path
    credentials: Path
    tokens: dict[str, str]
    changed: bool


def init(settings: Found, tenant: str, admins: Sequence[str], origin: str, *, solo: bool) -> Made:
    """Make store, tenant, first admins and profile, each where it is not there yet (G1).

    The first admin's token is kept in the credentials before the store knows it, so that a crash between
    leaves a token that acts for nobody and never an admin without one.
    """
    from oz0mem.actions.principals import open_tenant
    from oz0mem.store import schema

    url = settings.get("store")
    made = schema.make(url)
    made |= schema.make_tenant(url, tenant, origin, solo=solo, now=clock.now(), entropy=clock.entropy)
    ctx = context_on(url, tenant, door="cli")
    tokens = {name: clock.entropy(32).hex() for name in admins}
    opened = False
    if ctx.store.read(clock.now(), lambda desk: not desk.identity.principals()):
        config.keep_token(settings.credentials, settings.profile, tokens[admins[0]])
        opened = open_tenant(ctx, list(tokens.items()), solo=solo)
    path = settings.folder / "config.toml"
    changed = config.keep_profile(path, settings.profile, {"store": url, "tenant": tenant})
    stored = ctx.store.read(clock.now(), lambda desk: desk.head.origin)
    return Made(
        url,
        tenant,
        stored,
        settings.profile,
        path,
        settings.credentials,
        tokens if opened else {},
        made or opened or changed,
    )


def upgrade(settings: Found) -> list[str]:
    """Bring the configured store to this program's schema; answers what was run."""
    from oz0mem.store import schema

    return schema.upgrade(settings.get("store"))


def keep_token(settings: Found, token: str) -> None:
    """Keep a token in the profile's credentials."""
    config.keep_token(settings.credentials, settings.profile, token)


def read_declaration(raw: bytes, source: str) -> Declaration:
    """An agent's declaration out of a YAML, JSON or TOML document, refused with its line."""
    from oz0mem.adapters.documents import read_document
    from oz0mem.rules.declarations import check_declaration

    document = read_document(raw, source)
    return check_declaration(document.data, source=source, line_of=document.line_of)


def reader_of(form: str) -> Callable[[BinaryIO], Iterable[Record | BadRecord]]:
    """What reads a foreign format, by its name."""
    if form == "jsonl":
        from oz0mem.adapters.imports.jsonl import read_jsonl
        from oz0mem.adapters.imports.lines import bound_lines

        return lambda stream: read_jsonl(bound_lines(stream))
    from oz0mem.adapters.imports.mem0 import read_mem0

    return read_mem0


FORMATS = ("jsonl", "mem0")
"""Formats that ``reader_of`` knows."""
