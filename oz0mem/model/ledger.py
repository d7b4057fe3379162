"""What the ledger can say: actions, their fields, and the closed sets of words in them (L2).

Promises that everything an event may hold is listed here; an action or a field that is not cannot be written.
Leaves the pattern of each field to ``rules/event_fields.py``, and kinds, states and tiers to
``model/kinds.py``. A later action is one row in ``SCHEMAS``; a row that has been written once is never
changed but by an optional field.

How what happens is told:

- Every event that adds a version has ``entry``, ``version`` and ``commit`` (L3).
- An erasure is ``memory.forget_started``, then one closing event or several (L21): about a person with
  ``subject``, ``n`` and ``prev``, about work without the three. A reason given goes with the start, since
  receipts carry the closing events and have no field for it.
- An agent's proposal to retire adds no version, so its ``commit`` may be absent.
- Principals, tokens, agents' declarations and the tenant's own secrets are told as ``governance.changed``
  with ``what``, as settings are. ``step`` is absent where the change applied at once. ``commit`` commits to
  what stands behind the change and no enumeration says: the declaration, or the hash of the token.
- Who is told by handle. ``target`` is a handle where ``what`` is about a person (``PERSONAL``), else a
  configured name, a pair of names, or a scope.
- A call that waits for a person is ``approval.asked``, with a commitment to what it would write (G31); what it
  writes once it is approved names that approval.
- A refused call is ``plugin.records.refused``, the only action with the outcome ``refused``.
"""

from __future__ import annotations

EVENT_FORMAT = "event/1"
ENTRY_FORMAT = "entry/1"

MAX_EVENT_BYTES = 8 * 1024  # L10
MAX_IDS = 256  # L2
# 256 ids of 19 characters; so that ids, their versions and everything else stay below MAX_EVENT_BYTES.
MAX_ID_BYTES = MAX_IDS * 22
MAX_ORIGIN = 128


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OUTCOMES = _words("done refused failed")
ACTOR_KINDS = _words("person agent service system")

BASES = _words("request withdrawn-consent objection retention scim admin rectification")
RESIDUES = _words("none-found not-checked found")

DOORS = _words("cli python mcp http")
SEES = _words("person published")

# Functions and commands that can read or be refused, spelt as functions are.
FUNCTIONS = _words(
    """remember recall define supersede accept retire changed_since startup_context write
    list show history review confirm reject edit delete forget renew move link export import
    receipt verify settings person inventory principal login whoami agent job call run plugin policy secrets
    approvals changes hold findings upkeep audit apply stats doctor backup restore upgrade"""
)

# What a governance change is about. The first line is the settings of G14.
WHATS = _words(
    """default_days max_days max_records max_bytes compatible review retention_days four_eyes works_council
    apart recall_entries recall_chars scim_deactivate
    purpose basis purpose_basis person share policy hold agent plugin alias secret tenant
    principal role token"""
)
PERSONAL = _words("principal role token")
# ``from`` and ``to``, beside integers and booleans.
VALUES = _words(
    """absent present on off untrusted all proposals allow ask deny suspend forget
    admin reviewer member auditor host active disabled changed"""
)
STEPS = _words("proposed applied rejected withdrawn expired")

ENVELOPE = ("oz0mem", "ledger", "index", "at", "action", "outcome", "actor", "salt")

# Action: (fields that it has, fields that it may have).
_VERSION = "entry version commit "
_REASONED = "state tier reason_commit approval"
_CLOSING = "count entries basis residue backups_until"
_CHAIN = "subject n prev"
SCHEMAS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    action: (_words(required), _words(optional))
    for action, required, optional in (
        ("ledger.opened", "", "generation solo"),
        ("ledger.key_added", "vkeys", "key reason_commit"),
        ("ledger.key_retired", "vkeys", "key"),
        ("memory.remembered", _VERSION + "kind state tier", "scope_kind reason_commit approval"),
        ("memory.imported", _VERSION + "kind state tier", "scope_kind reason_commit"),
        ("memory.restored", _VERSION + "kind state tier", "scope_kind"),
        ("memory.confirmed", _VERSION, _REASONED),
        ("memory.accepted", _VERSION, _REASONED + " over"),
        ("memory.rejected", _VERSION, _REASONED),
        ("memory.edited", _VERSION, _REASONED),
        ("memory.replaced", _VERSION, _REASONED + " replaced_by"),
        ("memory.retired", _VERSION, _REASONED),
        ("memory.retire_proposed", "entry version", "commit " + _REASONED),
        ("memory.renewed", _VERSION, _REASONED),
        ("memory.restricted", _VERSION, _REASONED),
        ("memory.moved", _VERSION, _REASONED + " scope_kind"),
        ("memory.linked", "link entry other label link_state", "reason_commit"),
        ("approval.asked", "approval function commit", "tier"),
        ("approval.approved", "approval function", "reason_commit"),
        ("approval.denied", "approval function", "reason_commit"),
        ("memory.forget_started", "count entries", "subject basis reason_commit"),
        ("memory.forgotten", f"{_CLOSING} {_CHAIN}", ""),
        ("memory.deleted", _CLOSING, _CHAIN),
        ("memory.rewritten", _CLOSING + " commit", _CHAIN),
        ("memory.expired", _CLOSING, _CHAIN),
        ("memory.exported", "count", "subject content"),
        ("receipt.issued", "subject from_n through_n through_index", ""),
        ("plugin.records.read", "entries versions startup function", "door"),
        (
            "plugin.records.expired",
            "lapsed expired erased removed",
            "findings_opened findings_closed held_back unlinked calls",
        ),
        ("plugin.records.refused", "rule function", "door"),
        ("governance.changed", "what", "target from to purpose function step change commit reason_commit"),
        ("job.started", "job agent", "subject purpose sees"),
        ("job.read", "job tier", ""),
        ("job.ended", "job", ""),
    )
}
ACTIONS = frozenset(SCHEMAS)

ERASING = _words("memory.forgotten memory.deleted memory.rewritten memory.expired")
# Bodies that stay past the ledger's own retention whatever their age (L11); so does a living version's
# newest event.
NEVER_BLANKED = ERASING | {"ledger.opened", "ledger.key_added", "ledger.key_retired", "receipt.issued"}
