"""M11, M12, M13: a history shows what was in force, from when to when, whatever was proposed beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, accepting, defining, facts, retiring
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define
from oz0mem.model.errors import Invalid, NotFound
from tests.actions.evidence import events, refused
from tests.actions.test_decisions import decide, over, propose

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from tests.actions.world import World


def spans(ctx: Context, entry_id: str) -> list[tuple[str, int, int]]:
    """What a history by id shows: texts, from when, until when."""
    return [(fact.entry.text, fact.start, fact.until) for fact in facts.history_of(ctx, entry_id).items]


def test_a_decisions_history_follows_what_replaced_what(world: World) -> None:
    """M12, M14: from any of its ids, oldest first, each from when it was accepted; what gave way is not in it."""
    made = world.now
    first = propose(world, "On Mondays.")
    world.later(1)
    first = accepting.accept(world.ana, Accept(first.id, 1)).entry
    began = world.now
    world.later(1)
    passing = over(world, first, "On Tuesdays.")
    last = over(world, passing, "On Wednesdays.")
    world.later(1)
    accepting.accept(world.ana, Accept(last.id, last.version))
    turned = world.now
    told = [("On Mondays.", began, turned), ("On Wednesdays.", turned, 0)]
    for entry in (first, passing, last):
        assert spans(world.ana, entry.id) == told
    assert made < began
    read = events(world, "plugin.records.read")[-1]
    assert (read["function"], read["entries"]) == ("history", [first.id, last.id])


def test_a_member_sees_of_a_decisions_history_what_is_in_force(world: World) -> None:
    """M20: not what was in force before, nor what waits."""
    first = decide(world, "On Mondays.")
    last = over(world, first, "On Wednesdays.")
    accepting.accept(world.ana, Accept(last.id, last.version))
    assert [text for text, _, _ in spans(world.dana, last.id)] == ["On Wednesdays."]
    assert refused(lambda: facts.history_of(world.dana, first.id)).code == "memory.unknown"


@pytest.mark.parametrize("rejected", [True, False])
def test_what_was_never_in_force_has_no_history(world: World, *, rejected: bool) -> None:
    """M11: neither while it waits nor after it was rejected; and the answer says which."""
    proposed = propose(world)
    if rejected:
        acceptance.reject(world.ana, proposed.id, "not now")
    with pytest.raises(NotFound, match=f"{proposed.id} is {'rejected' if rejected else 'held'}") as unknown:
        facts.history_of(world.ana, proposed.id)
    assert (unknown.value.code, unknown.value.rule) == ("history.unknown", "M11")


def test_a_keyed_fact_that_gave_way_before_it_was_confirmed_is_no_part_of_it(world: World) -> None:
    """M11, M12: a proposal under a key that a newer one ended was never true."""
    wrote = [propose(world, text, key="day") for text in ("On Mondays.", "On Tuesdays.")]
    accepting.accept(world.ana, Accept(wrote[1].id, wrote[1].version))
    assert [text for text, _, _ in spans(world.ana, wrote[0].id)] == ["On Tuesdays."]


def test_a_definition_is_found_by_any_id_that_its_term_had(world: World) -> None:
    """M13: one term in one place, whatever each was written over; retired it ended then."""
    texts, ids = ("Whoever ordered.", "Whoever ordered this year."), []
    for text in texts:
        written = defining.define(world.ana, Define("active customer", text)).written
        assert written is not None
        accepting.accept(world.ana, Accept(written.entry.id, written.entry.version))
        ids.append(written.entry.id)
        world.later(1)
    retiring.retire(world.ana, ids[1], "no longer used")
    for entry_id in ids:
        found = spans(world.ana, entry_id)
        assert [text for text, _, _ in found] == list(texts)
        assert (found[0][2], found[1][2]) == (found[1][1], world.now)


def test_an_agent_without_a_key_is_told_that_the_key_is_missing(world: World) -> None:
    """M11: rather than what an id looks like."""
    with pytest.raises(Invalid, match="^the KEY is missing") as wrong:
        facts.history_of(world.ana, "concierge")
    assert wrong.value.code == "history.key"
    assert refused(lambda: facts.history_of(world.ana, "d-1")).code == "id.short"
