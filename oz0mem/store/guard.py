"""Before anything is appended: the store still has what was signed on this machine (L14).

Promises that an older copy of the store, or another one in its place, refuses every write, and that the check
reads a few hashes however long the ledger is. Leaves where signed heads are kept to the keys of the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.errors import Refused
from oz0mem.rules import merkle
from oz0mem.store.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.model.heads import Pin
    from oz0mem.store.work import Work


def check(work: Work, pins: Sequence[Pin], place: str, kept: str) -> None:
    """Compare the ledger with the last heads of its origin that were signed here.

    Args:
        work: the transaction, its head row read.
        pins: what ``signed.json`` has of this origin.
        place: the store as pins have it, a hash of its URL.
        kept: where the pins are kept, for whoever has to go on.

    Raises:
        Refused: ``ledger.rollback``, ``ledger.fork`` or ``ledger.replaced``, rule L14.
    """
    if not pins:
        return
    ledger = Ledger(work)
    first = ledger.leaves(0, 1).hex()
    for pin in pins:
        if pin.first == first:
            _check_grown(work, ledger, pin, kept)
        elif pin.store == place:
            raise Refused(
                "ledger.replaced",
                f"another ledger of {pin.ledger} stands in that place than the one whose head of {pin.size} was"
                " signed here",
                hint=_how(pin, kept),
                rule="L14",
            )


def _check_grown(work: Work, ledger: Ledger, pin: Pin, kept: str) -> None:
    size = work.head.size
    if size < pin.size:
        raise Refused(
            "ledger.rollback",
            f"the store has {size} events, and a head of {pin.size} was signed here: an older copy stands in its place",
            hint=_how(pin, kept),
            rule="L14",
            events=size,
            signed=pin.size,
        )
    try:
        edge = merkle.edge_of(pin.size, ledger.leaves, ledger.row)
    except ValueError:
        edge = b""
    if not edge or merkle.root(edge, pin.size).hex() != pin.root:
        raise Refused(
            "ledger.fork",
            f"the first {pin.size} events are not those whose head was signed here: the ledger was rewritten",
            hint=f"{_how(pin, kept)}; oz0mem audit check says where",
            rule="L14",
            signed=pin.size,
        )


def _how(pin: Pin, kept: str) -> str:
    return (
        f"put the newest copy of the store back; where it is lost for good, take the head of {pin.size} of {pin.ledger}"
        f" out of the list in {kept}, and know that no ledger will extend the heads that were handed out"
    )
