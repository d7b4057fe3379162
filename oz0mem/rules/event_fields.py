"""The pattern of every field that an event may have (L2).

Promises that a field's name means one thing wherever it stands, and that no pattern lets free text through.
Leaves to ``model/ledger.py`` which action has which fields, and to ``rules/events.py`` what must hold between
them. Patterns are string methods: compiling expressions would cost a command's start more than all of its
events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model import agreements, kinds, moments
from oz0mem.model import ledger as words
from oz0mem.model.errors import Invalid
from oz0mem.rules.canonical import MAX_INTEGER

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import TypeGuard

    Check = Callable[[object], bool]

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_HEX = _DIGITS + "abcdef"
_NAME = _DIGITS + _LOWER + "._-"
_ALNUM = _DIGITS + _LOWER + _LOWER.upper()


def timestamp(at: int) -> str:
    """Write a moment as RFC 3339 in UTC with milliseconds, such as ``2026-10-03T09:00:00.000Z``.

    Args:
        at: microseconds since the epoch; cut to the millisecond, not rounded.

    Raises:
        ValueError: before 1970 or after the year 9999.
    """
    if not moments.FIRST <= at <= moments.LAST:
        raise ValueError("a time outside 1970 to 9999")
    second, micros = divmod(at, moments.SECOND)
    return f"{moments.rfc3339(second * moments.SECOND)[:19]}.{micros // 1000:03}Z"


def moment(text: str) -> int:
    """Read what ``timestamp`` wrote: microseconds since the epoch.

    Raises:
        ValueError: where the text is not exactly of that form, or no such instant exists.
    """
    try:
        at = moments.parse_rfc3339(text)
    except Invalid as error:
        raise ValueError(error.message) from None
    if timestamp(at) != text:
        raise ValueError("not a time such as 2026-10-03T09:00:00.000Z")
    return at


def is_int(value: object, least: int = 0) -> TypeGuard[int]:
    """Tell whether it is an integer from ``least`` to 2**53 - 1; a boolean is none."""
    return type(value) is int and least <= value <= MAX_INTEGER


def is_id(value: object) -> TypeGuard[str]:
    """Tell whether it is an id: ``[a-z]{1,3}[-_][0-9a-z]{10,32}``."""
    if not isinstance(value, str):
        return False
    mark = max(value.find("-", 1, 4), value.find("_", 1, 4))
    return (
        mark > 0
        and 10 <= len(value) - mark - 1 <= 32
        and not value[:mark].strip(_LOWER)
        and not value[mark + 1 :].strip(_DIGITS + _LOWER)
    )


def is_handle(value: object, letters: str) -> TypeGuard[str]:
    """Tell whether it is one of these letters, an underscore and 64 hexadecimal digits."""
    return (
        isinstance(value, str)
        and len(value) == 66
        and value[0] in letters
        and value[1] == "_"
        and not value[2:].strip(_HEX)
    )


def is_origin(value: object) -> TypeGuard[str]:
    """Tell whether it can name a ledger (L1); a C2SP note has no place for ``+`` and space."""
    return _is_made_of(value, _ALNUM + "._/-", words.MAX_ORIGIN) and value[0] in _ALNUM


def _is_made_of(value: object, alphabet: str, most: int) -> TypeGuard[str]:
    # Strip leaves nothing exactly where every character is of the alphabet.
    return isinstance(value, str) and 0 < len(value) <= most and not value.strip(alphabet)


def _is_name(value: object) -> TypeGuard[str]:
    return _is_made_of(value, _NAME, 64) and value[0] not in "._-"


def _is_target(value: object) -> bool:
    """A handle, a name, a scope (``agent:a``) or a pair (``support>billing``, ``legal:sales``)."""
    if is_handle(value, "as"):
        return True
    parts = value.replace(">", ":").split(":") if isinstance(value, str) else []
    return 0 < len(parts) <= 2 and all(_is_made_of(part, _NAME + "/", 255) and part[0] not in "._-/" for part in parts)


def _is_date(value: object) -> bool:
    if not (isinstance(value, str) and len(value) == 10):
        return False
    try:
        return moments.parse_rfc3339(value + "T00:00:00Z") >= 0
    except Invalid:
        return False


def _is_moment(value: object) -> bool:
    try:
        return isinstance(value, str) and moment(value) >= 0
    except ValueError:
        return False


def _is_actor(value: object) -> bool:
    """L4: a person stands in the ledger by handle only; what is configured may go by its name."""
    if not (isinstance(value, dict) and value.keys() == {"kind", "ref", "verified"}):
        return False
    kind, ref = value["kind"], value["ref"]
    return (
        isinstance(kind, str)
        and kind in words.ACTOR_KINDS
        and isinstance(value["verified"], bool)
        and (is_handle(ref, "a") or (kind != "person" and _is_name(ref)))
    )


def _is_salt(value: object) -> bool:
    # The last of 22 characters has two bits of the sixteen bytes; the other four are zero.
    return _is_made_of(value, _ALNUM + "-_", 22) and len(value) == 22 and value[-1] in "AQgw"


def _is_vkey(value: object) -> bool:
    """A verifier key of a C2SP note: name, eight hexadecimal digits, base64."""
    parts = value.split("+", 2) if isinstance(value, str) else []
    return (
        len(parts) == 3
        and is_origin(parts[0])
        and _is_made_of(parts[1], _HEX, 8)
        and len(parts[1]) == 8
        and _is_made_of(parts[2], _ALNUM + "+/=", 4096)
    )


def _is_rule(value: object) -> bool:
    return _is_made_of(value, _DIGITS + _LOWER.upper(), 3) and value[0].isalpha() and value[1:].isdigit()


def _is_change(value: object) -> bool:
    return isinstance(value, bool) or is_int(value, -1) or (isinstance(value, str) and value in words.VALUES)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _from(least: int) -> Check:
    return lambda value: is_int(value, least)


def _one_of(among: Collection[str]) -> Check:
    return lambda value: isinstance(value, str) and value in among


def _list_of(check: Check, most: int = words.MAX_IDS) -> Check:
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(check, value))


CHECKS: dict[str, Check] = {
    "oz0mem": _one_of((words.EVENT_FORMAT,)),
    "ledger": is_origin,
    "index": _from(0),
    "at": _is_moment,
    "action": _one_of(words.ACTIONS),
    "outcome": _one_of(words.OUTCOMES),
    "actor": _is_actor,
    "salt": _is_salt,
    # Versions and what they are of.
    **dict.fromkeys(("entry", "other", "over", "replaced_by", "job", "change", "approval", "link"), is_id),
    **dict.fromkeys(("commit", "reason_commit"), lambda value: is_handle(value, "c")),
    "version": _from(1),
    "kind": _one_of(kinds.KINDS),
    "state": _one_of(kinds.STATES),
    "tier": _one_of(kinds.TIERS),
    "scope_kind": _one_of(kinds.SCOPE_KINDS),
    "label": _one_of(agreements.LABELS),
    "link_state": _one_of(agreements.LINK_STATES),
    # Erasures and receipts.
    "subject": lambda value: is_handle(value, "s"),
    **dict.fromkeys(("n", "from_n"), _from(1)),
    **dict.fromkeys(("count", "through_n"), _from(0)),
    **dict.fromkeys(("prev", "through_index"), _from(-1)),
    "entries": _list_of(is_id),
    "basis": _one_of(words.BASES),
    "residue": _one_of(words.RESIDUES),
    "backups_until": lambda value: value == "none" or _is_date(value),
    "content": _is_flag,
    # Reading, refusals, upkeep, jobs.
    "versions": _list_of(_from(1)),
    "startup": _is_flag,
    "door": _one_of(words.DOORS),
    "function": _one_of(words.FUNCTIONS),
    "rule": _is_rule,
    **dict.fromkeys(("lapsed", "expired", "erased", "removed"), _from(0)),
    **dict.fromkeys(("findings_opened", "findings_closed", "held_back", "unlinked", "calls"), _from(0)),
    **dict.fromkeys(("agent", "purpose"), _is_name),
    "sees": _one_of(words.SEES),
    # Governance, keys.
    "what": _one_of(words.WHATS),
    "target": _is_target,
    "from": _is_change,
    "to": _is_change,
    "step": _one_of(words.STEPS),
    "solo": _is_flag,
    "generation": _from(1),
    "vkeys": _list_of(_is_vkey, most=8),
    "key": lambda value: _is_made_of(value, _HEX, 16) and len(value) == 16,
}
