"""Reasons in words (L5): kept where they can be erased, committed to by the ledger.

Promises that a reason goes with the person or entry that it was given about, and that one that names a person
as a whole word is found by that name. Its words stand as postings of no place, which no recall reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.rules import record
from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oz0mem.store.work import Work

_NOWHERE = 0


class Reasons:
    """Reasons of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.bodies = Bodies(work)
        self.words = Words(work)

    def put(self, reason: str, *, about: int = 0, entry: int = 0) -> tuple[str, str]:
        """Keep a reason for the event that comes next; answers ``("reason_commit", commitment)``.

        Args:
            reason: the words.
            about: number of the person whom the act is about, 0 for work.
            entry: number of the entry that the act is about, 0 for none.
        """
        from oz0mem.rules.words import index_words

        key = self.work.entropy(32)
        number = self.work.number()
        self.work.run(
            "INSERT INTO reason (tenant, num, event, about, entry, body) VALUES (?, ?, ?, ?, ?, ?)",
            (
                self.work.tenant,
                number,
                self.work.head.size,
                about,
                entry,
                self.bodies.put(mapping.dump({"reason": reason, "k": key.hex()})),
            ),
        )
        self.words.put(number, _NOWHERE, index_words(reason))
        return ("reason_commit", record.reason_commit(key, reason))

    def of_entry(self, entry: int) -> list[tuple[int, str]]:
        """Reasons given for acts about an entry: index of the event, words."""
        rows = self.work.rows(
            "SELECT event, body FROM reason WHERE tenant = ? AND entry = ? ORDER BY +num",
            (self.work.tenant, entry),
        )
        bodies = self.bodies.many(row[1] for row in rows)
        return [(row[0], _words_of(bodies[row[1]])) for row in rows if bodies.get(row[1])]

    def entries(self, numbers: Iterable[int]) -> dict[int, int]:
        """The number of the entry that each reason goes with, 0 where it goes with none."""
        found: dict[int, int] = {}
        for number in numbers:
            row = self.work.row("SELECT entry FROM reason WHERE tenant = ? AND num = ?", (self.work.tenant, number))
            found[number] = int(row[0]) if row else 0
        return found

    def naming(self, person: str) -> list[int]:
        """The numbers of reasons that have a person's id as a whole word (L5)."""
        from oz0mem.rules.about import mentions
        from oz0mem.rules.words import index_words

        words = index_words(person)
        wanted = self.words.numbers(words)
        if len(wanted) < len(words):
            return []
        if not words:  # a name of marks alone is in no posting
            rows = self.work.rows("SELECT num, body FROM reason WHERE tenant = ?", (self.work.tenant,))
        else:
            held = self.words.postings(list(wanted.values()), [_NOWHERE])
            entries = set.intersection(*(set(found) for found in held.values()))
            rows = [
                row
                for number in sorted(entries)
                for row in self.work.rows(
                    "SELECT num, body FROM reason WHERE tenant = ? AND num = ?", (self.work.tenant, number)
                )
            ]
        bodies = self.bodies.many(row[1] for row in rows)
        return [row[0] for row in rows if mentions(_words_of(bodies.get(row[1], b"")), person)]

    def tie(self, event: int, entry: int) -> None:
        """Note that the reason kept last, for an event that made an entry, is about that entry."""
        row = self.work.row(
            "SELECT num, event FROM reason WHERE tenant = ? ORDER BY num DESC LIMIT 1", (self.work.tenant,)
        )
        if row and row[1] == event:
            self.work.run("UPDATE reason SET entry = ? WHERE tenant = ? AND num = ?", (entry, self.work.tenant, row[0]))


def _words_of(body: bytes) -> str:
    return str(mapping.parse(body).get("reason", ""))
