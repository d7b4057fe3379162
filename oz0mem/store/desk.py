"""Everything of one transaction in one hand, made as it is asked for.

Promises the port that actions are written against (``actions/ports.Desk``). Leaves the work to its parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.store.bodies import Bodies
from oz0mem.store.entries import Entries
from oz0mem.store.identity import Identity
from oz0mem.store.ledger import Ledger
from oz0mem.store.names import Names
from oz0mem.store.words import Words

if TYPE_CHECKING:
    from oz0mem.model.told import Head
    from oz0mem.store.approvals import Approvals
    from oz0mem.store.bookmarks import Bookmarks
    from oz0mem.store.calls import Calls
    from oz0mem.store.checks import Checks
    from oz0mem.store.erasing import Erasing
    from oz0mem.store.governance import Governance
    from oz0mem.store.heads import Heads
    from oz0mem.store.holds import Holds
    from oz0mem.store.links import Links
    from oz0mem.store.listing import Listing
    from oz0mem.store.policies import Policies
    from oz0mem.store.proposals import Proposals
    from oz0mem.store.reasons import Reasons
    from oz0mem.store.unlinking import Unlinking
    from oz0mem.store.work import Work


class Desk:
    """One transaction's tenant: names, entries, words, ledger, identity, and the rest when it is needed."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.now = work.now
        self.names = Names(work)
        self.entries = Entries(work)
        self.bodies = Bodies(work)
        self.words = Words(work)
        self.ledger = Ledger(work)
        self.identity = Identity(work)

    @property
    def head(self) -> Head:
        """The tenant's head row as it is now."""
        return self.work.head

    def random(self, count: int) -> bytes:
        """So many random bytes."""
        return self.work.entropy(count)

    @property
    def holds(self) -> Holds:
        """Legal holds."""
        from oz0mem.store.holds import Holds

        return Holds(self.work)

    @property
    def calls(self) -> Calls:
        """Calls that were made once."""
        from oz0mem.store.calls import Calls

        return Calls(self.work)

    @property
    def reasons(self) -> Reasons:
        """Reasons in words."""
        from oz0mem.store.reasons import Reasons

        return Reasons(self.work)

    @property
    def proposals(self) -> Proposals:
        """Retirements that wait for a person."""
        from oz0mem.store.proposals import Proposals

        return Proposals(self.work)

    @property
    def listing(self) -> Listing:
        """Entries by filters."""
        from oz0mem.store.listing import Listing

        return Listing(self.work)

    @property
    def erasing(self) -> Erasing:
        """Erasing."""
        from oz0mem.store.erasing import Erasing

        return Erasing(self.work)

    @property
    def unlinking(self) -> Unlinking:
        """Names of people, to be taken."""
        from oz0mem.store.unlinking import Unlinking

        return Unlinking(self.work)

    @property
    def heads(self) -> Heads:
        """Signed heads."""
        from oz0mem.store.heads import Heads

        return Heads(self.work)

    @property
    def governance(self) -> Governance:
        """Governance rows; only in a transaction that was begun for governance."""
        from oz0mem.store.governance import Governance

        return Governance(self.work)

    @property
    def checks(self) -> Checks:
        """What ``audit check`` reads beside entries and ledger."""
        from oz0mem.store.checks import Checks

        return Checks(self.work)

    @property
    def approvals(self) -> Approvals:
        """Calls that wait for a person."""
        from oz0mem.store.approvals import Approvals

        return Approvals(self.work)

    @property
    def bookmarks(self) -> Bookmarks:
        """How far agents have read what changed."""
        from oz0mem.store.bookmarks import Bookmarks

        return Bookmarks(self.work)

    @property
    def links(self) -> Links:
        """Links between entries."""
        from oz0mem.store.links import Links

        return Links(self.work)

    @property
    def policies(self) -> Policies:
        """The policy for agents' calls."""
        from oz0mem.store.policies import Policies

        return Policies(self.work)
