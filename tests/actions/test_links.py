"""M17: links are proposed by one reviewer and confirmed by another, and no job is told of any."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, forget, links, listing, recall
from oz0mem.model.agreements import CONFIRMED, LABELS, REJECTED, WAITING
from oz0mem.store.engine import Store
from tests.actions.evidence import TOKEN, alter, events, refused, restrict, run_sql
from tests.actions.world import World

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.model.entries import Entry


@pytest.fixture
def team(store_url: str) -> World:
    """A tenant of several people, on each back end."""
    return World(store_url, solo=False)


def two(world: World) -> tuple[Entry, Entry]:
    """Two entries about work."""
    return world.note("Deploys on Friday failed").entry, world.note("Deploy on Wednesdays").entry


def test_one_reviewer_proposes_and_another_confirms(team: World) -> None:
    """M17: each step is told with both ends, the label and the state; the proposer alone changes nothing."""
    rita, (one, other) = team.add("rita", "reviewer"), two(team)
    made = links.link(rita, one.id, "supports", other.id, "we saw it")
    assert (made.changed, made.link.state, made.link.proposer, made.link.decider) == (True, WAITING, "rita", "")
    assert made.link.id.startswith("l-") and len(made.link.id) == 14
    own = refused(lambda: links.confirm(rita, made.link.id))
    assert (own.code, own.rule) == ("review.own", "M17")
    done = links.confirm(team.ana, made.link.id, "so it was")
    assert (done.changed, done.link.state, done.link.decider) == (True, CONFIRMED, "ana")
    assert links.confirm(team.ana, made.link.id).changed is links.confirm(rita, made.link.id).changed is False
    told = events(team, "memory.linked")
    assert [each["link_state"] for each in told] == [WAITING, CONFIRMED]
    assert {(each["link"], each["entry"], each["other"], each["label"]) for each in told} == {
        (made.link.id, one.id, other.id, "supports")
    }
    assert all("reason_commit" in each for each in told)
    assert listing.show(rita, one.id).reasons == ["we saw it", "so it was"]


def test_in_a_solo_store_one_person_does_both(world: World) -> None:
    """G1, M17."""
    one, other = two(world)
    made = links.link(world.ana, one.id, "answers", other.id)
    assert links.confirm(world.ana, made.link.id).link.state == CONFIRMED


def test_the_same_link_is_proposed_once_and_anew_after_it_was_rejected(team: World) -> None:
    """M17: waiting or confirmed it answers with itself; the other way round and by another label it is another link."""
    rita, (one, other) = team.add("rita", "reviewer"), two(team)
    first = links.link(rita, one.id, "supports", other.id)
    again = links.link(team.ana, one.id[:7], "supports", other.id[:7])
    assert (again.changed, again.link.id) == (False, first.link.id)
    assert links.link(rita, other.id, "supports", one.id).changed
    assert links.link(rita, one.id, "contradicts", other.id).changed
    links.confirm(team.ana, first.link.id)
    assert links.link(rita, one.id, "supports", other.id).link.state == CONFIRMED
    second = links.link(rita, one.id, "same_as", other.id)
    assert links.reject(rita, second.link.id, "a slip").link.state == REJECTED
    assert links.reject(team.ana, second.link.id, "a slip").changed is False
    third = links.link(rita, one.id, "same_as", other.id)
    assert third.changed and third.link.id != second.link.id


def test_what_was_decided_is_not_decided_otherwise(team: World) -> None:
    """M17: a conflict that says what it is."""
    rita, (one, other) = team.add("rita", "reviewer"), two(team)
    kept, dropped = (links.link(rita, one.id, label, other.id).link.id for label in ("supports", "answers"))
    links.confirm(team.ana, kept)
    links.reject(team.ana, dropped, "it does not")
    assert refused(lambda: links.reject(team.ana, kept, "no")).facts == {"state": CONFIRMED}
    late = refused(lambda: links.confirm(team.ana, dropped))
    assert (late.code, late.facts) == ("link.settled", {"state": REJECTED})
    assert refused(lambda: links.reject(team.ana, dropped, " ")).rule == "M1"


@pytest.mark.parametrize("who", ["member", "auditor", "host", "job"])
def test_links_are_reviewers_business(world: World, who: str) -> None:
    """G3: nobody else proposes, decides or lists."""
    one, other = two(world)
    made = links.link(world.ana, one.id, "supports", other.id).link.id
    acting = world.job(world.ana) if who == "job" else world.dana if who == "member" else world.add("eve", who)
    code = "role.agent" if who == "job" else "role.forbidden"
    for act in (
        lambda: links.link(acting, one.id, "answers", other.id),
        lambda: links.confirm(acting, made),
        lambda: links.reject(acting, made, "no"),
        lambda: links.list_links(acting),
    ):
        assert refused(act).code == code
    assert len(events(world, "memory.linked")) == 1


def test_a_label_is_one_of_six(world: World) -> None:
    """M17: a refusal names them and repeats nothing."""
    one, other = two(world)
    said = refused(lambda: links.link(world.ana, one.id, "likes dana", other.id))
    assert said.code == "link.label" and all(label in said.said for label in LABELS) and "dana" not in said.said
    assert refused(lambda: links.link(world.ana, one.id, "supports", one.id)).code == "link.itself"
    for label in LABELS:
        assert links.link(world.ana, one.id, label, other.id).link.label == label


def test_only_what_lives_and_is_seen_is_linked(world: World) -> None:
    """M17, G43, L7, M31, M32: absent and hidden are the same answer."""
    one, other = two(world)
    held = [world.learn(f"dana likes {what}", sees="").entry for what in ("ink", "chalk")]
    acceptance.reject(world.ana, held[0].id, "no")
    assert refused(lambda: links.link(world.ana, one.id, "supports", held[0].id)).facts["state"] == "rejected"
    assert links.link(world.ana, one.id, "supports", held[1].id).changed
    absent = refused(lambda: links.link(world.ana, one.id, "supports", "n-000000000000"))
    restrict(world, other)
    hidden = refused(lambda: links.link(world.ana, one.id, "supports", other.id))
    assert (absent.code, absent.said) == (hidden.code, hidden.said) == ("memory.unknown", absent.said)
    wrong = world.note("The office opens at nine").entry
    alter(world, wrong)
    assert refused(lambda: links.link(world.ana, wrong.id, "supports", one.id)).code == "memory.altered"
    world.later(15)
    assert refused(lambda: links.link(world.ana, one.id, "answers", held[1].id)).facts["state"] == "lapsed"


def test_an_end_that_is_gone_or_hidden_hides_its_link(world: World) -> None:
    """M17, G43: neither listed, shown nor confirmed."""
    one, other = two(world)
    made = links.link(world.ana, one.id, "supports", other.id).link.id
    restrict(world, other)
    assert links.list_links(world.ana).items == listing.show(world.ana, one.id).links == []
    assert refused(lambda: links.confirm(world.ana, made)).code == "link.unknown"


@pytest.mark.parametrize("place", ["from", "label", "to", "reason"])
def test_a_secret_in_any_argument_is_refused_and_kept_nowhere(world: World, place: str) -> None:
    """M8: before anything else is judged."""
    one, other = two(world)
    given = {"from": one.id, "label": "supports", "to": other.id, "reason": "why"} | {place: f"x {TOKEN}"}
    said = refused(lambda: links.link(world.ana, given["from"], given["label"], given["to"], given["reason"]))
    assert said.code == "secret.found" and TOKEN not in said.said
    assert run_sql(world, "SELECT count(*) FROM link")[0][0] == 0


def test_a_list_goes_on_where_a_page_ended(each_world: World) -> None:
    """C1: oldest first, none twice and none left out, hidden ones skipped."""
    world = each_world
    texts = [world.note(f"Fact number {name}").entry for name in ("one", "two", "three", "four")]
    pairs = [(a, b) for a in texts for b in texts if a.id != b.id]
    made = [links.link(world.ana, a.id, "depends_on", b.id).link.id for a, b in pairs]
    for each in made[::2]:
        links.confirm(world.ana, each)
    restrict(world, texts[3])
    seen = [each for each, (a, b) in zip(made, pairs, strict=True) if texts[3].id not in (a.id, b.id)]
    assert paged(world.ana, waiting=False) == seen
    assert paged(world.ana, waiting=True) == [each for each in seen if each in made[1::2]]
    assert refused(lambda: links.list_links(world.ana, after="x")).code == "list.cursor"
    assert refused(lambda: links.list_links(world.ana, limit=0)).code == "list.limit"


def paged(who: Context, *, waiting: bool) -> list[str]:
    """The ids of all pages of two."""
    found, after = [], ""
    while True:
        page = links.list_links(who, waiting=waiting, limit=2, after=after)
        found += [each.id for each in page.items]
        if page.next is None:
            return found
        after = page.next


def test_a_shortened_id_is_enough_where_it_is_one(world: World) -> None:
    """C7: four digits at least; what is no id is refused as that."""
    one, other = two(world)
    made = links.link(world.ana, one.id, "supports", other.id).link.id
    assert refused(lambda: links.confirm(world.ana, made[:5])).code == "link.id"
    assert refused(lambda: links.confirm(world.ana, one.id)).code == "link.id"
    assert refused(lambda: links.confirm(world.ana, "l-000000000000")).code == "link.unknown"
    alike = Store(world.url, "acme", lambda count: b"\x01\x23" + os.urandom(count - 2))
    ana = world.ana._replace(store=alike)
    found = links.link(ana, other.id, "answers", one.id).link.id
    links.link(ana, other.id, "contradicts", one.id)
    assert refused(lambda: links.confirm(world.ana, "l-0123")).code == "link.ambiguous"
    assert links.confirm(world.ana, found).link.id == found
    assert links.confirm(world.ana, made[:13]).link.id == made
    alike.close()


def test_members_see_confirmed_links_between_what_they_see_and_jobs_none(world: World) -> None:
    """M20, M17: a member's own entry does not tell of one that is not theirs."""
    own, shared = world.learn("dana likes ink").entry, world.note("Ink is free", scope="tenant").entry
    hidden = world.note("Ink costs us two", scope="project:web").entry
    for label, other in (("supports", shared), ("answers", hidden), ("same_as", shared)):
        made = links.link(world.ana, own.id, label, other.id).link.id
        if label != "same_as":
            links.confirm(world.ana, made)
    assert [each.label for each in listing.show(world.ana, own.id).links] == ["supports", "answers", "same_as"]
    assert [each.label for each in listing.show(world.dana, own.id).links] == ["supports"]
    found = recall.recall(world.job(world.dana), recall.Recall("ink"))
    assert found.items and "l-" not in str([hit.entry for hit in found.items])


