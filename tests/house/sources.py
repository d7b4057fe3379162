"""The project's own sources, read once.

Promises every Python file of the folders that are asked for, with its lines and its syntax tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "oz0mem"
FLOORS = ("model", "rules", "actions", "views", "store", "adapters", "cli")

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source(NamedTuple):
    """One file: its path from the project's root, its text and its tree."""

    path: str
    text: str
    tree: ast.Module


@cache
def read_sources(*folders: str) -> tuple[Source, ...]:
    """Every Python file under the folders, in the order of their paths."""
    files = sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    texts = [(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")) for file in files]
    return tuple(Source(path, text, ast.parse(text, path)) for path, text in texts)


def walk_functions(source: Source) -> Iterator[Function]:
    """Every function and method of a file, nested ones too."""
    for node in ast.walk(source.tree):
        if isinstance(node, Function):
            yield node


def count_lines(function: Function) -> int:
    """How many lines a function takes, its decorators not counted."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def walk_imports(source: Source) -> Iterator[str]:
    """Every module that a file imports anywhere, by its full name."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
