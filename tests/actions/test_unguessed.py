"""4.5: of somebody whose name was taken neither the name nor a text is guessed, whatever the guesser has in hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import entries, forget, upkeep
from oz0mem.actions.entries import Remember
from oz0mem.store.erasing import Erasing
from oz0mem.store.unlinking import Unlinking
from tests.actions.absent import NAME, caller_of, job_about, remember
from tests.actions.evidence import run_sql
from tests.actions.guessing import living, matches, name_matches, standing, words_of

if TYPE_CHECKING:
    from oz0mem.model.entries import Entry
    from tests.actions.world import World

WHY = f"{NAME} telephoned us, says switchboard"


def live(world: World) -> list[Entry]:
    """Leave traces of somebody everywhere that there may be any; answers what is remembered about them."""
    remember(world, "She practises calligraphy at harbours", "She collects typewriters")
    _, acting = job_about(world)
    entries.remember(acting, Remember("Envelopes are out of stock", kind="procedural", call_id="once"))
    found = [entry for entry in living(world) if entry.about == NAME]
    forget.delete(world.ana, found[1].id, WHY)
    return found


def guessed(world: World, hers: list[Entry]) -> list[str]:
    """All that is found or guessed of a person and of what was remembered about them."""
    texts = words_of(hers) | {WHY, "crm://contacts/4711"}
    texts -= words_of(living(world))
    return sorted({*name_matches(world, NAME, caller_of()), *matches(world, texts, hers), *standing(world, texts)})


def test_nothing_is_guessed_after_an_unlinking_forget(world: World) -> None:
    """L4, G42, G44: every text and the name, in every spelling, with every key that lives."""
    hers = live(world)
    assert len(guessed(world, hers)) > 10
    assert forget.forget(world.ana, NAME, reason=WHY, unlink=True).residue == "none-found"
    assert guessed(world, hers) == []


def test_nothing_is_guessed_after_the_receipt_window(world: World) -> None:
    """L4, G42, G44: within it the name alone is, since a receipt needs it."""
    hers = live(world)
    forget.forget(world.ana, NAME, reason=WHY)
    within = guessed(world, hers)
    assert {"name", "fold", "subject", "standing"} <= set(within)
    assert {each.partition(" ")[0] for each in within} <= {"name", "fold", "subject", "standing"}
    world.later(90)
    assert upkeep.upkeep(world.ana).unlinked == 1
    assert guessed(world, hers) == []


def test_the_guesser_finds_a_name_by_everything_that_tells_it(world: World) -> None:
    """4.5: it is no proof that a blind guesser finds nothing."""
    live(world)
    found = name_matches(world, NAME, caller_of())
    assert found >= {"name", "fold", "word", "call", "subject", "standing"}
    assert found >= {f"{use} in the bytes" for use in ("name", "fold", "word")}
    assert "actor" in name_matches(world, "dana")


def test_a_hash_that_was_left_would_be_guessed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """4.5: zeros over spelling and key alone are not enough."""
    hers = live(world)
    monkeypatch.setattr(Unlinking, "scatter", lambda *_: [])
    forget.forget(world.ana, NAME, unlink=True)
    assert set(guessed(world, hers)) == {"name", "fold", "name in the bytes", "fold in the bytes"}


def test_a_key_that_was_left_would_be_guessed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """4.5: the handle in the ledger is a hash of the name under that key."""
    hers = live(world)
    key = run_sql(world, "SELECT content FROM body WHERE num = (SELECT max(key_body) FROM subject)")[0][0]
    forget.forget(world.ana, NAME, unlink=True)
    run_sql(world, "INSERT INTO body (tenant, num, content) VALUES (1, 1000000, ?)", key)
    assert guessed(world, hers) == ["subject"]


GAPS = "PRAGMA secure_delete=OFF"
"""Rows that are deleted stay where they were, as copies do that a split of a page left in its gap."""


def delete_a_note(world: World) -> tuple[set[str], list[Entry], str]:
    """Delete a note of work whose rows stay in gaps; answers what was said, the entries, and the residue."""
    entries.remember(world.ana, Remember("Calligraphers meet at harbours", key="harbour_hobby", call_id="once"))
    noted = [entry for entry in living(world) if entry.key]
    texts = words_of(noted) - words_of(entry for entry in living(world) if not entry.key)
    world.store.connection().execute(GAPS).fetchall()
    return texts, noted, forget.delete(world.ana, noted[0].id, WHY).residue


def test_nothing_is_guessed_out_of_a_gap(world: World) -> None:
    """L22, 4.5: words, keys and texts by their hashes as well; the file is written anew for them."""
    texts, noted, residue = delete_a_note(world)
    assert residue == "none-found"
    assert matches(world, texts, noted) == []


def test_without_marks_a_gap_would_be_guessed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """4.5: the guesser is not blind to bytes that no row has."""
    whole = Erasing._overwrite
    monkeypatch.setattr(Erasing, "_overwrite", lambda *asked, **more: whole(*asked, **more)._replace(marks=()))
    texts, noted, residue = delete_a_note(world)
    assert residue == "none-found"
    found = {each.partition(" in the bytes ")[0] for each in matches(world, texts, noted)}
    assert found == {"word", "key", "same"}


def test_an_old_call_is_not_guessed_out_of_a_gap(world: World) -> None:
    """M9, 4.5: what a call is remembered by has a name in it; upkeep searches for it when it forgets the call."""
    _, acting = job_about(world)
    entries.remember(acting, Remember("Envelopes are out of stock", kind="procedural", call_id="once"))
    world.store.connection().execute(GAPS).fetchall()
    world.later(14)
    upkeep.upkeep(world.ana)
    assert not {each for each in name_matches(world, NAME, caller_of()) if each.startswith("call")}
