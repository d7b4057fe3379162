"""TOML with the line of every field.

Promises TOML 1.0 as `tomllib` reads it, without dates, NaN and infinities. `tomllib` tells no
positions, and takes time in the square of a dotted key's length: so the statements are walked first,
which finds their lines and refuses keys of too many parts, and the standard parser judges the rest.
Fields inside inline tables and arrays have the line of their statement.
"""

from __future__ import annotations

import math
import tomllib
from typing import TYPE_CHECKING

from oz0mem.adapters.formats.reading import MAX_DEPTH, nearest_line, shorten

if TYPE_CHECKING:
    from oz0mem.adapters.formats.reading import Reading

QUOTES = ('"""', "'''", '"', "'")


def read_toml(reading: Reading, text: str) -> object:
    """The value of a TOML text; lines are noted in `reading`."""
    Statements(reading, text).walk()
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as broken:
        why = shorten(str(broken).split(" (at ")[0], 60)
        reading.refuse(line_in(str(broken), text), f"this is not valid TOML: {why}")
    except RecursionError:
        reading.refuse(1, f"nested deeper than {MAX_DEPTH} levels")
    except ValueError:  # a whole number of more digits than Python reads
        reading.refuse(1, "a number is too long")
    check_values(reading, data, "", 1)
    return data


def line_in(message: str, text: str) -> int:
    """The line that `tomllib` names in its message, which is all it tells of the place."""
    _, found, rest = message.rpartition("(at line ")
    number = rest.split(",")[0]
    return int(number) if found and number.isdigit() else text.rstrip("\n").count("\n") + 1


def check_values(reading: Reading, value: object, path: str, depth: int) -> None:
    """Refuse what is too deep, and values that the other two formats do not have."""
    line = nearest_line(reading.lines, path)
    if isinstance(value, dict):
        reading.check_depth(depth, line)
        for key, inner in value.items():
            check_values(reading, inner, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list):
        reading.check_depth(depth, line)
        for place, inner in enumerate(value):
            check_values(reading, inner, f"{path}[{place}]", depth + 1)
    elif isinstance(value, float):
        if not math.isfinite(value):
            reading.refuse(line, "this is no finite number")
    elif not isinstance(value, str | int):
        reading.refuse(line, "dates and times are not taken; write them in quotes")


class Statements:
    """A walk over the statements of a TOML text, one line after the other."""

    def __init__(self, reading: Reading, text: str) -> None:
        self.reading = reading
        self.text = text
        self.at = 0
        self.line = 1
        self.table = ""
        self.tables: dict[str, int] = {}

    def walk(self) -> None:
        """Note the line of every statement's key."""
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t\n":
                self.step()
            elif char == "#":
                self.skip_comment()
            elif char == "[":
                self.read_header()
            else:
                self.read_pair()

    def step(self) -> None:
        """Go on by one character."""
        self.line += self.text[self.at] == "\n"
        self.at += 1

    def skip_comment(self) -> None:
        """Go to the end of the line."""
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def read_header(self) -> None:
        """``[a.b]`` or ``[[a.b]]``: what the following keys stand under."""
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        line = self.line
        self.table = self.note("", self.read_key("]\n"), line)
        if many:
            place = self.tables[self.table] = self.tables.get(self.table, -1) + 1
            self.table = f"{self.table}[{place}]"
            self.reading.lines[self.table] = line
        self.skip_value()

    def read_pair(self) -> None:
        """``key = value``."""
        line = self.line
        self.note(self.table, self.read_key("=\n"), line)
        self.skip_value()

    def note(self, path: str, parts: list[str], line: int) -> str:
        """Note the line of a key and of the parts that it is the first to name."""
        for part in parts:
            path = f"{path}.{part}" if path else part
            self.reading.lines.setdefault(path, line)
        return path

    def read_key(self, ends: str) -> list[str]:
        """The parts of a dotted key up to one of the characters that end it."""
        parts = [""]
        while self.at < len(self.text) and self.text[self.at] not in ends:
            char = self.text[self.at]
            if char in "\"'":
                start = self.at + 1
                self.skip_string(char)
                parts[-1] += self.text[start : self.at - 1]
                continue
            if char == ".":
                parts.append("")
                self.reading.check_depth(len(parts), self.line)
            elif char not in " \t":
                parts[-1] += char
            self.step()
        return parts

    def skip_value(self) -> None:
        """Go to the end of a statement, over strings, brackets and comments; count the dots of inner keys."""
        depth = dots = 0
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\n" and depth <= 0:
                return
            if char == "#":
                self.skip_comment()
                continue
            if char in "\"'":
                self.skip_string(next(quote for quote in QUOTES if self.text.startswith(quote, self.at)))
                continue
            depth += (char in "[{") - (char in "]}")
            self.reading.check_depth(depth, self.line)
            dots = 0 if char in "=,{}[]\n" else dots + (char == ".")
            self.reading.check_depth(dots, self.line)
            self.step()

    def skip_string(self, quote: str) -> None:
        """Go behind a string; one on a single line ends with its line at the latest."""
        for _ in quote:
            self.step()
        while self.at < len(self.text):
            if self.text.startswith(quote, self.at):
                self.at += len(quote)
                # A string in triple quotes may end in one or two more of them (TOML 1.0, Strings).
                for _ in range(2 * (len(quote) == 3)):
                    self.at += self.text[self.at : self.at + 1] == quote[0]
                return
            if len(quote) == 1 and self.text[self.at] == "\n":
                return
            if quote[0] == '"' and self.text[self.at] == "\\" and self.at + 1 < len(self.text):
                self.step()
            self.step()
