"""``remember``: a text kept, or a refusal with its reason (M1 to M11, M30).

Promises that a write is judged whole before anything is written (M16), that nothing of a refused one is
stored (M8), and that a retry writes once (M9). Leaves writing the version to ``versions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context, gate, integrity, labels, once, refusals, sight, similar, versions
from oz0mem.actions.audit import reasoned
from oz0mem.actions.draft import Draft, draft_of
from oz0mem.model.errors import Refused
from oz0mem.model.kinds import ACTIVE, ERASED, HELD, PERSON
from oz0mem.rules import lifecycle, walls
from oz0mem.rules.arguments import (
    check_key,
    check_kind,
    check_reason,
    check_source,
    check_tags,
    check_text,
    check_valid,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


class Remember(NamedTuple):
    """The arguments of ``remember`` (M1); moments in microseconds UTC, None or '' where not given.

    ``reason`` is why it is kept, in words for people; it is not part of the entry (L5). ``written`` are moments
    as the caller wrote them (``30d``), so that a retry is the same call (M9).
    """

    text: str
    kind: str = "note"
    about: str = "work"
    scope: str = ""
    tags: tuple[str, ...] = ()
    ends: int | None = None
    key: str = ""
    valid_from: int | None = None
    valid_until: int | None = None
    source: dict[str, str] | None = None
    derives_from: tuple[str, ...] = ()
    core: bool = False
    on_similar: str = "keep"
    call_id: str = ""
    reason: str = ""
    written: tuple[tuple[str, str], ...] = ()


class Written(NamedTuple):
    """The answer to a write: the entry, whether it is new, what it is like, and what it replaced."""

    entry: Entry
    kept: str
    similar: list[Entry]
    replaced: str
    now: int


@refusals.told("remember")
def remember(ctx: Context, asked: Remember) -> Written:
    """Keep a text.

    Raises:
        Refused: by the rule that the error names; nothing is stored then.
        Conflict: ``call.reused`` where the call id came with other arguments before.
    """
    checked, scan_held = _judge(asked)
    return ctx.write(lambda desk: _remember(desk, ctx, checked, scan_held=scan_held))


@refusals.told("remember")
def judge(ctx: Context, asked: Remember) -> None:
    """Judge the arguments alone, before a job is started that would keep them.

    Raises:
        Refused, Invalid: as ``remember`` does; the refusal is told in the name of whoever starts the job.
    """
    del ctx  # whom a refusal is told of
    _judge(asked)


def _judge(asked: Remember) -> tuple[Remember, bool]:
    """The arguments as they would be kept, and whether something in them merely resembles a secret."""
    scan_held = gate.scan(_arguments(asked))
    checked = _check(asked)
    if checked.call_id:
        once.check_call_id(checked.call_id)
    return checked, scan_held


def _arguments(asked: Remember) -> dict[str, Any]:
    """Every argument that carries words, by name, as the scan reads them (M8)."""
    return {name: value for name, value in asked._asdict().items() if isinstance(value, str | tuple | dict) and value}


def _check(asked: Remember) -> Remember:
    if asked.on_similar not in ("keep", "refuse"):
        from oz0mem.model.errors import Invalid

        raise Invalid("memory.on_similar", "on_similar is keep or refuse", rule="M3", hint="leave it out to keep")
    if asked.derives_from:
        raise Refused(
            "memory.links_later",
            "this version keeps no links yet, so it cannot say what an entry derives from",
            hint="leave derives_from out, or name the anchor as the source",
            rule="M17",
        )
    check_valid(asked.valid_from, asked.valid_until)
    kind = check_kind(asked.kind)
    return asked._replace(
        kind=kind,
        text=check_text(asked.text, kind),
        tags=check_tags(list(asked.tags)),
        key=check_key(asked.key) if asked.key else "",
        source=check_source(asked.source) if asked.source else None,
        reason=check_reason(asked.reason) if asked.reason else "",
    )


def _remember(desk: Desk, ctx: Context, asked: Remember, *, scan_held: bool) -> Written:
    caller = context.caller_of(desk, ctx)
    gate.scan_own(desk, _arguments(asked))
    plain = {**asked._asdict(), **dict(asked.written), "written": (), "call_id": ""}
    digest = once.digest_of(desk, "remember", plain) if asked.call_id else ""
    noted = once.answered(desk, caller, asked.call_id, digest) if asked.call_id else {}
    if noted:
        return _again(desk, caller, ctx, noted)
    settings = context.settings_of(desk)
    draft = draft_of(desk, caller, settings, asked, scan_held=scan_held)
    written = _keep(desk, caller, settings, draft, asked)
    if written.similar:
        labels.note_shown(desk, caller, written.similar, "remember", ctx.door)
    if asked.call_id:
        _note(desk, caller, asked.call_id, digest, written)
    return written


def _keep(desk: Desk, caller: Caller, settings: Settings, draft: Draft, asked: Remember) -> Written:
    entry = draft.entry
    place, _, about, _ = desk.entries.place(entry.scope, entry.about, entry.purpose)
    known = similar.existing(desk, entry, place, about)
    if known is not None:
        return _known(desk, caller, settings, known, entry)
    old = versions.replaced_by_key(desk, entry)
    alike = similar.nearly(desk, entry, sight.places_of(desk, caller, settings), {other.id for other in old})
    if caller.job is not None:
        alike, _ = walls.withhold(settings.apart, caller.job.compartments, alike)
    if alike and asked.on_similar == "refuse":
        raise Refused(
            "memory.similar",
            "an entry says nearly the same; nothing was written",
            hint=f"read it: oz0mem show {alike[0].id}",
            rule="M3",
            similar=[other.id for other in alike],
        )
    if old and versions.preserved(desk, old):
        held = ",".join(filter(None, [entry.held, "legal_hold"]))
        entry = entry._replace(state=HELD, held=held)
    entry = entry._replace(replaces=old[0].id if old and entry.state == ACTIVE else "")
    replaced = old if entry.state == ACTIVE else []
    size = len(entry.text.encode()) + sum(len(other.text.encode()) for other in replaced)
    versions.check_caps(desk, settings, entry.scope, 1, size)
    actor = context.actor(desk, caller)
    told = reasoned(desk, asked.reason, about=entry.about)
    written = versions.write_first(desk, entry, actor, **told)
    if told:
        desk.reasons.tie(written.numbers.event, written.numbers.entry)
    versions.close_replaced(desk, replaced, written, actor)
    return Written(written, "new", alike, written.replaces, desk.now)


def _known(desk: Desk, caller: Caller, settings: Settings, known: Entry, entry: Entry) -> Written:
    """Answer with the entry that is there; a person's write of a held text confirms it (M2)."""
    confirms = known.state == HELD and entry.tier == PERSON and not entry.held and settings.review != "all"
    # What it would replace is under a legal hold: it waits on, as it did when it was first written (M11).
    if not confirms or versions.preserved(desk, versions.replaced_by_key(desk, known)):
        return Written(known, "existing", [], "", desk.now)
    lifecycle.check_act(
        "repeat",
        kind=known.kind,
        state=known.state,
        ends=known.ends,
        held_since=known.counted_from,
        now=desk.now,
    )
    from oz0mem.actions.acceptance import activate

    confirmed = activate(desk, context.actor(desk, caller), settings, known, "memory.confirmed", tier=PERSON)
    return Written(confirmed, "existing", [], confirmed.replaces, desk.now)


