"""``doctor``: the installation looked over, each line good or with what to do.

Promises that what cannot be looked at is a line that says so, never an error; that it reads a few rows and no
text, and changes nothing. Leaves reading the machine to the wiring, and the whole ledger to ``audit check``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import context
from oz0mem.model.errors import Oz0Error
from oz0mem.model.moments import SECOND
from oz0mem.model.names import with_article
from oz0mem.rules import merkle, permission

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk

LEAST_ROOM = 64 << 20
"""Bytes that should be free, however small the store is: one rewriting of it and its log."""
_SKEW = 5 * SECOND
"""How far a clock may be behind the last event, microseconds: other machines write to the same ledger."""


class Machine(NamedTuple):
    """What the machine says.

    Attributes:
        tenant: whose memory is looked at.
        opened: files that others may use, each with its mode.
        closed: files of the store, or its folder, that this user cannot write.
        free: bytes free where the store's file is, -1 where it is not on this machine.
        size: bytes of the store's file.
    """

    tenant: str
    opened: list[tuple[str, str]]
    closed: list[str]
    free: int
    size: int


class Line(NamedTuple):
    """One thing that was looked at: whether it is good, what was seen, and what to do where it is not."""

    name: str
    ok: bool
    says: str
    do: str = ""


def refused(name: str, error: Oz0Error) -> Line:
    """A line about what could not be looked at."""
    return Line(name, False, error.message, error.hint)


def examine(ctx: Context, machine: Machine) -> list[Line]:
    """Look the installation over."""
    try:
        seen = ctx.read(lambda desk: _look(desk, ctx, machine))
    except Oz0Error as error:
        closed = [_files(machine)] if machine.closed else []
        return [refused("store", error), *closed, _room(machine)]
    return [*seen, _files(machine), _room(machine)]


def _look(desk: Desk, ctx: Context, machine: Machine) -> list[Line]:
    lines = [Line("store", True, f"{machine.tenant} is there, of this program's schema")]
    try:
        caller = context.caller_of(desk, ctx)
    except Oz0Error as error:
        return [*lines, refused("you", error)]
    if caller.is_agent or not permission.may(caller.role, "audit"):
        who = "an agent's job" if caller.is_agent else with_article(caller.role)
        return [*lines, Line("you", True, f"{caller.name}; the rest is not for {who} to look at")]
    you = Line("you", True, f"{caller.name}, {caller.role}")
    proof = [_ledger(desk), _key(desk, ctx), *_signed(desk, ctx)]
    return [*lines, you, *proof, _clock(desk), _words(desk), _erasures(desk), _four_eyes(desk)]


def _ledger(desk: Desk) -> Line:
    """The last event and the right edge against the tiles: a few rows however long the ledger is."""
    head = desk.head
    do = "oz0mem audit check says where; put a backup in its place"
    last = desk.ledger.at(head.size - 1)
    if head.size and (last is None or (last.body and merkle.leaf_hash(last.body) != last.leaf)):
        return Line("ledger", False, f"event {head.size - 1} is missing or not the one that was written", do)
    if desk.ledger.between(head.size, 1):
        return Line("ledger", False, f"there are events beyond the {head.size} that the head counts", do)
    try:
        edge = merkle.edge_of(head.size, desk.ledger.leaves, desk.ledger.row)
    except ValueError:
        return Line("ledger", False, "hashes of the tree are missing", do)
    if edge != head.edge:
        return Line("ledger", False, "the head is not that of the tree", do)
    return Line("ledger", True, f"{head.size} events of {head.origin}; the head is that of the tree")


def _key(desk: Desk, ctx: Context) -> Line:
    """Whether heads can be signed, and where (L13)."""
    from oz0mem.actions import keys

    try:
        _, due = keys.usable(desk, ctx)
    except Oz0Error as error:
        if error.code == "keys.elsewhere":
            return Line("key", True, f"{error.message}; receipts and heads are signed where it is")
        return refused("key", error)
    ids = " and ".join(key.id for key in due)
    return Line("key", True, f"{ids} signs here")


def _signed(desk: Desk, ctx: Context) -> list[Line]:
    """The last head that was signed here against the ledger (L14)."""
    from oz0mem.actions import heads, keys

    lines: list[Line] = []
    try:
        first = keys.first_of(desk)
        for pin in ctx.keys.pins(desk.head.origin) if ctx.keys is not None else []:
            if pin.first == first:
                heads.held_against(desk, pin.head)
                lines.append(Line("head", True, f"the ledger has all {pin.size} events whose head was signed here"))
            elif pin.store == ctx.store.place:
                said = f"another ledger stands here than the one whose head of {pin.size} was signed here"
                lines.append(Line("head", False, said, "put the newest copy of the store back"))
        latest = desk.heads.latest()
        if not lines and latest is not None:
            said = f"a head of {latest.size} was signed elsewhere, so an older copy of the store is not noticed here"
            lines.append(Line("head", True, said))
    except Oz0Error as error:
        lines.append(refused("head", error))
    return lines


def _clock(desk: Desk) -> Line:
    newest = desk.ledger.latest(before=desk.head.size, limit=1, since=desk.now + _SKEW)
    if newest:
        return Line(
            "clock",
            False,
            "this machine's clock is behind what the ledger recorded last",
            "set the clock; ends and holds go by it",
        )
    return Line("clock", True, "not behind the ledger")


def _words(desk: Desk) -> Line:
    from oz0mem.rules.words import INDEX_VERSION

    found = desk.head.index_version
    if found != INDEX_VERSION:
        do = "install the newer oz0mem" if found > INDEX_VERSION else "oz0mem upgrade"
        return Line("words", False, f"words were cut by rules {found}, this program's are {INDEX_VERSION}", do)
    return Line("words", True, f"cut by this program's rules, {found}")


def _erasures(desk: Desk) -> Line:
    count = desk.head.open_erasures
    if count:
        said = f"{count} erasures wait to be finished" if count > 1 else "one erasure waits to be finished"
        return Line("erasures", False, said, "oz0mem upkeep, once nobody else has the store's files open")
    return Line("erasures", True, "none is open")


def _four_eyes(desk: Desk) -> Line:
    if desk.head.solo:
        return Line("four eyes", True, "a solo store: one person may do both halves of what takes two")
    if context.settings_of(desk).four_eyes:
        return Line("four eyes", True, "on")
    admins = [one for one in desk.identity.principals() if one.role == "admin" and not one.disabled]
    if len(admins) > 1:
        return Line(
            "four eyes",
            False,
            "off",
            "oz0mem settings set --four-eyes --reason '…', or leave it so on purpose",
        )
    return Line("four eyes", True, "off: there is one admin; it turns on with the second")


def _files(machine: Machine) -> Line:
    if machine.closed:
        said = f"you cannot write {', '.join(machine.closed)}, and reads are recorded too"
        return Line("files", False, said, "give yourself write access to the store's files and their folder")
    if not machine.opened:
        return Line("files", True, "store, profile and credentials are for their owner alone")
    said = ", ".join(f"{path} has mode {mode}" for path, mode in machine.opened)
    paths = " ".join(_quoted(path) for path, _ in machine.opened)
    return Line("files", False, f"others may use what is yours: {said}", f"chmod 600 {paths}")


def _quoted(path: str) -> str:
    return path if path.isascii() and not set(path) & set(" '\"$&();<>|*?") else f'"{path}"'


def _room(machine: Machine) -> Line:
    if machine.free < 0:
        return Line("disk", True, "not this machine's to look at")
    wanted = max(LEAST_ROOM, machine.size)
    said = f"{machine.free >> 20:,} MiB free, the store has {max(1, machine.size >> 20):,} MiB"
    if machine.free < wanted:
        return Line("disk", False, said, f"make room: at least {wanted >> 20:,} MiB")
    return Line("disk", True, said)
