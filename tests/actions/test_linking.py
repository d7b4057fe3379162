"""M17, M20, M24, M25: what a write says it derives from, and two reviewers at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, context, entries, forget, governance, linking, links, listing, recall
from oz0mem.actions.entries import Remember
from oz0mem.model.agreements import CONFIRMED
from oz0mem.model.errors import Oz0Error
from tests.actions.agreed import agree
from tests.actions.evidence import alter, events, refused, restrict
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.store.engine import Store


def sources(world: World, who: Context, *ids: str) -> list[str]:
    """The ids of the sources that somebody may name."""

    def act(desk: Desk) -> list[str]:
        caller, settings = context.caller_of(desk, who), context.settings_of(desk)
        return [entry.id for entry in linking.sources_of(desk, caller, settings, ids)]

    return world.store.read(world.now, act)


def test_sources_come_once_and_in_order(each_world: World) -> None:
    """M17: 16 at most, whole ids for a job, shortened ones for people."""
    world = each_world
    one, other = world.note("Deploys on Friday failed").entry, world.note("Deploy on Wednesdays").entry
    job = world.job(world.dana)
    assert sources(world, job, other.id, one.id, other.id) == [other.id, one.id]
    assert sources(world, world.ana, one.id[:8], one.id) == [one.id]
    assert sources(world, job, *[one.id] * 17) == [one.id]
    many = refused(lambda: sources(world, job, *(f"n-{number:012x}" for number in range(17))))
    assert (many.code, many.facts) == ("link.sources", {"most": 16})
    assert refused(lambda: sources(world, job, one.id[:8])).code == "memory.unknown"


def test_a_rule_of_a_project_above_is_a_source_and_nothing_else_of_it(each_world: World) -> None:
    """M17, M20: what recall has just shown can be named; a decision of that project, which it never shows, cannot."""
    world = each_world
    world.declare(name="wide", projects=["web"])
    world.declare(projects=["web/checkout"])
    rule = agree(world, "name the customer", kind="rule", scope="project:web", agent="wide")
    decision = agree(world, "customers are named", scope="project:web", agent="wide")
    job = world.job(world.dana)
    assert [hit.entry.id for hit in recall.recall(job, recall.Recall("customer")).items] == [rule.id]
    assert sources(world, job, rule.id) == [rule.id]
    asked = Remember("the letter names the customer", derives_from=(rule.id,), scope="agent:concierge")
    assert entries.remember(job, asked).entry.id
    assert refused(lambda: sources(world, job, decision.id)).code == "memory.unknown"


def hidden(world: World) -> dict[str, Entry]:
    """Entries that a job of dana's may not read, by why."""
    erin, support = world.add("erin", "member"), world.job(world.ana, purpose="customer-support", sees="person")
    found = {
        "somebody else's": world.learn("erin likes ink", starter=erin).entry,
        "held": world.learn("dana likes chalk", sees="").entry,
        "of another project": world.note("The shop is closed", scope="project:shop").entry,
        "restricted": world.note("Prices doubled").entry,
        "altered": world.note("The office opens at nine").entry,
        "of another purpose": entries.remember(support, Remember("Refunds take a week", scope="tenant")).entry,
    }
    restrict(world, found["restricted"])
    alter(world, found["altered"])
    return found


@pytest.mark.parametrize(
    "why", ["somebody else's", "held", "of another project", "restricted", "altered", "of another purpose"]
)
def test_what_a_job_may_not_read_is_no_source_and_answered_as_absent(world: World, why: str) -> None:
    """M20, M22, L7: alone and among others."""
    entry, good = hidden(world)[why], world.note("Deploy on Wednesdays").entry
    job = world.job(world.dana)
    absent = refused(lambda: sources(world, job, good.id, "n-000000000000"))
    said = refused(lambda: sources(world, job, good.id, entry.id))
    assert (said.code, said.said) == (absent.code, absent.said) == ("memory.unknown", absent.said)
    assert entry.id not in said.said


def test_what_was_replaced_or_has_ended_is_a_source_while_it_is_work(world: World) -> None:
    """M22: as recall would show it with what ended; of a person's facts those in force alone."""
    old = world.note("Deploy on Mondays", key="day").entry
    world.note("Deploy on Wednesdays", key="day")
    ends = world.now + 86_400_000_000
    short, hers = world.note("The fair is open", ends=ends).entry, world.learn("dana is at the fair", ends=ends).entry
    world.later(2)
    job = world.job(world.dana)
    assert sources(world, job, old.id, short.id) == [old.id, short.id]
    assert refused(lambda: sources(world, job, hers.id)).code == "memory.unknown"


def test_no_source_stands_behind_a_wall(world: World) -> None:
    """M25: neither against the job's own compartments, nor one beside the other; answered as what is not there."""
    sales, legal = (written_in(world, name) for name in ("sales", "legal"))
    governance.set_settings(world.ana, {"apart": [("legal", "sales")]}, "two clients")
    job = world.job(world.ana, compartments=("sales",))
    absent = refused(lambda: sources(world, job, "n-000000000000"))
    assert sources(world, job, sales.id) == [sales.id]
    assert refused(lambda: sources(world, job, legal.id)).said == absent.said
    neither = world.job(world.ana)
    assert sources(world, neither, legal.id) == [legal.id]
    assert refused(lambda: sources(world, neither, sales.id, legal.id)).said == absent.said
    entries.remember(neither, Remember("Both sides have a view", derives_from=(legal.id,)))
    assert refused(lambda: sources(world, neither, sales.id)).said == absent.said


