"""What the ledger is told beside changes: what was shown, what was refused, why (L1, L5, M28).

Promises that a text is recorded before it is shown, by id and version, never by text or query. Leaves the
events of changes to the actions that make them.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from oz0mem.actions.context import Caller, actor
from oz0mem.model.ledger import MAX_IDS
from oz0mem.rules import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry


def tell_read(
    desk: Desk, caller: Caller, shown: Sequence[Entry], function: str, door: str, *, startup: bool = False
) -> None:
    """Record that texts are about to be shown (M28); at most 256 ids an event, none left out.

    Args:
        desk: the transaction that records; it commits before anything is shown.
        caller: who is shown them.
        shown: the entries, each at the version shown.
        function: what was called.
        door: which door.
        startup: whether it is what an agent starts with.
    """
    ids = [(entry.id, entry.version) for entry in shown]
    tell_shown(desk, caller, ids, function, door, startup=startup)


def tell_shown(
    desk: Desk, caller: Caller, shown: Sequence[tuple[str, int]], function: str, door: str, *, startup: bool = False
) -> None:
    """As ``tell_read``, by ids and versions: what waits for a person is shown too, and is no entry yet."""
    for start in range(0, len(shown), MAX_IDS):
        part = shown[start : start + MAX_IDS]
        desk.ledger.append(
            "plugin.records.read",
            actor(desk, caller),
            {
                "entries": [each for each, _ in part],
                "versions": [version for _, version in part],
                "startup": startup,
                "function": function,
                "door": door,
            },
        )


def reasoned(desk: Desk, reason: str, *, about: str = "work", entry: int = 0) -> dict[str, str]:
    """The field of an event that commits to a reason in words (L5); {} where none was given."""
    from oz0mem.model.names import OF_PERSON

    if not reason:
        return {}
    person = 0 if about == "work" else desk.names.ensure(OF_PERSON, about)
    return dict([desk.reasons.put(reason, about=person, entry=entry)])


def committed_token(desk: Desk, digest: bytes) -> str:
    """What an event says of a token, by its hash; the key is the tenant's, since rows have no place for one."""
    key = hashlib.blake2b(b"tokens", key=desk.head.hash_key, digest_size=record.KEY_BYTES).digest()
    return record.token_commit(key, digest)
