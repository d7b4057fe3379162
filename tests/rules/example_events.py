"""One good value for every field of an event, and a good event of every action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oz0mem.model import ledger as words
from oz0mem.rules import events

ACTOR = {"kind": "person", "ref": "a_" + "27" * 32, "verified": True}
SUBJECT, COMMIT, VKEY = "s_" + "f3" * 32, "c_" + "1d" * 32, "ledger.example/oz0mem+923b8316+AVIR1fhfsQVe"
CLOSING = {"count": 1, "entries": ["n-4be1906c22d1"], "basis": "request", "residue": "none-found"}

# One value that each field may have.
FIELDS: dict[str, Any] = {
    **CLOSING,
    "backups_until": "2026-11-02",
    "entry": "n-4be1906c22d1",
    "replaced_by": "n-4be1906c22d2",
    "over": "d-4be1906c22d3",
    "job": "j-4be1906c22d1",
    "change": "c-81d2906c22d1",
    "approval": "ap-4be1906c22d1",
    "link": "l-4be1906c22d1",
    "other": "n-4be1906c22d3",
    "label": "supports",
    "link_state": "confirmed",
    "commit": COMMIT,
    "reason_commit": COMMIT,
    "version": 1,
    "versions": [2],
    "kind": "note",
    "state": "active",
    "tier": "person",
    "scope_kind": "project",
    "subject": SUBJECT,
    "n": 2,
    "prev": 20,
    "from_n": 1,
    "through_n": 3,
    "through_index": 64,
    "content": True,
    "startup": False,
    "door": "cli",
    "function": "recall",
    "rule": "M5",
    "agent": "concierge",
    "purpose": "customer-support",
    "sees": "published",
    "what": "max_days",
    "target": "agent:concierge",
    "from": 365,
    "to": 730,
    "step": "proposed",
    "solo": True,
    "generation": 2,
    "vkeys": [VKEY],
    "key": "a688e1a83ec51d4c",
    **dict.fromkeys(("lapsed", "expired", "erased", "removed"), 3),
    **dict.fromkeys(("findings_opened", "findings_closed", "held_back", "unlinked", "calls"), 0),
}


def build(action: str, fields: Mapping[str, Any], **changed: Any) -> bytes:
    """Build an event that is good but for what is given."""
    outcome = "refused" if action == "plugin.records.refused" else "done"
    envelope: dict[str, Any] = {
        "ledger": "acme.example/oz0mem",
        "index": 78,
        "at": 1_790_845_200_123_456,
        "outcome": outcome,
        "actor": ACTOR,
        "salt": "nNUmatwd0Ntz9Fm5EYNpRg",
        **changed,
    }
    return events.build(action, fields=fields, **envelope)


def fields_of(action: str) -> dict[str, Any]:
    """Everything that an action has or may have."""
    required, optional = words.SCHEMAS[action]
    return {name: FIELDS[name] for name in sorted(required | optional)}
