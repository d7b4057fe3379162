"""Which keys a ledger's heads may be signed with: each later one by the word of the one before it (L13).

Promises that a key counts only where a head is signed by it and by the key before it, so that whoever can write into
the store, and has no seeds, adds none and retires none. What claims otherwise is told. Leaves seeds and signing to
others; the first key is taken as the ledger has it, and known to the world by the key file that was handed out first.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.model.heads import PublicKey
from oz0mem.rules import events

if TYPE_CHECKING:
    from oz0mem.actions.ports import Desk

_MOST = 1_000
"""Keys of one ledger that are looked at: one a day for years."""
_NEAR = 5
"""Heads after a key's adding of which one is signed by both."""


class Lineage(NamedTuple):
    """The keys of a ledger.

    Attributes:
        keys: those that count, oldest first, with the sizes of heads that they sign.
        pending: those that were added and are not signed for yet: one amid a rotation, or somebody else's.
        wrong: events of keys that never count, with what is wrong with each.
    """

    keys: list[PublicKey]
    pending: list[PublicKey]
    wrong: list[tuple[int, str]]

    @property
    def in_force(self) -> list[PublicKey]:
        """The keys that count and are not retired."""
        return [key for key in self.keys if key.until < 0]


def read(desk: Desk) -> Lineage:
    """Read the lineage off the ledger.

    The first key signs from the beginning; each later one from the head that has its adding; a retired one up to
    the head before its retiring.
    """
    found = Lineage([], [], [])
    for index, event in _events(desk, "ledger.key_added"):
        _add(desk, found, index, tuple(event["vkeys"]))
    for index, event in _events(desk, "ledger.key_retired"):
        _retire(found, index, str(event.get("key", "")))
    return found


def _add(desk: Desk, found: Lineage, index: int, vkeys: tuple[str, ...]) -> None:
    from oz0mem import verify

    key = PublicKey(verify.key_id(vkeys), vkeys, index + 1 if found.keys else 0)
    if not _is_key(desk.head.origin, key.id, vkeys):
        found.wrong.append((index, f"event {index} adds a key that no verifier takes"))
    elif any(key.id == known.id for known in (*found.keys, *found.pending)):
        found.wrong.append((index, f"event {index} adds key {key.id} once more"))
    elif not found.keys or _is_followed(desk, found.keys[-1], key, index):
        found.keys.append(key)
    else:
        found.pending.append(key)


def _retire(found: Lineage, index: int, key_id: str) -> None:
    at = next((at for at, key in enumerate(found.keys) if key.id == key_id and key.until < 0), -1)
    if at < 0 or at + 1 >= len(found.keys) or found.keys[at + 1].start > index:
        found.wrong.append((index, f"event {index} retires a key that has no successor"))
    else:
        found.keys[at] = found.keys[at]._replace(until=index)


def _events(desk: Desk, action: str) -> list[tuple[int, dict[str, Any]]]:
    """The events of one action that are as they were written, oldest first."""
    found: list[tuple[int, dict[str, Any]]] = []
    for told in reversed(desk.ledger.latest(before=desk.head.size, limit=_MOST, action=action)):
        event = events.read(told)
        if event is not None and event["action"] == action:
            found.append((told.at, event))
    return found


def _is_followed(desk: Desk, old: PublicKey, new: PublicKey, index: int) -> bool:
    """Whether one of the next heads is signed by both keys."""
    return any(
        _is_signed_by(each.note, desk.head.origin, (*old.vkeys, *new.vkeys))
        for each in desk.heads.page(index, _NEAR)
        if each.note
    )


@lru_cache(maxsize=1_024)
def _is_signed_by(note: str, origin: str, vkeys: tuple[str, ...]) -> bool:
    """Whether a note is a head of a ledger that each of these verifier keys signed."""
    from oz0mem import verify

    try:
        head, (body, lines) = verify.read_head(note), verify.read_note(note)
        signed = {(name, hash4): signature for name, hash4, signature in lines}
        for vkey in map(verify.read_vkey, vkeys):
            verify.check_signature(vkey, signed[vkey[:2]], body.encode(), head)
    except (verify.Unverified, KeyError):
        return False
    return bool(head.origin == origin)


@lru_cache(maxsize=1_024)
def _is_key(origin: str, key_id: str, vkeys: tuple[str, ...]) -> bool:
    """Whether every verifier would take a key; somebody with the store's file could write anything into an event."""
    from oz0mem import verify

    key = {"id": key_id, "vkeys": list(vkeys), "from": 0, "until": -1}
    try:
        verify.read_keys(json.dumps({"oz0mem": "keys/1", "ledger": origin, "keys": [key]}).encode())
    except verify.Unverified:
        return False
    return True
