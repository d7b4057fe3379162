"""D1, C2: what Python answers is what the command line prints as JSON, above all its times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.adapters.config import folders
from oz0mem.model.errors import Waiting
from oz0mem.python import Job, Memory, open_memory
from oz0mem.views.view import Moment
from tests.actions.world import OPEN, World
from tests.docs.shapes import find_faults, read_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

SHAPES = {
    "remember": "written", "supersede": "written", "recall": "recall", "define": "defined", "accept": "changed",
    "retire": "changed", "confirm": "changed", "reject": "changed", "renew": "changed", "move": "changed",
    "changed_since": "changes", "startup_context": "startup", "edit": "changed", "delete": "erased",
    "forget": "erased", "list": "list", "show": "shown", "history": "history", "link": "link",
    "confirm_link": "link", "reject_link": "link", "links": "links", "approvals": "approvals",
    "approve": "approval", "deny": "approval", "policy": "policy", "set_policy": "change",
    "receipt": "", "keys": "keys",
}  # fmt: skip
"""The shape of what each method answers, '' for a file of its own format; a new method needs its row."""


def methods() -> set[str]:
    """The public methods that answer a document."""
    found = {name: getattr(each, name) for each in (Memory, Job) for name in dir(each) if not name.startswith("_")}
    return {
        name for name, method in found.items() if getattr(method, "__annotations__", {}).get("return") == "Document"
    }


def moments(value: object) -> Iterator[Moment]:
    """Every time in a document that is a number still."""
    if isinstance(value, Moment):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for each in parts:
        yield from moments(each)


class Told:
    """A door whose answers are kept, by method."""

    def __init__(self, door: Memory | Job, answers: dict[str, list[dict[str, Any]]]) -> None:
        self._door = door
        self._answers = answers

    def __getattr__(self, name: str) -> Any:
        def call(*args: object, **named: object) -> dict[str, Any]:
            answer: dict[str, Any] = getattr(self._door, name)(*args, **named)
            self._answers.setdefault(name, []).append(answer)
            return answer

        return call


def _decide(memory: Told, erin: Told, reader: Told) -> None:
    """What a team decides."""
    made = memory.remember("Deploy on Wednesdays", kind="decision", ends="90d")
    memory.accept(made["id"], 1)
    memory.supersede(made["id"], 2, "Deploy on Tuesdays", ends="90d")
    memory.renew(made["id"], 100)
    memory.define("deploy", "To put live.")
    memory.history("concierge", "shipping_city", "dana")
    reader.recall("deploy")
    reader.startup_context()
    reader.changed_since()
    note = memory.remember("Deploys need two people")
    for at, settle in enumerate((memory.confirm_link, memory.reject_link)):
        other = memory.remember(f"Deploys are told in {at + 1} channels")
        erin.link(note["id"], "supports", other["id"])
        settle(memory.links(waiting=True)["items"][0]["link"], "seen")
    memory.move(note["id"], "project:web")
    memory.edit(note["id"], "Deploys need three people")
    memory.show(note["id"])
    memory.list()
    memory.retire(note["id"], "done with")
    memory.delete(note["id"], "asked to")
    memory.policy()
    memory.set_policy({"remember": "ask"}, "a trial")


def _review(memory: Told, job: Told) -> None:
    """What waits for people, and what they take back."""
    for at, settle in enumerate((memory.approve, memory.deny)):
        with pytest.raises(Waiting):
            job.remember(f"Dana orders {at + 1} pens", kind="semantic", ends="20d")
        settle(memory.approvals()["items"][0]["approval"], "seen")
    memory.forget("dana")
    memory.receipt("dana")
    memory.keys()


def test_no_method_answers_a_time_as_a_number(store_url: str, home: Path) -> None:
    """C2: every method answers its documented shape, with times as RFC 3339."""
    world = World(store_url, folder=folders()[0])
    world.declare()
    answers: dict[str, list[dict[str, Any]]] = {}
    door = open_memory(world.url, tenant="acme", token="ana's token")
    own = open_memory(world.url, tenant="acme", token=world.dana.token)
    other = open_memory(world.url, tenant="acme", token=world.add("erin", "reviewer").token)
    OPEN.extend((door, own, other))
    memory, job, dana = Told(door, answers), Told(own.job("concierge", sees="person"), answers), Told(own, answers)
    job.remember("Dana ships to Porto", kind="semantic", key="shipping_city", ends="20d")
    held = [Told(own.job("concierge"), answers).remember(f"Dana likes {what} ink", kind="semantic") for what in "ab"]
    memory.confirm(held[0]["id"])
    memory.reject(held[1]["id"], "not so")
    _decide(memory, Told(other, answers), Told(own.job("concierge", sees="person"), answers))
    _review(memory, job)
    dana.list()
    assert set(answers) == methods() == set(SHAPES)
    shapes = read_shapes(Path("docs/json.md").read_text("utf-8"))
    for name, every in answers.items():
        for answer in every:
            assert not list(moments(answer)), name
            json.dumps(answer)
            assert not SHAPES[name] or not find_faults(SHAPES[name], answer, shapes), name
