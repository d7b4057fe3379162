"""Answers about memory as views: pure functions, whose documents are the contract."""

from __future__ import annotations

import pytest

from oz0mem.actions.acceptance import Changed
from oz0mem.actions.erasing import Erased
from oz0mem.actions.facts import Fact, History
from oz0mem.actions.imports import Imported
from oz0mem.actions.keeping import Written
from oz0mem.actions.listing import Page
from oz0mem.actions.recall import Hit, Recalled
from oz0mem.actions.upkeep import Kept
from oz0mem.model.entries import BLANK, Entry
from oz0mem.model.moments import DAY, parse_rfc3339
from oz0mem.rules.unlinking import REASONS
from oz0mem.views.changes import say_changed, show_written
from oz0mem.views.entries import document_of, show_page
from oz0mem.views.erasure import question_of, show_deleted, show_edited, show_forgotten
from oz0mem.views.history import show_history
from oz0mem.views.imports import notices_of, show_imported
from oz0mem.views.recall import show_recalled
from oz0mem.views.upkeep import done
from oz0mem.views.view import Moment, Sentence

NOW = parse_rfc3339("2026-12-01T09:00:00Z")
NOTE = BLANK._replace(
    id="n-4be1906c22d1",
    text="Paper\ncomes",
    by="ana",
    tier="person",
    created=NOW,
    counted_from=NOW,
    at=NOW,
    ends=NOW + 90 * DAY,
)
FACT = NOTE._replace(id="m-f7df1fd760ab", kind="semantic", about="dana", scope="agent:concierge", agent="concierge")
HELD = FACT._replace(state="held", held="unreviewed,scan", tier="unreviewed", read=("the delivery page",))


def said(sentence: Sentence) -> str:
    """A sentence with its moments as RFC 3339."""
    parts = (sentence,) if isinstance(sentence, str) else sentence
    return "".join(part.rfc3339() if isinstance(part, Moment) else str(part) for part in parts)


def write(entry: Entry, kept: str = "new", now: int = NOW, replaced: str = "") -> str:
    return said(show_written(Written(entry, kept, [], replaced, now)).sentence)


def test_a_kept_entry_says_what_its_end_means() -> None:
    """M36: a review date of work, an erasing date of what is learnt or about a person."""
    assert write(NOTE) == "kept n-4be1906c22d1 v1 in tenant, until 2027-03-01T09:00:00Z (review date)"
    assert write(FACT, replaced="m-000000000001") == (
        "kept m-f7df1fd760ab v1 in agent:concierge about dana, replacing m-000000000001,"
        " until 2027-03-01T09:00:00Z (erased then)"
    )


def test_a_held_entry_names_what_its_job_had_read() -> None:
    """M30 and M31: every reason, and 14 days at most."""
    assert write(HELD) == (
        "held m-f7df1fd760ab in agent:concierge about dana: learnt after reading the delivery page (unreviewed);"
        " it resembles a secret; it waits for a person until 2026-12-15T09:00:00Z"
    )
    assert write(HELD._replace(ends=NOW + DAY)).endswith("until 2026-12-02T09:00:00Z")


def test_the_same_text_again_says_whether_it_confirmed() -> None:
    """M2: an existing entry stays as it is, or a person's write confirms it just now."""
    assert write(NOTE, "existing", NOW + DAY).startswith("kept nothing new: n-4be1906c22d1 v1 says the same")
    assert write(NOTE._replace(version=2), "existing").startswith("confirmed n-4be1906c22d1 v2")


def test_the_clock_shows_in_a_document_beside_the_stored_state() -> None:
    """M31 and M36: ended and lapsed are views, the state is as it is stored."""
    late = document_of(NOTE, (), NOW + 91 * DAY)
    assert (late["state"], late["ended"], late["lapsed"]) == ("active", True, False)
    waited = document_of(HELD, ("H-1",), NOW + 15 * DAY)
    assert (waited["state"], waited["ended"], waited["lapsed"]) == ("held", False, True)
    assert waited["legal_holds"] == ["H-1"]


def test_a_page_shows_the_state_of_the_clock() -> None:
    """C2: rows for people, documents for machines; how many were left out is counted."""
    view = show_page(Page([NOTE, HELD], {}, "1-2", ["n-000000000001"], NOW + 91 * DAY))
    assert [row[1] for row in view.rows] == ["ended", "lapsed"]
    assert isinstance(view.document, dict)
    assert (view.document["altered"], view.next) == (1, "1-2")
    empty = show_page(Page([], {}, None, [], NOW), held=True)
    assert empty.sentence == "nothing waits for a person"


def test_a_change_says_what_it_came_to() -> None:
    """M33: an edit that stays held says so; nothing to do is no change."""
    assert said(say_changed("rewrote", Changed(NOTE, True, NOW))) == (
        "rewrote n-4be1906c22d1; it is recalled as you wrote it, until 2027-03-01T09:00:00Z (review date)"
    )
    assert "still waits" in said(say_changed("rewrote", Changed(HELD, True, NOW)))
    assert say_changed("confirmed", Changed(NOTE, False, NOW)) == "nothing to do: n-4be1906c22d1 v1 is active"


def test_a_forgetting_says_what_a_hold_keeps_and_what_is_open() -> None:
    """G43 and L21: what is restricted is counted apart; an open erasure says why."""
    erased = Erased("dana", ["a"] * 7, ["x", "y", "z"], [5], "none-found", False, 1)
    assert show_forgotten(erased).sentence == (
        "forgot 7 entries about dana in 3 scopes; 1 more is under a legal hold and restricted until it lifts"
    )
    assert question_of(erased) == "forget 7 entries about dana in 3 scopes for good"
    waiting = erased._replace(open=True)
    assert "L21" in str(show_forgotten(waiting).sentence)
    assert "L21" in str(show_deleted(waiting).sentence)
    assert "L21" in said(show_edited(Changed(FACT, True, NOW), waiting).sentence)


