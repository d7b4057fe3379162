"""Arguments that no store can hold: bytes that are no UTF-8, and numbers without an end (C3, C4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import NewStory
    from tests.cli.story import Story


@pytest.fixture(scope="module")
def shared(new_story: NewStory) -> Story:
    """A story that nothing here changes."""
    return new_story("arguments")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("list", "--tenant", "\udcff"), 4),
        (("recall", "ink", "--id", "\udcff"), 0),
        (("history", "concierge", "\udcff"), 4),
        (("job", "show", "\udcff"), 4),
        (("agent", "declare", "\udcff", "--reason", "new"), 2),
        (("import", "\udcff", "--from", "jsonl"), 2),
        (("import", "-", "--from", "jsonl", "--agent", "\udcff"), 4),
        (("principal", "disable", "\udcff", "--reason", "left"), 4),
        (("secrets", "remove", "9" * 30, "--reason", "old"), 4),
    ],
)
def test_an_argument_that_is_no_utf8_or_no_number_of_a_store_is_no_fault(
    shared: Story, arguments: tuple[str, ...], code: int
) -> None:
    """C3, C4: it is answered as anything else that is not there, never as a fault of the program's."""
    answer = shared.run(*arguments, "--json")
    assert answer.code == code, answer.err
    assert "fault" not in answer.err
