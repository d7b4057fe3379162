"""What an import brought in, or would: counts, the first bad records with their lines, what had no place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.views.view import View

if TYPE_CHECKING:
    from oz0mem.actions.imports import Imported


def show_imported(counts: Imported, *, reviewed: bool) -> View:
    """The answer to an import.

    Args:
        counts: the action's answer.
        reviewed: whether what came in is active, as the importer's own confirmation.
    """
    document = {
        "imported": counts.imported,
        "existing": counts.existing,
        "history": counts.history,
        "bad": counts.bad,
        "notes": [{"line": line, "why": why} for line, why in counts.notes],
        "left_out": counts.left_out,
        "dry_run": counts.dry_run,
        "changed": counts.imported > 0 and not counts.dry_run,
    }
    return View("text", document=document, sentence=_sentence(counts, reviewed=reviewed), next=_next(counts, reviewed))


def _sentence(counts: Imported, *, reviewed: bool) -> str:
    state = "active, as you reviewed them" if reviewed else "held until a person confirms them"
    if counts.dry_run:
        said = f"would import {_records(counts.imported)}, {state}; nothing was changed"
    elif counts.imported:
        said = f"imported {_records(counts.imported)}, {state}"
    else:
        said = "nothing to do" if counts.existing and not counts.bad else "imported nothing"
    if counts.history:
        said += f"; {counts.history:,} of them as history, since a newer fact with the key was there"
    if counts.existing:
        said += f"; {counts.existing:,} {'was' if counts.existing == 1 else 'were'} there already"
    if counts.bad:
        said += f"; {_records(counts.bad)} left out as bad"
    return said


def _next(counts: Imported, reviewed: bool) -> str | None:
    waits = counts.imported and not reviewed and not counts.dry_run
    return "oz0mem list --held shows what waits" if waits else None


def notices_of(counts: Imported) -> list[str]:
    """What stands beside the result: bad records by line, and fields that were not kept."""
    said = [f"line {line}: {why}" for line, why in counts.notes]
    if counts.bad > len(counts.notes):
        said.append(f"and {counts.bad - len(counts.notes):,} more")
    if counts.left_out:
        fields = ", ".join(f"{name} ({count:,})" for name, count in sorted(counts.left_out.items()))
        said.append(f"fields that have no place here and were not kept: {fields}")
    return said


def _records(count: int) -> str:
    return f"{count:,} record{'' if count == 1 else 's'}"
