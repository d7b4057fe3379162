"""What an agent starts with: in which order, in which words, and how much of it (M27).

Promises that no remembered text can fake or close the block, since each stands on one line, and that the budget
counts the heading too. Leaves what the job may read, and which entries are in force, to the caller.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import AGENT, DECISION, DEFINITION, PROJECT, RULE, TENANT, THREAD
from oz0mem.rules.recall import CHARS_PER_TOKEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
        since: when it came into force, or the latest that it can have, microseconds UTC.
        created: when it was written, microseconds UTC.
    """

    number: int
    id: str
    kind: str
    scope: str
    since: int
    created: int


def order(
    candidates: Iterable[Candidate],
    since_of: Callable[[Sequence[int]], Mapping[int, int]] = lambda _: {},
    at_once: int = 100,
) -> Iterator[int]:
    """Numbers of entries as they stand in the text: rules, then by scope from the nearest, newest in force first.

    Within a scope's group decisions and definitions come before what is core. When each came into force is asked only
    as far as numbers are taken.

    Args:
        candidates: what is put in order.
        since_of: when entries came into force, by number; those that it leaves out did so at their ``since``.
        at_once: how many it is asked about at a time.
    """
    alike: dict[tuple[str, str], list[Candidate]] = {}
    for each in candidates:
        alike.setdefault((each.kind, each.scope), []).append(each)
    groups: dict[tuple[bool, int, bool], list[Candidate]] = {}
    for (kind, scope), members in alike.items():
        groups.setdefault(_group(kind, scope), []).extend(members)
    for group in sorted(groups):
        yield from _newest_first(groups[group], since_of, at_once)


def _newest_first(
    group: Iterable[Candidate], since_of: Callable[[Sequence[int]], Mapping[int, int]], at_once: int
) -> Iterator[int]:
    waiting = sorted(group, key=lambda each: each.since)
    known: list[tuple[int, int, str, int]] = []
    while waiting or known:
        # Nothing that is still to be asked about can stand before what came into force after the latest of it can have.
        while known and (not waiting or -known[0][0] > waiting[-1].since):
            yield heappop(known)[-1]
        part = waiting[-at_once:]
        del waiting[-at_once:]
        since = since_of([each.number for each in part]) if part else {}
        for each in part:
            heappush(known, (-since.get(each.number, each.since), -each.created, each.id, each.number))


def _group(kind: str, scope: str) -> tuple[bool, int, bool]:
    core = kind != RULE and kind not in _AGREED
    level = scope.partition(":")[0]
    near = _NEAREST.index(level) if level in _NEAREST else len(_NEAREST)
    return (kind != RULE, near, core)


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
