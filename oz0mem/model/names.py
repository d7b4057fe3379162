"""Names: what may be called how, and when two spellings are one.

Promises the one shape of names, project paths, subject ids, thread ids, scopes, entry ids and sizes, each
refused with a sentence that says the shape and never repeats what was given. Leaves to the actions whether
somebody of that name exists, and the refusal of a subject that folds to a known one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import AGENT, PREFIXES, PROJECT, TENANT, THREAD

if TYPE_CHECKING:
    from typing import NoReturn

RESERVED: Final = ("work", "person", "me", "thread", "everyone", "tenant")
"""Words that say what an entry is about, so nobody can be called them (M4)."""

OF_SCOPE: Final = 1
OF_PERSON: Final = 2
OF_PURPOSE: Final = 3
OF_AGENT: Final = 4
"""What a name is of, as it is stored; a principal's name is a person's (they may be the data subject)."""

_FIRST: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_LATER: Final = _FIRST | frozenset("._-")
_THREAD_FIRST: Final = _FIRST | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_THREAD_LATER: Final = _THREAD_FIRST | frozenset("._-")
_HEX: Final = frozenset("0123456789abcdef")
_BARRED: Final = ":*?%"
_UNITS: Final = {"": 1, "b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}
_ID_DIGITS: Final = 12
_LEAST_DIGITS: Final = 4
_LONGEST_PROJECT: Final = 255

# Invisible, yet of no category that would give them away: joiners, fillers, variation selectors
# (Default_Ignorable_Code_Point of Unicode, without what is of category Cf).
_UNSEEN: Final = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
)


def nfc(text: str) -> str:
    """Unicode's composed form; the only form in which names and texts are kept."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """The form by which two spellings are one name: NFKC and case folding, until nothing changes."""
    if text.isascii():
        return text.lower()
    import unicodedata

    # Folding can leave a form that NFKC changes again (ᾳ with a later accent), hence the second round.
    once = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold())
    return unicodedata.normalize("NFKC", once.casefold())


def check_name(text: str, what: str) -> str:
    """Answer a name as it is.

    Args:
        text: 1 to 64 of a-z, 0-9, dot, underscore and dash, beginning with a letter or a digit.
        what: what carries the name, for the sentence, such as ``agent``.

    Raises:
        Invalid: ``name.bad``.
    """
    if not (0 < len(text) <= 64 and text[0] in _FIRST and _LATER.issuperset(text)):
        shape = "has 1 to 64 of a-z, 0-9, '.', '_' and '-', and begins with a letter or a digit"
        _refuse("name.bad", f"the name of this {what} cannot be used: it {shape}", what=what)
    return text


def check_project(text: str) -> str:
    """Answer a project's path, such as ``web/checkout``; at most 255 characters.

    Raises:
        Invalid: ``name.bad``.
    """
    if len(text) > _LONGEST_PROJECT:
        _refuse("name.bad", f"a project's path has at most {_LONGEST_PROJECT} characters", what="project")
    for part in text.split("/"):
        check_name(part, "project")
    return text


def project_within(path: str, ancestor: str) -> bool:
    """Whether a project is another one or lies below it (M20)."""
    return path == ancestor or path.startswith(ancestor + "/")


_WHOLE = "give the whole id, as oz0mem list shows whom entries are about"


def check_subject(text: str) -> str:
    """Answer the id of a person in NFC.

    Raises:
        Invalid: ``subject.bad`` where it has no, too many or unusable characters; ``subject.wildcard``;
            ``subject.reserved`` where it is one of `RESERVED`, in whatever spelling.
    """
    if not 1 <= len(text) <= 4 * 128 or not 1 <= len(nfc(text)) <= 128:
        _refuse("subject.bad", "the id of a person has 1 to 128 characters", hint=_WHOLE)
    subject = nfc(text)
    if not all(_is_seen(c) for c in subject):
        _refuse("subject.bad", "the id of a person has no space, and no control or invisible character", hint=_WHOLE)
    folded = fold(subject)
    if any(c in folded for c in _BARRED) or any(c.isspace() for c in folded):
        if any(c in folded for c in "*?%"):
            _refuse("subject.wildcard", "the id of a person names one person: it has no '*', '?' or '%'", hint=_WHOLE)
        _refuse("subject.bad", "the id of a person has no ':' and nothing that stands for a space", hint=_WHOLE)
    if folded in RESERVED:
        message = f"no person can be called so: {', '.join(RESERVED)} have a meaning of their own"
        _refuse("subject.reserved", message, hint="name the person by their id")
    return subject


