"""``define``: what a term means, read or proposed (M13).

Promises one definition in force a term, scope and purpose, whatever the spelling of the term, and that a newer proposal
ends the older. Leaves writing a proposal to ``entries``, accepting it to ``accepting``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import asking, context, draft, entries, gate, integrity, labels, refusals, sight
from oz0mem.actions.asking import Asked
from oz0mem.model.kinds import ACTIVE, DEFINITION, HELD
from oz0mem.model.names import check_scope
from oz0mem.rules import arguments, lifecycle, permission, walls
from oz0mem.rules.sameness import same_text

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.keeping import Written
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings

_NEAR = ("agent", "thread", "project", "tenant")
"""Scopes from the nearest to the widest."""


class Define(NamedTuple):
    """The arguments of ``define``: without a text it reads, with one it proposes."""

    term: str
    text: str = ""
    scope: str = ""
    call_id: str = ""
    reason: str = ""


class Defined(NamedTuple):
    """What a term means: in force nearest to the caller, proposed, and in force elsewhere; what was written.

    ``withheld`` is how many walls kept back, ``altered`` the ids that were left out since their rows were altered (L7).
    """

    term: str
    in_force: Entry | None
    proposed: list[Entry]
    also: list[Entry]
    written: Written | None
    withheld: int
    altered: list[str]
    now: int


@refusals.told("define")
def define(ctx: Context, asked: Define) -> Defined:
    """Read what a term means, or propose it.

    Raises:
        Invalid: where the term is none.
        Refused, Forbidden, Conflict: as ``remember`` refuses a proposal.
        Waiting: ``approval.waits``.
    """
    scan_held = gate.scan({name: value for name, value in asked._asdict().items() if value})
    term = arguments.check_key(asked.term, "term")
    if asked.scope:
        check_scope(asked.scope)
    if not asked.text:
        caller, found = ctx.read(lambda desk: _read(desk, ctx, term, asked.scope))
        shown = [*([found.in_force] if found.in_force else []), *found.proposed, *found.also]
        if shown:
            ctx.record(lambda desk: labels.note_shown(desk, caller, shown, "define", ctx.door))
        return found
    checked, held = entries.check(
        entries.Remember(
            asked.text,
            DEFINITION,
            scope=asked.scope,
            key=term,
            term=term,
            call_id=asked.call_id,
            reason=asked.reason,
        )
    )
    answer = ctx.write(lambda desk: _propose(desk, ctx, checked, scan_held=scan_held or held))
    return asking.wait(answer) if isinstance(answer, Asked) else answer


def _read(desk: Desk, ctx: Context, term: str, scope: str) -> tuple[Caller, Defined]:
    caller = context.caller_of(desk, ctx)
    gate.scan_own(desk, {"term": term, "scope": scope})
    if caller.declaration is not None:
        draft.check_call(caller.declaration, "define")
    else:
        permission.check(caller.role, "see")
    return caller, _of_term(desk, caller, term, scope)


def _of_term(desk: Desk, caller: Caller, term: str, scope: str) -> Defined:
    settings = context.settings_of(desk)
    places = sight.reach_of(desk, caller, settings, scope).places
    there = [each for each in desk.entries.named(same_text(term), DEFINITION, places) if _is_shown(desk, caller, each)]
    good, altered = integrity.check(desk, there)
    good.sort(key=lambda entry: _rank(desk, caller, settings, entry))
    withheld = 0
    if caller.job is not None:
        good, withheld = walls.withhold(settings.apart, caller.job.compartments, good)
        good = sight.veiled(desk, good, sight.walls_of(caller, settings))
    in_force = [entry for entry in good if entry.state == ACTIVE]
    proposed = [entry for entry in good if entry.state == HELD]
    first = in_force[0] if in_force else None
    return Defined(term, first, proposed, in_force[1:], None, withheld, altered, desk.now)


def _is_shown(desk: Desk, caller: Caller, entry: Entry) -> bool:
    """Definitions in force, and what is proposed: to jobs and to whoever reviews (M13, M20)."""
    if sight.is_recallable(entry, desk.now):
        return caller.job is not None or sight.may_see(caller, entry, desk.now)
    waits = entry.state == HELD and not lifecycle.is_lapsed(
        entry.state, entry.ends, entry.counted_from, desk.now, kind=entry.kind
    )
    able = caller.job is not None or permission.may(caller.role, "see_all")
    return able and waits and not entry.restricted and not sight.is_past(entry, desk.now)


def _rank(desk: Desk, caller: Caller, settings: Settings, entry: Entry) -> tuple[int, int, int, str]:
    """In force before proposed, the caller's own purpose first, then the nearest scope, then the newest."""
    del desk, settings
    own = caller.job is None or entry.purpose == caller.job.purpose
    kind, _ = check_scope(entry.scope)
    return (int(entry.state == HELD), int(not own) * 10 + _NEAR.index(kind), -entry.at, entry.id)


def _propose(desk: Desk, ctx: Context, asked: entries.Remember, *, scan_held: bool) -> Defined | Asked:
    caller = context.caller_of(desk, ctx)
    written = entries.write(desk, caller, ctx.door, asked, scan_held=scan_held, function="define")
    if isinstance(written, Asked):
        return written
    if caller.declaration is not None and not caller.declaration.may_call("define"):
        # Whoever may propose and not read is told what was written, and nothing else.
        return Defined(asked.term, None, [written.entry], [], written, 0, [], desk.now)
    caller = context.caller_of(desk, ctx)  # with what the write has shown it
    found = _of_term(desk, caller, asked.term, asked.scope)
    shown = [*([found.in_force] if found.in_force else []), *found.proposed, *found.also]
    labels.note_shown(desk, caller, shown, "define", ctx.door)
    return found._replace(written=written)
