"""``docs/json.md`` says what the program prints, no more and no less."""

from __future__ import annotations

from typing import Any

import pytest

from oz0mem.cli import catalogue
from tests.docs.printed import run_everything
from tests.docs.shapes import Shape, find_faults, find_names, read_shapes
from tests.program import ROOT, Program

Printed = list[tuple[str, str, dict[str, Any]]]
TEXT_ONLY = {"demo"}


@pytest.fixture(scope="module")
def shapes() -> dict[str, Shape]:
    """The shapes of the page."""
    return read_shapes((ROOT / "docs/json.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """What every command printed, in one store."""
    return run_everything(Program(tmp_path_factory.mktemp("printed")))


def test_every_document_is_as_its_shape_says(printed: Printed, shapes: dict[str, Shape]) -> None:
    """C2: the shape is stable and documented in docs/json.md."""
    faults = {
        f"{command}: {fault}"
        for shape, command, document in printed
        for fault in find_faults(shape, document, shapes, free=shape == "error")
    }
    assert not sorted(faults)


def test_every_documented_name_is_printed(printed: Printed, shapes: dict[str, Shape]) -> None:
    """C2: what the page says may be there is there at least once."""
    seen = {name for shape, _, document in printed for name in find_names(shape, document, shapes)}
    inherited = {"entry"}
    wanted = {f"{name}.{key}" for name, shape in shapes.items() for key in shape.fields if name not in inherited}
    assert sorted(wanted - seen) == []


def test_every_command_is_documented_and_run(printed: Printed, shapes: dict[str, Shape]) -> None:
    """C2: no command prints a shape that the page does not have, and none is left out here."""
    listed = {row.name for row in catalogue.ROWS if not row.hidden} - TEXT_ONLY
    documented = {(name, command) for name, shape in shapes.items() for command in shape.commands}
    ran = {(shape, command) for shape, command, _ in printed if shape != "error"}
    assert {command for _, command in documented} == listed
    assert ran - documented == set()
    assert {command for _, command in ran} == listed


def test_a_document_that_differs_is_found() -> None:
    shapes = read_shapes(
        "# X\n\n## one\n\nPrinted by: `a`, `b c` (some).\n\n| field | type | meaning |\n|---|---|---|\n"
        "| `id` | text | |\n| `at` | time or null, optional | |\n| `two` | list of [two](#two) | |\n"
        "\n## two\n\n| `n` | number | |\n"
    )
    good = {"id": "x", "at": None, "two": [{"n": 1}]}
    assert shapes["one"].commands == {"a", "b c"}
    assert find_faults("one", good, shapes) == []
    assert find_names("one", good, shapes) == {"one.id", "one.at", "one.two", "two.n"}
    for wrong in ({**good, "more": 1}, {"id": "x"}, {**good, "id": None}, {**good, "two": [{"n": True}]}):
        assert find_faults("one", wrong, shapes)
