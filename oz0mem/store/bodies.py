"""Content, in its one place.

Promises L22: a body is appended, read, and overwritten in place with zeros of its length; nothing else
happens to it, so that no copy of it is left in a moved cell. Leaves the log's truncation to ``scrubbing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.store.dialects import as_bytes, placeholders

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oz0mem.store.work import Work

_CHUNK = 400


class Bodies:
    """Bodies of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, content: bytes) -> int:
        """Append a body; answers its number."""
        number = self.work.number()
        self.work.run("INSERT INTO body (tenant, num, content) VALUES (?, ?, ?)", (self.work.tenant, number, content))
        return number

    def get(self, number: int) -> bytes:
        """One body; b'' where it is not there or overwritten."""
        return self.many([number]).get(number, b"") if number else b""

    def many(self, numbers: Iterable[int]) -> dict[int, bytes]:
        """Bodies by number; overwritten ones are b''."""
        found: dict[int, bytes] = {}
        wanted = sorted(set(numbers) - {0})
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            for number, content in self.work.rows(
                f"SELECT num, content FROM body WHERE tenant = ? AND num IN ({placeholders(part)})",
                (self.work.tenant, *part),
            ):
                body = as_bytes(content)
                found[number] = body if body[:1] != b"\0" else b""
        return found

    def overwrite(self, numbers: Iterable[int], *, table: str = "body") -> list[bytes]:
        """Write zeros over bodies (or words); answers what stood there."""
        gone: list[bytes] = []
        wanted = sorted(set(numbers) - {0})
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            gone += self._overwrite(part, table)
        return gone

    def _overwrite(self, part: Sequence[int], table: str) -> list[bytes]:
        rows = self.work.rows(
            f"SELECT num, content FROM {table} WHERE tenant = ? AND num IN ({placeholders(part)})",
            (self.work.tenant, *part),
        )
        self.work.run_each(
            f"UPDATE {table} SET content = ? WHERE tenant = ? AND num = ?",
            ((bytes(len(as_bytes(content))), self.work.tenant, number) for number, content in rows),
        )
        if table == "body":
            self._overwrite_vectors(part)
        return [body for _, content in rows if (body := as_bytes(content))[:1] != b"\0"]

    def _overwrite_vectors(self, part: Sequence[int]) -> None:
        rows = self.work.rows(
            f"SELECT num, vector FROM body WHERE tenant = ? AND vector IS NOT NULL AND num IN ({placeholders(part)})",
            (self.work.tenant, *part),
        )
        self.work.run_each(
            "UPDATE body SET vector = ? WHERE tenant = ? AND num = ?",
            ((bytes(len(vector)), self.work.tenant, number) for number, vector in rows),
        )

    def are_zeros(self, numbers: Iterable[int], *, table: str = "body") -> bool:
        """Whether every one of them reads back as zeros alone (L22)."""
        wanted = sorted(set(numbers) - {0})
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            rows = self.work.rows(
                f"SELECT content FROM {table} WHERE tenant = ? AND num IN ({placeholders(part)})",
                (self.work.tenant, *part),
            )
            if len(rows) != len(part) or any(as_bytes(row[0]).strip(b"\0") for row in rows):
                return False
        return True
