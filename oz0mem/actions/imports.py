"""``import``: records of another program, held until somebody has read them (5-cli, Import).

Promises that everything is judged before anything is written, that one bad record stops it all unless it is
to be skipped, and that the same file again changes nothing. Leaves reading the formats to the adapters and
judging to ``judging``.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import audit, context, gate, judging, refusals, replacing, versions
from oz0mem.actions.judging import NOTED, Import, Judge, Judged
from oz0mem.model.declarations import BUILT_IN, from_document
from oz0mem.model.errors import Forbidden, NotFound, Oz0Error, Refused
from oz0mem.model.kinds import ACTIVE, DEFINITION, HELD
from oz0mem.model.names import check_scope
from oz0mem.rules.arguments import check_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.declarations import Keeping
    from oz0mem.model.entries import Entry
    from oz0mem.model.records import BadRecord, Record
    from oz0mem.model.settings import Settings

__all__ = ["Import", "Imported", "import_records"]

BATCH = 400
"""Records written in one transaction, so that it stays short."""


class Imported(NamedTuple):
    """Counts, the first bad records with their lines, and fields that had no place."""

    imported: int
    existing: int
    bad: int
    notes: list[tuple[int, str]]
    left_out: dict[str, int]
    dry_run: bool
    history: int = 0
    """Of the imported, those that a newer fact with their key had replaced already."""


@refusals.told("import")
def import_records(
    ctx: Context,
    opened: Callable[[], Iterable[Record | BadRecord]],
    asked: Import,
    progress: Callable[[int], None] | None = None,
) -> Imported:
    """Import records; they are read twice, first to judge and then to write.

    Args:
        ctx: an admin.
        opened: reads the records from the beginning.
        asked: where to and how.
        progress: told how many records were written so far.

    Raises:
        Invalid: ``import.bad`` with the line of the first bad record, unless they are skipped.
        Refused: by the rule that refuses a record, likewise.
        Refused: ``memory.cap`` where a scope would not hold them all; nothing is imported then.
    """
    gate.scan({"reason": asked.reason, "agent": asked.agent, "scope": asked.scope})
    if asked.reviewed or asked.reason:
        check_reason(asked.reason)

    def read(desk: Desk) -> Judge:
        caller, settings = _allowed(desk, ctx, asked)
        judge = Judge(desk, asked._replace(keeping=_keeping(desk, asked.agent)), caller, settings)
        judge.read(opened())
        return judge

    judge = ctx.read(read)
    asked = judge.asked
    counts = Imported(0, 0, len(judge.bad), judge.notes, judge.left_out, asked.dry_run)
    if asked.dry_run:
        return counts._replace(imported=judge.imported, existing=judge.existing)
    again = _judge_each(opened(), judge) if judge.kept is None else judge.kept
    return _write_all(ctx, again, asked, judge.caller, judge.settings, counts, progress)


def _allowed(desk: Desk, ctx: Context, asked: Import) -> tuple[Caller, Settings]:
    caller = context.person_of(desk, ctx, "import")
    gate.scan_own(desk, {"reason": asked.reason, "agent": asked.agent, "scope": asked.scope})
    kind, name = check_scope(asked.scope) if asked.scope else ("tenant", "")
    for agent in (asked.agent, name if kind == "agent" else ""):
        if agent and agent != BUILT_IN and desk.identity.agent(agent) is None:
            raise NotFound("agent.unknown", "no agent of that name is declared", hint="oz0mem agent list", rule="G2")
    if kind == "thread":
        raise Refused("memory.scope", "an import goes to an agent's, a project's or the tenant's scope", rule="G4")
    settings = context.settings_of(desk)
    if asked.reviewed and settings.review == "all" and not desk.head.solo:
        raise Forbidden(
            "review.own",
            "where review is `all`, an importer does not confirm what they import",
            hint="leave --reviewed out; another reviewer confirms it",
            rule="M32",
        )
    return caller, settings


def _keeping(desk: Desk, agent: str) -> Keeping | None:
    """What a declared agent keeps, None for the built-in one, which keeps every kind."""
    document = desk.identity.agent(agent) if agent and agent != BUILT_IN else None
    return from_document(document).memory if document else None


def _write_all(
    ctx: Context,
    records: Iterable[Judged],
    asked: Import,
    caller: Caller,
    settings: Settings,
    counts: Imported,
    progress: Callable[[int], None] | None,
) -> Imported:
    for batch in _batches(records):

        def act(desk: Desk, batch: list[Judged] = batch) -> tuple[Counter[str], list[tuple[int, str]]]:
            context.person_of(desk, ctx, "import")
            return _write_batch(desk, caller, settings, asked, batch)

        written, notes = ctx.write(act)
        counts = counts._replace(
            imported=counts.imported + written["new"] + written["history"],
            history=counts.history + written["history"],
            existing=counts.existing + written[""],
            bad=counts.bad + len(notes),
            notes=(counts.notes + notes)[:NOTED],
        )
        if progress is not None:
            progress(counts.imported + counts.existing + counts.bad)
    return counts


def _judge_each(records: Iterable[Record | BadRecord], judge: Judge) -> Iterator[Judged]:
    """Judge a file again as it is written; what was bad before was counted then."""
    known = set(judge.bad)
    for record in records:
        if record.line not in known:
            try:
                yield judging.judge(record, judge.asked, judge.caller, judge.settings, judge.desk.now)
            except Oz0Error as error:
                raise judging.bad(record.line, error) from None


def _batches(records: Iterable[Judged]) -> Iterator[list[Judged]]:
    batch: list[Judged] = []
    for judged in records:
        batch.append(judged)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _write_batch(
    desk: Desk, caller: Caller, settings: Settings, asked: Import, batch: list[Judged]
) -> tuple[Counter[str], list[tuple[int, str]]]:
    actor = context.actor(desk, caller)
    tell = cache(lambda: audit.reasoned(desk, asked.reason))
    written: Counter[str] = Counter()
    notes: list[tuple[int, str]] = []
    for judged in batch:
        try:
            judging.check_in_store(desk, judged.entry)
            written[_write(desk, settings, judged, actor, tell)] += 1
        except Oz0Error as error:
            if not asked.skip_bad:
                raise judging.bad(judged.line, error) from None
            notes.append((judged.line, error.message))
    return written, notes


def _write(
    desk: Desk,
    settings: Settings,
    judged: Judged,
    actor: dict[str, object],
    tell: Callable[[], dict[str, str]],
) -> str:
    """Write one record, unless the same is there (M2); an older fact goes behind the newer one (M11).

    Returns:
        ``new``, ``history`` where a newer fact was there, or '' where the same was.
    """
    entry: Entry = judged.entry
    if judging.is_there(desk, judged):
        return ""
    others = replacing.replaced_by_key(desk, entry) if entry.state == ACTIVE else []
    newer = [other for other in others if other.created > entry.created]
    older = [other for other in others if other.created <= entry.created]
    if replacing.preserved(desk, older):
        entry, older, newer = entry._replace(state=HELD, held="legal_hold"), [], []
    # A newer proposal for a term ends the older (M13); one under a legal hold is not replaced (G40).
    proposed = replacing.proposed_by_key(desk, entry) if entry.kind == DEFINITION else []
    waiting = [other for other in proposed if other.created <= entry.created]
    newer = newer or [other for other in proposed if other.created > entry.created]
    replacing.check_preserved(desk, waiting)
    older = [*older, *waiting]
    closing = [entry] if newer else []
    size = sum(len(each.text.encode()) for each in (entry, *older, *closing))
    versions.check_caps(desk, settings, entry.scope, 1, size)
    first = entry._replace(replaces=older[0].id if older and not waiting else "")
    written = versions.write_first(desk, first, actor, "memory.imported", **tell())
    replacing.close_replaced(desk, older, written, actor)
    if newer:
        at = versions.in_force_from(desk, newer[0])
        replacing.close_replaced(desk, [written], newer[0], actor, at=at)
    return "history" if newer else "new"
