"""The ledger read from its first event to its last, against itself (L2, L10, L11).

Promises every event against its leaf, its place, its columns, the chain of each person's erasures, the tiles
and the head; and gathers on the way what the store has to show for it: versions, erasures, chains. Leaves the
store's own rows to ``checking``.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.model.ledger import ERASING
from oz0mem.rules import event_fields, events, merkle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oz0mem.actions.ports import Desk
    from oz0mem.model.told import Told

PAGE = 2_000
"""Events or versions read in one look."""


class Problem(NamedTuple):
    """Something that is not as the ledger says: what, where, and in which words."""

    what: str
    where: str
    sentence: str


class Trail(NamedTuple):
    """What the ledger says that the store has to show.

    Attributes:
        adds: by index, the number of the entry that an event adds a version to, 0 where it adds none.
        started: entries whose erasure, whole or of earlier versions, began, with when the last one did (milliseconds).
        gone: entries erased whole, with the index of the event that closed it.
        edited: entries with the last version that an edit wrote.
        rewritten: entries with the version before which all are erased (M33).
        governed: what changed the tenant's rules, in order.
        chains: handles of people with their last erasing event: its n and index (L2).
        linked: what was told of each link, by its id, in order (M17).
        asked: what was told of each call that waits or waited, by the approval's id, in order (G31).
        erased: indexes of the events that erased something, in order.
        problems: what was found wrong.
    """

    adds: array[int]
    started: dict[str, int]
    gone: dict[str, int]
    edited: dict[str, int]
    rewritten: dict[str, int]
    governed: list[dict[str, Any]]
    chains: dict[str, tuple[int, int]]
    linked: dict[str, list[dict[str, Any]]]
    asked: dict[str, list[dict[str, Any]]]
    erased: list[int]
    problems: list[Problem]

    def tell(self, what: str, where: object, sentence: str) -> None:
        """Note something that is wrong."""
        self.problems.append(Problem(what, str(where), sentence))


def follow(desk: Desk) -> tuple[Trail, str]:
    """Read every event; answers what was gathered and the root in hex, '' where events are missing."""
    trail = Trail(array("q"), {}, {}, {}, {}, [], {}, {}, {}, [], [])
    edge, whole = b"", True
    for told, columns in _pages(desk):
        size = len(trail.adds)
        if told.at != size:
            whole = False
            _tell_gap(trail, size, told.at)
            trail.adds.extend([0] * (told.at - size))
        trail.adds.append(columns[3])
        _check_event(desk, trail, told, columns)
        if whole:
            # A leaf of another length is told as a wrong event; the tree goes on with what it should be.
            leaf = told.leaf if len(told.leaf) == merkle.HASH else merkle.leaf_hash(told.body)
            edge = merkle.append(edge, told.at, leaf)
    _check_head(desk, trail, edge if whole else None)
    if not whole:
        return trail, ""
    _check_tiles(desk, trail)
    return trail, merkle.root(edge, len(trail.adds)).hex()


def _pages(desk: Desk) -> Iterator[tuple[Told, tuple[int, int, str, int]]]:
    start = 0
    while told := desk.ledger.between(start, PAGE):
        yield from zip(told, desk.checks.columns(start, PAGE), strict=True)
        start = told[-1].at + 1


def _tell_gap(trail: Trail, first: int, after: int) -> None:
    missing = f"event {first} is" if after == first + 1 else f"events {first} to {after - 1} are"
    trail.tell("event", first, f"{missing} missing")


def _check_event(desk: Desk, trail: Trail, told: Told, columns: tuple[int, int, str, int]) -> None:
    if not told.body:
        # The schema leaves room for blanking old events (L11); until there is such a retention, nobody may.
        trail.tell("event", told.at, f"event {told.at} was blanked, and no retention of the ledger asked for it")
        return
    if merkle.leaf_hash(told.body) != told.leaf:
        trail.tell("event", told.at, f"event {told.at} is not the one that was written")
        return
    try:
        event: dict[str, Any] = dict(events.parse(told.body))
    except ValueError:
        trail.tell("event", told.at, f"event {told.at} is none that this program writes")
        return
    if event["ledger"] != desk.head.origin or event["index"] != told.at:
        trail.tell("event", told.at, f"event {told.at} is not of this ledger or place")
        return
    adds = "version" in event and "commit" in event
    milliseconds = event_fields.moment(str(event["at"])) // 1_000
    if columns[1] // 1_000 != milliseconds or columns[2] != event["action"] or (columns[3] != 0) != adds:
        trail.tell("event", told.at, f"what stands beside event {told.at} is not what it says")
    _gather(trail, told.at, event)


def _gather(trail: Trail, at: int, event: dict[str, Any]) -> None:
    action = event["action"]
    if action == "memory.edited":
        trail.edited[event["entry"]] = event["version"]
    elif action == "governance.changed":
        trail.governed.append(event)
    elif action == "memory.linked":
        trail.linked.setdefault(event["link"], []).append(event)
    elif action.startswith("approval."):
        trail.asked.setdefault(event["approval"], []).append(event)
    elif action == "memory.forget_started":
        trail.started.update(dict.fromkeys(event["entries"], event_fields.moment(event["at"]) // 1_000))
    elif action == "memory.rewritten":
        trail.rewritten.update({entry: trail.edited.get(entry, 0) for entry in event["entries"]})
    elif action in ERASING:
        trail.gone.update(dict.fromkeys(event["entries"], at))
    if action in ERASING:
        trail.erased.append(at)
        _follow_chain(trail, at, event)


def _follow_chain(trail: Trail, at: int, event: dict[str, Any]) -> None:
    if "subject" not in event:
        return
    n, last = trail.chains.get(event["subject"], (0, -1))
    if event["n"] != n + 1 or event["prev"] != last:
        trail.tell("chain", at, f"event {at} does not follow that person's erasing event before it")
    trail.chains[event["subject"]] = (event["n"], at)


def _check_head(desk: Desk, trail: Trail, edge: bytes | None) -> None:
    """The head row against the events; ``edge`` is None where some are missing."""
    head, there = desk.head, len(trail.adds)
    if there != head.size:
        trail.tell("head", there, f"the head counts {head.size} events, {there} are there")
    elif edge is not None and edge != head.edge:
        trail.tell("head", there, "the head's edge is not that of the leaves")
    first = desk.ledger.at(0)
    if first is not None and head.solo != int(b'"solo":true' in first.body):
        trail.tell("head", "solo", "the head and the first event differ on whether this is a solo store")
    counted = (head.open_erasures, head.secrets, head.holds)
    names = ("open_erasures", "secrets", "holds")
    for name, noted, rows in zip(names, counted, desk.checks.counts(), strict=True):
        if noted != rows:
            trail.tell("head", name, f"the head's count of {name.replace('_', ' ')} is {noted}, not {rows}")


def _check_tiles(desk: Desk, trail: Trail) -> None:
    """Every tile against what is below it, and none beside (L11)."""
    level, below, wanted = 1, len(trail.adds), set()
    while below >= merkle.WIDTH:
        count = below // merkle.WIDTH
        for place in range(-(-count // merkle.WIDTH)):
            wanted.add((level, place))
            made = b"".join(
                merkle.perfect_root(desk.ledger.row(level - 1, place * merkle.WIDTH + at))
                for at in range(min(merkle.WIDTH, count - place * merkle.WIDTH))
            )
            if desk.ledger.row(level, place) != made:
                name = f"{level}/{place}"
                trail.tell("tile", name, f"tile {name} is not made of what is below it")
        level, below = level + 1, count
    for level, place in sorted(set(desk.checks.tiles()) - wanted):
        trail.tell("tile", f"{level}/{place}", f"tile {level}/{place} is of no event that is there")
