"""A call that happens once (M9).

Promises that a retry with the same call id answers what the first try answered, by ids read again, and that
the same id with other arguments is refused. Leaves what the call does to its action.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

from oz0mem.model.errors import Conflict, Invalid
from oz0mem.model.names import OF_PERSON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk

_LONGEST = 200


def caller_key(caller: Caller, call_id: str) -> str:
    """Who calls, for which purpose and person, with which id: what a call is remembered by."""
    job = caller.job
    who = [job.agent, job.starter, job.purpose, job.about] if job else ["", caller.name, "", ""]
    return json.dumps([*who, call_id])


def digest_of(desk: Desk, function: str, arguments: Mapping[str, Any]) -> str:
    """A keyed digest of a call's arguments, so that nobody guesses them from it."""
    plain = json.dumps([function, arguments], sort_keys=True, default=str)
    return hmac.new(desk.head.hash_key, plain.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def check_call_id(call_id: str) -> str:
    """A call id that can be remembered.

    Raises:
        Invalid: ``call.id`` where it is blank or longer than 200 characters.
    """
    if not call_id.strip() or len(call_id) > _LONGEST or not call_id.isprintable():
        raise Invalid("call.id", f"a call id has 1 to {_LONGEST} characters to be seen", hint="use a UUID", rule="M9")
    return call_id


def keep(
    desk: Desk, caller: Caller, call_id: str, answer: Mapping[str, Any], *, entry: int = 0, about: int = 0
) -> None:
    """Note what a call answered; it goes with its entry, and with the person whom it or its job is about (G41).

    What a call is remembered by has that person's name in it, so it stays no longer than the name may. Without a call
    id it is found by the digest of its arguments.
    """
    if not about and caller.job is not None and caller.job.about:
        about = desk.names.find(OF_PERSON, caller.job.about)
    key = caller_key(caller, call_id) if call_id else _implied_key(caller, str(answer["digest"]))
    desk.calls.note(key, dict(answer), entry=entry, about=about)


def implied(desk: Desk, caller: Caller, digest: str) -> dict[str, Any]:
    """What was noted of a call without an id, by its arguments alone; {} where it is new."""
    return desk.calls.find(_implied_key(caller, digest))


def _implied_key(caller: Caller, digest: str) -> str:
    # Jobs that read something else never find each other's calls by what they say (M20, M25).
    job = caller.job
    beside = [job.compartments, job.projects, job.thread] if job is not None else []
    return caller_key(caller, "") + json.dumps([*beside, digest])


def answered(desk: Desk, caller: Caller, call_id: str, digest: str) -> dict[str, Any]:
    """What was noted of this call, {} where it is new.

    Raises:
        Conflict: ``call.reused`` where the id came with other arguments before.
    """
    noted = desk.calls.find(caller_key(caller, call_id))
    # The digest of a text that a person rewrote went with it (4.5): what came of the call is all that is left.
    if "digest" in noted and not hmac.compare_digest(str(noted["digest"]), digest):
        raise reused()
    return noted


def reused() -> Conflict:
    """The refusal of a call id that stands for another call."""
    return Conflict(
        "call.reused",
        "this call id was used before with other arguments; nothing was written",
        hint="use a fresh call id for another call",
        rule="M9",
    )
