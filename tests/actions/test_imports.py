"""5-cli Import, M6, M7, M11: what comes in from another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.actions import acceptance, facts, governance, imports, listing
from oz0mem.actions.imports import Import, Imported
from oz0mem.model.filters import Filter
from oz0mem.model.moments import DAY
from oz0mem.model.records import BadRecord, Record
from tests.actions.evidence import entries_of, newest, place_hold, refused, run_sql
from tests.actions.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from oz0mem.model.entries import Entry

REVIEWED: dict[str, Any] = {"reviewed": True, "reason": "read them all"}


def _bring(world: World, records: Sequence[Record | BadRecord], **asked: Any) -> Imported:
    return imports.import_records(world.ana, lambda: records, Import(**asked))


def _all(world: World) -> list[Entry]:
    return sorted(listing.list_entries(world.ana, Filter(), limit=1000).items, key=lambda entry: entry.numbers.entry)


def test_what_comes_in_is_held_unreviewed_and_where_it_belongs(each_world: World) -> None:
    """M10, M30: origin import, tier unreviewed; people and what was learnt go to the agent import."""
    governance.set_settings(each_world.ana, {"review": "proposals"}, "open")
    when = each_world.now - 400 * DAY
    records = [
        Record(1, "ink is blue", when=when, key="ink", tags=("a",)),
        Record(2, "likes ink", about="dana"),
        Record(3, "likes paper", about="dana", kind="semantic"),
        Record(4, "pack upright", kind="procedural"),
    ]
    assert _bring(each_world, records).imported == 4
    found = _all(each_world)
    assert [(entry.scope, entry.about) for entry in found] == [
        ("tenant", "work"), ("agent:import", "dana"), ("agent:import", "dana"), ("agent:import", "work"),
    ]  # fmt: skip
    assert {(entry.state, entry.held, entry.tier, entry.origin, entry.agent, entry.by) for entry in found} == {
        ("held", "import", "unreviewed", "import", "import", "ana")
    }
    assert [(entry.ends - each_world.now) // DAY for entry in found] == [90, 90, 30, 30]
    assert (found[0].created, found[0].at, found[0].key, found[0].tags) == (
        when,
        each_world.now,
        "ink",
        ("a",),
    )


def test_agent_and_scope_say_where_to(world: World) -> None:
    """M10: a declared agent's scope for people, any but a thread for work."""
    records = [Record(1, "ink is blue"), Record(2, "likes ink", about="dana")]
    _bring(world, records, agent="concierge", scope="project:web")
    assert [entry.scope for entry in _all(world)] == ["project:web", "agent:concierge"]
    assert refused(lambda: _bring(world, records, agent="ghost")).code == "agent.unknown"
    assert refused(lambda: _bring(world, records, scope="thread:t1")).code == "memory.scope"
    assert refused(lambda: imports.import_records(world.dana, lambda: records, Import())).code == "role.forbidden"


def test_what_was_written_long_ago_ends_from_the_import_and_survives_its_confirmation(world: World) -> None:
    """M6, 5-cli Import: ends count from the import, times of writing are kept; confirming changes no end."""
    when = world.now - 2_000 * DAY
    _bring(world, [Record(1, "likes ink", about="dana", kind="semantic", when=when), Record(2, "ink", when=when)])
    for held in _all(world):
        world.later(1)
        confirmed = acceptance.confirm(world.ana, held.id).entry
        assert (confirmed.ends, confirmed.created) == (held.ends, when)


