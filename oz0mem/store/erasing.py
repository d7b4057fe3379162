"""Erasing in the tables: what goes, what stays, and what a broken-off erasure still has to do.

Promises L21's first step (everything overwritten and deleted in one transaction, noted so that it can be
finished after a crash) and G42 (id, version numbers and times stay, nothing that tells the person or text).
Leaves what stands beside entries to ``loose``, the files to ``scrubbing``, and the choice of what is erased to the
actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.erasures import Gone, OpenErasure
from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.dialects import placeholders
from oz0mem.store.entries import Entries
from oz0mem.store.loose import Loose
from oz0mem.store.names import as_stored
from oz0mem.store.taken import Taken
from oz0mem.store.words import Words

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from oz0mem.model.entries import Entry
    from oz0mem.store.work import Work

_CHUNK = 400
_ENTRY, _BODY, _WORD = 0, 1, 2
_BLANKED = (
    "kind = 0, tier = 0, held = '', place = 0, scope = 0, about = 0, purpose = 0, agent = 0, writer = 0, job = 0,"
    " origin = 0, core = 0, restricted = 0, valid_from = 0, valid_until = 0, ended_at = ?, words = 0,"
    " content_words = 0, bytes = 0, same_hash = 0, key_hash = 0"
)


class _Version(NamedTuple):
    """What erasing has to know of a version's row."""

    v: int
    body: int
    bytes: int
    scope: int
    same_hash: int
    key_hash: int


class Erasing:
    """Erasing of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.bodies = Bodies(work)
        self.words = Words(work)
        self.entries = Entries(work)
        self.loose = Loose(work)

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
        self._note(erasure, _ENTRY, [number])
        own = Taken([row.body for row in rows], orphans, _hashes(rows))
        gone = self._overwrite(erasure, own.joined(self.loose.take_beside(number)), earlier=len(rows) > 1)
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
        rows = [row for row in self._versions(number) if row.v < before]
        self._note(erasure, _ENTRY, [number])
        bodies = [*(row.body for row in rows), *self._strip_calls(number)]
        asked = self.loose.take_asked(number)
        gone = self._overwrite(erasure, Taken(bodies, [], _hashes(rows)).joined(asked))
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
        return self._overwrite(erasure, Taken([], list(orphans), []))

    def has_loose(self, about: int, keep: Container[int] = ()) -> bool:
        """Whether anything stands about a person beside entries, and beside approvals to keep."""
        return self.loose.stands_about(about, keep)

    def erase_loose(self, erasure: int, about: int, keep: Container[int] = ()) -> Gone:
        """Overwrite what is about a person beside entries: answers to calls, reasons, what jobs read (G41)."""
        return self._overwrite(erasure, self.loose.take_about(about, keep))

    def erase_asked(self, erasure: int, numbers: Sequence[int]) -> Gone:
        """Overwrite what calls would write that wait, or that a legal hold kept; by the approvals' numbers."""
        return self._overwrite(erasure, self.loose.agreed.take_asked(numbers))

    def erase_reasons(self, erasure: int, numbers: Sequence[int]) -> Gone:
        """Overwrite reasons that name a person (L5)."""
        return self._overwrite(erasure, self.loose.take_reasons(numbers))

    def _versions(self, entry: int) -> list[_Version]:
        rows = self.work.rows(
            "SELECT v, body, bytes, scope, same_hash, key_hash FROM version WHERE tenant = ? AND entry = ? ORDER BY v",
            (self.work.tenant, entry),
        )
        return [_Version(*row) for row in rows]

    def _uncount(self, rows: Sequence[_Version]) -> None:
        """Take versions' texts out of the count of the scope that each was written in (M7)."""
        sizes: dict[int, int] = {}
        for row in rows:
            sizes[row.scope] = sizes.get(row.scope, 0) + row.bytes
        for scope, size in sizes.items():
            if scope:
                self.entries.use(scope, 0, -size)

    def _overwrite(self, erasure: int, taken: Taken, *, earlier: bool = True) -> Gone:
        self._note(erasure, _BODY, taken.bodies)
        self._note(erasure, _WORD, taken.words)
        bodies = self.bodies.overwrite(taken.bodies)
        words = self.bodies.overwrite(taken.words, table="word")
        # An earlier version's words went from the index when it was edited, but not from the gaps of its pages; of a
        # first version they are all in the index. To find words costs a millisecond a text.
        before = self.words.gone_with(_texts(bodies)) if earlier else []
        hashes = {*taken.hashes, *self.words.hashes(words), *before}
        return Gone(bodies, words, (*taken.names, *(as_stored(value) for value in hashes)))

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


def _hashes(rows: Iterable[_Version]) -> list[int]:
    """The hashes by which the same text or key is found; which of them a living row has too, the search tells."""
    return [value for row in rows for value in (row.same_hash, row.key_hash) if value]


def _texts(bodies: Iterable[bytes]) -> list[str]:
    """What bodies say in words that postings had: the texts of versions, and reasons."""
    said = [mapping.parse(body) for body in bodies]
    return [str(text) for document in said for name in ("text", "reason") if (text := document.get(name))]
