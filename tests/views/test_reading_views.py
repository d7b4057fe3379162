"""M25, M26, M27: the start-up text, what changed, and what walls withheld, as they are shown."""

from __future__ import annotations

from oz0mem.actions.changed import Changes
from oz0mem.actions.defining import Defined
from oz0mem.actions.listing import Shown
from oz0mem.actions.recall import Hit, Recalled
from oz0mem.actions.startup import Startup
from oz0mem.model.entries import BLANK
from oz0mem.views.changed import show_changes
from oz0mem.views.deciding import show_proposal
from oz0mem.views.defining import show_defined
from oz0mem.views.entries import show_entry
from oz0mem.views.recall import show_recalled
from oz0mem.views.startup import show_startup
from oz0mem.views.view import Moment, written

NOW = 1_790_000_000_000_000
RULE = BLANK._replace(
    id="r-0123456789ab", version=2, kind="rule", text="Be kind.", created=NOW - 9, at=NOW - 5, ends=NOW + 9
)


def test_the_start_up_text_is_the_sentence_and_its_entries_are_the_document() -> None:
    """M27: a script gets ids and versions beside the text; a text of nothing is nothing."""
    view = show_startup(Startup("a text of 21 signs…", [RULE], 2, 19, NOW, ["r-1"]))
    assert (view.kind, view.sentence) == ("text", "a text of 21 signs…")
    assert view.document == {
        "text": "a text of 21 signs…",
        "items": [{"id": RULE.id, "version": 2, "kind": "rule", "scope": "tenant", "tier": "unreviewed"}],
        "withheld": 2,
        "altered": 1,
        "chars": 19,
        "tokens": 5,
    }
    assert show_startup(Startup("", [], 0, 0, NOW)).sentence == ""


def test_changes_are_shown_with_their_state_and_the_cursor_to_read_on_with() -> None:
    """M26: as entries are everywhere; an end is a view of the clock."""
    gone = RULE._replace(state="replaced", replaced_by="r-ba9876543210")
    view = show_changes(Changes([gone, RULE._replace(ends=NOW)], "c0ffee", True, 1, ["r-1"], NOW))
    assert [row[:5] for row in view.rows] == [
        (RULE.id, 2, "replaced", Moment(NOW - 5), "r-ba9876543210"),
        (RULE.id, 2, "ended", Moment(NOW - 5), None),
    ]
    assert view.sentence == (
        "1 entry is withheld, kept apart from this job; there is more, read on with the cursor c0ffee"
    )
    document = written(view.document)
    assert isinstance(document, dict)
    assert [document[name] for name in ("cursor", "more", "withheld", "altered")] == ["c0ffee", True, 1, 1]
    assert document["items"][0]["replaced_by"] == "r-ba9876543210"
    nothing = show_changes(Changes([], "c0ffee", False, 0, [], NOW))
    assert nothing.sentence == "nothing changed that you may read; read on with the cursor c0ffee"


def test_an_answer_says_how_many_walls_withheld_and_when_only_rules_are_in_it() -> None:
    """M25, R7: the number and nothing else."""
    hit = Hit(RULE, [], RULE.text, False, len(RULE.text), 0.0)
    assert show_recalled(Recalled([hit], [], 0, 20, 6_000, [], NOW)).sentence == ""
    some = show_recalled(Recalled([hit], [], 2, 20, 6_000, [], NOW))
    assert some.sentence == "2 entries are withheld, kept apart from this job"
    alone = show_recalled(Recalled([hit], [], 0, 20, 6_000, [], NOW, 1, answered=False))
    assert alone.sentence == "but for the rules, nothing that you may read fits; 1 fits but waits for review"
    document = written(show_recalled(Recalled([hit], [], 0, 20, 6_000, [], NOW, answered=False)).document)
    assert isinstance(document, dict) and document["answered"] is False
    tried = show_recalled(Recalled([hit], [], 0, 20, 6_000, ["paper"], NOW, answered=False), every=True)
    assert tried.sentence == "but for the rules, nothing fits all of it; something has: paper"


def test_reviewers_see_walls_and_purposes() -> None:
    """M21, M25: an entry's compartments where it is shown or decided on; the purpose of terms where any has one."""
    walled = RULE._replace(compartments=("legal", "sales"), purpose="billing")
    shown = Shown(walled, [walled], [], [], [], [], NOW)
    for view in (show_entry(shown), show_proposal(shown, [])):
        named = dict(zip((column.name for column in view.columns), view.rows[0], strict=True))
        assert (named["compartments"], named["purpose"]) == (["legal", "sales"], "billing")
    for every in ([walled], []):
        view = show_defined(Defined("kind", RULE, [], every, None, 0, [], NOW))
        assert [column.name for column in view.columns].count("purpose") == len(every)
        assert all(len(row) == len(view.columns) for row in view.rows)
    assert show_defined(Defined("kind", RULE, [], [walled], None, 0, [], NOW)).rows[1][4] == "billing"


def test_what_is_decided_about_is_shown_with_everything_that_comes_into_force() -> None:
    """M14: also from when until when it is true, where it comes from, and what fact it is."""
    entry = BLANK._replace(
        id="d-0123456789ab",
        kind="decision",
        text="Deploy on Wednesdays.",
        key="deploy",
        tags=("ops",),
        source={"path": "a.md"},
        valid_from=86_400_000_000,
        valid_until=172_800_000_000,
        core=True,
    )
    view = show_proposal(Shown(entry, [entry], [], [], [], [], 0), [])
    told = {column.name: value for column, value in zip(view.columns, view.rows[0], strict=True)}
    assert (told["key"], told["tags"], told["source"], told["core"]) == ("deploy", ["ops"], ["path=a.md"], "yes")
    assert {"valid from", "valid until"} <= told.keys()