def written_in(world: World, compartment: str) -> Entry:
    """An entry of a compartment, confirmed, in the tenant's scope."""
    job = world.job(world.ana, compartments=(compartment,), sees="person")
    held = entries.remember(job, Remember(f"the warehouse as {compartment} sees it", scope="tenant")).entry
    return acceptance.confirm(world.ana, held.id).entry


def test_what_a_write_derives_from_needs_no_confirming(each_world: World) -> None:
    """M17: confirmed links with their events, named by who started the job; the ledger holds."""
    world = each_world
    one, other = world.note("Deploys on Friday failed").entry, world.note("Fridays are short").entry
    job = world.job(world.dana, sees="person")
    new = entries.remember(job, Remember("Deploy on Wednesdays", derives_from=(one.id, other.id, one.id))).entry
    shown = listing.show(world.ana, new.id).links
    assert [(each.label, each.other_id, each.state, each.proposer) for each in shown] == [
        ("derives_from", one.id, CONFIRMED, "dana"),
        ("derives_from", other.id, CONFIRMED, "dana"),
    ]
    told = events(world, "memory.linked")
    assert [(each["link_state"], each["actor"]["ref"]) for each in told] == [(CONFIRMED, "concierge")] * 2
    assert links.link(world.ana, new.id, "derives_from", one.id).changed is False
    forget.delete(world.ana, one.id, "no longer so")
    assert [each.other_id for each in listing.show(world.ana, new.id).links] == [other.id]


def test_a_person_says_what_their_text_derives_from_too(world: World) -> None:
    """M17, M31: not from what was rejected."""
    held = world.learn("dana likes ink", sees="").entry
    one = world.note("Deploys on Friday failed").entry
    new = world.note("Deploy on Wednesdays", derives_from=(one.id,)).entry
    assert [each.proposer for each in listing.show(world.ana, new.id).links] == ["ana"]
    acceptance.reject(world.ana, held.id, "no")
    assert refused(lambda: world.note("Ink for dana", derives_from=(held.id,))).code == "link.state"
    assert len(links.list_links(world.ana).items) == 1


def test_a_source_counts_as_read(world: World) -> None:
    """M24: what nobody reviewed lowers the writer's tier, compartments join, and no text was shown."""
    mine = written_in(world, "legal")
    governance.set_settings(world.ana, {"review": "proposals"}, "less to confirm")
    foul = entries.remember(world.job(world.ana), Remember("Rumour has it", scope="tenant")).entry
    job, reads = world.job(world.ana, sees="person"), len(events(world, "plugin.records.read"))
    first = entries.remember(job, Remember("Deploy on Wednesdays", derives_from=(mine.id,))).entry
    assert (first.tier, first.compartments) == ("person", ("legal",))
    second = entries.remember(job, Remember("Deploy on Thursdays", derives_from=(foul.id,))).entry
    assert (second.tier, second.compartments, second.read) == ("unreviewed", ("legal",), ("memory",))
    assert len(events(world, "plugin.records.read")) == reads


def test_a_refused_write_leaves_the_job_as_it_was(world: World) -> None:
    """M24, M16: nothing of it stays."""
    governance.set_settings(world.ana, {"review": "proposals"}, "less to confirm")
    foul = entries.remember(world.job(world.ana), Remember("Rumour has it", scope="tenant")).entry
    job = world.job(world.ana, sees="person")
    asked = Remember("Deploy on Thursdays", derives_from=(foul.id,), scope="project:nowhere")
    refused(lambda: entries.remember(job, asked))
    assert entries.remember(job, Remember("Deploy on Wednesdays")).entry.tier == "person"


def test_two_reviewers_confirm_at_once_and_one_of_them_changes_it(store_url: str) -> None:
    """M17, L20: one change, one event, two answers."""
    world = World(store_url, solo=False)
    people = [world.add(name, "reviewer") for name in ("rita", "rolf")]
    one, other = world.note("Deploys on Friday failed").entry, world.note("Deploy on Wednesdays").entry
    made = links.link(world.ana, one.id, "supports", other.id).link.id
    stores, barrier = [world.opened() for _ in people], Barrier(len(people))

    def act(number: int) -> bool:
        barrier.wait()
        with closing(stores[number]) as store:
            return links.confirm(people[number]._replace(store=store), made).changed

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(act, range(2))) == [False, True]
    assert [each["link_state"] for each in events(world, "memory.linked")] == ["waiting", CONFIRMED]


def test_one_confirms_while_another_rejects_and_the_later_is_told(store_url: str) -> None:
    """M17, L20: whichever came first stands."""
    world = World(store_url, solo=False)
    rita, rolf = (world.add(name, "reviewer") for name in ("rita", "rolf"))
    one, other = world.note("Deploys on Friday failed").entry, world.note("Deploy on Wednesdays").entry
    made = links.link(world.ana, one.id, "supports", other.id).link.id
    barrier = Barrier(2)

    def run(act: Callable[[Store], links.Linked]) -> str:
        barrier.wait()
        with closing(world.opened()) as store:
            try:
                return act(store).link.state
            except Oz0Error as error:
                return error.code

    acts = (
        lambda store: links.confirm(rita._replace(store=store), made),
        lambda store: links.reject(rolf._replace(store=store), made, "no"),
    )
    with ThreadPoolExecutor(2) as pool:
        answers = set(pool.map(run, acts))
    assert "link.settled" in answers and len(answers) == 2
    assert len(events(world, "memory.linked")) == 2
