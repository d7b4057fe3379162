"""What a caller may read: the places of a job, or the entries of a person's role (M20, M21, M22).

Promises that an entry about a person is read by a job only where it is that job's person, in every scope, and
that nothing hidden is counted, ranked or named. Leaves ranking to ``recall``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.kinds import ACTIVE
from oz0mem.model.names import OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.rules import about as rule
from oz0mem.rules import lifecycle, permission

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.declarations import Declaration
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


def places_of(desk: Desk, caller: Caller, settings: Settings) -> list[int]:
    """The places that a caller reads in recall: all combinations of scope, person and purpose."""
    if caller.job is not None and caller.declaration is not None:
        return _places_of_job(desk, caller.job, caller.declaration, settings)
    tenant = desk.names.find(OF_SCOPE, "tenant")
    own = desk.names.find(OF_PERSON, caller.name)
    places = desk.entries.places_in(tenant, 0) if tenant else []
    return places + (desk.entries.places_about(own) if own else [])


def recall_places(desk: Desk, caller: Caller, settings: Settings, scope: str) -> list[int] | None:
    """The places that a recall looks in, of one scope where it names one; None is every place of the tenant.

    Reviewers and admins read all of the tenant (M20).
    """
    everything = caller.job is None and permission.may(caller.role, "see_all")
    if everything and not scope:
        return None
    scopes = set(desk.names.scopes_within(scope)) if scope else set()
    if everything:
        return [place for number in sorted(scopes) for place in desk.entries.places_of_scope(number)]
    places = places_of(desk, caller, settings)
    if not scope:
        return places
    parts = desk.entries.parts_of(places)
    return [place for place in places if parts[place][0] in scopes]


def _places_of_job(desk: Desk, job: JobRecord, declaration: Declaration, settings: Settings) -> list[int]:
    person = desk.names.find(OF_PERSON, job.person) if job.person else 0
    purposes = readable_purposes(job.purpose, settings)
    numbers = {desk.names.find(OF_PURPOSE, purpose) for purpose in purposes} - {0}
    found: list[int] = []
    for scope in scopes_of(desk, job, declaration):
        # Work without a purpose is everybody's (M21); what is about a person without one is read only by a
        # job without one.
        found += _in_scope(desk, scope, 0, {*numbers, 0})
        if person:
            found += _in_scope(desk, scope, person, numbers if job.purpose else {0})
    return found


def _in_scope(desk: Desk, scope: int, about: int, purposes: set[int]) -> list[int]:
    places = desk.entries.parts_of(desk.entries.places_in(scope, about))
    return sorted(place for place, parts in places.items() if parts[2] in purposes)


def readable_purposes(purpose: str, settings: Settings) -> list[str]:
    """A job's own purpose and those compatible with it, one way (M21, G15); none for a job without."""
    if not purpose:
        return []
    return [purpose, *(one for one, to in settings.compatible if to == purpose)]


def scopes_of(desk: Desk, job: JobRecord, declaration: Declaration) -> list[int]:
    """The scopes that a job reads: its agent's, its projects' subtrees, its thread, the tenant's (M20)."""
    names = [f"agent:{job.agent}", "tenant", *([job.thread] if job.thread else [])]
    names += [f"project:{project}" for project in rule.projects_of(job, declaration)]
    found: list[int] = []
    for name in names:
        numbers = desk.names.scopes_within(name)
        spelled = desk.names.spelled(numbers)
        found += [number for number in numbers if rule.narrowed(spelled.get(number, ""), declaration, "read")]
    return list(dict.fromkeys(found))


def may_see(caller: Caller, entry: Entry, now: int) -> bool:
    """Whether a person may see an entry whole (M20): reviewers all, members theirs and the tenant's."""
    if permission.may(caller.role, "see_all"):
        return True
    if not permission.may(caller.role, "see"):
        return False
    if entry.about == caller.name:
        return not is_past(entry, now)
    return entry.about == rule.WORK and entry.scope == "tenant" and is_recallable(entry, now)


def is_past(entry: Entry, now: int) -> bool:
    """Whether an entry about a person is past its end: nobody is shown it any more, upkeep or not (M31)."""
    return entry.about_person and 0 < entry.ends <= now


def is_recallable(entry: Entry, now: int) -> bool:
    """Whether recall shows an entry: in force, not ended, inside its valid time, not restricted (M22)."""
    return (
        entry.state == ACTIVE
        and not entry.restricted
        and not lifecycle.is_ended(entry.state, entry.ends, now)
        and (not entry.valid_from or entry.valid_from <= now)
        and (not entry.valid_until or now < entry.valid_until)
    )
