"""The tenant's settings: one row each, with its default, its bounds and its option (G14).

Promises that the table and the value `Settings` have the same fields under the names of the JSON shape.
Leaves checking and changing to `rules.settings`, and what is set where to the store.
"""

from __future__ import annotations

from typing import Final, NamedTuple

REVIEWS: Final = ("all", "untrusted", "proposals")
"""Review settings, the strictest first (G11)."""
SCIM_MODES: Final = ("suspend", "forget")

Pairs = tuple[tuple[str, str], ...]
"""Pairs of names, sorted, each once."""


class Settings(NamedTuple):
    """Every setting of a tenant; the defaults are those of a new one."""

    default_days: int = 90
    max_days: int = 365
    max_records: int = 5_000
    max_bytes: int = 8 << 20
    compatible: Pairs = ()
    """Purposes (from, to): jobs for `to` read what was written for `from` (G15)."""
    review: str = "untrusted"
    retention_days: int = 365
    four_eyes: bool = False
    """Turned on with the second admin (G13)."""
    works_council: bool = True
    apart: Pairs = ()
    """Compartments kept apart (M25), each pair in alphabetical order."""
    recall_entries: int = 20
    recall_chars: int = 6_000
    scim_deactivate: str = "suspend"


class Setting(NamedTuple):
    """One row of the table of settings."""

    key: str
    """Name in JSON and in `Settings`."""
    title: str
    """What people call it."""
    shape: str
    """``number``, ``bytes``, ``switch``, ``choice`` or ``pairs``."""
    option: str
    """Option of ``settings set``; where there are two, the second takes away or turns off."""
    unit: str = ""
    least: int = 0
    most: int = 0
    """Bounds of a number, both allowed."""
    choices: tuple[str, ...] = ()

    @property
    def default(self) -> object:
        """Value in a new tenant."""
        return Settings._field_defaults[self.key]


TABLE: Final = (
    Setting("default_days", "default end", "number", "--default-days", "days", 1, 3_650),
    Setting("max_days", "longest end", "number", "--max-days", "days", 1, 3_650),
    Setting("max_records", "entries per scope", "number", "--max-records", "entries", 1, 20_000),
    Setting("max_bytes", "bytes per scope", "bytes", "--max-bytes", "bytes", 1 << 10, 64 << 20),
    Setting("compatible", "compatible purposes", "pairs", "--compatible/--no-compatible"),
    Setting("review", "review", "choice", "--review", choices=REVIEWS),
    Setting("retention_days", "retention", "number", "--retention-days", "days", 0, 3_650),
    Setting("four_eyes", "four eyes", "switch", "--four-eyes/--no-four-eyes"),
    Setting("works_council", "works-council mode", "switch", "--works-council/--no-works-council"),
    Setting("apart", "walls", "pairs", "--apart/--not-apart"),
    Setting("recall_entries", "entries in a recall", "number", "--recall-entries", "entries", 1, 100),
    Setting("recall_chars", "characters in a recall", "number", "--recall-chars", "characters", 200, 60_000),
    Setting("scim_deactivate", "SCIM deactivation", "choice", "--scim-deactivate", choices=SCIM_MODES),
)

BY_KEY: Final = {row.key: row for row in TABLE}
