"""The words that an entry is told by: its kind, state, tier, origin and the kind of its scope.

Promises the closed lists and what each kind brings with it (the table of kinds). Plain strings and rows,
no enumerations: they are compared on the hot path and stored as they are. Leaves what may follow what to
`rules.lifecycle`, and how long an entry stays to `rules.ends`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

NOTE: Final = "note"
DECISION: Final = "decision"
DEFINITION: Final = "definition"
RULE: Final = "rule"
EPISODIC: Final = "episodic"
SEMANTIC: Final = "semantic"
PROCEDURAL: Final = "procedural"

NEW: Final = "new"
"""Before the first version; never stored."""
HELD: Final = "held"
ACTIVE: Final = "active"
REPLACED: Final = "replaced"
RETIRED: Final = "retired"
REJECTED: Final = "rejected"
ERASED: Final = "erased"
STATES: Final = (HELD, ACTIVE, REPLACED, RETIRED, REJECTED, ERASED)

ENDED: Final = "ended"
LAPSED: Final = "lapsed"
VIEWS: Final = (ENDED, LAPSED)
"""Views of the clock: shown beside the states, never stored."""

PERSON: Final = "person"
PUBLISHED: Final = "published"
UNREVIEWED: Final = "unreviewed"
TIERS: Final = (PERSON, PUBLISHED, UNREVIEWED)
"""Most trusted first."""

ORIGINS: Final = ("agent", "person", "sync", "chat", "import")

AGENT: Final = "agent"
PROJECT: Final = "project"
THREAD: Final = "thread"
TENANT: Final = "tenant"
SCOPE_KINDS: Final = (AGENT, PROJECT, THREAD, TENANT)


class Kind(NamedTuple):
    """What a kind of entry brings with it."""

    prefix: str
    """First letter of its ids."""
    learned: bool
    """Off until the agent's declaration turns it on, and limited by its retention (M6)."""
    proposal: bool
    """Enters held, until a person accepts it (M14)."""
    scope: str
    """Kind of scope that an entry about work gets by default; a rule's project only where the job has one."""


KINDS: Final = {
    NOTE: Kind("n", learned=False, proposal=False, scope=AGENT),
    DECISION: Kind("d", learned=False, proposal=True, scope=TENANT),
    DEFINITION: Kind("t", learned=False, proposal=True, scope=TENANT),
    RULE: Kind("r", learned=False, proposal=True, scope=PROJECT),
    EPISODIC: Kind("m", learned=True, proposal=False, scope=AGENT),
    SEMANTIC: Kind("m", learned=True, proposal=False, scope=AGENT),
    PROCEDURAL: Kind("m", learned=True, proposal=False, scope=AGENT),
}

LEARNED: Final = tuple(name for name, kind in KINDS.items() if kind.learned)
PROPOSALS: Final = tuple(name for name, kind in KINDS.items() if kind.proposal)
PREFIXES: Final = "".join(dict.fromkeys(kind.prefix for kind in KINDS.values()))


def lower(a: str, b: str) -> str:
    """The less trusted of two tiers: what was learnt from both deserves no more (M24)."""
    return max(a, b, key=TIERS.index)
