"""``link``: what one entry is to another, proposed by one reviewer and confirmed by another (M17).

Promises that a link stands between two entries that live and that its reader may see both of, that a secret in any
argument leaves nothing, and that no job is told of any. Leaves the links that a write makes to ``linking``, and what
goes with an entry to ``erasing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context, gate, refusals
from oz0mem.actions.choosing import choose_whole, is_seen
from oz0mem.actions.linking import blank, choose_linkable, tell
from oz0mem.actions.linking import derive as derive
from oz0mem.actions.linking import sources_of as sources_of
from oz0mem.actions.linking import taint as taint
from oz0mem.model.agreements import CONFIRMED, REJECTED, WAITING, Link
from oz0mem.model.errors import Conflict, Invalid, NotFound
from oz0mem.model.kinds import ERASED
from oz0mem.model.names import OF_PERSON
from oz0mem.rules import events, permission
from oz0mem.rules import links as rule
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry

_LOOKS = 20
"""Pages of rows that one page of links looks through; a page may then be short and still have a next."""
_DIGITS = 15


class Linked(NamedTuple):
    """The answer to a proposal or a decision: the link as it stands, and whether that is new."""

    link: Link
    changed: bool
    now: int


class Links(NamedTuple):
    """A page of links, oldest first, and where the next begins."""

    items: list[Link]
    next: str | None
    now: int


@refusals.told("link")
def link(ctx: Context, from_id: str, label: str, to_id: str, reason: str = "") -> Linked:
    """Propose a link from an entry to another; it waits for another reviewer.

    Args:
        ctx: a reviewer.
        from_id: which entry, whole or shortened.
        label: what it is to the other, one of ``model.agreements.LABELS``.
        to_id: which other entry.
        reason: why, in words.

    Raises:
        Invalid: ``link.label``, or ``link.itself``.
        NotFound: ``memory.unknown``.
        Refused: ``link.state`` where an entry was rejected or has lapsed.
    """
    gate.scan({"from": from_id, "label": label, "to": to_id})
    checked = gate.check_why(reason)
    rule.check_label(label)
    return ctx.write(lambda desk: _link(desk, ctx, (from_id, label, to_id), checked))


def _link(desk: Desk, ctx: Context, asked: tuple[str, str, str], reason: str) -> Linked:
    caller = context.person_of(desk, ctx, "link")
    from_id, label, to_id = asked
    gate.scan_own(desk, {"from": from_id, "to": to_id, "reason": reason})
    entry, other = (choose_linkable(desk, caller, each) for each in (from_id, to_id))
    if entry.numbers.entry == other.numbers.entry:
        raise Invalid("link.itself", "an entry is not linked to itself", hint="name another entry", rule="M17")
    standing = desk.links.standing(entry.numbers.entry, label, other.numbers.entry)
    if standing is not None:
        return Linked(standing, False, desk.now)
    made = desk.links.put(blank(desk, entry, label, other)._replace(proposer=caller.name))
    tell(desk, context.actor(desk, caller), made, entry, reason)
    return Linked(made, True, desk.now)


@refusals.told("link")
def confirm(ctx: Context, link_id: str, reason: str = "") -> Linked:
    """Confirm a link that somebody else proposed.

    Raises:
        Forbidden: ``review.own`` for whoever proposed it, but in a solo store.
        NotFound: ``link.unknown``.
        Conflict: ``link.settled`` where it was rejected.
    """
    gate.scan({"id": link_id})
    rule.check_id(link_id)
    checked = gate.check_why(reason)
    return ctx.write(lambda desk: _confirm(desk, ctx, link_id, checked))


def _confirm(desk: Desk, ctx: Context, link_id: str, reason: str) -> Linked:
    caller = context.person_of(desk, ctx, "link")
    gate.scan_own(desk, {"reason": reason})
    found = _choose(desk, caller, link_id)
    if not rule.check_confirm(found, caller.name, solo=bool(desk.head.solo)):
        return Linked(found, False, desk.now)
    entry = choose_linkable(desk, caller, found.entry_id)
    choose_linkable(desk, caller, found.other_id)
    return _settle(desk, caller, found, CONFIRMED, entry, reason)


@refusals.told("link")
def reject(ctx: Context, link_id: str, reason: str) -> Linked:
    """Reject a link that waits; whoever proposed it may take it back so.

    Raises:
        NotFound: ``link.unknown``.
        Conflict: ``link.settled`` where it was confirmed.
    """
    gate.scan({"id": link_id, "reason": reason})
    rule.check_id(link_id)
    checked = check_reason(reason)
    return ctx.write(lambda desk: _reject(desk, ctx, link_id, checked))


def _reject(desk: Desk, ctx: Context, link_id: str, reason: str) -> Linked:
    caller = context.person_of(desk, ctx, "link")
    gate.scan_own(desk, {"reason": reason})
    found = _choose(desk, caller, link_id)
    if not rule.check_reject(found):
        return Linked(found, False, desk.now)
    entry = choose_whole(desk, caller, found.entry_id)
    return _settle(desk, caller, found, REJECTED, entry, reason)


def _settle(desk: Desk, caller: Caller, found: Link, state: str, entry: Entry, reason: str) -> Linked:
    desk.links.settle(found, state, caller.name)
    settled = found._replace(state=state, decider=caller.name, decided=desk.now)
    tell(desk, context.actor(desk, caller), settled, entry, reason)
    return Linked(settled, True, desk.now)


def _choose(desk: Desk, caller: Caller, wanted: str) -> Link:
    """The link of an id or an unambiguous beginning, among those whose ends the caller may see both (C7)."""
    ids = [wanted] if rule.is_whole(wanted) else desk.links.ids_from(wanted)
    every = [found for each in ids if (found := desk.links.by_id(each)) is not None]
    seen = seen_of(desk, caller, every)
    if not seen:
        raise NotFound("link.unknown", "there is no such link among what you may see", hint="oz0mem links", rule="C7")
    if len(seen) > 1:
        raise Conflict(
            "link.ambiguous",
            f"{len(seen)} links begin with {wanted}",
            hint="give more digits: " + ", ".join(each.id for each in seen[:5]),
            rule="C7",
            ids=[each.id for each in seen],
        )
    return seen[0]


def seen_of(desk: Desk, caller: Caller, every: Sequence[Link]) -> list[Link]:
    """Those links of which a person may see both ends, as the ledger told of them (L7), in their order."""
    ends = desk.entries.newest({number for each in every for number in (each.entry, each.other)})
    seen = {entry.numbers.entry for entry in ends if entry.state != ERASED and is_seen(caller, entry, desk.now)}
    return [each for each in every if each.entry in seen and each.other in seen and _is_whole(desk, each)]


def _is_whole(desk: Desk, link: Link) -> bool:
    """Whether a link is what its last event says: one that was altered behind the ledger is none (L7)."""
    told = desk.ledger.at(link.event)
    event = (events.read(told) if told else None) or {}
    said = (link.id, link.entry_id, link.label, link.other_id, link.state)
    if link.state == WAITING and not _proposed_by(desk, link.proposer, event):
        return False
    return tuple(event.get(name) for name in ("link", "entry", "label", "other", "link_state")) == said


def _proposed_by(desk: Desk, proposer: str, event: Mapping[str, Any]) -> bool:
    number = desk.names.find(OF_PERSON, proposer)
    return bool(number) and event.get("actor", {}).get("ref") == desk.names.actor_handle(number)


def of_entry(desk: Desk, caller: Caller, entry: int) -> list[Link]:
    """The links of an entry as ``show`` tells of them: both ends seen, none that was rejected.

    An agent's job is told of none, a member of none that still waits.
    """
    if caller.is_agent:
        return []
    told = (CONFIRMED, WAITING) if permission.may(caller.role, "link") else (CONFIRMED,)
    return seen_of(desk, caller, [each for each in desk.links.of_entry(entry) if each.state in told])


@refusals.told("link")
def list_links(ctx: Context, *, waiting: bool = False, limit: int = 50, after: str = "") -> Links:
    """A page of links, oldest first.

    Args:
        ctx: a reviewer.
        waiting: only what waits for somebody.
        limit: links a page, 1 to 1,000.
        after: the cursor that the last page gave.

    Raises:
        Invalid: ``list.limit`` or ``list.cursor``.
    """
    if not 1 <= limit <= 1_000:
        raise Invalid("list.limit", "a page has 1 to 1,000 links", hint="--limit 50", rule="C2")
    if after and not (after.isascii() and after.isdigit() and len(after) <= _DIGITS):
        raise Invalid(
            "list.cursor", "that is no cursor of a list", hint="take it from `next` of the last page", rule="C2"
        )
    return ctx.read(lambda desk: _list(desk, ctx, WAITING if waiting else "", limit, int(after or 0)))


def _list(desk: Desk, ctx: Context, state: str, limit: int, after: int) -> Links:
    caller = context.person_of(desk, ctx, "see_agreed")
    items: list[Link] = []
    # Links with an end that nobody may be shown are skipped, so a page may take more than one look.
    for _ in range(_LOOKS):
        rows = desk.links.page(state, limit + 1, after)
        seen = seen_of(desk, caller, rows[:limit])[: limit - len(items)]
        items += seen
        full = len(items) == limit
        after = (seen[-1] if full else rows[limit - 1] if len(rows) > limit else rows[-1]).number if rows else after
        more = bool(rows) and (len(rows) > limit or after != rows[-1].number)
        if full or not more:
            break
    return Links(items, str(after) if more else None, desk.now)
