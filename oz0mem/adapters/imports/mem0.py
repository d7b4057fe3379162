"""What mem0 writes: answers of `get_all`, pages of its platform, JSON Lines of memories, OpenMemory's export.

Promises each memory in order as `Record` or `BadRecord`. Read are a document with a list ``results``
(``Memory.get_all`` of the library, a page of ``/v3/memories/``), a bare list (as ``/v1/memories/`` answers),
lines of either or of single memories, and OpenMemory's ``memories.json``, also within its zip. The fields are
those of mem0 2.x and of the platform's reference; the TypeScript client writes some in camel case.

A memory is about its ``user_id``, else about work. Categories and short metadata become tags; the hash
is never kept, for a digest tells a text to whoever guesses it. What has no place is named in `left_out`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from oz0mem.adapters.imports.lines import (
    MAX_TAG,
    MAX_TAGS,
    Unfit,
    read_moment,
    read_string,
    read_subject,
)
from oz0mem.adapters.imports.mem0_files import read_items
from oz0mem.model.records import BadRecord, Record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

#: The TypeScript client's spelling of what the others write with an underscore.
NAMES = {
    "userId": "user_id",
    "createdAt": "created_at",
    "updatedAt": "updated_at",
    "expirationDate": "expiration_date",
    "attributedTo": "attributed_to",
}
#: Fields that a record takes up.
TAKEN = frozenset(NAMES.values()) | {
    "id",
    "memory",
    "content",
    "metadata",
    "categories",
    "category_names",
    "state",
    "role",
}
#: Fields that say nothing more, so that it is no loss to leave them.
SILENT = frozenset({"hash", "score", "structured_attributes", "archived_at", "deleted_at"})


def read_mem0(stream: BinaryIO) -> Iterator[Record | BadRecord]:
    """Read memories from a file open for bytes; JSON Lines of any size, a document of at most 32 MiB."""
    for line, item in read_items(stream):
        try:
            yield read_memory(line, item)
        except Unfit as unfit:
            yield unfit.at(line)


def read_memory(line: int, item: object) -> Record:
    """The record of one memory."""
    if isinstance(item, Unfit):
        raise item
    if not isinstance(item, dict):
        raise Unfit("not a memory: a JSON object is expected")
    given: dict[str, object] = {}
    for name, value in cast("dict[str, object]", item).items():
        if value is not None:
            given[NAMES.get(name, name)] = value
    if "memory" not in given and "content" not in given:
        raise Unfit("there is no memory here", "memory")
    text = read_string(given.get("memory", given.get("content")), "memory")
    if given.get("state") == "deleted":
        raise Unfit("this memory was deleted there and stays deleted", "state")
    about = read_about(given)
    tags, unfit = read_labels(given)
    when = given.get("created_at", given.get("updated_at"))
    ends = given.get("expiration_date")
    return Record(
        line,
        text,
        about,
        when=None if when is None else read_time(when, "created_at"),
        tags=tags,
        source=read_source(given.get("id")),
        ends=None if ends is None else read_time(ends, "expiration_date", end=True),
        left_out=(
            *sorted(show_name(name) for name in given if name not in TAKEN and name not in SILENT),
            *unfit,
        ),
    )


def read_about(given: dict[str, object]) -> str:
    """The person that a memory is about, else ``work``.

    A memory that says it came from its user, or that OpenMemory wrote without naming whose it is, is not
    taken for one about work: it would be shown to everybody who reads about work.
    """
    if "user_id" in given:
        return read_subject(given["user_id"], "user_id")
    if "memory" not in given:
        raise Unfit("it does not say whose memory it is; import the zip or its memories.json instead", "user_id")
    if "user" in (given.get("attributed_to"), given.get("role")):
        raise Unfit("it came from a person whom no user_id names", "user_id")
    return "work"


def read_time(value: object, field: str, *, end: bool = False) -> int:
    """A time as mem0 writes it: Python's ISO 8601; without a zone, as older versions wrote it, UTC."""
    text = read_string(value, field).strip()
    if len(text) > len("2026-12-01") and text[10] == " ":
        text = f"{text[:10]}T{text[11:]}"
    if "T" in text and not text.endswith("Z") and text[-6:-5] not in ("+", "-"):
        text += "Z"
    return read_moment(text, field, end=end)


def read_source(value: object) -> dict[str, str]:
    """The anchor: mem0's own id, which says nothing of the text."""
    named = isinstance(value, str) and 0 < len(value) <= 64 and value.isascii() and value.isprintable()
    return {"repository": "mem0", "path": str(value)} if named else {"repository": "mem0"}


def read_labels(given: dict[str, object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tags from categories and metadata, and the names of those that cannot be tags."""
    tags: dict[str, None] = {}
    unfit: dict[str, None] = {}
    for name, label in find_labels(given):
        if label is None or len(label) > MAX_TAG or len(tags) >= MAX_TAGS or not label.isprintable():
            unfit[show_name(name)] = None
        else:
            tags[label] = None
    return tuple(tags), tuple(unfit)


def find_labels(given: dict[str, object]) -> Iterator[tuple[str, str | None]]:
    """Each category, and ``name=value`` of metadata; None where a value is no short word."""
    for name in ("categories", "category_names"):
        found = given.get(name, [])
        for category in found if isinstance(found, list) else [found]:
            yield name, category.strip() or None if isinstance(category, str) else None
    if given.get("state", "active") != "active":
        yield "state", f"state={given['state']}" if isinstance(given["state"], str) else None
    metadata = given.get("metadata", {})
    if not isinstance(metadata, dict):
        yield "metadata", None
        return
    for name, value in metadata.items():
        if value is not None:
            said = str(value).lower() if isinstance(value, bool) else value
            yield f"metadata.{name}", f"{name}={said}".strip() if isinstance(said, str | int) else None


def show_name(name: str) -> str:
    """A foreign field's name as it may be told to people."""
    plain = "".join(char if char.isprintable() else "?" for char in name)
    return plain if len(plain) <= MAX_TAG else plain[: MAX_TAG - 1] + "…"
