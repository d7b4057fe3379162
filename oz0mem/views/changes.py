"""The answers to writes and changes: what was kept, held, confirmed or moved, until when, what that means.

Promises that no answer to a change repeats a text, but for what a new one resembles (M3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.kinds import HELD, KINDS
from oz0mem.rules.ends import erased_at_end
from oz0mem.views.entries import moment_of, waits_until, why_held
from oz0mem.views.view import Day, Sentence, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.acceptance import Changed
    from oz0mem.actions.keeping import Written
    from oz0mem.model.entries import Entry


def show_written(written: Written) -> View:
    """The answer to a write: where the text is now and until when, or why it waits."""
    return View("text", document=written_document(written), sentence=say_written(written), next=next_of(written.entry))


def next_of(entry: Entry) -> str | None:
    """What a reviewer types next about a proposal that was just written; None of anything else."""
    decides = entry.state == HELD and KINDS[entry.kind].proposal
    return f"a reviewer decides: oz0mem accept {entry.id} --version {entry.version}" if decides else None


def written_document(written: Written) -> dict[str, object]:
    """What a write came to, by ids, with the texts of what it resembles (M3)."""
    entry = written.entry
    return {
        "id": entry.id,
        "version": entry.version,
        "kind": entry.kind,
        "state": entry.state,
        "kept": written.kept,
        "scope": entry.scope,
        "about": entry.about,
        "ends": moment_of(entry.ends),
        "similar": [{"id": other.id, "version": other.version, "text": other.text} for other in written.similar],
        "replaced": written.replaced or None,
        "held_because": entry.held or None,
    }


def say_written(written: Written) -> tuple[object, ...]:
    """What a person is told of a write."""
    return (*_said(written), *_alike(written.similar))


def _said(written: Written) -> tuple[object, ...]:
    entry = written.entry
    if written.kept == "existing" and entry.at == written.now:
        return (f"confirmed {entry.id} v{entry.version}, which said the same and waited; ", *until(entry))
    if written.kept == "existing":
        return (f"kept nothing new: {entry.id} v{entry.version} says the same and is {entry.state}",)
    if entry.state == HELD:
        return held_sentence(entry)
    replaced = f", replacing {written.replaced}" if written.replaced else ""
    place = f"kept {entry.id} v{entry.version} in {entry.scope}{_of_person(entry)}{replaced}, "
    return (place, *until(entry))


def _alike(similar: Sequence[Entry]) -> tuple[object, ...]:
    return tuple(f"\nlike it: {other.id}  {' '.join(other.text.split())}" for other in similar)


def _of_person(entry: Entry) -> str:
    return f" about {entry.about}" if entry.about_person else ""


def until(entry: Entry) -> tuple[object, ...]:
    """Until when an entry holds, and what its end means (M36)."""
    erased = erased_at_end(entry.kind, entry.about_person)
    return ("until ", Day(entry.ends), " (erased then)" if erased else " (review date)")


def held_sentence(entry: Entry) -> tuple[object, ...]:
    """Where an entry waits and why, and until when somebody can confirm it."""
    place = f"{entry.scope}{_of_person(entry)}"
    return (f"held {entry.id} in {place}: {why_held(entry)}; it waits for a person until ", Day(waits_until(entry)))


def show_changed(changed: Changed, sentence: Sentence) -> View:
    """The answer to a change of one entry, without its text."""
    return View("text", document=changed_document(changed), sentence=sentence)


def changed_document(changed: Changed) -> dict[str, object]:
    """How an entry stands after a change, and whether that is new."""
    entry = changed.entry
    return {
        "id": entry.id,
        "version": entry.version,
        "kind": entry.kind,
        "state": entry.state,
        "scope": entry.scope,
        "about": entry.about,
        "ends": moment_of(entry.ends),
        "held_because": entry.held or None,
        "replaces": entry.replaces or None,
        "changed": changed.changed,
    }


def say_changed(verb: str, changed: Changed) -> Sentence:
    """What a person is told of a change: what was done, where it is now, until when."""
    entry = changed.entry
    if not changed.changed:
        return f"nothing to do: {entry.id} v{entry.version} is {entry.state}"
    if verb in ("retired", "rejected"):
        return f"{verb} {entry.id}; it is recalled no more" if verb == "retired" else f"rejected {entry.id}"
    if entry.state == HELD and verb == "rewrote":
        return (f"rewrote {entry.id}; it still waits for a person until ", Day(waits_until(entry)))
    if verb == "rewrote":
        return (f"rewrote {entry.id}; it is recalled as you wrote it, ", *until(entry))
    replaced = f", replacing {entry.replaces}" if verb in ("confirmed", "accepted") and entry.replaces else ""
    return (
        f"{verb} {entry.id} v{entry.version} in {entry.scope}{_of_person(entry)}{replaced}, ",
        *until(entry),
    )
