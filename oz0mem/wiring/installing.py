"""``init``: store, tenant, signing key, first admins and profile, each made where it is not there yet (G1).

Promises that a crash at any point is mended by running it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.adapters import clock, config
from oz0mem.wiring.contexts import context_on, lasting, store_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Context
    from oz0mem.actions.opening import Asked, There
    from oz0mem.adapters.config import Found


class Made(NamedTuple):
    """What ``init`` made or found: where everything is, the tokens of new admins, whether anything is new.

    Attributes:
        keys: the file of the signing keys.
        key: id of the ledger's signing key, where it was made now.
        settled: whether the profile names this tenant; not where it names another one already.
    """

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
    url = lasting(settings.get("store"))
    there = _there(url, asked.tenant)
    if there is None or not there.names:
        _check_not_lost(settings, url, asked.tenant)
        opening.check_admins(asked)
    with first_tokens.alone(settings.folder):
        made = there is None and _make(url, asked)
        ctx = context_on(url, asked.tenant, door="cli", folder=settings.folder)
        if made:
            _let_go(ctx, asked)
        there = ctx.store.read(clock.now(), opening.look)
        opening.check_same(asked, there)
        settled, changed = _settle(settings, url, asked.tenant)
        made = (not there.names and _open(ctx, settings, url, asked)) or made
        key = _give_key(ctx)
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
        keys=ctx.keys.where(there.origin, key) if ctx.keys is not None else "",
        key=key,
        tokens=tokens,
        settled=settled,
        changed=made or changed or bool(tokens or key),
    )


def _let_go(ctx: Context, asked: Asked) -> None:
    """What was signed for a ledger that stood there before is no measure for one that was made anew."""
    if ctx.keys is not None:
        with ctx.keys.alone():
            ctx.keys.unpin(asked.origin or f"{asked.tenant}/oz0mem", ctx.store.place)


def _give_key(ctx: Context) -> str:
    """Give the ledger its signing key where it has none, and sign its first head (L13); answers the new key's id."""
    from oz0mem.actions import heads, keys

    made = keys.open_key(ctx)
    if made is None:
        return ""
    heads.sign_where_possible(ctx)
    return made.id


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


def _there(url: str, tenant: str) -> There | None:
    """The tenant as it is there, or None where the store or the tenant is still to be made."""
    from oz0mem.actions.opening import look
    from oz0mem.model.errors import Oz0Error

    store = store_on(url, tenant)
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
