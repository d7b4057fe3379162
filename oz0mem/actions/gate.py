"""The one gate of every write, whichever door it comes through (M1, M8).

Promises that every argument is scanned before its size is judged, and that a refusal names the kind and place
of a secret and nothing of it. Leaves where and for how long the entry is kept to ``entries``.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from oz0mem.model.errors import Refused
from oz0mem.rules import secrets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.ports import Desk
    from oz0mem.rules.secrets import Finding


def scan(arguments: Mapping[str, Any]) -> bool:
    """Scan every argument of a call (M8); answers whether something merely resembles a secret.

    Raises:
        Refused: ``secret.found`` with the kind and place of the first secret.
    """
    found = secrets.scan_arguments(arguments)
    for name, finding in found:
        if finding.verdict == "veto":
            raise _refused(name, finding)
    return bool(found)


def check_why(reason: str) -> str:
    """A reason that may be given and need not: scanned, then within its size; '' where there is none.

    Raises:
        Refused: ``secret.found``.
        Invalid: as ``check_reason``.
    """
    from oz0mem.rules.arguments import check_reason

    if not reason:
        return ""
    scan({"reason": reason})
    return check_reason(reason)


def scan_own(desk: Desk, arguments: Mapping[str, Any]) -> None:
    """Look for the tenant's own secrets, which are known by keyed hash alone (M8).

    Raises:
        Refused: ``secret.found``.
    """
    if not desk.head.secrets:
        return
    registered = {length: frozenset(digests) for length, digests in desk.identity.own_secrets().items()}
    key = own_key(desk)
    for name, text in _texts("", arguments):
        for finding in secrets.find_own(text, key, registered):
            raise _refused(name, finding)


def own_key(desk: Desk) -> bytes:
    """The key of the hashes of the tenant's own secrets."""
    return hashlib.blake2b(b"own secrets", key=desk.head.hash_key, digest_size=32).digest()


def _texts(name: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(name, value)]
    if isinstance(value, dict):
        return [
            found
            for key, each in value.items()
            for found in [*_texts(name, str(key)), *_texts(f"{name}.{key}".lstrip("."), each)]
        ]
    if isinstance(value, list | tuple):
        return [found for at, each in enumerate(value) for found in _texts(f"{name}[{at}]", each)]
    return []


def _called(name: str) -> str:
    """An argument as a sentence names it: ``the text``, but ``tags[0]``."""
    return f"the {name}" if name.replace("_", "").isalpha() else name


def _refused(name: str, finding: Finding) -> Refused:
    place = f"line {finding.line}, column {finding.column}"
    return Refused(
        "secret.found",
        f"{_called(name)} holds what looks like a secret ({finding.kind}) at {place}; nothing of it was kept",
        hint="take it out and write again; if it was real, revoke it",
        rule="M8",
        kind=finding.kind,
        argument=name,
        line=finding.line,
        column=finding.column,
    )
