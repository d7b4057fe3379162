"""Who acts, on which store, at what time: the start of every action.

Promises that every transaction finds out anew who its caller is (a token that was disabled, a job that has
ended, act no more) and that a caller is a principal or an agent's job, never both by choice (G1, G2). Leaves
what they may do to ``rules/permission``, and what they may read to ``sight``.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from oz0mem.model.errors import Forbidden
from oz0mem.model.settings import Settings
from oz0mem.rules import permission

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.ports import Desk, Keys, Store
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.declarations import Declaration

T = TypeVar("T")


class Context(NamedTuple):
    """A store, a clock, what the caller shows (a principal's token or a job's), and the machine's signing keys."""

    store: Store
    clock: Callable[[], int]
    token: str = ""
    job: str = ""
    door: str = "cli"
    keys: Keys | None = None

    def read(self, act: Callable[[Desk], T]) -> T:
        """Run ``act`` on one snapshot of the store."""
        return self.store.read(self.clock(), act)

    def write(self, act: Callable[[Desk], T]) -> T:
        """Run ``act`` under the tenant's lock; what an earlier erasure left open is finished after it (L21)."""
        return self._finishing(self.store.write, act)

    def record(self, act: Callable[[Desk], T]) -> T:
        """Record what is about to be shown, without waiting for the disk (L14)."""
        return self._finishing(self.store.record, act)

    def govern(self, act: Callable[[Desk], T]) -> T:
        """Run a governance change."""
        return self._finishing(self.store.govern, act)

    def _finishing(self, run: Callable[[int, Callable[[Desk], T]], T], act: Callable[[Desk], T]) -> T:
        left: list[int] = []

        def seen(desk: Desk) -> T:
            left.append(desk.head.open_erasures)
            return act(desk)

        answer = run(self.clock(), seen)
        if left[-1]:
            from oz0mem.actions.erasing import finish_open

            finish_open(self, patience=0.2)
        return answer


class Caller(NamedTuple):
    """Who acts: the principal, or the job with the one who started it."""

    name: str
    number: int
    role: str
    job: JobRecord | None = None
    declaration: Declaration | None = None

    @property
    def is_agent(self) -> bool:
        """Whether an agent acts inside a job."""
        return self.job is not None


def digest(token: str) -> bytes:
    """The hash by which a token is stored and found (G1)."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def caller_of(desk: Desk, context: Context) -> Caller:
    """Find out who acts.

    Raises:
        Forbidden: ``auth.none``, ``auth.unknown``, ``auth.disabled`` or ``job.ended``, rule G1.
    """
    if context.job:
        return _job_caller(desk, context.job)
    if not context.token:
        raise Forbidden(
            "auth.none",
            "this command acts as somebody, and no token was given",
            hint="oz0mem login, or put a token into OZ0MEM_TOKEN",
            rule="G1",
        )
    principal = desk.identity.principal_by_token(digest(context.token))
    if principal is None:
        raise Forbidden(
            "auth.unknown",
            "that token is nobody's here",
            hint="oz0mem login with the token that is yours",
            rule="G1",
        )
    if principal.disabled:
        raise Forbidden("auth.disabled", "that principal is disabled", hint="ask an admin", rule="G1")
    return Caller(principal.name, principal.number, principal.role)


def _job_caller(desk: Desk, token: str) -> Caller:
    job = desk.identity.job_by_token(digest(token))
    if job is None:
        raise Forbidden("auth.unknown", "that job token is no job's here", hint="oz0mem job start AGENT", rule="G1")
    if job.ended or job.expires <= desk.now:
        raise Forbidden("job.ended", f"job {job.id} has ended", hint="oz0mem job start AGENT", rule="G2", job=job.id)
    return caller_of_job(desk, job)


def caller_of_job(desk: Desk, job: JobRecord | None) -> Caller:
    """The agent of a job as it may act now, whether its token has run out or not.

    Raises:
        Forbidden: ``auth.disabled`` where its starter may act no more, or its agent is not declared.
    """
    from oz0mem.model.declarations import from_document

    starter = desk.identity.principal(job.starter) if job is not None else None
    document = desk.identity.agent(job.agent) if job is not None else None
    if starter is None or starter.disabled or document is None:
        raise Forbidden("auth.disabled", "whoever started that job may act no more", hint="ask an admin", rule="G1")
    return Caller(starter.name, starter.number, starter.role, job, from_document(document))


def person_of(desk: Desk, context: Context, deed: str) -> Caller:
    """The caller, who has to be a person of a role that may do a deed (G3).

    Raises:
        Forbidden: ``role.agent`` where an agent asks for what is a person's, or ``role.forbidden``.
    """
    caller = caller_of(desk, context)
    if caller.is_agent:
        raise Forbidden(
            "role.agent",
            "that is for a person to do, never for an agent's job",
            hint="unset OZ0MEM_JOB and act with your own token",
            rule="G3",
        )
    permission.check(caller.role, deed)
    return caller


def actor(desk: Desk, caller: Caller) -> dict[str, Any]:
    """The caller as the ledger names them (L2): people by handle, agents by name."""
    if caller.job is not None:
        return {"kind": "agent", "ref": caller.job.agent, "verified": True}
    kind = "service" if caller.role == "host" else "person"
    return {"kind": kind, "ref": desk.names.actor_handle(caller.number), "verified": True}


SYSTEM: dict[str, Any] = {"kind": "system", "ref": "oz0mem", "verified": True}
"""The program itself, as the ledger names it."""


def settings_of(desk: Desk) -> Settings:
    """The tenant's settings in force."""
    changed = desk.identity.settings()
    if not changed:
        return Settings()
    values = {name: row[0] for name, row in changed.items()}
    for pairs in ("compatible", "apart"):
        if pairs in values:
            values[pairs] = tuple((str(a), str(b)) for a, b in values[pairs])
    return Settings(**values)
