"""The tenant's settings, their changes and its own secrets as people and scripts see them (G14, G16, M8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model.settings import TABLE
from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from oz0mem.actions.governance import Change, OwnSecret, Shown
    from oz0mem.model.settings import Setting, Settings

_COLUMNS = (
    Column("setting", "id"),
    Column("value", "id"),
    Column("default", "id"),
    Column("changed by"),
    Column("changed", "moment"),
)
_SECRETS = (
    Column("secret", "number"),
    Column("characters", "number"),
    Column("added", "moment"),
    Column("by", "id"),
)
SOLO = "yes: one person may do both halves of what takes two"


def plain(row: Setting, value: Any) -> Any:
    """A setting's value as JSON has it: pairs of purposes as ``from>to``, of compartments as two names."""
    if row.shape != "pairs":
        return value
    return [f"{a}>{b}" if row.key == "compatible" else [a, b] for a, b in value]


def shown(found: Shown) -> View:
    """Every setting, who changed it last, what waits, and who learns."""
    document: dict[str, Any] = {row.key: plain(row, getattr(found.settings, row.key)) for row in TABLE}
    document["people"] = []
    document["waiting"] = []
    document["solo"] = found.solo
    document["learning"] = [{"agent": agent.name, "kinds": list(agent.memory.kinds())} for agent in found.agents]
    document["defaults"] = {row.key: plain(row, row.default) for row in TABLE}
    document["changed"] = {name: {"by": by, "at": Moment(at)} for name, (by, at) in sorted(found.changed.items())}
    rows = [_row(row, found.settings, found.changed.get(row.key)) for row in TABLE]
    rows += [(f"learning {agent.name}", ", ".join(agent.memory.kinds()), None, None, None) for agent in found.agents]
    if found.solo:
        rows.append(("solo store", SOLO, None, None, None))
    return View("list", _COLUMNS, rows, document)


def _row(row: Setting, settings: Settings, changed: tuple[str, int] | None) -> tuple[object, ...]:
    by, at = changed or (None, None)
    told = (_told(row, getattr(settings, row.key)), _told(row, row.default))
    return (row.title, *told, by, at if at is None else Moment(at))


def _told(row: Setting, value: Any) -> str:
    if row.shape == "switch":
        return "on" if value else "off"
    if row.shape == "pairs":
        mark = ">" if row.key == "compatible" else ":"
        return ", ".join(f"{a}{mark}{b}" for a, b in value) or "none"
    if row.shape == "bytes":
        return _size(value)
    return f"{value:,} {row.unit}" if row.shape == "number" else str(value)


def _size(value: int) -> str:
    for step, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if value >= step and value % step == 0:
            return f"{value // step:,} {unit}"
    return f"{value:,} bytes"


def changed(made: Change) -> View:
    """A change of settings."""
    rows = {row.key: row for row in TABLE}
    document = {
        "change": None,
        "state": "applied",
        "what": [
            {"setting": key, "old": plain(rows[key], old), "new": plain(rows[key], new)} for key, old, new in made.what
        ],
        "by": made.by,
        "reason": made.reason,
        "needs": None,
        "changed": made.changed,
    }
    told = [f"{rows[key].title} {_told(rows[key], old)} → {_told(rows[key], new)}" for key, old, new in made.what]
    return View("text", document=document, sentence="; ".join(told) or "nothing to change: it is set so already")


def _secret(one: OwnSecret) -> dict[str, Any]:
    return {"secret": one.number, "characters": one.length, "added": Moment(one.at), "by": one.by}


def secrets(found: list[OwnSecret]) -> View:
    """The tenant's own secrets, without what they are."""
    rows: list[tuple[object, ...]] = [(one.number, one.length, Moment(one.at), one.by) for one in found]
    document = {"items": [_secret(one) for one in found], "next": None}
    return View("list", _SECRETS, rows, document, "" if rows else "no secret of your own is registered")


def secret_added(one: OwnSecret) -> View:
    """A secret that no memory may hold from now on."""
    said = f"registered secret {one.number}, {one.length} characters; no memory may hold it from now on"
    return View("text", document={**_secret(one), "state": "applied", "changed": True}, sentence=said)


def secret_removed(number: int) -> View:
    """A secret that is no longer looked for."""
    document = {"secret": number, "state": "applied", "changed": True}
    return View("text", document=document, sentence=f"secret {number} is no longer looked for")
