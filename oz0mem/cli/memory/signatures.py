"""What each function takes by name, of which type, and what it cannot do without (M1, M12 to M14, M29)."""

from __future__ import annotations

from typing import Final

TEXT: Final = "a text"
TEXTS: Final = "a list of texts"
NUMBER: Final = "a whole number"
SWITCH: Final = "true or false"
FIELDS: Final = "an object of texts"
UNTIL: Final = "a date as the end of a time"
FROM: Final = "a date as its beginning"

TAKES: Final[dict[str, dict[str, str]]] = {
    "remember": {
        "text": TEXT,
        "kind": TEXT,
        "about": TEXT,
        "scope": TEXT,
        "tags": TEXTS,
        "ends": UNTIL,
        "key": TEXT,
        "valid_from": FROM,
        "valid_until": UNTIL,
        "source": FIELDS,
        "derives_from": TEXTS,
        "core": SWITCH,
        "on_similar": TEXT,
        "call_id": TEXT,
    },
    "recall": {
        "words": TEXT,
        "id": TEXT,
        "from": NUMBER,
        "scope": TEXT,
        "kind": TEXT,
        "tag": TEXT,
        "match": TEXT,
        "max_entries": NUMBER,
        "max_chars": NUMBER,
        "max_tokens": NUMBER,
        "include_ended": SWITCH,
        "include_unreviewed": SWITCH,
        "own_state": TEXT,
    },
    "define": {"term": TEXT, "text": TEXT, "scope": TEXT, "call_id": TEXT},
    "supersede": {
        "id": TEXT,
        "version": NUMBER,
        "text": TEXT,
        "tags": TEXTS,
        "source": FIELDS,
        "ends": UNTIL,
        "call_id": TEXT,
    },
    "accept": {"id": TEXT, "version": NUMBER, "text": TEXT, "term": TEXT, "call_id": TEXT},
    "retire": {"id": TEXT, "version": NUMBER, "reason": TEXT, "call_id": TEXT},
    "changed_since": {"cursor": TEXT},
    "startup_context": {"budget_tokens": NUMBER, "used_tokens": NUMBER},
    "link": {"from": TEXT, "label": TEXT, "to": TEXT},
}
"""Each function's arguments and their types; what is no text is said so."""
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "remember": ("text",),
    "define": ("term",),
    "supersede": ("id", "version", "text"),
    "accept": ("id", "version"),
    "retire": ("id", "reason"),
    "link": ("from", "label", "to"),
}
"""What a call has to name, where it has to name anything; a script names the version that it read (M15)."""
REASONED: Final = ("remember", "define", "supersede", "accept", "retire", "link")
"""The functions that change something, and so take a reason."""
