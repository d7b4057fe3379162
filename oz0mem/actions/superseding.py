"""``supersede``: an entry replaced by another text, by whoever read its newest version (M12, M15).

Promises that what a person accepted stays in force until a person accepts its replacement, and that a proposal which
nobody accepted gives way at once. Leaves the writing to ``keeping``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import asking, context, draft, gate, keeping, once, reach, refusals
from oz0mem.actions.acceptance import check_act
from oz0mem.actions.asking import Asked
from oz0mem.actions.keeping import Plan
from oz0mem.model.entries import BLANK
from oz0mem.model.errors import Refused
from oz0mem.model.kinds import ACTIVE, HELD, KINDS, PERSON
from oz0mem.model.names import check_scope
from oz0mem.rules import about as rule
from oz0mem.rules import arguments, holding, permission

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.asking import Approved, Call
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.keeping import Written
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


class Supersede(NamedTuple):
    """The arguments of ``supersede`` (M12); ``ends`` in microseconds UTC, ``written`` as it was typed."""

    id: str
    version: int | None
    text: str
    tags: tuple[str, ...] = ()
    source: dict[str, str] | None = None
    ends: int | None = None
    call_id: str = ""
    reason: str = ""
    written: tuple[tuple[str, str], ...] = ()


@refusals.told("supersede")
def supersede(ctx: Context, asked: Supersede) -> Written:
    """Replace an entry, naming the version that was read.

    Raises:
        Conflict: ``memory.stale``, ``memory.same``, or where its state allows no replacement.
        Refused: by M5, M6, M7, M21, G4 or G40; nothing is written then.
        Waiting: ``approval.waits``.
    """
    scan_held = gate.scan(_arguments(asked))
    if asked.call_id:
        once.check_call_id(asked.call_id)
    checked = asked._replace(
        text=arguments.check_text(asked.text, "note"),
        tags=arguments.check_tags(list(asked.tags)),
        source=arguments.check_source(asked.source) if asked.source else None,
        reason=arguments.check_reason(asked.reason) if asked.reason else "",
    )
    answer = ctx.write(lambda desk: write(desk, context.caller_of(desk, ctx), ctx.door, checked, scan_held=scan_held))
    return asking.wait(answer) if isinstance(answer, Asked) else answer


def _arguments(asked: Supersede) -> dict[str, Any]:
    return {name: value for name, value in asked._asdict().items() if isinstance(value, str | tuple | dict) and value}


def write(
    desk: Desk,
    caller: Caller,
    door: str,
    asked: Supersede,
    *,
    scan_held: bool,
    approved: Approved | None = None,
) -> Written | Asked:
    """Replace an entry inside a transaction, or let the call wait for a person."""
    gate.scan_own(desk, _arguments(asked))
    settings = context.settings_of(desk)
    kind = _kind_of(desk, asked.id)
    given = {name: value for name, value in asked._asdict().items() if name != "call_id"}
    call = asking.begin(
        desk,
        caller,
        door,
        "supersede",
        given,
        typed=dict(asked.written),
        call_id=asked.call_id,
        kind=kind,
        approved=approved,
    )
    noted = asking.noted(desk, call)
    if noted:
        return noted if isinstance(noted, Asked) else keeping.again(desk, call, noted)
    old = _old(desk, call, settings, asked)
    text = arguments.check_text(asked.text, old.kind)
    entry = _replacement(desk, call, settings, asked._replace(text=text), old, scan_held=scan_held)
    ending = [old] if old.state == HELD else []
    written = keeping.keep(desk, call, settings, Plan(entry, reason=asked.reason, over=old, ending=ending))
    if isinstance(written, Asked):
        return written
    keeping.show_similar(desk, call, written)
    keeping.note(desk, call, written)
    return written


def _kind_of(desk: Desk, entry_id: str) -> str:
    entry = desk.entries.by_id(entry_id)
    return entry.kind if entry is not None else ""


def _old(desk: Desk, call: Call, settings: Settings, asked: Supersede) -> Entry:
    """The entry to be replaced, which the caller may replace."""
    caller = call.caller
    if caller.declaration is not None:
        draft.check_call(caller.declaration, "supersede")
    else:
        permission.check(caller.role, "see")
    old = reach.find(desk, caller, settings, asked.id, asked.version)
    if caller.job is None:
        _check_person(caller, old)
    elif old.about_person and not rule.allowed(old.kind, old.about, caller.job):
        assert caller.declaration is not None  # the caller is an agent's job
        raise draft.people_off(caller.job, caller.declaration)
    # What waits for review and is no proposal is confirmed or rejected; nothing replaces it before.
    check_act(desk, "give_way" if old.state == HELD and KINDS[old.kind].proposal else "replace", old)
    return old


def _check_person(caller: Caller, old: Entry) -> None:
    """What a person replaces in their own name: notes and proposals about work; the rest they edit (M33)."""
    if old.about_person or KINDS[old.kind].learned:
        raise Refused(
            "memory.edit",
            "what an agent learnt, or is about a person, is rewritten by a person, not replaced",
            hint=f"oz0mem edit {old.id} TEXT",
            rule="M33",
            id=old.id,
        )
    permission.check(caller.role, "propose" if KINDS[old.kind].proposal else "review")


def _replacement(desk: Desk, call: Call, settings: Settings, asked: Supersede, old: Entry, *, scan_held: bool) -> Entry:
    """The new entry: kind, scope, subject, key and purpose of the old one; tags, source and end of the call (M12)."""
    caller = call.caller
    entry = BLANK._replace(
        kind=old.kind,
        text=asked.text,
        scope=old.scope,
        about=old.about,
        key=old.key,
        term=old.term,
        tags=asked.tags,
        source=dict(asked.source or {}),
        created=desk.now,
        at=desk.now,
    )
    held = holding.why_held(
        kind=old.kind,
        tier=caller.job.tier if caller.job else PERSON,
        review=settings.review,
        scope_kind=check_scope(old.scope)[0],
        scan_held=scan_held,
        asks=call.approved is not None and not KINDS[old.kind].proposal,
        forced=("procedural",) if caller.job and caller.job.about and old.kind == "procedural" else (),
    )
    if caller.job is not None and caller.declaration is not None:
        draft.check_kind_on(old.kind, caller.declaration)
        entry = draft.by_job(desk, call, entry, caller.job, caller.declaration, held)
        return draft.with_end(entry, desk.now, asked.ends, settings, caller.declaration)
    entry = entry._replace(
        tier=PERSON,
        held=held,
        state=HELD if held else ACTIVE,
        by=caller.name,
        origin="person",
        purpose=old.purpose,
        # A person reads across walls; what they reword stays on its side of them (M25).
        compartments=old.compartments,
    )
    return draft.with_end(entry, desk.now, asked.ends, settings, None)


def resume(desk: Desk, caller: Caller, door: str, document: Mapping[str, Any], approved: Approved) -> Written | Asked:
    """Run a call that was asked about, as it was shown (G31)."""
    given = dict(document["arguments"])
    given["tags"] = tuple(given.get("tags", ()))
    given["written"] = tuple((str(name), str(value)) for name, value in given.get("written", ()))
    asked = Supersede(**given, call_id=str(document.get("call_id", "")))
    return write(desk, caller, door, asked, scan_held=gate.scan(_arguments(asked)), approved=approved)
