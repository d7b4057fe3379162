"""Jobs: started, read, shown and ended by whoever starts them, never by the agent (G1, G2).

Promises that a job's token is shown once and kept as a hash, and that what a job has read only lowers trust.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import context, gate, refusals
from oz0mem.model.actors import JobRecord
from oz0mem.model.declarations import from_document
from oz0mem.model.errors import Forbidden, Invalid, NotFound, Refused
from oz0mem.model.kinds import PUBLISHED, UNREVIEWED, lower
from oz0mem.model.moments import HOUR
from oz0mem.model.names import OF_PERSON, check_name, check_project, check_subject, check_thread, project_within
from oz0mem.rules import permission
from oz0mem.rules.about import common_projects, projects_of

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.declarations import Declaration

LASTS = 24 * HOUR
"""Microseconds that a job lasts unless it is ended before."""


class Start(NamedTuple):
    """What a starter fixes (G2)."""

    agent: str
    purpose: str = ""
    about: str = ""
    projects: tuple[str, ...] = ()
    thread: str = ""
    compartments: tuple[str, ...] = ()
    sees: str = ""


class Job(NamedTuple):
    """A job with what it has read; the token only where it was just made."""

    record: JobRecord
    read: list[str]
    token: str = ""


@refusals.told("job")
def start(ctx: Context, asked: Start) -> Job:
    """Start a job of an agent.

    Raises:
        NotFound: ``agent.unknown``.
        Refused: where the purpose or a project is not the agent's, or two compartments are kept apart.
        Forbidden: where the starter may not start it about that person.
    """
    gate.scan(asked._asdict())
    return ctx.record(lambda desk: start_at(desk, ctx, asked))


def _unknown(desk: Desk, caller: Caller) -> NotFound:
    """The refusal of an agent that is not declared; whoever may list the agents is told some."""
    hint = "ask an admin which agents are declared"
    if not caller.is_agent and permission.may(caller.role, "see"):
        known = ", ".join(name for name, _, _ in desk.identity.agents()[:5])
        hint = f"declared are {known}" if known else "oz0mem agent declare FILE --reason '…'"
    return NotFound("agent.unknown", "no agent of that name is declared", hint=hint, rule="G2")


def start_at(desk: Desk, ctx: Context, asked: Start) -> Job:
    """Start a job inside a transaction."""
    caller = context.caller_of(desk, ctx)
    gate.scan_own(desk, asked._asdict())
    if not caller.is_agent:
        permission.check(caller.role, "start")
    asked = _check(asked)
    document = desk.identity.agent(asked.agent)
    if document is None:
        raise _unknown(desk, caller)
    declaration = from_document(document)
    _check_projects(declaration, asked.projects)
    asked = _inherited(caller, asked, declaration) if caller.job is not None else asked
    _check_purpose(declaration, asked.purpose)
    _check_walls(desk, asked.compartments)
    if caller.job is None and not asked.projects:
        asked = asked._replace(projects=declaration.projects)
    _check_about(desk, caller, asked.about)
    token = desk.random(32).hex()
    stored = desk.identity.put_job(_record(desk, caller, asked), context.digest(token))
    _tell_start(desk, caller, stored)
    read = desk.identity.read_by_job(caller.job.number) if caller.job else []
    for source in read:
        desk.identity.note_read(stored.number, source, stored.tier)
    return Job(stored, read, token)


def _record(desk: Desk, caller: Caller, asked: Start) -> JobRecord:
    """The job as it is fixed now; one that a job starts ends with it at the latest, and is trusted no further."""
    ends = desk.now + LASTS
    return JobRecord(
        number=0,
        id=f"j-{desk.random(6).hex()}",
        agent=asked.agent,
        purpose=asked.purpose,
        about=asked.about,
        person=asked.about or ("" if caller.role == "host" else caller.name),
        starter=caller.name,
        thread=f"thread:{asked.thread}" if asked.thread else "",
        sees=asked.sees,
        tier=caller.job.tier if caller.job else asked.sees or UNREVIEWED,
        created=desk.now,
        expires=min(ends, caller.job.expires) if caller.job else ends,
        ended=0,
        projects=asked.projects,
        compartments=asked.compartments,
    )


def _tell_start(desk: Desk, caller: Caller, job: JobRecord) -> None:
    told = {"job": job.id, "agent": job.agent}
    if job.purpose:
        told["purpose"] = job.purpose
    if job.sees:
        told["sees"] = job.sees
    if job.about:
        told["subject"] = desk.names.subject_handle(desk.names.ensure(OF_PERSON, job.about))
    desk.ledger.append("job.started", context.actor(desk, caller), told)


def _check(asked: Start) -> Start:
    if asked.sees not in ("", "person", PUBLISHED):
        raise Invalid("job.sees", "a promise is person or published", hint="--sees person", rule="G2")
    return asked._replace(
        agent=check_name(asked.agent, "agent"),
        purpose=check_name(asked.purpose, "purpose") if asked.purpose else "",
        about=check_subject(asked.about) if asked.about else "",
        projects=tuple(check_project(project) for project in asked.projects),
        thread=check_thread(asked.thread) if asked.thread else "",
        compartments=tuple(sorted({check_name(each, "compartment") for each in asked.compartments})),
    )


def _inherited(caller: Caller, asked: Start, declaration: Declaration) -> Start:
    """A job started by a job takes over its facts; it may have fewer projects, never more (G2)."""
    job = caller.job
    assert job is not None and caller.declaration is not None  # asked only for a job's caller
    reach = projects_of(job, caller.declaration)
    if any(not any(project_within(each, own) for own in reach) for each in asked.projects):
        raise Refused(
            "job.projects",
            "a job's own job may have fewer projects, never more",
            rule="G2",
            hint="leave them out",
        )
    if asked.thread and f"thread:{asked.thread}" != job.thread:
        raise Refused(
            "job.thread",
            "a job's own job runs in its thread or in none",
            rule="G2",
            hint="leave --thread out",
        )
    return asked._replace(
        purpose=job.purpose,
        about=job.about,
        compartments=job.compartments,
        projects=asked.projects or common_projects(reach, declaration),
        sees=job.sees,
    )


def _check_purpose(declaration: Declaration, purpose: str) -> None:
    if purpose and purpose not in declaration.purposes:
        able = ", ".join(declaration.purposes) or "none"
        raise Refused(
            "job.purpose",
            f"{declaration.name} is not declared for that purpose; its purposes are: {able}",
            hint="add it to `purposes` of its declaration",
            rule="G2",
            purposes=list(declaration.purposes),
        )


def _check_walls(desk: Desk, compartments: tuple[str, ...]) -> None:
    """Refuse a job that would begin on both sides of a wall, whoever starts it (M25)."""
    for one, other in context.settings_of(desk).apart:
        if one in compartments and other in compartments:
            raise Refused(
                "job.compartments",
                f"the tenant keeps {one} and {other} apart, so no job begins with both",
                hint="start a job for each",
                rule="M25",
                apart=[one, other],
            )


def _check_projects(declaration: Declaration, projects: tuple[str, ...]) -> None:
    outside = [each for each in projects if not any(project_within(each, own) for own in declaration.projects)]
    if declaration.projects and outside:
        raise Refused(
            "job.projects",
            f"{declaration.name} is declared for projects {', '.join(declaration.projects)} only",
            hint="name one of them or leave --project out",
            rule="G2",
        )


def _check_about(desk: Desk, caller: Caller, about: str) -> None:
    if not about or caller.job is not None:
        return
    known = desk.names.folded(OF_PERSON, about)
    if known and known != about:
        raise Refused(
            "name.spelling",
            f"that person is known by another spelling: {known}",
            hint=f"--about {known}",
            rule="M4",
        )
    if caller.role == "member" and about != caller.name:
        raise Forbidden(
            "job.about",
            "a member starts jobs about nobody or about themself",
            hint="leave --about out",
            rule="G2",
        )


@refusals.told("job")
def read(ctx: Context, job_id: str, source: str, *, published: bool) -> Job:
    """Report that a job has read a source; it only lowers trust (G2)."""
    from oz0mem.rules.arguments import check_key

    gate.scan({"source": source})
    checked = check_key(source, "source")
    return ctx.write(lambda desk: _read(desk, ctx, job_id, checked, published=published))


def _read(desk: Desk, ctx: Context, job_id: str, source: str, *, published: bool) -> Job:
    gate.scan_own(desk, {"source": source})
    caller, job = _own_job(desk, ctx, job_id)
    tier = lower(job.tier, PUBLISHED if published else UNREVIEWED)
    desk.identity.note_read(job.number, source, tier)
    desk.identity.lower_job(job.number, tier)
    desk.ledger.append("job.read", context.actor(desk, caller), {"job": job.id, "tier": tier})
    return Job(job._replace(tier=tier), desk.identity.read_by_job(job.number))


def show(ctx: Context, job_id: str) -> Job:
    """A job as its starter fixed it, and what it has read."""

    def look(desk: Desk) -> Job:
        _, job = _own_job(desk, ctx, job_id)
        return Job(job, desk.identity.read_by_job(job.number))

    return ctx.read(look)


@refusals.told("job")
def end(ctx: Context, job_id: str) -> Job:
    """End a job: its token acts no more."""

    def act(desk: Desk) -> Job:
        caller, job = _own_job(desk, ctx, job_id)
        if not job.ended:
            desk.identity.end_job(job.number)
            desk.ledger.append("job.ended", context.actor(desk, caller), {"job": job.id})
        return Job(job._replace(ended=job.ended or desk.now), desk.identity.read_by_job(job.number))

    return ctx.write(act)


def _own_job(desk: Desk, ctx: Context, job_id: str) -> tuple[Caller, JobRecord]:
    """A job of the caller's, or any for an admin or a reviewer; a job sees itself."""
    caller = context.caller_of(desk, ctx)
    job = desk.identity.job(job_id)
    seen = job is not None and (
        (caller.job is not None and caller.job.id == job.id)
        or (caller.job is None and (job.starter == caller.name or permission.may(caller.role, "see_all")))
    )
    if job is None or not seen:
        raise NotFound("job.unknown", "there is no such job of yours", hint="oz0mem job start AGENT", rule="G2")
    return caller, job
