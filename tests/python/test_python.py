"""D1: the same functions for Python, in the shapes that every door answers with."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

import oz0mem
from oz0mem import verify
from oz0mem.adapters.config import folders
from oz0mem.model.errors import Forbidden, NotFound, Oz0Error, Refused, Waiting
from oz0mem.python import Memory, open_memory
from tests.actions.world import OPEN, World

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def world(store_url: str) -> World:
    """A tenant with the concierge declared."""
    made = World(store_url)
    made.declare()
    return made


def memory_of(world: World, token: str) -> Memory:
    """The door, opened as somebody; its store is closed with the others."""
    memory = open_memory(world.url, tenant="acme", token=token)
    OPEN.append(memory)
    return memory


def test_a_job_remembers_and_recalls(world: World) -> None:
    """D1: what a job keeps it recalls, in the documented shapes."""
    memory = memory_of(world, world.dana.token)
    job = memory.job("concierge", sees="person")
    kept = job.remember("Dana ships to Lisbon", kind="semantic", key="shipping_city", ends="20d")
    assert (kept["kept"], kept["state"], kept["scope"]) == ("new", "active", "agent:concierge")
    moved = job.remember("Dana now ships to Porto", kind="semantic", key="shipping_city")
    assert moved["replaced"] == kept["id"]
    found = job.recall("where does she ship")
    assert [hit["text"] for hit in found["items"]] == ["Dana now ships to Porto"]
    assert set(found["budget"]) == {"entries", "chars", "used_entries", "used_chars"}
    told = memory_of(world, "ana's token").history("concierge", "shipping_city", "dana")
    assert [fact["text"] for fact in told["items"]] == ["Dana ships to Lisbon", "Dana now ships to Porto"]


def test_everything_an_administrator_does(world: World) -> None:
    """D1: each method is its action: the state that it answers is the one that the store has."""
    memory = memory_of(world, "ana's token")
    job = memory_of(world, world.dana.token).job("concierge")
    held = job.remember("Dana likes dotted notebooks", kind="semantic")
    assert held["state"] == "held"
    assert [entry["id"] for entry in memory.list(held=True)["items"]] == [held["id"]]
    assert memory.confirm(held["id"])["state"] == "active"
    note = memory.remember("Deploy on Wednesdays", tags=["deploys"])
    assert memory.show(note["id"])["text"] == "Deploy on Wednesdays"
    assert memory.move(note["id"], "project:web")["changed"]
    assert memory.edit(note["id"], "Deploy on Wednesdays, never on Fridays")["version"] == 3
    assert memory.renew(note["id"], 10)["changed"]
    assert memory.retire(note["id"], "done with")["state"] == "retired"
    assert memory.delete(note["id"], "asked to")["erased"] == 1
    other = job.remember("Dana dislikes blue ink", kind="semantic")
    assert memory.reject(other["id"], "not what she said")["state"] == "rejected"
    assert memory.forget("dana", dry_run=True)["erased"] == 2
    gone = memory.forget("dana")
    assert (gone["erased"], gone["open"]) == (2, False)
    assert memory.list()["items"] == []
    unlinked = memory.forget("dana", unlink=True)
    assert (unlinked["unlinked"], unlinked["kept_because"]) == (False, ["principal"])
    memory.job("concierge", about="erin")
    assert memory.forget("erin", unlink=True, dry_run=True)["unlinked"]
    assert memory.forget("erin", unlink=True)["unlinked"]


def test_an_agent_only_proposes_to_retire(world: World) -> None:
    """M34: a job's retirement raises that it waits, and the entry stays."""
    memory = memory_of(world, "ana's token")
    note = memory.remember("Deploy on Wednesdays")
    job = memory.job("concierge", sees="person")
    with pytest.raises(Waiting) as waits:
        job.retire(note["id"], "nobody does", version=note["version"])
    assert waits.value.code == "memory.retirement_waits"
    assert memory.show(note["id"])["state"] == "active"


