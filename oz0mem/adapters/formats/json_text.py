"""JSON with the line of every field.

Promises RFC 8259 as `json` reads it, without NaN, Infinity and repeated keys. The scanner of the
standard library reads strings and numbers; the nesting is walked here, since it tells no positions.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from oz0mem.adapters.formats.reading import check_text
from oz0mem.model.json_faults import say_expected

if TYPE_CHECKING:
    from oz0mem.adapters.formats.reading import Reading

SPACE = " \t\n\r"


def read_json(reading: Reading, text: str) -> object:
    """The value of a JSON text; lines are noted in `reading`."""
    walk = Walk(reading, text)
    value = walk.read_value("", 1)
    if walk.look():
        walk.refuse("something follows the end of the document")
    return value


class Walk:
    """A place in the text that only moves forward."""

    def __init__(self, reading: Reading, text: str) -> None:
        self.reading = reading
        self.text = text
        self.at = 0
        self.line = 1
        self.scan = json.JSONDecoder(parse_constant=self.refuse_constant).raw_decode

    def refuse(self, why: str) -> None:
        """Refuse the document at this place."""
        self.reading.refuse(self.line, why)

    def refuse_constant(self, name: str) -> None:
        """NaN and the infinities are no JSON (RFC 8259, section 6)."""
        self.refuse(f"{name} is no number")

    def look(self) -> str:
        """The next character that is not white space, or nothing at the end."""
        text, at = self.text, self.at
        while at < len(text) and text[at] in SPACE:
            self.line += text[at] == "\n"
            at += 1
        self.at = at
        return text[at : at + 1]

    def expect(self, char: str, instead: str = "") -> None:
        """Step over one character that has to be here; ``instead`` is what might stand here too."""
        if self.look() != char:
            wanted = f"'{char}' or '{instead}'" if instead else f"'{char}'"
            self.refuse(f"this is not valid JSON: {wanted} is expected here")
        self.at += 1

    def read_value(self, path: str, depth: int) -> object:
        """The value that begins here."""
        char = self.look()
        if char == "{":
            return self.read_object(path, depth)
        if char == "[":
            return self.read_array(path, depth)
        return self.read_scalar()

    def read_scalar(self) -> object:
        """A string, a number, or one of the three words."""
        if not self.look():
            self.refuse("the document ends too early")
        value: object = None
        try:
            value, self.at = self.scan(self.text, self.at)
        except ValueError as fault:  # also a whole number of more digits than Python reads
            self.refuse(f"this is not valid JSON: {say_expected(fault)}")
        if isinstance(value, str):
            check_text(self.reading, value, self.line)
        elif isinstance(value, float) and value in (float("inf"), float("-inf")):
            self.refuse("this number is too large")
        return value

    def read_object(self, path: str, depth: int) -> dict[str, object]:
        """An object: keys once, each with its line."""
        self.reading.check_depth(depth, self.line)
        found: dict[str, object] = {}
        self.expect("{")
        while self.look() != "}":
            if found:
                self.expect(",", "}")
            if self.look() != '"':
                self.refuse("this is not valid JSON: a field's name in double quotes is expected here")
            key = str(self.read_scalar())
            where = self.reading.enter(found, key, path, self.line)
            self.expect(":")
            found[key] = self.read_value(where, depth + 1)
        self.at += 1
        return found

    def read_array(self, path: str, depth: int) -> list[object]:
        """An array: every element with its line."""
        self.reading.check_depth(depth, self.line)
        found: list[object] = []
        self.expect("[")
        while self.look() != "]":
            if found:
                self.expect(",", "]")
                self.look()
            where = f"{path}[{len(found)}]"
            self.reading.lines[where] = self.line
            found.append(self.read_value(where, depth + 1))
        self.at += 1
        return found
