"""The ledger read and checked: ``audit log`` and ``audit check`` (L7, L10, L11).

Promises that a check reads everything it speaks of and says where something is wrong. Leaves the reading to
``trail``, ``signing`` and ``checking``. What was written after the last signed head can be cut off whole, and nobody
can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context
from oz0mem.actions.context import Context
from oz0mem.model.ledger import ACTIONS, PERSONAL
from oz0mem.rules import events

if TYPE_CHECKING:
    from oz0mem.actions.ports import Desk
    from oz0mem.actions.trail import Problem


class Log(NamedTuple):
    """Events, newest first, and where the next page begins.

    Attributes:
        names: the names of principals among those who acted or were acted on, by handle.
        altered: indexes of events that are not as they were written; they are no items.
    """

    items: list[dict[str, Any]]
    next: str | None
    names: dict[str, str]
    altered: list[int]


class Check(NamedTuple):
    """What was checked and what was found wrong; empty problems mean that all holds.

    Attributes:
        heads: sizes of signed heads that were compared: the store's, this machine's, and the one that was kept.
    """

    events: int
    versions: int
    root: str
    problems: list[Problem]
    heads: list[int]


def log(ctx: Context, *, action: str = "", entry_id: str = "", since: int = 0, limit: int = 50, after: str = "") -> Log:
    """What happened, newest first; never a word of what was remembered.

    Args:
        ctx: who asks.
        action: only this one.
        entry_id: only what added a version of this entry.
        since: only from this moment on, microseconds UTC.
        limit: events a page, 1 to 1,000.
        after: the cursor that the last page gave.
    """
    from oz0mem.model.errors import Invalid

    if not 1 <= limit <= 1_000 or (after and not (after.isascii() and after.isdigit() and len(after) < 16)):
        raise Invalid(
            "list.cursor", "a page has 1 to 1,000 events and begins at a cursor", hint="--limit 50", rule="C2"
        )
    if action and action not in ACTIONS:
        from difflib import get_close_matches

        near = get_close_matches(action, ACTIONS, 3, 0.4) or sorted(ACTIONS)[:3]
        raise Invalid(
            "audit.type",
            "the ledger has no events of that type",
            hint=f"did you mean {', '.join(near)}?",
            rule="L2",
        )

    def look(desk: Desk) -> Log:
        context.person_of(desk, ctx, "audit")
        before = int(after) if after else desk.head.size
        number = _number(desk, entry_id) if entry_id else 0
        told = desk.ledger.latest(before=before, limit=limit + 1, action=action, entry=number, since=since)
        read = [(event.at, events.read(event)) for event in told[:limit]]
        altered = [at for at, event in read if event is None]
        items = [event for _, event in read if event is not None]
        following = str(told[limit - 1].at) if len(told) > limit else None
        return Log(items, following, _names(desk, items), altered)

    return ctx.read(look)


def _number(desk: Desk, entry_id: str) -> int:
    """The number of an entry by its id or an unambiguous beginning (C7), among all that there are."""
    from oz0mem.model.errors import Conflict, NotFound
    from oz0mem.model.names import check_entry_prefix

    ids = desk.entries.ids_from(check_entry_prefix(entry_id), 5)
    if len(ids) > 1:
        raise Conflict(
            "memory.ambiguous",
            f"{len(ids)} entries or more begin with {entry_id}",
            hint="give more digits: " + ", ".join(ids),
            rule="C7",
            ids=ids,
        )
    entry = desk.entries.by_id(ids[0]) if ids else None
    if entry is None:
        raise NotFound("memory.unknown", "there is no entry of that id", hint="oz0mem list", rule="C7")
    return entry.numbers.entry


def _names(desk: Desk, items: list[dict[str, Any]]) -> dict[str, str]:
    """Who acted or was acted on: principals whose key is there; nobody else's handle can be told (L4)."""
    acted = {event["actor"]["ref"] for event in items if event["actor"]["kind"] in ("person", "service")}
    acted |= {event["target"] for event in items if event.get("what") in PERSONAL and "target" in event}
    known: dict[str, str] = {}
    for one in desk.identity.principals() if acted else ():
        try:
            known[desk.names.actor_handle(one.number)] = one.name
        except ValueError:
            continue  # their key is gone
    return {handle: known[handle] for handle in sorted(acted) if handle in known}


def check(ctx: Context, *, contents: bool, against: str = "") -> Check:
    """Check the ledger against itself and its signed heads, and with ``contents`` every row against it.

    Args:
        ctx: who asks.
        contents: every row too.
        against: a head that somebody kept, as text; whether the ledger only grew since (L36).

    Raises:
        Forbidden: ``role.forbidden``.
    """
    from oz0mem.actions import checking, replaying, signing, trail

    def look(desk: Desk) -> Check:
        context.person_of(desk, ctx, "audit")
        followed, root = trail.follow(desk)
        heads = signing.check(desk, followed, ctx, against)
        versions = checking.check(desk, followed) if contents else 0
        if contents:
            replaying.check(desk, followed)
        return Check(desk.head.size, versions, root, followed.problems, heads)

    return ctx.read(look)
