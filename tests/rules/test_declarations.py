"""Declarations: which documents declare an agent, and what a declaration then allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.adapters.documents import read_document
from oz0mem.model.declarations import Declaration, Grants, from_document, to_document, write_period
from oz0mem.model.errors import Invalid
from oz0mem.model.moments import DAY, LAST, SECOND, parse_duration
from oz0mem.rules.declarations import check_declaration

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures/declarations"
CONCIERGE = ["concierge.yaml", "concierge.json", "concierge.toml"]


def declare(name: str) -> Declaration:
    """The declaration of a fixture."""
    return declare_text((FIXTURES / name).read_text(encoding="utf-8"), name)


def declare_text(text: str, name: str = "a.yaml") -> Declaration:
    """The declaration of a text, as the command reads it."""
    document = read_document(text.encode(), name)
    return check_declaration(document.data, source=document.source, line_of=document.line_of)


@pytest.mark.parametrize("name", CONCIERGE)
def test_one_declaration_reads_the_same_in_every_format(name: str) -> None:
    """M6: the learned kinds that are on, and how long they are kept."""
    declaration = declare(name)
    assert declaration.memory.kinds() == ("semantic",)
    assert declaration.memory.retain == 30 * DAY
    assert declaration.budget == (12, 6, 180 * SECOND)
    assert declaration.capabilities == ("read_page", "search_pages", "remember", "recall")
    assert declaration.purpose.startswith("Help customers")
    assert to_document(declaration) == json.loads((FIXTURES / "concierge.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [*CONCIERGE, "support-triage.yaml"])
def test_what_is_stored_of_a_declaration_is_the_declaration(name: str) -> None:
    """G10: old and new value are recorded, so nothing may be lost on the way."""
    declaration = declare(name)
    document = json.loads(json.dumps(to_document(declaration)))
    assert from_document(document) == declaration
    assert check_declaration(document) == declaration


def test_every_field_of_oz0_is_taken() -> None:
    """G4: an empty list of grants narrows to nothing, one that is not there narrows nothing."""
    declaration = declare("support-triage.yaml")
    assert declaration.grants == Grants(("project:web/checkout", "tenant"), (), ("thread",))
    assert (declaration.startup_tokens, declaration.keep_for) == (2000, 90 * DAY)
    assert declaration.projects == ("web/checkout",)
    assert Declaration("a").grants == Grants(None, None, ())


BAD = [
    ("name: a\npurpose_text: x", 2, "purpose_text", ""),
    ("name: a\nmemory:\n  semantic: true\n  keep: 30d", 4, "memory.keep", "M6"),
    ("name: a\nmemory:\n  episodic: true", 2, "memory.retain", "M6"),
    ("name: a\nmemory:\n  procedural: yes\n  retain: 30d", 3, "memory.procedural", "M6"),
    ("name: a\nmemory: {semantic: true, retain: 2160h0m1s}", 2, "memory.retain", "M6"),
    ("name: a\nmemory: {semantic: true, retain: 0s}", 2, "memory.retain", "M6"),
    ("name: a\nmemory:\n  retain: 720", 3, "memory.retain", "M6"),
    ("name: a\nmemory:\n  retain: a month", 3, "memory.retain", "M6"),
    ("name: a\nmemory:\n  retain: -720h0m0s", 3, "memory.retain", "M6"),
    ("name: a\nmemory: true", 2, "memory", "M6"),
    ("kind: copilot", 1, "name", "G5"),
    ("kind: x\nname: Concierge", 2, "name", "G5"),
    ("kind: x\nname: 7", 2, "name", "G5"),
    ("kind: x\nname: import", 2, "name", "G5"),
    ("name: a\nkind: [copilot]", 2, "kind", ""),
    ("name: a\nkind: null", 2, "kind", ""),
    ('name: a\npurpose: "a\\u0007"', 2, "purpose", ""),
    ("name: a\ncapabilities: remember", 2, "capabilities", "G5"),
    ("name: a\ncapabilities:\n  - remember\n  - Recall it", 4, "capabilities[1]", "G5"),
    ("name: a\ncapabilities:\n  - recall\n  - recall", 4, "capabilities[1]", "G5"),
    ("name: a\ntools:\n  - oz0_memory.forget", 3, "tools[0]", "G5"),
    ("name: a\ntools:\n  - true", 3, "tools[0]", "G5"),
    ("name: a\nbudget: {steps: 1.5}", 2, "budget.steps", ""),
    ("name: a\nbudget: {steps: true}", 2, "budget.steps", ""),
    ("name: a\nbudget: {tool_calls: -1}", 2, "budget.tool_calls", ""),
    ("name: a\nlimits:\n  startup_tokens: many", 3, "limits.startup_tokens", "M27"),
    ("name: a\nkeep_for: forever", 2, "keep_for", "G45"),
    ("name: a\npurposes: [customer support]", 2, "purposes[0]", "G2"),
    ("name: a\nprojects: [web//x]", 2, "projects[0]", "M20"),
    ("name: a\ngrants: {read: [everything]}", 2, "grants.read[0]", "G4"),
    ("name: a\ngrants:\n  write:\n    - tenant\n    - agent:b", 5, "grants.write[1]", "G4"),
    ("name: a\ngrants: {allow: []}", 2, "grants.allow", "G4"),
]


@pytest.mark.parametrize(("text", "line", "field", "rule"), BAD)
def test_what_is_wrong_is_refused_with_its_line_field_and_rule(text: str, line: int, field: str, rule: str) -> None:
    """M6, G2, G4, G5, G45, M20, M27: each field within its bounds."""
    with pytest.raises(Invalid) as refused:
        declare_text(text)
    assert (refused.value.code, refused.value.rule) == ("declaration.bad", rule)
    assert refused.value.facts == {"field": field, "file": "a.yaml", "line": line}
    assert refused.value.message.startswith(f"a.yaml line {line}: ")


def test_a_misspelt_field_is_answered_with_the_right_one() -> None:
    """C8: what is unknown suggests the nearest."""
    with pytest.raises(Invalid, match="there is no field capabilites") as refused:
        declare_text("name: a\ncapabilites: [recall]")
    assert refused.value.hint == "did you mean capabilities?"


def test_ninety_days_are_the_longest_retention() -> None:
    """M6: 2160 hours are still taken."""
    assert declare_text("name: a\nmemory: {episodic: true, retain: 2160h}").memory.retain == 90 * DAY


def test_a_scope_of_another_agent_can_be_denied() -> None:
    """G4: it cannot be granted, but a denial only narrows."""
    assert declare_text("name: a\ngrants: {deny: ['agent:b']}").grants.deny == ("agent:b",)
    assert declare_text("name: a\ngrants: {read: ['agent:a']}").grants.read == ("agent:a",)


CALLS = [
    ({"capabilities": ("remember",)}, {"remember", "define+", "supersede", "accept", "retire"}),
    ({"capabilities": ("recall",)}, {"recall", "define-", "changed_since"}),
    ({"capabilities": ("read_page",)}, set()),
    ({"tools": ("oz0_memory.define", "oz0_memory.recall")}, {"define+", "define-", "recall"}),
    ({"tools": ("remember",)}, set()),
    ({"capabilities": ("recall",), "plugin": "helpdesk"}, set()),
    ({"tools": ("oz0_memory.retire",), "plugin": "helpdesk", "uses": ("memory",)}, {"retire"}),
    ({"capabilities": ("recall",), "plugin": "memory"}, {"recall", "define-", "changed_since"}),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "allowed"), CALLS)
def test_an_agent_calls_only_what_its_declaration_names(fields: dict[str, Any], allowed: set[str]) -> None:
    """G5: by capability or by single function; one of another plugin also needs uses: [memory]."""
    declaration = Declaration("a")._replace(**fields)
    functions = ("remember", "supersede", "accept", "retire", "recall", "changed_since", "forget", "move")
    may = {function for function in functions if declaration.may_call(function)}
    may |= {name for name, text in (("define+", True), ("define-", False)) if declaration.may_call("define", text=text)}
    assert may == allowed
    assert declaration.may_call("oz0_memory.recall") == ("recall" in allowed)
    assert declaration.may_call("startup_context") == bool(allowed)


@given(st.integers(0, LAST // SECOND))
def test_a_period_is_written_so_that_it_reads_the_same(seconds: int) -> None:
    """C7: the text that Go writes."""
    assert parse_duration(write_period(seconds * SECOND) or "") == seconds * SECOND


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELD_NAMES = st.sampled_from(
    [*Declaration._fields, "limits", "x\u202ey"],
)


@given(st.dictionaries(FIELD_NAMES, PLAIN, max_size=5))
def test_no_document_does_more_than_be_taken_or_refused(document: dict[str, object]) -> None:
    """Q12: whatever the fields hold."""
    try:
        declaration = check_declaration(document)
    except Invalid as refused:
        assert refused.code == "declaration.bad"
    else:
        assert from_document(to_document(declaration)) == declaration
