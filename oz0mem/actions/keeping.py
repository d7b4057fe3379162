"""One text kept: the end of every write by an agent or a person, whichever function it came by (M2, M3, M7, M11, G31).

Promises that all that could refuse comes before anything is written (M16), a person being asked last of all (G31), and
that what is replaced is closed in the same breath. Leaves what is kept, about whom and where to ``draft``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import (
    acceptance,
    asking,
    context,
    integrity,
    labels,
    links,
    once,
    replacing,
    sight,
    similar,
    versions,
)
from oz0mem.actions.asking import Asked, Call
from oz0mem.actions.audit import reasoned
from oz0mem.model.errors import Conflict, Refused
from oz0mem.model.kinds import ACTIVE, ERASED, HELD, KINDS, PERSON
from oz0mem.model.names import OF_PERSON
from oz0mem.rules import lifecycle, walls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


_LIFTED = frozenset(("unreviewed", "policy"))
"""Why a text waits that an agent's own word of tier person does away with (M2)."""


class Written(NamedTuple):
    """The answer to a write: the entry, whether it is new, what it is like, and what it replaced."""

    entry: Entry
    kept: str
    similar: list[Entry]
    replaced: str
    now: int


class Plan(NamedTuple):
    """How a draft is kept.

    Attributes:
        entry: the draft.
        on_similar: ``keep``, or ``refuse`` where an entry says nearly the same.
        reason: why, in words.
        over: what it was written to replace, None where it is written over nothing.
        ending: proposals that give way to it at once (M12, M13).
        sources: what it derives from (M17).
    """

    entry: Entry
    on_similar: str = "keep"
    reason: str = ""
    over: Entry | None = None
    ending: Sequence[Entry] = ()
    sources: Sequence[Entry] = ()


def keep(desk: Desk, call: Call, settings: Settings, plan: Plan) -> Written | Asked:
    """Keep a draft, answer with what says the same, or let the call wait for a person."""
    caller, entry = call.caller, plan.entry
    place, _, about, _ = desk.entries.place(entry.scope, entry.about, entry.purpose)
    apart = sight.walls_of(caller, settings)
    known = similar.existing(desk, entry, place, about, apart=apart)
    if known is not None:
        return _known(desk, call, settings, known, plan)
    replaces = plan.over.id if plan.over is not None else ""
    old = replacing.replaced_by(desk, entry._replace(replaces=replaces), apart)
    replacing.check_preserved(desk, [*plan.ending, *([plan.over] if plan.over else [])])
    alike = _alike(desk, caller, settings, plan, [*old, *plan.ending])
    # What a wall keeps from a job is ended by a person's decision alone, who is shown it (M25).
    if entry.state == ACTIVE and call.approved is None and any(map(apart.hide, old)):
        call = call._replace(asks=True)
    if old and not call.asks and replacing.preserved(desk, old):
        entry = entry._replace(state=HELD, held=",".join(filter(None, [entry.held, "legal_hold"])))
    now = old if entry.state == ACTIVE else []
    entry = entry._replace(replaces=replaces or (now[0].id if now else ""))
    closed = [*now, *plan.ending]
    # What resembles a secret waits for somebody to judge just that, though a person approved the call (M8).
    kept_waiting = {"legal_hold", "scan"} & set(entry.held.split(","))
    comes_true = not KINDS[entry.kind].proposal and not kept_waiting
    activates = call.approved is not None and comes_true
    twice = activates or (call.asks and comes_true)
    size = len(entry.text.encode()) * (2 if twice else 1) + sum(len(other.text.encode()) for other in closed)
    versions.check_caps(desk, settings, entry.scope, 1, size)
    ids = dict.fromkeys(other.id for other in [*([plan.over] if plan.over else []), *old, *plan.ending])
    asking.check_shown(call, list(ids))
    if call.asks:
        number = plan.over.numbers.entry if plan.over else 0
        person = _person(desk, entry)
        comes_to = asking.outcome(entry, list(ids))
        return asking.ask(desk, call, entry=number, about=person, tier=entry.tier, comes_to=comes_to)
    written = _write(desk, call, plan, entry, closed)
    if activates and call.approved is not None and written.state == HELD:
        approved = call.approved
        written = acceptance.activate(desk, approved.actor, settings, written, "memory.confirmed", approval=approved.id)
    replaced = written.replaces if activates and written.state == ACTIVE else now[0].id if now else ""
    return Written(written, "new", alike, replaced, desk.now)


def _person(desk: Desk, entry: Entry) -> int:
    return desk.names.ensure(OF_PERSON, entry.about) if entry.about_person else 0


def _alike(desk: Desk, caller: Caller, settings: Settings, plan: Plan, leave_out: Sequence[Entry]) -> list[Entry]:
    """What the caller may read and says nearly the same (M3).

    Raises:
        Refused: ``memory.similar`` where the call wants none.
    """
    out = {other.id for other in leave_out} | ({plan.over.id} if plan.over else set())
    places = sight.places_of(desk, caller, settings)
    alike = similar.nearly(desk, plan.entry, places, out, apart=sight.walls_of(caller, settings))
    if caller.job is not None:
        alike, _ = walls.withhold(settings.apart, caller.job.compartments, alike)
    if alike and plan.on_similar == "refuse":
        raise Refused(
            "memory.similar",
            "an entry says nearly the same; nothing was written",
            hint=f"read it: oz0mem show {alike[0].id}",
            rule="M3",
            similar=[other.id for other in alike],
        )
    return alike


