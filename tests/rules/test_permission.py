"""Who may do what (G3)."""

from __future__ import annotations

import pytest

from oz0mem.model.errors import Forbidden
from oz0mem.rules import permission

ROLES = ("admin", "reviewer", "member", "auditor", "host")
TABLE = {
    "govern": "admin",
    "import": "admin",
    "delete_work": "admin",
    "forget_other": "admin",
    "change_other": "admin",
    "upkeep": "admin",
    "review": "admin reviewer",
    "propose": "admin reviewer member",
    "link": "admin reviewer",
    "see_agreed": "admin reviewer",
    "write_work": "admin reviewer",
    "edit_work": "admin reviewer",
    "see_all": "admin reviewer",
    "own": "admin reviewer member",
    "see": "admin reviewer member",
    "audit": "admin reviewer auditor",
    "own_receipt": "admin reviewer member auditor",
    "receipt_other": "admin reviewer auditor",
    "see_rules": "admin reviewer auditor",
    "start": "admin reviewer member host",
}


def test_every_deed_is_in_this_table() -> None:
    """G3: no deed is added without saying here who may do it."""
    assert TABLE.keys() == permission.DEEDS.keys()


@pytest.mark.parametrize("deed", sorted(TABLE))
@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_what_the_table_says_and_nothing_else(role: str, deed: str) -> None:
    """G3: allowed, or refused with the roles that may."""
    able = TABLE[deed].split()
    assert permission.may(role, deed) == (role in able)
    if role in able:
        permission.check(role, deed)
        return
    with pytest.raises(Forbidden) as caught:
        permission.check(role, deed)
    assert (caught.value.code, caught.value.rule) == ("role.forbidden", "G3")
    assert caught.value.facts == {"role": role, "needs": able}
    assert all(name in caught.value.message for name in (role, *able))


@pytest.mark.parametrize(
    ("role", "deed", "begins"), [("auditor", "see", "an auditor"), ("member", "audit", "a member")]
)
def test_a_refusal_says_a_role_with_its_article(role: str, deed: str, begins: str) -> None:
    """C4: a sentence for people."""
    with pytest.raises(Forbidden, match=f"^{begins} may not"):
        permission.check(role, deed)


def test_an_admin_may_all_and_a_host_only_start_jobs() -> None:
    """G2, G3: what a service account of role host can do beside starting jobs is nothing."""
    assert all(permission.may("admin", deed) for deed in TABLE)
    assert [deed for deed in TABLE if permission.may("host", deed)] == ["start"]


@pytest.mark.parametrize("role", ["", "root", "Admin"])
def test_a_role_that_there_is_not_may_nothing(role: str) -> None:
    """G3: only the five roles count."""
    assert not any(permission.may(role, deed) for deed in TABLE)
