"""The door for Python (D1): the same functions as every other door, on a store that is opened once.

Promises that no rule lives here: each method is one action and one document, in the shapes of
``docs/json.md``. A ``Memory`` may be used from several threads; each has a connection of its own. Moments are
given as RFC 3339, a date, a span from now such as ``30d``, or whole microseconds since 1970 UTC.

    memory = oz0mem.open("sqlite:///oz0mem.db", tenant="acme", token="…")
    job = memory.job("concierge", about="dana", sees="person")
    job.remember("Dana ships to Porto", kind="semantic", key="shipping_city")
    job.recall("where does she ship")["items"]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from oz0mem import wiring
from oz0mem.actions import (
    acceptance,
    corrections,
    editing,
    entries,
    forget,
    heads,
    jobs,
    keys,
    listing,
    recall,
    receipts,
    retiring,
)
from oz0mem.model.filters import Filter
from oz0mem.model.moments import parse_moment
from oz0mem.views import changes, erasure, history
from oz0mem.views import entries as shown
from oz0mem.views import recall as recalled
from oz0mem.views.view import written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.context import Context
    from oz0mem.views.view import View

Document = dict[str, Any]
When = str | int | None


def _document(view: View) -> Document:
    return cast("Document", written(view.document))


class Acting:
    """What a person and a job both do."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def close(self) -> None:
        """Give this thread's connection to the store back."""
        self._context.store.close()

    def _moment(self, when: When, edge: str) -> int | None:
        if when is None or isinstance(when, int):
            return when
        return parse_moment(when, self._context.clock(), edge=edge)  # type: ignore[arg-type]  # "from" or "until"

    def remember(
        self,
        text: str,
        *,
        kind: str = "note",
        about: str = "work",
        scope: str = "",
        tags: Sequence[str] = (),
        ends: When = None,
        key: str = "",
        valid_from: When = None,
        valid_until: When = None,
        source: Mapping[str, str] | None = None,
        core: bool = False,
        on_similar: str = "keep",
        call_id: str = "",
    ) -> Document:
        """Keep a text (M1); answers the ``write`` shape.

        Raises:
            Oz0Error: with the code and the rule of what refused it; nothing is stored then.
        """
        asked = entries.Remember(
            text=text,
            kind=kind,
            about=about,
            scope=scope,
            tags=tuple(tags),
            ends=self._moment(ends, "until"),
            key=key,
            valid_from=self._moment(valid_from, "from"),
            valid_until=self._moment(valid_until, "until"),
            source=dict(source) if source else None,
            core=core,
            on_similar=on_similar,
            call_id=call_id,
            written=tuple(
                (name, when)
                for name, when in (("ends", ends), ("valid_from", valid_from), ("valid_until", valid_until))
                if isinstance(when, str)
            ),
        )
        return _document(changes.show_written(entries.remember(self._context, asked)))

    def recall(
        self,
        words: str = "",
        *,
        id: str = "",
        start: int = 0,
        scope: str = "",
        kind: str = "",
        tag: str = "",
        match: str = "any",
        max_entries: int | None = None,
        max_chars: int | None = None,
        max_tokens: int | None = None,
        include_ended: bool = False,
        include_unreviewed: bool = False,
    ) -> Document:
        """Answer a question from memory (M29, R7); answers the ``recall`` shape."""
        asked = recall.Recall(
            words=words,
            id=id,
            start=start,
            scope=scope,
            kind=kind,
            tag=tag,
            match=match,
            max_entries=max_entries,
            max_chars=max_chars,
            max_tokens=max_tokens,
            include_ended=include_ended,
            include_unreviewed=include_unreviewed,
        )
        return _document(recalled.show_recalled(recall.recall(self._context, asked)))

    def retire(self, id: str, reason: str, *, version: int | None = None, call_id: str = "") -> Document:
        """Take an entry out of recall; a job's call is a proposal and raises ``Waiting`` (M34)."""
        changed = retiring.retire(self._context, id, reason, version=version, call_id=call_id)
        return changes.changed_document(changed)


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


class Memory(Acting):
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
        return _document(shown.show_page(page))

    def show(self, id: str) -> Document:
        """One entry whole, with its versions."""
        return _document(shown.show_entry(listing.show(self._context, id)))

    def history(self, agent: str, key: str, about: str = "") -> Document:
        """A fact over time; the ``history`` shape."""
        return _document(history.show_history(listing.history(self._context, agent, key, about)))

    def confirm(self, id: str) -> Document:
        """Confirm a held entry (M32)."""
        return changes.changed_document(acceptance.confirm(self._context, id))

    def reject(self, id: str, reason: str) -> Document:
        """Reject a held entry; the agent learns only the state (M32)."""
        return changes.changed_document(acceptance.reject(self._context, id, reason))

    def edit(self, id: str, text: str) -> Document:
        """Rewrite an entry; about a person its earlier texts are erased (M33)."""
        return _document(erasure.show_edited(*editing.edit(self._context, id, text)))

    def delete(self, id: str, reason: str = "") -> Document:
        """Erase one entry (M33); the ``forget`` shape."""
        return erasure.erasure_document(forget.delete(self._context, id, reason))

    def forget(
        self, about: str | None = None, *, basis: str = "request", unlink: bool = False, dry_run: bool = False
    ) -> Document:
        """Erase everything about a person, the caller where none is named (G41); the ``forget`` shape.

        With ``unlink`` their name goes too, at once, so that no receipt can be made after (L4).
        """
        erased = forget.forget(self._context, about, basis, unlink=unlink, dry_run=dry_run)
        return erasure.forgotten_document(erased)

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
        return changes.changed_document(corrections.renew(self._context, id, days))

    def move(self, id: str, scope: str) -> Document:
        """Move an entry about work to another scope (M18)."""
        return changes.changed_document(corrections.move(self._context, id, scope))


def open_memory(url: str, *, tenant: str, token: str) -> Memory:
    """Open a store as somebody; nothing is made where there is none.

    Args:
        url: ``sqlite:///path`` or ``postgresql://…``.
        tenant: name of the tenant.
        token: the principal's.
    """
    return Memory(wiring.context_on(url, tenant, token))


def open_job(url: str, *, tenant: str, token: str) -> Acting:
    """Open a store as a job whose token a host handed over."""
    return Acting(wiring.context_on(url, tenant, job=token))