def test_a_link_goes_with_either_end_and_every_reason_for_it(each_world: World) -> None:
    """G41, L5: whichever end was erased; other links and reasons stay."""
    world = each_world
    one, other, third = (world.note(f"Fact number {name}").entry for name in ("one", "two", "three"))
    for start, end in ((one, other), (other, one), (one, third)):
        made = links.link(world.ana, start.id, "supports", end.id, f"as {start.id} says").link.id
        links.confirm(world.ana, made, "indeed")
    forget.delete(world.ana, other.id, "no longer so")
    (left,) = links.list_links(world.ana).items
    assert (left.entry_id, left.other_id) == (one.id, third.id)
    assert listing.show(world.ana, one.id).reasons == [f"as {one.id} says", "indeed"]
    assert run_sql(world, "SELECT count(*) FROM link WHERE tenant = 1")[0][0] == 1


def test_a_link_to_what_a_member_took_back_is_gone(world: World) -> None:
    """G41: forget takes the links of everything about the person."""
    own, work = world.learn("dana likes ink").entry, world.note("Ink is free").entry
    links.link(world.ana, work.id, "supports", own.id, "dana said so herself")
    forget.forget(world.dana, None)
    assert links.list_links(world.ana).items == listing.show(world.ana, work.id).links == []
    assert listing.show(world.ana, work.id).reasons == []


def test_a_link_altered_behind_the_ledger_is_none(each_world: World) -> None:
    """L7: it is neither shown nor confirmed, so that no event is written of ends that nobody proposed."""
    one, two, three = (each_world.note(f"note number {number}").entry for number in ("one", "two", "three"))
    made = links.link(each_world.ana, one.id, "supports", two.id).link
    run_sql(each_world, "UPDATE link SET other = ?", three.numbers.entry)
    assert links.list_links(each_world.ana).items == []
    assert refused(lambda: links.confirm(each_world.ana, made.id)).code == "link.unknown"
    run_sql(each_world, "UPDATE link SET other = ?", two.numbers.entry)
    assert links.confirm(each_world.ana, made.id).changed