def test_a_forgetting_says_what_becomes_of_the_name() -> None:
    """L4: that no receipt can be made after, and before it is done that it should be taken; or why it stays."""
    erased = Erased("erin", ["a"], ["x"], [5], "none-found", False, unlinked=True)
    assert show_forgotten(erased).sentence == (
        "forgot 1 entry about erin in 1 scope; the name and its key are gone too, so no receipt about them can be made"
        " any more"
    )
    assert "no receipt could be made after: take it first" in str(show_forgotten(erased, dry_run=True).sentence)
    assert question_of(erased).endswith("for good, with the name, so that no receipt can be made after")
    assert "L21" in str(show_forgotten(erased._replace(open=True)).sentence)
    for count in (1, 2):
        why = REASONS[:count]
        kept = show_forgotten(erased._replace(unlinked=False, kept_because=why))
        assert str(kept.sentence).count("; ") == count and "; the name stays: they are a principal" in str(
            kept.sentence
        )
        assert isinstance(kept.document, dict)
        assert (kept.document["unlinked"], kept.document["kept_because"]) == (False, [*why])
    assert all(show_forgotten(erased._replace(kept_because=(reason,))).sentence for reason in REASONS)


def test_upkeep_counts_the_names_that_it_took() -> None:
    """L4, G50: people, not entries; told apart from what it erased."""
    took = Kept(0, 0, 0, 0, 0, 0, False, 1_200)
    assert done(took).sentence == "took the names of 1,200 people whose receipt window is over"
    assert done(took._replace(dry_run=True, unlinked=1)).sentence == (
        "would take the names of 1 person whose receipt window is over"
    )
    assert isinstance(done(took).document, dict) and done(took).document["changed"]  # type: ignore[index]  # a dict


def test_upkeep_counts_the_calls_that_nobody_decided_about() -> None:
    """G31, G50: they are no entries, and nothing was erased."""
    let = Kept(0, 0, 0, 0, 0, 0, False, calls=1)
    view = done(let)
    assert view.sentence == "let 1 call lapse that nobody decided about in time"
    assert isinstance(view.document, dict)
    assert (view.document["calls"], view.document["erased"], view.document["changed"]) == (1, 0, True)
    assert done(let._replace(dry_run=True, calls=2)).sentence == (
        "would let 2 calls lapse that nobody decided about in time"
    )


def test_a_history_is_a_line_a_span() -> None:
    """M11: from, until, what it said; until now where it is true."""
    spans = [Fact(FACT, NOW - DAY, NOW), Fact(FACT._replace(text="Porto"), NOW, 0)]
    view = show_history(History("concierge", "city", "dana", spans, NOW))
    assert said(view.sentence).splitlines() == [
        "2026-11-30T09:00:00Z → 2026-12-01T09:00:00Z  Paper comes  m-f7df1fd760ab",
        "2026-12-01T09:00:00Z → now  Porto  m-f7df1fd760ab",
    ]
    assert isinstance(view.document, dict)
    assert view.document["items"][1]["until"] is None


def test_recall_counts_what_it_used_and_suggests_where_it_found_nothing() -> None:
    """R7: the budget with what of it was used."""
    hit = Hit(NOTE, ["paper"], "Pap", True, 11, 0.5)
    view = show_recalled(Recalled([hit], [], 0, 20, 6_000, [], NOW), explain=True)
    assert isinstance(view.document, dict)
    assert view.document["budget"] == {"entries": 20, "chars": 6_000, "used_entries": 1, "used_chars": 3}
    assert view.rows[0][-1] == "Pap […11 characters]"
    nothing = Recalled([], [], 0, 20, 6_000, ["paper"], NOW)
    assert show_recalled(nothing, every=True).sentence == "nothing fits all of it; something has: paper"
    assert show_recalled(nothing).sentence == "nothing that you may read fits"


@pytest.mark.parametrize(
    ("waiting", "says"), [(0, ""), (1, "; 1 fits but waits for review"), (3, "; 3 fit but wait for review")]
)
def test_an_empty_answer_says_how_much_waits(waiting: int, says: str) -> None:
    """R7: as many as the caller may know of."""
    view = show_recalled(Recalled([], [], 0, 20, 6_000, [], NOW, waiting))
    assert view.sentence == f"nothing that you may read fits{says}"
    assert isinstance(view.document, dict)
    assert view.document["waiting"] == waiting


def test_an_import_says_what_it_left_out() -> None:
    """Import: bad records by line, fields without a place."""
    counts = Imported(1, 2, 3, [(4, "its text is empty")], {"run_id": 2}, False)
    assert show_imported(counts, reviewed=False).sentence == (
        "imported 1 record, held until a person confirms them; 2 were there already; 3 records left out as bad"
    )
    assert notices_of(counts) == [
        "line 4: its text is empty",
        "and 2 more",
        "fields that have no place here and were not kept: run_id (2)",
    ]


@pytest.mark.parametrize(
    ("residue", "events", "says"), [("none-found", [7], False), ("not-checked", [7], True), ("not-checked", [], False)]
)
def test_what_was_not_searched_is_said(residue: str, events: list[int], says: bool) -> None:
    """L22: where the files were not searched, on PostgreSQL or in a large store, the answer does not sound as if."""
    sentence = said(
        show_forgotten(Erased("dana", ["n-4be1906c22d1"], ["tenant"], events, residue, open=False)).sentence
    )
    assert sentence.startswith("forgot 1 entry about dana")
    assert ("not checked" in sentence) is says
