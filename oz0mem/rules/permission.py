"""What a role may do (G3).

Promises one table from deed to roles; a refusal names the roles that may. Leaves what a deed is about (a
member's own entries only) to the actions, which say so by the deed's name.
"""

from __future__ import annotations

from typing import Final

from oz0mem.model.errors import Forbidden
from oz0mem.model.names import with_article

ADMIN: Final = ("admin",)
REVIEWING: Final = ("admin", "reviewer")
THEMSELVES: Final = ("admin", "reviewer", "member")
AUDITING: Final = ("admin", "reviewer", "auditor")
STARTING: Final = ("admin", "reviewer", "member", "host")

DEEDS: Final = {
    "govern": (ADMIN, "change settings, principals and agents"),
    "import": (ADMIN, "import"),
    "delete_work": (ADMIN, "delete an entry about work"),
    "forget_other": (ADMIN, "make every agent forget somebody else"),
    "change_other": (ADMIN, "delete or edit an entry about somebody else"),
    "upkeep": (ADMIN, "run upkeep"),
    "review": (REVIEWING, "confirm, reject, accept, approve, retire, renew or move"),
    "propose": (THEMSELVES, "propose a decision, a definition or a rule"),
    "link": (REVIEWING, "propose, confirm or reject links between entries"),
    "see_agreed": (REVIEWING, "read links and the calls that wait"),
    "write_work": (REVIEWING, "write a note about work as themself"),
    "edit_work": (REVIEWING, "edit an entry about work"),
    "own": (THEMSELVES, "see, confirm, edit, delete or forget what is about themself"),
    "see": (THEMSELVES, "see what is remembered"),
    "see_all": (REVIEWING, "see everybody's entries"),
    "audit": (AUDITING, "read the ledger"),
    "own_receipt": (("admin", "reviewer", "member", "auditor"), "take a receipt about themself"),
    "receipt_other": (AUDITING, "take a receipt about somebody else"),
    "see_rules": (("admin", "reviewer", "auditor"), "see settings, principals and agents"),
    "start": (STARTING, "start a job"),
}
"""Deed to the roles that may do it, and how a sentence says it."""


def may(role: str, deed: str) -> bool:
    """Whether a role may do a deed."""
    return role in DEEDS[deed][0]


def check(role: str, deed: str) -> None:
    """Refuse a deed that the role may not do.

    Raises:
        Forbidden: ``role.forbidden``, rule G3, naming the roles that may.
    """
    roles, words = DEEDS[deed]
    if role not in roles:
        able = " or ".join(roles)
        raise Forbidden(
            "role.forbidden",
            f"{with_article(role)} may not {words}; a principal of role {able} may",
            hint=f"ask a principal of role {able}",
            rule="G3",
            role=role,
            needs=list(roles),
        )