def _note(desk: Desk, caller: Caller, call_id: str, digest: str, written: Written) -> None:
    answer = {
        "digest": digest,
        "entry": written.entry.id,
        "version": written.entry.version,
        "kept": written.kept,
        "replaced": written.replaced,
        "similar": [[other.id, other.version] for other in written.similar],
    }
    once.note(desk, caller, call_id, answer, written.entry.numbers)


def _again(desk: Desk, caller: Caller, ctx: Context, noted: dict[str, Any]) -> Written:
    """What the first try answered, read again by its ids (M9)."""
    entry = _at(desk, str(noted["entry"]), int(noted["version"]))
    alike: Sequence[Entry | None] = [_at(desk, str(each), int(v)) for each, v in noted["similar"]]
    if entry is None:
        raise Refused("call.gone", "what this call wrote is not there any more", rule="M9", hint="use a fresh call id")
    whole = [other for other in alike if other is not None and other.state == ACTIVE and not other.restricted]
    shown = integrity.check(desk, whole).good
    if shown:
        labels.note_shown(desk, caller, shown, "remember", ctx.door)
    return Written(entry, str(noted["kept"]), shown, str(noted["replaced"]), desk.now)


def _at(desk: Desk, entry_id: str, version: int) -> Entry | None:
    """An entry as it was at a version; as it is now where that version was rewritten and erased (M33)."""
    newest = desk.entries.by_id(entry_id)
    if newest is None or newest.state == ERASED or newest.restricted:
        return None
    versions = desk.entries.versions(newest.numbers.entry)
    return next((each for each in versions if each.version == version and each.state != ERASED), newest)
