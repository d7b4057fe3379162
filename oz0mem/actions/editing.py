"""``edit``: an entry rewritten as a person would say it (M33).

Promises that about a person the earlier texts are erased as in forget, that about work they stay as versions,
and that limits count anew. Leaves decisions, definitions and rules to supersede and accept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import audit, context, erasing, gate, refusals, replacing, versions
from oz0mem.actions.acceptance import Changed, check_act, check_holds
from oz0mem.actions.choosing import choose_whole
from oz0mem.actions.erasing import Begun, Erased
from oz0mem.model.errors import Refused
from oz0mem.rules import permission

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry


@refusals.told("edit")
def edit(ctx: Context, entry_id: str, text: str, reason: str = "") -> tuple[Changed, Erased | None]:
    """Rewrite an entry as a person would say it (M33).

    Returns:
        How it stands now; and where it is about a person, how its earlier texts were erased.
    """
    from oz0mem.rules.arguments import check_text

    scan_held = gate.scan({"text": text})
    checked, why = check_text(text, "note"), gate.check_why(reason)
    edited, begun = ctx.store.write(
        ctx.clock(), lambda desk: _edit(desk, ctx, entry_id, checked, why, scan_held=scan_held)
    )
    if begun is None:
        return edited, None
    return edited, erasing.finish(ctx, begun, edited.entry.about)


@refusals.told("edit")
def look(ctx: Context, entry_id: str) -> bool:
    """Whether an entry is about a person, so that editing it erases for good what it said before (M33)."""
    return ctx.read(lambda desk: choose_whole(desk, context.person_of(desk, ctx, "own"), entry_id)).about_person


def _edit(
    desk: Desk, ctx: Context, entry_id: str, text: str, reason: str, *, scan_held: bool
) -> tuple[Changed, Begun | None]:
    caller = context.person_of(desk, ctx, "own")
    gate.scan_own(desk, {"text": text, "reason": reason})
    entry = choose_whole(desk, caller, entry_id)
    if entry.about != caller.name:
        permission.check(caller.role, "change_other" if entry.about_person else "edit_work")
    if entry.text == text:
        return Changed(entry, False, desk.now), None
    check_holds(desk, entry, "edited")
    settings = context.settings_of(desk)
    changes = _rewritten(desk, caller, settings, entry, text, scan_held=scan_held)
    actor = context.actor(desk, caller)
    old = replacing.replaced_by(desk, entry) if changes["state"] == "active" else []
    replacing.check_preserved(desk, old)
    size = len(text.encode()) + sum(len(other.text.encode()) for other in old)
    versions.check_caps(desk, settings, entry.scope, 0, size)
    orphans = desk.words.take(entry.numbers.entry)
    told = audit.reasoned(desk, reason, about=entry.about, entry=entry.numbers.entry)
    edited = versions.write_next(desk, entry, actor, "memory.edited", **changes, **told)
    versions.put_words(desk, edited)
    replacing.close_replaced(desk, old, edited, actor)
    orphans = desk.words.unused(orphans)
    if not entry.about_person:
        desk.erasing.erase_words(0, orphans)
        return Changed(edited, True, desk.now), None
    about = entry.numbers.about
    erasure = desk.erasing.begin("memory.rewritten", about, "rectification", actor)
    gone = desk.erasing.erase_versions(erasure, edited, edited.version)
    gone = gone.joined(desk.erasing.erase_words(erasure, orphans))
    erasing.tell_started(desk, actor, [entry.id], about=about, basis="rectification")
    begun = Begun([erasure], gone, [entry.id], [entry.scope], 0)
    return Changed(edited, True, desk.now), begun


def _rewritten(
    desk: Desk, caller: Caller, settings: Any, entry: Entry, text: str, *, scan_held: bool
) -> dict[str, Any]:
    """What an edit changes: text, tier, state, and an end whose limits count anew (M33)."""
    from oz0mem.model.kinds import ACTIVE, HELD, PERSON
    from oz0mem.rules import ends

    held = _still_held(desk, settings, entry, scan_held=scan_held)
    check_act(desk, "redraft" if held else "edit", entry)
    retain = retain_of(desk, entry)
    end = ends.ends_at(entry.kind, PERSON, entry.about_person, desk.now, None, settings, retain)
    return {
        "text": text,
        "tier": PERSON,
        "state": HELD if held else ACTIVE,
        "held": held,
        "ends": end,
        "counted_from": desk.now,
        "by": caller.name,
    }


def _still_held(desk: Desk, settings: Any, entry: Entry, *, scan_held: bool) -> str:
    """Why an edited entry waits still, '' where it is recalled as rewritten (M8, M33).

    Raises:
        Refused: ``secret.resembles`` where an entry in force would get a text that a reviewer has to judge.
    """
    from oz0mem.model.kinds import HELD

    if entry.state == HELD:
        waits = settings.review == "all" and not desk.head.solo
        reasons = [reason for reason in entry.held.split(",") if waits and reason != "scan"]
        return ",".join([*reasons, *(["scan"] if scan_held else [])])
    if scan_held:
        raise Refused(
            "secret.resembles",
            "the text holds what resembles a secret, so it would have to wait, and the entry is in force",
            hint="write it without that, or remember it anew, where a reviewer judges it",
            rule="M8",
        )
    return ""


def retain_of(desk: Desk, entry: Entry) -> int | None:
    """How long the entry's agent keeps what it learnt, by its declaration of now (M6); None for other kinds."""
    from oz0mem.model.declarations import from_document
    from oz0mem.model.kinds import KINDS

    if not KINDS[entry.kind].learned:
        return None
    document = desk.identity.agent(entry.agent)
    return from_document(document).memory.retain if document else None
