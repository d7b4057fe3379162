"""What a write would keep, before anything is written: about whom, where, how far trusted, until when.

Promises that an agent's entry carries its job's facts and never its own claims (G2, M4, M10). Leaves
sameness, keys and caps to ``keeping``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.entries import BLANK, Entry
from oz0mem.model.errors import Forbidden, Refused
from oz0mem.model.kinds import ACTIVE, HELD, KINDS, PERSON
from oz0mem.model.names import OF_PERSON, check_scope, with_article
from oz0mem.rules import about as rule
from oz0mem.rules import ends, holding, permission

if TYPE_CHECKING:
    from oz0mem.actions.asking import Call
    from oz0mem.actions.context import Caller
    from oz0mem.actions.entries import Remember
    from oz0mem.actions.ports import Desk
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.declarations import Declaration
    from oz0mem.model.settings import Settings


def draft_of(desk: Desk, call: Call, settings: Settings, asked: Remember, *, scan_held: bool) -> Entry:
    """Decide everything about an entry but whether it is new.

    Raises:
        Refused: by M4, M5, M6, G4 or the kinds.
        Forbidden: by G3 or G5.
    """
    if call.caller.job is not None and call.caller.declaration is not None:
        return _of_job(desk, call, call.caller.job, call.caller.declaration, settings, asked, scan_held=scan_held)
    return _of_person(desk, call.caller, settings, asked, scan_held=scan_held)


def _of_job(
    desk: Desk,
    call: Call,
    job: JobRecord,
    declaration: Declaration,
    settings: Settings,
    asked: Remember,
    *,
    scan_held: bool,
) -> Entry:
    check_call(declaration, call.function, text=True)
    check_kind_on(asked.kind, declaration)
    target = rule.target(asked.about, asked.kind, job)
    if target.about != rule.WORK and not rule.allowed(asked.kind, target.about, job):
        raise people_off(job, declaration)
    _check_one_place(asked.scope, target.scope)
    scope = rule.scope(asked.scope, target, asked.kind, job, declaration)
    held = holding.why_held(
        kind=asked.kind,
        tier=job.tier,
        review=settings.review,
        scope_kind=check_scope(scope)[0],
        core=asked.core,
        scan_held=scan_held,
        asks=call.approved is not None and not KINDS[asked.kind].proposal,
        forced=target.forced,
    )
    drafted = by_job(desk, call, _common(desk, asked), job, declaration, held)
    drafted = drafted._replace(scope=scope, about=_spelling(desk, target.about))
    return with_end(drafted, desk.now, asked.ends, settings, declaration)


def by_job(desk: Desk, call: Call, entry: Entry, job: JobRecord, declaration: Declaration, held: str) -> Entry:
    """What an entry carries of the job that writes it, whatever the call says (G2, M10).

    Of a call that waited it is what the job had read when it asked, as its approver was shown.
    """
    read = call.approved.read if call.approved is not None else desk.identity.read_by_job(job.number)
    return entry._replace(
        tier=job.tier,
        held=held,
        state=HELD if held else ACTIVE,
        purpose=job.purpose,
        agent=job.agent,
        by=job.starter,
        read=tuple(read),
        compartments=job.compartments,
        plugin=declaration.plugin if declaration.plugin != "none" else "",
        job=job.id,
        origin="agent",
        numbers=entry.numbers._replace(job=job.number),
    )


def _of_person(desk: Desk, caller: Caller, settings: Settings, asked: Remember, *, scan_held: bool) -> Entry:
    """A person's own write: about work, in the tenant's scope or a project's, of tier ``person``."""
    permission.check(caller.role, "propose" if KINDS[asked.kind].proposal else "write_work")
    if KINDS[asked.kind].learned:
        raise Refused(
            "memory.learned",
            f"{with_article(asked.kind)} entry is what an agent learnt in a job; people write notes",
            hint="name an agent with --agent, or leave --kind out",
            rule="M4",
        )
    if asked.about not in (rule.WORK, "everyone"):
        raise Refused(
            "memory.scope",
            "what is about a person goes to an agent's own scope, so it is written by that agent's job",
            hint="oz0mem remember --agent A --about S …",
            rule="M4",
        )
    _check_one_place(asked.scope, "tenant" if asked.about == "everyone" else "")
    scope = asked.scope or "tenant"
    kind, _ = check_scope(scope)
    if kind not in ("tenant", "project"):
        raise Refused(
            "memory.scope",
            "a person writes to the tenant's scope or to a project's",
            hint="--scope tenant or --scope project:NAME",
            rule="G4",
        )
    held = holding.why_held(
        kind=asked.kind,
        tier=PERSON,
        review=settings.review,
        scope_kind=kind,
        core=asked.core,
        scan_held=scan_held,
    )
    drafted = _common(desk, asked)._replace(
        scope=scope, tier=PERSON, held=held, state=HELD if held else ACTIVE, by=caller.name, origin="person"
    )
    return with_end(drafted, desk.now, asked.ends, settings, None)


