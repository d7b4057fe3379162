"""What a person and an agent's job both call, each method one action and one document (D1).

Promises that no rule lives here. Leaves opening a store, and what only people do, to the modules beside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from oz0mem.actions import accepting, defining, entries, recall, retiring, superseding
from oz0mem.actions import changed as changing
from oz0mem.actions import startup as starting
from oz0mem.model.moments import parse_moment
from oz0mem.views import changed, changes, startup
from oz0mem.views import defining as defined
from oz0mem.views import recall as recalled
from oz0mem.views.view import written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.context import Context
    from oz0mem.model.moments import Edge
    from oz0mem.views.view import View

Document = dict[str, Any]
When = str | int | None


def document_of(view: View) -> Document:
    """A view's document, ready for JSON."""
    return ready(view.document)


def ready(document: object) -> Document:
    """A document with its times as RFC 3339, as every door writes them (C2)."""
    return cast("Document", written(document))


def _typed(**moments: When) -> tuple[tuple[str, str], ...]:
    """Moments as they were typed, so that a retried call is the same call (M9)."""
    return tuple((name, when) for name, when in moments.items() if isinstance(when, str))


class Acting:
    """What a person and a job both do.

    A call that the tenant's policy asks a person about raises ``Waiting`` with the code ``approval.waits`` and the
    approval's id in its facts; the same call again, once it is approved, answers what it came to (G31).
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def close(self) -> None:
        """Give this thread's connection to the store back."""
        self._context.store.close()

    def _moment(self, when: When, edge: Edge) -> int | None:
        if when is None or isinstance(when, int):
            return when
        return parse_moment(when, self._context.clock(), edge=edge)

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
        derives_from: Sequence[str] = (),
        core: bool = False,
        on_similar: str = "keep",
        call_id: str = "",
        reason: str = "",
    ) -> Document:
        """Keep a text (M1); answers the ``written`` shape. Of a definition ``key`` is the term.

        Raises:
            Waiting: ``approval.waits`` where a person is asked first.
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
            derives_from=tuple(derives_from),
            core=core,
            on_similar=on_similar,
            call_id=call_id,
            reason=reason,
            written=_typed(ends=ends, valid_from=valid_from, valid_until=valid_until),
        )
        return document_of(changes.show_written(entries.remember(self._context, asked)))

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
        own_state: str = "",
    ) -> Document:
        """Answer a question from memory (M29, R7); answers the ``recall`` shape.

        With ``own_state`` it lists what this agent wrote itself and is in that state, and takes no words.
        """
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
            own_state=own_state,
        )
        return document_of(recalled.show_recalled(recall.recall(self._context, asked)))

    def define(self, term: str, text: str = "", *, scope: str = "", call_id: str = "", reason: str = "") -> Document:
        """Say what a term means, or with a text propose it (M13); answers the ``defined`` shape.

        Raises:
            Waiting: ``approval.waits`` where a person is asked first.
            Oz0Error: as ``remember``.
        """
        found = defining.define(self._context, defining.Define(term, text, scope, call_id, reason))
        return document_of(defined.show_defined(found))

    def supersede(
        self,
        id: str,
        version: int | None,
        text: str,
        *,
        tags: Sequence[str] = (),
        source: Mapping[str, str] | None = None,
        ends: When = None,
        call_id: str = "",
        reason: str = "",
    ) -> Document:
        """Replace an entry, naming the version that was read (M12, M15); answers the ``written`` shape.

        Raises:
            Conflict: ``memory.stale`` with the newest version's number.
            Waiting: ``approval.waits`` where a person is asked first.
        """
        asked = superseding.Supersede(
            id,
            version,
            text,
            tuple(tags),
            dict(source) if source else None,
            self._moment(ends, "until"),
            call_id,
            reason,
            _typed(ends=ends),
        )
        return document_of(changes.show_written(superseding.supersede(self._context, asked)))

    def accept(
        self,
        id: str,
        version: int | None,
        text: str | None = None,
        *,
        term: str | None = None,
        call_id: str = "",
        reason: str = "",
    ) -> Document:
        """Put a proposal in force (M14); answers the ``changed`` shape.

        Args:
            id: which proposal.
            version: that was read.
            text: that was read; an agent names it.
            term: of a definition; an agent names it.
            call_id: the same id again accepts once.
            reason: why, in words for people.

        Raises:
            Conflict: ``memory.stale``, ``memory.other_text`` or ``memory.overtaken``.
            Waiting: ``approval.waits`` where a person is asked first.
        """
        asked = accepting.Accept(id, version, text, term, call_id, reason)
        return ready(changes.changed_document(accepting.accept(self._context, asked)))

    def changed_since(self, cursor: str = "") -> Document:
        """What changed since this agent last asked (M26); the ``changes`` shape.

        Args:
            cursor: of the last answer, which the bookmark moves to; '' reads the same again.
        """
        return document_of(changed.show_changes(changing.changed_since(self._context, cursor)))

    def startup_context(self, budget_tokens: int | None = None, used_tokens: int = 0) -> Document:
        """The text that a job starts with, and what is in it (M27); the ``startup`` shape."""
        return document_of(startup.show_startup(starting.startup_context(self._context, budget_tokens, used_tokens)))

    def retire(self, id: str, reason: str, *, version: int | None = None, call_id: str = "") -> Document:
        """Take an entry out of recall; a job's call is a proposal and raises ``Waiting`` (M34).

        A job names the version that it read (M15).
        """
        changed = retiring.retire(self._context, id, reason, version=version, call_id=call_id)
        return ready(changes.changed_document(changed))
