"""A version written: its event, its words, its count, in one transaction (L1, L3, M7).

Promises that no version is without an event that commits to it, and that caps can be checked before anything is
written (M16). Leaves what a version replaces to ``replacing``, and whether the caller may to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model import entries as model
from oz0mem.model.errors import Refused
from oz0mem.model.kinds import ACTIVE, HELD, KINDS
from oz0mem.model.names import OF_SCOPE, check_scope
from oz0mem.rules import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings

_OF_EVENT = ("reason_commit", "approval", "over")
_TELLS_KIND = ("memory.remembered", "memory.imported", "memory.restored")


def fresh_id(desk: Desk, kind: str) -> str:
    """An id that says nothing of its content: the kind's prefix and 12 random hex digits."""
    while True:
        made = f"{KINDS[kind].prefix}-{desk.random(6).hex()}"
        if not desk.entries.has_id(made):
            return made


def write_first(
    desk: Desk, entry: Entry, actor: Mapping[str, Any], action: str = "memory.remembered", **fields: Any
) -> Entry:
    """Write the first version of a new entry.

    Args:
        desk: the transaction.
        entry: without id, version, key and times of writing, which it gets here.
        actor: who is told to have written it.
        action: the event's.
        fields: more of the event's.
    """
    first = entry._replace(
        id=fresh_id(desk, entry.kind),
        version=1,
        secret=desk.random(32),
        created=entry.created or desk.now,
        counted_from=desk.now,
        at=desk.now,
    )
    return _write(desk, first, actor, action, fields, number=0)


def write_next(desk: Desk, previous: Entry, actor: Mapping[str, Any], action: str, **changes: Any) -> Entry:
    """Write the next version of an entry; reason and approval go to the event, all else to the version."""
    fields = {name: changes.pop(name) for name in _OF_EVENT if name in changes}
    entry = previous._replace(**changes, version=previous.version + 1, secret=desk.random(32), at=desk.now)
    return _write(desk, entry, actor, action, fields, number=previous.numbers.entry, previous=previous)


def _write(
    desk: Desk,
    entry: Entry,
    actor: Mapping[str, Any],
    action: str,
    fields: Mapping[str, Any],
    *,
    number: int,
    previous: Entry | None = None,
) -> Entry:
    from oz0mem.rules.words import content_words, index_words

    committed = record.commit(entry.secret, record.encode(desk.head.origin, model.record_of(entry)))
    told = {
        "entry": entry.id,
        "version": entry.version,
        "commit": committed,
        "state": entry.state,
        "tier": entry.tier,
    }
    if action in _TELLS_KIND:
        told["kind"] = entry.kind
        told["scope_kind"] = check_scope(entry.scope)[0]
    same_words = previous is not None and previous.text == entry.text
    counts = {} if same_words else index_words(entry.text)
    if previous is not None and same_words:
        words, content = previous.numbers.words, previous.numbers.content_words
    else:
        words, content = sum(counts.values()), len(content_words(entry.text))
    event = desk.head.size
    stored = desk.entries.add(entry, event=event, words=words, content_words=content, number=number)
    desk.ledger.append(action, actor, {**told, **fields}, entry=stored.numbers.entry)
    if previous is None:
        desk.words.put(stored.numbers.entry, stored.numbers.place, counts)
    desk.entries.use(stored.numbers.scope, 0 if number else 1, stored.numbers.bytes)
    return stored


def put_words(desk: Desk, entry: Entry) -> None:
    """Write the postings of an entry's newest text, after the old ones were taken."""
    from oz0mem.rules.words import index_words

    desk.words.put(entry.numbers.entry, entry.numbers.place, index_words(entry.text))


def in_force_from(desk: Desk, entry: Entry) -> int:
    """When a fact came into force: as it says itself, else when it became active, else when it was written."""
    if entry.valid_from:
        return entry.valid_from
    if entry.version == 1:
        return entry.created
    told = desk.entries.versions(entry.numbers.entry)
    if told[0].state != HELD:
        return entry.created
    return next((each.at for each in told if each.state == ACTIVE), entry.created)


def check_caps(desk: Desk, settings: Settings, scope: str, entries: int, size: int) -> None:
    """Refuse what would take a scope past a cap (M7).

    Args:
        desk: the transaction.
        settings: the tenant's.
        scope: where it would go.
        entries: how many new entries.
        size: bytes of text that the new versions add.

    Raises:
        Refused: ``memory.cap`` with the cap and the count.
    """
    number = desk.names.find(OF_SCOPE, scope)
    have, have_bytes = desk.entries.used(number) if number else (0, 0)
    for name, cap, used, more, unit in (
        ("max_records", settings.max_records, have, entries, "entries"),
        ("max_bytes", settings.max_bytes, have_bytes, size, "bytes of text"),
    ):
        if more and used + more > cap:
            raise Refused(
                "memory.cap",
                f"the scope holds {used:,} of at most {cap:,} {unit}, and this would add {more:,}; nothing was written",
                hint="delete or let go what is not needed, or raise it:"
                f" oz0mem settings set --{name.replace('_', '-')} N",
                rule="M7",
                cap=cap,
                count=used,
                setting=name,
            )
