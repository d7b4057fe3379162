"""What ``audit check`` reads beside entries and ledger: raw columns, postings, names, counts, reasons.

Promises to read only, and to answer what is stored as it is stored, however it was altered. Leaves the
judgement to ``actions/checking``; here is judged only what this floor alone knows: codes and keyed hashes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.governed import AgentRow, PrincipalRow, ProposalRow, SettingRow
from oz0mem.model.names import OF_AGENT, OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.store import mapping
from oz0mem.store.agreement_rows import AgreementRows
from oz0mem.store.dialects import as_bytes
from oz0mem.store.names import hash64

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PAGE = 500
_KINDS_OF_NAMES = {OF_SCOPE: "scope", OF_PERSON: "person", OF_PURPOSE: "purpose", OF_AGENT: "agent"}
_NUMBERED = (
    ("body", "num"),
    ("word", "num"),
    ("name", "num"),
    ("place", "num"),
    ("version", "entry"),
    ("reason", "num"),
    ("proposal", "num"),
    ("job", "num"),
    ("secret", "num"),
    ("hold", "num"),
    ("erasure", "num"),
    ("approval", "num"),
    ("link", "num"),
)
"""Where numbers of the head's counter stand."""


class Checks(AgreementRows):
    """Reading for checks, of one transaction's tenant."""

    def columns(self, start: int, count: int) -> list[tuple[int, int, str, int]]:
        """What stands beside events from an index on: index, moment, action, number of the entry."""
        rows = self.work.rows(
            "SELECT idx, at, action, entry FROM event WHERE tenant = ? AND idx >= ? ORDER BY idx LIMIT ?",
            (self.work.tenant, start, count),
        )
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def tiles(self) -> list[tuple[int, int]]:
        """Level and place of every stored tile."""
        rows = self.work.rows("SELECT level, idx FROM tile WHERE tenant = ?", (self.work.tenant,))
        return [(row[0], row[1]) for row in rows]

    def bad_codes(self) -> list[tuple[str, int]]:
        """Id and version of rows with a number that stands for nothing."""
        wrong = " OR ".join(f"{name} NOT BETWEEN 0 AND {most - 1}" for name, most in mapping.CODES.items())
        rows = self.work.rows(
            f"SELECT id, v FROM version WHERE tenant = ? AND ({wrong} OR newest NOT BETWEEN 0 AND 2)",
            (self.work.tenant,),
        )
        return [(str(row[0]), int(row[1])) for row in rows]

    def unerased(self, bodies: Iterable[int]) -> set[int]:
        """Those bodies that do not read as zeros alone."""
        wanted = set(bodies)
        if self.bodies.are_zeros(wanted):
            return set()
        return {number for number in wanted if not self.bodies.are_zeros([number])}

    def postings(self, entry: int) -> list[tuple[str, int, int, int]]:
        """The postings of an entry: the word's letters and number, the place, the count."""
        # By way of the index's own columns: asked for ``n`` at once, SQLite walks the tenant's whole table.
        rows = self.work.rows(
            "SELECT w.content, p.word, p.place, p.n FROM posting e JOIN posting p"
            " ON p.tenant = e.tenant AND p.word = e.word AND p.place = e.place AND p.entry = e.entry"
            " LEFT JOIN word w ON w.tenant = p.tenant AND w.num = p.word WHERE e.tenant = ? AND e.entry = ?",
            (self.work.tenant, entry),
        )
        return [(as_bytes(row[0] or b"").decode("utf-8", "replace"), row[1], row[2], row[3]) for row in rows]

    def stray_postings(self) -> list[int]:
        """Numbers that postings name and that no entry in the store and no reason has."""
        rows = self.work.rows(
            "SELECT DISTINCT p.entry FROM posting p WHERE p.tenant = ?"
            " AND NOT EXISTS (SELECT 1 FROM version v"
            " WHERE v.tenant = p.tenant AND v.entry = p.entry AND v.newest = 1)"
            " AND NOT EXISTS (SELECT 1 FROM reason r WHERE r.tenant = p.tenant AND r.num = p.entry)",
            (self.work.tenant,),
        )
        return sorted(row[0] for row in rows)

    def stray_words(self) -> list[int]:
        """Words with letters that nothing has, and hashes that lead to no word of theirs."""
        rows = self.work.rows(
            "SELECT w.num, w.content FROM word w WHERE w.tenant = ? AND NOT EXISTS"
            " (SELECT 1 FROM posting p WHERE p.tenant = w.tenant AND p.word = w.num)",
            (self.work.tenant,),
        )
        found = {row[0] for row in rows if as_bytes(row[1]).strip(b"\0")}
        for number, content, value in self.work.rows(
            "SELECT h.word, w.content, h.hash FROM word_hash h"
            " LEFT JOIN word w ON w.tenant = h.tenant AND w.num = h.word WHERE h.tenant = ?",
            (self.work.tenant,),
        ):
            letters = as_bytes(content or b"").decode("utf-8", "replace")
            if hash64(self.work.head.hash_key, "word", letters) != value:
                found.add(number)
        return sorted(found)

    def wrong_names(self) -> list[tuple[str, int]]:
        """Kind and number of names not found by their spelling, and of projects out of their tree."""
        from oz0mem.model.names import fold

        key = self.work.head.hash_key
        rows = self.work.rows(
            "SELECT num, kind, hash, fold FROM name WHERE tenant = ? ORDER BY num", (self.work.tenant,)
        )
        spelled = self.names.spelled(row[0] for row in rows)
        wrong: list[tuple[str, int]] = []
        for number, kind, value, folded in rows:
            text = spelled.get(number, "")
            holds = hash64(key, "name", text) == value and hash64(key, "fold", fold(text)) == folded
            if kind not in _KINDS_OF_NAMES or (text and not holds):
                wrong.append((_KINDS_OF_NAMES.get(kind, "name"), number))
        return wrong + self._wrong_projects({spelled.get(row[0], ""): row[0] for row in rows if row[1] == OF_SCOPE})

    def _wrong_projects(self, scopes: dict[str, int]) -> list[tuple[str, int]]:
        wanted: set[tuple[int, int]] = set()
        for text, number in scopes.items():
            above = text if text.startswith("project:") else ""
            while above:
                wanted.add((scopes.get(above, 0), number))
                above = above.rpartition("/")[0]
        rows = self.work.rows("SELECT above, scope FROM within WHERE tenant = ?", (self.work.tenant,))
        return [("project", number) for _, number in sorted(wanted ^ {(row[0], row[1]) for row in rows})]

    def people(self) -> list[int]:
        """The numbers of all people with a handle."""
        rows = self.work.rows("SELECT num FROM subject WHERE tenant = ? ORDER BY num", (self.work.tenant,))
        return [row[0] for row in rows]

    def usage(self) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
        """Scopes with what is counted there and what is there: entries and bytes of text."""
        noted = {
            row[0]: (row[1], row[2])
            for row in self.work.rows("SELECT scope, entries, bytes FROM usage WHERE tenant = ?", (self.work.tenant,))
        }
        there = {
            row[0]: (int(row[1]), int(row[2]))
            for row in self.work.rows(
                "SELECT scope, sum(CASE WHEN newest = 1 THEN 1 ELSE 0 END), sum(bytes) FROM version"
                " WHERE tenant = ? AND scope <> 0 GROUP BY scope",
                (self.work.tenant,),
            )
        }
        return [(scope, noted.get(scope, (0, 0)), there.get(scope, (0, 0))) for scope in sorted({*noted, *there})]

    def counts(self) -> tuple[int, int, int]:
        """Open erasures, registered secrets and legal holds, each counted by its rows."""
        one, two, three = (
            self.work.rows(f"SELECT count(*) FROM {table} WHERE tenant = ?{more}", (self.work.tenant,))[0][0]
            for table, more in (("erasure", ""), ("secret", ""), ("hold", " AND lifted = 0"))
        )
        return int(one), int(two), int(three)

    def reasons(self) -> Iterator[tuple[int, int, str, bytes]]:
        """Every reason: its number, the index of the event that commits to it, the words, their key."""
        after = 0
        while rows := self.work.rows(
            "SELECT num, event, body FROM reason WHERE tenant = ? AND num > ? ORDER BY num LIMIT ?",
            (self.work.tenant, after, _PAGE),
        ):
            bodies = self.bodies.many(row[2] for row in rows)
            for number, event, body in rows:
                document = mapping.parse(bodies.get(body, b""))
                yield number, event, str(document.get("reason", "")), mapping.key_of(document)
            after = rows[-1][0]

    def principals(self) -> list[PrincipalRow]:
        """Every principal, by number."""
        rows = self.work.rows(
            "SELECT num, role, disabled, token, created FROM principal WHERE tenant = ? ORDER BY num",
            (self.work.tenant,),
        )
        names = self.names.spelled(row[0] for row in rows)
        return [
            PrincipalRow(row[0], names.get(row[0], ""), mapping.role(row[1]), bool(row[2]), as_bytes(row[3]), row[4])
            for row in rows
        ]

    def agents(self) -> list[AgentRow]:
        """Every declared agent, by number."""
        rows = self.work.rows(
            "SELECT num, v, body, at, writer FROM agent WHERE tenant = ? ORDER BY num", (self.work.tenant,)
        )
        names = self.names.spelled(row[0] for row in rows)
        bodies = self.bodies.many(row[2] for row in rows)
        found = []
        for number, version, body, at, writer in rows:
            document = mapping.parse(bodies.get(body, b""))
            key = mapping.key_of(document)
            document.pop("k", None)
            found.append(AgentRow(number, names.get(number, ""), version, document, key, at, writer))
        return found

    def settings(self) -> list[SettingRow]:
        """Every setting that has a row, by name."""
        rows = self.work.rows(
            "SELECT name, body, at, writer FROM setting WHERE tenant = ? ORDER BY name", (self.work.tenant,)
        )
        bodies = self.bodies.many(row[1] for row in rows)
        return [
            SettingRow(name, mapping.parse(bodies.get(body, b"")).get("value"), at, writer)
            for name, body, at, writer in rows
        ]

    def secrets(self) -> list[tuple[int, int, int]]:
        """Every registered secret without what it is: number, when and by whom."""
        rows = self.work.rows("SELECT num, at, writer FROM secret WHERE tenant = ? ORDER BY num", (self.work.tenant,))
        return [(row[0], row[1], row[2]) for row in rows]

    def last_number(self) -> int:
        """The largest number that any row has."""
        found = [
            self.work.rows(f"SELECT max({column}) FROM {table} WHERE tenant = ?", (self.work.tenant,))[0][0]
            for table, column in _NUMBERED
        ]
        return max(int(number or 0) for number in found)

    def wrong_people(self) -> list[int]:
        """People with a handle and without a person's name, or not forgotten when their last erasing event says."""
        rows = self.work.rows(
            "SELECT s.num FROM subject s LEFT JOIN name n ON n.tenant = s.tenant AND n.num = s.num"
            " LEFT JOIN event e ON e.tenant = s.tenant AND e.idx = s.last WHERE s.tenant = ?"
            " AND (n.kind IS NULL OR n.kind <> ? OR s.forgotten <> coalesce(e.at, 0)) ORDER BY s.num",
            (self.work.tenant, OF_PERSON),
        )
        return [row[0] for row in rows]

    def ties(self) -> Iterator[tuple[int, int, int]]:
        """What every reason is tied to: index of the event, number of the person, number of the entry."""
        after = 0
        while rows := self.work.rows(
            "SELECT num, event, about, entry FROM reason WHERE tenant = ? AND num > ? ORDER BY num LIMIT ?",
            (self.work.tenant, after, _PAGE),
        ):
            yield from ((row[1], row[2], row[3]) for row in rows)
            after = rows[-1][0]

    def proposals(self) -> Iterator[ProposalRow]:
        """Every proposal to retire an entry, with the words that were kept with the event."""
        after = 0
        while rows := self.work.rows(
            "SELECT num, entry, v, agent, at, reason FROM proposal WHERE tenant = ? AND num > ? ORDER BY num LIMIT ?",
            (self.work.tenant, after, _PAGE),
        ):
            bodies = self.bodies.many(row[5] for row in rows)
            names = self.names.spelled(row[3] for row in rows)
            for number, entry, version, agent, at, reason in rows:
                said = bodies.get(reason, b"").decode("utf-8", "replace")
                yield ProposalRow(number, entry, version, names.get(agent, ""), at, said)
            after = rows[-1][0]
