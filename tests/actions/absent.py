"""People who are remembered and are no principals: their names can go (L4)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from oz0mem.actions import auditing, imports, jobs
from oz0mem.model.names import OF_PERSON
from oz0mem.model.records import Record
from tests.actions.evidence import number_of, run_sql

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from tests.actions.world import World

NAME = "Zo\u00eb-4711"
"""A name of more than letters, whose spellings differ."""


def remember(world: World, *texts: str, about: str = NAME) -> list[str]:
    """Import entries about somebody, as another program kept them; answers every id about them."""
    records = [Record(line, text, about=about, kind="semantic") for line, text in enumerate(texts, 1)]
    imports.import_records(world.ana, lambda: records, imports.Import())
    number = number_of(world, OF_PERSON, about)
    rows = run_sql(world, "SELECT id FROM version WHERE tenant = 1 AND newest = 1 AND about = ? ORDER BY entry", number)
    return [row[0] for row in rows]


def job_about(world: World, about: str = NAME) -> tuple[str, Context]:
    """Start a job about somebody, in a thread, that has read something; answers its id and the context acting as it."""
    asked = jobs.Start("concierge", "customer-support", about=about, thread="call-4711-zoe", sees="person")
    started = jobs.start(world.ana, asked)
    jobs.read(world.ana, started.record.id, "crm://contacts/4711", published=True)
    return started.record.id, world.context(job=started.token)


def caller_of(about: str = NAME, call_id: str = "once") -> str:
    """What a call of such a job is remembered by, for somebody who knows all but the person."""
    return json.dumps(["concierge", "ana", "customer-support", about, call_id])


def assert_sound(world: World) -> None:
    """The ledger checks, contents and all."""
    assert auditing.check(world.ana, contents=True).problems == []
