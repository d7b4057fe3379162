"""What agents and people agreed on about an entry or a person, taken with it: approvals, links, bookmarks (G41).

Promises that an approval goes with the entry that it would change, with the person whom it is about, and with the
person whom its job is bound to; a link with either of its ends, with every reason that was given for it; a bookmark
with its person. Leaves the overwriting to ``erasing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.store import mapping
from oz0mem.store.bodies import Bodies
from oz0mem.store.dialects import as_bytes
from oz0mem.store.holds import Holds
from oz0mem.store.links import Links
from oz0mem.store.listing import Listing
from oz0mem.store.taken import Taken

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from oz0mem.model.agreements import Link
    from oz0mem.store.dialects import Row
    from oz0mem.store.work import Work

_BOUND = "job IN (SELECT num FROM job WHERE tenant = ? AND person = ? AND about = ?)"


class Agreed:
    """What was agreed on, of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.links = Links(work)
        self.bodies = Bodies(work)

    def stands_about(self, about: int, keep: Container[int] = ()) -> bool:
        """Whether an approval, but those to keep, or a bookmark is about a person."""
        bookmark = "SELECT 1 FROM bookmark WHERE tenant = ? AND about = ? LIMIT 1"
        return bool(self._about(about, keep)) or self.work.row(bookmark, (self.work.tenant, about)) is not None

    def take_about(self, about: int, keep: Container[int] = ()) -> Taken:
        """Take approvals and bookmarks about a person, decided ones too: who asked about whom tells of them.

        Args:
            about: the person's number.
            keep: numbers of the approvals that a legal hold preserves.
        """
        tenant = self.work.tenant
        own = Taken([], [], []).joined(*(self._approvals("num = ?", number) for number in self._about(about, keep)))
        rows = self.work.rows("SELECT hash FROM bookmark WHERE tenant = ? AND about = ?", (tenant, about))
        self.work.run("DELETE FROM bookmark WHERE tenant = ? AND about = ?", (tenant, about))
        return own.joined(Taken([], [], [row[0] for row in rows]))

    def take_beside(self, entry: int) -> Taken:
        """Take an entry's approvals, and the links from it and to it."""
        self.links.drop_of(entry)
        return self.take_approvals(entry)

    def take_approvals(self, entry: int) -> Taken:
        """Take the approvals of calls that would change an entry."""
        return self._approvals("entry = ?", entry)

    def take_asked(self, numbers: Sequence[int]) -> Taken:
        """Take approvals by number, and what the calls are found by at a retry, which their arguments made."""
        taken = Taken([], [], [])
        for number in numbers:
            row = self.work.row("SELECT id, at FROM approval WHERE tenant = ? AND num = ?", (self.work.tenant, number))
            if row:
                taken = taken.joined(self._retries(row[0], row[1]), self._approvals("num = ?", number))
        return taken

    def _retries(self, approval_id: str, at: int) -> Taken:
        # A call is noted in the transaction that lets it wait, so at the same moment.
        taken = Taken([], [], [])
        for value, body in self.work.rows(
            "SELECT hash, body FROM call WHERE tenant = ? AND at = ?", (self.work.tenant, at)
        ):
            if mapping.parse(self.bodies.get(body)).get("approval") == approval_id:
                self.work.run("DELETE FROM call WHERE tenant = ? AND hash = ?", (self.work.tenant, value))
                taken = taken.joined(Taken([body], [], [value]))
        return taken

    def _about(self, about: int, keep: Container[int]) -> list[int]:
        rows = self.work.rows(
            "SELECT num FROM approval WHERE tenant = ? AND about = ?"
            f" UNION SELECT num FROM approval WHERE tenant = ? AND {_BOUND}",
            (self.work.tenant, about, self.work.tenant, self.work.tenant, about, about),
        )
        return sorted(row[0] for row in rows if row[0] not in keep)

    def reasons_of_links(self, entry: int) -> list[Row]:
        """Numbers and bodies of reasons that were given for an entry's links and stand with the other end.

        What a legal hold on the other end preserves is kept whole (G40).
        """
        found: list[Row] = []
        for link in self.links.of_entry(entry):
            other = link.other if link.entry == entry else link.entry
            if not self._is_held(other):
                found += self._reasons(link, other)
        return found

    def _reasons(self, link: Link, entry: int) -> list[Row]:
        rows = self.work.rows(
            "SELECT r.num, r.body, e.body FROM reason r JOIN event e ON e.tenant = r.tenant AND e.idx = r.event"
            " WHERE r.tenant = ? AND r.entry = ? ORDER BY +r.num",
            (self.work.tenant, entry),
        )
        told = f'"link":"{link.id}"'.encode()
        return [(row[0], row[1]) for row in rows if told in as_bytes(row[2])]

    def _is_held(self, entry: int) -> bool:
        return bool(
            self.work.head.holds and Holds(self.work).covering_each(Listing(self.work).rows_of([entry])).get(entry)
        )

    def _approvals(self, condition: str, *values: int) -> Taken:
        where = f"FROM approval WHERE tenant = ? AND {condition}"
        rows = self.work.rows(f"SELECT body {where}", (self.work.tenant, *values))
        self.work.run(f"DELETE {where}", (self.work.tenant, *values))
        return Taken([row[0] for row in rows], [], [])
