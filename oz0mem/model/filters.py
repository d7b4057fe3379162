"""What a list is asked for."""

from __future__ import annotations

from typing import NamedTuple


class Filter(NamedTuple):
    """Conditions of a list, '' where not asked; names as they are spelled, ``after`` where the last page ended."""

    agent: str = ""
    about: str = ""
    scope: str = ""
    kind: str = ""
    state: str = ""
    tier: str = ""
    purpose: str = ""
    key: str = ""
    due: bool = False
    ended: bool = False
    lapsed: bool = False
    restricted: bool = False
    entries: tuple[int, ...] | None = None
    after: tuple[int, int] | None = None
