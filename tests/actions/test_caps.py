"""M7, M16: caps count every version, and past one nothing is dropped or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, corrections, editing, forget, governance, imports, retiring
from oz0mem.actions.imports import Import
from oz0mem.model.kinds import ACTIVE
from oz0mem.model.records import Record
from tests.actions.evidence import entries_of, events, newest, number_of, refused, run_sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.model.entries import Entry
    from tests.actions.world import World

OWN = "agent:concierge"


def _cap(world: World, **settings: int) -> None:
    governance.set_settings(world.ana, settings, "for the test")


def _usage(world: World, scope: str) -> tuple[int, int]:
    number = number_of(world, 1, scope)
    for _, noted, there in world.store.read(world.now, lambda desk: desk.checks.usage()):
        assert noted == there, "the usage row says what the rows say"
    return world.store.read(world.now, lambda desk: desk.entries.used(number))


@pytest.mark.parametrize("state", ["active", "held", "rejected", "retired", "replaced", "ended"])
def test_every_entry_counts_until_it_is_removed(each_world: World, state: str) -> None:
    """M7: replaced, ended, held and rejected ones too; the refusal names cap and count."""
    _cap(each_world, max_records=2)
    sees = "" if state in ("held", "rejected") else "person"
    first = each_world.learn("ink is blue", key="ink", sees=sees).entry
    if state == "rejected":
        acceptance.reject(each_world.ana, first.id, "no")
    elif state == "retired":
        retiring.retire(each_world.ana, first.id, "no")
    elif state == "ended":
        each_world.later(31)
    each_world.learn("ink is red", key="ink" if state == "replaced" else "")
    before = entries_of(each_world)
    outcome = refused(lambda: each_world.learn("ink is green"))
    assert (outcome.code, outcome.rule) == ("memory.cap", "M7")
    assert (outcome.facts["cap"], outcome.facts["count"], outcome.facts["setting"]) == (2, 2, "max_records")
    assert entries_of(each_world) == before
    assert each_world.note("ink is green").kept == "new", "another scope has its own cap"


def test_an_erased_entry_counts_no_more(world: World) -> None:
    """M7: once it is removed there is room."""
    _cap(world, max_records=1)
    first = world.learn("ink is blue").entry
    forget.delete(world.dana, first.id, "")
    assert _usage(world, OWN) == (0, 0)
    assert world.learn("ink is green").kept == "new"


def test_all_versions_texts_count_in_bytes(world: World) -> None:
    """M7: a replaced entry counts with the version that closed it, a confirmed one with both."""
    world.learn("a" * 300, key="k")
    assert _usage(world, OWN) == (1, 300)
    world.learn("ü" * 50, key="k")
    assert _usage(world, OWN) == (2, 300 + 100 + 300)
    held = world.learn("b" * 10, sees="").entry
    acceptance.confirm(world.ana, held.id)
    assert _usage(world, OWN) == (3, 720)


def _filled(world: World) -> Entry:
    """A scope of 1 KiB with 60 bytes left, and a held entry of 100 in it."""
    held = world.learn("h" * 100, sees="").entry
    world.learn("x" * 864)
    _cap(world, max_bytes=1024)
    return held


def test_a_confirm_past_the_cap_is_refused_with_nothing_changed(each_world: World) -> None:
    """M16, M7: its new version would count."""
    held = _filled(each_world)
    before, told = entries_of(each_world), len(events(each_world))
    outcome = refused(lambda: acceptance.confirm(each_world.dana, held.id, "fine"))
    assert (outcome.code, outcome.facts["cap"], outcome.facts["count"]) == ("memory.cap", 1024, 964)
    assert (entries_of(each_world), len(events(each_world))) == (before, told)
    assert run_sql(each_world, "SELECT count(*) FROM reason WHERE entry = ?", held.numbers.entry) == [(0,)]


def test_what_a_write_replaces_counts_before_it_is_written(world: World) -> None:
    """M16: the closing version of what it replaces is part of the write."""
    old = world.learn("o" * 400, key="k").entry
    _cap(world, max_bytes=1024)
    assert refused(lambda: world.learn("n" * 230, key="k")).code == "memory.cap"
    assert newest(world, old).state == ACTIVE
    assert world.learn("n" * 220, key="k").replaced == old.id


@pytest.mark.parametrize("act", ["move", "renew", "edit", "write", "import"])
def test_every_way_of_writing_asks_the_caps(world: World, act: str) -> None:
    """M7: a write, confirm, move or import past a cap is refused; nothing is dropped."""
    there = world.note("y" * 60, scope="project:web").entry
    world.note("x" * 1000)
    renewed = world.note("z" * 20).entry
    _cap(world, max_bytes=1024)
    deeds: dict[str, Callable[[], object]] = {
        "move": lambda: corrections.move(world.ana, there.id, "tenant"),
        "renew": lambda: corrections.renew(world.ana, renewed.id, 100),
        "edit": lambda: editing.edit(world.ana, renewed.id, "w" * 30),
        "write": lambda: world.note("w" * 30),
        "import": lambda: imports.import_records(world.ana, lambda: [Record(1, "w" * 30)], Import()),
    }
    before = entries_of(world)
    assert refused(deeds[act]).code == "memory.cap"
    assert entries_of(world) == before


def test_moving_takes_the_entry_along_in_both_counts(world: World) -> None:
    """M7, M18: earlier versions stay counted where they were written; erasing frees both."""
    entry = world.note("y" * 60).entry
    corrections.move(world.ana, entry.id, "project:web")
    assert (_usage(world, "tenant"), _usage(world, "project:web")) == ((0, 60), (1, 60))
    forget.delete(world.ana, entry.id, "no")
    assert (_usage(world, "tenant"), _usage(world, "project:web")) == ((0, 0), (0, 0))
