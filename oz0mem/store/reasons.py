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
        return [
            (row[0], str(mapping.parse(bodies[row[1]]).get("reason", "")))
            for row in rows
            if bodies.get(row[1])
        ]

    def naming(self, person: str) -> list[int]:
        """The numbers of reasons that have a person's id as a whole word (L5)."""
        from oz0mem.model.names import fold
        from oz0mem.rules.words import index_words

        wanted = self.words.numbers(index_words(person))
        if not wanted:
            return []
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
        name = fold(person)
        return [
            row[0]
            for row in rows
            if _has_word(fold(bodies.get(row[1], b"").decode("utf-8", "replace")), name)
        ]


def _has_word(text: str, word: str) -> bool:
    """Whether a word stands in a text with no letter or digit at either side."""
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(word) : at + len(word) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        at = text.find(word, at + 1)
    return False