def check_principal(text: str) -> str:
    """Answer the name of a principal: a name that is a subject id too.

    Raises:
        Invalid: ``name.bad`` or ``subject.reserved``.
    """
    return check_subject(check_name(text, "principal"))


def check_thread(text: str) -> str:
    """Answer the id that a host gives a conversation; upper and lower case differ.

    Raises:
        Invalid: ``thread.bad``.
    """
    if not (0 < len(text) <= 128 and text[0] in _THREAD_FIRST and _THREAD_LATER.issuperset(text)):
        shape = "1 to 128 of A-Z, a-z, 0-9, '.', '_' and '-', and begins with a letter or a digit"
        _refuse("thread.bad", f"the id of a thread has {shape}")
    return text


def check_scope(text: str) -> tuple[str, str]:
    """Read ``agent:<name>``, ``project:<path>``, ``thread:<id>`` or ``tenant``.

    Returns:
        The kind of scope and its name; the tenant's own has none.

    Raises:
        Invalid: ``scope.bad``, ``name.bad`` or ``thread.bad``.
    """
    kind, colon, name = text.partition(":")
    if kind == TENANT and not colon:
        return TENANT, ""
    if kind == AGENT and colon:
        return AGENT, check_name(name, "agent")
    if kind == PROJECT and colon:
        return PROJECT, check_project(name)
    if kind == THREAD and colon:
        return THREAD, check_thread(name)
    return _refuse("scope.bad", "a scope is agent:<name>, project:<path>, thread:<id> or tenant")


def check_entry_prefix(text: str) -> str:
    """Answer an id, whole or shortened to at least four digits (C7).

    Raises:
        Invalid: ``id.bad``, or ``id.short`` where fewer digits are given.
    """
    count = _hex_digits(text)
    if not 0 <= count <= _ID_DIGITS:
        _refuse("id.bad", f"the id of an entry is {_id_shape()} and {_ID_DIGITS} digits, as list shows it")
    if count < _LEAST_DIGITS:
        _refuse("id.short", f"a shortened id has at least {_LEAST_DIGITS} digits", least=_LEAST_DIGITS)
    return text


def with_article(word: str) -> str:
    """A word with its article: ``a member``, ``an auditor``."""
    return f"{'an' if word[:1] in 'aeio' else 'a'} {word}"


def parse_bytes(text: str) -> int:
    """Read a size: plain bytes, or with B, KiB, MiB or GiB, such as ``16MiB``.

    Raises:
        Invalid: ``bytes.bad``.
    """
    digits = text.rstrip("BKMGibkmg")
    unit = _UNITS.get(text[len(digits) :].lower())
    if unit is None or not (digits.isascii() and digits.isdigit()) or len(digits) > 15:
        _refuse("bytes.bad", "a size is plain bytes, or such as 512KiB or 16MiB", rule="G14")
    return int(digits) * unit


def _is_seen(c: str) -> bool:
    """Whether a character is seen by who reads it: no separator, control, format or half of a pair."""
    if c.isascii():
        return "!" <= c <= "~"
    import unicodedata

    if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp"):
        return False
    return not any(first <= ord(c) <= last for first, last in _UNSEEN)


def _hex_digits(text: str) -> int:
    """Number of digits behind an entry's prefix; -1 where the text is no beginning of an id."""
    letter, dash, digits = text[:1], text[1:2], text[2:]
    well_formed = letter and letter in PREFIXES and dash == "-" and _HEX.issuperset(digits)
    return len(digits) if well_formed else -1


def _id_shape() -> str:
    return f"{', '.join(PREFIXES[:-1])} or {PREFIXES[-1]}, a dash"


def _refuse(code: str, message: str, *, hint: str = "", rule: str = "", **facts: object) -> NoReturn:
    raise Invalid(code, message, hint=hint, rule=rule or ("C7" if code.startswith("id.") else ""), **facts)
