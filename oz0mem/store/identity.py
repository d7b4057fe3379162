"""Who acts, read in plain SQL: principals and jobs by the hash of a token, agents, settings.

Promises that a token is found by its hash alone (G1) and that reading any of this imports no framework (Q1).
Jobs are written here too (hosts start them all the time); principals, agents and settings by ``governance``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model.actors import JobRecord, Principal
from oz0mem.model.names import OF_AGENT, OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.dialects import as_bytes, is_plain
from oz0mem.store.names import Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.store.work import Work


_JOB = (
    "SELECT num, id, agent, purpose, about, person, starter, thread, sees, tier, created, expires, ended, body"
    " FROM job WHERE tenant = ?"
)


class Identity:
    """Principals, jobs, agents and settings of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)
        self.bodies = Bodies(work)

    def principal_by_token(self, digest: bytes) -> Principal | None:
        """The principal whose token hashes to this."""
        row = self.work.row(
            "SELECT num, role, disabled, created, token FROM principal WHERE tenant = ? AND token = ?",
            (self.work.tenant, digest),
        )
        return self._principal(row) if row and as_bytes(row[4]) == digest else None

    def principal(self, name: str) -> Principal | None:
        """The principal of that name."""
        row = self.work.row(
            "SELECT num, role, disabled, created, token FROM principal WHERE tenant = ? AND num = ?",
            (self.work.tenant, self.names.find(OF_PERSON, name)),
        )
        return self._principal(row) if row else None

    def principals(self) -> list[Principal]:
        """Every principal, by name."""
        rows = self.work.rows(
            "SELECT num, role, disabled, created, token FROM principal WHERE tenant = ?", (self.work.tenant,)
        )
        self.names.spelled(row[0] for row in rows)
        return sorted((self._principal(row) for row in rows), key=lambda principal: principal.name)

    def _principal(self, row: tuple[Any, ...]) -> Principal:
        name = self.names.spelled([row[0]]).get(row[0], "")
        return Principal(row[0], name, mapping.role(row[1]), bool(row[2]), row[3])

    def put_job(self, job: JobRecord, token: bytes) -> JobRecord:
        """Write a new job; ``token`` is the hash of its token."""
        number = self.work.number()
        body = self.bodies.put(mapping.dump({"projects": list(job.projects), "compartments": list(job.compartments)}))
        self.work.run(
            "INSERT INTO job (tenant, num, id, token, agent, purpose, about, person, starter, thread, sees, tier,"
            " created, expires, ended, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.work.tenant,
                number,
                job.id,
                token,
                self.names.ensure(OF_AGENT, job.agent),
                self.names.ensure(OF_PURPOSE, job.purpose),
                self.names.ensure(OF_PERSON, job.about),
                self.names.ensure(OF_PERSON, job.person),
                self.names.ensure(OF_PERSON, job.starter),
                self.names.ensure(OF_SCOPE, job.thread),
                mapping.TIERS.index(job.sees) if job.sees else -1,
                mapping.TIERS.index(job.tier),
                job.created,
                job.expires,
                0,
                body,
            ),
        )
        return job._replace(number=number)

    def job_by_token(self, digest: bytes) -> JobRecord | None:
        """The job whose token hashes to this."""
        return self._job(self.work.row(f"{_JOB} AND token = ?", (self.work.tenant, digest)))

    def job(self, job_id: str) -> JobRecord | None:
        """The job of that id."""
        if not is_plain(job_id):
            return None
        return self._job(self.work.row(f"{_JOB} AND id = ?", (self.work.tenant, job_id)))

    def job_of(self, number: int) -> JobRecord | None:
        """The job of that number."""
        return self._job(self.work.row(f"{_JOB} AND num = ?", (self.work.tenant, number)))

    def _job(self, row: tuple[Any, ...] | None) -> JobRecord | None:
        if row is None:
            return None
        number, job_id, agent, purpose, about, person, starter, thread, sees, tier, *times, body = row
        names = self.names.spelled((agent, purpose, about, person, starter, thread))
        document = mapping.parse(self.bodies.get(body))
        created, expires, ended = times
        return JobRecord(
            number=number,
            id=job_id,
            agent=names.get(agent, ""),
            purpose=names.get(purpose, ""),
            about=names.get(about, ""),
            person=names.get(person, ""),
            starter=names.get(starter, ""),
            thread=names.get(thread, ""),
            sees=mapping.TIERS[sees] if sees >= 0 else "",
            tier=mapping.TIERS[tier],
            created=created,
            expires=expires,
            ended=ended,
            projects=tuple(document.get("projects", ())),
            compartments=tuple(document.get("compartments", ())),
            startup=_startup(document.get("startup")),
        )

    def lower_job(self, number: int, tier: str) -> None:
        """Note the tier that a job has come down to; it never rises (G2)."""
        self.work.run(
            "UPDATE job SET tier = ? WHERE tenant = ? AND num = ? AND tier < ?",
            (mapping.TIERS.index(tier), self.work.tenant, number, mapping.TIERS.index(tier)),
        )

    def join_compartments(self, number: int, compartments: Sequence[str]) -> tuple[str, ...]:
        """Add compartments to those of a job (M24), which only grow; answers all that it has now."""
        noted = self._document(number).get("compartments", ())
        joined = sorted({*noted, *compartments})
        if joined != sorted(noted):
            self._note(number, compartments=joined)
        return tuple(joined)

    def note_startup(self, number: int, shown: Sequence[tuple[int, int]]) -> None:
        """Note what a job started with, the number and version of each entry (M27), never a text."""
        self._note(number, startup=[list(pair) for pair in shown])

    def _document(self, number: int) -> dict[str, Any]:
        """What stands in a job's document; nothing where there is no such job."""
        row = self.work.row("SELECT body FROM job WHERE tenant = ? AND num = ?", (self.work.tenant, number))
        return mapping.parse(self.bodies.get(row[0])) if row is not None else {}

    def _note(self, number: int, **changes: object) -> None:
        """Change what stands in a job's document, the rest of it as it was."""
        row = self.work.row("SELECT body FROM job WHERE tenant = ? AND num = ?", (self.work.tenant, number))
        if row is None:
            return
        document = mapping.parse(self.bodies.get(row[0]))
        self.bodies.overwrite([row[0]])
        body = self.bodies.put(mapping.dump({**document, **changes}))
        self.work.run("UPDATE job SET body = ? WHERE tenant = ? AND num = ?", (body, self.work.tenant, number))

    def end_job(self, number: int) -> None:
        """End a job now."""
        self.work.run(
            "UPDATE job SET ended = ? WHERE tenant = ? AND num = ?", (self.work.now, self.work.tenant, number)
        )

    def read_by_job(self, number: int) -> list[str]:
        """The sources that a job has read, in order, each once."""
        rows = self.work.rows(
            "SELECT body FROM job_read WHERE tenant = ? AND job = ? ORDER BY num", (self.work.tenant, number)
        )
        bodies = self.bodies.many(row[0] for row in rows)
        return list(dict.fromkeys(bodies[row[0]].decode() for row in rows if bodies.get(row[0])))

    def note_read(self, number: int, source: str, tier: str) -> None:
        """Note a source that a job has read."""
        self.work.run(
            "INSERT INTO job_read (tenant, job, num, tier, body) VALUES (?, ?, ?, ?, ?)",
            (
                self.work.tenant,
                number,
                self.work.number(),
                mapping.TIERS.index(tier),
                self.bodies.put(source.encode()),
            ),
        )

    def agent(self, name: str) -> dict[str, Any] | None:
        """The declaration in force of an agent, as its document."""
        row = self.work.row(
            "SELECT body, at FROM agent WHERE tenant = ? AND num = ?",
            (self.work.tenant, self.names.find(OF_AGENT, name)),
        )
        return _declaration(self.bodies.get(row[0])) if row else None

    def agents(self) -> list[tuple[str, dict[str, Any], int]]:
        """Every declared agent by name, with its document and when it was declared."""
        rows = self.work.rows("SELECT num, body, at FROM agent WHERE tenant = ?", (self.work.tenant,))
        names = self.names.spelled(row[0] for row in rows)
        bodies = self.bodies.many(row[1] for row in rows)
        return sorted(
            ((names.get(row[0], ""), _declaration(bodies.get(row[1], b"")), row[2]) for row in rows),
            key=lambda declared: declared[0],
        )

    def settings(self) -> dict[str, tuple[Any, str, int]]:
        """Settings that differ or differed from their default: value, who changed it last, when."""
        rows = self.work.rows("SELECT name, body, at, writer FROM setting WHERE tenant = ?", (self.work.tenant,))
        if not rows:
            return {}
        bodies = self.bodies.many(row[1] for row in rows)
        names = self.names.spelled(row[3] for row in rows)
        return {
            row[0]: (mapping.parse(bodies.get(row[1], b"")).get("value"), names.get(row[3], ""), row[2]) for row in rows
        }

    def own_secrets(self) -> dict[int, set[bytes]]:
        """The tenant's own secrets: length in characters to keyed hashes (M8)."""
        found: dict[int, set[bytes]] = {}
        for length, digest in self.work.rows("SELECT length, digest FROM secret WHERE tenant = ?", (self.work.tenant,)):
            found.setdefault(length, set()).add(as_bytes(digest))
        return found

    def secrets(self) -> list[tuple[int, int, int, str]]:
        """The tenant's own secrets without what they are: number, length, when and by whom registered."""
        rows = self.work.rows(
            "SELECT num, length, at, writer FROM secret WHERE tenant = ? ORDER BY num", (self.work.tenant,)
        )
        names = self.names.spelled(row[3] for row in rows)
        return [(row[0], row[1], row[2], names.get(row[3], "")) for row in rows]


def _declaration(body: bytes) -> dict[str, Any]:
    """The document of a declaration, without the key that its commitment was made by."""
    document = mapping.parse(body)
    document.pop("k", None)
    return document


def _startup(noted: object) -> tuple[tuple[int, int], ...] | None:
    """What a job started with, as it was noted; what is no pair of numbers (altered) is left out."""
    if not isinstance(noted, list):
        return None
    pairs = [tuple(pair) for pair in noted if isinstance(pair, list)]
    return tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2 and all(type(each) is int for each in pair))
