"""M12, M14, M15, M16: what a team decided stays in force until a person accepts what replaces it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, accepting, entries, governance, listing, retiring, superseding
from oz0mem.actions.accepting import Accept
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede
from oz0mem.model.filters import Filter
from oz0mem.model.kinds import ACTIVE, HELD, REJECTED, REPLACED
from tests.actions.evidence import entries_of, events, newest, place_hold, refused
from tests.actions.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from oz0mem.actions.context import Context
    from oz0mem.model.entries import Entry

WEDNESDAYS = "Deploy on Wednesdays, never on Fridays."


def decide(world: World, text: str = WEDNESDAYS, **asked: object) -> Entry:
    """A decision that a job proposes and ana accepts."""
    proposed = propose(world, text, **asked)
    return accepting.accept(world.ana, Accept(proposed.id, 1, text)).entry


def propose(world: World, text: str = WEDNESDAYS, **asked: object) -> Entry:
    """A decision that a job proposes."""
    job = world.job(world.ana, sees="person")
    return entries.remember(job, Remember(text, **{"kind": "decision", **asked})).entry  # type: ignore[arg-type]  # tests name fields


def over(world: World, old: Entry, text: str, *, by: Context | None = None, version: int | None = None) -> Entry:
    """What a job writes over an entry, naming the version that it read."""
    asked = Supersede(old.id, version or old.version, text)
    return superseding.supersede(by or world.job(world.ana, sees="person"), asked).entry


def in_force(world: World) -> list[str]:
    """The texts in force."""
    page = listing.list_entries(world.ana, Filter(state=ACTIVE))
    return sorted(entry.text for entry in page.items)


def test_a_decision_is_proposed_and_comes_into_force_as_a_version_of_its_own(each_world: World) -> None:
    """M14, M30: held until a person accepts it by version and text; the event says who did."""
    proposed = propose(each_world)
    assert (proposed.state, proposed.held, proposed.scope, proposed.version) == (HELD, "proposal", "tenant", 1)
    done = accepting.accept(each_world.ana, Accept(proposed.id, 1, f" {WEDNESDAYS}\n"))
    assert (done.changed, done.entry.state, done.entry.version, done.entry.held) == (True, ACTIVE, 2, "")
    assert (done.entry.tier, done.entry.ends) == (proposed.tier, proposed.ends)
    (event,) = events(each_world, "memory.accepted")
    assert (event["entry"], event["version"], event["actor"]["kind"]) == (proposed.id, 2, "person")
    again = accepting.accept(each_world.ana, Accept(proposed.id, 2))
    assert (again.changed, again.entry.version) == (False, 2)


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ({"version": 2}, "memory.stale"),
        ({"text": "Deploy on Fridays."}, "memory.other_text"),
        ({"text": WEDNESDAYS.lower()}, "memory.other_text"),
        ({"id": "d-000000000000"}, "memory.unknown"),
    ],
)
def test_accept_is_refused_where_something_else_was_read(world: World, named: dict[str, object], code: str) -> None:
    """M14: nothing is in force then."""
    proposed = propose(world)
    asked = Accept(**{"id": proposed.id, "version": 1, "text": WEDNESDAYS, **named})  # type: ignore[arg-type]  # named
    assert refused(lambda: accepting.accept(world.ana, asked)).code == code
    assert newest(world, proposed).state == HELD


def test_a_note_is_confirmed_and_not_accepted_a_decision_accepted_and_not_confirmed(world: World) -> None:
    """M14, M32: one way into force for each kind."""
    note, proposed = world.learn("dana likes ink", sees="").entry, propose(world)
    assert refused(lambda: accepting.accept(world.ana, Accept(note.id, 1))).code == "memory.kind"
    assert refused(lambda: acceptance.confirm(world.ana, proposed.id)).code == "memory.kind"
    assert {newest(world, note).state, newest(world, proposed).state} == {HELD}


def test_two_jobs_over_one_version_and_one_is_told_the_newest_and_who_decides(each_world: World) -> None:
    """M15: of a note or a proposal the second is stale; nothing of it is written."""
    proposed = propose(each_world)
    first = over(each_world, proposed, "Deploy on Thursdays.")
    before = entries_of(each_world)
    outcome = refused(lambda: over(each_world, proposed, "Deploy on Mondays."))
    assert (outcome.code, outcome.rule) == ("memory.stale", "M15")
    assert outcome.facts["newest"] == 2
    assert outcome.facts["replaced_by"] == first.id
    assert outcome.facts["decides"] == ["admin", "reviewer"]
    assert entries_of(each_world) == before


def test_an_accepted_decision_stays_until_its_replacement_is_accepted(each_world: World) -> None:
    """M12: superseding it only proposes; accepting ends it, by a version that keeps its own end."""
    old = decide(each_world)
    new = over(each_world, old, "Deploy on Thursdays.")
    assert (new.state, new.replaces, newest(each_world, old).version) == (HELD, old.id, 2)
    assert in_force(each_world) == [WEDNESDAYS]
    accepted = accepting.accept(each_world.ana, Accept(new.id, 1, "Deploy on Thursdays.")).entry
    closed = newest(each_world, old)
    assert (closed.state, closed.replaced_by, closed.version, closed.ends) == (REPLACED, new.id, 3, old.ends)
    assert accepted.replaces == old.id
    assert in_force(each_world) == ["Deploy on Thursdays."]


def test_accepting_the_second_of_two_rivals_is_refused(each_world: World) -> None:
    """M14: so that two never hold at once; the refusal names the one in force."""
    old = decide(each_world)
    one, two = over(each_world, old, "Deploy on Thursdays."), over(each_world, old, "Deploy on Mondays.")
    accepting.accept(each_world.ana, Accept(one.id, 1))
    outcome = refused(lambda: accepting.accept(each_world.ana, Accept(two.id, 1)))
    assert (outcome.code, outcome.rule, outcome.facts["in_force"]) == ("memory.overtaken", "M14", one.id)
    three = over(each_world, newest(each_world, one), "Deploy on Tuesdays.")
    outcome = refused(lambda: accepting.accept(each_world.ana, Accept(two.id, 1)))
    accepting.accept(each_world.ana, Accept(three.id, 1))
    outcome = refused(lambda: accepting.accept(each_world.ana, Accept(two.id, 1)))
    assert outcome.facts["in_force"] == three.id
    assert in_force(each_world) == ["Deploy on Tuesdays."]
    assert acceptance.reject(each_world.ana, two.id, "overtaken").entry.state == REJECTED


def test_a_proposal_gives_way_at_once_and_its_successor_ends_the_accepted_one(each_world: World) -> None:
    """M12: down a chain of proposals that nobody accepted."""
    old = decide(each_world)
    first = over(each_world, old, "Deploy on Thursdays.")
    second = over(each_world, first, "Deploy on Thursdays at noon.")
    third = over(each_world, second, "Deploy on Thursdays at ten.")
    assert [newest(each_world, each).state for each in (first, second, third)] == [REPLACED, REPLACED, HELD]
    assert refused(lambda: accepting.accept(each_world.ana, Accept(first.id, 2))).code == "memory.state"
    assert in_force(each_world) == [WEDNESDAYS]
    assert accepting.accept(each_world.ana, Accept(third.id, 1)).entry.replaces == old.id
    assert newest(each_world, old).replaced_by == third.id
    assert in_force(each_world) == ["Deploy on Thursdays at ten."]


def test_a_note_is_replaced_when_its_replacement_becomes_active(each_world: World) -> None:
    """M12: at once where it is trusted, else when a person confirms it; of two rivals one only."""
    note = entries.remember(each_world.job(each_world.ana, sees="person"), Remember("ink is blue")).entry
    red = over(each_world, note, "ink is red")
    assert (red.state, red.replaces, newest(each_world, note).state) == (ACTIVE, note.id, REPLACED)
    untrusted = each_world.job(each_world.ana)
    green = over(each_world, red, "ink is green", by=untrusted)
    black = over(each_world, red, "ink is black", by=untrusted)
    assert (green.state, newest(each_world, red).state) == (HELD, ACTIVE)
    assert acceptance.confirm(each_world.ana, green.id).entry.replaces == red.id
    assert newest(each_world, red).replaced_by == green.id
    assert refused(lambda: acceptance.confirm(each_world.ana, black.id)).code == "memory.overtaken"


def test_the_new_entry_takes_what_it_is_from_the_old_and_what_it_has_from_the_call(world: World) -> None:
    """M12: kind, scope, subject, key and purpose; not tags, source and end."""
    job = world.job(world.ana, sees="person", purpose="customer-support")
    asked = Remember("ink is blue", tags=("ink",), key="ink", source={"path": "ink.md"}, scope="project:web")
    old = entries.remember(job, asked).entry
    world.later(1)
    job = world.job(world.ana, sees="person", purpose="customer-support")
    new = superseding.supersede(job, Supersede(old.id, 1, "ink is red", tags=("red",))).entry
    assert (new.kind, new.scope, new.about, new.key, new.purpose) == (
        old.kind,
        "project:web",
        "work",
        "ink",
        "customer-support",
    )
    assert (new.tags, new.source, new.ends - old.ends) == (("red",), {}, 86_400_000_000)


def test_another_entry_that_says_so_already_is_named_and_nothing_is_replaced(world: World) -> None:
    """M2, M12: the same text is kept once; the entry itself is answered as it is."""
    one, two = world.note("ink is blue").entry, world.note("paper is white").entry
    outcome = refused(lambda: superseding.supersede(world.ana, Supersede(one.id, 1, "Paper is  WHITE")))
    assert (outcome.code, outcome.facts["id"]) == ("memory.same", two.id)
    same = superseding.supersede(world.ana, Supersede(one.id, 1, "ink IS blue"))
    assert (same.kept, same.entry.version) == ("existing", 1)


@pytest.mark.parametrize("act", ["supersede", "accept a replacement", "supersede a proposal"])
def test_a_legal_hold_keeps_what_would_be_replaced(world: World, act: str) -> None:
    """G40: refused, nothing written."""
    old = propose(world) if act == "supersede a proposal" else decide(world)
    new = over(world, old, "Deploy on Thursdays.") if act == "accept a replacement" else old
    place_hold(world, entry=old)
    before = entries_of(world)
    deed = (lambda: accepting.accept(world.ana, Accept(new.id, 1))) if new is not old else None
    assert refused(deed or (lambda: over(world, old, "Deploy on Mondays."))).code == "hold.covers"
    assert entries_of(world) == before


def test_where_review_is_all_nobody_accepts_their_own(tmp_path: Path) -> None:
    """M32: neither the writer nor who started the job; another reviewer does."""
    world = World(f"sqlite:///{tmp_path / 'strict.db'}", solo=False)
    world.declare(memory={})
    governance.set_settings(world.ana, {"review": "all"}, "stricter")
    rita, remo = world.add("rita", "reviewer"), world.add("remo", "reviewer")
    own = entries.remember(rita, Remember("We deploy on Mondays.", "decision")).entry
    outcome = refused(lambda: accepting.accept(rita, Accept(own.id, 1)))
    assert (outcome.code, outcome.rule) == ("review.own", "M32")
    by_job = entries.remember(world.job(rita, sees="person"), Remember(WEDNESDAYS, "decision")).entry
    assert refused(lambda: accepting.accept(rita, Accept(by_job.id, 1))).code == "review.own"
    assert accepting.accept(remo, Accept(own.id, 1)).entry.state == ACTIVE
    assert accepting.accept(remo, Accept(by_job.id, 1)).entry.state == ACTIVE


@pytest.mark.parametrize(("who", "code"), [("member", "role.forbidden"), ("auditor", "role.forbidden"),
                                           ("host", "role.forbidden"), ("reviewer", "")])  # fmt: skip
def test_accept_is_a_reviewers(world: World, who: str, code: str) -> None:
    """G3: a member proposes and does not accept."""
    proposed = propose(world)
    acting = world.add("rita", who)
    if code:
        assert refused(lambda: accepting.accept(acting, Accept(proposed.id, 1))).code == code
        assert newest(world, proposed).state == HELD
        return
    assert accepting.accept(acting, Accept(proposed.id, 1)).entry.state == ACTIVE


def test_a_member_writes_proposals_and_nothing_else(world: World) -> None:
    """G3: in the tenant's scope or a project's, of tier person, held."""
    proposed = entries.remember(world.dana, Remember(WEDNESDAYS, "decision")).entry
    assert (proposed.state, proposed.tier, proposed.by, proposed.plugin) == (HELD, "person", "dana", "memory")
    assert entries.remember(world.dana, Remember("Ask twice.", "rule", scope="project:web")).entry.state == HELD
    assert refused(lambda: entries.remember(world.dana, Remember("ink is blue"))).code == "role.forbidden"


def test_a_repeated_proposal_is_answered_with_the_one_that_waits(world: World) -> None:
    """M2: a person who proposes what is proposed already confirms nothing by that."""
    proposed = propose(world)
    again = entries.remember(world.ana, Remember(WEDNESDAYS.upper(), "decision"))
    assert (again.kept, again.entry.id, newest(world, proposed).state) == ("existing", proposed.id, HELD)


def test_an_accepted_one_is_not_moved_a_proposal_is(world: World) -> None:
    """M18: what was accepted is proposed anew in the other scope."""
    from oz0mem.actions import corrections

    old, proposed = decide(world), propose(world, "Deploy on Mondays.")
    outcome = refused(lambda: corrections.move(world.ana, old.id, "project:web"))
    assert (outcome.code, outcome.rule) == ("memory.accepted", "M18")
    over_it = over(world, old, "Deploy on Tuesdays.")
    assert refused(lambda: corrections.move(world.ana, over_it.id, "project:web")).code == "memory.over"
    assert corrections.move(world.ana, proposed.id, "project:web").entry.scope == "project:web"


def test_accepting_brings_an_end_down_to_the_limit_of_that_moment(world: World) -> None:
    """M37: after a shorter longest end; what is replaced keeps its own."""
    old = decide(world)
    new = over(world, old, "Deploy on Thursdays.")
    governance.set_settings(world.ana, {"default_days": 5, "max_days": 5}, "shorter")
    accepted = accepting.accept(world.ana, Accept(new.id, 1)).entry
    assert accepted.ends == new.counted_from + 5 * 86_400_000_000
    assert newest(world, old).ends == old.ends


def test_a_retired_decision_is_not_ended_again_by_its_replacement(world: World) -> None:
    """M14: what left force by itself leaves nothing to end."""
    old = decide(world)
    new = over(world, old, "Deploy on Thursdays.")
    retiring.retire(world.ana, old.id, "no longer")
    assert accepting.accept(world.ana, Accept(new.id, 1)).entry.state == ACTIVE
    assert newest(world, old).state == "retired"


def test_a_note_that_waits_is_decided_about_and_not_replaced(world: World) -> None:
    """M12: only a proposal gives way before anybody decided."""
    job = world.job(world.ana)
    held = entries.remember(job, Remember("ink is blue")).entry
    outcome = refused(lambda: over(world, held, "ink is red", by=job))
    assert (outcome.code, newest(world, held).state) == ("memory.state", HELD)
