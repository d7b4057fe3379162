"""A context out of what the program was given: which store, which tenant, who acts.

Promises that nothing is opened before a command needs it, and that stores are opened here alone.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from oz0mem.actions.context import Context
from oz0mem.adapters import clock, config
from oz0mem.adapters.keys import Keys
from oz0mem.model.errors import Forbidden
from oz0mem.store.engine import Store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from oz0mem.adapters.config import Found


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
    keys = Keys(settings.folder)
    store = store_on(settings.get("store"), settings.get("tenant"), keys)
    return Context(store, clock.now, settings.token.value, settings.job.value, door, keys)


def profiles(settings: Found) -> list[str]:
    """The profiles that there are, by name."""
    return config.profiles(settings.folder)


def store_on(url: str, tenant: str, keys: Keys | None = None) -> Store:
    """A store that is named outright, seen as one tenant; opened by its first transaction.

    With ``keys`` nothing is appended to an older copy of what they signed (L14).
    """
    if keys is None:
        return Store(url, tenant, clock.entropy)
    return Store(url, tenant, clock.entropy, pins=keys.pins, place=place_of(url, tenant), kept=keys.signed())


def place_of(url: str, tenant: str) -> str:
    """What tells a tenant's place from another one in ``signed.json``; a URL may have a password, so it is hashed.

    A file is one place by whatever path it is named.
    """
    from oz0mem.store.dialects import Sqlite, dialect

    back = dialect(url)
    named = os.path.realpath(back.path) if isinstance(back, Sqlite) else url
    return sha256(f"{named}\0{tenant}".encode("utf-8", "surrogateescape")).hexdigest()


def context_on(
    url: str, tenant: str, token: str = "", job: str = "", door: str = "python", folder: Path | None = None
) -> Context:
    """A context on a store that is named outright; the signing keys are in ``folder``, else where the user's are."""
    keys = Keys(folder or config.folders()[0])
    return Context(store_on(url, tenant, keys), clock.now, token, job, door, keys)


def environment(home: Path, token: str = "") -> dict[str, str]:
    """The variables of a program with a home of its own (for ``demo``)."""
    return config.environment(home, token)


def lasting(url: str) -> str:
    """A store's URL that means the same in every folder."""
    from pathlib import Path
    from urllib.parse import quote

    from oz0mem.store.dialects import Sqlite, dialect

    front = "sqlite:///"
    path = url.removeprefix(front)
    if not isinstance(dialect(url), Sqlite) or Path(path).is_absolute():
        return url
    return front + quote(str(Path.cwd() / "_"))[:-1] + path
