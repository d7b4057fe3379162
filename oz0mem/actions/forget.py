"""``forget``, ``delete`` and ``edit``: what a person takes back (G41 to G44, M33).

Promises that everything about one person goes, and nothing about anybody else; that what a legal hold covers
is restricted, not erased (G43). Leaves the steps of erasing to ``erasing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import audit, context, erasing, gate, versions
from oz0mem.actions.acceptance import Changed, check_act, check_holds
from oz0mem.actions.choosing import choose_whole
from oz0mem.actions.erasing import Begun, Erased
from oz0mem.model.erasures import Gone
from oz0mem.model.errors import Invalid, NotFound, Refused
from oz0mem.model.ledger import BASES
from oz0mem.model.names import check_subject
from oz0mem.rules import permission
from oz0mem.rules.about import mentions

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry

_PAGE = 1_000


def forget(
    ctx: Context, about: str | None, basis: str = "request", *, reason: str = "", dry_run: bool = False
) -> Erased:
    """Erase everything that every agent remembers about a person.

    Args:
        ctx: who asks; a member for themself, an admin for anybody.
        about: the person; None for the caller.
        basis: on what ground, one of L2's bases.
        reason: why, in words; erased with the person.
        dry_run: count and change nothing.

    Raises:
        Invalid: where it names nobody in particular (blank, a wildcard, a reserved word).
        NotFound: ``person.unknown``.
        Forbidden: ``role.forbidden``.
    """
    if about is not None:
        gate.scan({"about": about})
        about = check_subject(about)
    checked = gate.check_why(reason)
    if basis not in BASES:
        raise Invalid(
            "forget.basis",
            f"a basis is one of {', '.join(sorted(BASES))}",
            rule="G41",
            hint="--basis request",
        )
    if dry_run:
        return ctx.read(lambda desk: _count(desk, ctx, about))
    person = ctx.read(lambda desk: _person(desk, ctx, about)[1])
    begun = ctx.store.write(ctx.clock(), lambda desk: _forget(desk, ctx, about, basis, checked))
    return erasing.finish(ctx, begun, person)


def _person(desk: Desk, ctx: Context, about: str | None) -> tuple[Caller, str, int]:
    caller = context.person_of(desk, ctx, "own" if about is None else "see")
    name = caller.name if about is None else about
    if name != caller.name:
        permission.check(caller.role, "forget_other")
    number = desk.names.find(context.PERSON, name)
    if not number:
        known = desk.names.folded(context.PERSON, name)
        raise NotFound(
            "person.unknown",
            "nobody of that name is known here; nothing was forgotten",
            hint=f"did you mean {known}?"
            if known
            else "names are matched whole: oz0mem list shows whom entries are about",
            rule="G41",
        )
    return caller, name, number


def _entries_about(desk: Desk, number: int) -> list[Entry]:
    found: list[Entry] = []
    after = (0, 0)
    while rows := desk.listing.about(number, _PAGE, after):
        found += desk.entries.load(rows)
        after = (rows[-1].created, rows[-1].entry)
    return found


def _count(desk: Desk, ctx: Context, about: str | None) -> Erased:
    _, name, number = _person(desk, ctx, about)
    entries = _entries_about(desk, number)
    covered = desk.holds.covering_each([entry.numbers for entry in entries])
    going = [entry for entry in entries if entry.numbers.entry not in covered]
    scopes = sorted({entry.scope for entry in going})
    mentions = tuple(_mentioning(desk, name, number))
    return Erased(
        name, [entry.id for entry in going], scopes, [], "not-checked", False, len(covered), mentions
    )


def _mentioning(desk: Desk, name: str, number: int) -> list[str]:
    """Ids of entries about somebody else or work that have the name as a whole word (G41)."""
    from oz0mem.rules.words import index_words

    wanted = index_words(name)
    words = desk.words.numbers(wanted)
    if not words or len(words) < len(wanted):
        return []
    held = desk.words.postings(list(words.values()), [])
    numbers = sorted(set.intersection(*(set(entries) for entries in held.values())))
    found: list[str] = []
    for start in range(0, len(numbers), _PAGE):
        rows = [row for row in desk.listing.rows_of(numbers[start : start + _PAGE]) if row.about != number]
        found += [entry.id for entry in desk.entries.load(rows) if mentions(entry.text, name)]
    return sorted(found)


def _forget(desk: Desk, ctx: Context, about: str | None, basis: str, reason: str) -> Begun:
    gate.scan_own(desk, {"reason": reason})
    caller, name, number = _person(desk, ctx, about)
    entries = _entries_about(desk, number)
    covered = desk.holds.covering_each([entry.numbers for entry in entries])
    going = [entry for entry in entries if entry.numbers.entry not in covered]
    actor = context.actor(desk, caller)
    staying = [entry for entry in entries if entry.numbers.entry in covered]
    for entry in staying:
        if not entry.restricted:
            versions.write_next(desk, entry, actor, "memory.restricted", restricted=True)
    reasons = desk.reasons.naming(name)
    if not going and not reasons and not desk.erasing.has_loose(number):
        return erasing.NOTHING._replace(restricted=len(staying))
    told = audit.reasoned(desk, reason, about=name)
    erasure, gone = erasing.begin(desk, "memory.forgotten", actor, going, about=number, basis=basis, **told)
    for more in (desk.erasing.erase_loose(erasure, number), desk.erasing.erase_reasons(erasure, reasons)):
        gone = Gone(gone.bodies + more.bodies, gone.words + more.words)
    scopes = sorted({entry.scope for entry in going})
    return Begun([erasure], gone, [entry.id for entry in going], scopes, len(staying))


def delete(ctx: Context, entry_id: str, reason: str, *, dry_run: bool = False) -> Erased:
    """Erase one entry: what is about oneself, or as an admin anything, work with a reason (M33).

    Raises:
        Refused: ``memory.reason`` where work is deleted without one, or ``hold.covers``.
    """
    checked = gate.check_why(reason)
    if dry_run:
        entry = ctx.read(lambda desk: _going(desk, ctx, entry_id, checked)[1])
        return Erased(entry.about, [entry.id], [entry.scope], [], "not-checked", False)
    begun, about = ctx.store.write(ctx.clock(), lambda desk: _delete(desk, ctx, entry_id, checked))
    return erasing.finish(ctx, begun, about)


def _going(desk: Desk, ctx: Context, entry_id: str, reason: str) -> tuple[Caller, Entry]:
    """Who deletes, and the entry that they may."""
    gate.scan_own(desk, {"reason": reason})
    caller = context.person_of(desk, ctx, "own")
    entry = choose_deletable(desk, caller, entry_id)
    if entry.about != caller.name:
        permission.check(caller.role, "forget_other" if entry.about_person else "delete_work")
    if not entry.about_person and not reason:
        raise Refused(
            "memory.reason",
            "work is deleted with a reason",
            hint=f"oz0mem delete {entry.id} --reason '…'",
            rule="M33",
        )
    check_act(desk, "erase", entry)
    check_holds(desk, entry, "deleted")
    return caller, entry


def _delete(desk: Desk, ctx: Context, entry_id: str, reason: str) -> tuple[Begun, str]:
    caller, entry = _going(desk, ctx, entry_id, reason)
    about = entry.numbers.about
    told = audit.reasoned(desk, reason, about=entry.about) if reason else {}
    actor = context.actor(desk, caller)
    erasure, gone = erasing.begin(
        desk, "memory.deleted", actor, [entry], about=about, basis="request" if about else "admin", **told
    )
    return Begun([erasure], gone, [entry.id], [entry.scope], 0), entry.about


def choose_deletable(desk: Desk, caller: Caller, entry_id: str) -> Entry:
    """The entry to delete; one that was altered behind the ledger may be deleted, so that it can be got rid of."""
    from oz0mem.actions.choosing import choose

    entry = choose(desk, caller, entry_id)
    if entry.state == "erased":
        raise NotFound("memory.erased", f"{entry.id} was erased", rule="G42", id=entry.id)
    return entry


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


def _edit(
    desk: Desk, ctx: Context, entry_id: str, text: str, reason: str, *, scan_held: bool
) -> tuple[Changed, Begun | None]:
    gate.scan_own(desk, {"text": text, "reason": reason})
    caller = context.person_of(desk, ctx, "own")
    entry = choose_whole(desk, caller, entry_id)
    if entry.about != caller.name:
        permission.check(caller.role, "forget_other" if entry.about_person else "edit_work")
    if entry.text == text:
        return Changed(entry, False, desk.now), None
    check_holds(desk, entry, "edited")
    settings = context.settings_of(desk)
    changes = _rewritten(desk, caller, settings, entry, text, scan_held=scan_held)
    actor = context.actor(desk, caller)
    old = versions.replaced_by_key(desk, entry) if changes["state"] == "active" else []
    if versions.preserved(desk, old):
        raise Refused(
            "hold.covers", "the entry that this one would replace is under a legal hold", rule="G40"
        )
    size = len(text.encode()) + sum(len(other.text.encode()) for other in old)
    versions.check_caps(desk, settings, entry.scope, 0, size)
    orphans = desk.words.take(entry.numbers.entry)
    told = audit.reasoned(desk, reason, about=entry.about, entry=entry.numbers.entry)
    edited = versions.write_next(desk, entry, actor, "memory.edited", **changes, **told)
    versions.put_words(desk, edited)
    versions.close_replaced(desk, old, edited, actor)
    orphans = desk.words.unused(orphans)
    if not entry.about_person:
        desk.erasing.erase_words(0, orphans)
        return Changed(edited, True, desk.now), None
    about = entry.numbers.about
    erasure = desk.erasing.begin("memory.rewritten", about, "rectification", actor)
    gone = desk.erasing.erase_versions(erasure, edited, edited.version)
    more = desk.erasing.erase_words(erasure, orphans)
    erasing.tell_started(desk, actor, [entry.id], about=about, basis="rectification")
    begun = Begun([erasure], Gone(gone.bodies, gone.words + more.words), [entry.id], [entry.scope], 0)
    return Changed(edited, True, desk.now), begun


def _rewritten(
    desk: Desk, caller: Caller, settings: Any, entry: Entry, text: str, *, scan_held: bool
) -> dict[str, Any]:
    """What an edit changes: text, tier, state, and an end whose limits count anew (M33)."""
    from oz0mem.model.kinds import ACTIVE, HELD, PERSON
    from oz0mem.rules import ends

    redraft = scan_held or (settings.review == "all" and entry.state == HELD and not desk.head.solo)
    check_act(desk, "redraft" if redraft and entry.state == HELD else "edit", entry)
    retain = retain_of(desk, entry)
    end = ends.ends_at(entry.kind, PERSON, entry.about_person, desk.now, None, settings, retain)
    return {
        "text": text,
        "tier": PERSON,
        "state": HELD if redraft and entry.state == HELD else ACTIVE,
        "held": entry.held if redraft and entry.state == HELD else "",
        "ends": end,
        "by": caller.name,
    }


def retain_of(desk: Desk, entry: Entry) -> int | None:
    """How long the entry's agent keeps what it learnt, by its declaration of now (M6); None for other kinds."""
    from oz0mem.model.declarations import from_document
    from oz0mem.model.kinds import KINDS

    if not KINDS[entry.kind].learned:
        return None
    document = desk.identity.agent(entry.agent)
    return from_document(document).memory.retain if document else None
