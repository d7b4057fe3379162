"""JSON Lines: one record a line, with text, about, kind, when, key and tags (5-cli.md, Import).

Promises every line in order as `Record` or `BadRecord`, blank lines passed over, a byte order mark and
Windows line ends taken. An unknown field makes its line bad: it would be lost without a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.adapters.imports.lines import (
    Unfit,
    number_lines,
    parse_line,
    read_moment,
    read_string,
    read_subject,
    read_tags,
)
from oz0mem.model.kinds import KINDS, PROCEDURAL, RULE
from oz0mem.model.records import BadRecord, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FIELDS = ("text", "about", "kind", "when", "key", "tags")
MAX_KEY = 200


def read_jsonl(lines: Iterable[bytes]) -> Iterator[Record | BadRecord]:
    """Read records; `bound_lines` gives the lines of a file of any size.

    Args:
        lines: lines with or without their ends; no more than one is held at a time.
    """
    for number, line in number_lines(lines):
        try:
            yield read_record(number, parse_line(line))
        except Unfit as unfit:
            yield unfit.at(number)


def read_record(line: int, item: dict[str, object]) -> Record:
    """The record of one object; null is the same as left out."""
    for field in item:
        if field not in FIELDS:
            raise Unfit("there is a field that is not known here; known are " + ", ".join(FIELDS), name_field(field))
    given = {field: value for field, value in item.items() if value is not None}
    if "text" not in given:
        raise Unfit("text is missing", "text")
    about = "work" if given.get("about", "work") == "work" else read_subject(given["about"], "about")
    kind = read_kind(given.get("kind", "note"))
    if about != "work" and kind in (RULE, PROCEDURAL):
        raise Unfit(f"{kind} is a kind that is never about a person", "about")
    return Record(
        line,
        read_string(given["text"], "text"),
        about,
        kind,
        read_moment(given["when"], "when") if "when" in given else None,
        read_key(given["key"]) if "key" in given else None,
        read_tags(given.get("tags", []), "tags"),
    )


def name_field(field: str) -> str:
    """A field's name as a refusal may show it."""
    return field if len(field) <= 40 and field.isidentifier() else ""


def read_kind(value: object) -> str:
    """One of the seven kinds."""
    if not isinstance(value, str) or value not in KINDS:
        raise Unfit("kind must be one of " + ", ".join(KINDS), "kind")
    return value


def read_key(value: object) -> str:
    """M1: a key of at most 200 characters."""
    key = read_string(value, "key").strip()
    if len(key) > MAX_KEY:
        raise Unfit(f"key has {len(key)} characters; {MAX_KEY} are allowed", "key")
    return key
