"""What was erased, or would be: how many entries, about whom, where, what is still open (G41, L21, L22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.views.changes import changed_document, say_changed
from oz0mem.views.view import View

if TYPE_CHECKING:
    from oz0mem.actions.acceptance import Changed
    from oz0mem.actions.erasing import Erased

_OPEN = (
    "overwritten, but somebody still has the store's files open, so older bytes may be left there; "
    "the next command that changes something goes on (L21)"
)

_WHY = {
    "principal": "they are a principal, and the ledger names who acted",
    "author": "something that stays names them as its author",
    "legal_hold": "a legal hold covers them",
    "remembered": "something is remembered about them",
    "job": "a job about them is running",
}


def erasure_document(erased: Erased) -> dict[str, object]:
    """An erasure as a document."""
    return {
        "about": erased.about,
        "erased": len(erased.ids),
        "restricted": erased.restricted,
        "scopes": erased.scopes,
        "entries": erased.ids,
        "events": erased.events,
        "residue": erased.residue,
        "open": erased.open,
    }


def forgotten_document(erased: Erased) -> dict[str, object]:
    """A forgetting as a document: an erasure, waiting calls that went, and whether the person's name did (G31, L4)."""
    name = {"unlinked": erased.unlinked, "kept_because": list(erased.kept_because)}
    return erasure_document(erased) | {"calls": erased.calls} | name


def show_forgotten(erased: Erased, *, dry_run: bool = False) -> View:
    """The answer to ``forget``; with what it would do where it was only asked.

    Args:
        erased: the action's answer.
        dry_run: whether nothing was changed.
    """
    document = forgotten_document(erased)
    if dry_run:
        document |= {"dry_run": True, "mentions": list(erased.mentions)}
    return View("text", document=document, sentence="".join(_forgotten(erased, dry_run=dry_run)))


def question_of(erased: Erased) -> str:
    """What somebody is asked before it is done."""
    name = ", with the name, so that no receipt can be made after" if erased.unlinked else ""
    return f"forget {_what(erased)} for good{name}"


def _what(erased: Erased) -> str:
    return f"{_entries(len(erased.ids))} about {erased.about} in {_count(len(erased.scopes), 'scope')}"


def _forgotten(erased: Erased, *, dry_run: bool) -> list[str]:
    said = [f"would forget {_what(erased)}" if dry_run else f"forgot {_what(erased)}"]
    if not erased.ids and (erased.unlinked or not erased.events):
        said = [f"nothing is remembered about {erased.about}"]
    if erased.calls:
        verb = "would go" if dry_run else "went"
        said.append(f"; {_count(erased.calls, 'call')} that waited for a person {verb} too")
    if erased.restricted:
        verb = "is" if erased.restricted == 1 else "are"
        until = "until it lifts" if erased.restricted == 1 else "until that lifts"
        said.append(f"; {erased.restricted} more {verb} under a legal hold and restricted {until}")
    said += _of_name(erased, dry_run=dry_run)
    if erased.mentions:
        said.append(
            f"\n{_entries(len(erased.mentions))} about others or work name {erased.about} and would stay: "
            + ", ".join(erased.mentions)
        )
    if erased.open:
        said.append(f"; {_OPEN}")
    elif erased.events and erased.residue == "not-checked":
        said.append("; what the files still hold was not checked")
    return said


def _of_name(erased: Erased, *, dry_run: bool) -> list[str]:
    """What becomes of the person's name (L4)."""
    if erased.kept_because:
        verb = "would stay" if dry_run else "stays"
        return [f"; the name {verb}: " + "; ".join(_WHY[reason] for reason in erased.kept_because)]
    if not erased.unlinked:
        return []
    if dry_run:
        return ["; the name and its key would go too, and no receipt could be made after: take it first"]
    return ["; the name and its key are gone too, so no receipt about them can be made any more"]


def show_deleted(erased: Erased, *, dry_run: bool = False) -> View:
    """The answer to the deleting of one entry, or to the question what it would do."""
    verb = "would delete" if dry_run else "deleted"
    said = f"{verb} {', '.join(erased.ids)}" + (f"; {_OPEN}" if erased.open else "")
    document = erasure_document(erased) | ({"dry_run": True} if dry_run else {})
    return View("text", document=document, sentence=said)


def show_edited(changed: Changed, erased: Erased | None) -> View:
    """The answer to an edit; about a person with how the earlier texts were erased."""
    document = changed_document(changed) | {"erasure": erasure_document(erased) if erased else None}
    said = say_changed("rewrote", changed)
    if erased is not None and erased.open:
        said = (*(said if isinstance(said, tuple) else (said,)), f"; what it said before is {_OPEN}")
    return View("text", document=document, sentence=said)


def _entries(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def _count(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
