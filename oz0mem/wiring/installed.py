"""The store's schema brought up to date, the machine looked over, the profile's token kept.

Promises that only what is asked for is changed. Leaves what is made at first to ``installing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.adapters import clock, config
from oz0mem.wiring.contexts import lasting, store_on

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from oz0mem.actions.context import Context
    from oz0mem.actions.doctor import Machine
    from oz0mem.actions.proving import Copy
    from oz0mem.adapters.config import Found


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
        store = store_on(url, tenant)
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


def copies(ctx: Context) -> Callable[[], AbstractContextManager[Copy]]:
    """What copies a context's tenant into a temporary folder and takes the copy away, for ``doctor --prove``."""

    def make() -> AbstractContextManager[Copy]:
        from oz0mem.store.copying import copied
        from oz0mem.store.engine import Store

        assert isinstance(ctx.store, Store)  # contexts are made here
        return copied(ctx.store, ctx.clock())

    return make


def keep_token(settings: Found, token: str) -> None:
    """Keep a token in the profile's credentials."""
    config.keep_token(settings.credentials, settings.profile, token)


def log_in(settings: Found, token: str) -> None:
    """Keep a token, and for a profile that names no store and no tenant those that it is for."""
    path = settings.folder / "config.toml"
    own = config.profile_of(path, settings.profile)
    if "store" not in own and "tenant" not in own:
        place = {"store": lasting(settings.get("store")), "tenant": settings.get("tenant")}
        config.keep_profile(path, settings.profile, place)
    config.keep_token(settings.credentials, settings.profile, token)
