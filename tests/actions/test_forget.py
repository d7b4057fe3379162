"""``forget``: everything about one person goes, and nothing about anybody else (G41, G42, G44)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from oz0mem.actions import (
    acceptance,
    auditing,
    editing,
    entries,
    facts,
    forget,
    governance,
    jobs,
    listing,
    recall,
    retiring,
)
from oz0mem.actions.context import Context
from oz0mem.model.entries import Entry
from oz0mem.model.filters import Filter
from oz0mem.rules.declarations import check_declaration
from tests.actions.evidence import events, refused, run_sql
from tests.actions.guessing import living, matches, pages, standing, words_of
from tests.actions.world import CONCIERGE, World

OTHERS = "Quarterly inventory of pencils happens on Thursdays"


class Lived(NamedTuple):
    """Who lives here, and every version about dana as it read before anything was erased."""

    patricia: Context
    pat: Context
    hers: list[Entry]


def live(world: World) -> Lived:
    """Give dana entries in two agents' scopes and every state, and others theirs."""
    governance.declare(world.ana, check_declaration({**CONCIERGE, "name": "helper"}), "for the tests")
    patricia, pat = world.add("patricia", "member"), world.add("pat", "member")
    seen: list[Entry] = []

    def keep(made: Entry) -> Entry:
        seen.append(made)
        return made

    source = {"repository": "meridian-archive", "path": "binders/saffron.md"}
    keep(world.learn("Dana ships to Lisbon", key="harbour_city", tags=("postal", "quayside"), source=source).entry)
    keep(world.learn("Dana ships to Porto", key="harbour_city", call_id="porto-once").entry)
    keep(world.learn("Dana collects fountain pens", sees="").entry)
    retired = keep(world.learn("Dana dislikes envelopes").entry)
    retiring.retire(world.ana, retired.id, "outdated since spring")
    rejected = keep(world.learn("Dana owns a lighthouse", sees="").entry)
    acceptance.reject(world.ana, rejected.id, "implausible rumour")
    edited = keep(world.learn("Dana practises calligraphy", call_id="calligraphy-once").entry)
    keep(editing.edit(world.dana, edited.id, "Dana practises typography", "misheard entirely")[0].entry)
    started = jobs.start(world.dana, jobs.Start("helper", "customer-support", sees="person"))
    jobs.read(world.dana, started.record.id, "crm://correspondence/vellum", published=True)
    helper = world.context(job=started.token)
    keep(entries.remember(helper, entries.Remember("Dana prefers Tuesdays", kind="episodic")).entry)
    world.learn("Patricia sharpens pencils", starter=patricia, key="harbour_city")
    world.learn("Pat sharpens nothing", starter=pat)
    world.note(OTHERS)
    return Lived(patricia, pat, seen)


def others(world: World) -> list[list[tuple[Any, ...]]]:
    """Every row and every body that is not about dana, byte by byte."""
    dana = run_sql(world, "SELECT min(num) FROM principal WHERE role = 2")[0][0]
    theirs = f"FROM version WHERE about <> {dana} AND state <> 5"
    return [
        run_sql(world, f"SELECT * {theirs} ORDER BY entry, v"),
        run_sql(world, f"SELECT num, content FROM body WHERE num IN (SELECT body {theirs}) ORDER BY num"),
        run_sql(world, f"SELECT * FROM posting WHERE entry IN (SELECT entry {theirs}) ORDER BY entry, word"),
    ]


def test_everything_about_a_person_goes_in_all_scopes_states_and_versions(each_world: World) -> None:
    """G41, G42: of each version its id, number and times stay; others' entries are the same byte by byte."""
    lived, before = live(each_world), others(each_world)
    ids = {entry.id for entry in lived.hers}
    answer = forget.forget(each_world.ana, "dana")
    assert (set(answer.ids), answer.about, answer.open, answer.restricted) == (ids, "dana", False, 0)
    assert answer.scopes == ["agent:concierge", "agent:helper"]
    assert others(each_world) == before
    for entry_id in ids:
        rows = run_sql(each_world, "SELECT * FROM version WHERE id = ? ORDER BY v", entry_id)
        newest = listing.show(each_world.ana, entry_id)
        assert [each.version for each in newest.versions] == [*range(1, len(rows) + 1)]
        assert all(each.state == "erased" and each.created and each.at for each in newest.versions)
        blank = [(each.text, each.key, each.agent, each.by, each.scope, each.about) for each in newest.versions]
        assert set(blank) == {("", "", "", "", "", "work")}
    erased = listing.list_entries(each_world.ana, Filter(state="erased"), limit=100)
    assert {each.id for each in erased.items} | ids >= ids
    assert listing.list_entries(each_world.ana, Filter(about="dana")).items == []
    assert listing.list_entries(lived.patricia, Filter()).items[0].text == "Patricia sharpens pencils"
    assert auditing.check(each_world.ana, contents=True).problems == []


