"""Q15: with every logger at DEBUG and every warning on, nothing that is remembered, asked or named is told.

Promises both back ends; logs, warnings, refusals with their tracebacks, and what the machine shows of a
process. Leaves the command line, which is given its arguments by whoever may read them, to ``tests/cli``.
"""

from __future__ import annotations

import logging
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.actions import (
    acceptance,
    accepting,
    approvals,
    auditing,
    changed,
    corrections,
    defining,
    editing,
    entries,
    facts,
    forget,
    governance,
    imports,
    jobs,
    links,
    listing,
    principals,
    recall,
    retiring,
    superseding,
    upkeep,
)
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede
from oz0mem.model.errors import Oz0Error
from oz0mem.model.filters import Filter
from oz0mem.model.records import Record
from tests.actions.world import World
from tests.reliability import soundness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SAID = (
    "quokkatext",
    "numbatkey",
    "bilbytag",
    "potorooreason",
    "echidnaquestion",
    "wombatpath",
    "dugongname",
    "kowarisubject",
    "taipanthread",
)
"""A word in each thing that is remembered, asked or named."""
SECRET = "sk-" + "ant-api03-" + "A1b2C3d4" * 11 + "AAAA"


class Everything(logging.Handler):
    """Keeps what every logger says, formatted with its arguments and its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(f"{record.name}: {self.format(record)} {record.args!r}")


@pytest.fixture
def heard() -> Iterator[list[str]]:
    """Everything that is logged while the test runs, by whatever logger there is or comes to be."""
    handler = Everything()
    root = logging.getLogger()
    levels = {root: root.level}
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    for name in ["sqlalchemy.engine", "sqlalchemy.pool", "alembic", "psycopg", *root.manager.loggerDict]:
        logger = logging.getLogger(name)
        levels[logger] = logger.level
        logger.setLevel(logging.DEBUG)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        yield handler.said
        handler.said.extend(str(warning.message) for warning in warned)
    root.removeHandler(handler)
    for logger, level in levels.items():
        logger.setLevel(level)


def assert_silent(told: list[str]) -> None:
    """Hold what was told to Q15."""
    text = "\n".join(told)
    assert not [word for word in (*SAID, SECRET) if word in text.casefold() or word in text]


def live(world: World) -> None:
    """Do everything once, with a word to listen for in each argument."""
    world.declare()
    told = world.learn("Dana likes quokkatext", key="numbatkey", tags=("bilbytag",)).entry
    held = world.learn("Dana saw quokkatext elsewhere", sees="published").entry
    note = world.note("Work on quokkatext", source={"path": "wombatpath"}, reason="potorooreason").entry
    world.add("dugongname", "reviewer")
    records = [Record(1, "Somebody told quokkatext", about="kowarisubject")]
    imports.import_records(world.ana, lambda: records, imports.Import())
    acceptance.confirm(world.dana, held.id, "potorooreason")
    editing.edit(world.dana, told.id, "Dana likes quokkatext no more", "potorooreason")
    corrections.renew(world.ana, note.id, 30, reason="potorooreason")
    corrections.move(world.ana, note.id, "project:web/wombatpath", "potorooreason")
    job = world.job(world.dana, thread="taipanthread")
    recall.recall(job, recall.Recall("echidnaquestion quokkatext"))
    listing.list_entries(world.ana, Filter(), search="echidnaquestion quokkatext")
    facts.history(world.dana, "concierge", "numbatkey")
    governance.set_settings(world.ana, {"max_records": 100}, "potorooreason")
    defining.define(world.ana, Define("numbatkey", "quokkatext of a term", reason="potorooreason"))
    proposed = entries.remember(world.ana, Remember("quokkatext decided", kind="decision", key="numbatkey")).entry
    accepting.accept(world.ana, Accept(proposed.id, 1, "quokkatext decided", reason="potorooreason"))
    superseding.supersede(world.ana, Supersede(proposed.id, 2, "quokkatext decided anew", tags=("bilbytag",)))
    changed.changed_since(world.job(world.dana))
    governance.add_secret(world.ana, "dugongname-is-a-secret-word", "potorooreason")
    retiring.retire(world.ana, note.id, "potorooreason")
    forget.forget(world.ana, "kowarisubject", reason="potorooreason")
    forget.delete(world.dana, held.id, "potorooreason")
    upkeep.upkeep(world.ana)
    assert auditing.check(world.ana, contents=True).problems == []


def refusals(world: World) -> list[Callable[[], Any]]:
    """Calls that are refused, each with words to listen for in what is refused."""
    ana, dana = world.ana, world.dana
    job = world.job(dana)
    bad = [Record(1, "quokkatext", about="kowari:subject")]
    return [
        lambda: world.note(f"quokkatext {SECRET}"),
        lambda: world.note("quokkatext\x00"),
        lambda: world.note("quokkatext" * 2_000),
        lambda: world.note("quokkatext", tags=("bilbytag" * 20,)),
        lambda: world.note("quokkatext", key="numbatkey" * 40),
        lambda: world.note("quokkatext", kind="semantic"),
        lambda: world.note("quokkatext", about="kowarisubject"),
        lambda: world.note("quokkatext", source={"path": "wombatpath" * 200}),
        lambda: world.note("quokkatext", ends=1),
        lambda: entries.remember(job, Remember("quokkatext", about="kowarisubject", kind="semantic")),
        lambda: entries.remember(job, Remember("quokkatext", kind="rule", about="kowarisubject")),
        lambda: superseding.supersede(job, Supersede("n-000000000000", 1, "quokkatext")),
        lambda: accepting.accept(job, Accept("d-000000000000", 1, "quokkatext", "numbatkey")),
        lambda: defining.define(ana, Define("numbatkey" * 40, "quokkatext")),
        lambda: links.link(ana, "n-000000000000", "supports", "n-000000000001", "potorooreason"),
        lambda: changed.changed_since(job, "echidnaquestion"),
        lambda: approvals.deny(ana, "ap-000000000000", "potorooreason"),
        lambda: recall.recall(job, recall.Recall("echidnaquestion", match="echidnaquestion")),
        lambda: listing.list_entries(dana, Filter(about="kowarisubject"), search="echidnaquestion"),
        lambda: facts.history(ana, "concierge", "numbatkey", "nobody"),
        lambda: forget.forget(dana, "kowarisubject"),
        lambda: forget.delete(ana, "n-000000000000", "potorooreason"),
        lambda: imports.import_records(ana, lambda: bad, imports.Import()),
        lambda: principals.add(ana, "dana", "member", f"potorooreason {SECRET}"),
        lambda: jobs.start(dana, jobs.Start("concierge", purpose="taipanthread")),
    ]


def test_no_log_and_no_warning_tells_what_is_remembered(store_url: str, heard: list[str]) -> None:
    """Q15: every deed once, governance and migrations too, with all loggers at DEBUG."""
    world = World(store_url)
    live(world)
    for refused in refusals(world):
        with pytest.raises(Oz0Error):
            refused()
    shown = shown_by_the_machine(world)
    world.store.close()
    assert heard, "nothing was heard, so nothing is proved"
    assert_silent(heard)
    assert_silent(shown)


def without_source(told: traceback.TracebackException | None) -> list[str]:
    """What a traceback tells beside lines of source, which here are this test's own words; causes too."""
    if told is None:
        return []
    own = [*told.format_exception_only()]
    return own + without_source(told.__cause__) + without_source(told.__context__)


