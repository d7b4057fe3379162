"""``receipt``: a person's erasing events, each with its proof, under a signed head (L30).

Promises that a receipt is complete by construction: it carries every erasing event of that person from the first to the
last, and the event that issues it, itself in the ledger, fixes the end. Leaves checking one to ``oz0mem.verify``,
which needs nothing of this store.
"""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import context, erasing, gate, heads, keys, mentioning, refusals, unlinking
from oz0mem.model.errors import Fault, NotFound, Waiting
from oz0mem.model.names import OF_PERSON, check_subject
from oz0mem.rules import events, merkle, permission

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.heads import Signed
    from oz0mem.actions.ports import Desk

FORMAT = "receipt/1"
_PAGE = 1_000
LARGEST = 8 << 20
"""Bytes of a receipt that every verifier reads (L31)."""


class Receipt(NamedTuple):
    """A receipt as it is handed out.

    Attributes:
        about: the person.
        document: what is written to the file.
        events: the person's erasing events, oldest first.
        head: the head that it is proven against.
        actors: names of principals by handle, of those whom it names.
        living: ids of entries about the person that are there now, which no erasing event names.
        kept: what of the person is still there, and why.
        not_proven: what the receipt does not prove (L32).
    """

    about: str
    document: dict[str, Any]
    events: list[dict[str, Any]]
    head: Signed
    actors: dict[str, str]
    living: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    not_proven: tuple[str, ...] = ()

    def encoded(self) -> bytes:
        """The file's bytes."""
        return json.dumps(self.document, indent=1, ensure_ascii=False).encode() + b"\n"


class _Issued(NamedTuple):
    """What the closing event fixed: whom, their key, how many erasing events, the last and the closing index."""

    name: str
    number: int
    handle: str
    key: bytes
    n: int
    last: int
    closing: int


@refusals.told("receipt")
def receipt(ctx: Context, about: str | None = None, *, since: str = "", certificate: bool = False) -> Receipt:
    """Issue a receipt about a person.

    Args:
        ctx: who asks: a member about themself; an admin, a reviewer or an auditor about anybody.
        about: the person; None for the caller.
        since: a head that was handed out before, as text; the receipt then proves that the ledger extends it.
        certificate: whether what is still there of the person is told, and why (L35).

    Raises:
        NotFound: ``person.unknown``, also where their name was taken from the store (L4).
        Waiting: ``receipt.open`` while an erasure about them is not finished (L21).
        Refused: ``keys.none``, ``keys.elsewhere``; or by L14.
        Unverified: ``head.rollback``, ``head.fork`` and others where ``since`` is no head that this ledger extends.
        Fault: ``receipt.large``.
    """
    if about is not None:
        gate.scan({"about": about})
        about = check_subject(about)
    ctx.read(lambda desk: _person(desk, ctx, about))
    erasing.finish_left(ctx)
    if since:
        ctx.read(lambda desk: heads.held_against(desk, since))
    signed, issued = heads.sign(ctx, lambda desk: _issue(desk, ctx, about))
    try:
        made = ctx.read(lambda desk: _gather(desk, signed, issued, since))
        if certificate:
            made = made._replace(kept=ctx.read(lambda desk: _kept(desk, ctx, issued, made.living)))
    except ValueError:  # hashes of the tree are missing
        raise _broken(issued.closing) from None
    return _checked(ctx, made, since)


def _kept(desk: Desk, ctx: Context, issued: _Issued, living: tuple[str, ...]) -> tuple[str, ...]:
    """What of a person is still there, and why, whom a receipt was just issued about."""
    caller = context.caller_of(desk, ctx)
    reasons = [_KEEPING[each].format(ids=", ".join(living)) for each in unlinking.kept_because(desk, issued.number)]
    named = mentioning.find(desk, caller, issued.name, issued.number)
    told = [f"entries about others or work that name the person, for somebody to edit: {', '.join(named)}"]
    return (*(reasons or [_WINDOW]), *(told if named else []))


_WINDOW = "the person's name, until 90 days after the last record, since a receipt needs it; then no more can be made"
_KEEPING = {
    "principal": "the person's name, since they have or had access here and the ledger names who acted",
    "author": "the person's name, since they wrote entries that are still there",
    "legal_hold": "what a legal hold preserves: restricted, shown to nobody, erased when the hold is lifted",
    "remembered": "entries about the person that were remembered since, or never erased: {ids}",
}


def _checked(ctx: Context, made: Receipt, since: str) -> Receipt:
    """The receipt as whoever gets it will check it: none is given out that would not hold."""
    from oz0mem import verify

    content = made.encoded()
    if len(content) > LARGEST:
        raise Fault(
            "receipt.large",
            f"the receipt would have more than {LARGEST >> 20} MiB, which no verifier reads",
            hint="oz0mem audit log --type memory.forgotten shows its events",
            rule="L31",
        )
    try:
        found = verify.verify(content, ctx.read(keys.key_file).encoded(), since or None)
    except verify.Unverified as error:
        raise Fault(
            "receipt.broken",
            f"the receipt that was made does not hold ({error.code}), so it is not given out",
            hint="oz0mem audit check --contents says where the ledger does not",
            rule="L31",
        ) from None
    return made._replace(not_proven=tuple(verify.not_proven(found)))


