"""The only module that knows which adapter is used: it makes a context out of what the program was given.

Promises that nothing is opened, and no framework loaded, before a command needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions.context import Context
from oz0mem.adapters import clock, config
from oz0mem.model.errors import Forbidden
from oz0mem.store.engine import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from oz0mem.actions.doctor import Machine
    from oz0mem.actions.opening import Asked, There
    from oz0mem.adapters.config import Found
    from oz0mem.model.declarations import Declaration
    from oz0mem.model.records import BadRecord, Record


def found(given: Mapping[str, str | None]) -> Found:
    """What the program was configured with, each value with where it comes from."""
    return config.find(given)


def context_of(settings: Found, door: str = "cli") -> Context:
    """A context on the configured store, acting with the configured token or job.

    Raises:
        Forbidden: ``config.store`` where the token is kept back from a store that a project's file names.
    """
    if settings.token.origin == config.KEPT_BACK and not settings.job.value:
        raise Forbidden(
            "config.store",
            f"a file {config.PROJECT_FILE} names another store than your profile's, and your token is not for it",
            hint="name the store with --store, give the token in OZ0MEM_TOKEN, or: oz0mem login --profile P",
            rule="G1",
        )
    store = Store(settings.get("store"), settings.get("tenant"), clock.entropy)
    return Context(store, clock.now, settings.token.value, settings.job.value, door)


def profiles(settings: Found) -> list[str]:
    """The profiles that there are, by name."""
    return config.profiles(settings.folder)


def context_on(url: str, tenant: str, token: str = "", job: str = "", door: str = "python") -> Context:
    """A context on a store that is named outright."""
    return Context(Store(url, tenant, clock.entropy), clock.now, token, job, door)


class Made(NamedTuple):
    """What ``init`` made or found: where everything is, the tokens of new admins, whether anything is new.

    Attributes:
        settled: whether the profile names this tenant; not where it names another one already.
    """

    store: str
    tenant: str
    origin: str
    solo: bool
    profile: str
    config: str
    credentials: str
    tokens: dict[str, str]
    settled: bool
    changed: bool


def init(settings: Found, admins: Sequence[str], origin: str, *, solo: bool) -> Made:
    """Make store, tenant, first admins and profile, each where it is not there yet (G1).

    The tokens are kept in a file before the store knows them, until ``forget_first_tokens`` is told that they
    were shown: a crash at any point is mended by running it again.

    Raises:
        Invalid: what cannot be made so.
        Conflict: ``init.different``, where the tenant is there and is otherwise.
        Fault: where the file is another program's, or the store cannot be reached.
    """
    from oz0mem.actions import opening
    from oz0mem.adapters import first_tokens

    asked = opening.check(settings.get("tenant"), admins, origin, solo=solo)
    url = _lasting(settings.get("store"))
    there = _there(url, asked.tenant)
    if there is None or not there.names:
        _check_not_lost(settings, url, asked.tenant)
        opening.check_admins(asked)
    with first_tokens.alone(settings.folder):
        made = there is None and _make(url, asked)
        ctx = context_on(url, asked.tenant, door="cli")
        there = ctx.store.read(clock.now(), opening.look)
        opening.check_same(asked, there)
        settled, changed = _settle(settings, url, asked.tenant)
        made = (not there.names and _open(ctx, settings, url, asked)) or made
        tokens = _untold(ctx, settings, url)
        if tokens and settled:
            config.keep_token(settings.credentials, settings.profile, next(iter(tokens.values())))
    return Made(
        store=url,
        tenant=asked.tenant,
        origin=there.origin,
        solo=there.solo,
        profile=settings.profile,
        config=str(settings.folder / "config.toml"),
        credentials=str(settings.credentials),
        tokens=tokens,
        settled=settled,
        changed=made or changed or bool(tokens),
    )


def _untold(ctx: Context, settings: Found, url: str) -> dict[str, str]:
    """The tokens of first admins that nobody was told yet."""
    from oz0mem.actions import opening
    from oz0mem.adapters import first_tokens

    tokens = first_tokens.kept(settings.folder, url, ctx.store.tenant)
    known = ctx.store.read(clock.now(), lambda desk: opening.are_known(desk, tokens))
    return tokens if known else {}


def forget_first_tokens(settings: Found, made: Made) -> None:
    """The first admins were told their tokens; the file in between goes."""
    from oz0mem.adapters import first_tokens

    first_tokens.drop(settings.folder, made.store, made.tenant)


def _lasting(url: str) -> str:
    """A store's URL that means the same in every folder."""
    from pathlib import Path
    from urllib.parse import quote

    from oz0mem.store.dialects import Sqlite, dialect

    front = "sqlite:///"
    path = url.removeprefix(front)
    if not isinstance(dialect(url), Sqlite) or Path(path).is_absolute():
        return url
    return front + quote(str(Path.cwd() / "_"))[:-1] + path


def _there(url: str, tenant: str) -> There | None:
    """The tenant as it is there, or None where the store or the tenant is still to be made."""
    from oz0mem.actions.opening import look
    from oz0mem.model.errors import Oz0Error

    store = Store(url, tenant, clock.entropy)
    try:
        return store.read(clock.now(), look)
    except Oz0Error as error:
        if error.code not in ("store.missing", "store.foreign", "tenant.unknown"):
            raise
        return None
    finally:
        store.close()


