"""Lines of JSON from a file of any size, and the checks that every format of records shares.

Promises that no more than one line of at most 1 MiB is in memory, that nothing in a file makes it fail,
and that a reason never repeats what a file says. Leaves the fields to the formats.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from oz0mem.model.errors import Invalid
from oz0mem.model.json_faults import say_expected
from oz0mem.model.moments import parse_moment
from oz0mem.model.names import check_subject
from oz0mem.model.records import BadRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

MAX_LINE = 1024 * 1024
MAX_TAGS = 16
MAX_TAG = 64
MARK = b"\xef\xbb\xbf"


class Unfit(Exception):
    """A part of a file that is no record; the reader turns it into a `BadRecord`."""

    def __init__(self, why: str, field: str = "", *, line: int = 0) -> None:
        super().__init__(why)
        self.why = why
        self.field = field
        self.line = line

    def at(self, line: int) -> BadRecord:
        """The same with its line, unless it knows a better one."""
        return BadRecord(self.line or line, self.why, self.field)


def bound_lines(stream: BinaryIO, most: int = MAX_LINE) -> Iterator[bytes]:
    """The lines of a stream; of one longer than `most` bytes only `most` + 1, the rest is passed over."""
    while line := stream.readline(most + 1):
        yield line
        while len(line) > most and not line.endswith(b"\n"):
            line = stream.readline(most + 1)


def number_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Lines that say something, with their numbers from 1, without line ends and byte order mark."""
    for number, line in enumerate(lines, 1):
        if stripped := (line.removeprefix(MARK) if number == 1 else line).strip(b" \t\r\n"):
            yield number, stripped


def parse_line(line: bytes) -> dict[str, object]:
    """The object on a line.

    Raises:
        Unfit: no JSON, no object, a field twice, NaN, nested too deeply, or too long.
    """
    if len(line) > MAX_LINE:
        raise Unfit(f"longer than {MAX_LINE // 1024} KiB")
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=pair_up, parse_constant=refuse_constant)
    except UnicodeDecodeError:
        raise Unfit("not valid UTF-8") from None
    except RecursionError:
        raise Unfit("nested too deeply") from None
    except ValueError as fault:
        raise Unfit(f"not valid JSON: {say_expected(fault)}") from None
    if not isinstance(value, dict):
        raise Unfit("not a JSON object")
    return value


def pair_up(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose fields are given once each."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unfit("a field is given twice")
    return found


def refuse_constant(_: str) -> None:
    """NaN and the infinities are no JSON."""
    raise Unfit("NaN and Infinity are no numbers")


def read_string(value: object, field: str) -> str:
    """A text that says something and that UTF-8 can hold."""
    if not isinstance(value, str):
        raise Unfit(f"{field} must be a text", field)
    if not value.strip():
        raise Unfit(f"{field} is empty", field)
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise Unfit(f"{field} holds half of a surrogate pair, which is no character", field)
    return value


def read_subject(value: object, field: str) -> str:
    """A person's subject id."""
    name = read_string(value, field)
    try:
        return check_subject(name)
    except Invalid:
        raise Unfit(
            f"{field} is no subject id: 1 to 128 characters without spaces, control characters and ':', "
            "and no reserved word",
            field,
        ) from None


def read_moment(value: object, field: str, *, end: bool = False) -> int:
    """An RFC 3339 time or a UTC day, in microseconds since 1970.

    Args:
        value: the text; a day is its first instant, as an end the next day's (C7).
        field: for the refusal.
        end: whether it is an end.
    """
    text = read_string(value, field).strip()
    try:
        if text[4:5] != "-":
            raise Unfit(f"{field} is no time such as 2026-12-01T09:00:00Z", field)
        return parse_moment(text, 0, edge="until" if end else "from")
    except Invalid as bad:
        raise Unfit(f"{field}: {bad.message}", field) from None


def read_tags(value: object, field: str) -> tuple[str, ...]:
    """At most 16 tags of at most 64 characters (M1), each once."""
    if not isinstance(value, list):
        raise Unfit(f"{field} must be a list of texts", field)
    tags = tuple(dict.fromkeys(read_string(tag, field).strip() for tag in value))
    if len(tags) > MAX_TAGS:
        raise Unfit(f"{field} has {len(tags)} items; {MAX_TAGS} are allowed", field)
    if any(len(tag) > MAX_TAG for tag in tags):
        raise Unfit(f"{field} has an item of more than {MAX_TAG} characters", field)
    return tags
