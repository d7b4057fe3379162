"""What a caller may read: the places of a job, or the entries of a person's role (M20, M21, M22).

Promises that an entry about a person is read by a job only where it is that job's person, in every scope, and
that nothing hidden is counted, ranked or named. Leaves ranking to ``recall``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import integrity
from oz0mem.model.kinds import ACTIVE, KINDS, RULE
from oz0mem.model.names import OF_PERSON, OF_PURPOSE, OF_SCOPE
from oz0mem.rules import about as rule
from oz0mem.rules import lifecycle, permission, walls

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.actors import JobRecord
    from oz0mem.model.declarations import Declaration
    from oz0mem.model.entries import Entry, Numbers
    from oz0mem.model.settings import Settings


_KINDS = tuple(KINDS)
_RULE = _KINDS.index(RULE)


class Reach(NamedTuple):
    """Where a caller reads: places of which all is read, and places of which rules alone are, in that order.

    ``places`` is None for every place of the tenant.
    """

    places: list[int] | None
    rule_places: list[int]

    @property
    def every(self) -> list[int] | None:
        """Both together, for a search whose rows ``within`` sorts out; None for every place."""
        return None if self.places is None else [*self.places, *self.rule_places]

    def within(self) -> Callable[[Numbers], bool]:
        """Whether a row is within reach, to be asked of many."""
        if self.places is None:
            return lambda _: True
        whole, rules = frozenset(self.places), frozenset(self.rule_places)
        return lambda row: row.place in whole or (row.kind == _RULE and row.place in rules)


def places_of(desk: Desk, caller: Caller, settings: Settings) -> list[int]:
    """The places that a caller reads in recall: all combinations of scope, person and purpose."""
    if caller.job is not None and caller.declaration is not None:
        return _places_of_job(desk, caller.job, caller.declaration, settings)
    tenant = desk.names.find(OF_SCOPE, "tenant")
    own = desk.names.find(OF_PERSON, caller.name)
    places = desk.entries.places_in(tenant, 0) if tenant else []
    return places + (desk.entries.places_about(own) if own else [])


def reach_of(desk: Desk, caller: Caller, settings: Settings, scope: str = "") -> Reach:
    """Where a caller reads, of one scope where it names one; reviewers and admins all of the tenant (M20).

    A job reads the rules of its projects' ancestors too, and nothing else of them; of a scope that it names, the
    rules of that scope's ancestors as far as it reads them.
    """
    everything = caller.job is None and permission.may(caller.role, "see_all")
    if everything and not scope:
        return Reach(None, [])
    scopes = set(desk.names.scopes_within(scope)) if scope else set()
    if everything:
        return Reach([place for number in sorted(scopes) for place in desk.entries.places_of_scope(number)], [])
    places, above = places_of(desk, caller, settings), _places_above(desk, caller, settings)
    if not scope:
        return Reach(places, above)
    parts = desk.entries.parts_of([*places, *above])
    over = {number for name in _ancestors(scope) if (number := desk.names.find(OF_SCOPE, name))}
    rules = [place for place in [*places, *above] if parts[place][0] in over and not parts[place][1]]
    rules += [place for place in above if parts[place][0] in scopes]
    return Reach([place for place in places if parts[place][0] in scopes], list(dict.fromkeys(rules)))


def walls_of(caller: Caller, settings: Settings) -> walls.Walls:
    """The walls round a job (M25); people are bound by their role."""
    return walls.Walls(settings.apart, caller.job.compartments) if caller.job is not None else walls.NONE


def check(desk: Desk, entries: Sequence[Entry], around: walls.Walls) -> integrity.Checked:
    """Check what is about to be shown (L7); of what is behind a wall nothing is said, not that it was altered."""
    checked = integrity.check(desk, entries)
    if not checked.altered or not around.pairs:
        return checked
    hidden = {entry.id for entry in entries if around.hide(entry)}
    return checked._replace(altered=[each for each in checked.altered if each not in hidden])


def veiled(desk: Desk, entries: Sequence[Entry], around: walls.Walls) -> list[Entry]:
    """Entries that name what they replaced, and what replaced them, only where no wall keeps that from the reader."""
    if not around.stand():
        return list(entries)
    hidden = {
        entry_id
        for entry in entries
        for entry_id in (entry.replaces, entry.replaced_by)
        if entry_id and ((other := desk.entries.by_id(entry_id)) is None or around.hide(other))
    }
    return [
        entry._replace(
            replaces="" if entry.replaces in hidden else entry.replaces,
            replaced_by="" if entry.replaced_by in hidden else entry.replaced_by,
        )
        for entry in entries
    ]


def _ancestors(scope: str) -> list[str]:
    """The scopes of the projects above a project's, nearest first."""
    found, above = [], scope.rpartition("/")[0]
    while above and scope.startswith("project:"):
        found.append(above)
        above = above.rpartition("/")[0]
    return found


def _places_above(desk: Desk, caller: Caller, settings: Settings) -> list[int]:
    """Places above a job's projects that it does not read but for their rules (M20); a denied one not at all (G4)."""
    job, declaration = caller.job, caller.declaration
    if job is None or declaration is None:
        return []
    projects = rule.projects_of(job, declaration)
    names = dict.fromkeys(name for project in projects for name in _ancestors(f"project:{project}"))
    able = [name for name in names if rule.narrowed(name, declaration, "read")]
    below = [f"project:{project}" for project in projects]
    able = [name for name in able if not any(name == each or name.startswith(each + "/") for each in below)]
    numbers = _purposes(desk, job, settings)
    scopes = [number for name in able if (number := desk.names.find(OF_SCOPE, name))]
    return [place for scope in scopes for place in _in_scope(desk, scope, 0, {*numbers, 0})]


def _purposes(desk: Desk, job: JobRecord, settings: Settings) -> set[int]:
    """The numbers of the purposes whose entries a job reads (M21)."""
    return {desk.names.find(OF_PURPOSE, purpose) for purpose in readable_purposes(job.purpose, settings)} - {0}


def _places_of_job(desk: Desk, job: JobRecord, declaration: Declaration, settings: Settings) -> list[int]:
    person = desk.names.find(OF_PERSON, job.person) if job.person else 0
    numbers = _purposes(desk, job, settings)
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


def kind_of(row: Numbers) -> str:
    """The kind of a row, by its number: their order is that of ``model/kinds``."""
    return _KINDS[row.kind]


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
