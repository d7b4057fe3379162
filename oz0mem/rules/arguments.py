"""The arguments of a write: what a text, a tag, a key, a reason and a source may be (M1).

Promises NFC and trimmed values within their sizes, or a refusal that says which argument and which limit,
and never repeats a word of it. Leaves the scan for secrets, which comes before these sizes, to
`rules.secrets` (M8), and people, scopes and ends to their own rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import KINDS
from oz0mem.model.names import nfc
from oz0mem.rules.canonical import MAX_INTEGER

if TYPE_CHECKING:
    from typing import NoReturn

TEXT_BYTES: Final = 16 << 10
PROPOSAL_CHARS: Final = 2_000
TAGS: Final = 16
TAG_CHARS: Final = 64
KEY_CHARS: Final = 200
REASON_CHARS: Final = 1_000
SOURCE_CHARS: Final = 1_000
SOURCE_FIELDS: Final = ("repository", "commit", "path", "fingerprint")

# Composing joins four characters into one at most, or three into two bytes of UTF-8: what is longer
# than that allows is refused before it is composed, since a long run of marks takes the square of its time.
_SHRINK: Final = 4
_LONGEST_TEXT: Final = TEXT_BYTES * 3 // 2


def check_kind(kind: object) -> str:
    """Answer one of the seven kinds.

    Raises:
        Invalid: ``argument.kind``.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        _refuse("argument.kind", f"a kind is one of {', '.join(KINDS)}")
    return kind


def check_text(text: object, kind: str) -> str:
    """Answer the text of an entry as it is kept: NFC and trimmed.

    Args:
        text: 1 byte to 16 KiB of UTF-8; of a decision, definition or rule at most 2,000 characters.
        kind: one of the seven kinds.

    Raises:
        Invalid: ``argument.type``, ``argument.unicode``, ``argument.size``, ``argument.control`` or
            ``argument.blank``.
    """
    given = _take(text, "text", _LONGEST_TEXT)
    if len(given.encode()) > TEXT_BYTES:
        _refuse("argument.size", "a text has at most 16 KiB of UTF-8", argument="text", most=TEXT_BYTES)
    if KINDS[kind].proposal and len(given) > PROPOSAL_CHARS:
        message = f"the text of a {kind} has at most {PROPOSAL_CHARS:,} characters"
        _refuse("argument.size", message, argument="text", most=PROPOSAL_CHARS)
    _check_controls(given, "text", allowed="\n\t")
    return given


def check_tags(tags: object) -> tuple[str, ...]:
    """Answer the tags in their order, each once; none where none are given.

    Raises:
        Invalid: ``argument.tags`` where there are more than 16, else as `check_key`.
    """
    if tags is None:
        return ()
    if isinstance(tags, str) or not isinstance(tags, list | tuple):
        _refuse("argument.type", "the tags are a list of texts", argument="tags")
    distinct = dict.fromkeys(_check_line(tag, "tag", TAG_CHARS) for tag in tags)
    if len(distinct) > TAGS:
        _refuse("argument.tags", f"an entry has at most {TAGS} tags", argument="tags", most=TAGS)
    return tuple(distinct)


def check_ids(ids: object) -> tuple[str, ...]:
    """Answer the ids of entries in their order, each once; at most as many as there may be tags.

    Raises:
        Invalid: ``argument.ids``, or where one is no id.
    """
    from oz0mem.model.names import check_entry_prefix

    if isinstance(ids, str) or not isinstance(ids, list | tuple) or not all(isinstance(each, str) for each in ids):
        _refuse("argument.type", "ids are a list of texts", argument="ids")
    distinct = tuple(dict.fromkeys(ids))
    if len(distinct) > TAGS:
        _refuse("argument.ids", f"an entry derives from at most {TAGS} others", argument="ids", most=TAGS)
    for each in distinct:
        check_entry_prefix(each)
    return distinct


