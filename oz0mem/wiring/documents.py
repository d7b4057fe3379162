"""Documents that come from outside: an agent's declaration, and formats to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import BinaryIO

    from oz0mem.model.declarations import Declaration
    from oz0mem.model.records import BadRecord, Record


def read_declaration(raw: bytes, source: str) -> Declaration:
    """An agent's declaration out of a YAML, JSON or TOML document, refused with its line."""
    from oz0mem.adapters.documents import read_document
    from oz0mem.rules.declarations import check_declaration

    document = read_document(raw, source)
    return check_declaration(document.data, source=document.source, line_of=document.line_of)


def reader_of(form: str) -> Callable[[BinaryIO], Iterable[Record | BadRecord]]:
    """What reads a foreign format, by its name."""
    if form == "jsonl":
        from oz0mem.adapters.imports.jsonl import read_jsonl
        from oz0mem.adapters.imports.lines import bound_lines

        return lambda stream: read_jsonl(bound_lines(stream))
    from oz0mem.adapters.imports.mem0 import read_mem0

    return read_mem0


FORMATS = ("jsonl", "mem0")  # that reader_of knows
