"""G31, M14, M28: whoever decides on a call sees what it would end beside what it would write, and that is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import approvals, forget, policies, retiring, superseding
from oz0mem.actions.accepting import Accept, accept
from oz0mem.actions.superseding import Supersede
from tests.actions.agreed import WEDNESDAYS, agree
from tests.actions.evidence import alter, events, refused

if TYPE_CHECKING:
    from tests.actions.world import World


def shown(world: World) -> list[tuple[str, list[tuple[str, str]]]]:
    """What waits: each function, and the ids and texts of what it would end."""
    page = approvals.list_approvals(world.ana)
    return [(asked.function, [(old.id, old.text) for old in page.old[asked.id]]) for asked in page.items]


def test_what_a_call_would_end_is_shown_and_recorded_as_read(each_world: World) -> None:
    """G31, M28: of a supersede, an accept and a retirement, at the version that stands now."""
    decided = agree(each_world)
    job = each_world.job(each_world.ana, sees="person")
    new = superseding.supersede(job, Supersede(decided.id, 2, "On Tuesdays.")).entry
    policies.set_policies(each_world.ana, {"write": "ask", "retire": "ask", "accept": "ask"}, "stricter")
    refused(lambda: superseding.supersede(job, Supersede(decided.id, 2, "On Mondays.")))
    refused(lambda: accept(job, Accept(new.id, 1, "On Tuesdays.")))
    refused(lambda: retiring.retire(job, decided.id, "over", version=2))
    old = [(decided.id, WEDNESDAYS)]
    assert shown(each_world) == [("supersede", old), ("accept", old), ("retire", old)]
    read = events(each_world, "plugin.records.read")[-1]
    assert (read["entries"][3:], read["versions"][3:]) == ([decided.id], [2])


def test_nothing_altered_or_erased_is_shown_beside_a_call(each_world: World) -> None:
    """L7, G42: the call is listed, and what is no longer whole is not."""
    altered, erased = agree(each_world), agree(each_world, "Deploys are told beforehand.")
    job = each_world.job(each_world.ana, sees="person")
    policies.set_policy(each_world.ana, "write", "ask", "stricter")
    for entry in (altered, erased):
        refused(lambda entry=entry: superseding.supersede(job, Supersede(entry.id, 2, "On Mondays.")))  # type: ignore[misc]  # bound
    alter(each_world, altered, "On Sundays.")
    forget.delete(each_world.ana, erased.id, "asked to")
    assert all(old == [] for _, old in shown(each_world))
