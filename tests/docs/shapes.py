"""The shapes in ``docs/json.md``, read and held against documents that the program printed.

A shape is a heading and the table under it: name, type, meaning. ``An [entry](#entry), and`` before a table
takes over that shape's names. A type is one of ``KINDS``, a link to a shape, or ``list of`` one of these;
``or null`` and ``optional`` stand behind it. ``Printed by:`` names the commands that print it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z")
KINDS: dict[str, Callable[[object], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "true/false": lambda value: isinstance(value, bool),
    "time": lambda value: isinstance(value, str) and TIME.fullmatch(value) is not None,
    "map": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
    "any": lambda _: True,
}


class Field(NamedTuple):
    """A documented name: what may stand there, and whether the name may be missing."""

    kind: str
    nullable: bool
    optional: bool


class Shape(NamedTuple):
    """A documented shape: its names, and the commands that print it."""

    fields: dict[str, Field]
    commands: set[str]


def read_shapes(page: str) -> dict[str, Shape]:
    """The shapes of a page, by their heading."""
    shapes: dict[str, Shape] = {}
    for part in page.split("\n## ")[1:]:
        name, _, body = part.partition("\n")
        base = re.search(r"An? \[(\w+)\]\(#\w+\), and:", body)
        fields = dict(shapes[base[1]].fields) if base else {}
        fields |= {row[1]: _field(row[2]) for row in re.finditer(r"^\| `(\w+)` \| (.+?) \|", body, re.M)}
        told = re.search(r"^Printed by: (.+?)\.(?:\s|$)", body, re.M | re.S)
        plain = re.sub(r"\(.*?\)", "", told[1]) if told else ""
        shapes[name.strip()] = Shape(fields, set(re.findall(r"`([a-z -]+)`", plain)))
    return shapes


def _field(cell: str) -> Field:
    bare = re.sub(r"\[(\w+)\]\(#\w+\)", r"\1", cell)
    kind, _, rest = bare.partition(", ")
    nullable = kind.endswith(" or null")
    return Field(kind.removesuffix(" or null"), nullable, rest == "optional")


def find_faults(name: str, document: object, shapes: dict[str, Shape], *, free: bool = False) -> list[str]:
    """Where a document is not as its shape says.

    Args:
        name: the shape's.
        document: what was printed.
        shapes: all of the page.
        free: whether it may have names beside.
    """
    if not isinstance(document, dict):
        return [f"{name} is no object"]
    fields = shapes[name].fields
    faults = [f"{name}.{key} is not documented" for key in document if key not in fields and not free]
    faults += [
        f"{name}.{key} is missing" for key, field in fields.items() if key not in document and not field.optional
    ]
    for key in fields.keys() & document.keys():
        faults += _find_misfits(f"{name}.{key}", fields[key], document[key], shapes)
    return faults


def _find_misfits(where: str, field: Field, value: object, shapes: dict[str, Shape]) -> list[str]:
    if value is None and field.nullable:
        return []
    kind = field.kind
    if kind.startswith("list of "):
        if not isinstance(value, list):
            return [f"{where} is no list"]
        one = Field(kind.removeprefix("list of "), False, False)
        return [fault for item in value for fault in _find_misfits(f"{where}[]", one, item, shapes)]
    if kind in KINDS:
        return [] if KINDS[kind](value) else [f"{where} is not {kind}: {value!r}"]
    return find_faults(kind, value, shapes, free=kind == "event")


def find_names(name: str, document: object, shapes: dict[str, Shape]) -> set[str]:
    """The names of shapes, as ``shape.name``, that a document has."""
    seen: set[str] = set()
    for key, value in document.items() if isinstance(document, dict) else ():
        field = shapes[name].fields.get(key)
        if field is not None:
            seen.add(f"{name}.{key}")
            inner = field.kind.removeprefix("list of ")
            for one in value if isinstance(value, list) else [value]:
                seen |= find_names(inner, one, shapes) if inner in shapes else set()
    return seen
