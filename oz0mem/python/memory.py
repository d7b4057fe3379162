"""A tenant's memory as a person has it, and the jobs that they start (D1).

Promises that each method is one action and one document, in the shapes of ``docs/json.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import acceptance, corrections, editing, facts, forget, heads, jobs, keys, listing, receipts
from oz0mem.model.filters import Filter
from oz0mem.python.acting import Acting, Document, document_of, ready
from oz0mem.python.agreements import Agreements
from oz0mem.views import changes, erasure, history
from oz0mem.views import entries as shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Context


class Job(Acting):
    """One run of an agent, which remembers and recalls inside what its starter fixed (G2)."""

    def __init__(self, context: Context, job: jobs.Job, starter: Context) -> None:
        super().__init__(context._replace(token="", job=job.token))
        self.id = job.record.id
        self.token = job.token
        self._starter = starter

    def read(self, source: str, *, published: bool = False) -> None:
        """Report that the job has read a source; it only lowers what it is trusted with."""
        jobs.read(self._starter, self.id, source, published=published)

    def end(self) -> None:
        """End the job: its token acts no more."""
        jobs.end(self._starter, self.id)


class Memory(Agreements):
    """A tenant's memory, as the principal whose token was given."""

    def job(
        self,
        agent: str,
        *,
        purpose: str = "",
        about: str = "",
        projects: Sequence[str] = (),
        thread: str = "",
        compartments: Sequence[str] = (),
        sees: str = "",
    ) -> Job:
        """Start a job of an agent.

        Raises:
            Oz0Error: where agent, purpose, person or project is not for this starter (G2).
        """
        asked = jobs.Start(agent, purpose, about, tuple(projects), thread, tuple(compartments), sees)
        return Job(self._context, jobs.start(self._context, asked), self._context)

    def list(
        self, *, held: bool = False, search: str = "", limit: int = 50, after: str = "", **filters: Any
    ) -> Document:
        """A page of entries, newest first; filters are those of ``model.filters.Filter``. The ``list`` shape."""
        page = listing.list_entries(
            self._context, Filter(**filters), held=held, search=search, limit=limit, after=after
        )
        return document_of(shown.show_page(page))

    def show(self, id: str) -> Document:
        """One entry whole, with its versions."""
        return document_of(shown.show_entry(listing.show(self._context, id)))

    def history(self, agent: str, key: str = "", about: str = "") -> Document:
        """A fact over time; the ``history`` shape. Without a key ``agent`` is the id of any entry of the fact."""
        found = facts.history(self._context, agent, key, about) if key else facts.history_of(self._context, agent)
        return document_of(history.show_history(found))

    def confirm(self, id: str) -> Document:
        """Confirm a held entry (M32)."""
        return ready(changes.changed_document(acceptance.confirm(self._context, id)))

    def reject(self, id: str, reason: str) -> Document:
        """Reject a held entry; the agent learns only the state (M32)."""
        return ready(changes.changed_document(acceptance.reject(self._context, id, reason)))

    def edit(self, id: str, text: str) -> Document:
        """Rewrite an entry; about a person its earlier texts are erased (M33)."""
        return document_of(erasure.show_edited(*editing.edit(self._context, id, text)))

    def delete(self, id: str, reason: str = "") -> Document:
        """Erase one entry (M33); the ``forget`` shape."""
        return ready(erasure.erasure_document(forget.delete(self._context, id, reason)))

    def forget(
        self, about: str | None = None, *, basis: str = "request", unlink: bool = False, dry_run: bool = False
    ) -> Document:
        """Erase everything about a person, the caller where none is named (G41); the ``forget`` shape.

        With ``unlink`` their name goes too, at once, so that no receipt can be made after (L4).
        """
        erased = forget.forget(self._context, about, basis, unlink=unlink, dry_run=dry_run)
        return ready(erasure.forgotten_document(erased))

    def receipt(self, about: str | None = None, *, since: str = "") -> Document:
        """A receipt of what was erased about a person (L30), as ``oz0mem.verify`` checks it.

        Args:
            about: the person; None for oneself.
            since: a head that was kept, as text; the receipt proves that the ledger only grew from there.
        """
        return receipts.receipt(self._context, about, since=since).document

    def head(self) -> str:
        """The ledger's head as it is now, signed: a C2SP note (L12)."""
        return heads.head(self._context).note

    def keys(self) -> Document:
        """The public keys that heads are signed with: ``head.pub.json`` (L13)."""
        return keys.public(self._context).document()

    def renew(self, id: str, days: int | None = None) -> Document:
        """Move the end of an entry about work (M35)."""
        return ready(changes.changed_document(corrections.renew(self._context, id, days)))

    def move(self, id: str, scope: str) -> Document:
        """Move an entry about work to another scope (M18)."""
        return ready(changes.changed_document(corrections.move(self._context, id, scope)))
