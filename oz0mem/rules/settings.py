"""Changing the tenant's settings within their bounds, and which changes loosen (G11, G14).

Promises a whole new `Settings` or a refusal that names setting and limits; never half a change. Leaves
whether a change waits for another admin, and its record, to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oz0mem.model.errors import Invalid, Refused
from oz0mem.model.names import check_name, parse_bytes
from oz0mem.model.settings import BY_KEY, REVIEWS, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, NoReturn

    from oz0mem.model.settings import Pairs, Setting

TAKEN_AWAY: Final = {"no_compatible": "compatible", "not_apart": "apart"}
"""Keys of an update that take pairs away, and the setting that they take them from."""
_SWITCHES: Final = {"on": True, "off": False}
_HIGHER_LOOSENS: Final = (
    "default_days",
    "max_days",
    "max_records",
    "max_bytes",
    "recall_entries",
    "recall_chars",
)


def change(settings: Settings, updates: Mapping[str, object]) -> Settings:
    """Apply updates to settings.

    Args:
        settings: the ones in force.
        updates: by key of the setting. Numbers as such or as digits, sizes also as ``16MiB``, switches as
            truth values or ``on`` and ``off``. `compatible` and `apart` add their pairs, `no_compatible`
            and `not_apart` take theirs away; a pair is a text or two names.

    Returns:
        The new settings; equal to the old where nothing changes.

    Raises:
        Invalid: ``settings.unknown``, ``settings.value`` or ``settings.pair``.
        Refused: ``settings.bounds``.
    """
    values: dict[str, Any] = settings._asdict()
    for key, value in updates.items():
        row = BY_KEY.get(TAKEN_AWAY.get(key, key))
        if row is None:
            message = f"there is no such setting; there are {', '.join(BY_KEY)}"
            raise Invalid("settings.unknown", message, rule="G14")
        if row.shape == "pairs":
            values[row.key] = _change_pairs(values[row.key], _read_pairs(row, value), key in TAKEN_AWAY)
        else:
            values[row.key] = _read(row, value)
    _check_pairs_once(updates)
    _check_ends(values["default_days"], values["max_days"])
    return Settings(**values)


def is_loosening(old: Settings, new: Settings) -> list[str]:
    """Name the settings that a change loosens, in the order of the table (G11)."""
    loosened = {key for key in _HIGHER_LOOSENS if getattr(new, key) > getattr(old, key)}
    if REVIEWS.index(new.review) > REVIEWS.index(old.review):
        loosened.add("review")
    # A shorter retention destroys, a longer one keeps: either way somebody else looks.
    if new.retention_days != old.retention_days:
        loosened.add("retention_days")
    loosened |= {key for key in ("four_eyes", "works_council") if getattr(old, key) and not getattr(new, key)}
    if set(new.compatible) - set(old.compatible):
        loosened.add("compatible")
    if set(old.apart) - set(new.apart):
        loosened.add("apart")
    return [key for key in BY_KEY if key in loosened]


def _change_pairs(old: Pairs, given: list[tuple[str, str]], taken_away: bool) -> Pairs:
    pairs = set(old) - set(given) if taken_away else set(old) | set(given)
    return tuple(sorted(pairs))


def _read(row: Setting, value: object) -> object:
    if row.shape == "switch":
        switch = _SWITCHES.get(value) if isinstance(value, str) else value
        return switch if isinstance(switch, bool) else _refuse_value(row, "on or off")
    if row.shape == "choice":
        return value if value in row.choices else _refuse_value(row, " or ".join(row.choices))
    number = _read_number(row, value)
    if not row.least <= number <= row.most:
        limits = f"{row.least:,} to {row.most:,} {row.unit}"
        message = f"the setting '{row.title}' goes from {limits}; {number:,} is outside"
        facts = {"setting": row.key, "given": number, "least": row.least, "most": row.most}
        raise Refused("settings.bounds", message, hint=f"use {row.option}", rule="G14", **facts)
    return number


def _read_number(row: Setting, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and row.shape == "bytes":
        return parse_bytes(value)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 15:
        return int(value)
    return _refuse_value(row, "a size such as 16MiB" if row.shape == "bytes" else "a whole number")


def _refuse_value(row: Setting, wanted: str) -> NoReturn:
    message = f"the setting '{row.title}' takes {wanted}"
    raise Invalid("settings.value", message, rule="G14", setting=row.key)


def _read_pairs(row: Setting, value: object) -> list[tuple[str, str]]:
    if isinstance(value, str) or not isinstance(value, list | tuple | set | frozenset):
        _refuse_value(row, "a list of pairs")
    return [_read_pair(row, pair) for pair in value]


def _read_pair(row: Setting, pair: object) -> tuple[str, str]:
    if isinstance(pair, str):
        return _parse_pair(row, pair)
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        _refuse_value(row, "a list of pairs")
    return _check_pair(row, [str(name) for name in pair])


def _parse_pair(row: Setting, text: str) -> tuple[str, str]:
    """Read ``from>to`` or ``from:to``, two purposes in order (G15), or ``A:B``, two compartments in none (M25)."""
    signs = ">:" if row.key == "compatible" else ":"
    for sign in signs:
        if sign in text:
            return _check_pair(row, text.split(sign))
    first = check_name(text, _member(row))
    if row.key == "apart":
        message = "a wall stands between two compartments"
        raise Invalid("settings.pair", message, hint=f"write --apart {first}:OTHER", rule="G14")
    message = "a pair names two purposes, and this is one; an unquoted > is the shell's"
    raise Invalid("settings.pair", message, hint=f"quote the pair: --compatible '{first}>OTHER'", rule="G14")


def _check_pair(row: Setting, names: Iterable[str]) -> tuple[str, str]:
    checked = [check_name(name, _member(row)) for name in names]
    if len(checked) != 2 or checked[0] == checked[1]:
        message = f"a pair has two different names of a {_member(row)}"
        raise Invalid("settings.pair", message, rule="G14", setting=row.key)
    first, second = sorted(checked) if row.key == "apart" else checked
    return first, second


def _member(row: Setting) -> str:
    return "purpose" if row.key == "compatible" else "compartment"


def _check_pairs_once(updates: Mapping[str, object]) -> None:
    for key, setting in TAKEN_AWAY.items():
        if key in updates and setting in updates:
            row = BY_KEY[setting]
            if set(_read_pairs(row, updates[key])) & set(_read_pairs(row, updates[setting])):
                message = "one command cannot add a pair and take it away"
                raise Invalid("settings.pair", message, rule="G14", setting=setting)


def _check_ends(default: int, longest: int) -> None:
    if longest < default:
        message = f"the longest end, {longest:,} days, would be below the default end, {default:,} days"
        hint = f"give at most --default-days {longest}, or at least --max-days {default}"
        facts = {"setting": "max_days", "default_days": default, "max_days": longest}
        raise Refused("settings.bounds", message, hint=hint, rule="G14", **facts)
