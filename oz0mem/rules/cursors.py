"""The cursor by which an agent says how far it has read what changed (M26).

Promises that only a cursor that was given to this very reader is taken, and that it tells nothing of the ledger:
a position stands in it enciphered under a key of the tenant's. Leaves keeping bookmarks to the store.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING

from oz0mem.model.agreements import Bookmark
from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.model.actors import JobRecord

_CHECK = 16
_NUMBER = 8
_NUMBERS = _NUMBER * len(Bookmark._fields)
_HEX = frozenset("0123456789abcdef")


def reader(job: JobRecord, projects: Sequence[str], *, beside: Sequence[str] = ()) -> str:
    """Who reads, as one text: agent, purpose, person, projects and thread.

    Args:
        job: the job that asks.
        projects: those that it reaches.
        beside: compartments by which some of it may be withheld; what one side was not told another may be.
    """
    return json.dumps(
        [job.agent, job.purpose, job.person, sorted(projects), job.thread, *([list(beside)] if beside else [])]
    )


def write(key: bytes, who: str, bookmark: Bookmark) -> str:
    """The cursor of a position, for one reader.

    Args:
        key: the tenant's key of hashes.
        who: as ``reader`` says it.
        bookmark: the position.
    """
    plain = b"".join(number.to_bytes(_NUMBER, "big") for number in bookmark)
    check = _check(key, who, plain)
    return (check + _ciphered(key, check, plain)).hex()


def read(key: bytes, who: str, cursor: str) -> Bookmark:
    """The position that a cursor stands for.

    Raises:
        Invalid: ``changed.cursor`` where it is none of this reader's.
    """
    if len(cursor) == 2 * (_CHECK + _NUMBERS) and _HEX.issuperset(cursor):
        given = bytes.fromhex(cursor)
        check = given[:_CHECK]
        plain = _ciphered(key, check, given[_CHECK:])
        if hmac.compare_digest(check, _check(key, who, plain)):
            return Bookmark(*(int.from_bytes(plain[at : at + _NUMBER], "big") for at in range(0, _NUMBERS, _NUMBER)))
    raise Invalid(
        "changed.cursor",
        "that cursor was not given to this agent for this purpose, person and projects",
        hint="take it from the last answer, or leave it out to read on from the bookmark",
        rule="M26",
    )


def _check(key: bytes, who: str, plain: bytes) -> bytes:
    message = who.encode("utf-8", "surrogatepass") + b"\0" + plain
    return hashlib.blake2b(message, key=key[:64], digest_size=_CHECK, person=b"changed").digest()


def _ciphered(key: bytes, check: bytes, text: bytes) -> bytes:
    """A text under a stream that its own check chooses, or back again."""
    stream = hashlib.blake2b(check, key=key[:64], digest_size=_NUMBERS, person=b"changed stream").digest()
    return bytes(one ^ other for one, other in zip(text, stream, strict=True))