def _person(desk: Desk, ctx: Context, about: str | None) -> tuple[Caller, str, int]:
    caller = context.person_of(desk, ctx, "own_receipt")
    name = caller.name if about is None else about
    if name != caller.name:
        permission.check(caller.role, "receipt_other")
    number = desk.names.find(OF_PERSON, name)
    if not number or not desk.names.has_key(number):
        known = desk.names.folded(OF_PERSON, name)
        raise NotFound(
            "person.unknown",
            "nobody of that name is known here; after a forget the name goes with the receipt window",
            hint=f"did you mean {known}?" if known else "a receipt that was taken before stays good",
            rule="L4",
        )
    return caller, name, number


def _issue(desk: Desk, ctx: Context, about: str | None) -> _Issued:
    caller, name, number = _person(desk, ctx, about)
    if any(erasure.about == number for erasure in desk.erasing.open()):
        raise Waiting(
            "receipt.open",
            "an erasure about that person is not finished, since somebody still has the store's files open",
            hint="run it again when they have closed it; oz0mem doctor tells",
            rule="L21",
        )
    n, last = desk.names.counted(number)
    # Nothing is signed for a receipt that could not be made.
    _chain(desk, n, last)
    handle = desk.names.subject_handle(number)
    told = {"subject": handle, "from_n": 1, "through_n": n, "through_index": last}
    index = desk.ledger.append("receipt.issued", context.actor(desk, caller), told)
    return _Issued(name, number, handle, desk.names.subject_key(number), n, last, index)


def _gather(desk: Desk, signed: Signed, issued: _Issued, since: str) -> Receipt:
    leaves, tile = _remembered(desk.ledger.leaves), _remembered(desk.ledger.row)
    told = [*_chain(desk, issued.n, issued.last), _event(desk, issued.closing)]
    edge = merkle.edge_of(signed.size, leaves, tile)
    records = [
        {"event": event, "proof": _written(merkle.inclusion(event["index"], signed.size, leaves, tile, edge))}
        for event in told
    ]
    document: dict[str, Any] = {
        "oz0mem": FORMAT,
        "ledger": signed.ledger,
        "subject": {"handle": issued.handle, "name": issued.name, "key": issued.key.hex()},
        "records": records,
        "checkpoint": signed.note,
    }
    if since:
        size = heads.read_held(desk, since).size
        proof = merkle.consistency(size, signed.size, leaves, tile) if size else []
        document["since"] = {"size": size, "consistency": _written(proof)}
    return Receipt(issued.name, document, told[:-1], signed, names_of(desk, told), _living(desk, issued.number))


def _written(proof: list[bytes]) -> list[str]:
    return [b64encode(each).decode() for each in proof]


def _living(desk: Desk, number: int) -> tuple[str, ...]:
    """Ids of what is remembered about a person now; a receipt tells of what was erased alone."""
    after = (0, 0)
    ids: list[str] = []
    while rows := desk.listing.about(number, _PAGE, after):
        ids += [row.id for row in rows]
        after = (rows[-1].created, rows[-1].entry)
    return tuple(ids)


def names_of(desk: Desk, told: list[dict[str, Any]]) -> dict[str, str]:
    """The names of those principals who acted, by handle."""
    acted = {event["actor"]["ref"] for event in told}
    found: dict[str, str] = {}
    for one in desk.identity.principals():
        handle = desk.names.actor_handle(one.number) if desk.names.has_key(one.number) else ""
        if handle in acted:
            found[handle] = one.name
    return found


def _chain(desk: Desk, n: int, last: int) -> list[dict[str, Any]]:
    """A person's n erasing events up to the last one, oldest first: each names the one before."""
    found: list[dict[str, Any]] = []
    index = last
    while index >= 0 and len(found) <= n:
        event = _event(desk, index)
        found.append(event)
        index = event.get("prev", -1)
    if [event.get("n") for event in found] != list(range(n, 0, -1)):
        raise _broken(last)
    return found[::-1]


def _event(desk: Desk, index: int) -> dict[str, Any]:
    told = desk.ledger.at(index)
    event = events.read(told) if told is not None else None
    if event is None:
        raise _broken(index)
    return event


def _broken(index: int) -> Fault:
    return Fault(
        "receipt.broken",
        f"event {index} or one before it is not as it was written, so no receipt can be made",
        hint="oz0mem audit check --contents says where",
        rule="L7",
    )


def _remembered(read: Callable[[int, int], bytes]) -> Callable[[int, int], bytes]:
    """The reading of hashes, each piece read once for all proofs of one receipt."""
    known: dict[tuple[int, int], bytes] = {}

    def piece(first: int, second: int) -> bytes:
        found = known.get((first, second))
        if found is None:
            found = known[first, second] = read(first, second)
        return found

    return piece
