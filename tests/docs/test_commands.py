"""The README begins with what CI runs."""

from __future__ import annotations

from tests.docs.commands import README, read_commands


def test_commands_are_read_as_they_stand() -> None:
    page = "# X\n```bash\n# set up\nmake a && \\\n  make b\n```\nor\n```bash\nmake test\n```\n"
    assert read_commands(page) == ["make a && make b", "make test"]


def test_the_readme_begins_with_two_commands() -> None:
    """The first sets up and plays the story, the second sets up and runs the tests; .ci/run runs both."""
    first, second = read_commands(README.read_text(encoding="utf-8"))[:2]
    assert "pip install" in first
    assert first.endswith("oz0mem demo")
    assert "pip install" in second
    assert "pytest" in second
