"""What the readers of YAML, JSON and TOML share: bounds, the lines they found, and how they refuse.

Promises one sentence with the file and the line for every refusal. Leaves the grammars to the readers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

MAX_BYTES = 256 * 1024
MAX_DEPTH = 12


def nearest_line(lines: Mapping[str, int], path: str) -> int:
    """The line of `path`, or of the nearest part around it; 1 where nothing is known."""
    while path and path not in lines:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines.get(path, 1)


class Reading:
    """What the three readers share: the name for refusals, the lines found, the bounds."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines: dict[str, int] = {"": 1}

    def refuse(self, line: int, why: str, hint: str = "") -> NoReturn:
        """Refuse the document at a line."""
        raise Invalid("document.bad", f"{self.source} line {line}: {why}", hint=hint, file=self.source, line=line)

    def check_depth(self, depth: int, line: int) -> None:
        """Refuse what is nested deeper than `MAX_DEPTH` levels."""
        if depth > MAX_DEPTH:
            self.refuse(line, f"nested deeper than {MAX_DEPTH} levels")

    def enter(self, mapping: dict[str, object], key: str, path: str, line: int) -> str:
        """Note a key's line and answer its path; a key that is there already is refused."""
        if key in mapping:
            self.refuse(line, f"{shorten(key)} is given twice")
        path = f"{path}.{key}" if path else key
        self.lines[path] = line
        return path


def shorten(text: str, most: int = 40) -> str:
    """A piece of the file for a sentence: printable, and at most `most` characters."""
    plain = "".join(char if char.isprintable() else "?" for char in text)
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def check_text(reading: Reading, text: str, line: int) -> str:
    """The text itself, unless an escape made it something that UTF-8 cannot hold."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        reading.refuse(line, "half of a surrogate pair is no character")
    return text
