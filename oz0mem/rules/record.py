"""The canonical record of one version, and what commits to it without telling it (L3, L4, L5, L8).

Promises that two versions which differ in anything recorded have different records, and that what stands in
the ledger is a keyed hash of 256 bits which says nothing once its key is gone. Leaves the keys to others: 32
random bytes a version beside its text, and the erasable rows of subjects, actors and reasons.
"""

from __future__ import annotations

from hmac import digest
from typing import TYPE_CHECKING

from oz0mem.model.ledger import ENTRY_FORMAT
from oz0mem.model.names import nfc
from oz0mem.rules import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY_BYTES = 32

_TEXT, _INTEGER, _FLAG, _SET, _LIST, _MAP = range(6)
# In the order of their meaning (L8); a later field joins at the end and is absent from older versions.
_FIELDS = {
    "id": _TEXT,
    "v": _INTEGER,
    "kind": _TEXT,
    "scope": _TEXT,
    "about": _TEXT,
    "text": _TEXT,
    "key": _TEXT,
    "term": _TEXT,
    "tags": _SET,
    "tier": _TEXT,
    "state": _TEXT,
    "restricted": _FLAG,
    "held_because": _TEXT,
    "read": _LIST,
    "purpose": _TEXT,
    "compartments": _SET,
    "agent": _TEXT,
    "plugin": _TEXT,
    "job": _TEXT,
    "by": _TEXT,
    "source": _MAP,
    "origin": _TEXT,
    "core": _FLAG,
    "created": _INTEGER,
    "counted_from": _INTEGER,
    "at": _INTEGER,
    "ends": _INTEGER,
    "valid_from": _INTEGER,
    "valid_until": _INTEGER,
    "replaces": _TEXT,
    "replaced_by": _TEXT,
    "ended_at": _INTEGER,
}
_REQUIRED = ("id", "v", "kind", "scope", "about", "state", "at")
_TYPES: dict[int, type | tuple[type, ...]] = {
    _TEXT: str,
    _INTEGER: int,
    _FLAG: int,
    _SET: (list, tuple, frozenset),
    _LIST: (list, tuple),
    _MAP: dict,
}


def encode(ledger: str, row: Mapping[str, object]) -> bytes:
    """Write the canonical record of a version (L8).

    Left out is what is absent (None, an empty text or list, 0, false) and ``about`` where it is ``work``.
    Each field has one absent value only, so that leaving it out loses nothing. Tags and compartments are
    sorted by code point, what was read stays in its order, empty members of the source are left out.

    Args:
        ledger: the ledger's origin.
        row: fields by their name in the record; times in microseconds since the epoch, flags as booleans or 0
            and 1.

    Returns:
        Canonical JSON; what ``commit`` is made over.

    Raises:
        ValueError: an unknown field, a required one that is absent, or a value of another type; a fault of
            the caller's. The sentence names the field, never its value.
    """
    record: dict[str, object] = {"oz0mem": ENTRY_FORMAT, "ledger": ledger}
    for name, value in row.items():
        shape = _FIELDS.get(name)
        if shape is None:
            raise ValueError("record: an unknown field")
        present = _shaped(name, shape, value) if value else None
        if present:
            record[name] = present
    for name in _REQUIRED:
        if name not in record:
            raise ValueError(f"record: {name!r} is missing")
    if record["about"] == "work":
        del record["about"]
    return canonical.encode(record)


def commit(version_key: bytes, record: bytes) -> str:
    """Commit to a version's record by its key: meaningless once the key is erased (L3).

    Raises:
        ValueError: where the key has not 32 bytes.
    """
    return "c_" + _keyed(version_key, b"oz0mem/entry/1\0" + record)


def subject_handle(subject_key: bytes, origin: str, name: str) -> str:
    """Name a person in the ledger without naming them (L4).

    Args:
        subject_key: the person's 32 random bytes.
        origin: the ledger's.
        name: the subject id, in any form of Unicode.

    Raises:
        ValueError: where the key has not 32 bytes.
    """
    return "s_" + _keyed(subject_key, f"oz0mem/subject/1\0{origin}\0{nfc(name)}".encode())


def actor_handle(actor_key: bytes, origin: str, name: str) -> str:
    """Name who acted, as ``subject_handle`` does, under a key and a label of their own (L4).

    One person's two handles have nothing in common, even under one key.

    Raises:
        ValueError: where the key has not 32 bytes.
    """
    return "a_" + _keyed(actor_key, f"oz0mem/actor/1\0{origin}\0{nfc(name)}".encode())


def reason_commit(key: bytes, reason: str) -> str:
    """Commit to a reason in words, which stands in an erasable row with its key (L5).

    Raises:
        ValueError: where the key has not 32 bytes.
    """
    return "c_" + _keyed(key, b"oz0mem/reason/1\0" + nfc(reason).encode())


def declaration_commit(key: bytes, document: Mapping[str, object]) -> str:
    """Commit to an agent's declaration, by 32 random bytes that are kept beside it as a version's are.

    Raises:
        ValueError: where the key has not 32 bytes, or the document no canonical form.
    """
    return "c_" + _keyed(key, b"oz0mem/agent/1\0" + canonical.encode(document))


def approval_commit(key: bytes, document: Mapping[str, object]) -> str:
    """Commit to a call that waits for a person: what it would write, without the key that is kept beside it (G31).

    Raises:
        ValueError: where the key has not 32 bytes, or the document no canonical form.
    """
    plain = {name: value for name, value in document.items() if name != "k"}
    return "c_" + _keyed(key, b"oz0mem/approval/1\0" + canonical.encode(plain))


def token_commit(key: bytes, digest: bytes) -> str:
    """Commit to a token by its hash; no guess opens it, since a token is 32 random bytes itself.

    Raises:
        ValueError: where the key has not 32 bytes.
    """
    return "c_" + _keyed(key, b"oz0mem/token/1\0" + digest)


def _keyed(key: bytes, message: bytes) -> str:
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes")
    return digest(key, message, "sha256").hex()


def _shaped(name: str, shape: int, value: object) -> object:
    """Answer a present value as the record has it."""
    if not isinstance(value, _TYPES[shape]) or (shape == _INTEGER and value is True):
        raise ValueError(f"record: {name!r} is not of its type")
    if shape == _FLAG:
        if value != 1:
            raise ValueError(f"record: {name!r} is neither true nor false")
        return True
    if isinstance(value, dict):
        return {key: member for key, member in value.items() if member}
    if isinstance(value, (list, tuple, frozenset)):
        return sorted(value) if shape == _SET else list(value)
    return value
