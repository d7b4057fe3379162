"""What a job has read, and what it may be trusted with after that (G2, M24).

Promises that reading only lowers trust: what a job is shown from memory counts as read, unless a person wrote
it, and that compartments join always. Leaves the walls between them to ``rules/walls``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions.audit import tell_read
from oz0mem.model.kinds import PERSON, lower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry

MEMORY = "memory"
"""The source that reading memory is noted as (M24)."""


def note_shown(desk: Desk, caller: Caller, shown: Sequence[Entry], function: str, door: str) -> None:
    """Record what is about to be shown (M28), and lower the job that reads it (M24)."""
    tell_read(desk, caller, shown, function, door)
    job = caller.job
    if job is None:
        return
    tier = job.tier
    for entry in shown:
        if not _by_person(desk, entry):
            tier = lower(tier, entry.tier)
    joined = sorted({*job.compartments, *(each for entry in shown for each in entry.compartments)})
    if tuple(joined) != job.compartments:
        desk.identity.join_compartments(job.number, joined)
    if tier != job.tier:
        desk.identity.lower_job(job.number, tier)
        desk.identity.note_read(job.number, MEMORY, tier)


def _by_person(desk: Desk, entry: Entry) -> bool:
    """Whether a person wrote, rewrote or confirmed the text; such a text does not lower its reader."""
    if entry.tier == PERSON:
        return True
    import json

    from oz0mem.model.kinds import ACTIVE

    if entry.state != ACTIVE or entry.version == 1:
        return False
    told = desk.ledger.newest_of([entry.numbers.entry]).get(entry.numbers.entry)
    return told is not None and json.loads(told.body)["action"] in ("memory.confirmed", "memory.edited")
