"""``docs/team.md``: the drawn life of a decision is the table that the program goes by (States)."""

from __future__ import annotations

import re

from oz0mem.model.kinds import DECISION, NEW
from oz0mem.rules import lifecycle
from tests.program import ROOT

PAGE = (ROOT / "docs/team.md").read_text(encoding="utf-8")
ARROW = re.compile(r"^    (\S+) --> (\w+|\[\*\])(?:: .+)?$", re.M)
OF_NOTES = {"keep", "confirm", "repeat", "approve", "edit"}
"""Acts that lead to another state and that no decision is open to (M14, M33), and a note's being kept at once."""


def test_the_drawing_has_every_way_that_a_decision_can_go_and_no_other() -> None:
    """M12, M14, M32, M34: compared with the table of transitions."""
    drawn = {(NEW if start == "[*]" else start, end) for start, end in ARROW.findall(PAGE) if end != "[*]"}
    ways = {
        (start, end) for (start, verb), end in lifecycle.TRANSITIONS.items() if start != end and verb not in OF_NOTES
    }
    assert drawn == ways
    assert len(drawn) >= 10


def test_what_a_decision_is_not_open_to_is_refused_by_the_rule() -> None:
    """M14: so that the drawing leaves out nothing that could happen."""
    for verb in OF_NOTES - {"keep"}:
        assert verb in lifecycle._NOT_FOR_PROPOSALS, DECISION