def check_key(key: object, what: str = "key") -> str:
    """Answer a key or a term: one line of at most 200 characters.

    Raises:
        Invalid: ``argument.type``, ``argument.unicode``, ``argument.size``, ``argument.control`` or
            ``argument.blank``.
    """
    return _check_line(key, what, KEY_CHARS)


def check_reason(reason: object) -> str:
    """Answer a reason in words: at most 1,000 characters, and not blank.

    Raises:
        Invalid: as `check_key`.
    """
    return _check_chars(reason, "reason", REASON_CHARS, allowed="\n\t")


def check_source(source: object) -> dict[str, str]:
    """Answer where a text comes from: any of repository, commit, path and fingerprint, in this order.

    Raises:
        Invalid: ``argument.source`` where it has another field, else as `check_key`.
    """
    if source is None:
        return {}
    if not isinstance(source, dict):
        _refuse("argument.type", "the source is an object with texts", argument="source")
    if not set(source) <= set(SOURCE_FIELDS):
        _refuse("argument.source", f"a source has only {', '.join(SOURCE_FIELDS)}", argument="source")
    fields = [field for field in SOURCE_FIELDS if source.get(field) is not None]
    return {field: _check_line(source[field], field, SOURCE_CHARS) for field in fields}


def check_valid(valid_from: int | None, valid_until: int | None) -> None:
    """Check that what is true for a time begins to be so before it stops; the period is [from, until).

    Raises:
        Invalid: ``argument.valid``.
    """
    if valid_from is not None and valid_until is not None and valid_from >= valid_until:
        _refuse("argument.valid", "what is valid from a moment on is valid until a later one")
    if any(each is not None and not 0 <= each <= MAX_INTEGER for each in (valid_from, valid_until)):
        _refuse("argument.valid", "a time of validity lies between 1970 and 2255; leave out an end that is not known")


def _check_line(value: object, what: str, most: int) -> str:
    return _check_chars(value, what, most, allowed="")


def _check_chars(value: object, what: str, most: int, *, allowed: str) -> str:
    given = _take(value, what, _SHRINK * most)
    if len(given) > most:
        _refuse("argument.size", f"a {what} has at most {most:,} characters", argument=what, most=most)
    _check_controls(given, what, allowed=allowed)
    return given


def _take(value: object, what: str, longest: int) -> str:
    """Answer a text in NFC and trimmed, where it can be stored at all and is not blank or far too long."""
    if not isinstance(value, str):
        _refuse("argument.type", f"a {what} is a text", argument=what)
    trimmed = value.strip()
    if not trimmed.isascii() and any("\ud800" <= c <= "\udfff" for c in trimmed):
        message = f"the {what} has half of a surrogate pair, which is no character"
        _refuse("argument.unicode", message, argument=what)
    if len(trimmed) > longest:
        _refuse("argument.size", f"the {what} is far too long", argument=what)
    given = nfc(trimmed)
    if not _has_sight(given):
        _refuse("argument.blank", f"the {what} is empty; write at least one visible character", argument=what)
    return given


def _has_sight(text: str) -> bool:
    """Whether there is anything to see: more than space and format characters."""
    if text.isascii():
        return bool(text)
    import unicodedata

    return any(unicodedata.category(c) not in ("Cf", "Zs", "Zl", "Zp") for c in text if not c.isspace())


def _check_controls(text: str, what: str, *, allowed: str) -> None:
    if text.isprintable():
        return
    line, column = 1, 0
    for c in text:
        line, column = (line + 1, 0) if c == "\n" else (line, column + 1)
        if (c < " " or "\x7f" <= c <= "\x9f") and c not in allowed:
            message = f"the {what} has a control character, U+{ord(c):04X}, in line {line}, column {column}"
            hint = "newline and tab are allowed" if allowed else "it is one line, without tabs"
            _refuse("argument.control", message, hint=hint, argument=what, line=line, column=column)


def _refuse(code: str, message: str, *, hint: str = "", **facts: object) -> NoReturn:
    raise Invalid(code, message, hint=hint, rule="M1", **facts)
