"""``doctor --prove``: a copy of the tenant damaged in one way after the other, and what notices each.

Promises that the tenant itself is only read, that a damage counts as noticed only by a problem that the copy had not
before it, and that what could not be done is told so. Leaves copy and damages to the store, and noticing to
``auditing``: what runs here is what ``audit check`` runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from oz0mem.actions import auditing, context, heads
from oz0mem.actions.trail import Problem
from oz0mem.model.errors import Oz0Error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Store

LEDGER, CONTENTS, AGAINST = "audit check", "audit check --contents", "audit check --against a head kept now"
"""What may notice a damage; the last only where this machine can sign a head."""


class Copy(Protocol):
    """A copy of one tenant that may be damaged."""

    @property
    def store(self) -> Store:
        """The copy as a store, to be read."""

    @property
    def damages(self) -> Sequence[str]:
        """What can be done to it."""

    def damaged(self, name: str) -> AbstractContextManager[bool]:
        """Damage it for a while; False where there is nothing to be damaged so."""


class Noticed(NamedTuple):
    """One damage: whether there was anything to be damaged so, what noticed it ('' where nothing did), and where."""

    damage: str
    there: bool
    by: str = ""
    places: tuple[str, ...] = ()


class Proof(NamedTuple):
    """Each damage in turn.

    Attributes:
        events: events of the copy.
        versions: versions of the copy.
        problems: how many the copy had before it was damaged.
        items: what became of each damage.
    """

    events: int
    versions: int
    problems: int
    items: list[Noticed]

    @property
    def holds(self) -> bool:
        """Whether the store held as it was, and every damage that could be done was noticed."""
        return not self.problems and all(one.by for one in self.items if one.there)


def prove(
    ctx: Context,
    copied: Callable[[], AbstractContextManager[Copy]],
    tell: Callable[[int, int], None],
) -> Proof:
    """Copy the tenant, damage the copy, check it, and so on.

    Args:
        ctx: who asks.
        copied: makes the copy and takes it away afterwards.
        tell: is told how many damages are done, of how many.

    Raises:
        Forbidden: ``role.forbidden``; nothing was copied then.
        Fault: where no copy can be made.
    """
    ctx.read(lambda desk: context.person_of(desk, ctx, "audit"))
    with copied() as copy:
        over = ctx._replace(store=copy.store)
        whole = auditing.check(over, contents=True)
        before = set(whole.problems)
        kept = heads.draft(over)
        items: list[Noticed] = []
        for name in copy.damages:
            tell(len(items), len(copy.damages))
            with copy.damaged(name) as there:
                items.append(_look(over, name, before, kept) if there else Noticed(name, there=False))
    return Proof(whole.events, whole.versions, len(whole.problems), items)


def _look(over: Context, name: str, before: set[Problem], kept: str) -> Noticed:
    """Check the damaged copy: its ledger alone; then what is remembered, too; then against the head of before."""
    for command, contents, against in ((LEDGER, False, ""), (CONTENTS, True, ""), (AGAINST, False, kept)):
        if command == AGAINST and not kept:
            continue
        try:
            found = auditing.check(over, contents=contents, against=against).problems
        except Oz0Error as error:
            # A check that refuses has noticed.
            found = [Problem("refused", error.code, error.message)]
        places = dict.fromkeys(f"{one.what} {one.where}" for one in found if one not in before)
        if places:
            return Noticed(name, True, command, tuple(places))
    return Noticed(name, there=True)
