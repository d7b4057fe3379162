"""What agents and people agree on: policy for calls, approvals, links between entries, bookmarks (G30, G31, M17, M26).

Promises the closed lists of words and plain values with names spelled. Leaves who may decide what to ``rules``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from oz0mem.model.moments import DAY

EFFECTS: Final = ("allow", "ask", "deny")
"""What a policy says of a call, mildest first (G30)."""
WRITE_GROUP: Final = "write"
GROUPED: Final = ("remember", "define", "supersede", "retire", "changed_since")
"""The functions that ``write`` stands for: all with a text or a bookmark, but accept (G30)."""
POLICED: Final = (WRITE_GROUP, *GROUPED, "accept")
"""What a rule of the policy may be about."""
DEFAULTS: Final = {WRITE_GROUP: "ask", "accept": "ask"}
"""The plugin's own rules, in force until an admin sets others (G30)."""

WAITING: Final = "waiting"
APPROVED: Final = "approved"
DENIED: Final = "denied"
LAPSED: Final = "lapsed"
APPROVAL_STATES: Final = (WAITING, APPROVED, DENIED, LAPSED)
"""Of an approval; ``lapsed`` is stored once upkeep took what it would have written."""

SUPPORTS: Final = "supports"
DERIVES_FROM: Final = "derives_from"
LABELS: Final = (SUPPORTS, "contradicts", DERIVES_FROM, "same_as", "depends_on", "answers")
"""What one entry may be to another (M17)."""
CONFIRMED: Final = "confirmed"
REJECTED: Final = "rejected"
LINK_STATES: Final = (WAITING, CONFIRMED, REJECTED)

WAITS_FOR: Final = 14 * DAY
"""How long a call waits for somebody, microseconds (G31)."""


class Rule(NamedTuple):
    """One rule of the policy: about what, for which agent ('' for all), its effect, who set it ('' for the plugin)."""

    what: str
    agent: str
    effect: str
    by: str
    at: int


class Approval(NamedTuple):
    """A call that waits for a person, or waited.

    Attributes:
        number: of its row.
        entry: number of the entry that the call would change, 0 for none.
        about: number of the person whom what it would write is about, 0 for work.
        agent: name of the agent that called.
        starter: name of who started its job.
        job: number of that job.
        at: when it was asked, microseconds UTC.
        decided: when somebody decided, 0 where nobody has.
        decider: name of who decided.
        event: index of the event that committed to the document.
        document: arguments, tier, what the job had read, compartments; {} once it is decided.
    """

    number: int
    id: str
    function: str
    entry: int
    about: int
    agent: str
    starter: str
    job: int
    state: str
    at: int
    decided: int
    decider: str
    event: int
    document: dict[str, Any]


class Link(NamedTuple):
    """A link from an entry to another, by their numbers and ids; ``event`` is the index of the last that told of it."""

    number: int
    id: str
    entry: int
    entry_id: str
    label: str
    other: int
    other_id: str
    state: str
    proposer: str
    decider: str
    at: int
    decided: int
    event: int = 0


class Bookmark(NamedTuple):
    """How far something was read: what the ledger had at the first reading, the next event, the last moment."""

    first: int
    event: int
    moment: int
