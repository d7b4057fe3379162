"""What an agent starts with: in which order, in which words, and how much of it (M27).

Promises that no remembered text can fake or close the block, since each stands on one line, and that the budget
counts the heading too. Leaves what the job may read, and which entries are in force, to the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import AGENT, DECISION, DEFINITION, PROJECT, RULE, TENANT, THREAD
from oz0mem.rules.recall import CHARS_PER_TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oz0mem.model.entries import Entry

TOKENS = 4_000
"""Tokens of the start-up text where neither the call nor the declaration says."""
HEADING = (
    "## Context from plugin memory\n\n"
    "- Accepted decisions and definitions you work under; more with recall (by scope) or define (by term)."
)

_NEAREST = (AGENT, THREAD, PROJECT, TENANT)
_AGREED = (DECISION, DEFINITION)


class Candidate(NamedTuple):
    """An entry as it is put in order.

    Attributes:
        number: of the entry.
        id: its id, by which the last ties are broken.
        kind: its kind.
        scope: where it lives.
        since: when it came into force, microseconds UTC.
        created: when it was written, microseconds UTC.
    """

    number: int
    id: str
    kind: str
    scope: str
    since: int
    created: int


def order(candidates: Iterable[Candidate]) -> list[int]:
    """Numbers of entries as they stand in the text: rules, then by scope from the nearest, newest in force first.

    Within a scope's group decisions and definitions come before what is core.
    """
    return [each.number for each in sorted(candidates, key=_key)]


def _key(each: Candidate) -> tuple[bool, int, bool, int, int, str]:
    core = each.kind != RULE and each.kind not in _AGREED
    scope = each.scope.partition(":")[0]
    near = _NEAREST.index(scope) if scope in _NEAREST else len(_NEAREST)
    return (each.kind != RULE, near, core, -each.since, -each.created, each.id)


def line(entry: Entry) -> str:
    """One entry as one line: what it is, where it lives, what it says, and the mark to find it by."""
    scope, _, name = entry.scope.partition(":")
    where = f"{scope} {name}" if scope == PROJECT else scope
    what = f"Definition of '{flat(entry.term)}'" if entry.kind == DEFINITION else entry.kind.capitalize()
    return f"- {what} ({where}): {flat(entry.text)} [{entry.scope}/{entry.id} v{entry.version}]"


def flat(text: str) -> str:
    """A text on one line: white space of every kind, as much of it as there is, is one space."""
    return " ".join(text.split())


def budget(asked: int | None, used: int, declared: int | None) -> int:
    """Characters that the text may have.

    Args:
        asked: tokens that the caller gives it, None for the declaration's, else `TOKENS`.
        used: tokens that others took of the same budget.
        declared: the most tokens by the agent's declaration, 0 for no text at all, None where it says nothing.

    Raises:
        Invalid: ``startup.budget`` where a number is out of its bounds.
    """
    for name, tokens, least in (("budget_tokens", asked, 1), ("used_tokens", used, 0)):
        if tokens is not None and tokens < least:
            raise Invalid("startup.budget", f"{name} must be at least {least}", rule="M27", limit=tokens)
    tokens = (TOKENS if declared is None else declared) if asked is None else asked
    if declared is not None:
        tokens = min(tokens, declared)
    return max(0, tokens - used) * CHARS_PER_TOKEN


def text_of(lines: Iterable[str]) -> str:
    """The whole block; nothing where there is no line."""
    body = "".join(f"\n{each}" for each in lines)
    return HEADING + body if body else ""
