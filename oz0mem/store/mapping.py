"""What stored numbers mean: kinds, states, tiers, origins and roles by place in a tuple, content as JSON.

Promises one coding for both back ends (Q14); a place once given is never given to another word. Leaves the
words themselves to ``model``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from oz0mem.model.entries import Entry, Numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KINDS = ("note", "decision", "definition", "rule", "episodic", "semantic", "procedural")
STATES = ("held", "active", "replaced", "retired", "rejected", "erased")
TIERS = ("person", "published", "unreviewed")
ORIGINS = ("agent", "person", "sync", "chat", "import")
ROLES = ("admin", "reviewer", "member", "auditor", "host")

AT_STARTUP = "newest = 1 AND (kind >= 1 AND kind <= 3 OR core = 1)"
"""What an agent may start with (M27), in the words of the index that has it: decisions, definitions, rules, core."""

CODES = {
    "kind": len(KINDS),
    "state": len(STATES),
    "tier": len(TIERS),
    "origin": len(ORIGINS),
    "core": 2,
    "restricted": 2,
}
"""How many codes each column has."""
_CODED = tuple((Numbers._fields.index(name), most) for name, most in CODES.items())

_CONTENT = (
    "text",
    "key",
    "term",
    "tags",
    "source",
    "read",
    "compartments",
    "plugin",
    "job",
    "replaces",
    "replaced_by",
)


def word_of(words: Sequence[str], code: object, *, altered: str = "") -> str:
    """The word of a code; of one that nobody gave, another in its place."""
    return words[code] if type(code) is int and 0 <= code < len(words) else altered


def role(code: object) -> str:
    """The role of a code; of one that nobody gave (altered) a word that may do nothing."""
    return word_of(ROLES, code, altered="unknown")


def dump(document: object) -> bytes:
    """A document as a body."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def parse(body: bytes) -> dict[str, Any]:
    """A body as the document it was made from; {} where it is overwritten or is none."""
    try:
        document = json.loads(body)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def content_of(entry: Entry) -> bytes:
    """What a version says, with its key beside it (L3), as one body; empty fields are left out."""
    document = {name: value for name in _CONTENT if (value := getattr(entry, name))}
    document["k"] = entry.secret.hex()
    return dump(document)


def entry_of(row: Numbers, content: Mapping[str, Any], names: Mapping[int, str]) -> Entry:
    """A stored version as an entry; what was overwritten reads as empty."""
    return Entry(
        numbers=row,
        id=row.id,
        version=row.v,
        kind=KINDS[row.kind],
        state=STATES[row.state],
        tier=TIERS[row.tier],
        held=row.held,
        scope=names.get(row.scope, ""),
        about=names.get(row.about, "") if row.about else "work",
        purpose=names.get(row.purpose, ""),
        agent=names.get(row.agent, ""),
        by=names.get(row.writer, ""),
        text=_string(content, "text"),
        key=_string(content, "key"),
        term=_string(content, "term"),
        tags=_strings(content, "tags"),
        source=_texts(content, "source"),
        read=_strings(content, "read"),
        compartments=_strings(content, "compartments"),
        plugin=_string(content, "plugin"),
        job=_string(content, "job"),
        origin=ORIGINS[row.origin],
        core=bool(row.core),
        restricted=bool(row.restricted),
        created=row.created,
        counted_from=row.counted_from,
        at=row.at,
        ends=row.ends,
        valid_from=row.valid_from,
        valid_until=row.valid_until,
        ended_at=row.ended_at,
        replaces=_string(content, "replaces"),
        replaced_by=_string(content, "replaced_by"),
        secret=key_of(content),
    )


def numbers_of(row: tuple[Any, ...]) -> Numbers:
    """A row of ``version``; one with a code that nobody gave (altered) has no event, so it opens no commitment."""
    read = Numbers(*row)
    for at, most in _CODED:
        if type(row[at]) is not int or not 0 <= row[at] < most:
            break
    else:
        return read
    return read._replace(event=-1, kind=0, state=0, tier=0, origin=0, core=0, restricted=0)


def _string(content: Mapping[str, Any], name: str) -> str:
    value = content.get(name, "")
    return value if isinstance(value, str) else ""


def _strings(content: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = content.get(name, ())
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _texts(content: Mapping[str, Any], name: str) -> dict[str, str]:
    value = content.get(name, {})
    return {str(key): str(each) for key, each in value.items()} if isinstance(value, dict) else {}


def key_of(content: Mapping[str, Any]) -> bytes:
    """The key that stands beside a content; b'' where none does."""
    try:
        return bytes.fromhex(_string(content, "k"))
    except ValueError:
        return b""
