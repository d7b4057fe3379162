"""When an entry ends, how long it can be renewed, and when a held one lapses (M6, M31, M35, M36, M37).

Promises that no end lies past any limit that holds for the entry, and that a refusal names the limit that
was nearest. Leaves holds, `keep_for` and what upkeep does at an end to others. Moments and spans are
microseconds; `created` is the time of the first version, from which all limits count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oz0mem.model.errors import Refused
from oz0mem.model.kinds import KINDS, PERSON, PUBLISHED, UNREVIEWED
from oz0mem.model.moments import DAY, rfc3339

if TYPE_CHECKING:
    from oz0mem.model.settings import Settings

LAPSE: Final = 14 * DAY
"""How long a held entry waits for somebody (M31)."""
TIER_CAPS: Final = {PERSON: 90 * DAY, PUBLISHED: 90 * DAY, UNREVIEWED: 30 * DAY}
"""Longest life of a learned entry by its tier (M6)."""


def ends_at(
    kind: str,
    tier: str,
    about_person: bool,
    created: int,
    given: int | None,
    settings: Settings,
    retain_us: int | None,
) -> int:
    """Decide the end of an entry that is written (M6).

    Args:
        kind: one of the seven kinds.
        tier: how far the text can be trusted.
        about_person: whether it is about a person; the refusal says what the end would mean (M36).
        created: when its limits begin to count: the first version, an import, or an edit (M33).
        given: the end that was asked for, or None for the default.
        settings: the tenant's.
        retain_us: retention that the agent's declaration gives its learned kinds; None where it gives none.

    Raises:
        Refused: ``memory.ends`` where `given` is not after `created`, or past a limit, which is named.
    """
    span, name, words = _nearest_limit(kind, tier, settings, retain_us)
    if given is None:
        by_default = settings.default_days * DAY
        if KINDS[kind].learned and retain_us is not None:
            by_default = retain_us
        return created + min(by_default, span)
    at_end = "erased" if erased_at_end(kind, about_person) else "reviewed"
    if given <= created:
        message = f"the end {_typed(given)} has passed; an entry ends after it is written"
        raise Refused("memory.ends", message, rule="M6", limit="past", ends=rfc3339(given))
    if given > created + span:
        latest = rfc3339(created + span)
        message = f"the end {_typed(given)} is too late: {words} from the first version, so {latest}"
        hint = f"give an end up to {latest}, when it is {at_end}; or none, for the default"
        facts = {"limit": name, "limit_days": span / DAY, "latest": latest, "ends": rfc3339(given)}
        raise Refused("memory.ends", message, hint=hint, rule="M6", **facts)
    return given


def limit_now(kind: str, tier: str, created: int, settings: Settings, retain_us: int | None) -> int:
    """The latest end that the settings of this moment allow an entry (M6)."""
    return created + _nearest_limit(kind, tier, settings, retain_us)[0]


def brought_down(ends: int, limit: int) -> int:
    """The end after accepting, confirming or replacing: no later than the limit of this moment (M37)."""
    return min(ends, limit)


def renewed_end(now: int, days: int | None, settings: Settings, *, cap: int | None = None) -> int:
    """Decide the end of an entry about work that is renewed (M35).

    Args:
        now: the moment of renewal.
        days: how many from now; None for the tenant's default.
        settings: the tenant's.
        cap: for a learned entry its `limit_now`, which renewing does not lift (M6).

    Raises:
        Refused: ``memory.ends`` where the days are none, more than the longest end, or past the cap.
    """
    given = settings.default_days if days is None else days
    if not 1 <= given <= settings.max_days:
        message = f"an entry is renewed for 1 to {settings.max_days:,} days, the tenant's longest end"
        facts = {"limit": "longest", "limit_days": settings.max_days, "days": given}
        raise Refused("memory.ends", message, hint="give fewer days with --days", rule="M35", **facts)
    ends = now + given * DAY
    if cap is None or ends <= cap:
        return ends
    if days is not None or cap <= now:
        message = f"a learned entry keeps its limit however often it is renewed; its is {rfc3339(cap)}"
        raise Refused("memory.ends", message, rule="M35", limit="learned", latest=rfc3339(cap), days=given)
    return cap


def lapses_at(held_since: int) -> int:
    """When nobody can confirm a held entry any more, a proposal apart (M31)."""
    return held_since + LAPSE


def erased_at_end(kind: str, about_person: bool) -> bool:
    """Whether the end of an entry erases it; else it is a review date (M36)."""
    return about_person or KINDS[kind].learned


def _nearest_limit(kind: str, tier: str, settings: Settings, retain_us: int | None) -> tuple[int, str, str]:
    """The shortest limit that holds: its span, its name, and how a sentence says it."""
    longest = settings.max_days * DAY
    limits = [(longest, "longest", f"the tenant's longest end is {settings.max_days:,} days")]
    if KINDS[kind].learned:
        if retain_us is not None:
            limits.append((retain_us, "retain", f"the agent retains what it learnt for {_span(retain_us)}"))
        cap = TIER_CAPS[tier]
        limits.append((cap, "tier", f"what is learnt as {tier} is kept for at most {_span(cap)}"))
    return min(limits, key=lambda limit: limit[0])


def _typed(end: int) -> str:
    """An end as it was typed: one that is a day's last instant was typed as that day (C7)."""
    return f"of {rfc3339(end - DAY)[:10]}" if end % DAY == 0 and end else rfc3339(end)


def _span(us: int) -> str:
    days, rest = divmod(us, DAY)
    return f"{us / DAY:.2f} days" if rest else f"{days} days"
