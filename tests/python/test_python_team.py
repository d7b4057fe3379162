"""D1: what a team agrees on, from Python: decisions, terms, links, calls that wait, the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.model.errors import Conflict, Refused, Waiting
from oz0mem.python import Job, Memory, open_memory
from tests.actions.world import OPEN, World

if TYPE_CHECKING:
    from collections.abc import Callable

WEDNESDAYS = "Deploy on Wednesdays, never on Fridays."
DECIDER = {
    "capabilities": ["remember", "recall"],
    "tools": ["oz0_memory.supersede", "oz0_memory.accept", "oz0_memory.define", "oz0_memory.retire"],
}


@pytest.fixture
def asking(store_url: str) -> World:
    """A tenant as init leaves it, with an agent that may call every function."""
    world = World(store_url, asks=True)
    world.declare(name="decider", **DECIDER)
    return world


@pytest.fixture
def memory(asking: World) -> Memory:
    return memory_of(asking, "ana's token")


def memory_of(world: World, token: str) -> Memory:
    """The door, opened as somebody; its store is closed with the others."""
    opened = open_memory(world.url, tenant="acme", token=token)
    OPEN.append(opened)
    return opened


def decider(memory: Memory) -> Job:
    """A job of the agent that saw only what people wrote."""
    return memory.job("decider", sees="person")


def approval_of(act: Callable[[], object]) -> str:
    """The approval that a call waits under."""
    with pytest.raises(Waiting) as waits:
        act()
    assert (waits.value.code, waits.value.facts["state"]) == ("approval.waits", "waiting")
    return str(waits.value.facts["approval"])


def test_a_decisions_life(memory: Memory) -> None:
    """M12, M14, M26, M27: proposed, accepted, superseded; the old one is in force until the new one is accepted."""
    memory.set_policy({"write": "allow"}, "a trial")
    job = decider(memory)
    made = job.remember(WEDNESDAYS, kind="decision")
    assert (made["state"], job.startup_context()["text"]) == ("held", "")
    assert memory.accept(made["id"], 1, WEDNESDAYS)["state"] == "active"
    new = job.supersede(made["id"], 2, "Deploy on Tuesdays.", tags=["ops"], source={"path": "a.md"}, ends="20d")
    with pytest.raises(Conflict) as stale:
        job.supersede(made["id"], 1, "Deploy on Mondays.")
    assert stale.value.facts["newest"] == 2
    assert decider(memory).startup_context(400, 100)["items"][0]["id"] == made["id"]
    assert memory.accept(new["id"], 1)["replaces"] == made["id"]
    told = job.changed_since()
    assert [entry["id"] for entry in told["items"]] == [new["id"]]
    assert job.changed_since(told["cursor"])["items"] == []
    assert [hit["id"] for hit in job.recall("deploy")["items"]] == [new["id"]]


def test_a_term_is_proposed_and_read(memory: Memory) -> None:
    """M13: with a text it proposes, without one it reads."""
    written = memory.define("active customer", "Whoever ordered.")["written"]
    memory.accept(written["id"], 1, term="Active  Customer")
    read = memory.define("ACTIVE customer")
    assert (read["in_force"]["id"], read["proposed"], read["written"]) == (written["id"], [], None)


def test_own_state_lists_what_an_agent_wrote_itself(memory: Memory) -> None:
    """M29: by state, for its agent alone."""
    memory.set_policy({"remember": "allow"}, "a trial", agent="agent:decider")
    held = decider(memory).remember(WEDNESDAYS, kind="decision")
    assert [hit["id"] for hit in decider(memory).recall(own_state="held")["items"]] == [held["id"]]
    with pytest.raises(Refused):
        memory.recall(own_state="held")


def test_every_call_that_asks_waits_and_is_decided(memory: Memory) -> None:
    """G30, G31: Waiting with the approval's id; the same call again answers what it came to."""
    made = memory.remember(WEDNESDAYS, kind="decision")
    job = decider(memory)
    asked = {
        "remember": approval_of(lambda: job.remember("The depot opens at seven", call_id="c1")),
        "accept": approval_of(lambda: job.accept(made["id"], 1, WEDNESDAYS)),
        "define": approval_of(lambda: job.define("customer", "Whoever paid")),
    }
    waiting = memory.approvals()["items"]
    assert [(item["function"], item["approval"]) for item in waiting] == list(asked.items())
    approved = memory.approve(asked["remember"], "read it")
    assert (approved["state"], approved["answer"]["state"]) == ("approved", "active")
    assert job.remember("The depot opens at seven", call_id="c1")["id"] == approved["answer"]["id"]
    assert memory.approve(asked["accept"])["answer"] == {"id": made["id"], "version": 2, "state": "active"}
    assert memory.deny(asked["define"], "not ours")["state"] == "denied"
    with pytest.raises(Refused) as denied:
        job.define("customer", "Whoever paid")
    assert denied.value.code == "approval.denied"
    over = approval_of(lambda: job.retire(made["id"], "over", version=2))
    assert memory.approve(over)["answer"]["state"] == "retired"


def test_links_are_proposed_by_one_and_confirmed_by_another(store_url: str) -> None:
    """M17: and a source given at the write needs neither."""
    world = World(store_url, solo=False)
    rita = memory_of(world, world.add("rita", "reviewer").token)
    memory = memory_of(world, "ana's token")
    one, two = memory.remember("The deploy failed"), memory.remember("Nobody deploys on Fridays")
    made = memory.link(one["id"], "supports", two["id"], "we saw it")
    assert [each["link"] for each in rita.links(waiting=True)["items"]] == [made["link"]]
    assert rita.confirm_link(made["link"])["state"] == "confirmed"
    other = memory.link(two["id"], "answers", one["id"])
    assert rita.reject_link(other["link"], "it does not")["state"] == "rejected"
    memory.remember("So we wait", derives_from=[one["id"]])
    assert {each["label"] for each in memory.links()["items"]} == {"supports", "answers", "derives_from"}


def test_the_policy_is_shown_and_set(memory: Memory) -> None:
    """G30: one change for several rules, each with what it was."""
    assert {rule["what"]: rule["effect"] for rule in memory.policy()["items"]} == {"write": "ask", "accept": "ask"}
    changed = memory.set_policy({"write": "allow", "accept": "deny"}, "a trial")
    assert [(each["what"], each["old"], each["new"]) for each in changed["what"]] == [
        ("write", "ask", "allow"),
        ("accept", "ask", "deny"),
    ]
