"""``upkeep --compact``: the store's file written anew after what is due was done (L22)."""

from __future__ import annotations

from oz0mem.actions import auditing, forget, keys, upkeep
from oz0mem.model.erasures import Compacted
from oz0mem.views.upkeep import done
from tests.actions.evidence import events, refused, run_sql
from tests.actions.guessing import living, matches, pages, standing, words_of
from tests.actions.test_erasing import learn_many
from tests.actions.world import World


def delete_much(world: World) -> None:
    """Leave many zeros."""
    learn_many(world, 20)
    for number in range(20):
        forget.delete(world.ana, world.note(f"{number} calligraphy" + " harbours" * 200).entry.id, "not true")


def test_compacting_changes_neither_content_nor_ledger(world: World) -> None:
    """L22, L7: what lives, every event and every check is as before; the file is smaller."""
    note = world.note("Deploys are on Wednesdays").entry
    delete_much(world)
    told, kept = events(world), living(world)
    answer = upkeep.upkeep(world.ana, compact=True)
    assert answer.compacted is not None and answer.compacted.after < answer.compacted.before - 30_000
    assert events(world) == told and living(world) == kept and note in kept
    assert auditing.check(world.ana, contents=True).problems == []
    world.note("Deploys are on Fridays")
    assert auditing.check(world.ana, contents=True).problems == []


def test_what_upkeep_erased_is_compacted_with_it(world: World) -> None:
    """G50, L22: first what is due, then the file; nobody guesses any of it after."""
    entry = world.learn("Dana practises calligraphy", key="weekend_hobby").entry
    world.now = entry.ends
    answer = upkeep.upkeep(world.ana, compact=True)
    assert answer.erased == 1 and answer.compacted is not None
    guesses = words_of([entry]) - {"dana"}
    assert standing(world, guesses) == [] and matches(world, guesses, [entry]) == []
    assert run_sql(world, "SELECT count(*) FROM body WHERE content = zeroblob(length(content)) AND content <> x''") == [
        (0,)
    ]


def test_a_dry_run_says_about_how_much(world: World) -> None:
    """L22, C6: and changes nothing."""
    delete_much(world)
    before = pages(world)
    counted = upkeep.upkeep(world.ana, dry_run=True, compact=True)
    assert pages(world) == before
    assert counted.compacted is not None and counted.compacted.after < counted.compacted.before - 30_000
    assert "would compact the store" in str(done(counted).sentence)
    assert not done(counted).document["changed"]  # type: ignore[index]  # a document of fields


def test_a_server_is_told_to_do_it_itself(postgres_url: str) -> None:
    """L22: nothing is done, not even what is due; nothing is said to be."""
    world = World(postgres_url)
    world.declare()
    entry = world.learn("Dana likes tea").entry
    world.now = entry.ends
    for dry_run in (True, False):
        answer = refused(lambda dry=dry_run: upkeep.upkeep(world.ana, compact=True, dry_run=dry))  # type: ignore[misc]  # bound now
        assert (answer.code, answer.rule) == ("compact.server", "L22") and "VACUUM FULL" in answer.said
    assert upkeep.upkeep(world.ana).expired == 1


def test_only_an_admin_compacts(world: World) -> None:
    """G3: as with all of upkeep."""
    before = pages(world)
    for role in ("reviewer", "member", "auditor", "host"):
        who = world.add(f"a-{role}", role)
        assert refused(lambda w=who: upkeep.upkeep(w, compact=True)).code == "role.forbidden"  # type: ignore[misc]  # bound now
    assert len(pages(world)) >= len(before)


def test_the_answer_has_both_sizes_or_none(world: World) -> None:
    """C3: a shape that does not change."""
    keys.open_key(world.ana)
    kept = upkeep.upkeep(world.ana)
    assert done(kept).document["compacted"] is None  # type: ignore[index]  # a document of fields
    shown = done(kept._replace(compacted=Compacted(10_000, 4_000)))
    assert shown.document["compacted"] == {"before": 10_000, "after": 4_000}  # type: ignore[index]  # a document of fields
    assert shown.sentence == "nothing is due; compacted the store, 10,000 bytes to 4,000"