def test_nothing_of_what_was_erased_is_in_the_files_or_can_be_guessed(world: World) -> None:
    """G44, L22, 4.5: no text, word, key, tag, source or reason; no guess matches with any key."""
    lived = live(world)
    guesses = words_of(lived.hers) | {
        "outdated since spring", "implausible rumour", "misheard entirely", "crm://correspondence/vellum",
        "porto-once", "calligraphy-once",
    }  # fmt: skip
    assert len(standing(world, guesses)) > 30  # they are all there before
    assert forget.forget(world.ana, "dana", reason="she telephoned us").residue == "none-found"
    left = words_of(living(world)) | {"dana"}
    gone = guesses - left
    assert standing(world, gone) == []
    assert matches(world, gone, lived.hers) == []


def test_the_guesser_finds_what_is_there(world: World) -> None:
    """4.5: it is no proof that a blind guesser finds nothing."""
    entry = world.learn("Dana ships to Lisbon", key="harbour_city", call_id="once").entry
    assert {hit.split()[0] for hit in matches(world, words_of([entry]), [entry])} >= {"same", "key", "word"}
    assert any("oz0mem/entry/1" in hit for hit in matches(world, [], [entry]))


def test_a_prefix_is_nobody_and_another_spelling_is_the_same_person(world: World) -> None:
    """G41: `pat` is not `patricia`; NFC and NFD are one; what folds alike is told, and not forgotten."""
    live(world)
    world.job(world.ana, about="zo\u00eb")
    assert forget.forget(world.ana, "pat").ids
    assert listing.list_entries(world.ana, Filter(about="patricia")).items
    assert forget.forget(world.ana, "zoe\u0308").about == "zo\u00eb"
    for name in ("Dana", "\uff44ana"):
        outcome = refused(lambda n=name: forget.forget(world.ana, n))  # type: ignore[misc]  # bound now
        assert outcome.code == "person.unknown" and "dana" in outcome.said
    for name in ("dan", "danaa", "dana.", "nobody"):
        assert refused(lambda n=name: forget.forget(world.ana, n)).code == "person.unknown"  # type: ignore[misc]  # bound now
    assert listing.list_entries(world.ana, Filter(about="dana")).items


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\t",
        "*",
        "da*",
        "%",
        "_%",
        "?",
        "work",
        "person",
        "me",
        "thread",
        "everyone",
        "tenant",
        "WORK",
        "a b",
        "a:b",
    ],
)
def test_nobody_in_particular_is_refused(world: World, name: str) -> None:
    """G41: blank, wildcard and reserved words, for the dry run too."""
    world.learn("Dana likes tea")
    for dry_run in (False, True):
        outcome = refused(lambda d=dry_run: forget.forget(world.ana, name, dry_run=d))  # type: ignore[misc]  # bound now
        assert outcome.code.startswith("subject.")
    assert len(living(world)) == 1


def test_only_an_admin_has_others_forgotten(world: World) -> None:
    """G3: everybody of the three roles themself; a member learns nothing of who else is known."""
    reviewer, auditor = world.add("bob", "reviewer"), world.add("olga", "auditor")
    world.learn("Dana likes tea")
    world.learn("Bob likes milk", starter=reviewer)
    for who, name in (
        (world.dana, "bob"),
        (world.dana, "nobody"),
        (reviewer, "dana"),
        (auditor, "dana"),
        (auditor, None),
    ):
        assert refused(lambda w=who, n=name: forget.forget(w, n)).code == "role.forbidden"  # type: ignore[misc]  # bound now
        assert refused(lambda w=who, n=name: forget.forget(w, n, dry_run=True)).code == "role.forbidden"  # type: ignore[misc]  # bound now
    assert len(forget.forget(world.dana, None).ids) == len(forget.forget(reviewer, "bob").ids) == 1
    assert living(world) == []


