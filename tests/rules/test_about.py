"""Whom an entry is about, which scopes a job reaches, and when a text names somebody (M4, M5, G4, L5)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.actors import JobRecord
from oz0mem.model.declarations import Declaration, Grants
from oz0mem.model.errors import Invalid, Refused
from oz0mem.rules import about

SCOPES = ("agent:concierge", "tenant", "project:web", "project:web/shop", "thread:t1")


def job(**changes: Any) -> JobRecord:
    """A job of the concierge about nobody, started by dana."""
    plain: dict[str, Any] = dict.fromkeys(JobRecord._fields, "")
    numbers = dict.fromkeys(("number", "created", "expires", "ended"), 0)
    lists: dict[str, Any] = {"projects": ("web",), "compartments": ()}
    named = {"agent": "concierge", "starter": "dana", "person": "dana", "thread": "thread:t1"}
    return JobRecord(**{**plain, **numbers, **lists, **named, **changes})


def declared(**changes: Any) -> Declaration:
    """The concierge's declaration."""
    return Declaration(**{"name": "concierge", "projects": ("web",), **changes})


@pytest.mark.parametrize(
    ("said", "kind", "facts", "about_whom", "scope"),
    [
        ("work", "note", {}, "work", ""),
        ("me", "note", {}, "work", "agent:concierge"),
        ("thread", "note", {}, "work", "thread:t1"),
        ("everyone", "note", {}, "work", "tenant"),
        ("person", "note", {}, "dana", ""),
        ("dana", "note", {}, "dana", ""),
        ("work", "semantic", {}, "dana", ""),
        ("work", "episodic", {}, "dana", ""),
        ("work", "procedural", {}, "work", ""),
        # A job about somebody writes about them, whatever it claims.
        ("work", "note", {"about": "ana"}, "ana", ""),
        ("everyone", "note", {"about": "ana"}, "ana", ""),
        ("me", "semantic", {"about": "ana"}, "ana", ""),
        ("ana", "semantic", {"about": "ana"}, "ana", ""),
    ],
)
def test_whom_an_entry_is_about_follows_from_the_job(
    said: str, kind: str, facts: dict[str, Any], about_whom: str, scope: str
) -> None:
    """M4: the table of what is said and what it means."""
    target = about.target(said, kind, job(**facts))
    assert (target.about, target.scope) == (about_whom, scope)


@pytest.mark.parametrize(
    ("said", "kind", "facts"),
    [
        ("bob", "note", {}),
        ("bob", "semantic", {}),
        ("bob", "semantic", {"about": "ana"}),
        ("person", "note", {"person": ""}),
        ("work", "semantic", {"person": ""}),
        ("person", "procedural", {}),
        ("dana", "procedural", {}),
        ("thread", "note", {"thread": ""}),
    ],
)
def test_nobody_else_is_written_about(said: str, kind: str, facts: dict[str, Any]) -> None:
    """M4: somebody else, nobody, or a person in a procedure is refused with what to do."""
    with pytest.raises(Refused) as caught:
        about.target(said, kind, job(**facts))
    assert (caught.value.code, caught.value.rule) == ("memory.about", "M4")
    assert caught.value.hint


@pytest.mark.parametrize("said", ["*", "da%", "a b", "x:y"])
def test_a_wildcard_is_nobody(said: str) -> None:
    """M4: what is no subject id names nobody."""
    with pytest.raises(Invalid):
        about.target(said, "note", job())


def test_a_procedure_learnt_from_a_person_waits_for_review() -> None:
    """M4: it is about work, and held where the job was about somebody."""
    assert about.target("work", "procedural", job(about="ana")).forced == ("procedural",)
    assert about.target("work", "procedural", job()).forced == ()


@pytest.mark.parametrize(
    ("kind", "whom", "facts", "may"),
    [
        ("semantic", "dana", {}, True),
        ("episodic", "dana", {"about": "dana"}, True),
        ("note", "dana", {}, False),
        ("semantic", "dana", {"starter": "ana"}, False),
        ("semantic", "dana", {"person": "ana"}, False),
        ("semantic", "ana", {"about": "ana", "person": "ana"}, False),
    ],
)
def test_memory_about_people_is_off_but_for_who_started_the_job(
    kind: str, whom: str, facts: dict[str, Any], may: bool
) -> None:
    """M5: learned kinds about the one whose own token started the job, and no other."""
    assert about.allowed(kind, whom, job(**facts)) == may


