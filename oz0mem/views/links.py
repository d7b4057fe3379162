"""Links between entries as they are shown: one after a step, a page of them (M17).

Promises ids, labels, states and who proposed, never a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.agreements import CONFIRMED, REJECTED
from oz0mem.views.view import Column, View

if TYPE_CHECKING:
    from oz0mem.actions.links import Linked, Links
    from oz0mem.model.agreements import Link

_LIST = (
    Column("link", "id"),
    Column("from", "id"),
    Column("label"),
    Column("to", "id"),
    Column("state"),
    Column("by"),
)


def document_of(link: Link) -> dict[str, object]:
    """A link as a document; ``by`` is who proposed it, or wrote the entry that derives from another."""
    return {
        "link": link.id,
        "from": link.entry_id,
        "label": link.label,
        "to": link.other_id,
        "state": link.state,
        "by": link.proposer or None,
    }


def show_linked(linked: Linked) -> View:
    """The answer to a proposal or a decision."""
    return View("text", document=document_of(linked.link), sentence=_said(linked))


def _said(linked: Linked) -> str:
    link = linked.link
    said = f"{link.entry_id} {link.label.replace('_', ' ')} {link.other_id}"
    if not linked.changed:
        return f"nothing to do: {link.id} ({said}) is {link.state}"
    if link.state in (CONFIRMED, REJECTED):
        return f"{link.state} {link.id}: {said}"
    return f"proposed {link.id}: {said}; it waits to be confirmed: oz0mem link confirm {link.id}"


def show_links(page: Links, *, waiting: bool) -> View:
    """A page of links, oldest first.

    Args:
        page: the action's answer.
        waiting: whether only what waits was asked for.
    """
    items = [document_of(each) for each in page.items]
    rows: list[tuple[object, ...]] = [tuple(item.values()) for item in items]
    nothing = "no link waits for a person" if waiting else "no entry is linked to another"
    return View("list", _LIST, rows, {"items": items, "next": page.next}, "" if items else nothing, page.next)
