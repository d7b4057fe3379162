"""What a value looks like: a placeholder, something drawn at random, or neither (M8).

Promises two judgements that look at one value only. Leaves where the value was found to the callers.
"""

from __future__ import annotations

import re
from functools import cache


def is_placeholder(value: str) -> bool:
    """Whether `value` stands for a secret instead of being one, as in templates and manuals."""
    if len(set(value.lower())) <= (4 if len(value) >= 12 else 2) or value[0] in "<{[*" or "EXAMPLE" in value:
        return True
    return _placeholder_words().search(value) is not None


@cache
def _placeholder_words() -> re.Pattern[str]:
    return re.compile(
        r"(?i)^(?:(?:my|your|the|a|some|db|app|user|admin|new|old|super)?[-_.]?"
        r"(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|(?:api|access|auth|private|secret)?[-_.]?key|credentials?)"
        r"(?:[-_.]?(?:here|value|goes[-_.]here|\d))?|"
        r"change[-_.]?(?:me|it|this)|none|null|nil|true|false|undefined|required|optional|string|hidden|redacted|"
        r"masked|removed|omitted|encrypted|hashed|empty|unset|unknown|invalid|expired|changed|reset|rotated|missing|"
        r"incorrect|wrong|example|sample|placeholder|todo|tbd|disabled|enabled|default|stored|managed|prompt)$"
        r"|(?:^|[-_.])(?:your|insert|placeholder|redacted|replace[-_]?(?:me|with|this)|change[-_]?me)(?:[-_.]|$)"
        r"|^\$(?:[A-Za-z_]\w*$|\(|env:)|^%(?:\w+%|\()|^!(?:vault|ref|sub|secret|env)|^@[A-Za-z.]+\(|^[({]\w+[)}]$"
        r"|x{6,}|\*{3}|\.{3}|\u2026|\$\{|\{\{|<[\w -]{1,60}>|^os\.|^process\.env|^env[:.(]|^getenv|^op://|^vault[:./]|"
        r"^ref\+|^arn:|^kv/|^file:|^https?://[^@]*$|^/(?:run|var|etc|home|opt|mnt|secrets?)/"
    )


def is_random(value: str) -> str:
    """Name the alphabet (`hex`, `base64`) of a value that looks drawn at random; empty where it does not."""
    value = value.rstrip("=")
    if _is_digest_name(value):
        return ""
    plain = value.translate(_SEPARATORS)
    if len(plain) < 16 or not plain.isascii() or not plain.isalnum() or len(set(plain)) < 8:
        return ""
    digits = sum(map(str.isdigit, plain))
    if digits == len(plain):
        return ""
    if len(plain) >= 32 and not plain.lower().strip("0123456789abcdef"):
        return "hex" if digits else ""
    share = sum(map(_differ, plain, plain[1:])) / len(plain)
    if plain.islower() or plain.isupper():
        return "base64" if digits >= 3 and share >= 0.25 else ""
    return "base64" if (digits >= 2 and share >= 0.3) or share >= 0.42 or (digits and share >= 0.4) else ""


_SEPARATORS = {ord(c): None for c in "+/_-.~"}


def _differ(one: str, other: str) -> bool:
    return one.isdigit() != other.isdigit() or one.isupper() != other.isupper()


def _is_digest_name(value: str) -> bool:
    head = value[:7].lower()
    return head.startswith(("sha1", "sha256", "sha384", "sha512", "md5", "blake"))
