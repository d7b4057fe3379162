"""``accept``: a proposal becomes what is in force, by somebody who names its version and text (M14).

Promises that what is accepted is what was read, that it ends what it replaces and never a second replacement of the
same entry, and that everything is checked before anything is written (M16). Leaves ``confirm`` to ``acceptance``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import acceptance, asking, audit, context, draft, gate, keeping, once, reach, refusals, sight
from oz0mem.actions.acceptance import Changed
from oz0mem.actions.asking import Asked
from oz0mem.actions.choosing import choose_whole
from oz0mem.model.errors import Conflict, Refused
from oz0mem.model.kinds import ACTIVE, DEFINITION, HELD, KINDS
from oz0mem.model.names import nfc
from oz0mem.rules import arguments, lifecycle, permission
from oz0mem.rules.sameness import same_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.asking import Approved, Call
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


class Accept(NamedTuple):
    """The arguments of ``accept`` (M14): people may leave out text and term, agents may not."""

    id: str
    version: int | None
    text: str | None = None
    term: str | None = None
    call_id: str = ""
    reason: str = ""


@refusals.told("accept")
def accept(ctx: Context, asked: Accept) -> Changed:
    """Put a proposal in force; ``entry.replaces`` of the answer names what it ended.

    Raises:
        Conflict: ``memory.stale``, ``memory.other_text``, ``memory.overtaken``, or where it is no proposal that waits.
        Refused: by M7, M21, G30 or G40.
        Forbidden: ``review.own`` where review is `all` and it is one's own (M32).
        Waiting: ``approval.waits``.
    """
    gate.scan(_arguments(asked))
    if asked.call_id:
        once.check_call_id(asked.call_id)
    checked = asked._replace(reason=arguments.check_reason(asked.reason) if asked.reason else "")
    answer = ctx.write(lambda desk: write(desk, context.caller_of(desk, ctx), ctx.door, checked))
    return asking.wait(answer) if isinstance(answer, Asked) else answer


def _arguments(asked: Accept) -> dict[str, Any]:
    return {name: value for name, value in asked._asdict().items() if isinstance(value, str) and value}


def write(desk: Desk, caller: Caller, door: str, asked: Accept, *, approved: Approved | None = None) -> Changed | Asked:
    """Accept inside a transaction, or let the call wait for a person."""
    gate.scan_own(desk, _arguments(asked))
    given = {name: value for name, value in asked._asdict().items() if name != "call_id"}
    call = asking.begin(desk, caller, door, "accept", given, call_id=asked.call_id, approved=approved)
    noted = asking.noted(desk, call)
    if noted:
        return noted if isinstance(noted, Asked) else _again(desk, caller, noted)
    settings = context.settings_of(desk)
    apart = sight.walls_of(caller, settings)
    entry = _proposal(desk, call, settings, asked)
    if entry.state == ACTIVE:
        return Changed(sight.veiled(desk, [entry], apart)[0], False, desk.now)
    old = acceptance.check_replacing(desk, settings, entry, apart)
    ids = [other.id for other in old]
    asking.check_shown(call, ids)
    # What a wall keeps from a job is ended by a person's decision alone (M25).
    call = call._replace(asks=call.asks or (approved is None and any(map(apart.hide, old))))
    if call.asks:
        numbers = entry.numbers
        comes_to = asking.outcome(entry, ids)
        return asking.ask(desk, call, entry=numbers.entry, about=numbers.about, tier=entry.tier, comes_to=comes_to)
    told = audit.reasoned(desk, asked.reason, about=entry.about, entry=entry.numbers.entry)
    by = {"approval": approved.id} if approved is not None else {}
    actor = context.actor(desk, caller)
    accepted = acceptance.activate(desk, actor, settings, entry, "memory.accepted", **told, **by)
    answer = {"entry": accepted.id, "version": accepted.version}
    asking.note(desk, call, answer, entry=accepted.numbers.entry, about=accepted.numbers.about)
    return Changed(sight.veiled(desk, [accepted], apart)[0], True, desk.now)


def _proposal(desk: Desk, call: Call, settings: Settings, asked: Accept) -> Entry:
    """The proposal, which the caller may accept and has named as it stands; one that is in force already too."""
    caller = call.caller
    if caller.declaration is not None:
        draft.check_call(caller.declaration, "accept")
        if asked.text is None:
            raise Refused(
                "memory.text", "an agent names the text that it accepts", hint="give the text that was read", rule="M14"
            )
    else:
        permission.check(caller.role, "review")
    entry = reach.find(desk, caller, settings, asked.id, asked.version)
    if not KINDS[entry.kind].proposal or entry.state != ACTIVE:
        acceptance.check_act(desk, "accept", entry)
    elif lifecycle.is_ended(entry.state, entry.ends, desk.now):
        raise Conflict(
            "memory.ended",
            f"{entry.id} was accepted before and is past its review date",
            hint=f"oz0mem renew {entry.id}",
            rule="M35",
            id=entry.id,
        )
    _check_named(entry, asked, agent=caller.is_agent)
    acceptance.check_not_own(desk, settings, caller, entry)
    if call.approved is not None:
        acceptance.check_not_own(desk, settings, caller._replace(name=call.approved.name), entry)
    return entry


def would_replace(ctx: Context, entry_id: str) -> list[str]:
    """The ids of what accepting a proposal would end, for whoever is about to decide; no text is read.

    Raises:
        NotFound: ``memory.unknown``.
        Forbidden: ``role.forbidden``.
        Conflict, Refused: as ``accept`` would be refused over what is in force.
    """

    def look(desk: Desk) -> list[str]:
        caller = context.person_of(desk, ctx, "review")
        entry = choose_whole(desk, caller, entry_id)
        if entry.state != HELD:
            return []
        return [other.id for other in acceptance.check_replacing(desk, context.settings_of(desk), entry)]

    return ctx.read(look)


def _check_named(entry: Entry, asked: Accept, *, agent: bool) -> None:
    """Refuse a text or a term that is not that version's (M14).

    Raises:
        Conflict: ``memory.other_text``.
    """
    other = ""
    if asked.text is not None and nfc(asked.text.strip()) != entry.text:
        other = "text"
    elif entry.kind == DEFINITION and (
        same_text(asked.term) != entry.key if asked.term is not None else agent and bool(entry.term)
    ):
        other = "term"
    if other:
        raise Conflict(
            "memory.other_text",
            f"the {other} that was named is not that of {entry.id} v{entry.version}; nothing was accepted",
            hint=f"read it again: oz0mem show {entry.id}",
            rule="M14",
            id=entry.id,
            version=entry.version,
        )


def _again(desk: Desk, caller: Caller, noted: Mapping[str, Any]) -> Changed:
    apart = sight.walls_of(caller, context.settings_of(desk))
    entry = keeping.at_version(desk, str(noted["entry"]), int(noted["version"]))
    if entry is None:
        raise Refused("call.gone", "what this call accepted is not there any more", rule="M9", hint="read it again")
    return Changed(sight.veiled(desk, [entry], apart)[0], False, desk.now)


def resume(desk: Desk, caller: Caller, door: str, document: Mapping[str, Any], approved: Approved) -> Changed | Asked:
    """Run a call that was asked about, as it was shown (G31)."""
    asked = Accept(**{"version": None, **document["arguments"]}, call_id=str(document.get("call_id", "")))
    gate.scan(_arguments(asked))
    return write(desk, caller, door, asked, approved=approved)