def test_refusals_are_the_errors_of_every_door(world: World) -> None:
    """D1: code, rule and hint are those of the command line."""
    memory = memory_of(world, "ana's token")
    with pytest.raises(Refused) as secret:
        memory.remember("the key is " + "AKIA" + "ABCDEFGHIJKLMNOP")
    assert (secret.value.code, secret.value.rule) == ("secret.found", "M8")
    with pytest.raises(Refused) as people:
        memory.job("concierge", about="dana", sees="person").remember("Dana likes tea", kind="semantic")
    assert people.value.code == "memory.people_off"
    with pytest.raises(Forbidden):
        memory_of(world, "nobody's token").list()
    with pytest.raises(NotFound):
        memory.job("nobody")


def test_every_refusal_is_caught_by_the_package_s_own_name(world: World) -> None:
    """D1: who embeds it needs no path inside the package; nothing else is found there."""
    assert oz0mem.Oz0Error is Oz0Error
    with pytest.raises(oz0mem.Oz0Error):
        memory_of(world, "nobody's token").list()
    with pytest.raises(AttributeError, match="no attribute 'Oz0Eror'"):
        _ = oz0mem.Oz0Eror


def test_a_job_that_ended_acts_no_more(world: World) -> None:
    """G2: reading lowers a job, ending it ends its token."""
    job = memory_of(world, world.dana.token).job("concierge", sees="person")
    job.read("the delivery page")
    assert job.remember("Dana ships to Lisbon", kind="semantic")["held_because"] == "unreviewed"
    job.end()
    with pytest.raises(Forbidden) as ended:
        job.recall("Lisbon")
    assert ended.value.code == "job.ended"


def test_a_memory_is_used_from_threads(world: World) -> None:
    """D1: each thread has a connection of its own, and nothing is lost."""
    memory = memory_of(world, "ana's token")
    wrong: list[BaseException] = []

    def write(mark: int) -> None:
        try:
            for at in range(10):
                memory.remember(f"note {at} of thread {mark} about deploys")
        except BaseException as error:
            wrong.append(error)
        finally:
            memory.close()

    threads = [threading.Thread(target=write, args=(mark,)) for mark in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    listed: list[dict[str, Any]] = memory.list(limit=100)["items"]
    assert len(listed) == 40


def test_a_receipt_is_taken_from_python(store_url: str, home: Path) -> None:
    """D1, L30: the documents of ``receipt``, ``audit keys`` and ``audit head``, with the keys where the user's are."""
    world = World(store_url, folder=folders()[0])
    world.declare()
    memory_of(world, world.dana.token).job("concierge").remember("Dana ships to Lisbon", kind="semantic")
    memory = memory_of(world, "ana's token")
    held = memory.head()
    memory.forget("dana")
    receipt, public = memory.receipt("dana", since=held), json.dumps(memory.keys()).encode()
    found = verify.verify(json.dumps(receipt).encode(), public, held)
    assert (found.about, found.records, found.held) == ("dana", 1, verify.read_head(held).size)
    with pytest.raises(NotFound):
        memory.receipt("erin")


def test_opening_makes_nothing(tmp_path: Path) -> None:
    """Q12: a misspelt path is a refusal, never a fresh empty store."""
    missing = tmp_path / "mispelt.db"
    memory = oz0mem.open(f"sqlite:///{missing}", tenant="acme", token="x")
    with pytest.raises(Oz0Error) as refused:
        memory.list()
    assert refused.value.code == "store.missing"
    assert not missing.exists()


def test_a_host_hands_a_job_over_by_its_token(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """D1, G2: whoever has the job's token acts as the job, and as nobody else."""
    job = memory_of(world, world.dana.token).job("concierge", sees="person")
    monkeypatch.setenv("OZ0MEM_JOB", job.token)
    handed = oz0mem.open_job(world.url, tenant="acme")
    OPEN.append(handed)
    kept = handed.remember("Dana ships to Lisbon", kind="semantic")
    assert kept["state"] == "active"
    assert [hit["id"] for hit in job.recall("ships")["items"]] == [kept["id"]]
    assert not hasattr(handed, "forget")
