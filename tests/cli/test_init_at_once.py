"""``init`` by several processes at once, in one home (G1)."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.program import Program

if TYPE_CHECKING:
    from pathlib import Path


def test_init_by_four_at_once_leaves_an_admin_with_a_token(tmp_path: Path) -> None:
    """G1: whichever of them makes the tenant, its token is told and kept; none is made that nobody knows."""
    program = Program(tmp_path)
    words = ("init", "--tenant", "acme", "--admin", "ana", "--json")
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: program.run(*words), range(4)))
    assert [each.returncode for each in done] == [0, 0, 0, 0], [each.stderr for each in done]
    told = {admin["token"] for each in done for admin in json.loads(each.stdout)["admins"]}
    assert len(told) == 1
    who = program.run("whoami", "--json")
    assert (who.returncode, json.loads(who.stdout)["name"]) == (0, "ana")
    assert not list(program.home.rglob("first-tokens.toml"))
