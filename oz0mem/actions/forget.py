"""``forget`` and ``delete``: what a person takes back (G41 to G44, M33).

Promises that everything about one person goes, and nothing about anybody else; that what a legal hold covers
is restricted, not erased (G43). Leaves the steps of erasing to ``erasing``, rewriting to ``editing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.actions import audit, context, erasing, gate, mentioning, refusals, unlinking, versions, withdrawing
from oz0mem.actions.acceptance import check_act, check_holds
from oz0mem.actions.erasing import Begun, Erased
from oz0mem.model.errors import Invalid, NotFound, Refused
from oz0mem.model.ledger import BASES
from oz0mem.model.names import OF_PERSON, check_subject
from oz0mem.rules import permission
from oz0mem.rules.unlinking import REASONS

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry

_PAGE = 1_000


@refusals.told("forget")
def forget(
    ctx: Context,
    about: str | None,
    basis: str = "request",
    *,
    reason: str = "",
    unlink: bool = False,
    dry_run: bool = False,
) -> Erased:
    """Erase everything that every agent remembers about a person.

    Args:
        ctx: who asks; a member for themself, an admin for anybody.
        about: the person; None for the caller.
        basis: on what ground, one of L2's bases.
        reason: why, in words; erased with the person.
        unlink: take their name and the key of their handle too, at once (L4). No receipt can be made after that. Where
            they have to stay, everything else goes all the same.
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
        return ctx.read(lambda desk: _count(desk, ctx, about, unlink=unlink))
    try:
        person = ctx.read(lambda desk: _person(desk, ctx, about)[1])
    except NotFound:
        # Perhaps their name went in an erasure that a crash left open.
        erasing.finish_left(ctx)
        raise
    begun = ctx.store.write(ctx.clock(), lambda desk: _forget(desk, ctx, about, basis, checked, unlink=unlink))
    return erasing.finish(ctx, begun, person)


def _person(desk: Desk, ctx: Context, about: str | None) -> tuple[Caller, str, int]:
    caller = context.person_of(desk, ctx, "own" if about is None else "see")
    name = caller.name if about is None else about
    if name != caller.name:
        permission.check(caller.role, "forget_other")
    number = desk.names.find(OF_PERSON, name)
    if not number:
        known = desk.names.folded(OF_PERSON, name)
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


def _count(desk: Desk, ctx: Context, about: str | None, *, unlink: bool) -> Erased:
    caller, name, number = _person(desk, ctx, about)
    entries = _entries_about(desk, number)
    covered = desk.holds.covering_each([entry.numbers for entry in entries])
    going = [entry for entry in entries if entry.numbers.entry not in covered]
    scopes = sorted({entry.scope for entry in going})
    calls = _calls(desk, number, name, going, held=bool(covered))
    mentions = tuple(mentioning.find(desk, caller, name, number))
    why = _why_kept(desk, number, held=bool(covered)) if unlink else ()
    return Erased(
        name,
        [entry.id for entry in going],
        scopes,
        [],
        "not-checked",
        False,
        len(covered) + len(calls.kept),
        mentions,
        unlink and not why,
        why,
        calls.calls,
    )


def _calls(desk: Desk, number: int, name: str, going: list[Entry], *, held: bool) -> withdrawing.Found:
    """The calls that wait and are about a person or name them; those that would change what goes, go with it."""
    erased = {entry.numbers.entry for entry in going}
    return withdrawing.find(desk, number, name, held=held or desk.unlinking.is_held(number), erased=erased)


def _why_kept(desk: Desk, number: int, *, held: bool) -> tuple[str, ...]:
    """Why a person's name would stay, once all is erased that no legal hold covers."""
    found = unlinking.kept_because(desk, number, going=True)
    return tuple(reason for reason in REASONS if reason in found or (held and reason == "legal_hold"))


def _forget(desk: Desk, ctx: Context, about: str | None, basis: str, reason: str, *, unlink: bool = False) -> Begun:
    caller, name, number = _person(desk, ctx, about)
    gate.scan_own(desk, {"reason": reason})
    entries = _entries_about(desk, number)
    covered = desk.holds.covering_each([entry.numbers for entry in entries])
    going = [entry for entry in entries if entry.numbers.entry not in covered]
    actor = context.actor(desk, caller)
    staying = [entry for entry in entries if entry.numbers.entry in covered]
    for entry in staying:
        if not entry.restricted:
            versions.write_next(desk, entry, actor, "memory.restricted", restricted=True)
    why = _why_kept(desk, number, held=bool(staying)) if unlink else ()
    calls = _calls(desk, number, name, going, held=bool(staying))
    withdrawing.deny(desk, calls, actor, caller.name)
    begun = erasing.NOTHING._replace(
        ids=[entry.id for entry in going],
        scopes=sorted({entry.scope for entry in going}),
        restricted=len(staying) + len(calls.kept),
        unlinked=unlink and not why,
        kept_because=why,
        subject=desk.names.subject_handle(number),
        since=desk.head.size,
        calls=calls.calls,
    )
    # What a legal hold keeps, keeps what stands about the same person beside it (G43), entries or none.
    held = bool(staying) or desk.unlinking.is_held(number)
    kept = calls.numbers()
    beside = not held and (desk.erasing.has_loose(number, kept) or bool(desk.reasons.naming(name)))
    if not (going or beside or begun.unlinked or calls.naming):
        return begun
    told = audit.reasoned(desk, reason, about=name)
    erasure, gone = erasing.begin(desk, "memory.forgotten", actor, going, about=number, basis=basis, **told)
    gone = gone.joined(desk.erasing.erase_asked(erasure, [asked.number for asked in calls.naming]))
    if not held:
        gone = gone.joined(unlinking.erase_beside(desk, erasure, number, kept))
    if begun.unlinked:
        gone = gone.joined(unlinking.unlink(desk, erasure, number, actor))
        desk.unlinking.rebuild()
    return begun._replace(erasures=[erasure], gone=gone)


@refusals.told("delete")
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
    caller = context.person_of(desk, ctx, "own")
    gate.scan_own(desk, {"reason": reason})
    entry = choose_deletable(desk, caller, entry_id)
    if entry.about != caller.name:
        permission.check(caller.role, "change_other" if entry.about_person else "delete_work")
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
        desk,
        "memory.deleted",
        actor,
        [entry],
        about=about,
        basis="request" if entry.about == caller.name else "admin",
        **told,
    )
    return Begun([erasure], gone, [entry.id], [entry.scope], 0), entry.about


def choose_deletable(desk: Desk, caller: Caller, entry_id: str) -> Entry:
    """The entry to delete; one that was altered behind the ledger may be deleted, so that it can be got rid of."""
    from oz0mem.actions.choosing import choose

    entry = choose(desk, caller, entry_id)
    if entry.state == "erased":
        raise NotFound("memory.erased", f"{entry.id} was erased", rule="G42", id=entry.id)
    return entry
