"""The one tree of errors: what was refused, by which rule, and what to type next.

Promises a stable code, an exit status by kind and the facts as attributes. Leaves the wording for a
terminal or a JSON document to the views. No error carries a remembered text, a secret or a query.
"""

from __future__ import annotations


class Oz0Error(Exception):
    """A refusal or a fault with a stable code.

    Args:
        code: stable and dotted, such as ``memory.cap``; listed in ``docs/errors.md``.
        message: one sentence: what was refused and why.
        hint: what to type or do next; empty where nothing helps.
        rule: number of the rule that refused, such as ``M7``; empty for plain faults.
        facts: numbers, names and ids that a script may read.
    """

    exit_code = 1

    def __init__(self, code: str, message: str, *, hint: str = "", rule: str = "", **facts: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.rule = rule
        self.facts = facts


class Fault(Oz0Error):
    """A fault of the program or of the machine (exit 1)."""

    exit_code = 1


class Invalid(Oz0Error):
    """An argument, a file or a request that cannot be read as what it should be (exit 2)."""

    exit_code = 2


class Refused(Oz0Error):
    """A rule says no (exit 3)."""

    exit_code = 3


class NotFound(Oz0Error):
    """Nothing of that name among what the caller may see (exit 4)."""

    exit_code = 4


class Conflict(Oz0Error):
    """Stale, or in conflict with what was done meanwhile (exit 5)."""

    exit_code = 5


class Forbidden(Oz0Error):
    """Not allowed to this caller (exit 6)."""

    exit_code = 6


class Waiting(Oz0Error):
    """Recorded, and waiting for somebody else or for a later command (exit 7)."""

    exit_code = 7


class Unverified(Oz0Error):
    """A check did not hold (exit 8)."""

    exit_code = 8


class Interrupted(Oz0Error):
    """The person who called ended it (exit 130, as shells have it)."""

    exit_code = 130
