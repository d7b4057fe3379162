"""Small YAML, JSON and TOML files as plain data, with the line of every field.

Promises dicts with text keys, lists, text, whole numbers, finite decimals, true, false and null, all
of it bounded before it is built: at most 256 KiB, twelve levels, and none of what makes the formats
dangerous or ambiguous (anchors and aliases, tags, merge keys, several documents, a key twice, NaN,
dates). Paths are written ``memory.retain`` and ``tools[1]``. YAML's plain words are read by the core
schema of YAML 1.2, so that ``no`` is a word and ``12:30`` no number.

Leaves what the fields mean to the rules. The parsers are imported where they are used.
"""

from __future__ import annotations

from typing import NamedTuple

from oz0mem.adapters.formats.reading import MAX_BYTES, Reading, nearest_line, shorten

FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".toml": "toml"}


class Document(NamedTuple):
    """A file that was read: its data, and where each part of it stands.

    Attributes:
        source: the file's name as it is told to people, such as ``concierge.yaml``.
        data: the outermost mapping.
        lines: path to line, counted from 1; ``""`` is the document itself.
    """

    source: str
    data: dict[str, object]
    lines: dict[str, int]

    def line_of(self, path: str) -> int:
        """The line of a path, or of the nearest part around it that has one."""
        return nearest_line(self.lines, path)


def read_document(raw: bytes, source: str) -> Document:
    """Read a file's bytes by the ending of its name; without a known ending, by how it begins.

    Args:
        raw: the whole file, or its first `MAX_BYTES` + 1 bytes: one more than is allowed refuses it.
        source: the file's name; ``-`` is standard input.

    Raises:
        Invalid: ``document.bad`` with ``file`` and ``line``.
    """
    name = "stdin" if source == "-" else shorten(source.replace("\\", "/").rsplit("/", 1)[-1])
    reading = Reading(name)
    text = decode(reading, raw)
    ending = source[source.rfind(".") :].lower() if "." in source else ""
    data = read_text(reading, text, FORMATS.get(ending) or guess_format(text))
    if not isinstance(data, dict):
        reading.refuse(1, "fields and their values are expected, such as name: concierge, not a list or a single value")
    return Document(name, data, reading.lines)


def decode(reading: Reading, raw: bytes) -> str:
    """The text of a file: UTF-8, perhaps with a byte order mark, without control characters."""
    if len(raw) > MAX_BYTES:
        reading.refuse(1, f"larger than {MAX_BYTES // 1024} KiB")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as broken:
        reading.refuse(raw.count(b"\n", 0, broken.start) + 1, "not valid UTF-8", hint="save the file as UTF-8")
    text = text.replace("\r\n", "\n")
    for at, char in enumerate(text):
        if (char < " " and char not in "\n\t") or char == "\x7f" or char == "\ufeff":
            reading.refuse(text.count("\n", 0, at) + 1, f"the character U+{ord(char):04X} is not allowed here")
    return text


def guess_format(text: str) -> str:
    """The format of a text without a name, by its first line that says something."""
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith("#"):
            if line.startswith("{"):
                return "json"
            equals, colon = line.find("="), line.find(":")
            return "toml" if line.startswith("[") or (equals > 0 and (colon < 0 or equals < colon)) else "yaml"
    return "yaml"


def read_text(reading: Reading, text: str, form: str) -> object:
    """Read a text in one of the three formats; each reader is imported only where it is wanted."""
    if not text.strip():
        reading.refuse(1, "the document is empty")
    if form == "json":
        from oz0mem.adapters.formats.json_text import read_json as read
    elif form == "toml":
        from oz0mem.adapters.formats.toml_text import read_toml as read
    else:
        from oz0mem.adapters.formats.yaml_text import read_yaml as read
    return read(reading, text)
