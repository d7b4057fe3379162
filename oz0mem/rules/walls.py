"""Walls between compartments (M25).

Promises that where the tenant keeps two compartments apart, what is of one is never read beside what is of the
other. Leaves what a job has read so far to the caller, and the count of what was withheld to the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from oz0mem.model.entries import Entry


class Walls(NamedTuple):
    """The pairs that a tenant keeps apart, and the compartments of who reads: what they began with and have read."""

    pairs: Collection[tuple[str, str]] = ()
    ours: Collection[str] = ()

    def stand(self) -> bool:
        """Whether anything at all can be apart from the reader's own; nothing has to be looked at otherwise."""
        return any(name in self.ours for pair in self.pairs for name in pair)

    def hide(self, entry: Entry) -> bool:
        """Whether an entry is apart from the reader's own."""
        return are_apart(self.pairs, self.ours, entry.compartments)

    def joined(self, entry: Entry) -> Walls:
        """The walls once an entry was read: its compartments are the reader's too (M24)."""
        return self._replace(ours={*self.ours, *entry.compartments}) if self.pairs else self

    def concerned(self) -> list[str]:
        """Those of the reader's compartments that are apart from any, in order."""
        return sorted(set(self.ours) & {name for pair in self.pairs for name in pair})


NONE = Walls()
"""For people, who are bound by their role, and where nothing is kept apart."""


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
    walls, kept = Walls(pairs, set(ours)), []
    for entry in ranked:
        if not walls.hide(entry):
            kept.append(entry)
            walls = walls.joined(entry)
    return kept, len(ranked) - len(kept)
