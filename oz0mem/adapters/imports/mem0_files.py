"""The shapes of mem0's files: where in them the memories stand.

Promises each memory with its line, whatever the file: documents, lists, lines of either, OpenMemory's
export and the zip around it. One line, or a document of at most 32 MiB, is in memory at a time; what is
no JSON, or of no shape known here, is an `Unfit` in place of a memory. Leaves the memories' fields to `mem0`.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, cast

from oz0mem.adapters.imports.lines import (
    MARK,
    MAX_LINE,
    Unfit,
    bound_lines,
    number_lines,
    pair_up,
    parse_line,
    refuse_constant,
)
from oz0mem.model.json_faults import say_expected

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, NoReturn

    Found = Iterator[tuple[int, object]]

MAX_DOCUMENT = 32 * 1024 * 1024
ZIP = b"PK\x03\x04"
GZIP = b"\x1f\x8b"
SPACE = " \t\n\r"
#: Where a document of mem0 and one of OpenMemory hold their memories.
HOLDERS = ("results", "memories")


def read_items(stream: BinaryIO) -> Found:
    """Each memory of a file with its line, or an `Unfit` that says why there is none."""
    lines = bound_lines(stream)
    blank = 0
    first = next(lines, b"").removeprefix(MARK)
    while first and not first.strip():
        blank += 1
        first = next(lines, b"")
    try:
        if first.startswith(ZIP):
            yield from read_document(read_zip(read_rest(stream, first)), 0)
        elif first.startswith(GZIP):
            raise Unfit("a gzip file does not say whose memories it holds; import the zip that it came in")
        elif is_record(first):
            yield from read_lines(chain([first], lines), blank)
        elif first:
            yield from read_document(read_rest(stream, first), blank)
    except Unfit as unfit:
        yield unfit.line or 1, unfit


def is_record(line: bytes) -> bool:
    """Whether a first line is a whole object, so that others may follow line by line."""
    stripped = line.strip()
    return len(line) <= MAX_LINE and stripped.startswith(b"{") and stripped.endswith(b"}")


def read_lines(lines: Iterator[bytes], before: int) -> Found:
    """JSON Lines: a memory, or a page of them, on each; `before` lines were read already."""
    for number, line in number_lines(lines):
        try:
            for _, item in read_shape(parse_line(line), None):
                yield number + before, item
        except Unfit as unfit:
            yield number + before, unfit


def read_rest(stream: BinaryIO, first: bytes) -> bytes:
    """The whole of a document that began with `first`."""
    raw = first + stream.read(MAX_DOCUMENT + 1)
    if len(raw) > MAX_DOCUMENT:
        raise Unfit(f"a document of more than {MAX_DOCUMENT >> 20} MiB; write one memory a line instead")
    return raw


def read_zip(raw: bytes) -> bytes:
    """``memories.json`` out of OpenMemory's zip; the other file in it says less and is not read."""
    import struct
    import zipfile
    import zlib
    from io import BytesIO

    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            for member in archive.infolist():
                if member.filename.rsplit("/", 1)[-1] == "memories.json":
                    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                        raise Unfit("memories.json in this zip is packed in a way that is not read")
                    with archive.open(member) as content:  # its size is what comes out, not what it says
                        return read_rest(cast("BinaryIO", content), b"")
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        RuntimeError,
        EOFError,
        OSError,
        ValueError,
        LookupError,
    ):
        raise Unfit("this zip cannot be read") from None
    raise Unfit("this zip has no memories.json in it")


def read_document(raw: bytes, before: int) -> Found:
    """A list of memories, or an object that holds one."""
    try:
        place = Place(raw.decode("utf-8-sig"), before)
    except UnicodeDecodeError as broken:
        raise Unfit("not valid UTF-8", line=before + 1 + raw.count(b"\n", 0, broken.start)) from None
    if place.look() == "[":
        found = place.read_list()
        place.expect_end()
        yield from found
        return
    fields: dict[str, object] = {}
    items: list[tuple[int, object]] | None = None
    for name in place.read_names():
        if name in fields:
            place.refuse("a field is given twice")
        if name in HOLDERS and place.look() == "[":
            items = place.read_list()
            fields[name] = []
        else:
            fields[name] = place.read_value()
    place.expect_end()
    yield from read_shape(fields, items)


