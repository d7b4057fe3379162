"""Canonical JSON: one byte string for one value (L10).

Promises the bytes of RFC 8785 (JCS) for objects, arrays, strings, integers and booleans, and refuses
everything whose canonical form two programs could disagree about: floats, null, integers past 2**53 - 1, lone
surrogates. Leaves to others what the members mean (``rules/events.py``, ``rules/record.py``). ``json`` is
imported at the first call, since importing this module must cost nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 32


def encode(value: object) -> bytes:
    """Write a value as canonical JSON.

    Args:
        value: dict, list, str, int or bool, at most 32 deep; keys are strings, integers -1 to 2**53 - 1.

    Returns:
        UTF-8 without white space, keys sorted by UTF-16 code units (RFC 8785, section 3.2.3).

    Raises:
        ValueError: where a value has no agreed canonical form. The sentence never repeats a string of the
            value.
    """
    plain = _inspect(value, MAX_DEPTH)
    return _utf8(_dump(plain)(value if plain else _arrange(value)))


def _inspect(value: object, depth: int) -> bool:
    """Refuse what cannot be written; tell whether every key is ASCII, so that plain sorting is right."""
    # A boolean is an integer to Python, so it comes first.
    if isinstance(value, str) or value is True or value is False:
        return True
    if isinstance(value, int):
        if not -1 <= value <= MAX_INTEGER:
            raise ValueError("canonical JSON: an integer outside -1 to 2**53 - 1")
        return True
    if depth == 0:
        raise ValueError(f"canonical JSON: nested deeper than {MAX_DEPTH}")
    if isinstance(value, dict):
        plain = True
        for key, member in value.items():
            if not isinstance(key, str):
                raise ValueError(f"canonical JSON: a key of type {type(key).__name__}")
            plain = _inspect(member, depth - 1) and key.isascii() and plain
        return plain
    if isinstance(value, list):
        plain = True
        for member in value:
            plain = _inspect(member, depth - 1) and plain
        return plain
    raise ValueError(f"canonical JSON: a value of type {type(value).__name__}")


def _arrange(value: object) -> object:
    """Rebuild a value with its keys in UTF-16 order, which differs from Python's above U+FFFF."""
    if isinstance(value, dict):
        return {key: _arrange(value[key]) for key in sorted(value, key=_units)}
    if isinstance(value, list):
        return [_arrange(member) for member in value]
    return value


def _units(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


@cache
def _dump(sort: bool) -> Callable[[object], str]:
    from json import JSONEncoder

    return JSONEncoder(
        ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=sort, separators=(",", ":")
    ).encode


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        pass
    # Raised outside the handler: the codec's error carries the whole text.
    raise ValueError("canonical JSON: a lone surrogate in a string")
