"""Nothing grows past what a reader takes in at once."""

from __future__ import annotations

from statistics import median

from tests.house.sources import PACKAGE, count_lines, read_sources, walk_functions

EVERYWHERE = (PACKAGE, "tests", "bench", ".ci")


def test_no_file_is_longer_than_300_lines() -> None:
    long = {s.path: n for s in read_sources(*EVERYWHERE) if (n := len(s.text.splitlines())) > 300}
    assert not long


def test_no_function_is_longer_than_50_lines() -> None:
    long = {
        f"{source.path}:{function.lineno} {function.name}": lines
        for source in read_sources(*EVERYWHERE)
        for function in walk_functions(source)
        if (lines := count_lines(function)) > 50
    }
    assert not long


def test_half_of_all_functions_have_12_lines_or_fewer() -> None:
    lines = [count_lines(function) for s in read_sources(PACKAGE) for function in walk_functions(s)]
    assert median(lines) <= 12
