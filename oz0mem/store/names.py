"""Names as numbers, and people by handle.

Promises that a name's spelling stands only in ``body`` (L22) and is found by a keyed hash; that a person's
hashes are keyed by their own key, which goes with them (L4). Leaves which names are allowed to ``model``.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from oz0mem.model.names import OF_PERSON, OF_SCOPE
from oz0mem.rules import record
from oz0mem.store.dialects import as_bytes, placeholders

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oz0mem.store.work import Work

_CHUNK = 400
WIDE = 1 << 47
"""SQLite writes a number of this size or more in eight bytes, a smaller one in six."""


def hash64(key: bytes, use: str, text: str) -> int:
    """A keyed hash of a text for one use, as a signed 64-bit number."""
    # A half of a surrogate pair can be asked for, never kept: it has a hash that nothing has.
    encoded = text.encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(encoded, digest_size=8, key=key[:64], person=use.encode()).digest()
    return int.from_bytes(digest, "big", signed=True)


def as_stored(value: int) -> bytes:
    """A hash as SQLite writes it into a row."""
    return value.to_bytes(6 if -WIDE <= value < WIDE else 8, "big", signed=True)


class Names:
    """Names of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def find(self, kind: int, text: str) -> int:
        """The number of a name, 0 where it has none."""
        known = self.work.names.get((kind, text))
        if known:
            return known
        row = self.work.row(
            "SELECT num FROM name WHERE tenant = ? AND kind = ? AND hash = ?",
            (self.work.tenant, kind, hash64(self.work.head.hash_key, "name", text)),
        )
        if row is None:
            return 0
        self._know(kind, row[0], text)
        return int(row[0])

    def ensure(self, kind: int, text: str) -> int:
        """The number of a name, given one now where it had none; '' is 0."""
        if not text:
            return 0
        known = self.find(kind, text)
        if known:
            return known
        from oz0mem.model.names import fold
        from oz0mem.store.bodies import Bodies

        work = self.work
        bodies = Bodies(work)
        number = work.number()
        work.run(
            "INSERT INTO name (tenant, num, kind, hash, fold, body) VALUES (?, ?, ?, ?, ?, ?)",
            (
                work.tenant,
                number,
                kind,
                hash64(work.head.hash_key, "name", text),
                hash64(work.head.hash_key, "fold", fold(text)),
                bodies.put(text.encode()),
            ),
        )
        if kind == OF_PERSON:
            work.run(
                "INSERT INTO subject (tenant, num, key_body, n, last, forgotten) VALUES (?, ?, ?, 0, -1, 0)",
                (work.tenant, number, bodies.put(work.entropy(32))),
            )
        self._know(kind, number, text)
        if kind == OF_SCOPE and text.startswith("project:"):
            self._place_within(text, number)
        return number

    def _place_within(self, scope: str, number: int) -> None:
        """Note under which projects a project's scope lies; ancestors get their number with it."""
        self._lies(number, number)
        parent = scope.rpartition("/")[0]
        if parent:
            for above in self.work.rows(
                "SELECT above FROM within WHERE tenant = ? AND scope = ?",
                (self.work.tenant, self.ensure(OF_SCOPE, parent)),
            ):
                self._lies(above[0], number)

    def _lies(self, above: int, scope: int) -> None:
        self.work.run("INSERT INTO within (tenant, above, scope) VALUES (?, ?, ?)", (self.work.tenant, above, scope))

    def scopes_within(self, scope: str) -> list[int]:
        """The numbers of a project's scope and of all below it (M20); of another scope, its own."""
        number = self.find(OF_SCOPE, scope)
        if not number or not scope.startswith("project:"):
            return [number] if number else []
        rows = self.work.rows(
            "SELECT scope FROM within WHERE tenant = ? AND above = ? ORDER BY scope",
            (self.work.tenant, number),
        )
        return [row[0] for row in rows]

    def folded(self, kind: int, text: str) -> str:
        """The known spelling of a name that is the same by NFKC and case folding, or ''."""
        from oz0mem.model.names import fold

        row = self.work.row(
            "SELECT min(+num) FROM name WHERE tenant = ? AND kind = ? AND fold = ?",
            (self.work.tenant, kind, hash64(self.work.head.hash_key, "fold", fold(text))),
        )
        return self.spelled([row[0]])[row[0]] if row and row[0] else ""

    def spelled(self, numbers: Iterable[int]) -> dict[int, str]:
        """The spelling of each number; 0 and erased ones are ''."""
        known = self.work.texts
        wanted = sorted({number for number in numbers if number and number not in known})
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            for number, content in self.work.rows(
                "SELECT n.num, b.content FROM name n JOIN body b ON b.tenant = n.tenant AND b.num = n.body"
                f" WHERE n.tenant = ? AND n.num IN ({placeholders(part)})",
                (self.work.tenant, *part),
            ):
                known[number] = as_bytes(content).decode("utf-8", "replace").strip("\0")
        known.setdefault(0, "")
        return known

    def subject_key(self, number: int) -> bytes:
        """The key that a person's handle and hashes are made with (L4)."""
        known = self.work.subject_keys.get(number)
        if known is not None:
            return known
        row = self.work.row(
            "SELECT b.content FROM subject s JOIN body b ON b.tenant = s.tenant AND b.num = s.key_body"
            " WHERE s.tenant = ? AND s.num = ?",
            (self.work.tenant, number),
        )
        found = as_bytes(row[0]) if row else b""
        self.work.subject_keys[number] = found
        return found

    def has_key(self, number: int) -> bool:
        """Whether a person's key is there: it goes with their name (L4)."""
        key = self.subject_key(number)
        return len(key) == record.KEY_BYTES and any(key)

    def subject_handle(self, number: int) -> str:
        """``s_`` and 64 hex digits for a person (L4)."""
        return record.subject_handle(self.subject_key(number), self.work.head.origin, self.spelled([number])[number])

    def actor_handle(self, number: int) -> str:
        """``a_`` and 64 hex digits for a person who acts (L4)."""
        return record.actor_handle(self.subject_key(number), self.work.head.origin, self.spelled([number])[number])

    def hash_key(self, about: int) -> bytes:
        """The key of hashes of what is about somebody: their own, so that it goes with them; work has the tenant's."""
        return self.subject_key(about) if about else self.work.head.hash_key

    def counted(self, number: int) -> tuple[int, int]:
        """A person's last erasing event: its n and its index in the ledger (0 and -1 where there is none)."""
        row = self.work.row("SELECT n, last FROM subject WHERE tenant = ? AND num = ?", (self.work.tenant, number))
        return (int(row[0]), int(row[1])) if row else (0, -1)

    def count(self, number: int, n: int, last: int) -> None:
        """Note a person's n-th erasing event (L2)."""
        self.work.run(
            "UPDATE subject SET n = ?, last = ?, forgotten = ? WHERE tenant = ? AND num = ?",
            (n, last, self.work.now, self.work.tenant, number),
        )

    def _know(self, kind: int, number: int, text: str) -> None:
        self.work.names[kind, text] = number
        self.work.texts[number] = text
