"""Walls between compartments (M25).

Promises that where the tenant keeps two compartments apart, what is of one is never read beside what is of the
other. Leaves what a job has read so far to the caller, and the count of what was withheld to the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from oz0mem.model.entries import Entry


def are_apart(pairs: Iterable[tuple[str, str]], ours: Collection[str], theirs: Collection[str]) -> bool:
    """Whether a wall stands between two sets of compartments, either way round."""
    return any((one in ours and other in theirs) or (other in ours and one in theirs) for one, other in pairs)


def withhold(
    pairs: Collection[tuple[str, str]], ours: Iterable[str], ranked: Sequence[Entry]
) -> tuple[list[Entry], int]:
    """Leave out what is apart from a job's compartments, or from an entry that stands before it.

    Args:
        pairs: compartments that the tenant keeps apart.
        ours: what the job began with and has read.
        ranked: entries in the order in which they are shown; the first decides.

    Returns:
        What may be shown, and how many were withheld.
    """
    if not pairs:
        return list(ranked), 0
    joined, kept = set(ours), []
    for entry in ranked:
        if not are_apart(pairs, joined, entry.compartments):
            kept.append(entry)
            joined.update(entry.compartments)
    return kept, len(ranked) - len(kept)
