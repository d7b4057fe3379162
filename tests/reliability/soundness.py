"""Whether a store is whole: the ledger's own check, and beside it what the rows of the tables owe each other.

Promises to look below the program's doors, with plain SQL, so that a row which no door shows is found too.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from oz0mem.actions import auditing
from oz0mem.store import mapping

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.store.engine import Store

CLOSING = ("memory.forgotten", "memory.deleted", "memory.rewritten", "memory.expired")
ACTIVE = mapping.STATES.index("active")
ERASED = mapping.STATES.index("erased")

NOTHING_HALF = {
    "a version without its event (L1)": "SELECT v.id FROM version v LEFT JOIN event e ON e.tenant = v.tenant"
    " AND e.idx = v.event AND e.entry = v.entry WHERE e.idx IS NULL",
    "an event without its version (L1)": "SELECT e.idx FROM event e LEFT JOIN version v"
    " ON v.tenant = e.tenant AND v.event = e.idx AND v.entry = e.entry WHERE e.entry > 0 AND v.entry IS NULL",
    "a version without its body (L22)": "SELECT v.id FROM version v LEFT JOIN body b ON b.tenant = v.tenant"
    f" AND b.num = v.body WHERE b.num IS NULL AND v.state <> {ERASED}",
    "a posting without its entry (R8)": "SELECT p.entry FROM posting p WHERE NOT EXISTS"
    " (SELECT 1 FROM version v WHERE v.tenant = p.tenant AND v.entry = p.entry AND v.newest = 1)"
    " AND NOT EXISTS (SELECT 1 FROM reason r WHERE r.tenant = p.tenant AND r.num = p.entry)",
    "a posting without its word (R8)": "SELECT p.word FROM posting p LEFT JOIN word_hash h"
    " ON h.tenant = p.tenant AND h.word = p.word WHERE h.word IS NULL",
    "an entry without a newest version": "SELECT entry FROM version GROUP BY tenant, entry"
    " HAVING sum(CASE WHEN newest > 0 THEN 1 ELSE 0 END) <> 1",
    "two in force with one key (M11)": "SELECT count(*) FROM version WHERE newest = 1 AND key_hash <> 0"
    f" AND state = {ACTIVE} GROUP BY tenant, key_hash, place, kind HAVING count(*) > 1",
    "a count of erasures that is not theirs (L21)": "SELECT h.open_erasures FROM head h"
    " WHERE h.open_erasures <> (SELECT count(*) FROM erasure e WHERE e.tenant = h.tenant)",
    "a note of what no erasure overwrote (L21)": "SELECT d.num FROM erased d LEFT JOIN erasure e"
    " ON e.tenant = d.tenant AND e.num = d.erasure WHERE e.num IS NULL",
    "a scope without its count (M7)": "SELECT v.scope FROM version v LEFT JOIN usage u ON u.tenant = v.tenant"
    " AND u.scope = v.scope WHERE v.scope > 0 AND u.scope IS NULL",
}
"""Each half with the question that finds it; no row is the good answer."""

OWNERS = {
    "version": "body",
    "name": "body",
    "subject": "key_body",
    "reason": "body",
    "call": "body",
    "job": "body",
    "job_read": "body",
    "agent": "body",
    "setting": "body",
    "hold": "body",
    "proposal": "reason",
    "approval": "body",
}
"""Which tables own bodies, by which column."""


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a question asked below the doors."""
    raw = store.connection()
    try:
        return [tuple(row) for row in raw.execute(sql).fetchall()]
    finally:
        store.back.rollback(raw)


def halves(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """What is half there, by what it is; empty where all is whole (Q10)."""
    found = {what: bad for what, sql in NOTHING_HALF.items() if (bad := rows(store, sql))}
    loose = _bodies_of_nobody(store)
    if loose:
        found["a body that nothing owns (L22)"] = loose
    return found


def _bodies_of_nobody(store: Store) -> list[tuple[Any, ...]]:
    owned = " UNION ALL ".join(f"SELECT tenant, {column} AS num FROM {table}" for table, column in OWNERS.items())
    left = rows(
        store,
        f"SELECT b.num, b.content FROM body b LEFT JOIN ({owned}) o ON o.tenant = b.tenant AND o.num = b.num"
        " WHERE o.num IS NULL",
    )
    return [(number,) for number, content in left if bytes(content).strip(b"\0")]


def events(store: Store) -> list[dict[str, Any]]:
    """Every event, in order."""
    return [json.loads(bytes(body)) for (body,) in rows(store, "SELECT body FROM event ORDER BY tenant, idx")]


def broken_chains(told: list[dict[str, Any]]) -> list[str]:
    """People whose erasing events do not run from 1 on, each naming the one before (L2)."""
    last: dict[str, tuple[int, int]] = {}
    broken = []
    for event in told:
        if event["action"] in CLOSING and "subject" in event:
            n, index = last.get(event["subject"], (0, -1))
            if (event["n"], event["prev"]) != (n + 1, index):
                broken.append(f"{event['subject'][:8]} at {event['index']}")
            last[event["subject"]] = (event["n"], event["index"])
    return broken


def unclosed(told: list[dict[str, Any]]) -> Counter[str]:
    """Ids that an erasure began with and no closing event names, counted; or the other way round (L21)."""
    begun = Counter(each for event in told if event["action"] == "memory.forget_started" for each in event["entries"])
    closed = Counter(each for event in told if event["action"] in CLOSING for each in event["entries"])
    return (begun - closed) + (closed - begun)


def assert_whole(ctx: Context, store: Store) -> None:
    """Q10: the ledger checks, contents and all, and nothing is half there."""
    checked = auditing.check(ctx, contents=True)
    assert checked.problems == []
    assert halves(store) == {}
    assert broken_chains(events(store)) == []


def is_open(store: Store) -> bool:
    """Whether an erasure waits to be closed (L21)."""
    return bool(rows(store, "SELECT num FROM erasure"))


def spoken(store: Store) -> list[tuple[str, ...]]:
    """What the store holds, without ids and moments: two runs of one deed make the same (sorted)."""

    def look(desk: Any) -> list[tuple[str, ...]]:
        entries = desk.entries.load(desk.listing.all_rows(10_000))
        return sorted(
            (
                each.text,
                each.state,
                each.scope,
                each.about,
                each.key,
                each.tier,
                str(each.version),
                str(each.ends),
            )
            for each in entries
        )

    return store.read(0, look)
