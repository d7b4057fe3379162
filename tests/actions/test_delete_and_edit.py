"""``delete`` and ``edit``: what a person takes back one by one (M33, L3, L21)."""

from __future__ import annotations

from oz0mem.actions import acceptance, auditing, editing, entries, forget, listing
from tests.actions.evidence import events, place_hold, refused, run_sql, stored_bytes
from tests.actions.guessing import living, matches, standing
from tests.actions.world import World


def test_a_text_that_was_rewritten_cannot_be_guessed_from_the_call_that_wrote_it(world: World) -> None:
    """L3, M9: after an edit the retry still answers, and no digest tells the old text."""
    job = world.job(world.dana, sees="person")
    asked = entries.Remember("Dana practises calligraphy", kind="semantic", call_id="once")
    made = entries.remember(job, asked).entry
    assert matches(world, ["Dana practises calligraphy"], [made])
    editing.edit(world.dana, made.id, "Dana practises typography")
    guesses = {"Dana practises calligraphy", "calligraphi", "calligraphy"}
    assert matches(world, guesses, [made]) == [] and standing(world, guesses) == []
    body = run_sql(world, "SELECT b.content FROM call c JOIN body b ON b.num = c.body")
    assert b"digest" not in bytes(body[0][0]) and len(body) == 1
    again = entries.remember(job, asked)
    assert again.entry.text == "Dana practises typography"
    assert len(living(world)) == 1


def test_a_delete_takes_one_entry_and_a_reason_where_it_is_work(world: World) -> None:
    """M33, G3: dana what is about her, an admin anything, work with a reason."""
    one, two = world.learn("Dana likes tea").entry, world.learn("Dana writes left-handed").entry
    note = world.note("Deploys are on Wednesdays").entry
    reviewer = world.add("bob", "reviewer")
    assert refused(lambda: forget.delete(reviewer, one.id, "no use")).code == "role.forbidden"
    assert refused(lambda: forget.delete(reviewer, note.id, "no use")).code == "role.forbidden"
    assert refused(lambda: forget.delete(world.ana, note.id, "")).code == "memory.reason"
    assert forget.delete(world.dana, one.id, "").ids == [one.id]
    assert forget.delete(world.ana, note.id, "no use").ids == [note.id]
    assert [entry.id for entry in living(world)] == [two.id]
    told = {each["entries"][0]: each for each in events(world, "memory.deleted")}
    assert told[one.id].keys() >= {"subject", "n", "prev"} and not told[note.id].keys() & {
        "subject",
        "n",
        "prev",
    }
    assert refused(lambda: forget.delete(world.ana, one.id, "again")).code == "memory.erased"


def test_an_edit_of_work_keeps_its_versions_and_one_of_a_person_erases_them(world: World) -> None:
    """M33, L21: with an erasing event of its own for the person alone."""
    note, tea = world.note("Deploys are on Wednesdays").entry, world.learn("Dana likes oolong").entry
    assert editing.edit(world.ana, note.id, "Deploys are on Thursdays")[1] is None
    changed, erased = editing.edit(world.dana, tea.id, "Dana likes rooibos")
    assert erased is not None and erased.residue == "none-found"
    assert [each.text for each in listing.show(world.ana, note.id).versions] == [
        "Deploys are on Wednesdays",
        "Deploys are on Thursdays",
    ]
    assert [each.state for each in listing.show(world.ana, tea.id).versions] == ["erased", "active"]
    assert standing(world, ["oolong", "Wednesdays"]) == ["Wednesdays"]
    told = events(world, "memory.rewritten")
    assert len(told) == 1 and told[0]["commit"] == events(world, "memory.edited")[-1]["commit"]
    assert (told[0]["basis"], told[0]["n"], told[0]["entries"]) == ("rectification", 1, [tea.id])
    assert changed.entry.tier == "person"
    assert auditing.check(world.ana, contents=True).problems == []


def test_the_name_of_a_persons_thread_goes_with_them(world: World) -> None:
    """G41: a thread's id may tell the person; one that others are in stays, and they keep reading it."""
    world.add("patricia", "member")
    learn = entries.Remember("Dana likes tea", kind="semantic")
    entries.remember(world.job(world.dana, thread="dana-2026", sees="person"), learn)
    world.job(world.dana, thread="shared-7", sees="person")
    others = world.job(world.ana, thread="shared-7", sees="person")
    entries.remember(others, entries.Remember("a note of the thread", about="thread"))
    forget.forget(world.ana, "dana")
    kept = stored_bytes(world)
    assert b"dana-2026" not in kept
    assert b"shared-7" in kept
    assert not problems_of(world)


def problems_of(world: World) -> list[str]:
    """What a check of everything finds wrong."""
    return [problem.sentence for problem in auditing.check(world.ana, contents=True).problems]


def test_under_a_hold_what_stands_beside_an_entry_stays_too(world: World) -> None:
    """G43: a reason about a person whose entry is preserved is not erased behind the hold's back."""
    held = world.learn("Dana likes tea").entry
    loose = world.learn("Dana likes milk", sees="").entry
    acceptance.reject(world.ana, loose.id, "dana said so herself")
    place_hold(world, entry=held)
    gone = forget.forget(world.ana, "dana")
    assert (gone.ids, gone.restricted) == ([loose.id], 1)
    assert not problems_of(world)
