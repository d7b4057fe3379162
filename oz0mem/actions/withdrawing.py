"""Calls that wait about a person who is forgotten, or that name them: what becomes of those (G41, G43, L5).

Promises that none of them can be approved or shown after that: they are erased with the person, or, where a legal hold
preserves them, denied, with their text kept for nobody until upkeep finds no hold any more. Leaves the approvals
themselves to ``approvals``, what waited too long to ``lapsing``, and the steps of erasing to ``erasing``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context, erasing, lapsing
from oz0mem.actions.erasing import Begun
from oz0mem.model.agreements import DENIED, WAITING
from oz0mem.model.erasures import Gone
from oz0mem.rules.about import mentions

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.agreements import Approval

BATCH = 200
"""Approvals looked at in one transaction, so that it stays short."""
_PAGE = 1_000
_OURS = frozenset(("digest", "door", "k", "tier"))
"""Fields of what waits that nobody's words are in."""


class Found(NamedTuple):
    """The calls that the forgetting of a person reaches.

    Attributes:
        kept: about the person and preserved by a legal hold, denied earlier or now.
        going: how many about the person that wait are erased.
        naming: about work or somebody else, waiting, with the person's name in them; these are erased too.
        left: as ``naming``, but preserved by a legal hold.
    """

    kept: list[Approval]
    going: int
    naming: list[Approval]
    left: list[Approval]

    @property
    def calls(self) -> int:
        """How many waiting calls are erased."""
        return self.going + len(self.naming)

    def numbers(self) -> frozenset[int]:
        """The numbers of those that a legal hold keeps."""
        return frozenset(asked.number for asked in self.kept)


def find(desk: Desk, number: int, name: str, *, held: bool, erased: Container[int] = ()) -> Found:
    """The calls that the forgetting of a person reaches; changes nothing.

    Args:
        desk: the transaction.
        number: the person's.
        name: as it is spelled.
        held: whether a legal hold preserves what is about the person.
        erased: numbers of the entries that go, and every call with them that would change them.
    """
    own = desk.approvals.about(number)
    kept = [asked for asked in own if asked.entry not in erased and (held or lapsing.is_held(desk, asked))]
    mine = {asked.number for asked in own}
    keeping = {asked.number for asked in kept}
    going = sum(1 for asked in own if asked.state == WAITING and asked.number not in keeping)
    naming = [asked for asked in _naming(desk, name) if asked.number not in mine]
    left = [asked for asked in naming if lapsing.is_held(desk, asked)]
    return Found(kept, going, [asked for asked in naming if asked not in left], left)


def _naming(desk: Desk, name: str) -> list[Approval]:
    """Waiting calls that have a name as a whole word anywhere in what they would do or had read (L5)."""
    found: list[Approval] = []
    after = 0
    while rows := desk.approvals.in_state(WAITING, _PAGE, after):
        after = rows[-1].number
        found += [
            asked
            for asked in rows
            if any(
                mentions(said, name)
                for field, value in asked.document.items()
                if field not in _OURS
                for said in _strings(value)
            )
        ]
    return found


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(each)


def keeps_name(desk: Desk, number: int) -> bool:
    """Whether a legal hold preserves a call that is about a person or names them, so that the name has to stay (L4)."""
    if not desk.head.holds:
        return False
    found = find(desk, number, desk.names.spelled([number])[number], held=False)
    return bool(found.kept or found.left)


def deny(desk: Desk, found: Found, actor: dict[str, Any], decider: str) -> None:
    """Deny the calls that a legal hold preserves, by whoever forgets, and keep what they would have written (G43)."""
    for asked in found.kept:
        if asked.state == WAITING:
            desk.ledger.append("approval.denied", actor, {"approval": asked.id, "function": asked.function})
            desk.approvals.settle(asked, DENIED, decider, keep=True)


def erase_naming(desk: Desk, erasure: int, number: int) -> Gone:
    """Overwrite the waiting calls that name a person, as an erasure does with reasons that name them (L5)."""
    name = desk.names.spelled([number])[number]
    naming = [asked.number for asked in _naming(desk, name) if not lapsing.is_held(desk, asked)]
    return desk.erasing.erase_asked(erasure, naming)


def is_preserved(desk: Desk, asked: Approval, person: int) -> bool:
    """Whether a legal hold covers a call, its entry, or whom it is about, by name or by an entry about them (G43)."""
    if lapsing.is_held(desk, asked):
        return True
    if not desk.head.holds or not person:
        return False
    return desk.unlinking.is_held(person) or _remembers_held(desk, person)


def _remembers_held(desk: Desk, person: int) -> bool:
    after = (0, 0)
    while rows := desk.listing.about(person, _PAGE, after):
        if desk.holds.covering_each(rows):
            return True
        after = (rows[-1].created, rows[-1].entry)
    return False


def erase_kept(ctx: Context, *, dry_run: bool, waits: bool) -> int:
    """Erase what was kept of denied calls and no legal hold preserves any more (G43); answers how many.

    Args:
        ctx: of upkeep.
        dry_run: count and change nothing.
        waits: wait for whoever keeps the files open, and close; else a later command closes (L21).
    """
    count, after = 0, 0
    while True:
        start = after

        def act(desk: Desk, start: int = start) -> tuple[Begun, int, int]:
            rows = desk.approvals.kept(BATCH, start)
            going: dict[int, list[int]] = {}
            for asked, person in rows:
                if not is_preserved(desk, asked, person):
                    going.setdefault(person, []).append(asked.number)
            begun = erasing.NOTHING if dry_run or not going else _begin(desk, going)
            return begun, sum(map(len, going.values())), rows[-1][0].number if len(rows) == BATCH else 0

        begun, gone, after = ctx.read(act) if dry_run else ctx.store.write(ctx.clock(), act)
        if begun.erasures and waits:
            waits = not erasing.finish(ctx, begun, "").open
        count += gone
        if not after:
            return count


def _begin(desk: Desk, going: Mapping[int, list[int]]) -> Begun:
    """Begin an erasure for each person: they were forgotten, a hold kept this much."""
    numbers: list[int] = []
    gone = Gone([], [])
    for person, calls in going.items():
        erasure, _ = erasing.begin(desk, "memory.forgotten", dict(context.SYSTEM), [], about=person, basis="request")
        gone = gone.joined(desk.erasing.erase_asked(erasure, calls))
        numbers.append(erasure)
    return Begun(numbers, gone, [], [], 0)
