"""M22, M23, R2, R7: what recall answers with, in what order, and how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, forget, governance, recall, retiring
from oz0mem.actions.recall import Recall
from oz0mem.model.moments import DAY
from tests.actions.evidence import alter, place_hold, refused, restrict, run_sql

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from tests.actions.world import World


def _ids(ctx: Context, words: str = "ink", **asked: object) -> list[str]:
    return [hit.entry.id for hit in recall.recall(ctx, Recall(words, **asked)).items]  # type: ignore[arg-type]  # tests name fields


# State of an entry about dana or work → shown plainly, with include_ended, with include_unreviewed.
_HIDDEN = [
    ("active", "dana", True, True, True),
    ("held", "dana", False, False, True),
    ("lapsed", "dana", False, False, False),
    ("replaced", "dana", False, True, False),
    ("retired", "dana", False, False, False),
    ("rejected", "dana", False, False, False),
    ("erased", "dana", False, False, False),
    ("restricted", "dana", False, False, False),
    ("ended", "dana", False, False, False),
    ("altered", "dana", False, False, False),
    ("replaced", "work", False, True, False),
    ("ended", "work", False, True, False),
    ("retired", "work", False, False, False),
    ("restricted", "work", False, False, False),
]


@pytest.mark.parametrize(("state", "about", "plain", "ended", "unreviewed"), _HIDDEN)
@pytest.mark.parametrize("words", ["ink", ""])
def test_what_is_not_in_force_is_not_recalled(
    world: World, state: str, about: str, plain: bool, ended: bool, unreviewed: bool, words: str
) -> None:
    """M22: with words and without; include_ended adds replaced ones and work past its end, no more."""
    sees = "" if state in ("held", "lapsed", "rejected") else "person"
    entry = (world.learn("ink is blue", key="k", sees=sees) if about == "dana"
             else world.note("ink is blue", key="k")).entry  # fmt: skip
    if state == "replaced" and about == "dana":
        world.learn("paper is white", key="k")
    elif state == "replaced":
        world.note("paper is white", key="k")
    elif state == "retired":
        retiring.retire(world.ana, entry.id, "no")
    elif state == "rejected":
        acceptance.reject(world.ana, entry.id, "no")
    elif state == "erased":
        forget.delete(world.ana, entry.id, "no")
    elif state == "restricted":
        restrict(world, entry)
    elif state == "altered":
        alter(world, entry)
    elif state in ("ended", "lapsed"):
        world.now = entry.ends if state == "ended" else world.now + 14 * DAY
    job = world.job(world.dana)
    shown = [
        entry.id in _ids(job, words),
        entry.id in _ids(job, words, include_ended=True),
        entry.id in _ids(job, words, include_unreviewed=True),
    ]
    assert shown == [plain, ended, unreviewed]
    assert (entry.id in _ids(job, "", id=entry.id)) is plain


@pytest.mark.parametrize(("at", "shown"), [(-1, False), (0, True), (5, True), (9, True), (10, False), (11, False)])
def test_a_fact_is_recalled_within_its_valid_time_alone(each_world: World, at: int, shown: bool) -> None:
    """M22: from its first microsecond to the last before its end."""
    first = each_world.now + DAY
    entry = each_world.learn("ink is blue", valid_from=first, valid_until=first + 10).entry
    each_world.now = first + at
    job = each_world.job(each_world.dana)
    assert (entry.id in _ids(job)) is shown
    assert (entry.id in _ids(job, "")) is shown


@pytest.mark.parametrize(("at", "shown"), [(-1, True), (0, False)])
def test_a_fact_ends_at_its_very_microsecond(world: World, at: int, shown: bool) -> None:
    """M22: an entry past its end is not recalled."""
    entry = world.note("ink is blue").entry
    world.now = entry.ends + at
    assert (entry.id in _ids(world.ana)) is shown


def test_a_hit_says_what_it_is_and_which_words_it_matched(each_world: World) -> None:
    """M23: id, version, kind, scope, tier, when, until when, and the words as they were asked."""
    entry = each_world.learn("Dana ordered seven green boxes").entry
    (hit,) = recall.recall(each_world.job(each_world.dana), Recall("boxes for ordering, please")).items
    found = hit.entry
    assert (found.id, found.version, found.kind, found.scope) == (entry.id, 1, "semantic", "agent:concierge")
    assert (found.tier, found.created, found.ends) == ("person", entry.created, entry.ends)
    assert hit.matched == ["boxes", "ordering"]
    assert (hit.text, hit.truncated, hit.length) == (entry.text, False, len(entry.text))


def test_more_and_rarer_words_come_first_and_ties_by_newer(each_world: World) -> None:
    """R2, R7: any word matches, how many weighs; all asks for every one."""
    common = [each_world.note(f"boxes number {n}").entry.id for n in ("one", "two", "three")]
    each_world.later(1)
    both = each_world.note("green boxes").entry.id
    each_world.later(1)
    newer = each_world.note("boxes number four").entry.id
    assert _ids(each_world.ana, "green boxes")[0] == both
    assert _ids(each_world.ana, "boxes number")[0] == newer
    assert set(_ids(each_world.ana, "boxes number")[1:4]) == set(common)
    assert _ids(each_world.ana, "green boxes", match="all") == [both]
    assert _ids(each_world.ana, "green boxes violet", match="all") == []
    assert _ids(each_world.ana, "", max_entries=2)[:2] == [newer, both]


def test_what_scores_far_below_the_best_is_cut(world: World) -> None:
    """R7: a word that every entry has brings none of them beside one that has the rare words too."""
    for n in range(40):
        world.note(f"box number {n}")
    best = world.note("box of quagga and okapi").entry.id
    assert _ids(world.ana, "box quagga okapi") == [best]
    assert len(_ids(world.ana, "box")) == 20


def test_hidden_entries_move_nothing(world: World) -> None:
    """R2: what the reader may not see neither counts, nor ranks, nor raises the cut."""

    def scores() -> list[tuple[str, float]]:
        found = recall.recall(world.job(world.dana), Recall("violet ink from Porto"))
        return [(hit.entry.text, hit.score) for hit in found.items]

    world.learn("she likes ink")
    world.learn("ink from Porto")
    before = scores()
    bob = world.add("bob", "member")
    world.learn("violet ink from Porto", starter=bob)
    hidden = world.learn("violet violet violet ink from Porto").entry
    restrict(world, hidden)
    world.learn("violet ink from Porto once", sees="")
    world.learn("violet ink", key="v")
    world.learn("nothing of the sort", key="v", ends=world.now + 1)
    world.now += 1
    assert len(before) == 2
    assert scores() == before


def test_filters_take_what_matches_however_far_back_and_however_low(world: World) -> None:
    """R7: a filter decides before the cut and the budget do."""
    low = world.note("ink " + "filler words here " * 40, tags=("t",)).entry.id
    world.learn("the procedure for ink", kind="procedural", about="everyone")
    for n in range(260):
        run = world.note(f"ink ink ink {n}") if n < 30 else world.note(f"paper {n}")
        assert run.kept == "new"
    assert _ids(world.ana, "ink", tag="t") == [low]
    assert _ids(world.ana, "", tag="t") == [low]
    assert len(_ids(world.ana, "", kind="procedural")) == 1
    assert len(_ids(world.ana, "ink", kind="procedural")) == 1
    assert _ids(world.ana, "", scope="project:web") == []


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        ({"max_entries": 1}, 1),
        ({"max_chars": 25}, 2),
        ({"max_tokens": 3}, 1),
        ({"max_chars": 60_000, "max_entries": 100}, 3),
        ({}, 3),
    ],
)
def test_a_budget_holds_whole_entries_and_only_gets_smaller(world: World, asked: dict[str, int], texts: int) -> None:
    """R7: the tenant's, or the caller's where that is smaller; four characters are a token."""
    governance.set_settings(world.ana, {"recall_entries": 3}, "for the test")
    for n in range(5):
        world.note(f"ink box {n:04}")
    found = recall.recall(world.ana, Recall("ink", **asked))  # type: ignore[arg-type]  # tests name fields
    assert len(found.items) == texts
    assert all(not hit.truncated for hit in found.items)
    assert found.entries == min(3, asked.get("max_entries", 3))


def test_a_first_hit_that_does_not_fit_is_cut_and_read_on_by_its_id(world: World) -> None:
    """R7: marked with its length; the parts make the whole."""
    text = "ink " + "".join(f"{n:05} " for n in range(400)).strip()
    entry = world.note(text).entry
    (hit,) = recall.recall(world.ana, Recall("ink", max_chars=1000)).items
    assert (hit.truncated, len(hit.text), hit.length) == (True, 1000, len(text))
    read = hit.text
    while hit.truncated:
        (hit,) = recall.recall(world.ana, Recall(id=entry.id, start=len(read), max_chars=1000)).items
        read += hit.text
    assert read == text
    assert refused(lambda: recall.recall(world.ana, Recall("ink", start=5))).code == "recall.start"
    assert refused(lambda: recall.recall(world.ana, Recall(id=entry.id, start=-1))).code == "recall.start"


def test_an_empty_answer_suggests_words_that_some_readable_entry_has(world: World) -> None:
    """R7: and none that only somebody else's entry has."""
    world.learn("violet sealing wax", starter=world.add("bob", "member"))
    world.learn("green ink")
    found = recall.recall(world.job(world.dana), Recall("violet ink", match="all"))
    assert (found.items, found.suggestions) == ([], ["ink"])
    assert recall.recall(world.job(world.dana), Recall("violet")).suggestions == []