def _check_not_lost(settings: Found, url: str, tenant: str) -> None:
    """Refuse to make a tenant anew that this profile has had, and that is not there any more (Q12)."""
    from oz0mem.actions.opening import lost
    from oz0mem.adapters import first_tokens

    own = config.profile_of(settings.folder / "config.toml", settings.profile)
    had = own.get("store") == url and own.get("tenant") == tenant
    if (
        had
        and config.has_token(settings.credentials, settings.profile)
        and not first_tokens.kept(settings.folder, url, tenant)
    ):
        raise lost(tenant, settings.profile)


def _make(url: str, asked: Asked) -> bool:
    from oz0mem.store import schema

    made = schema.make(url)
    origin = asked.origin or f"{asked.tenant}/oz0mem"
    new = schema.make_tenant(url, asked.tenant, origin, solo=asked.solo, now=clock.now(), entropy=clock.entropy)
    return made or new


def _open(ctx: Context, settings: Found, url: str, asked: Asked) -> bool:
    """Give the tenant its first admins, whose tokens are on the disk before."""
    from oz0mem.actions.principals import open_tenant
    from oz0mem.adapters import first_tokens

    tokens = {name: clock.entropy(32).hex() for name in asked.admins}
    first_tokens.keep(settings.folder, url, asked.tenant, tokens)
    solo = ctx.store.read(clock.now(), lambda desk: bool(desk.head.solo))
    return open_tenant(ctx, list(tokens.items()), solo=solo)


def _settle(settings: Found, url: str, tenant: str) -> tuple[bool, bool]:
    """Let the profile name this tenant unless it names another; answers whether it does, and is new in it."""
    path = settings.folder / "config.toml"
    wanted = {"store": url, "tenant": tenant}
    own = config.profile_of(path, settings.profile)
    if all(own.get(name) == value for name, value in wanted.items()):
        return True, False
    named = {name: own[name] for name in wanted if name in own}
    if not named.items() <= wanted.items() or config.has_token(settings.credentials, settings.profile):
        return False, False
    return True, config.keep_profile(path, settings.profile, wanted)


def upgrade_due(settings: Found) -> bool:
    """Whether the configured store has an older schema than this program's.

    Raises:
        Fault: where it cannot be reached, is no store, or has a newer one.
    """
    from oz0mem.store import schema

    return schema.is_older(settings.get("store"))


def upgrade(settings: Found) -> list[str]:
    """Bring the configured store to this program's schema and its words to its rules (R8); answers what was run."""
    from oz0mem.store import schema
    from oz0mem.store.indexing import reindex

    url = settings.get("store")
    done = schema.upgrade(url)
    for tenant in schema.tenants(url):
        store = Store(url, tenant, clock.entropy)
        cut = reindex(store, clock.now())
        done += [f"words of {cut} entries and reasons of {tenant}"] if cut else []
        store.close()
    return done


def machine(settings: Found) -> Machine:
    """What the machine says of the store's and the profile's files, for ``doctor``."""
    from oz0mem.actions.doctor import Machine
    from oz0mem.adapters import machine
    from oz0mem.store.dialects import Sqlite, dialect

    back = dialect(settings.get("store"))
    path = back.path if isinstance(back, Sqlite) else None
    beside = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))] if path else []
    files = [*beside, settings.credentials, settings.folder / "config.toml"]
    opened = [(str(file), mode) for file in files if (mode := machine.opened_to_others(file))]
    closed = [str(file) for file in (*beside, *(path.parents[:1] if path else ())) if machine.closed_to_us(file)]
    free, size = machine.room(path) if path else (-1, -1)
    return Machine(settings.get("tenant"), opened, closed, free, size)


def keep_token(settings: Found, token: str) -> None:
    """Keep a token in the profile's credentials."""
    config.keep_token(settings.credentials, settings.profile, token)


def log_in(settings: Found, token: str) -> None:
    """Keep a token, and for a profile that names no store and no tenant those that it is for."""
    path = settings.folder / "config.toml"
    own = config.profile_of(path, settings.profile)
    if "store" not in own and "tenant" not in own:
        place = {"store": _lasting(settings.get("store")), "tenant": settings.get("tenant")}
        config.keep_profile(path, settings.profile, place)
    config.keep_token(settings.credentials, settings.profile, token)


def read_declaration(raw: bytes, source: str) -> Declaration:
    """An agent's declaration out of a YAML, JSON or TOML document, refused with its line."""
    from oz0mem.adapters.documents import read_document
    from oz0mem.rules.declarations import check_declaration

    document = read_document(raw, source)
    return check_declaration(document.data, source=document.source, line_of=document.line_of)


def reader_of(form: str) -> Callable[[BinaryIO], Iterable[Record | BadRecord]]:
    """What reads a foreign format, by its name."""
    if form == "jsonl":
        from oz0mem.adapters.imports.jsonl import read_jsonl
        from oz0mem.adapters.imports.lines import bound_lines

        return lambda stream: read_jsonl(bound_lines(stream))
    from oz0mem.adapters.imports.mem0 import read_mem0

    return read_mem0


FORMATS = ("jsonl", "mem0")  # that reader_of knows


def environment(home: Path, token: str = "") -> dict[str, str]:
    """The variables of a program with a home of its own (for ``demo``)."""
    return config.environment(home, token)
