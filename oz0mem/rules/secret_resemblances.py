"""What merely resembles a secret: a reviewer judges it (M8).

Promises `resembling`: a value beside a word for a secret, or behind a prefix such as vendors use. Leaves
known formats to `secret_formats` and `secret_phrases`. Ids, hashes, UUIDs and the names of places where a
secret is kept are none. Every repetition is bounded, so that no text makes a search slow.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from oz0mem.rules.secret_values import is_placeholder, is_random
from oz0mem.rules.secret_views import long_words

if TYPE_CHECKING:
    from collections.abc import Iterator

Found = tuple[str, int, int]
"""Kind, first place, place after the last."""

# Words for a password, in lower case; what follows in the same word (`ord`, `ort`) is the suffix.
_PASSWORD = ("passw", "passphrase", "passcode", "passkey", "pwd", "mot de passe", "kennwort", "contraseña")
_MORE_PASSWORD = ("senha", "wachtwoord", "hasło", "парол", "密码", "密碼", "パスワード", "비밀번호")
_OTHER = ("secret", "token", "credential", "bearer", "key")
_KEYS = (
    "api",
    "access",
    "auth",
    "private",
    "secret",
    "signing",
    "encryption",
    "master",
    "service",
    "account",
)
_MORE_KEYS = ("admin", "license", "webhook", "session", "shared")
_SYMBOLS = frozenset("0123456789!@#$%^&*+~?")
_SIGNS = frozenset(":=是为")


@cache
def _assignment() -> re.Pattern[str]:
    """What follows the word: a suffix, a sign, a value in quotes or without."""
    return re.compile(
        r"([\w-]{0,24})[\"'`*\\\])]{0,4}[ \t]{0,4}(?::=|=>|==?|:|是|为)[ \t]{0,4}"
        r"(?:[*\\]{0,3}([\"'`])([^\"'`\n]{4,300})[\"'`\\]|[*\\\"'`]{0,4}([^\s\"'`,;]{4,300}))"
    )


@cache
def _prose() -> re.Pattern[str]:
    """What follows the word: of what it is, a verb, a value."""
    return re.compile(
        r"(?i)[a-z]{0,4}s?\b[\"'`*]{0,2}(?:[ \t](?:for|of|to|on|in|at)[ \t][^.:;\n]{1,60}?)??"
        r"(?:[ \t]{1,3}(?:is|was|are|be|equals|ist|est|es|set[ \t]to|to|becomes)"
        r"(?:[ \t](?:now|still|just|currently))?)?[ \t:]{1,4}([\"'`*(]{0,3})([^\s\"'`]{6,300})"
    )


@cache
def _prefix() -> re.Pattern[str]:
    return re.compile(
        r"(?<![A-Za-z0-9_-])(?:(?!pk|pub)([a-z][a-z0-9]{1,15})[_-]"
        r"(?:live|test|prod|secret|sk|pat|key|token|api|sandbox|priv)[_-]"
        r"|(sk|api|pat|tok|token|secret|apikey)[_-])([A-Za-z0-9_-]{16,300})"
    )


@cache
def _pin() -> re.Pattern[str]:
    return re.compile(r"(?i)\bpin(?: code)?(?: is| was|:|=) ?[\"'`]?(\d{4,12})(?![\w.-])")


@cache
def _harmless_suffix() -> re.Pattern[str]:
    """What turns the word for a secret into the word for something about it."""
    return re.compile(
        r"(?i)[_-]?(?:names?|ids?|arns?|ur[li]s?|paths?|types?|counts?|limits?|polic(?:y|ies)|files?|fields?|"
        r"envs?|refs?|expir\w{0,9}|ttl|budgets?|length|version|prefix|format|usage|store|manager|scopes?|"
        r"rotat\w{0,6}|rules?|reset|hint|size|max|min|used|per|hash(?:es)?|digest|fingerprint)\W{0,2}$"
    )


@cache
def _harmless_value() -> re.Pattern[str]:
    """Values in prose that have digits without being passwords: dates, counts, products, digests."""
    return re.compile(
        r"(?i)^(?:\d+-?[a-z]{1,12}(?:-[a-z]+)*|\d{4}-\d\d-\d\d\S*|v?\d+\.\d\S*|v\d+\S*|"
        r"(?:sha|md|base|utf|aes|rsa|ec|hs|rs|es|argon|oauth|tls|http|ipv|rfc|iso|pep|k|s|db|prod|server|node|"
        r"python|java|postgres(?:ql)?|mysql|section|page|step|tier|phase|version|release|sprint|chapter)"
        r"-?\d{1,4}\w{0,3}(?:-[a-z]+)*|1password\S*|[\w.-]+/\S*|[\w.+-]+@[\w-]+\.\S+|(?:https?|file)://\S*|"
        r"[\w.]+\(\S*|[<{\[]\S*)$"
    )


def _strip(value: str) -> str:
    """The value without what encloses it; nothing where that marks a blank to be filled in."""
    if value[0] in "<{[":
        return ""
    return value.strip("\"'`*()<>[]{},;").rstrip(".:!?\\")


def _kind_of_random(value: str, *, strong: bool) -> str:
    alphabet = is_random(value)
    if not alphabet or is_placeholder(value):
        return ""
    if alphabet == "hex" and value.count("-") == 4:
        return "keyword-uuid" if strong else ""
    return f"keyword-{alphabet}"


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def _is_assigned_password(value: str, *, quoted: bool) -> bool:
    if len(value) < 6 or "(" in value or "://" in value:
        return False
    if not quoted and "[" in value and value.split("[")[0].replace(".", "").isidentifier():
        return False
    if value.translate({ord(c): None for c in "_.-"}).isalpha():
        # A lone word is more often a setting or a name, unless quotes or a change of case say otherwise.
        changes_case = value[1:].lower() != value[1:] and not value.isupper() and "_" not in value
        likely = quoted or (value.isascii() and changes_case)
    else:
        likely = " " not in value or _has_digit(value)
    return likely and not is_placeholder(value)


def _is_told_password(value: str, *, quoted: bool) -> bool:
    symbol = any(c in "!@#$%^&*+~?=" for c in value[1:-1])
    if not (_has_digit(value) or symbol or (value.count("-") >= 3 and len(value) >= 16)):
        return False
    return not is_placeholder(value) and (quoted or not _harmless_value().search(value))


def _assigned(text: str, begin: int, *, password: bool, strong: bool) -> Found | None:
    match = _assignment().match(text, begin)
    if not match or (match[1] and _harmless_suffix().search(match[1])):
        return None
    group = 3 if match[2] else 4
    value = match[3] or _strip(match[4])
    kind = ""
    if password and value and _is_assigned_password(value, quoted=group == 3):
        kind = "password-assignment"
    elif value:
        kind = _kind_of_random(value, strong=strong)
    return (kind, match.start(group), match.end(group)) if kind else None


def _told(text: str, begin: int, *, password: bool) -> Found | None:
    match = _prose().match(text, begin)
    value = _strip(match[2]) if match else ""
    if not match or len(value) < 6:
        return None
    if password and _is_told_password(value, quoted=any(c in "\"'`" for c in match[1])):
        return "password-in-prose", match.start(2), match.end(2)
    kind = _kind_of_random(value, strong=False)
    return (kind, match.start(2), match.end(2)) if kind else None


def _named(text: str, lower: str, word: str, *, password: bool) -> Iterator[Found]:
    """Values after each place of `word`; a cheap look ahead spares the patterns."""
    at = lower.find(word)
    while at >= 0:
        begin = at + len(word)
        qualified = word != "key" or lower[max(0, at - 12) : at].rstrip(" _-").endswith(_KEYS + _MORE_KEYS)
        ahead = text[begin : begin + 200]
        if qualified and (password or not _SYMBOLS.isdisjoint(ahead)):
            found = None
            if not _SIGNS.isdisjoint(ahead[:40]):
                found = _assigned(text, begin, password=password, strong=word not in ("token", "bearer"))
            if not found and (not _SYMBOLS.isdisjoint(ahead) or ahead.count("-") > 2):
                found = _told(text, begin, password=password)
            if found:
                yield found
        at = lower.find(word, begin)


def _pins(text: str) -> Iterator[Found]:
    for match in _pin().finditer(text):
        yield "password-in-prose", match.start(1), match.end(1)


def _prefixed(text: str) -> Iterator[Found]:
    if not any(("_" in word or "-" in word) and _has_digit(word) for word in long_words(text)):
        return
    for match in _prefix().finditer(text):
        if is_random(match[3]) and not is_placeholder(match[3]):
            kind = "deepseek-style" if match[2] == "sk" else "unknown-vendor-prefix"
            yield kind, match.start(), match.end()


def resembling(text: str, lower: str, *, long: bool) -> Iterator[Found]:
    """Find what resembles a secret.

    Args:
        text: a view of what is remembered.
        lower: the same in lower case, character by character.
        long: whether any word is long enough for a value drawn at random.
    """
    for word in _PASSWORD + _MORE_PASSWORD:
        if word in lower:
            yield from _named(text, lower, word, password=True)
    if "pin" in lower:
        yield from _pins(text)
    if long:
        for word in _OTHER:
            if word in lower:
                yield from _named(text, lower, word, password=False)
        yield from _prefixed(text)
