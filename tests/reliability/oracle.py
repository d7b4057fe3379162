"""What a job may read and change, worked out anew from the words of the rules (M20 to M25, G30).

Promises to share no code with the program but its constants and its values, so that a fault in one is none in the
other. Leaves what happened to ``justice`` and the deeds to ``test_team``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.moments import DAY, HOUR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oz0mem.actions.context import Context
    from oz0mem.model.entries import Entry
    from tests.actions.world import World

PROPOSALS = ("decision", "definition", "rule")
LEARNED = ("semantic", "episodic", "procedural")
TIERS = ("person", "published", "unreviewed")
"""From the most to the least trusted."""
GROUPED = ("remember", "define", "supersede", "retire", "changed_since")
STRICT = ("allow", "ask", "deny")
SCOPES = {"concierge": ("web",), "decider": ("shop", "web/checkout")}
"""Agents and the projects that they are declared for."""


@dataclass
class Run:
    """One job as the oracle knows it: how it was started, and what it has read since."""

    ctx: Context
    agent: str
    purpose: str
    starter: str
    about: str
    thread: str
    sees: str
    first: set[str]
    job: str = ""
    began: int = 0
    tier: str = "unreviewed"
    compartments: set[str] = field(default_factory=set)
    startup: list[tuple[str, int]] | None = None

    @property
    def person(self) -> str:
        """Whom it may be about."""
        return self.about or self.starter

    def over(self, now: int) -> bool:
        """Whether its token acts no more."""
        return now >= self.began + 24 * HOUR


class Law(NamedTuple):
    """What was set for the tenant."""

    compatible: bool
    apart: bool
    review: str


class Scene(NamedTuple):
    """Everything stored: newest versions by id, all versions, approvals and links as rows."""

    newest: dict[str, Entry]
    versions: dict[tuple[str, int], Entry]
    agreed: tuple[tuple[object, ...], ...]
    now: int


def look(world: World) -> Scene:
    """The store as it is now."""
    from tests.actions.evidence import run_sql

    loaded = world.store.read(world.now, lambda desk: desk.entries.load(desk.listing.all_rows(10_000)))
    agreed = [
        *run_sql(world, "SELECT 1, id, state, decided FROM approval ORDER BY id"),
        *run_sql(world, "SELECT 2, id, state, decided FROM link ORDER BY id"),
        *run_sql(world, "SELECT 3, entry, v, 0 FROM proposal ORDER BY entry, v"),
    ]
    return Scene(
        {entry.id: entry for entry in loaded if entry.numbers.newest},
        {(entry.id, entry.version): entry for entry in loaded},
        tuple(agreed),
        world.now,
    )


def is_apart(law: Law, ours: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether the wall between legal and sales stands between two sets (M25)."""
    one, two = set(ours), set(theirs)
    return law.apart and (("legal" in one and "sales" in two) or ("sales" in one and "legal" in two))


def in_reach(run: Run, law: Law, entry: Entry) -> bool:
    """Whether an entry lies where a job reads: scope, person and purpose (M20, M21)."""
    own = [run.purpose, *(["support"] if law.compatible and run.purpose == "billing" else [])]
    if entry.about != "work" and (entry.about != run.person or entry.purpose not in own):
        return False
    if entry.about == "work" and entry.purpose not in (*own, ""):
        return False
    kind, _, name = entry.scope.partition(":")
    if kind == "project":
        below = any(name == each or name.startswith(each + "/") for each in SCOPES[run.agent])
        above = any(each.startswith(name + "/") for each in SCOPES[run.agent])
        return below or (above and entry.kind == "rule" and entry.about == "work")
    return entry.scope in ("tenant", f"agent:{run.agent}") or (
        bool(run.thread) and entry.scope == f"thread:{run.thread}"
    )


def in_force(entry: Entry, now: int) -> bool:
    """Whether it is recalled at all (M22)."""
    inside = (not entry.valid_from or entry.valid_from <= now) and (not entry.valid_until or now < entry.valid_until)
    return entry.state == "active" and now < entry.ends and inside and not entry.restricted


def is_over(entry: Entry, now: int) -> bool:
    """Whether nobody is shown it any more: about a person and past its end (M31)."""
    return entry.about != "work" and entry.ends <= now


def waits(entry: Entry, now: int) -> bool:
    """Whether a held entry can still be decided about (M31)."""
    late = entry.kind not in PROPOSALS and now >= entry.counted_from + 14 * DAY
    return entry.state == "held" and now < entry.ends and not late


def recalled(run: Run, law: Law, scene: Scene) -> set[str]:
    """The ids that a job may be shown by recall, walls apart."""
    return {entry.id for entry in scene.newest.values() if in_reach(run, law, entry) and in_force(entry, scene.now)}


def may_name(run: Run, law: Law, entry: Entry, now: int) -> bool:
    """Whether a job may so much as hear that an entry is there, by naming it for a change (M13, M20, M22, M25)."""
    if entry.state == "erased" or is_over(entry, now) or not in_reach(run, law, entry):
        return False
    if is_apart(law, run.compartments, entry.compartments):
        return False
    if entry.state == "held":
        return waits(entry, now) and (entry.kind in PROPOSALS or entry.agent == run.agent)
    if entry.state == "replaced":
        return not entry.held or entry.kind in PROPOSALS or entry.agent == run.agent
    return entry.state == "active" or entry.agent == run.agent


def effect(rules: dict[tuple[str, str], str], function: str, agent: str, *, learned: bool = False) -> str:
    """What the policy does with a call (G30), of rules that admins set by (function, agent)."""
    own = {} if learned else {("write", ""): "ask", ("accept", ""): "ask"}
    fit = [
        ((whom != "") + (what != "write"), STRICT.index(done), done)
        for (what, whom), done in {**own, **rules}.items()
        if whom in ("", agent) and (what == function or (what == "write" and function in GROUPED))
    ]
    return max(fit)[2] if fit else "allow"


def show(run: Run, shown: Iterable[Entry], stood_for: set[tuple[str, str]]) -> None:
    """Let a job have read entries (M24): its compartments grow, its tier falls, unless a person stands for a text."""
    for entry in shown:
        run.compartments |= set(entry.compartments)
        by_person = (entry.id, entry.text) in stood_for or (entry.origin == "person" and entry.tier == "person")
        if not by_person and TIERS.index(entry.tier) > TIERS.index(run.tier):
            run.tier = entry.tier


def is_live(entry: Entry) -> bool:
    """In force, or waiting for that."""
    return entry.state in ("active", "held")


def is_held(entry: Entry) -> bool:
    """Waiting for somebody."""
    return entry.state == "held"


def is_proposed(entry: Entry) -> bool:
    """Waiting for `accept`."""
    return entry.state == "held" and entry.kind in PROPOSALS
