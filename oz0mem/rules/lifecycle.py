"""What state follows which, by what act: the one table of an entry's life, and the clock's two views of it.

Promises that nothing changes state but by `TRANSITIONS`, and that ended and lapsed are worked out from the
clock and never stored (M31, M36). Leaves who may act, holds and versions to the actions; each act that the
table allows is one new version with its event.
"""

from __future__ import annotations

from typing import Final

from oz0mem.model.errors import Conflict
from oz0mem.model.kinds import (
    ACTIVE,
    ENDED,
    ERASED,
    HELD,
    KINDS,
    LAPSED,
    NEW,
    REJECTED,
    REPLACED,
    RETIRED,
    STATES,
)
from oz0mem.rules.ends import lapses_at

TRANSITIONS: Final = {
    (NEW, "hold"): HELD,
    (NEW, "keep"): ACTIVE,
    (HELD, "confirm"): ACTIVE,
    (HELD, "accept"): ACTIVE,
    (HELD, "repeat"): ACTIVE,
    (HELD, "approve"): ACTIVE,
    (HELD, "edit"): ACTIVE,
    (HELD, "redraft"): HELD,
    (HELD, "renew"): HELD,
    (HELD, "move"): HELD,
    (HELD, "give_way"): REPLACED,
    (HELD, "reject"): REJECTED,
    (ACTIVE, "edit"): ACTIVE,
    (ACTIVE, "renew"): ACTIVE,
    (ACTIVE, "move"): ACTIVE,
    (ACTIVE, "replace"): REPLACED,
    (ACTIVE, "retire"): RETIRED,
    (HELD, "erase"): ERASED,
    (ACTIVE, "erase"): ERASED,
    (REPLACED, "erase"): ERASED,
    (RETIRED, "erase"): ERASED,
    (REJECTED, "erase"): ERASED,
}
"""State and act to the state that follows."""

VERBS: Final = {
    "hold": ("written", "M30"),
    "keep": ("written", "M30"),
    "confirm": ("confirmed", "M32"),
    "accept": ("accepted", "M14"),
    "repeat": ("confirmed by the same text", "M2"),
    "approve": ("approved", "G31"),
    "edit": ("edited", "M33"),
    "redraft": ("edited and held still", "M33"),
    "renew": ("renewed", "M35"),
    "move": ("moved", "M18"),
    "give_way": ("replaced by a newer proposal", "M12"),
    "reject": ("rejected", "M32"),
    "replace": ("replaced", "M12"),
    "retire": ("retired", "M34"),
    "erase": ("erased", "G41"),
}
"""Each act with how a sentence says it and the rule that speaks of it. `repeat` is a person's write of a
held text; `redraft` is an edit that leaves the entry held, where review is `all`."""

_NOT_FOR_PROPOSALS: Final = ("confirm", "repeat", "approve", "edit", "redraft")
_TOO_LATE: Final = ("confirm", "accept", "repeat", "approve", "edit", "redraft", "renew", "move")


def check(from_state: str, verb: str) -> str:
    """Answer the state that follows.

    Raises:
        Conflict: ``memory.state`` where the act is none that this state allows.
    """
    to_state = TRANSITIONS.get((from_state, verb))
    if to_state is None:
        done, rule = VERBS[verb]
        able = " or ".join(state for state in (NEW, *STATES) if (state, verb) in TRANSITIONS)
        message = f"the entry is {from_state}; only one that is {able} can be {done}"
        raise Conflict("memory.state", message, rule=rule, state=from_state, verb=verb)
    return to_state


def check_act(verb: str, *, kind: str, state: str, ends: int, held_since: int, now: int) -> str:
    """Answer the state that follows, as `check`, for an entry of this kind at this moment.

    A proposal comes into force by `accept` alone and is never edited (M14, M33); nothing brings a lapsed
    entry back (M31).

    Raises:
        Conflict: ``memory.kind``, ``memory.lapsed`` where it waited too long, or ``memory.state``.
    """
    after = check(state, verb)
    if verb in _NOT_FOR_PROPOSALS and KINDS[kind].proposal:
        message = f"a {kind} cannot be {VERBS[verb][0]}; it changes by supersede and accept"
        hint = "oz0mem supersede ID TEXT --version N" if verb in ("edit", "redraft") else "use accept"
        raise Conflict("memory.kind", message, rule="M14", hint=hint, kind=kind, verb=verb)
    if verb == "accept" and not KINDS[kind].proposal:
        message = f"only decisions, definitions and rules are accepted; this is of kind {kind}"
        raise Conflict("memory.kind", message, rule="M14", hint="use confirm", kind=kind, verb=verb)
    if verb in _TOO_LATE and is_lapsed(state, ends, held_since, now, kind=kind):
        message = f"the entry has lapsed, so it can no longer be {VERBS[verb][0]}; write it anew"
        raise Conflict("memory.lapsed", message, rule="M31", state=LAPSED, verb=verb)
    return after


def is_ended(state: str, ends: int, now: int) -> bool:
    """Whether an active entry is past its end; its last moment is the one before (M36)."""
    return state == ACTIVE and now >= ends


def is_lapsed(state: str, ends: int, held_since: int, now: int, *, kind: str) -> bool:
    """Whether a held entry waited too long: a proposal until its end, any other 14 days at most (M31)."""
    if state != HELD:
        return False
    return now >= ends or (not KINDS[kind].proposal and now >= lapses_at(held_since))


def shown_state(state: str, ends: int, held_since: int, now: int, *, kind: str) -> str:
    """The state that people are shown: the stored one, or `ended` or `lapsed` by the clock."""
    if is_ended(state, ends, now):
        return ENDED
    return LAPSED if is_lapsed(state, ends, held_since, now, kind=kind) else state
