"""``import``: records of another program, held until somebody has read them (5-cli, Import).

Promises that everything is judged before anything is written, that one bad record stops it all unless it is
to be skipped, and that the same file again changes nothing. Leaves reading the formats to the adapters.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import audit, context, gate, similar, versions
from oz0mem.model.declarations import BUILT_IN
from oz0mem.model.entries import BLANK, Entry
from oz0mem.model.errors import Invalid, NotFound, Oz0Error, Refused
from oz0mem.model.kinds import ACTIVE, HELD, KINDS, PROCEDURAL, UNREVIEWED
from oz0mem.model.names import check_scope, check_subject
from oz0mem.model.records import BadRecord, Record
from oz0mem.rules import ends
from oz0mem.rules.arguments import check_key, check_kind, check_reason, check_source, check_tags, check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.settings import Settings

BATCH = 400
"""Records written in one transaction, so that it stays short."""

_NOTED = 100
_KEPT = 20_000
"""Judged records that are kept between the two readings; a longer file is judged again as it is written."""


class Import(NamedTuple):
    """Where records go and how: the agent and scope ('' for the built-in ones), a reason where reviewed already."""

    agent: str = ""
    scope: str = ""
    reviewed: bool = False
    reason: str = ""
    skip_bad: bool = False
    dry_run: bool = False


class Imported(NamedTuple):
    """Counts, the first bad records with their lines, and fields that had no place."""

    imported: int
    existing: int
    bad: int
    notes: list[tuple[int, str]]
    left_out: dict[str, int]
    dry_run: bool


class Judged(NamedTuple):
    """A record as the entry it would be, and what it resembles."""

    line: int
    entry: Entry


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
        Refused: ``memory.cap`` where a scope would not hold them all; nothing is imported then.
    """
    gate.scan({"reason": asked.reason})
    if asked.reviewed or asked.reason:
        check_reason(asked.reason)
    caller, settings, now = ctx.read(lambda desk: _allowed(desk, ctx, asked))
    counts = Imported(0, 0, 0, [], {}, asked.dry_run)
    judged: list[Judged] | None
    counts, sizes, judged = _judge_all(opened(), asked, caller, settings, now, counts)
    ctx.read(lambda desk: _check_caps(desk, settings, sizes))
    if asked.dry_run:
        return counts._replace(imported=sum(entries for entries, _ in sizes.values()))
    again = _judge_each(opened(), asked, caller, settings, now) if judged is None else judged
    return _write_all(ctx, again, asked, caller, settings, counts, progress)


def _allowed(desk: Desk, ctx: Context, asked: Import) -> tuple[Caller, Settings, int]:
    caller = context.person_of(desk, ctx, "import")
    gate.scan_own(desk, {"reason": asked.reason})
    if asked.agent and asked.agent != BUILT_IN and desk.identity.agent(asked.agent) is None:
        raise NotFound(
            "agent.unknown", "no agent of that name is declared", hint="oz0mem agent list", rule="G2"
        )
    if asked.scope and check_scope(asked.scope)[0] == "thread":
        raise Refused(
            "memory.scope", "an import goes to an agent's, a project's or the tenant's scope", rule="G4"
        )
    return caller, context.settings_of(desk), desk.now


def _judge_all(
    records: Iterable[Record | BadRecord],
    asked: Import,
    caller: Caller,
    settings: Settings,
    now: int,
    counts: Imported,
) -> tuple[Imported, dict[str, tuple[int, int]], list[Judged] | None]:
    kept: list[Judged] | None = []
    bad, left_out = 0, dict(counts.left_out)
    notes: list[tuple[int, str]] = []
    sizes: dict[str, tuple[int, int]] = {}
    for record in records:
        try:
            judged = _judge(record, asked, caller, settings, now)
        except Oz0Error as error:
            if not asked.skip_bad:
                raise _bad(record.line, error) from None
            bad += 1
            notes += [(record.line, error.message)] if len(notes) < _NOTED else []
            continue
        assert isinstance(record, Record)  # a bad one was refused
        for field in record.left_out:
            left_out[field] = left_out.get(field, 0) + 1
        if kept is not None:
            kept.append(judged)
            kept = kept if len(kept) <= _KEPT else None
        entries, size = sizes.get(judged.entry.scope, (0, 0))
        sizes[judged.entry.scope] = (entries + 1, size + len(judged.entry.text.encode()))
    return counts._replace(bad=bad, notes=notes, left_out=left_out), sizes, kept


def _bad(line: int, error: Oz0Error) -> Invalid:
    return Invalid(
        "import.bad",
        f"line {line}: {error.message}; nothing was imported",
        hint="mend the file, or leave such records out with --skip-bad",
        rule=error.rule,
        line=line,
        why=error.code,
    )


