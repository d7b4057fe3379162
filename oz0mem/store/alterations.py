"""Contents altered a little, as functions of SQL on a copy of a store (``doctor --prove``).

Promises another content of the same sort for each. Leaves what is altered to ``damage``.
"""

from __future__ import annotations

from oz0mem.store import mapping


def flipped(content: bytes) -> bytes:
    """Bytes with one bit of the one in the middle turned."""
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def reworded(content: bytes | str, field: str) -> bytes:
    """A content with a full stop more in one of its texts."""
    document = mapping.parse(content if isinstance(content, bytes) else content.encode())
    return mapping.dump({**document, field: f"{document.get(field, '')}."})


def reset(content: bytes) -> bytes:
    """A setting's content with another value."""
    value: object = mapping.parse(content).get("value")
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value += 1
    elif isinstance(value, list):
        value = value[1:] or [["support", "sales"]]
    else:
        value = f"{value}."
    return mapping.dump({"value": value})