def read_shape(fields: dict[str, object], items: list[tuple[int, object]] | None) -> Found:
    """The memories of an object: those that it holds, with OpenMemory's names put in, or itself.

    Args:
        fields: the object's fields.
        items: the memories with their lines, where the object was read from a document.
    """
    holder = next((name for name in HOLDERS if isinstance(fields.get(name), list)), None)
    if holder is None:
        yield 1, fields
        return
    if items is None:
        items = [(1, item) for item in cast("list[object]", fields[holder])]
    if isinstance(fields.get("user"), dict):
        items = [(line, put_names(item, fields)) for line, item in items]
    yield from leave_graph(items) if fields.get("relations") else items


def leave_graph(items: list[tuple[int, object]]) -> Found:
    """Memories beside which a graph stood: the first carries it as a field without a place, so it is told once."""
    fits = (isinstance(item, dict) and item.get("state") != "deleted" for _, item in items)
    first = next((at for at, good in enumerate(fits) if good), None)
    for at, (line, item) in enumerate(items):
        yield line, {**cast("dict[str, object]", item), "relations": True} if at == first else item
    if first is None:
        yield 1, Unfit("relations of a graph are not read", "relations")


def put_names(item: object, fields: dict[str, object]) -> object:
    """A memory of OpenMemory's export with its owner's name and its categories' names for their keys."""
    user = cast("dict[str, object]", fields["user"])
    if not isinstance(item, dict):
        return item
    if item.get("user_id") != user.get("id"):
        return Unfit("it belongs to nobody named in this file", "user_id")
    categories = fields.get("categories")
    names = {
        category["id"]: category.get("name")
        for category in (categories if isinstance(categories, list) else [])
        if isinstance(category, dict) and isinstance(category.get("id"), str)
    }
    ids = item.get("category_ids")
    named = [names.get(key) if isinstance(key, str) else None for key in (ids if isinstance(ids, list) else [])]
    kept = {name: value for name, value in item.items() if name != "category_ids"}
    return {**kept, "user_id": user.get("user_id") or "", "category_names": named}


class Place:
    """A place in a document's text that only moves forward and knows its line."""

    def __init__(self, text: str, before: int) -> None:
        self.text = text
        self.at = 0
        self.line = before + 1
        self.scan = json.JSONDecoder(object_pairs_hook=pair_up, parse_constant=refuse_constant).raw_decode

    def refuse(self, why: str) -> NoReturn:
        """Say what is wrong at this line."""
        raise Unfit(why, line=self.line)

    def move(self, to: int) -> None:
        """Go forward, counting lines."""
        self.line += self.text.count("\n", self.at, to)
        self.at = to

    def look(self) -> str:
        """The next character that is not white space, or nothing at the end."""
        to = self.at
        while to < len(self.text) and self.text[to] in SPACE:
            to += 1
        self.move(to)
        return self.text[to : to + 1]

    def expect(self, char: str) -> None:
        """Step over a character that has to be here."""
        if self.look() != char:
            self.refuse(f"not valid JSON: '{char}' is expected here")
        self.at += 1

    def expect_end(self) -> None:
        """Refuse what follows the document."""
        if self.look():
            self.refuse("something follows the end of the document")

    def read_value(self) -> object:
        """The value that begins here."""
        self.look()
        try:
            value, to = self.scan(self.text, self.at)
        except RecursionError:
            self.refuse("nested too deeply")
        except Unfit as unfit:
            self.refuse(unfit.why)
        except ValueError as fault:
            self.refuse(f"not valid JSON: {say_expected(fault)}")
        self.move(to)
        return value

    def read_list(self) -> list[tuple[int, object]]:
        """The items of a list, each with its line."""
        found: list[tuple[int, object]] = []
        self.expect("[")
        while self.look() != "]":
            if found:
                self.expect(",")
                self.look()
            found.append((self.line, self.read_value()))
        self.at += 1
        return found

    def read_names(self) -> Iterator[str]:
        """The names of an object's fields; whoever asks reads each value before the next name."""
        self.expect("{")
        first = True
        while self.look() != "}":
            if not first:
                self.expect(",")
            if self.look() != '"':
                self.refuse("not valid JSON: a field's name in double quotes is expected here")
            first = False
            name = str(self.read_value())
            self.expect(":")
            yield name
        self.at += 1
