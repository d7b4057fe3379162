"""Why an entry is held (M30)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.model.kinds import KINDS, PROPOSALS, SCOPE_KINDS, TIERS
from oz0mem.model.settings import REVIEWS
from oz0mem.rules.holding import REASONS, why_held


def why(kind: str = "note", tier: str = "person", review: str = "untrusted", **more: Any) -> str:
    return why_held(kind=kind, tier=tier, review=review, **{"scope_kind": "agent", **more})


@pytest.mark.parametrize(
    ("tier", "review", "reasons"),
    [
        ("person", "untrusted", ""),
        ("published", "untrusted", "unreviewed"),
        ("unreviewed", "untrusted", "unreviewed"),
        ("person", "all", "review"),
        ("published", "all", "review"),
        ("unreviewed", "all", "review"),
        ("person", "proposals", ""),
        ("published", "proposals", ""),
        ("unreviewed", "proposals", ""),
    ],
)
def test_the_review_setting_decides_by_tier(tier: str, review: str, reasons: str) -> None:
    """M30: untrusted holds what no person said, all holds everything, proposals neither."""
    assert why(tier=tier, review=review) == reasons


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize("review", REVIEWS)
def test_a_proposal_is_held_whatever_the_setting(kind: str, review: str) -> None:
    """M30: decisions, definitions and rules wait for a person."""
    assert ("proposal" in why(kind, review=review).split(",")) == (kind in PROPOSALS)


@pytest.mark.parametrize(
    ("scope_kind", "held"), [("agent", False), ("thread", False), ("project", True), ("tenant", True)]
)
def test_core_is_held_outside_the_agents_own_scope_and_its_thread(scope_kind: str, held: bool) -> None:
    """M30: what everybody would always have in mind is looked at first; not where only proposals are held."""
    assert why(core=True, scope_kind=scope_kind) == ("core" if held else "")
    assert why(core=False, scope_kind=scope_kind) == ""
    assert why(core=True, scope_kind=scope_kind, review="proposals") == ""


@pytest.mark.parametrize("review", REVIEWS)
@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        ({"scan_held": True}, "scan"),
        ({"asks": True}, "policy"),
        ({"forced": ("import",)}, "import"),
        ({"forced": ("procedural",)}, "procedural"),
    ],
)
def test_no_setting_lets_through_what_something_else_holds(review: str, fact: dict[str, Any], reason: str) -> None:
    """M30, M8, M4, G30: the scan, the policy, an import and a procedure from a person's job."""
    assert reason in why(review=review, **fact).split(",")
    assert reason in why(review=review, conversation=True, **fact).split(",")


@pytest.mark.parametrize(("review", "reasons"), [("untrusted", ""), ("all", "review"), ("proposals", "")])
def test_what_the_gateway_learns_in_conversation_is_active_unless_all_is_reviewed(review: str, reasons: str) -> None:
    """M30: the one exception, for tier unreviewed without a tool's result."""
    assert why(tier="unreviewed", review=review, conversation=True) == reasons


def test_every_reason_is_told_in_one_order() -> None:
    """M30: what is held says why, the same on every machine."""
    forced = ("procedural", "import")
    both = why(
        "rule",
        "unreviewed",
        "untrusted",
        scope_kind="tenant",
        core=True,
        scan_held=True,
        asks=True,
        forced=forced,
    )
    assert both == "proposal,unreviewed,core,scan,policy,import,procedural"
    assert why("rule", "unreviewed", "all") == "proposal,review"


@given(
    st.sampled_from([*KINDS]),
    st.sampled_from(TIERS),
    st.sampled_from(SCOPE_KINDS),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_a_stricter_setting_never_lets_more_through(
    kind: str, tier: str, scope_kind: str, core: bool, scan: bool, asks: bool, conversation: bool
) -> None:
    """M30, G11: all holds what untrusted holds, and that what proposals holds."""
    reasons = [
        why_held(
            kind=kind,
            tier=tier,
            review=review,
            scope_kind=scope_kind,
            core=core,
            scan_held=scan,
            asks=asks,
            conversation=conversation,
        )
        for review in REVIEWS
    ]
    held = [bool(found) for found in reasons]
    assert held == sorted(held, reverse=True)
    for found in reasons:
        assert found == ",".join(r for r in REASONS if r in found.split(","))
