"""Approvals, links and bookmarks made as the store keeps them, for tests of what is taken with an entry or a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model.agreements import WAITING, Approval, Bookmark
from tests.actions.evidence import number_of, run_sql

if TYPE_CHECKING:
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from tests.actions.world import World

SAID = {
    "text": "Quagga trips to Zanzibar please everybody",
    "reason": "the brochure on ornithopters",
    "tags": ["yurts"],
}
"""What a call would write: words that stand nowhere else."""
READER = "concierge,customer-support,dana,web"


def ask(
    world: World, function: str = "remember", *, entry: Entry | None = None, about: int = 0, job: int = 0, at: int = 0
) -> Approval:
    """Let a call wait, with what it would write and the key of its commitment, as asking does."""

    def act(desk: Desk) -> Approval:
        blank = Approval(
            0, f"ap-{desk.random(6).hex()}", function, entry.numbers.entry if entry else 0, about, "concierge", "ana",
            job, WAITING, at or desk.now, 0, "", desk.head.size, {},
        )  # fmt: skip
        document: dict[str, Any] = {"arguments": SAID, "read": ["crm://zeppelins"], "k": desk.random(32).hex()}
        return desk.approvals.put(blank, document)

    return world.store.write(world.now, act)


def mark(world: World, about: int, reader: str = READER) -> None:
    """Move a reader's bookmark."""
    world.store.write(world.now, lambda desk: desk.bookmarks.put(reader, Bookmark(1, 2, 3), about=about))


def number_of_person(world: World, name: str) -> int:
    """The number of a person's name."""
    from oz0mem.model.names import OF_PERSON

    return number_of(world, OF_PERSON, name)


def left(world: World) -> dict[str, int]:
    """How many rows there are of each."""
    return {
        table: int(run_sql(world, f"SELECT count(*) FROM {table} WHERE tenant = 1")[0][0])
        for table in ("approval", "bookmark", "link")
    }
