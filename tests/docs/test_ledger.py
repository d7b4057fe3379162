"""``docs/ledger.md`` and ``docs/admin.md`` have the program's own tables: events, the record, roles."""

from __future__ import annotations

import re

from oz0mem.model.ledger import ENVELOPE, SCHEMAS
from oz0mem.rules import permission, record
from tests.program import ROOT

LEDGER = (ROOT / "docs/ledger.md").read_text(encoding="utf-8")
ADMIN = (ROOT / "docs/admin.md").read_text(encoding="utf-8")
ROLES = ("admin", "reviewer", "member", "auditor", "host")


def read_rows(page: str, head: str) -> list[list[str]]:
    """The cells of the table that begins with a head line."""
    body = page.split(f"{head}\n", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines()[1:]]


def words(cell: str) -> set[str]:
    return set(re.findall(r"`([a-z0-9_.]+)`", cell))


def test_the_page_has_every_action_with_its_fields() -> None:
    """L2: an event has a closed schema per action."""
    rows = read_rows(LEDGER, "| action | has | may have |")
    told = {row[0].strip("`"): (words(row[1]), words(row[2])) for row in rows}
    assert told == {action: (set(has), set(may)) for action, (has, may) in SCHEMAS.items()}
    assert set(ENVELOPE) <= words(LEDGER)


def test_the_page_has_every_field_of_the_record() -> None:
    """L8: the canonical record of a version."""
    rows = read_rows(LEDGER, "| field | is |")
    assert [row[0].strip("`") for row in rows] == list(record._FIELDS)


def test_the_page_says_what_each_role_may() -> None:
    """G3: the table of roles is the one that the program goes by."""
    rows = read_rows(ADMIN, f"| may | {' | '.join(ROLES)} |")
    told = {row[0]: {role for role, cell in zip(ROLES, row[1:], strict=True) if cell == "yes"} for row in rows}
    assert told == {says: set(roles) for roles, says in permission.DEEDS.values()}
