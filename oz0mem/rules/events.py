"""The events of the ledger: built by a closed schema, and read back by the same one (L2, L10).

Promises that nothing is built or read that ``model/ledger.py`` does not list: each field by its pattern, no
free text, no float, no null, at most 256 ids and 8 KiB. Leaves the patterns to ``rules/event_fields.py``, and
to others which action a change calls for, the transaction that writes it (L1), and the tree
over the leaves (``rules/merkle.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model import ledger as words
from oz0mem.rules import canonical, merkle
from oz0mem.rules.event_fields import CHECKS, is_handle, timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.model.told import Told


def build(
    action: str,
    *,
    ledger: str,
    index: int,
    at: int,
    outcome: str,
    actor: Mapping[str, object],
    salt: str,
    fields: Mapping[str, object],
) -> bytes:
    """Write one event.

    Args:
        action: one of ``model.ledger.ACTIONS``.
        ledger: the ledger's origin.
        index: the leaf's, from 0.
        at: microseconds since the epoch, UTC; written to the millisecond, cut and not rounded.
        outcome: ``done``, ``refused`` or ``failed``.
        actor: ``kind``, ``ref``, ``verified``.
        salt: 16 random bytes in base64url without padding, fresh for each event (L6).
        fields: what the action asks for; see ``model.ledger.SCHEMAS``.

    Returns:
        Canonical JSON, to be stored and hashed as it is.

    Raises:
        ValueError: an unknown action or field, a field against its pattern, or more than 8 KiB; a fault of
            the caller's. The sentence names the field, never its value.
    """
    event: dict[str, object] = {
        **fields,
        "oz0mem": words.EVENT_FORMAT,
        "ledger": ledger,
        "index": index,
        "at": timestamp(at),
        "action": action,
        "outcome": outcome,
        "actor": dict(actor),
        "salt": salt,
    }
    if len(event) != len(fields) + len(words.ENVELOPE):
        raise ValueError(f"event {action}: a field of every event is not the action's to give")
    _validate(event)
    data = canonical.encode(event)
    if len(data) > words.MAX_EVENT_BYTES:
        raise ValueError(f"event {action}: larger than {words.MAX_EVENT_BYTES} bytes")
    return data


def parse(data: bytes) -> dict[str, object]:
    """Read one stored event.

    Returns:
        Its members; ``at`` is text (``event_fields.moment`` makes microseconds of it).

    Raises:
        ValueError: where these are not the bytes that ``build`` would write for what they say.
    """
    import json

    if len(data) > words.MAX_EVENT_BYTES:
        raise ValueError(f"event: larger than {words.MAX_EVENT_BYTES} bytes")
    try:
        event = json.loads(data.decode())
    except RecursionError:
        raise ValueError("event: nested too deep") from None
    if not isinstance(event, dict):
        raise ValueError("event: not an object")
    _validate(event)
    # Covers white space, order, escapes and a key that stands twice.
    if canonical.encode(event) != data:
        raise ValueError("event: not canonical JSON")
    return event


def read(told: Told) -> dict[str, Any] | None:
    """Read an event as it stands in the ledger; None where its bytes are not those of its leaf, or no event."""
    if merkle.leaf_hash(told.body) != told.leaf:
        return None
    try:
        return parse(told.body)
    except ValueError:
        return None


def split(ids: Sequence[str], limit: int = words.MAX_IDS) -> list[Sequence[str]]:
    """Split ids over as many events as they need, in order, none left out (L2).

    A part ends at ``limit`` ids, or earlier where longer ids would take an event past 8 KiB. No ids make no
    part.
    """
    parts: list[Sequence[str]] = []
    begin = room = 0
    for at, each in enumerate(ids):
        if at == begin:
            room = words.MAX_ID_BYTES
        elif at - begin == limit or room < len(each) + 3:
            parts.append(ids[begin:at])
            begin, room = at, words.MAX_ID_BYTES
        room -= len(each) + 3  # two quotes and a comma
    if len(ids) > begin:
        parts.append(ids[begin:])
    return parts


def _validate(event: Mapping[str, object]) -> None:
    action = event.get("action")
    schema = words.SCHEMAS.get(action) if isinstance(action, str) else None
    if schema is None:
        raise ValueError("event: unknown action")
    required, optional = schema
    given = 0
    for name, value in event.items():
        if name in required or name in words.ENVELOPE:
            given += 1
        elif name not in optional:
            raise ValueError(f"event {action}: a field that this action does not have")
        if not CHECKS[name](value):
            raise ValueError(f"event {action}: {name!r} is not valid")
    if given != len(required) + len(words.ENVELOPE):
        raise ValueError(f"event {action}: a field is missing")
    if (action == "plugin.records.refused") != (event["outcome"] == "refused"):
        raise ValueError(f"event {action}: an outcome that this action does not have")
    broken = _broken_relation(event)
    if broken:
        raise ValueError(f"event {action}: {broken}")


def _broken_relation(event: Mapping[str, object]) -> str:
    """Name what does not hold between fields that are each valid; empty where all holds."""
    entries = event.get("entries")
    if isinstance(entries, list):
        if "count" in event and not event["count"] == len(entries) == len(set(entries)):
            return "'count' is not the number of different entries"
        versions = event.get("versions")
        if isinstance(versions, list) and len(versions) != len(entries):
            return "not one version for each of the entries"
    if event["action"] in words.ERASING and len(event.keys() & {"subject", "n", "prev"}) not in (0, 3):
        return "'subject', 'n' and 'prev' stand together"
    if "n" in event and (event["n"] == 1) != (event["prev"] == -1):
        return "'prev' is -1 for the first and for no other"
    if "through_n" in event and (event["through_n"] == 0) != (event["through_index"] == -1):
        return "'through_index' is -1 where nothing was erased, and only there"
    if event.get("what") in words.PERSONAL and not is_handle(event.get("target"), "as"):
        return "a person is named by handle"
    return ""