@pytest.mark.parametrize(
    "record",
    [
        BadRecord(2, "no text in it", "text"),
        Record(2, "  "),
        Record(2, "x" * 20_000),
        Record(2, "ok", kind="definition"),
        Record(2, "ok", kind="rule", about="dana"),
        Record(2, "ok", kind="semantic"),
        Record(2, "ok", kind="procedural", about="dana"),
        Record(2, "ok", about="every one"),
        Record(2, "ok", about="DANA"),
        Record(2, "ok", when=2_000_000_000_000_000),
        Record(2, "ok", ends=1),
        Record(2, "ok", source={"url": "x"}),
    ],
)
def test_one_bad_record_stops_it_all_with_its_line_unless_it_is_skipped(world: World, record: Any) -> None:
    """5-cli Import, M1: nothing is imported, or all but the bad one."""
    records = [Record(1, "first"), record, Record(3, "third")]
    outcome = refused(lambda: _bring(world, records))
    broken = outcome.facts["why"].startswith(("argument.", "subject.", "import."))
    assert (outcome.code, outcome.facts["line"]) == ("import.bad" if broken else outcome.facts["why"], 2)
    assert entries_of(world) == []
    done = _bring(world, records, skip_bad=True)
    assert (done.imported, done.existing, done.bad, [line for line, _ in done.notes]) == (2, 0, 1, [2])
    assert [entry.text for entry in _all(world)] == ["first", "third"]


def test_one_file_spells_a_person_one_way(world: World) -> None:
    """M4, 5-cli Import: two spellings that fold alike are one person, so the second is bad."""
    records = [Record(1, "a", about="Émile"), Record(2, "b", about="émile")]
    assert refused(lambda: _bring(world, records)).facts["line"] == 2
    assert entries_of(world) == []
    assert _bring(world, records, skip_bad=True).bad == 1


_FILES: dict[str, list[Record]] = {
    "plain": [Record(1, "a"), Record(2, "b", about="dana"), Record(3, "A ")],
    "dated keys": [
        Record(n, city, about="dana", key="city", when=1_700_000_000_000_000 + n)
        for n, city in enumerate(["Lisbon", "Porto", "Lisbon", "Faro"])
    ],
    "undated keys": [Record(n, city, key="city") for n, city in enumerate(["Lisbon", "Porto", "Lisbon", "Faro"])],
}


@pytest.mark.parametrize("file", _FILES)
@pytest.mark.parametrize("asked", [{}, REVIEWED], ids=["held", "reviewed"])
def test_the_same_file_again_changes_nothing(world: World, file: str, asked: dict[str, Any]) -> None:
    """5-cli Import, M2: a dry run counts it alike; replaced facts are known again too."""
    records = _FILES[file]
    tried = _bring(world, records, dry_run=True, **asked)
    assert entries_of(world) == []
    first = _bring(world, records, **asked)
    assert (tried.imported, tried.existing) == (first.imported, first.existing)
    before = entries_of(world)
    world.later(1)
    tried, again = _bring(world, records, dry_run=True, **asked), _bring(world, records, **asked)
    assert (again.imported, again.existing) == (tried.imported, tried.existing) == (0, len(records))
    assert entries_of(world) == before


def test_a_scope_that_is_nearly_full_takes_the_same_file_again(world: World) -> None:
    """M7: what is there already takes up nothing."""
    records = [Record(n, f"record {n}") for n in range(6)]
    governance.set_settings(world.ana, {"max_records": 10}, "for the test")
    assert _bring(world, records).imported == 6
    assert _bring(world, records).existing == 6
    more = [Record(n, f"another {n}") for n in range(5)]
    outcome = refused(lambda: _bring(world, more))
    assert (outcome.code, outcome.facts["cap"], outcome.facts["count"]) == ("memory.cap", 10, 6)
    assert len(entries_of(world)) == 6


def test_versions_that_close_replaced_facts_count_before_anything_is_written(world: World) -> None:
    """M7, M16: a reviewed file of one key is refused whole where its closings go past the cap."""
    governance.set_settings(world.ana, {"max_bytes": 1024}, "for the test")
    records = [Record(n, f"{n}" * 200, key="k", when=world.now - 10 + n) for n in range(3)]
    assert _bring(world, records, **REVIEWED, dry_run=True).imported == 3
    more = [*records, Record(3, "3" * 200, key="k", when=world.now - 1)]
    assert refused(lambda: _bring(world, more, **REVIEWED)).code == "memory.cap"
    assert entries_of(world) == []
    assert _bring(world, records, **REVIEWED).imported == 3


