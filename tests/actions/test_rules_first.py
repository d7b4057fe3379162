"""R7, M20, M29: rules stand first in what an agent recalls; an agent lists its own writes by state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, entries, forget, recall, retiring
from oz0mem.actions.entries import Remember
from oz0mem.actions.recall import Recall
from oz0mem.model.moments import DAY
from tests.actions.agreed import agree
from tests.actions.evidence import alter, refused, restrict

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from tests.actions.world import World


def shown(ctx: Context, words: str = "boxes", **asked: object) -> list[str]:
    """The texts of an answer."""
    return [hit.text for hit in recall.recall(ctx, Recall(words, **asked)).items]  # type: ignore[arg-type]  # tests name fields


@pytest.fixture
def ruled(each_world: World) -> World:
    """Rules in four scopes and one that is only proposed, with three notes on boxes."""
    world = each_world
    world.declare(name="wide", projects=["web", "shop"])
    world.declare(projects=["web/checkout"])
    for scope in ("agent:concierge", "project:web", "tenant", "project:shop"):
        agent = "concierge" if scope.startswith("agent") else "wide"
        agree(world, f"be kind in {scope}", kind="rule", scope=scope, agent=agent)
        world.later(0.01)
    entries.remember(world.job(world.ana), Remember("be rude", kind="rule", scope="tenant"))
    for n in range(3):
        world.note(f"boxes {n}")
    return world


def test_rules_come_first_whether_or_not_they_fit_the_words(ruled: World) -> None:
    """R7: the nearest scope first, an ancestor's with the project's; none of other scopes, and no proposal."""
    rules = ["be kind in agent:concierge", "be kind in project:web", "be kind in tenant"]
    job = ruled.job(ruled.dana)
    assert shown(job)[:3] == rules
    assert sorted(shown(job)[3:]) == ["boxes 0", "boxes 1", "boxes 2"]
    assert shown(job, "")[:3] == rules
    assert shown(job, "kind boxes")[:3] == rules
    assert len(shown(job, "kind boxes")) == 6


@pytest.mark.parametrize(("words", "answered"), [("boxes", True), ("kind", True), ("bxoes", False), ("", True)])
def test_an_answer_says_whether_anything_but_the_standing_rules_fits(
    ruled: World, words: str, *, answered: bool
) -> None:
    """R7: a misspelt word is told from one that rules or notes have; without words nothing has to fit."""
    found = recall.recall(ruled.job(ruled.dana), Recall(words))
    assert (bool(found.items), found.answered) == (True, answered)


def test_a_rule_that_was_altered_is_named_as_left_out(ruled: World) -> None:
    """L7: whoever reads hears that a rule is missing, once, also where it has the words that were asked for."""
    altered = agree(ruled, "boxes are closed", kind="rule")
    alter(ruled, altered)
    for asked in (Recall("boxes"), Recall("ink"), Recall("")):
        found = recall.recall(ruled.job(ruled.dana), asked)
        assert found.altered == [altered.id]
        assert altered.id not in [hit.entry.id for hit in found.items]
    assert recall.recall(ruled.job(ruled.dana), Recall("ink", tag="press")).altered == []


def test_rules_take_at_most_half_of_an_answer_and_at_least_one(ruled: World) -> None:
    """R7: inside its size, by entries and by characters."""
    job = ruled.job(ruled.dana)
    for most, rules in ((1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)):
        texts = shown(job, max_entries=most)
        assert sum(text.startswith("be") for text in texts) == rules
        assert len(texts) == most
    assert [text[:5] for text in shown(job, max_chars=52 + 7)] == ["be ki", "boxes", "boxes", "boxes"]
    assert [len(text) for text in shown(job, max_chars=10)] == [10]


def test_a_kind_or_a_tag_that_they_lack_leaves_them_out(ruled: World) -> None:
    """R7: filters count for rules too."""
    job = ruled.job(ruled.dana)
    assert not [text for text in shown(job, kind="note") if text.startswith("be")]
    assert len(shown(job, kind="rule")) == 3
    assert shown(job, tag="urgent") == []


def test_a_scope_that_is_named_brings_its_ancestors_rules(ruled: World) -> None:
    """R7, M20: the rules of the scope asked and of those above it, no others; nothing else of an ancestor."""
    agree(ruled, "be brief in the cart", kind="rule", scope="project:web/checkout/cart", agent="wide")
    agree(ruled, "boxes are web's", scope="project:web", agent="wide")
    agree(ruled, "boxes are the cart's", scope="project:web/checkout/cart", agent="wide")
    job = ruled.job(ruled.dana)
    both = ["be brief in the cart", "be kind in project:web", "boxes are the cart's"]
    assert shown(job, scope="project:web/checkout/cart") == both
    assert shown(job, scope="project:web") == both
    assert shown(job, scope="agent:concierge") == ["be kind in agent:concierge"]
    assert "boxes are web's" not in shown(job)
    assert "boxes are web's" in shown(ruled.job(ruled.dana, agent="wide"))


@pytest.mark.parametrize(
    "grants", [{"deny": ["project:web"]}, {"read": ["project:web/checkout", "agent:concierge", "tenant"]}]
)
def test_the_rules_of_a_denied_ancestor_stay_unread(ruled: World, grants: dict[str, list[str]]) -> None:
    """G4: a denial covers the subtree and always wins; grants only narrow, also what is read of an ancestor."""
    ruled.declare(projects=["web/checkout"], grants=grants)
    assert shown(ruled.job(ruled.dana))[:2] == ["be kind in agent:concierge", "be kind in tenant"]


@pytest.mark.parametrize(
    ("grants", "read"),
    [
        ({"read": ["project:web"]}, {"web", "checkout"}),
        ({"deny": ["project:web/checkout"]}, {"web", "thread"}),
        ({"read": ["project:web"], "deny": ["project:web/checkout"]}, {"web"}),
        ({"read": ["project:web/checkout"]}, {"checkout"}),
        ({"read": ["project:web"], "deny": ["project:web"]}, set()),
        ({"read": ["thread"]}, {"thread"}),
        ({"deny": ["thread"]}, {"web", "checkout"}),
    ],
)
def test_a_grant_covers_the_subtree_and_a_denial_wins(
    world: World, grants: dict[str, list[str]], read: set[str]
) -> None:
    """G4: for a project and all below it; `thread` is the thread of whatever job runs."""
    world.declare(projects=["web"])
    world.note("web", scope="project:web")
    world.note("checkout", scope="project:web/checkout")
    entries.remember(world.job(world.ana, thread="t1", sees="person"), Remember("thread", about="thread"))
    world.declare(projects=["web"], grants=grants)
    job = world.job(world.dana, thread="t1")
    assert {hit.text for hit in recall.recall(job, Recall()).items} == read


def test_for_people_rules_are_first_among_what_fits(ruled: World) -> None:
    """R7: people ask by words; only rules that fit stand first."""
    assert not [text for text in shown(ruled.ana) if text.startswith("be")]
    texts = shown(ruled.ana, "kind boxes")
    assert {text[:7] for text in texts[:4]} == {"be kind"}
    assert {text[:5] for text in texts[4:]} == {"boxes"}


def test_where_nothing_but_rules_is_shown_the_answer_says_so(ruled: World) -> None:
    """R7: words that nothing has still get other words suggested."""
    found = recall.recall(ruled.job(ruled.dana), Recall("boxes zebras", match="all"))
    assert len(found.items) == 3
    assert found.suggestions == ["boxes"]


_FATES = ["held", "active", "replaced", "retired", "rejected", "ended", "lapsed"]


@pytest.fixture
def written(each_world: World) -> World:
    """One note of the concierge in each state, and one of another agent and of ana's in force."""
    world = each_world
    world.declare(projects=[])
    world.declare(name="porter", projects=[])
    start = world.now

    def write(text: str, *, sees: str = "person", **asked: object) -> str:
        job = world.job(world.ana, sees=sees)
        return entries.remember(job, Remember(text, scope="tenant", **asked)).entry.id  # type: ignore[arg-type]  # tests name fields

    write("lapsed", sees="")
    world.now = start + 15 * DAY
    write("replaced", key="k")
    write("active", key="k")
    write("held", sees="")
    retiring.retire(world.ana, write("retired"), "a reason for people")
    acceptance.reject(world.ana, write("rejected", sees=""), "a reason for people")
    forget.delete(world.ana, write("erased"), "no")
    write("ended", ends=world.now + DAY)
    made = entries.remember(world.job(world.ana, sees="person"), Remember("restricted", scope="tenant")).entry
    restrict(world, made)
    entries.remember(world.job(world.ana, agent="porter", sees="person"), Remember("porter's", scope="tenant"))
    world.note("ana's")
    world.later(2)
    return world


