"""Calls that wait for a person as that person sees them: whole, with everything that they would write (G31).

Promises every argument as it would be kept, and beside it what the agent did not say: whom it is about, where it
goes, what it replaces, what its job had read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from oz0mem.model.agreements import APPROVED, WAITS_FOR
from oz0mem.views.changes import next_of, say_changed, say_written
from oz0mem.views.entries import moment_of
from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.acceptance import Changed
    from oz0mem.actions.approvals import Decided, Page
    from oz0mem.actions.keeping import Written
    from oz0mem.model.agreements import Approval
    from oz0mem.model.entries import Entry

_VERBS = {"accept": "accepted", "retire": "retired"}
_TIMES = ("ends", "valid_from", "valid_until")
_TOLD = ("function", "text", "id", "kind", "about", "scope")
"""What stands first, in the order of reading; every other argument follows under its own name."""


def document_of(
    asked: Approval, about: str, answer: dict[str, object] | None = None, old: Sequence[Entry] = ()
) -> dict[str, object]:
    """A call as a document; once it is decided nothing of its arguments is left, nor of what it would have ended."""
    document = asked.document
    return {
        "approval": asked.id,
        "function": asked.function,
        "agent": asked.agent,
        "starter": asked.starter,
        "about": about or None,
        "arguments": _timed(document.get("arguments", {})),
        "comes_to": _timed(document.get("comes_to", {})),
        "tier": document.get("tier"),
        "read": document.get("read", []),
        "compartments": document.get("compartments", []),
        "old": [{"id": each.id, "version": each.version, "text": each.text} for each in old],
        "state": asked.state,
        "answer": answer,
        "asked": Moment(asked.at),
        "expires": Moment(asked.at + WAITS_FOR),
    }


def _timed(given: dict[str, Any]) -> dict[str, object]:
    """Arguments with times as times, and without how those were typed."""
    return {
        name: Moment(value) if name in _TIMES and isinstance(value, int) else value
        for name, value in given.items()
        if name != "written"
    }


def show_page(page: Page) -> View:
    """A page of what waits, oldest first, a row each for machines; a person reads ``show_each``."""
    items = [
        document_of(asked, page.people.get(asked.id, "work"), old=page.old.get(asked.id, ())) for asked in page.items
    ]
    names = list(items[0]) if items else ["approval"]
    rows: list[tuple[object, ...]] = [tuple(item.values()) for item in items]
    document = {"items": items, "next": page.next, "altered": len(page.altered)}
    nothing = "no call waits for a person"
    return View("list", tuple(map(Column, names)), rows, document, "" if items else nothing, page.next)


def show_each(page: Page) -> list[View]:
    """What waits, each as names and values to be read whole; where there is more, the last one says so."""
    views = [_show(asked, page.people.get(asked.id, "work"), page.old.get(asked.id, ())) for asked in page.items]
    if views and page.next:
        views[-1] = views[-1]._replace(next=f"more: --after {page.next}")
    return views


def _show(asked: Approval, about: str, old: Sequence[Entry]) -> View:
    pairs = [(name, value) for name, value in _pairs(asked, about, old) if value not in (None, "", [], {})]
    columns = tuple(Column(name.replace("_", " ")) for name, _ in pairs)
    return View("item", columns, [tuple(_plain(value) for _, value in pairs)])


def _pairs(asked: Approval, about: str, old: Sequence[Entry]) -> list[tuple[str, object]]:
    document = asked.document
    given = _timed(document.get("arguments", {}))
    comes_to = document.get("comes_to", {})
    first = {**given, "function": asked.function, "kind": comes_to.get("kind"), "scope": comes_to.get("scope")}
    first["about"] = about
    told = [(name, first.get(name)) for name in _TOLD]
    rest = [(name, value) for name, value in given.items() if name not in (*_TOLD, "on_similar")]
    known = {name for name, _ in rest}
    beside = [(name, comes_to.get(name)) for name in ("key", "term", "purpose") if name not in known]
    return [
        ("id", asked.id),
        ("asks", f"{asked.agent}, in a job that {asked.starter} started"),
        *[("of entry" if name == "id" else name, value) for name, value in told],
        *rest,
        *beside,
        ("would end at", moment_of(comes_to.get("ends", 0)) if asked.function != "retire" else None),
        *_ended(asked, comes_to.get("replaces", []), old),
        ("tier", document.get("tier")),
        ("had read", document.get("read")),
        ("compartments", document.get("compartments")),
        ("asked", Moment(asked.at)),
        ("waits until", Moment(asked.at + WAITS_FOR)),
    ]


def _ended(asked: Approval, replaces: Sequence[str], old: Sequence[Entry]) -> list[tuple[str, object]]:
    """What the call would end, each with the text that it has now, where the reader may see it."""
    verb = "would retire" if asked.function == "retire" else "would replace"
    told: list[tuple[str, object]] = []
    for each in old:
        named = verb if asked.function == "retire" or each.id in replaces else "written over"
        told += [(named, f"{each.id} v{each.version}"), ("which says", each.text)]
    seen = {each.id for each in old}
    return [*told, *((verb, each) for each in replaces if each not in seen)]


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return [f"{name}={each}" for name, each in value.items()]
    return value


def show_decided(decided: Decided) -> View:
    """The answer to a decision: what the call did, or that nothing of it was written."""
    asked, answer = decided.approval, decided.answer
    entry = getattr(answer, "entry", None)
    ids = {"id": entry.id, "version": entry.version, "state": entry.state} if entry is not None else None
    document = {**document_of(asked, "", ids), "changed": decided.changed}
    if not decided.changed:
        return View("text", document=document, sentence=f"nothing to do: {asked.id} is {asked.state}")
    if asked.state != APPROVED:
        return View("text", document=document, sentence=f"denied {asked.id}; nothing of it was written")
    then = next_of(entry) if entry is not None else None
    return View("text", document=document, sentence=(f"approved {asked.id}: ", *_did(decided)), next=then)


def _did(decided: Decided) -> tuple[object, ...]:
    asked, answer = decided.approval, decided.answer
    if answer is None:
        return (f"{asked.function} may run, once {asked.agent} calls it again",)
    if hasattr(answer, "kept"):
        return say_written(cast("Written", answer))
    said = say_changed(_VERBS.get(asked.function, asked.function), cast("Changed", answer))
    return (said,) if isinstance(said, str) else said