def test_a_reviewed_import_is_the_importers_own_confirmation(each_world: World) -> None:
    """M11, M30: active with a reason; by key in the order of their times, an older fact behind."""
    assert refused(lambda: _bring(each_world, [Record(1, "a")], reviewed=True)).code == "argument.blank"
    each_world.learn("Faro", key="city")
    old = each_world.now - 100 * DAY
    records = [
        Record(1, "Porto", about="dana", kind="semantic", key="city", when=old + DAY),
        Record(2, "Lisbon", about="dana", kind="semantic", key="city", when=old),
    ]
    _bring(each_world, records, agent="concierge", **REVIEWED)
    found = facts.history(each_world.ana, "concierge", "city", "dana").items
    assert [(fact.entry.text, fact.entry.state) for fact in found] == [
        ("Lisbon", "replaced"), ("Porto", "replaced"), ("Faro", "active"),
    ]  # fmt: skip
    assert [fact.until for fact in found[1:]] == [each_world.now, 0]


def test_where_review_is_all_nobody_reviews_their_own_import(tmp_path: Path) -> None:
    """M32: held it comes in, reviewed it is refused, but for a solo store's one person."""
    world = World(f"sqlite:///{tmp_path / 'several.db'}", solo=False)
    governance.set_settings(world.ana, {"review": "all"}, "stricter")
    outcome = refused(lambda: _bring(world, [Record(1, "a")], **REVIEWED))
    assert (outcome.code, outcome.rule) == ("review.own", "M32")
    assert _bring(world, [Record(1, "a")]).imported == 1


def test_over_an_entry_under_a_hold_an_import_waits(world: World) -> None:
    """G40, M11: import over it is being replaced."""
    old = world.note("ink is blue", key="ink").entry
    place_hold(world, entry=old)
    _bring(world, [Record(1, "ink is red", key="ink")], **REVIEWED)
    assert newest(world, old).state == "active"
    assert [entry.held for entry in _all(world)] == ["", "legal_hold"]


def test_a_file_longer_than_is_kept_is_read_again_with_the_same_answer(world: World, monkeypatch: Any) -> None:
    """5-cli Import: judged whole, then judged again as it is written; bad ones are counted once."""
    from oz0mem.actions import judging

    monkeypatch.setattr(judging, "_KEPT", 3)
    monkeypatch.setattr(imports, "BATCH", 2)
    records: list[Record | BadRecord] = [Record(n, f"record {n}") for n in range(7)]
    records += [Record(7, "x", about="DANA"), BadRecord(8, "no text")]
    told: list[int] = []
    done = imports.import_records(world.ana, lambda: records, Import(skip_bad=True), told.append)
    assert (done.imported, done.bad, len(done.notes)) == (7, 2, 2)
    assert told[-1] == 9
    assert run_sql(world, "SELECT count(*) FROM event WHERE action = 'memory.imported'") == [(7,)]


def test_what_others_decided_comes_in_as_proposals_though_it_was_reviewed(each_world: World) -> None:
    """M13, M14: nothing is in force that nobody accepted here; a newer definition of a term ends the older."""
    records = [
        Record(1, "Deploy on Wednesdays.", kind="decision"),
        Record(2, "Ask twice.", kind="rule"),
        Record(3, "Somebody with an order.", kind="definition", key="Customer"),
        Record(4, "Somebody with an order.", kind="definition", key="client"),
        Record(5, "Somebody with two orders.", kind="definition", key="CUSTOMER"),
    ]
    assert _bring(each_world, records, **REVIEWED).imported == 5
    found = {(entry.term, entry.text): entry for entry in _all(each_world)}
    assert found["Customer", "Somebody with an order."].state == "replaced"
    held = [entry for entry in found.values() if entry.state == "held"]
    assert {entry.held for entry in held} == {"proposal"}
    assert len(held) == 4
    each_world.later(1)
    assert _bring(each_world, records, **REVIEWED).imported == 0