def test_a_dry_run_counts_names_mentions_and_changes_nothing(world: World) -> None:
    """G41: entries of others and of work that have the id as a whole word; nobody's text is told."""
    lived = live(world)
    named = [
        world.note("Ask dana before shipping").entry.id,
        world.note("It is Dana's desk", scope="project:web").entry.id,
        world.learn("Patricia shares a desk with dana", starter=lived.patricia).entry.id,
    ]
    world.note("Bandanas are in stock")
    world.note("Danas is a brand")
    before = pages(world)
    answer = forget.forget(world.ana, "dana", dry_run=True)
    assert set(answer.ids) == {entry.id for entry in lived.hers}
    assert list(answer.mentions) == sorted(named)
    assert (answer.events, answer.residue, answer.open) == ([], "not-checked", False)
    assert pages(world) == before
    assert set(forget.forget(world.ana, "dana").ids) == set(answer.ids)
    assert forget.forget(world.ana, "dana", dry_run=True).mentions == tuple(sorted(named))


def test_a_person_without_letters_is_counted_like_any(world: World) -> None:
    """G41: a subject id that is no word of any text."""
    world.job(world.ana, about="!!")
    assert forget.forget(world.ana, "!!", dry_run=True).mentions == ()
    assert forget.forget(world.ana, "!!").ids == []


def test_an_unknown_basis_is_refused(world: World) -> None:
    """L2: a closed list."""
    world.learn("Dana likes tea")
    assert refused(lambda: forget.forget(world.ana, "dana", "because")).code == "forget.basis"
    forget.forget(world.ana, "dana", "objection")
    assert events(world, "memory.forgotten")[-1]["basis"] == "objection"


def test_forgetting_twice_writes_nothing_more(world: World) -> None:
    """G41: where nothing is left there is nothing to record."""
    world.learn("Dana likes tea")
    forget.forget(world.ana, "dana")
    before = len(events(world))
    again = forget.forget(world.ana, "dana")
    assert (again.ids, again.events, again.residue, again.open) == ([], [], "none-found", False)
    assert len(events(world)) == before


def test_what_is_learnt_after_a_forget_is_forgotten_by_the_next(world: World) -> None:
    """L2: the chain goes on."""
    for text in ("Dana likes tea", "Dana likes milk"):
        world.learn(text)
        assert len(forget.forget(world.dana, None).ids) == 1
    told = events(world, "memory.forgotten")
    assert [(each["n"], each["prev"]) for each in told] == [(1, -1), (2, told[0]["index"])]


def test_an_answer_to_a_call_is_forgotten_too(world: World) -> None:
    """G41: the same call id writes anew."""
    job = world.job(world.dana, sees="person")
    asked = entries.Remember("Dana likes tea", kind="semantic", call_id="once")
    first = entries.remember(job, asked).entry
    forget.forget(world.ana, "dana")
    assert run_sql(world, "SELECT * FROM call") == []
    assert run_sql(world, "SELECT * FROM job_read") == []
    assert entries.remember(job, asked).entry.id != first.id


def test_recall_and_list_show_nothing_of_it(world: World) -> None:
    """G44: nor by words, nor by id, nor as history."""
    lived = live(world)
    forget.forget(world.ana, "dana")
    job = world.job(world.dana)
    for question in ("lisbon", "porto", "calligraphy", ""):
        found = recall.recall(job, recall.Recall(question, include_ended=True, include_unreviewed=True))
        assert all(hit.entry.about == "work" for hit in found.items)
    assert refused(lambda: listing.show(world.dana, lived.hers[0].id)).code == "memory.unknown"
    assert refused(lambda: facts.history(world.dana, "concierge", "harbour_city")).code == "history.unknown"


def test_a_thread_goes_though_nothing_else_is_there(world: World) -> None:
    """G41: somebody of whom there is but a job, in a thread whose name tells of them."""
    world.job(world.dana, thread="my-lisbon-trip")
    assert standing(world, ["my-lisbon-trip"])
    done = forget.forget(world.ana, "dana")
    assert done.events and not done.ids
    assert standing(world, ["my-lisbon-trip"]) == []
    assert auditing.check(world.ana, contents=True).problems == []
    assert not forget.forget(world.ana, "dana").events
