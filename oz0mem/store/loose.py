"""What stands beside entries and goes with an entry or a person: calls, reasons, proposals, reading, threads (G41).

Promises that the rows are deleted and that whoever asks is told what has to be overwritten, and which keyed hashes
had led to it. Leaves approvals, links and bookmarks to ``agreed``, and the overwriting to ``erasing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.store import mapping
from oz0mem.store.agreed import Agreed
from oz0mem.store.bodies import Bodies
from oz0mem.store.taken import Taken
from oz0mem.store.unlinking import Unlinking
from oz0mem.store.words import Words

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from oz0mem.store.work import Work


class Loose:
    """What stands beside the entries of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.bodies = Bodies(work)
        self.words = Words(work)
        self.agreed = Agreed(work)

    def stands_about(self, about: int, keep: Container[int] = ()) -> bool:
        """Whether anything stands about a person beside entries, and beside approvals to keep."""
        tenant = self.work.tenant
        read = (
            "SELECT 1 FROM job_read WHERE tenant = ? AND job IN"
            " (SELECT num FROM job WHERE tenant = ? AND person = ?) LIMIT 1"
        )
        return (
            any(
                self.work.row(f"SELECT 1 FROM {table} WHERE tenant = ? AND about = ? LIMIT 1", (tenant, about))
                for table in ("call", "reason")
            )
            or self.work.row(read, (tenant, tenant, about)) is not None
            or bool(self._own_threads(about))
            or self.agreed.stands_about(about, keep)
        )

    def take_about(self, about: int, keep: Container[int] = ()) -> Taken:
        """Take what is about a person: answers to calls, reasons, what jobs read, threads, approvals, bookmarks.

        Args:
            about: the person's number.
            keep: numbers of the approvals that a legal hold preserves.
        """
        reasons = self.work.rows(
            "SELECT num, body FROM reason WHERE tenant = ? AND about = ?", (self.work.tenant, about)
        )
        words = self._drop_reasons([row[0] for row in reasons])
        bodies = [row[1] for row in reasons] + self._read_by_jobs_of(about)
        agreed = self.agreed.take_about(about, keep)
        return self._calls("about", about).joined(Taken(bodies, words, []), self._threads_of(about), agreed)

    def take_beside(self, entry: int) -> Taken:
        """Take what is about an entry: answers to calls, reasons, proposals to retire it, approvals, links."""
        tenant = self.work.tenant
        reasons = self.work.rows("SELECT num, body FROM reason WHERE tenant = ? AND entry = ?", (tenant, entry))
        said = self.work.rows("SELECT reason FROM proposal WHERE tenant = ? AND entry = ?", (tenant, entry))
        self.work.run("DELETE FROM proposal WHERE tenant = ? AND entry = ?", (tenant, entry))
        linked = self.agreed.reasons_of_links(entry)
        bodies = [*(row[1] for row in (*reasons, *linked)), *(row[0] for row in said)]
        words = self._drop_reasons([row[0] for row in (*reasons, *linked)])
        agreed = self.agreed.take_beside(entry)
        return self._calls("entry", entry).joined(Taken(bodies, words, []), agreed)

    def take_asked(self, entry: int) -> Taken:
        """Take the approvals of an entry, which hold what it said."""
        return self.agreed.take_approvals(entry)

    def take_reasons(self, numbers: Sequence[int]) -> Taken:
        """Take reasons, and proposals that say the same."""
        bodies: list[int] = []
        for number in numbers:
            row = self.work.row(
                "SELECT body, entry FROM reason WHERE tenant = ? AND num = ?", (self.work.tenant, number)
            )
            if row:
                bodies += [row[0], *self._proposed(row[1], row[0])]
        return Taken(bodies, self._drop_reasons(numbers), [])

    def _calls(self, column: str, number: int) -> Taken:
        where = f"FROM call WHERE tenant = ? AND {column} = ?"
        rows = self.work.rows(f"SELECT hash, body {where}", (self.work.tenant, number))
        self.work.run(f"DELETE {where}", (self.work.tenant, number))
        return Taken([row[1] for row in rows], [], [row[0] for row in rows])

    def _proposed(self, entry: int, reason: int) -> list[int]:
        """The bodies of proposals to retire an entry that say the same as a reason (M34)."""
        if not entry:
            return []
        said = mapping.parse(self.bodies.get(reason)).get("reason", "")
        rows = self.work.rows("SELECT reason FROM proposal WHERE tenant = ? AND entry = ?", (self.work.tenant, entry))
        return [row[0] for row in rows if self.bodies.get(row[0]).decode("utf-8", "replace") == said]

    def _drop_reasons(self, numbers: Sequence[int]) -> list[int]:
        words: list[int] = []
        for number in numbers:
            orphans = self.words.take(number)
            self.words.drop(orphans)
            words += orphans
            self.work.run("DELETE FROM reason WHERE tenant = ? AND num = ?", (self.work.tenant, number))
        return words

    def _threads_of(self, person: int) -> Taken:
        """Take the names of a person's own threads; the indexes that have moved their hashes are built anew."""
        unlinking, names = Unlinking(self.work), tuple[bytes, ...]()
        own = self._own_threads(person)
        for thread, _ in own:
            names += tuple(unlinking.scatter(thread))
            self.work.run("UPDATE job SET thread = 0 WHERE tenant = ? AND thread = ?", (self.work.tenant, thread))
        if names:
            unlinking.rebuild()
        return Taken([body for _, body in own], [], [], names)

    def _own_threads(self, person: int) -> list[tuple[int, int]]:
        """A person's threads that nobody else's job and no entry is in any more, each with the body of its name."""
        rows = self.work.rows(
            "SELECT DISTINCT j.thread, n.body FROM job j JOIN name n ON n.tenant = j.tenant AND n.num = j.thread"
            " WHERE j.tenant = ? AND j.person = ? AND j.thread > 0"
            " AND NOT EXISTS"
            " (SELECT 1 FROM version v WHERE v.tenant = j.tenant AND v.scope = j.thread AND v.newest = 1)"
            " AND NOT EXISTS"
            " (SELECT 1 FROM job o WHERE o.tenant = j.tenant AND o.thread = j.thread AND o.person <> j.person)",
            (self.work.tenant, person),
        )
        return [(row[0], row[1]) for row in rows]

    def _read_by_jobs_of(self, person: int) -> list[int]:
        tenant = self.work.tenant
        rows = self.work.rows(
            "SELECT job, num, body FROM job_read WHERE tenant = ? AND job IN"
            " (SELECT num FROM job WHERE tenant = ? AND person = ?)",
            (tenant, tenant, person),
        )
        self.work.run_each(
            "DELETE FROM job_read WHERE tenant = ? AND job = ? AND num = ?",
            ((tenant, row[0], row[1]) for row in rows),
        )
        return [row[2] for row in rows]