def _common(desk: Desk, asked: Remember) -> Entry:
    return BLANK._replace(
        kind=asked.kind,
        text=asked.text,
        key=asked.key,
        term=asked.term,
        tags=asked.tags,
        source=dict(asked.source or {}),
        core=asked.core,
        created=desk.now,
        at=desk.now,
        valid_from=asked.valid_from or 0,
        valid_until=asked.valid_until or 0,
    )


def with_end(entry: Entry, now: int, given: int | None, settings: Settings, declaration: Declaration | None) -> Entry:
    """The entry with its end (M6): as given, or by default.

    Raises:
        Refused: ``memory.ends``.
    """
    retain = declaration.memory.retain if declaration is not None and KINDS[entry.kind].learned else None
    return entry._replace(ends=ends.ends_at(entry.kind, entry.tier, entry.about_person, now, given, settings, retain))


def _spelling(desk: Desk, about: str) -> str:
    """The person's name, refused where it only folds to a known one (Words: principal)."""
    if about == rule.WORK:
        return about
    known = desk.names.folded(OF_PERSON, about)
    if known and known != about:
        raise Refused(
            "name.spelling",
            f"that person is known by another spelling: {known}",
            hint=f"--about {known}",
            rule="M4",
            known=known,
        )
    return about


def check_call(declaration: Declaration, function: str, *, text: bool = False) -> None:
    """Refuse a function that the agent's declaration does not name (G5).

    Raises:
        Forbidden: ``agent.function``.
    """
    if not declaration.may_call(function, text=text):
        raise Forbidden(
            "agent.function",
            f"the declaration of {declaration.name} does not name {function}",
            hint="add the capability to its declaration: oz0mem agent declare FILE --reason '…'",
            rule="G5",
            agent=declaration.name,
            function=function,
        )


def check_kind_on(kind: str, declaration: Declaration) -> None:
    """Refuse a learned kind that the agent's declaration does not turn on (M5).

    Raises:
        Refused: ``memory.kind_off``.
    """
    if KINDS[kind].learned and kind not in declaration.memory.kinds():
        raise Refused(
            "memory.kind_off",
            f"{kind} memory is off for {declaration.name}",
            hint=f"declare it with memory: {{{kind}: true, retain: 720h0m0s}},"
            " then: oz0mem agent declare FILE --reason '…'",
            rule="M5",
            agent=declaration.name,
            kind=kind,
        )


def _check_one_place(asked: str, wanted: str) -> None:
    """``me``, ``thread`` and ``everyone`` say where an entry lives; a scope may not say otherwise (M4)."""
    if asked and wanted and asked != wanted:
        raise Refused(
            "memory.scope",
            f"what it is about keeps it in {wanted}, and the scope names another place",
            hint="leave --scope out, or --about",
            rule="M4",
        )


def people_off(job: JobRecord, declaration: Declaration) -> Refused:
    """M5's refusal: why, and the exact command that turns memory about people on."""
    why, hint = f"memory about people is off for {job.agent}", ""
    purpose = job.purpose or (declaration.purposes[0] if declaration.purposes else "")
    if not job.purpose:
        why += ", and a job without a purpose never keeps it"
        hint = f"; then start its job with --purpose {purpose or 'PURPOSE'}"
    return Refused(
        "memory.people_off",
        why,
        hint=f"Turn it on: oz0mem person {job.agent} --purpose {purpose or 'PURPOSE'} --reason '…'" + hint,
        rule="M5",
        agent=job.agent,
    )
