"""Stories for the tests of commands: each in a home of its own, copied from one that was made once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.story import Story
from tests.program import Program

NewStory = Callable[[str], Story]


@pytest.fixture(scope="session")
def new_story(tmp_path_factory: pytest.TempPathFactory) -> NewStory:
    """What begins a new story in an empty home."""
    first = Story(Program(tmp_path_factory.mktemp("first")))
    first.begin()

    def begin(name: str) -> Story:
        story = Story(Program(tmp_path_factory.mktemp(name)))
        story.begin_as(first)
        return story

    return begin


@pytest.fixture
def story(new_story: NewStory) -> Story:
    """A story of the test's own."""
    return new_story("story")
