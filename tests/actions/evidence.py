"""What tests look at behind the actions, and do there: rows by SQL, legal holds, events, bytes."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from oz0mem.model.errors import Oz0Error
from oz0mem.model.names import OF_PERSON, OF_SCOPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.model.entries import Entry
    from tests.actions.world import World

TOKEN = "gh" + "p_" + "x7Kq2mVb9RtLw4Zp8NcYs1Dd6HfJg3QaEu5W"
"""A secret in a known format (M8), made up."""
RESEMBLING = "the db password is S3cure" + "!Pass"
"""What merely resembles a secret (M8)."""


class Outcome(NamedTuple):
    """How a refusal told itself."""

    code: str
    rule: str
    facts: dict[str, Any]
    said: str


def refused(act: Callable[[], object]) -> Outcome:
    """The refusal of an act that has to be refused."""
    with pytest.raises(Oz0Error) as caught:
        act()
    error = caught.value
    return Outcome(error.code, error.rule, dict(error.facts), f"{error.message} {error.hint} {error.facts}")


def run_sql(world: World, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a statement past the program, as somebody with the file or the database would."""
    raw, back = world.store.connection(), world.store.back
    back.begin(raw, write=True, durable=False)
    ran = raw.execute(back.statement(statement), values)
    rows = ran.fetchall() if ran.description else []
    back.commit(raw)
    return [tuple(row) for row in rows]


def number_of(world: World, kind: int, name: str) -> int:
    """The number of a name."""
    return world.store.read(world.now, lambda desk: desk.names.find(kind, name))


def place_hold(
    world: World, *, entry: Entry | None = None, about: str = "", scope: str = "", everything: bool = False
) -> str:
    """Place a legal hold by SQL, as governance will; answers its id."""
    made = f"h-{secrets.token_hex(6)}"
    number = run_sql(world, "SELECT next FROM head WHERE tenant = 1")[0][0]
    run_sql(world, "UPDATE head SET holds = 1, next = next + 1 WHERE tenant = 1")
    run_sql(
        world,
        "INSERT INTO hold (tenant, num, id, about, scope, entry, everything, body, placed, lifted)"
        " VALUES (1, ?, ?, ?, ?, ?, ?, 0, ?, 0)",
        number,
        made,
        number_of(world, OF_PERSON, about) if about else 0,
        number_of(world, OF_SCOPE, scope) if scope else 0,
        entry.numbers.entry if entry else 0,
        int(everything),
        world.now,
    )
    return made


def lift_holds(world: World) -> None:
    """Lift every legal hold by SQL."""
    run_sql(world, "UPDATE hold SET lifted = ? WHERE tenant = 1", world.now)


def alter(world: World, entry: Entry, text: str = "") -> None:
    """Change a row behind the ledger: its text, or else its end."""
    if not text:
        run_sql(world, "UPDATE version SET ends = ends + 1 WHERE tenant = 1 AND id = ?", entry.id)
        return
    body = entry.numbers.body
    content = run_sql(world, "SELECT content FROM body WHERE tenant = 1 AND num = ?", body)[0][0]
    document = json.loads(bytes(content)) | {"text": text}
    run_sql(world, "UPDATE body SET content = ? WHERE tenant = 1 AND num = ?", json.dumps(document).encode(), body)


def restrict(world: World, entry: Entry) -> None:
    """Restrict an entry as forget does under a hold (G43), whomever it is about."""
    from oz0mem.actions import context, versions

    world.store.write(
        world.now,
        lambda desk: versions.write_next(desk, entry, context.SYSTEM, "memory.restricted", restricted=True),
    )


def newest(world: World, entry: Entry) -> Entry:
    """An entry as it stands now."""
    found = world.store.read(world.now, lambda desk: desk.entries.by_id(entry.id))
    assert found is not None
    return found


def entries_of(world: World) -> list[tuple[str, int, int]]:
    """Every version that there is: id, version, state as it is numbered."""
    rows = run_sql(world, "SELECT id, v, state FROM version WHERE tenant = 1 ORDER BY entry, v")
    return [(row[0], row[1], row[2]) for row in rows]


def events(world: World, action: str = "") -> list[dict[str, Any]]:
    """Events of the ledger, oldest first; of one action where it is named, else all but told refusals."""
    rows = run_sql(world, "SELECT body FROM event WHERE tenant = 1 ORDER BY idx")
    told = [json.loads(bytes(row[0])) for row in rows]
    return [
        each for each in told if each["action"] == action or (not action and each["action"] != "plugin.records.refused")
    ]


def stored_bytes(world: World) -> bytes:
    """Every byte of the embedded store's files."""
    path = world.store.back.path  # type: ignore[union-attr]  # asked of SQLite worlds alone
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(path.name + "*")) if file.is_file())
