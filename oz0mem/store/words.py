"""Words and postings: which entry has which word (R8).

Promises that a word's letters stand once, in ``word``, and are overwritten when its last posting goes (L22);
that postings are numbers and go with their entry. Leaves what a word is to ``rules/words``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.store.dialects import as_bytes, placeholders
from oz0mem.store.names import hash64

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from oz0mem.store.work import Work

_CHUNK = 400


class Words:
    """Words of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def _hash(self, word: str) -> int:
        return hash64(self.work.head.hash_key, "word", word)

    def numbers(self, words: Collection[str]) -> dict[str, int]:
        """The number of each word that some entry has, in the order asked (Q14)."""
        by_hash = {self._hash(word): word for word in words}
        hashes = list(by_hash)
        found: dict[str, int] = {}
        for start in range(0, len(hashes), _CHUNK):
            part = hashes[start : start + _CHUNK]
            for value, number in self.work.rows(
                f"SELECT hash, word FROM word_hash WHERE tenant = ? AND hash IN ({placeholders(part)})",
                (self.work.tenant, *part),
            ):
                found[by_hash[value]] = number
        return {word: found[word] for word in by_hash.values() if word in found}

    def put(self, entry: int, place: int, counts: Mapping[str, int]) -> None:
        """Write the postings of an entry's text."""
        known = self.numbers(counts)
        fresh = [word for word in counts if word not in known]
        for word in fresh:
            known[word] = self.work.number()
        tenant = self.work.tenant
        self.work.run_each(
            "INSERT INTO word (tenant, num, content) VALUES (?, ?, ?)",
            ((tenant, known[word], word.encode()) for word in fresh),
        )
        self.work.run_each(
            "INSERT INTO word_hash (tenant, hash, word) VALUES (?, ?, ?)",
            ((tenant, self._hash(word), known[word]) for word in fresh),
        )
        self.work.run_each(
            "INSERT INTO posting (tenant, word, place, entry, n) VALUES (?, ?, ?, ?, ?)",
            ((tenant, known[word], place, entry, count) for word, count in sorted(counts.items())),
        )

    def take(self, entry: int) -> list[int]:
        """Delete an entry's postings; answers the words that nothing has any more."""
        words = [
            row[0]
            for row in self.work.rows(
                "SELECT word FROM posting WHERE tenant = ? AND entry = ?", (self.work.tenant, entry)
            )
        ]
        self.work.run("DELETE FROM posting WHERE tenant = ? AND entry = ?", (self.work.tenant, entry))
        return self.unused(words)

    def gone_with(self, texts: Iterable[str]) -> list[int]:
        """The hashes of those words of texts that nothing has any more: an index page may keep them in a gap."""
        from oz0mem.rules.words import index_words

        words = {word for text in texts for word in index_words(text)}
        return [self._hash(word) for word in sorted(words - self.numbers(words).keys())]

    def hashes(self, contents: Iterable[bytes]) -> list[int]:
        """The hash of each word, by its letters as they are kept."""
        return [self._hash(content.decode("utf-8", "replace")) for content in contents]

    def unused(self, words: Sequence[int]) -> list[int]:
        """Those of the words that no posting has."""
        return [
            word
            for word in words
            if self.work.row("SELECT 1 FROM posting WHERE tenant = ? AND word = ? LIMIT 1", (self.work.tenant, word))
            is None
        ]

    def drop(self, words: Iterable[int]) -> None:
        """Forget where words that nothing has any more were found; their letters are overwritten by the caller."""
        wanted = sorted(set(words))
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            rows = self.work.rows(
                f"SELECT content FROM word WHERE tenant = ? AND num IN ({placeholders(part)})",
                (self.work.tenant, *part),
            )
            self.work.run_each(
                "DELETE FROM word_hash WHERE tenant = ? AND hash = ?",
                ((self.work.tenant, value) for value in self.hashes(as_bytes(row[0]) for row in rows)),
            )

    def postings(self, words: Sequence[int], places: Sequence[int] | None) -> dict[int, dict[int, int]]:
        """Word to entry to count, within places; None is every place of the tenant."""
        found: dict[int, dict[int, int]] = {word: {} for word in words}
        for part in _parts(places) if words else ():
            # Words of reasons stand in no place, and nobody reads them by words.
            within = f" AND place IN ({placeholders(part)})" if part else " AND place > 0"
            for word, entry, count in self.work.rows(
                f"SELECT word, entry, n FROM posting WHERE tenant = ? AND word IN ({placeholders(words)}){within}",
                (self.work.tenant, *words, *part),
            ):
                found[word][entry] = count
        return found

    def sharing(self, words: Sequence[int], places: Sequence[int], least: int, limit: int) -> list[tuple[int, int]]:
        """Entries in places that share at least so many of these words, most first (M3)."""
        if not words or not places:
            return []
        rows = self.work.rows(
            "SELECT +entry, count(*) AS shared FROM posting"
            f" WHERE tenant = ? AND word IN ({placeholders(words)}) AND place IN ({placeholders(places)})"
            # The plus keeps SQLite from walking the whole tenant in the order of entries.
            " GROUP BY +entry HAVING count(*) >= ? ORDER BY shared DESC, +entry DESC LIMIT ?",
            (self.work.tenant, *words, *places, least, limit),
        )
        return [(row[0], row[1]) for row in rows]


def _parts(places: Sequence[int] | None) -> list[Sequence[int]]:
    """Places a few hundred at a time; one empty part where they do not matter."""
    if places is None:
        return [[]]
    return [places[start : start + _CHUNK] for start in range(0, len(places), _CHUNK)]