def _write(desk: Desk, call: Call, plan: Plan, entry: Entry, closed: Sequence[Entry]) -> Entry:
    actor = context.actor(desk, call.caller)
    told = reasoned(desk, plan.reason, about=entry.about)
    by = {"approval": call.approved.id} if call.approved is not None else {}
    written = versions.write_first(desk, entry, actor, **told, **by)
    if told:
        desk.reasons.tie(written.numbers.event, written.numbers.entry)
    replacing.close_replaced(desk, closed, written, actor, approval=by.get("approval", ""))
    if plan.sources:
        links.derive(desk, actor, written, plan.sources, call.caller.name)
    return written


def _known(desk: Desk, call: Call, settings: Settings, known: Entry, plan: Plan) -> Written | Asked:
    """Answer with the entry that is there; a write of tier person confirms a held text (M2), an approval too (G31).

    Raises:
        Conflict: ``memory.same`` where something else was to be replaced by the same text.
    """
    entry = plan.entry
    if plan.over is not None and known.id != plan.over.id:
        raise Conflict(
            "memory.same",
            f"{known.id} says the same already and is {known.state}; nothing was replaced",
            hint=f"oz0mem show {known.id}",
            rule="M2",
            id=known.id,
        )
    if not _confirms(call, settings, known, entry):
        return Written(known, "existing", [], "", desk.now)
    old = replacing.replaced_by(desk, known, sight.walls_of(call.caller, settings))
    # What it would replace is under a legal hold: it waits on, as it did when it was first written (M11).
    if replacing.preserved(desk, old):
        return Written(known, "existing", [], "", desk.now)
    ids = [other.id for other in old]
    asking.check_shown(call, ids)
    if call.asks:
        numbers, comes_to = known.numbers, asking.outcome(known, ids)
        return asking.ask(desk, call, entry=numbers.entry, about=numbers.about, tier=known.tier, comes_to=comes_to)
    lifecycle.check_act(
        "repeat",
        kind=known.kind,
        state=known.state,
        ends=known.ends,
        held_since=known.counted_from,
        now=desk.now,
    )
    if call.approved is not None:
        actor, changes = call.approved.actor, {"approval": call.approved.id}
    else:
        actor, changes = context.actor(desk, call.caller), {"tier": PERSON}
    confirmed = acceptance.activate(desk, actor, settings, known, "memory.confirmed", **changes)
    return Written(confirmed, "existing", [], confirmed.replaces, desk.now)


def _confirms(call: Call, settings: Settings, known: Entry, entry: Entry) -> bool:
    """Whether a write of what waits already brings it into force."""
    if known.state != HELD or KINDS[known.kind].proposal:
        return False
    waits_for = {reason for reason in known.held.split(",") if reason}
    if call.approved is not None:
        return "scan" not in waits_for
    # A person is shown the text and not what else resembles a secret; an agent lifts its own doubt and no other.
    beyond = waits_for & {"scan"} if call.caller.job is None else waits_for - _LIFTED
    return entry.tier == PERSON and not entry.held and not beyond and settings.review != "all"


def note(desk: Desk, call: Call, written: Written) -> None:
    """Note what a write answered, for its retry (M9)."""
    answer = {
        "entry": written.entry.id,
        "version": written.entry.version,
        "kept": written.kept,
        "replaced": written.replaced,
        "similar": [[other.id, other.version] for other in written.similar],
    }
    asking.note(desk, call, answer, entry=written.entry.numbers.entry, about=written.entry.numbers.about)


def show_similar(desk: Desk, call: Call, written: Written) -> None:
    """Record that a write showed what it is like (M28)."""
    if written.similar and call.approved is None:
        labels.note_shown(desk, call.caller, written.similar, call.function, call.door)


def again(desk: Desk, call: Call, noted: Mapping[str, Any]) -> Written:
    """What the first try answered, read again by its ids (M9).

    Raises:
        Refused: ``call.gone`` where it is erased since.
        Conflict: ``call.reused`` where it was made on the other side of a wall.
    """
    entry = at_version(desk, str(noted["entry"]), int(noted["version"]))
    alike: Sequence[Entry | None] = [at_version(desk, str(each), int(v)) for each, v in noted["similar"]]
    if entry is None:
        raise Refused("call.gone", "what this call wrote is not there any more", rule="M9", hint="use a fresh call id")
    settings = context.settings_of(desk)
    around = sight.walls_of(call.caller, settings)
    if around.hide(entry):
        raise once.reused()
    # The call is remembered for agent, purpose and person; what this job may read is judged now (M20, M21).
    within = sight.reach_of(desk, call.caller, settings).within()
    there = [other for other in alike if other is not None and within(other.numbers) and not around.hide(other)]
    whole = [other for other in there if other.state == ACTIVE and not other.restricted]
    shown = integrity.check(desk, whole).good
    if shown:
        labels.note_shown(desk, call.caller, shown, call.function, call.door)
    replaced = sight.veiled(desk, [entry._replace(replaces=str(noted["replaced"]))], around)[0].replaces
    return Written(entry, str(noted["kept"]), shown, replaced, desk.now)


def at_version(desk: Desk, entry_id: str, version: int) -> Entry | None:
    """An entry as it was at a version; as it is now where that version was rewritten and erased (M33)."""
    newest = desk.entries.by_id(entry_id)
    if newest is None or newest.state == ERASED or newest.restricted:
        return None
    every = desk.entries.versions(newest.numbers.entry)
    return next((each for each in every if each.version == version and each.state != ERASED), newest)