def test_altered_rows_are_left_out_and_counted(each_world: World) -> None:
    """L7: a changed text and a changed row; the answer says which."""
    whole, text, row = (each_world.note(f"ink number {n}").entry for n in ("one", "two", "three"))
    alter(each_world, text, "ink is poison")
    alter(each_world, row)
    for words in ("ink", ""):
        found = recall.recall(each_world.ana, Recall(words))
        assert [hit.entry.id for hit in found.items] == [whole.id]
        assert sorted(found.altered) == sorted([text.id, row.id])


def test_postings_of_another_program_are_refused(world: World) -> None:
    """R8: recall does not read words that were cut by other rules."""
    world.note("ink is blue")
    run_sql(world, "UPDATE head SET index_version = index_version + 1")
    assert refused(lambda: recall.recall(world.ana, Recall("ink"))).code == "index.version"


def test_a_hold_keeps_nothing_from_being_recalled(world: World) -> None:
    """G40: reading is allowed."""
    entry = world.learn("dana likes ink").entry
    place_hold(world, everything=True)
    assert _ids(world.job(world.dana)) == [entry.id]


def test_what_fits_but_waits_is_counted_for_who_may_know(world: World) -> None:
    """R7: an empty answer says how much of what fits waits; a member learns nothing of it."""
    world.learn("Dana collects zebra stamps", sees="")
    assert recall.recall(world.ana, recall.Recall("zebra")).waiting == 1
    assert recall.recall(world.dana, recall.Recall("zebra")).waiting == 0
    assert recall.recall(world.job(world.dana), recall.Recall("zebra")).waiting == 1
    assert recall.recall(world.ana, recall.Recall("giraffe")).waiting == 0
