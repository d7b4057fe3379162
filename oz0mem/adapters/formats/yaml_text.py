"""YAML with the line of every field.

Promises one document of mappings, lists and scalars, built from the parser's events, so that nothing is
built that was not looked at first: no anchor, alias, tag, merge key or complex key is taken. Plain
scalars mean what the core schema of YAML 1.2 (section 10.3.2) says, not YAML 1.1's longer list.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import yaml

from oz0mem.adapters.formats.reading import check_text, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oz0mem.adapters.formats.reading import Reading

WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
WORDS_OF_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
NUMBER_CHARS = frozenset("0123456789+-.eE")
NOT_A_NUMBER = frozenset({".inf", "+.inf", "-.inf", ".nan"})


def read_yaml(reading: Reading, text: str) -> object:
    """The value of a YAML text; lines are noted in `reading`."""
    try:
        return read_stream(reading, yaml.parse(text, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as broken:
        mark = broken.problem_mark or broken.context_mark
        reading.refuse(
            mark.line + 1 if mark else 1,
            f"this is not valid YAML: {shorten(broken.problem or 'it cannot be read', 60)}",
        )
    except yaml.reader.ReaderError as broken:
        line = text.count("\n", 0, broken.position) + 1
        reading.refuse(line, "a character here is not allowed in YAML")
    except (ValueError, OverflowError):  # PyYAML gives a \U escape beyond Unicode to chr()
        reading.refuse(1, "an escaped character is not in Unicode")


def read_stream(reading: Reading, events: Iterator[yaml.Event]) -> object:
    """The only document of a stream."""
    value: object = None
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                reading.refuse(line_of(event), "a second document begins here; give one document a file")
            value = read_node(reading, events, next(events), "", 1)
    return value


def line_of(event: yaml.Event) -> int:
    """Where an event begins, counted from 1."""
    return 1 if event.start_mark is None else event.start_mark.line + 1


def read_node(reading: Reading, events: Iterator[yaml.Event], event: yaml.Event, path: str, depth: int) -> object:
    """The value that `event` begins."""
    line = line_of(event)
    if isinstance(event, yaml.AliasEvent):
        reading.refuse(line, "aliases (*) are not taken; write the value out")
    if getattr(event, "anchor", None) is not None:
        reading.refuse(line, "anchors (&) are not taken")
    if getattr(event, "tag", None) is not None:
        reading.refuse(line, "tags (!) are not taken")
    if isinstance(event, yaml.ScalarEvent):
        return read_scalar(reading, event, line)
    reading.check_depth(depth, line)
    if isinstance(event, yaml.SequenceStartEvent):
        return read_sequence(reading, events, path, depth)
    return read_mapping(reading, events, path, depth)


def read_sequence(reading: Reading, events: Iterator[yaml.Event], path: str, depth: int) -> list[object]:
    """A list up to its end."""
    found: list[object] = []
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        where = f"{path}[{len(found)}]"
        reading.lines[where] = line_of(event)
        found.append(read_node(reading, events, event, where, depth + 1))
    return found


def read_mapping(reading: Reading, events: Iterator[yaml.Event], path: str, depth: int) -> dict[str, object]:
    """A mapping up to its end: keys are texts, each once."""
    found: dict[str, object] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        line = line_of(event)
        if not isinstance(event, yaml.ScalarEvent):
            reading.refuse(line, "a field's name must be a word")
        read_node(reading, events, event, path, depth)  # refuses anchors, tags and halves of characters
        key = str(event.value)
        if key == "<<" and event.style is None:
            reading.refuse(line, "merge keys (<<) are not taken")
        where = reading.enter(found, key, path, line)
        found[key] = read_node(reading, events, next(events), where, depth + 1)
    return found


def read_scalar(reading: Reading, event: yaml.ScalarEvent, line: int) -> object:
    """A scalar's value: a quoted one is text, a plain one what the core schema says."""
    text = check_text(reading, str(event.value), line)
    if event.style is not None:
        return text
    if text in WORDS:
        return None
    if text in WORDS_OF_TRUTH:
        return WORDS_OF_TRUTH[text]
    if text.lower() in NOT_A_NUMBER:
        reading.refuse(line, f"{text} is no number")
    return read_number(reading, text, line) if NUMBER_CHARS.issuperset(text) else text


def read_number(reading: Reading, text: str, line: int) -> object:
    """A whole number or a finite decimal; the text again where it is neither."""
    try:
        return int(text)
    except ValueError:
        if text.lstrip("+-").isdigit():
            reading.refuse(line, "this number is too long")
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number):
        reading.refuse(line, "this number is too large")
    return number