def reach(way: str, grants: Grants, **facts: Any) -> list[str]:
    """The scopes that a job may read or write under grants."""
    reached = []
    for scope in (*SCOPES, "agent:other", "project:core", "thread:t2"):
        try:
            reached.append(about.granted(scope, job(**facts), declared(grants=grants), way))
        except Refused as refusal:
            assert (refusal.code, refusal.rule) == ("memory.scope", "G4")
            assert scope not in str(refusal.facts["scopes"])[1:-1].replace("'", "").split(", ")
    return reached


def test_a_job_reaches_its_agents_scope_its_projects_its_thread_and_the_tenants() -> None:
    """G4: and never another agent's, project's or thread's."""
    assert reach("read", Grants()) == reach("write", Grants()) == [*SCOPES]
    assert "thread:t1" not in reach("read", Grants(), thread="")
    assert reach("write", Grants(), projects=("web/shop",)) == [s for s in SCOPES if s != "project:web"]
    assert reach("write", Grants(), projects=()) == ["agent:concierge", "tenant", "thread:t1"]


def test_grants_narrow_each_way_alone_and_a_denial_wins() -> None:
    """G4: a list is all there is, an empty one is nothing, and what is denied stays denied."""
    assert reach("read", Grants(read=("tenant",))) == ["tenant"]
    assert reach("write", Grants(read=("tenant",))) == [*SCOPES]
    assert reach("write", Grants(write=())) == []
    assert reach("read", Grants(read=("project:web",))) == ["project:web", "project:web/shop"]
    assert reach("read", Grants(read=("tenant", "agent"), deny=("tenant",))) == ["agent:concierge"]
    assert reach("read", Grants(deny=("project:web/shop",))) == [s for s in SCOPES if s != "project:web/shop"]
    assert "project:core" not in reach("read", Grants(read=("project:core", "agent:other")))


@given(st.lists(st.sampled_from(SCOPES)), st.lists(st.sampled_from(SCOPES)), st.lists(st.sampled_from(SCOPES)))
def test_no_grant_reaches_further_than_none(read: list[str], more: list[str], deny: list[str]) -> None:
    """G4: a declaration's grants only narrow; another denial never widens."""
    free = reach("read", Grants())
    narrowed = reach("read", Grants(read=tuple(read), deny=tuple(deny)))
    assert set(narrowed) <= set(free) and not set(narrowed) & set(deny)
    assert set(reach("read", Grants(read=tuple(read), deny=(*deny, *more)))) <= set(narrowed)


def test_what_is_about_a_person_goes_to_the_agents_own_scope() -> None:
    """M4: a scope asked for is refused unless it is that one."""
    person = about.Target("dana", "", ())
    assert about.scope("", person, "semantic", job(), declared()) == "agent:concierge"
    assert about.scope("agent:concierge", person, "semantic", job(), declared()) == "agent:concierge"
    with pytest.raises(Refused) as caught:
        about.scope("tenant", person, "semantic", job(), declared())
    assert (caught.value.code, caught.value.rule) == ("memory.scope", "M4")


@pytest.mark.parametrize(
    ("fixed", "named", "common"),
    [
        (("web",), (), ("web",)),
        ((), ("web",), ()),
        (("web", "core"), ("web",), ("web",)),
        (("web/shop",), ("web",), ("web/shop",)),
        (("web",), ("web/shop", "web/blog", "core"), ("web/shop", "web/blog")),
        (("web",), ("webs",), ()),
    ],
)
def test_a_job_keeps_of_its_projects_what_the_declaration_still_has(
    fixed: tuple[str, ...], named: tuple[str, ...], common: tuple[str, ...]
) -> None:
    """G4, M20: a declaration that was narrowed since narrows its running jobs."""
    assert about.projects_of(job(projects=fixed), declared(projects=named)) == common


@pytest.mark.parametrize(
    ("text", "person", "named"),
    [
        ("dana asked", "dana", True),
        ("asked by Dana.", "dana", True),
        ("for dana's sake", "dana", True),
        ("line\ndana", "dana", True),
        ("(dana)", "dana", True),
        ("patricia asked", "pat", False),
        ("pat asked", "patricia", False),
        ("patpat pat", "pat", True),
        ("dana1 and 1dana", "dana", False),
        ("bananas", "ana", False),
        ("Zoe\u0308 asked", "zo\u00eb", True),
        ("STRASSE 5", "stra\u00dfe", True),
        ("why !! so", "!!", True),
        ("", "dana", False),
    ],
)
def test_a_text_names_somebody_by_a_whole_word(text: str, person: str, named: bool) -> None:
    """L5, G41: in any spelling of it, and never as a part of another word."""
    assert about.mentions(text, person) == named
