"""M2, M3: what says the same is kept once, what says nearly the same is named."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, entries, governance, retiring
from oz0mem.actions.entries import Remember
from oz0mem.model.kinds import ACTIVE, HELD, REJECTED
from tests.actions.evidence import alter, entries_of, newest, place_hold, refused, restrict, run_sql

if TYPE_CHECKING:
    from tests.actions.world import World

TEXT = "Café Straße opens at nine"


@pytest.mark.parametrize(
    ("again", "same"),
    [
        (unicodedata.normalize("NFD", TEXT), True),
        (TEXT.upper(), True),
        ("  Café\tStraße \n opens   at nine ", True),
        ("Cafe Straße opens at nine", False),
        ("Café Strasse opens at nine", True),
        ("Café Straße opens at nine.", False),
        ("".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in TEXT), True),
    ],
    ids=["nfd", "upper", "space", "accent", "sharp-s", "dot", "fullwidth"],
)
def test_a_text_is_kept_once_whatever_its_spelling(each_world: World, again: str, same: bool) -> None:
    """M2: NFKC, case folding and collapsed white space make two spellings one text, nothing else does."""
    first = each_world.note(TEXT)
    second = each_world.note(again)
    assert (second.kept, second.entry.id == first.entry.id) == (("existing", True) if same else ("new", False))


def test_the_same_text_is_another_in_another_scope_kind_person_or_purpose(world: World) -> None:
    """M2: sameness is per scope, kind, subject and purpose."""
    bob = world.add("bob", "member")
    made = [
        world.note("tea at four"),
        world.note("tea at four", scope="project:web"),
        world.note("tea at four", scope="project:web/checkout"),
        world.learn("tea at four"),
        world.learn("tea at four", kind="episodic"),
        world.learn("tea at four", starter=bob),
        entries.remember(
            world.job(world.dana, sees="person", purpose="customer-support"),
            Remember("tea at four", "semantic"),
        ),
    ]
    assert [written.kept for written in made] == ["new"] * len(made)
    assert len({written.entry.id for written in made}) == len(made)


@pytest.mark.parametrize("how", ["ended", "lapsed", "retired", "replaced", "restricted", "altered", "erased"])
def test_what_is_over_or_hidden_answers_no_write(world: World, how: str) -> None:
    """M2, G43, L7: of anything but what is active, held or rejected, a new entry is made."""
    first = world.note("tea at four", key="tea", source={"repository": "a"})
    if how == "ended":
        world.later(91)
    elif how == "lapsed":
        governance.set_settings(world.ana, {"review": "all"}, "stricter")
        first = world.note("coffee at five")
        world.later(14)
        assert world.note("coffee at five").kept == "new"
        return
    elif how == "retired":
        retiring.retire(world.ana, first.entry.id, "no tea")
    elif how == "replaced":
        world.note("tea at five", key="tea")
    elif how == "restricted":
        restrict(world, first.entry)
    elif how == "altered":
        alter(world, first.entry)
    else:
        from oz0mem.actions import forget

        forget.delete(world.ana, first.entry.id, "no tea")
    assert world.note("tea at four").kept == "new"


def test_a_rejected_text_is_answered_as_rejected(world: World) -> None:
    """M2: nobody writes past a rejection by writing again."""
    held = world.learn("dana likes ink", sees="").entry
    acceptance.reject(world.ana, held.id, "she does not")
    again = world.learn("dana LIKES ink")
    assert (again.kept, again.entry.id, again.entry.state) == ("existing", held.id, REJECTED)


def test_a_living_text_answers_before_a_rejected_one(world: World) -> None:
    """M2: what is there and in force answers, not an older rejection."""
    held = world.learn("dana likes ink", sees="").entry
    acceptance.reject(world.ana, held.id, "she does not")
    run_sql(world, "UPDATE version SET same_hash = 1 WHERE id = ?", held.id)
    living = world.learn("dana likes ink").entry
    right = living.numbers.same_hash
    run_sql(world, "UPDATE version SET same_hash = ? WHERE id = ?", right, held.id)
    assert world.learn("dana likes ink").entry.id == living.id


def test_a_persons_write_of_a_held_text_confirms_it(each_world: World) -> None:
    """M2: a new version of tier person, active, with the end that it had (M6)."""
    held = each_world.learn("dana likes ink", sees="").entry
    each_world.later(2)
    again = each_world.learn("dana likes ink", sees="person")
    assert (held.state, held.tier, held.held) == (HELD, "unreviewed", "unreviewed")
    assert (again.kept, again.entry.id, again.entry.version) == ("existing", held.id, 2)
    assert (again.entry.state, again.entry.tier, again.entry.held) == (ACTIVE, "person", "")
    assert again.entry.ends == held.ends


@pytest.mark.parametrize("sees", ["published", ""])
def test_a_write_of_a_lesser_tier_confirms_nothing(world: World, sees: str) -> None:
    """M2: only tier person confirms by writing again."""
    held = world.learn("dana likes ink", sees="").entry
    again = world.learn("dana likes ink", sees=sees).entry
    assert (again.id, again.state, again.version) == (held.id, HELD, 1)


def test_where_review_is_all_a_write_confirms_nothing(world: World) -> None:
    """M2: not where review is all, even of tier person."""
    held = world.learn("dana likes ink", sees="").entry
    governance.set_settings(world.ana, {"review": "all"}, "stricter")
    again = world.learn("dana likes ink", sees="person").entry
    assert (again.id, again.state, again.version) == (held.id, HELD, 1)


def test_what_waits_for_a_legal_hold_answers_a_second_write_as_held(world: World) -> None:
    """M2, M11: the same write again does not confirm past a hold, and is not refused either."""
    old = world.learn("Lisbon", key="city").entry
    place_hold(world, entry=old)
    waiting = world.learn("Porto", key="city").entry
    again = world.learn("Porto", key="city")
    assert (again.kept, again.entry.id, again.entry.state) == ("existing", waiting.id, HELD)
    assert newest(world, old).state == ACTIVE


@pytest.mark.parametrize(
    ("text", "key", "named"),
    [
        ("green paper boxes arrive every Monday morning", "", True),
        ("green paper boxes arrive every monday", "", True),
        ("green paper boxes leave monday", "", False),
        ("green paper boxes come monday", "boxes", False),
        ("green paper envelopes cost twelve euros", "", False),
    ],
    ids=["same-words", "0.8-and-more", "below", "other-key-below", "other"],
)
def test_nearly_the_same_is_named_from_a_likeness_of_0_8_on(world: World, text: str, key: str, named: bool) -> None:
    """M3: Dice of stemmed content words of at least 0.8, or 0.6 with one key."""
    there = world.note("Green paper boxes arrive Monday mornings.").entry
    answer = world.note(text, key=key)
    assert [other.id for other in answer.similar] == ([there.id] if named else [])
    assert answer.kept == "new"


def test_with_one_key_a_likeness_of_0_6_is_enough_but_what_is_replaced_is_not_similar(world: World) -> None:
    """M3: an entry of the same key in another place is near; the one that the write replaces is not named."""
    near = world.note("green paper boxes arrive monday", key="boxes", scope="tenant").entry
    answer = world.note("green paper boxes leave monday", key="boxes", scope="project:web")
    other = world.note("green paper boxes stay monday", key="boxes", scope="tenant")
    assert [each.id for each in answer.similar] == [near.id]
    assert near.id not in [each.id for each in other.similar]
    assert other.replaced == near.id


def test_at_most_three_are_named_and_only_readable_ones(world: World) -> None:
    """M3: never another person's, never what is held, ended or altered."""
    bob = world.add("bob", "member")
    hidden = world.learn("green paper boxes arrive monday", starter=bob).entry
    for scope in ("tenant", "project:web", "project:web/a", "project:web/b"):
        world.note("green paper boxes arrive monday", scope=scope)
    ended = world.note("green paper boxes arrive monday", ends=world.now + 1, scope="project:web/e").entry
    world.now += 1
    altered = world.note("green paper boxes arrive monday today", scope="project:web/d").entry
    alter(world, altered)
    answer = world.learn("green paper boxes arrive monday")
    assert len(answer.similar) == 3
    assert not {hidden.id, ended.id, altered.id} & {each.id for each in answer.similar}


def test_a_write_that_refuses_likeness_is_refused_with_the_ids(each_world: World) -> None:
    """M3: on_similar=refuse names what is there, and writes nothing."""
    there = each_world.note("green paper boxes arrive monday").entry
    before = entries_of(each_world)
    outcome = refused(lambda: each_world.note("Green paper boxes arriving Monday", on_similar="refuse"))
    assert (outcome.code, outcome.rule, outcome.facts["similar"]) == ("memory.similar", "M3", [there.id])
    assert "paper" not in outcome.said
    assert entries_of(each_world) == before
    assert refused(lambda: each_world.note("x", on_similar="maybe")).code == "memory.on_similar"
