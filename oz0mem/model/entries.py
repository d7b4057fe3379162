"""An entry as one version of it reads, with the numbers that it is stored by.

Promises plain tuples (they cost nothing at start-up, Q1). Leaves what a field may hold to ``rules`` and its
storing to ``store``. Times are microseconds UTC, 0 where absent; names are '' where absent.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Numbers(NamedTuple):
    """The stored numbers of a version, in the order of its columns."""

    entry: int = 0
    v: int = 0
    newest: int = 0
    id: str = ""
    kind: int = 0
    state: int = 0
    tier: int = 0
    held: str = ""
    place: int = 0
    scope: int = 0
    about: int = 0
    purpose: int = 0
    agent: int = 0
    writer: int = 0
    job: int = 0
    origin: int = 0
    core: int = 0
    restricted: int = 0
    created: int = 0
    counted_from: int = 0
    at: int = 0
    ends: int = 0
    valid_from: int = 0
    valid_until: int = 0
    ended_at: int = 0
    body: int = 0
    event: int = 0
    words: int = 0
    content_words: int = 0
    bytes: int = 0
    same_hash: int = 0
    key_hash: int = 0


class Entry(NamedTuple):
    """One version of an entry: what it says, where it lives, how it came and until when it holds (M10).

    ``about`` is ``work`` or a person's name; ``held`` says why it waits, comma-joined; ``read`` names what its
    job had read; ``created`` is when it was written, elsewhere too; limits count from ``counted_from``, its first
    version here or its rewriting (M6, M33); ``ended_at`` is when it stopped being true; ``secret`` is the version's
    key (L3), 32 bytes.
    """

    numbers: Numbers
    id: str
    version: int
    kind: str
    state: str
    tier: str
    held: str
    scope: str
    about: str
    purpose: str
    agent: str
    by: str
    text: str
    key: str
    term: str
    tags: tuple[str, ...]
    source: dict[str, str]
    read: tuple[str, ...]
    compartments: tuple[str, ...]
    plugin: str
    job: str
    origin: str
    core: bool
    restricted: bool
    created: int
    counted_from: int
    at: int
    ends: int
    valid_from: int
    valid_until: int
    ended_at: int
    replaces: str
    replaced_by: str
    secret: bytes

    @property
    def about_person(self) -> bool:
        """Whether it is memory about a person."""
        return self.about != "work"


BLANK = Entry(
    numbers=Numbers(),
    id="",
    version=1,
    kind="note",
    state="active",
    tier="unreviewed",
    held="",
    scope="tenant",
    about="work",
    purpose="",
    agent="",
    by="",
    text="",
    key="",
    term="",
    tags=(),
    source={},
    read=(),
    compartments=(),
    plugin="memory",
    job="",
    origin="agent",
    core=False,
    restricted=False,
    created=0,
    counted_from=0,
    at=0,
    ends=0,
    valid_from=0,
    valid_until=0,
    ended_at=0,
    replaces="",
    replaced_by="",
    secret=b"",
)
"""An entry with nothing in it, to be written over field by field."""


def record_of(entry: Entry) -> dict[str, Any]:
    """The fields of L8's canonical record, before absent and default ones are left out."""
    return {
        "id": entry.id,
        "v": entry.version,
        "kind": entry.kind,
        "scope": entry.scope,
        "about": entry.about,
        "text": entry.text,
        "key": entry.key,
        "term": entry.term,
        "tags": list(entry.tags),
        "tier": entry.tier,
        "state": entry.state,
        "restricted": entry.restricted,
        "held_because": entry.held,
        "read": list(entry.read),
        "purpose": entry.purpose,
        "compartments": list(entry.compartments),
        "agent": entry.agent,
        "plugin": entry.plugin,
        "job": entry.job,
        "by": entry.by,
        "source": entry.source,
        "origin": entry.origin,
        "core": entry.core,
        "created": entry.created,
        "counted_from": entry.counted_from if entry.counted_from != entry.created else 0,
        "at": entry.at,
        "ends": entry.ends,
        "valid_from": entry.valid_from,
        "valid_until": entry.valid_until,
        "ended_at": entry.ended_at,
        "replaces": entry.replaces,
        "replaced_by": entry.replaced_by,
    }
