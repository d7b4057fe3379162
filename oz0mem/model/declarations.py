"""What an agent is declared to be: what it keeps, for how long, and what it may call.

Promises one frozen value for Quilzo's fields and oz0's, and the plain document that is stored and shown.
Periods are whole microseconds inside and Go's text (``720h0m0s``) outside. Leaves the judgement of a
document that somebody wrote to `oz0mem.rules.declarations`: `from_document` takes only what was judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.kinds import LEARNED
from oz0mem.model.moments import HOUR, SECOND, parse_duration

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: The functions of G5 behind each capability; `define` is named by what is done with it.
FUNCTIONS_OF = {
    "remember": ("remember", "define with text", "supersede", "accept", "retire"),
    "recall": ("recall", "define without text", "changed_since"),
}
#: What an agent may name in `tools` with the prefix of the plugin.
FUNCTIONS = (
    "remember",
    "recall",
    "define",
    "supersede",
    "accept",
    "retire",
    "changed_since",
    "startup_context",
)
PREFIX = "oz0_memory."
#: The agent that imports go to where none is named; it is never declared and never has a job.
BUILT_IN = "import"
#: M24: an agent that comes with no plugin.
NO_PLUGIN = "none"

LISTS = ("capabilities", "purposes", "tools", "uses", "projects")
WORDS = ("name", "kind", "purpose", "autonomy", "plugin")


class Keeping(NamedTuple):
    """The learned kinds that are on, and how long they are kept (`retain`, microseconds)."""

    episodic: bool = False
    semantic: bool = False
    procedural: bool = False
    retain: int | None = None

    def kinds(self) -> tuple[str, ...]:
        """The learned kinds that are on."""
        return tuple(kind for kind in LEARNED if getattr(self, kind))


class Budget(NamedTuple):
    """What one run may use: steps, tool calls, and time in microseconds."""

    steps: int | None = None
    tool_calls: int | None = None
    duration: int | None = None


class Grants(NamedTuple):
    """G4: scopes that the agent is narrowed to; None narrows nothing, an empty list allows none."""

    read: tuple[str, ...] | None = None
    write: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()


class Declaration(NamedTuple):
    """One agent as it was declared.

    Attributes:
        purpose: free text for people; what jobs run for stands in `purposes` (G2).
        kind: kept and shown, as `autonomy` and `purpose` are; they decide nothing (G5).
        startup_tokens: at most so much start-up text (M27); None is the default there.
        keep_for: how long a law keeps entries about people after their end (G45), microseconds.
    """

    name: str
    kind: str = ""
    purpose: str = ""
    capabilities: tuple[str, ...] = ()
    autonomy: str = ""
    memory: Keeping = Keeping()
    budget: Budget = Budget()
    purposes: tuple[str, ...] = ()
    plugin: str = NO_PLUGIN
    tools: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    startup_tokens: int | None = None
    keep_for: int | None = None
    grants: Grants = Grants()

    def may_call(self, function: str, *, text: bool = False) -> bool:
        """G5: whether the declaration names a function, by capability or alone.

        Args:
            function: with the prefix ``oz0_memory.`` or without.
            text: for `define`, whether the call brings a text, which proposes one.
        """
        if self.plugin not in (NO_PLUGIN, "memory") and "memory" not in self.uses:
            return False
        function = function.removeprefix(PREFIX)
        if function == "startup_context":
            return any(self.may_call(other, text=True) or self.may_call(other) for other in FUNCTIONS[:-1])
        named = f"define {'with' if text else 'without'} text" if function == "define" else function
        if any(named in FUNCTIONS_OF.get(capability, ()) for capability in self.capabilities):
            return True
        return function in FUNCTIONS and PREFIX + function in self.tools


def to_document(declaration: Declaration) -> dict[str, object]:
    """The plain document of a declaration, without the fields that say nothing; `from_document` reads it."""
    plain: dict[str, object] = {
        **declaration._asdict(),
        "memory": {**declaration.memory._asdict(), "retain": write_period(declaration.memory.retain)},
        "budget": {**declaration.budget._asdict(), "duration": write_period(declaration.budget.duration)},
        "plugin": "" if declaration.plugin == NO_PLUGIN else declaration.plugin,
        "keep_for": write_period(declaration.keep_for),
        "grants": {**declaration.grants._asdict(), "deny": declaration.grants.deny or None},
        "limits": {"startup_tokens": declaration.startup_tokens},
    }
    del plain["startup_tokens"]
    return {name: value for name, value in ((n, tidy(v)) for n, v in plain.items()) if value not in (None, "", [], {})}


def tidy(value: object) -> object:
    """Lists for tuples; mappings without what is not said (an empty list under `grants` says something)."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, dict):
        return {name: tidy(inner) for name, inner in value.items() if inner is not None and inner is not False}
    return value


def from_document(document: Mapping[str, Any]) -> Declaration:
    """The declaration of a document that was judged before, or written by `to_document`."""
    memory, budget, grants = (document.get(name) or {} for name in ("memory", "budget", "grants"))
    listed: dict[str, Any] = {name: tuple(document.get(name) or ()) for name in LISTS}
    worded: dict[str, Any] = {name: document[name] for name in WORDS if name in document}
    return Declaration(
        **worded,
        **listed,
        memory=Keeping(**{**memory, "retain": read_period(memory.get("retain"))}),
        budget=Budget(**{**budget, "duration": read_period(budget.get("duration"))}),
        startup_tokens=(document.get("limits") or {}).get("startup_tokens"),
        keep_for=read_period(document.get("keep_for")),
        grants=Grants(**{name: tuple(scopes) for name, scopes in grants.items()}),
    )


def write_period(period: int | None) -> str | None:
    """Whole seconds as Go writes them, such as ``720h0m0s``, ``3m0s`` or ``45s``."""
    if period is None:
        return None
    hours, rest = divmod(period, HOUR)
    minutes, rest = divmod(rest // SECOND, 60)
    if hours:
        return f"{hours}h{minutes}m{rest}s"
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"


def read_period(text: str | None) -> int | None:
    """Microseconds of a period in a judged document."""
    return None if text is None else parse_duration(text)
