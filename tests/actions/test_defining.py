"""M13: what a term means: one in force a term, scope and purpose, whatever the spelling; read, proposed, accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, accepting, approvals, defining, entries, policies
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define, Defined
from oz0mem.actions.entries import Remember
from oz0mem.model.kinds import ACTIVE, HELD, REPLACED
from tests.actions.evidence import entries_of, events, newest, place_hold, refused, run_sql
from tests.actions.world import World

if TYPE_CHECKING:
    from oz0mem.actions.context import Context

TERM = "active customer"
ORDERS = "A customer with an order in the last 90 days."
SIXTY = "A customer with an order in the last 60 days."


def look(by: Context, term: str = TERM, **more: str) -> Defined:
    """What a term means to somebody."""
    return defining.define(by, Define(term, **more))


def texts(found: Defined) -> tuple[str, list[str]]:
    """What is in force, and what is proposed."""
    return (found.in_force.text if found.in_force else "", [entry.text for entry in found.proposed])


def test_a_definition_is_proposed_accepted_and_redefined_and_both_are_shown(each_world: World) -> None:
    """M13: the accepted one stays until the new one is accepted, which names what it ends."""
    job = each_world.job(each_world.ana, sees="person")
    first = look(job, text=ORDERS).written
    assert first is not None
    assert (first.entry.state, first.entry.held, first.entry.scope, first.entry.term) == (
        HELD,
        "proposal",
        "tenant",
        TERM,
    )
    assert first.entry.id.startswith("t-")
    assert texts(look(job)) == ("", [ORDERS])
    accepting.accept(each_world.ana, Accept(first.entry.id, 1, ORDERS, TERM))
    found = look(job, text=SIXTY)
    assert texts(found) == (ORDERS, [SIXTY])
    assert texts(look(each_world.ana)) == (ORDERS, [SIXTY])
    assert texts(look(each_world.dana)) == (ORDERS, [])
    assert found.written is not None
    done = accepting.accept(each_world.ana, Accept(found.written.entry.id, 1)).entry
    assert done.replaces == first.entry.id
    assert newest(each_world, first.entry).state == REPLACED
    assert texts(look(job)) == (SIXTY, [])


@pytest.mark.parametrize(
    "spelled", ["Active Customer", "ＡＣＴＩＶＥ customer", " active \u00a0 customer ", "active\u2003customer"]
)
def test_terms_that_differ_by_case_width_or_spaces_are_one(world: World, spelled: str) -> None:
    """M13: read, proposed and accepted as one; the term is shown as it was written."""
    first = look(world.ana, text=ORDERS).written
    assert first is not None
    accepting.accept(world.ana, Accept(first.entry.id, 1, ORDERS, spelled))
    assert texts(look(world.ana, spelled)) == (ORDERS, [])
    second = look(world.ana, spelled, text=SIXTY).written
    assert second is not None
    assert accepting.accept(world.ana, Accept(second.entry.id, 1)).entry.replaces == first.entry.id


def test_another_term_is_another_though_its_text_is_the_same(world: World) -> None:
    """M2, M13: and a term with another letter is another."""
    for term in ("customer", "client", "custömer"):
        written = look(world.ana, term, text=ORDERS).written
        assert written is not None
        assert written.kept == "new"
    again = look(world.ana, "CUSTOMER", text=ORDERS.upper()).written
    assert again is not None
    assert again.kept == "existing"


def test_a_newer_proposal_for_a_term_ends_the_older(each_world: World) -> None:
    """M13: whoever wrote it; it never was in force, and cannot be accepted any more."""
    job = each_world.job(each_world.ana, sees="person")
    older, newer = look(job, text=ORDERS).written, look(each_world.dana, text=SIXTY).written
    assert older is not None and newer is not None
    assert (newest(each_world, older.entry).state, newest(each_world, older.entry).replaced_by) == (
        REPLACED,
        newer.entry.id,
    )
    assert refused(lambda: accepting.accept(each_world.ana, Accept(older.entry.id, 2))).code == "memory.state"
    assert texts(look(each_world.ana)) == ("", [SIXTY])


def test_the_term_is_told_nowhere_but_with_its_text(world: World) -> None:
    """M13, L3: not by the id, the ledger, or any number beside the content."""
    written = look(world.ana, text=ORDERS).written
    assert written is not None
    again = look(world.ana, "other", text=ORDERS).written
    assert again is not None
    assert written.entry.id != again.entry.id
    assert all("active" not in str(event) and "customer" not in str(event) for event in events(world))
    hashes = {row[0] for row in run_sql(world, "SELECT key_hash FROM version WHERE kind = 2")}
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("term", "code"),
    [
        ("", "argument.blank"),
        ("\u200b", "argument.blank"),
        ("x" * 201, "argument.size"),
        ("a\nb", "argument.control"),
    ],
)
def test_what_a_term_cannot_be(world: World, term: str, code: str) -> None:
    """M1: one line of at most 200 characters; refused at reading and writing."""
    for text in ("", ORDERS):
        assert refused(lambda text=text: look(world.ana, term, text=text)).code == code  # type: ignore[misc]  # bound


def test_a_definition_by_remember_takes_its_key_as_the_term(world: World) -> None:
    """M11: only definitions get a key by themselves."""
    entry = entries.remember(world.ana, Remember(ORDERS, "definition", key="Active  Customer")).entry
    assert (entry.key, entry.term) == ("active customer", "Active  Customer")
    assert texts(look(world.ana)) == ("", [ORDERS])


def test_the_nearest_of_ones_own_purpose_comes_first(each_world: World) -> None:
    """M13: own scope, projects, tenant; a definition of one's own purpose before the tenant's general one."""
    each_world.declare(purposes=["customer-support", "billing"])
    plain = each_world.job(each_world.ana, sees="person")
    support = each_world.job(each_world.ana, sees="person", purpose="customer-support")
    for job, scope, text in (
        (plain, "tenant", "the tenant's"),
        (plain, "agent:concierge", "the agent's"),
        (plain, "project:web", "the project's"),
        (support, "tenant", "of support"),
    ):
        written = look(job, text=text, scope=scope).written
        assert written is not None
        accepting.accept(each_world.ana, Accept(written.entry.id, 1))
    found = look(support)
    assert texts(found) == ("of support", [])
    assert [entry.text for entry in found.also] == ["the agent's", "the project's", "the tenant's"]
    assert texts(look(plain)) == ("the agent's", [])
    assert texts(look(plain, scope="project:web")) == ("the project's", [])
    assert texts(look(each_world.job(each_world.ana, purpose="billing")))[0] == "the agent's"


def test_reading_and_proposing_are_two_capabilities(world: World) -> None:
    """G5: define without text is recall's, with text remember's; whoever may only propose is shown only that."""
    world.declare(capabilities=["recall"], memory={})
    reader = world.job(world.ana, sees="person")
    assert texts(look(reader)) == ("", [])
    assert refused(lambda: look(reader, text=ORDERS)).code == "agent.function"
    look(world.ana, text=SIXTY)
    world.declare(capabilities=["remember"], memory={})
    writer = world.job(world.ana, sees="person")
    assert refused(lambda: look(writer)).code == "agent.function"
    found = look(writer, "order", text=ORDERS)
    assert texts(found) == ("", [ORDERS])


def test_reading_asks_nobody_and_proposing_does(store_url: str) -> None:
    """G30: define without text changes nothing."""
    world = World(store_url, asks=True)
    world.declare()
    job = world.job(world.ana, sees="person")
    assert texts(look(job)) == ("", [])
    outcome = refused(lambda: look(job, text=ORDERS))
    assert (outcome.code, outcome.facts["function"]) == ("approval.waits", "define")
    approvals.approve(world.ana, str(outcome.facts["approval"]))
    assert texts(look(job)) == ("", [ORDERS])
    assert texts(look(job, text=ORDERS)) == ("", [ORDERS])
    policies.set_policy(world.ana, "define", "deny", "enough terms")
    assert refused(lambda: look(job, text=SIXTY)).code == "policy.denied"


def test_a_hold_on_a_proposal_keeps_it_from_giving_way(world: World) -> None:
    """G40: being replaced is refused, by a key too."""
    written = look(world.ana, text=ORDERS).written
    assert written is not None
    place_hold(world, entry=written.entry)
    before = entries_of(world)
    assert refused(lambda: look(world.ana, text=SIXTY)).code == "hold.covers"
    assert entries_of(world) == before


def test_an_agent_that_accepts_names_the_term(world: World) -> None:
    """M14: the text alone is not all that comes into force."""
    policies.set_policy(world.ana, "accept", "allow", "as a test")
    job = world.job(world.ana, sees="person")
    written = look(job, text=ORDERS).written
    assert written is not None
    entry_id = written.entry.id
    assert refused(lambda: accepting.accept(job, Accept(entry_id, 1))).code == "memory.text"
    assert refused(lambda: accepting.accept(job, Accept(entry_id, 1, ORDERS))).code == "memory.other_text"
    assert refused(lambda: accepting.accept(job, Accept(entry_id, 1, ORDERS, "customer"))).code == "memory.other_text"
    assert accepting.accept(job, Accept(entry_id, 1, ORDERS, TERM)).entry.state == ACTIVE


def test_a_rejected_proposal_is_shown_no_more_and_said_to_be_rejected(world: World) -> None:
    """M2, M13: the same text again is answered as rejected."""
    written = look(world.ana, text=ORDERS).written
    assert written is not None
    acceptance.reject(world.ana, written.entry.id, "too narrow")
    assert texts(look(world.ana)) == ("", [])
    again = look(world.job(world.ana, sees="person"), text=ORDERS).written
    assert again is not None
    assert (again.kept, again.entry.state) == ("existing", "rejected")
