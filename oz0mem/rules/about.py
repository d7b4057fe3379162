"""Whom an entry is about, and where it lives (M4, M5, G4).

Promises that the writer's word is not enough: a job with a data subject writes about that person, whatever it
claims. Leaves whether memory about people is on to ``allowed``, which answers no until an admin turned it on,
and M5's one exception.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.errors import Refused
from oz0mem.model.kinds import KINDS, PROCEDURAL, RULE, THREAD
from oz0mem.model.names import check_scope, check_subject, project_within, with_article

if TYPE_CHECKING:
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.declarations import Declaration

WORK = "work"
_WORDS = ("work", "person", "me", "thread", "everyone")


class Target(NamedTuple):
    """``about`` (``work`` or a person), the scope that the words ask for ('' for the default), forced reasons."""

    about: str
    scope: str
    forced: tuple[str, ...]


def target(about: str, kind: str, job: JobRecord) -> Target:
    """Whom a job's entry is about (M4).

    Args:
        about: ``work``, ``person``, ``me``, ``thread``, ``everyone`` or a subject id.
        kind: the entry's kind.
        job: the job that writes.

    Raises:
        Refused: ``memory.about`` where somebody else is named, or nobody is there.
    """
    named = "" if about in _WORDS else check_subject(about)
    if kind == PROCEDURAL:
        if named or about == "person":
            raise _refused("a procedure is never about anybody", "leave --about out")
        return Target(WORK, _scope_of(about, job), ("procedural",) if job.about else ())
    if kind == RULE and (job.about or named or about == "person"):
        raise _refused("a rule is never about anybody, and this would be", "leave --about out, in a job about nobody")
    if job.about:
        if named and named != job.about:
            raise _refused("this job is about one person and may write about nobody else", "leave --about out")
        return Target(job.about, "", ())
    if KINDS[kind].learned or about == "person" or named:
        if not job.person:
            raise _refused(
                f"{with_article(kind)} is about the job's person, and this job has none", "start the job with --about S"
            )
        if named and named != job.person:
            raise _refused("a job writes about its own person and nobody else", "start a job with --about S")
        return Target(job.person, "", ())
    return Target(WORK, _scope_of(about, job), ())


def _scope_of(about: str, job: JobRecord) -> str:
    if about == "me":
        return f"agent:{job.agent}"
    if about == "everyone":
        return "tenant"
    if about == "thread":
        if not job.thread:
            raise _refused("this job has no thread", "start the job with --thread T")
        return job.thread
    return ""


def _refused(why: str, hint: str) -> Refused:
    return Refused("memory.about", why, hint=hint, rule="M4")


def allowed(kind: str, about: str, job: JobRecord) -> bool:
    """Whether a job may keep memory about a person now (M5).

    Turning people on for an agent and a purpose comes with governance; until an admin can, the one exception
    stands alone: what is learnt about the person who started the job, of a kind that the declaration turned on.
    """
    return KINDS[kind].learned and about == job.starter and job.person == job.starter


def scope(asked: str, wanted: Target, kind: str, job: JobRecord, declaration: Declaration) -> str:
    """The scope that an entry is written to (Kinds, M4, G4).

    Args:
        asked: the scope that the call names, or ''.
        wanted: whom the entry is about, and the scope that ``about`` asked for.
        kind: the entry's kind.
        job: the job that writes.
        declaration: its agent's, whose grants narrow.

    Raises:
        Refused: ``memory.scope``.
    """
    own = f"agent:{job.agent}"
    if wanted.about != WORK:
        if asked and asked != own:
            raise Refused(
                "memory.scope",
                "what is about a person goes to the agent's own scope",
                hint="leave --scope out",
                rule="M4",
            )
        return granted(own, job, declaration, "write")
    chosen = asked or wanted.scope or (own if KINDS[kind].scope == "agent" else "tenant")
    projects = projects_of(job, declaration)
    if kind == RULE and not (asked or wanted.scope) and len(projects) == 1:
        chosen = f"project:{projects[0]}"
    return granted(chosen, job, declaration, "write")


def granted(chosen: str, job: JobRecord, declaration: Declaration, way: str) -> str:
    """A scope that a job may read or write, given back; its own, its projects', its thread, the tenant's (G4).

    Raises:
        Refused: ``memory.scope`` naming the scopes that it may.
    """
    kind, name = check_scope(chosen)
    projects = projects_of(job, declaration)
    reach = {
        "agent": name == job.agent,
        "project": any(project_within(name, project) for project in projects),
        "thread": chosen == job.thread,
        "tenant": True,
    }[kind]
    if not reach or not narrowed(chosen, declaration, way):
        able = [
            f"agent:{job.agent}",
            *(f"project:{project}" for project in projects),
            *filter(None, [job.thread]),
            "tenant",
        ]
        shown = [each for each in able if narrowed(each, declaration, way)]
        raise Refused(
            "memory.scope",
            f"agent {job.agent} may not {way} that scope in this job",
            hint=f"it may {way} " + (", ".join(shown) or "none"),
            rule="G4",
            scopes=shown,
        )
    return chosen


def projects_of(job: JobRecord, declaration: Declaration) -> tuple[str, ...]:
    """The projects that a job reaches: those fixed at its start, as far as the declaration still has them (M20)."""
    return common_projects(job.projects, declaration)


def common_projects(projects: tuple[str, ...], declaration: Declaration) -> tuple[str, ...]:
    """What projects have in common with those of a declaration; one without any leaves them all (G2, G4)."""
    if not declaration.projects:
        return projects
    below = [each for each in projects if any(project_within(each, own) for own in declaration.projects)]
    above = [own for own in declaration.projects if any(project_within(own, each) for each in projects)]
    return tuple(dict.fromkeys([*below, *above]))


def narrowed(chosen: str, declaration: Declaration, way: str) -> bool:
    """Whether a declaration's grants leave a scope: they only narrow, and a denial wins (G4)."""
    grants = declaration.grants
    if any(_covers(each, chosen, declaration) for each in grants.deny):
        return False
    listed = grants.read if way == "read" else grants.write
    return listed is None or any(_covers(each, chosen, declaration) for each in listed)


def _covers(grant: str, chosen: str, declaration: Declaration) -> bool:
    if grant == "agent":
        grant = f"agent:{declaration.name}"
    if grant == chosen or (grant == THREAD and chosen.startswith("thread:")):
        return True
    return (
        grant.startswith("project:")
        and chosen.startswith("project:")
        and project_within(chosen.removeprefix("project:"), grant.removeprefix("project:"))
    )


def mentions(text: str, person: str) -> bool:
    """Whether a text has a person's id as a whole word: in any spelling of it, no letter or digit beside (L5)."""
    from oz0mem.model.names import fold

    text, word = fold(text), fold(person)
    at = text.find(word)
    while at >= 0:
        before, after = text[max(at - 1, 0) : at], text[at + len(word) : at + len(word) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        at = text.find(word, at + 1)
    return False
