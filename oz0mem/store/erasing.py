"""Erasing in the tables: what goes, what stays, and what a broken-off erasure still has to do.

Promises L21's first step (everything overwritten and deleted in one transaction, noted so that it can be
finished after a crash) and G42 (id, version numbers and times stay, nothing that tells the person or text).
Leaves the files to ``scrubbing`` and the choice of what is erased to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.erasures import Gone, OpenErasure
from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.dialects import placeholders
from oz0mem.store.entries import Entries
from oz0mem.store.unlinking import Unlinking
from oz0mem.store.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oz0mem.model.entries import Entry
    from oz0mem.store.work import Work

_CHUNK = 400
_ENTRY, _BODY, _WORD = 0, 1, 2
_BLANKED = (
    "kind = 0, tier = 0, held = '', place = 0, scope = 0, about = 0, purpose = 0, agent = 0, writer = 0, job = 0,"
    " origin = 0, core = 0, restricted = 0, valid_from = 0, valid_until = 0, ended_at = ?, words = 0,"
    " content_words = 0, bytes = 0, same_hash = 0, key_hash = 0"
)


class Erasing:
    """Erasing of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.bodies = Bodies(work)
        self.words = Words(work)
        self.entries = Entries(work)

    def begin(self, action: str, about: int, basis: str, actor: dict[str, object]) -> int:
        """Note that an erasure begins; answers its number."""
        number = self.work.number()
        subject = self.entries.names.subject_handle(about) if about else ""
        self.work.run(
            "INSERT INTO erasure (tenant, num, action, about, basis, actor, at, subject)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (self.work.tenant, number, action, about, basis, mapping.dump(actor).decode(), self.work.now, subject),
        )
        self.work.change(open_erasures=self.work.head.open_erasures + 1)
        return number

    def erase_entry(self, erasure: int, entry: Entry) -> Gone:
        """Overwrite every version of an entry, take its postings, and blank its rows (G42)."""
        number = entry.numbers.entry
        rows = self._versions(number)
        orphans = self.words.take(number)
        self.words.drop(orphans)
        loose, words = self._loose(number)
        self._note(erasure, _ENTRY, [number])
        gone = self._overwrite(erasure, [*(row[1] for row in rows), *loose], [*orphans, *words])
        self.work.run(
            f"UPDATE version SET {_BLANKED}, state = ?, newest = CASE WHEN newest = 1 THEN 2 ELSE 0 END"
            " WHERE tenant = ? AND entry = ?",
            (self.work.now, mapping.STATES.index("erased"), self.work.tenant, number),
        )
        self.entries.use(entry.numbers.scope, -1, 0)
        self._uncount(rows)
        return gone

    def erase_versions(self, erasure: int, entry: Entry, before: int) -> Gone:
        """Overwrite the versions of an entry before one of them (M33); the entry itself stays."""
        number = entry.numbers.entry
        rows = [row for row in self._versions(number) if row[0] < before]
        self._note(erasure, _ENTRY, [number])
        gone = self._overwrite(erasure, [*(row[1] for row in rows), *self._strip_calls(number)], [])
        self.work.run(
            f"UPDATE version SET {_BLANKED}, state = ?, newest = 0 WHERE tenant = ? AND entry = ? AND v < ?",
            (self.work.now, mapping.STATES.index("erased"), self.work.tenant, number, before),
        )
        self._uncount(rows)
        return gone

    def _strip_calls(self, entry: int) -> list[int]:
        """Keep the answers of calls about an entry without the digests of arguments, which tell the old text."""
        stripped: list[int] = []
        for value, body in self.work.rows(
            "SELECT hash, body FROM call WHERE tenant = ? AND entry = ?", (self.work.tenant, entry)
        ):
            answer = mapping.parse(self.bodies.get(body))
            answer.pop("digest", None)
            self.work.run(
                "UPDATE call SET body = ? WHERE tenant = ? AND hash = ?",
                (self.bodies.put(mapping.dump(answer)), self.work.tenant, value),
            )
            stripped.append(body)
        return stripped

    def erase_words(self, erasure: int, orphans: Sequence[int]) -> Gone:
        """Overwrite words that an edit left without an entry; an erasure of 0 is none that has to be closed."""
        self.words.drop(orphans)
        if not erasure:
            return Gone([], self.bodies.overwrite(orphans, table="word"))
        return self._overwrite(erasure, [], orphans)

    def has_loose(self, about: int) -> bool:
        """Whether anything stands about a person beside entries."""
        return any(
            self.work.row(f"SELECT 1 FROM {table} WHERE tenant = ? AND about = ? LIMIT 1", (self.work.tenant, about))
            for table in ("call", "reason")
        ) or bool(
            self.work.row(
                "SELECT 1 FROM job_read WHERE tenant = ? AND job IN"
                " (SELECT num FROM job WHERE tenant = ? AND person = ?) LIMIT 1",
                (self.work.tenant, self.work.tenant, about),
            )
        )

    def erase_loose(self, erasure: int, about: int) -> Gone:
        """Overwrite what is about a person beside entries: answers to calls, reasons, what jobs read (G41)."""
        tenant = self.work.tenant
        bodies = [
            row[0] for row in self.work.rows("SELECT body FROM call WHERE tenant = ? AND about = ?", (tenant, about))
        ]
        self.work.run("DELETE FROM call WHERE tenant = ? AND about = ?", (tenant, about))
        reasons = self.work.rows("SELECT num, body FROM reason WHERE tenant = ? AND about = ?", (tenant, about))
        bodies += [row[1] for row in reasons] + self._read_by_jobs_of(about) + self._threads_of(about)
        words = self._take_reasons([row[0] for row in reasons])
        return self._overwrite(erasure, bodies, words)

    def erase_reasons(self, erasure: int, numbers: Sequence[int]) -> Gone:
        """Overwrite reasons that name a person (L5)."""
        bodies: list[int] = []
        for number in numbers:
            row = self.work.row(
                "SELECT body, entry FROM reason WHERE tenant = ? AND num = ?", (self.work.tenant, number)
            )
            if row:
                bodies += [row[0], *self._proposed(row[1], row[0])]
        return self._overwrite(erasure, bodies, self._take_reasons(numbers))

    def _proposed(self, entry: int, reason: int) -> list[int]:
        """The bodies of proposals to retire an entry that say the same as a reason (M34)."""
        if not entry:
            return []
        said = mapping.parse(self.bodies.get(reason)).get("reason", "")
        rows = self.work.rows("SELECT reason FROM proposal WHERE tenant = ? AND entry = ?", (self.work.tenant, entry))
        return [row[0] for row in rows if self.bodies.get(row[0]).decode("utf-8", "replace") == said]

    def _take_reasons(self, numbers: Sequence[int]) -> list[int]:
        words: list[int] = []
        for number in numbers:
            orphans = self.words.take(number)
            self.words.drop(orphans)
            words += orphans
            self.work.run("DELETE FROM reason WHERE tenant = ? AND num = ?", (self.work.tenant, number))
        return words

    def _threads_of(self, person: int) -> list[int]:
        """Bodies of the names of a person's threads that nobody else's job and no entry is in any more."""
        tenant, bodies = self.work.tenant, []
        for (thread,) in self.work.rows(
            "SELECT DISTINCT thread FROM job WHERE tenant = ? AND person = ? AND thread > 0", (tenant, person)
        ):
            used = self.work.row(
                "SELECT 1 FROM version WHERE tenant = ? AND scope = ? AND newest = 1 LIMIT 1", (tenant, thread)
            ) or self.work.row(
                "SELECT 1 FROM job WHERE tenant = ? AND thread = ? AND person <> ? LIMIT 1", (tenant, thread, person)
            )
            row = self.work.row("SELECT body FROM name WHERE tenant = ? AND num = ?", (tenant, thread))
            if row is not None and not used:
                bodies.append(row[0])
                Unlinking(self.work).scatter(thread)
                self.work.run("UPDATE job SET thread = 0 WHERE tenant = ? AND thread = ?", (tenant, thread))
        return bodies

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

    def _loose(self, entry: int) -> tuple[list[int], list[int]]:
        """Bodies and orphaned words beside one entry: answers to calls, reasons, proposals to retire it."""
        tenant = self.work.tenant
        bodies: list[int] = []
        for table, column in (("call", "body"), ("reason", "body"), ("proposal", "reason")):
            bodies += [
                row[0]
                for row in self.work.rows(
                    f"SELECT {column} FROM {table} WHERE tenant = ? AND entry = ?", (tenant, entry)
                )
            ]
        self.work.run("DELETE FROM call WHERE tenant = ? AND entry = ?", (tenant, entry))
        self.work.run("DELETE FROM proposal WHERE tenant = ? AND entry = ?", (tenant, entry))
        reasons = self.work.rows("SELECT num FROM reason WHERE tenant = ? AND entry = ?", (tenant, entry))
        return bodies, self._take_reasons([row[0] for row in reasons])

    def _versions(self, entry: int) -> list[tuple[int, int, int, int]]:
        rows = self.work.rows(
            "SELECT v, body, bytes, scope FROM version WHERE tenant = ? AND entry = ? ORDER BY v",
            (self.work.tenant, entry),
        )
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def _uncount(self, rows: Sequence[tuple[int, int, int, int]]) -> None:
        """Take versions' texts out of the count of the scope that each was written in (M7)."""
        sizes: dict[int, int] = {}
        for _, _, size, scope in rows:
            sizes[scope] = sizes.get(scope, 0) + size
        for scope, size in sizes.items():
            if scope:
                self.entries.use(scope, 0, -size)

    def _overwrite(self, erasure: int, bodies: Sequence[int], words: Sequence[int]) -> Gone:
        self._note(erasure, _BODY, bodies)
        self._note(erasure, _WORD, words)
        return Gone(self.bodies.overwrite(bodies), self.bodies.overwrite(words, table="word"))

    def _note(self, erasure: int, what: int, numbers: Iterable[int]) -> None:
        self.work.run_each(
            "INSERT INTO erased (tenant, erasure, what, num) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            ((self.work.tenant, erasure, what, number) for number in sorted(set(numbers) - {0})),
        )

    def open(self) -> list[OpenErasure]:
        """Erasures that were begun and are not closed, oldest first."""
        rows = self.work.rows(
            "SELECT num, action, about, basis, actor, at, subject, unlink FROM erasure WHERE tenant = ? ORDER BY num",
            (self.work.tenant,),
        )
        return [
            OpenErasure(
                num, action, about, basis, mapping.parse(actor.encode()), at, self._ids(num), subject, bool(unlink)
            )
            for num, action, about, basis, actor, at, subject, unlink in rows
        ]

    def _ids(self, erasure: int) -> list[str]:
        numbers = self._numbers(erasure, _ENTRY)
        ids: list[str] = []
        for start in range(0, len(numbers), _CHUNK):
            part = numbers[start : start + _CHUNK]
            ids += [
                row[0]
                for row in self.work.rows(
                    f"SELECT DISTINCT id FROM version WHERE tenant = ? AND entry IN ({placeholders(part)}) AND v = 1",
                    (self.work.tenant, *part),
                )
            ]
        return sorted(ids)

    def _numbers(self, erasure: int, what: int) -> list[int]:
        rows = self.work.rows(
            "SELECT num FROM erased WHERE tenant = ? AND erasure = ? AND what = ? ORDER BY num",
            (self.work.tenant, erasure, what),
        )
        return [row[0] for row in rows]

    def reads_back_as_zeros(self, erasure: int) -> bool:
        """Whether every body and word that the erasure overwrote holds zeros alone (L22)."""
        return self.bodies.are_zeros(self._numbers(erasure, _BODY)) and self.bodies.are_zeros(
            self._numbers(erasure, _WORD), table="word"
        )

    def close(self, erasure: int) -> None:
        """Note that an erasure is done; with a name that it took goes the count of that person's erasures."""
        self.work.run(
            "DELETE FROM subject WHERE tenant = ? AND num IN"
            " (SELECT about FROM erasure WHERE tenant = ? AND num = ? AND unlink = 1)",
            (self.work.tenant, self.work.tenant, erasure),
        )
        self.work.run("DELETE FROM erased WHERE tenant = ? AND erasure = ?", (self.work.tenant, erasure))
        self.work.run("DELETE FROM erasure WHERE tenant = ? AND num = ?", (self.work.tenant, erasure))
        self.work.change(open_erasures=max(0, self.work.head.open_erasures - 1))
