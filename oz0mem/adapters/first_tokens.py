"""The tokens of a tenant's first admins, between being made and being told (G1).

Promises that they stand in a file of their own (mode 0600) before the store knows them, and are gone from it
once they were shown: a crash between, or a second ``init`` beside, leaves no admin without a token. Leaves
where a token is kept for good to ``config``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.adapters import config
from oz0mem.adapters.files import alone

__all__ = ["alone", "drop", "keep", "kept"]

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_NAME = "first-tokens.toml"


def keep(folder: Path, store: str, tenant: str, tokens: Mapping[str, str]) -> None:
    """Keep the tokens of one tenant's first admins, by name."""
    document = config.read(folder / _NAME)
    document.setdefault(store, {})[tenant] = dict(tokens)
    config.write(folder / _NAME, document)


def kept(folder: Path, store: str, tenant: str) -> dict[str, str]:
    """The tokens of one tenant's first admins that nobody was told yet."""
    tokens = config.read(folder / _NAME).get(store, {}).get(tenant, {})
    return {str(name): str(token) for name, token in tokens.items()}


def drop(folder: Path, store: str, tenant: str) -> None:
    """Take the tokens of one tenant out, and the file with the last of them."""
    document = config.read(folder / _NAME)
    if tenant not in document.get(store, {}):
        return
    del document[store][tenant]
    if not document[store]:
        del document[store]
    if document:
        config.write(folder / _NAME, document)
    else:
        (folder / _NAME).unlink(missing_ok=True)