def _judge(record: Record | BadRecord, asked: Import, caller: Caller, settings: Settings, now: int) -> Judged:
    """A record as an entry.

    Raises:
        Oz0Error: why it is none.
    """
    if isinstance(record, BadRecord):
        raise Invalid("import.record", record.why, rule="M1", field=record.field)
    words = {"text": record.text, "key": record.key, "tags": record.tags, "source": record.source or {}}
    resembles = gate.scan({**words, "about": record.about})
    kind = check_kind(record.kind)
    about = record.about if record.about == "work" else check_subject(record.about)
    _check_kind(kind, about)
    if record.when is not None and record.when > now:
        raise Invalid("import.when", "it was written in the future", rule="M6")
    own = f"agent:{asked.agent or BUILT_IN}"
    scope = own if about != "work" or KINDS[kind].learned else asked.scope or "tenant"
    held = [] if asked.reviewed else ["import"]
    held += ["scan"] if resembles else []
    entry = BLANK._replace(
        kind=kind,
        text=check_text(record.text, kind),
        about=about,
        scope=scope,
        key=check_key(record.key) if record.key else "",
        tags=check_tags(list(record.tags)),
        source=check_source(record.source) if record.source else {},
        tier=UNREVIEWED,
        state=HELD if held else ACTIVE,
        held=",".join(sorted(held, reverse=True)),
        agent=asked.agent or BUILT_IN,
        by=caller.name,
        origin="import",
        created=record.when or now,
        ends=ends.ends_at(kind, UNREVIEWED, about != "work", now, record.ends, settings, None),
    )
    return Judged(record.line, entry)


def _check_kind(kind: str, about: str) -> None:
    if KINDS[kind].proposal:
        raise Refused("memory.kind_later", f"no {kind} can be proposed in this version", rule="M14")
    if kind == PROCEDURAL and about != "work":
        raise Refused("memory.about", "a procedure is never about anybody", rule="M4")
    if KINDS[kind].learned and kind != PROCEDURAL and about == "work":
        raise Refused("memory.about", f"a {kind} entry is about a person, and it names none", rule="M4")


def _check_caps(desk: Desk, settings: Settings, sizes: dict[str, tuple[int, int]]) -> None:
    for scope, (entries, size) in sizes.items():
        versions.check_caps(desk, settings, scope, entries, size)


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

        def act(desk: Desk, batch: list[Judged] = batch) -> tuple[int, int, list[tuple[int, str]]]:
            context.person_of(desk, ctx, "import")
            return _write_batch(desk, caller, settings, asked, batch)

        imported, existing, notes = ctx.write(act)
        counts = counts._replace(
            imported=counts.imported + imported,
            existing=counts.existing + existing,
            bad=counts.bad + len(notes),
            notes=(counts.notes + notes)[:_NOTED],
        )
        if progress is not None:
            progress(counts.imported + counts.existing + counts.bad)
    return counts


def _judge_each(
    records: Iterable[Record | BadRecord], asked: Import, caller: Caller, settings: Settings, now: int
) -> Iterator[Judged]:
    """Judge a file again as it is written; what was bad before is bad again and was counted then."""
    for record in records:
        try:
            yield _judge(record, asked, caller, settings, now)
        except Oz0Error as error:
            if not asked.skip_bad:
                raise _bad(record.line, error) from None


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
) -> tuple[int, int, list[tuple[int, str]]]:
    actor = context.actor(desk, caller)
    tell = cache(lambda: audit.reasoned(desk, asked.reason))
    imported, existing, notes = 0, 0, []
    for judged in batch:
        try:
            _check_in_store(desk, judged.entry)
            written = _write(desk, settings, judged.entry, actor, tell)
        except Oz0Error as error:
            if not asked.skip_bad:
                raise _bad(judged.line, error) from None
            notes.append((judged.line, error.message))
            continue
        imported, existing = imported + written, existing + (not written)
    return imported, existing, notes


def _check_in_store(desk: Desk, entry: Entry) -> None:
    gate.scan_own(desk, {"text": entry.text, "key": entry.key, "tags": entry.tags, "source": entry.source})
    if not entry.about_person:
        return
    known = desk.names.folded(context.PERSON, entry.about)
    if known and known != entry.about:
        raise Refused(
            "name.spelling",
            f"that person is known by another spelling: {known}",
            rule="M4",
            hint=f"use {known}",
        )


def _write(
    desk: Desk,
    settings: Settings,
    entry: Entry,
    actor: dict[str, object],
    tell: Callable[[], dict[str, str]],
) -> bool:
    """Write one record, unless the same is there (M2); an older fact goes behind the one that is there (M11)."""
    place, _, about, _ = desk.entries.place(entry.scope, entry.about, entry.purpose)
    if similar.existing(desk, entry, place, about) is not None:
        return False
    others = versions.replaced_by_key(desk, entry) if entry.state == ACTIVE else []
    newer = [other for other in others if other.created > entry.created]
    older = [other for other in others if other.created <= entry.created]
    if versions.preserved(desk, older):
        entry, older, newer = entry._replace(state=HELD, held="legal_hold"), [], []
    size = len(entry.text.encode()) + sum(len(other.text.encode()) for other in older)
    versions.check_caps(desk, settings, entry.scope, 1, size)
    first = entry._replace(replaces=older[0].id if older else "")
    written = versions.write_first(desk, first, actor, "memory.imported", **tell())
    versions.close_replaced(desk, older, written, actor)
    if newer:
        versions.close_replaced(desk, [written], newer[0], actor, at=newer[0].created)
    return True
