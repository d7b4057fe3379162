"""What people agree on: links, calls that wait, the policy for calls (G30, G31, M17), for Python (D1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import approvals, links, policies
from oz0mem.python.acting import Acting, Document, document_of
from oz0mem.views import approvals as waiting
from oz0mem.views import links as linked
from oz0mem.views import policies as ruled

if TYPE_CHECKING:
    from collections.abc import Mapping


class Agreements(Acting):
    """What reviewers and admins decide beside single entries."""

    def link(self, from_id: str, label: str, to_id: str, reason: str = "") -> Document:
        """Propose a link from one entry to another (M17); the ``link`` shape."""
        return document_of(linked.show_linked(links.link(self._context, from_id, label, to_id, reason)))

    def confirm_link(self, id: str, reason: str = "") -> Document:
        """Confirm a link that another reviewer proposed."""
        return document_of(linked.show_linked(links.confirm(self._context, id, reason)))

    def reject_link(self, id: str, reason: str) -> Document:
        """Turn down a link that waits."""
        return document_of(linked.show_linked(links.reject(self._context, id, reason)))

    def links(self, *, waiting: bool = False, limit: int = 50, after: str = "") -> Document:
        """A page of links, oldest first; the ``links`` shape."""
        page = links.list_links(self._context, waiting=waiting, limit=limit, after=after)
        return document_of(linked.show_links(page, waiting=waiting))

    def approvals(self, *, limit: int = 50, after: str = "") -> Document:
        """The calls of agents that wait, each with everything that it would write (G31); the ``approvals`` shape."""
        return document_of(waiting.show_page(approvals.list_approvals(self._context, limit=limit, after=after)))

    def approve(self, id: str, reason: str = "") -> Document:
        """Let a call run, once, as its agent; the ``approval`` shape.

        Raises:
            Oz0Error: as the call itself is refused; it waits on then.
        """
        return document_of(waiting.show_decided(approvals.approve(self._context, id, reason)))

    def deny(self, id: str, reason: str) -> Document:
        """Deny a call; nothing of it is written."""
        return document_of(waiting.show_decided(approvals.deny(self._context, id, reason)))

    def policy(self) -> Document:
        """Which calls of agents are allowed, asked about or denied (G30); the ``policy`` shape."""
        return document_of(ruled.shown(policies.show_policy(self._context)))

    def set_policy(self, effects: Mapping[str, str], reason: str, *, agent: str = "") -> Document:
        """Set rules of the policy in one change; the ``change`` shape.

        Args:
            effects: allow, ask or deny by function or group, such as ``{"write": "allow"}``.
            reason: why; recorded with the change.
            agent: for this agent alone, as ``agent:NAME``; '' for all.
        """
        return document_of(ruled.changed(policies.set_policies(self._context, effects, reason, agent)))