def shown_by_the_machine(world: World) -> list[str]:
    """What a list of processes shows: the title of this one, and what the server says it is doing."""
    titles = [Path("/proc/self/comm").read_text()] if Path("/proc/self/comm").exists() else []
    if world.url.startswith("postgresql"):
        titles += [str(row) for row in soundness.rows(world.store, "SELECT * FROM pg_stat_activity")]
    return titles


def test_no_refusal_tells_what_it_refuses(store_url: str) -> None:
    """Q15, M8: neither the error, nor its facts, nor its traceback has a word of the arguments."""
    world = World(store_url)
    world.declare()
    for refused in refusals(world):
        with pytest.raises(Oz0Error) as raised:
            refused()
        error = raised.value
        told = [str(error), repr(error), error.hint, repr(error.facts)]
        assert_silent([*told, *without_source(traceback.TracebackException.from_exception(error))])
    world.store.close()


@pytest.mark.parametrize("table", ["name", "setting", "principal", "reason", "word", "event"])
def test_no_fault_of_the_store_tells_what_was_sent_to_it(store_url: str, table: str) -> None:
    """Q12, Q15: a statement that fails is told without its values, in the whole traceback too."""
    world = World(store_url)
    world.declare()
    raw = world.store.connection()
    raw.execute(f"ALTER TABLE {table} RENAME TO gone")
    if world.url.startswith("postgresql"):
        raw.commit()
    for act in (
        lambda: world.note("quokkatext", key="numbatkey", reason="potorooreason"),
        lambda: principals.add(world.ana, "dugongname", "member", "potorooreason"),
        lambda: governance.set_settings(world.ana, {"max_records": 100}, "potorooreason"),
    ):
        try:
            act()
        except Exception as error:
            assert_silent(without_source(traceback.TracebackException.from_exception(error)))
            assert isinstance(error, Oz0Error)
    world.store.close()
