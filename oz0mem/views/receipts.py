"""Receipts, heads and keys as people and scripts see them (L12, L13, L30, L32).

Promises that what is not proven is always said, and that a name out of a receipt is shown as data (C9).
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.heads import Signed
    from oz0mem.actions.keys import KeyFile
    from oz0mem.actions.receipts import Receipt
    from oz0mem.actions.rotation import Rotated
    from oz0mem.verify import Verified

_KEYS = (Column("id", "id"), Column("from", "number"), Column("until", "number"))


def issued(receipt: Receipt, output: str, *, certificate: bool) -> View:
    """A receipt that was written, or the certificate with the receipt at its end."""
    head = receipt.head
    records = len(receipt.events)
    document = {
        "file": output,
        "certificate": certificate,
        "about": receipt.about,
        "records": records,
        "from_n": 1,
        "through_n": records,
        "living": list(receipt.living),
        "head": {"size": head.size, "key": head.keys[-1]},
    }
    said = (
        f"{output}: {_count(records, 'record')} about {receipt.about}, under a head of {head.size} signed by"
        f" {' and '.join(head.keys)}"
    )
    if receipt.living:
        many = "1 entry" if len(receipt.living) == 1 else f"{len(receipt.living):,} entries"
        said += f"; {many} remembered since, or never erased: oz0mem list --about {quote(receipt.about)}"
    how = "it says how to check it" if certificate else f"oz0mem verify {quote(output)} --keys head.pub.json"
    how += " --held HEAD" if "since" in receipt.document and not certificate else ""
    return View("text", document=document, sentence=said, next=how)


def verified(found: Verified, sentence: str, not_proven: Sequence[str]) -> View:
    """A receipt that holds: what it proves, and what it does not (L32)."""
    document = {
        "ok": True,
        "code": "ok",
        "about": found.about,
        "records": found.records,
        "from_n": found.from_n,
        "through_n": found.through_n,
        "as_of": {"index": found.as_of_index, "at": found.as_of_at},
        "head": {"size": found.size, "key": found.key},
        "held": found.held,
        "witnesses": [],
        "not_proven": list(not_proven),
    }
    lines = [sentence, "not proven:", *(f"- {each}" for each in not_proven)]
    return View("text", document=document, sentence="\n".join(lines))


def unverified(code: str, message: str) -> View:
    """A receipt that does not hold: the first check that failed (L31)."""
    document = {"ok": False, "code": code, "message": message}
    return View("text", document=document, sentence=f"not verified ({code}): {message}")


def head(signed: Signed, output: str) -> View:
    """A signed head; without a file its note, to be copied."""
    document: dict[str, Any] = {
        "ledger": signed.ledger,
        "size": signed.size,
        "root": signed.root,
        "at": Moment(signed.at),
        "key": signed.keys[-1],
        "witnesses": [],
        "note": signed.note,
    }
    said = f"{output}: the head of {signed.size} events of {signed.ledger}, signed by {' and '.join(signed.keys)}"
    return View("text", document=document, sentence=said if output else signed.note.removesuffix("\n"))


def keys(found: KeyFile, output: str) -> View:
    """The public keys; with a file, that they are in it."""
    rows: list[tuple[object, ...]] = [(key.id, key.start, None if key.until < 0 else key.until) for key in found.keys]
    if output:
        in_force = " and ".join(key.id for key in found.keys if key.until < 0)
        said = f"{output}: {_count(len(rows), 'public key')} of {found.ledger}; {in_force or 'none'} in force"
        return View("text", document={"file": output, **found.document()}, sentence=said)
    said = "" if found.here else "heads are signed where the key in force is, and that is not this machine"
    return View("list", _KEYS, rows, {**found.document(), "here": found.here}, said)


def rotated(done: Rotated) -> View:
    """A new key in force."""
    document = {
        "key": done.key.id,
        "where": done.where,
        "retired": list(done.retired),
        "ledger": done.head.ledger,
        "head": {"size": done.head.size, "key": done.head.keys[-1]},
    }
    old = " and ".join(done.retired)
    said = f"{done.key.id}, in {done.where}, signs from now on" + (f", {old} no more" if old else "")
    return View(
        "text", document=document, sentence=said, next="hand out the keys anew: oz0mem audit keys -o head.pub.json"
    )


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