@pytest.mark.parametrize("state", _FATES)
def test_an_agent_lists_its_own_writes_by_state(written: World, state: str) -> None:
    """M29: in every state that is left, and nobody else's; without reviewers' reasons."""
    job = written.job(written.ana)
    found = recall.recall(job, Recall(own_state=state))
    assert [hit.text for hit in found.items] == [state]
    assert "a reason for people" not in repr(found)
    spelled = {"active": "promoted", "retired": "demoted"}.get(state)
    if spelled:
        assert shown(job, "", own_state=spelled) == [state]
    assert shown(job, "", own_state=state, kind="rule") == []


def test_own_writes_are_an_agents_and_never_what_is_erased(written: World) -> None:
    """M29: each refusal says why."""
    job = written.job(written.ana)
    gone = refused(lambda: recall.recall(job, Recall(own_state="erased")))
    assert (gone.code, gone.rule) == ("recall.erased", "M29")
    assert refused(lambda: recall.recall(written.ana, Recall(own_state="held"))).rule == "M29"
    assert refused(lambda: recall.recall(job, Recall("words", own_state="held"))).code == "recall.own_state"
    assert "lapsed" in refused(lambda: recall.recall(job, Recall(own_state="lost"))).said


def test_own_writes_stay_within_what_the_job_may_read(world: World) -> None:
    """M29, M20, M31: not another purpose's or person's, nor a person's past its end."""
    world.declare(purposes=["support", "billing"], projects=[])
    for purpose in ("support", "billing"):
        job = world.job(world.ana, purpose=purpose, sees="person")
        entries.remember(job, Remember(purpose, scope="tenant"))
    learnt = world.learn("dana's").entry
    assert shown(world.job(world.ana, purpose="support"), "", own_state="active") == ["support"]
    assert shown(world.job(world.dana), "", own_state="active") == ["dana's"]
    world.now = learnt.ends
    assert shown(world.job(world.dana), "", own_state="ended") == []
