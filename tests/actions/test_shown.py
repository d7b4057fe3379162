"""M28, R9: what is shown is in the ledger first, by id and version; no word of it or of the question is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.actions import editing, entries, facts, forget, listing, recall
from oz0mem.actions.entries import Remember
from oz0mem.actions.recall import Recall
from oz0mem.model.filters import Filter
from tests.actions.evidence import events, refused, run_sql, stored_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.actions.world import World

WORD = "zebrawood"
ASKED = "quagga"


def _readings(world: World) -> dict[str, Callable[[], object]]:
    """Every action that shows a text, each asked so that it does."""
    work = world.note(f"ink is {WORD} {ASKED}", key="ink").entry
    world.learn(f"dana likes {WORD} {ASKED} ink", key="likes")
    job = world.job(world.dana, sees="person")
    return {
        "recall": lambda: recall.recall(job, Recall(f"{ASKED}")),
        "recall without words": lambda: recall.recall(job, Recall()),
        "recall by id": lambda: recall.recall(world.ana, Recall(id=work.id)),
        "recall by a person": lambda: recall.recall(world.dana, Recall(ASKED)),
        "list": lambda: listing.list_entries(world.ana, Filter()),
        "list by words": lambda: listing.list_entries(world.dana, Filter(), search=ASKED),
        "show": lambda: listing.show(world.ana, work.id),
        "history": lambda: facts.history(world.ana, "concierge", "likes", "dana"),
        "history of an id": lambda: facts.history_of(world.ana, work.id),
        "remember": lambda: entries.remember(world.ana, Remember(f"the ink is {WORD} {ASKED}")),
        "remember again": lambda: entries.remember(world.ana, Remember(f"the ink is {WORD} {ASKED}", call_id="c-1")),
    }


_NAMES = [
    "recall", "recall without words", "recall by id", "recall by a person", "list", "list by words", "show",
    "history", "history of an id", "remember", "remember again",
]  # fmt: skip


def _shown(answer: Any) -> set[tuple[str, int]]:
    if hasattr(answer, "similar"):
        return {(entry.id, entry.version) for entry in answer.similar}
    items = getattr(answer, "items", None) or [answer]
    found = [getattr(item, "entry", item) for item in items]
    return {(entry.id, entry.version) for entry in found}


@pytest.mark.parametrize("name", _NAMES)
def test_every_answer_with_a_text_has_its_event(each_world: World, name: str) -> None:
    """M28: at any door, to anybody, with the ids and versions shown."""
    read = _readings(each_world)[name]
    before = len(events(each_world, "plugin.records.read"))
    answer = read()
    told = events(each_world, "plugin.records.read")[before:]
    pairs = {pair for event in told for pair in zip(event["entries"], event["versions"], strict=True)}
    assert pairs == _shown(answer) != set()
    assert {(event["function"], event["door"], event["startup"]) for event in told} == {
        (name.split()[0], "python", False)
    }


@pytest.mark.parametrize("name", _NAMES)
def test_neither_text_nor_question_stands_in_the_ledger(world: World, name: str) -> None:
    """M28, R9: a word that only the question has is nowhere in the store's files."""
    _readings(world)[name]()
    recall.recall(world.dana, Recall("unheardof okapi"))
    listing.list_entries(world.ana, Filter(), search="unheardof okapi")
    ledger = b"".join(bytes(row[0]) for row in run_sql(world, "SELECT body FROM event"))
    assert WORD.encode() not in ledger
    assert ASKED.encode() not in ledger
    assert b"okapi" not in stored_bytes(world).lower()


@pytest.mark.parametrize("name", _NAMES)
def test_a_store_that_cannot_record_does_not_answer(world: World, name: str) -> None:
    """M28: the insert of the event fails, and with it the answer."""
    read = _readings(world)[name]
    run_sql(
        world,
        "CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.action = 'plugin.records.read'"
        " BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    outcome = refused(read)
    assert outcome.code.startswith("store.")
    assert WORD not in outcome.said
    assert ASKED not in outcome.said


def test_an_answer_without_a_text_is_no_read(each_world: World) -> None:
    """M28: nothing found, an erased entry's id, a dry run, a write's own text: no event."""
    entry = each_world.learn("dana likes ink").entry
    forget.delete(each_world.dana, entry.id, "")
    before = len(events(each_world, "plugin.records.read"))
    job = each_world.job(each_world.dana)
    assert recall.recall(job, Recall("ink")).items == []
    assert listing.list_entries(each_world.ana, Filter()).items == []
    assert listing.show(each_world.ana, entry.id).entry.text == ""
    each_world.note("ink is blue")
    forget.forget(each_world.ana, "dana", dry_run=True)
    refused(lambda: facts.history(each_world.ana, "concierge", "k"))
    assert len(events(each_world, "plugin.records.read")) == before


def test_every_version_that_is_shown_is_told(world: World) -> None:
    """M28: an entry's earlier texts by their own versions, where they are asked for."""
    entry = world.note("ink is blue").entry
    editing.edit(world.ana, entry.id, "ink is red")
    listing.show(world.ana, entry.id)
    listing.show(world.ana, entry.id, versions=True)
    first, second = events(world, "plugin.records.read")
    assert (first["versions"], sorted(second["versions"])) == ([2], [1, 2])


def test_more_than_256_ids_are_split_and_none_left_out(world: World) -> None:
    """M28, L2: over as many events as they need."""
    for n in range(300):
        world.note(f"{n}")
    listing.list_entries(world.ana, Filter(), limit=300)
    told = events(world, "plugin.records.read")
    assert [len(event["entries"]) for event in told] == [256, 44]
    assert len({each for event in told for each in event["entries"]}) == 300


def test_the_reader_is_told_by_handle_or_by_agent(world: World) -> None:
    """M28, L4: people by handle, an agent by its name, neither with dana's name."""
    world.learn("dana likes ink")
    recall.recall(world.job(world.dana), Recall("ink"))
    recall.recall(world.dana, Recall("ink"))
    agent, person = events(world, "plugin.records.read")
    assert agent["actor"] == {"kind": "agent", "ref": "concierge", "verified": True}
    assert (person["actor"]["kind"], person["actor"]["ref"][:2]) == ("person", "a_")
    assert "dana" not in json.dumps([agent, person])
