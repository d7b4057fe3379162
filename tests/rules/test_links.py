"""M17, C7: labels and ids of links, and who decides about one in which state."""

from __future__ import annotations

import pytest

from oz0mem.model.agreements import CONFIRMED, LABELS, REJECTED, WAITING, Link
from oz0mem.model.errors import Conflict, Forbidden, Invalid
from oz0mem.rules import links

WAITS = Link(1, "l-0123456789ab", 1, "n-1", "supports", 2, "n-2", WAITING, "rita", "", 0, 0)


def test_there_are_six_labels_and_no_other() -> None:
    """M17: exactly as they are written."""
    assert set(LABELS) == {"supports", "contradicts", "derives_from", "same_as", "depends_on", "answers"}
    assert [links.check_label(label) for label in LABELS] == [*LABELS]
    for text in ("", "Supports", "supports ", "replaces", "derives-from"):
        with pytest.raises(Invalid):
            links.check_label(text)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("l-0123456789ab", True),
        ("l-0123", True),
        ("l-012", False),
        ("l-0123456789abc", False),
        ("n-0123456789ab", False),
        ("l-0123456789AB", False),
        ("0123456789ab", False),
        ("l-", False),
        ("", False),
        ("confirm", False),
    ],
)
def test_an_id_is_l_a_dash_and_digits(text: str, good: bool) -> None:
    """C7: four at least."""
    if good:
        assert links.check_id(text) == text
        return
    with pytest.raises(Invalid):
        links.check_id(text)


@pytest.mark.parametrize("solo", [False, True])
@pytest.mark.parametrize("name", ["rita", "ana"])
@pytest.mark.parametrize("state", [WAITING, CONFIRMED, REJECTED])
def test_who_confirms_in_which_state(state: str, name: str, solo: bool) -> None:
    """M17, G1: the whole table; the proposer only in a solo store, a confirmed one is nothing to do."""
    link = WAITS._replace(state=state)
    if state == REJECTED:
        with pytest.raises(Conflict):
            links.check_confirm(link, name, solo=solo)
    elif state == WAITING and name == "rita" and not solo:
        with pytest.raises(Forbidden):
            links.check_confirm(link, name, solo=solo)
    else:
        assert links.check_confirm(link, name, solo=solo) is (state == WAITING)


def test_what_waits_is_rejected_by_anybody_who_may_decide() -> None:
    """M17: rejected already is nothing to do, confirmed is a conflict."""
    assert links.check_reject(WAITS)
    assert not links.check_reject(WAITS._replace(state=REJECTED))
    with pytest.raises(Conflict):
        links.check_reject(WAITS._replace(state=CONFIRMED))
