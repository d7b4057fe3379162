"""Ledgers, keys and receipts made here, with real keys, so that the verifier is tried where no shared data is.

Promises that what is made is right where nothing says otherwise: events by ``rules.events``, proofs by
``rules.merkle``, signatures by ``cryptography``. A test bends it afterwards.
"""

from __future__ import annotations

import hmac
import json
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey

from oz0mem import verify
from oz0mem.rules import events, merkle
from tests.rules.naive_tree import Log

ORIGIN = "acme.example/oz0mem"
NAME, OPENING = "dana", bytes(range(32))
AT = 1_790_000_000
ACTOR = {"kind": "person", "ref": "a_" + "27" * 32, "verified": True}


class Signer(NamedTuple):
    """Two seeds as a key of a ledger."""

    seed: str
    origin: str = ORIGIN

    def ed25519(self) -> Ed25519PrivateKey:
        """Its first half."""
        return Ed25519PrivateKey.from_private_bytes(sha256(self.seed.encode() + b" ed").digest())

    def mldsa(self) -> MLDSA44PrivateKey:
        """Its second half."""
        return MLDSA44PrivateKey.from_seed_bytes(sha256(self.seed.encode() + b" ml").digest())

    def vkeys(self) -> list[str]:
        """Both verifier keys."""
        ed25519, mldsa = self.ed25519().public_key(), self.mldsa().public_key()
        return [
            verify.make_vkey(self.origin, verify.ED25519, ed25519.public_bytes_raw()),
            verify.make_vkey(self.origin, verify.MLDSA, mldsa.public_bytes_raw()),
        ]

    def entry(self, start: int = 0, until: int = -1) -> dict[str, Any]:
        """As the key file has it."""
        return {"id": verify.key_id(self.vkeys()), "vkeys": self.vkeys(), "from": start, "until": until}

    def lines(self, head: verify.Head, at: int = AT) -> list[str]:
        """Its two signature lines under a head, Ed25519 first."""
        first, second = (verify.read_vkey(vkey)[1] for vkey in self.vkeys())
        signed = self.mldsa().sign(verify.mldsa_message(self.origin, at, head))
        return [
            verify.signature_line(self.origin, first, self.ed25519().sign(verify.head_body(*head).encode())),
            verify.signature_line(self.origin, second, at.to_bytes(8, "big") + signed),
        ]


ANA, BOB = Signer("ana"), Signer("bob")


def key_file(*entries: dict[str, Any], origin: str = ORIGIN) -> bytes:
    """A key file; of ANA's key without an end where no entries are given."""
    return json.dumps({"oz0mem": "keys/1", "ledger": origin, "keys": list(entries) or [ANA.entry()]}).encode()


def note(head: verify.Head, lines: Iterable[str]) -> str:
    """A signed note."""
    return f"{verify.head_body(*head)}\n{''.join(lines)}"


def handle(name: str = NAME, opening: bytes = OPENING, origin: str = ORIGIN) -> str:
    """A person's handle (L4)."""
    message = b"oz0mem/subject/1\0" + origin.encode() + b"\0" + name.encode()
    return "s_" + hmac.new(opening, message, sha256).hexdigest()


class Ledger:
    """A ledger of one person's erasures among other events.

    Args:
        name: the person.
        origin: the ledger's name.
    """

    def __init__(self, name: str = NAME, origin: str = ORIGIN) -> None:
        self.name, self.origin, self.log = name, origin, Log()
        self.handle = handle(name, origin=origin)
        self.records: list[dict[str, Any]] = []

    @property
    def size(self) -> int:
        """How many events there are."""
        return len(self.log.leaves)

    def fill(self, count: int) -> Ledger:
        """Append events that concern nobody."""
        self.log.append([merkle.leaf_hash(b"other %d" % (self.size + at)) for at in range(count)])
        return self

    def build(self, action: str, **fields: Any) -> dict[str, Any]:
        """An event at the ledger's end, which is not appended."""
        data = events.build(
            action,
            ledger=self.origin,
            index=self.size,
            at=AT * 1_000_000,
            outcome="done",
            actor=ACTOR,
            salt="AAAAAAAAAAAAAAAAAAAAAA",
            fields={"subject": self.handle, **fields},
        )
        return dict(json.loads(data))

    def append(self, event: dict[str, Any]) -> dict[str, Any]:
        """Append an event as it is."""
        self.log.append([merkle.leaf_hash(verify.canonical(event))])
        self.records.append(event)
        return event

    def erase(self, entries: Iterable[str] = ("n-4be1906c22d1",), **changed: Any) -> Ledger:
        """Append an erasing event, the next of that person."""
        last = self.records[-1] if self.records else {"n": 0, "index": -1}
        told = {"n": last.get("n", 0) + 1, "prev": last["index"], "count": len(list(entries)), "entries": list(entries)}
        told |= {"basis": "request", "residue": "none-found", "backups_until": "2026-11-02"}
        self.append(self.build("memory.forgotten", **told | changed))
        return self

    def close(self, **changed: Any) -> Ledger:
        """Append what ends a receipt."""
        last = self.records[-1] if self.records else {"n": 0, "index": -1}
        covered = {"from_n": 1, "through_n": last.get("n", 0), "through_index": last["index"]}
        self.append(self.build("receipt.issued", **covered | changed))
        return self

    def head(self, size: int = -1, signers: Iterable[Signer] = (ANA,)) -> str:
        """A signed head, of the whole ledger where no size is given."""
        size = self.size if size < 0 else size
        root = merkle.root(merkle.edge_of(size, self.log.read_leaves, self.log.read), size)
        made = verify.Head(self.origin, size, root)
        return note(made, [line for signer in signers for line in signer.lines(made)])

    def record(self, event: dict[str, Any]) -> dict[str, Any]:
        """An event with its proof against the whole ledger."""
        return {"event": event, "proof": encoded(self.log.inclusion(event["index"], self.size))}

    def receipt(self, since: int = 0, **changed: Any) -> dict[str, Any]:
        """The receipt as a document."""
        document: dict[str, Any] = {
            "oz0mem": "receipt/1",
            "ledger": self.origin,
            "subject": {"handle": self.handle, "name": self.name, "key": OPENING.hex()},
            "records": [self.record(event) for event in self.records],
            "checkpoint": self.head(),
        }
        if since:
            document["since"] = {"size": since, "consistency": encoded(self.log.consistency(since, self.size))}
        return document | changed


def encoded(hashes: Iterable[bytes]) -> list[str]:
    """Hashes in base64."""
    return [b64encode(each).decode() for each in hashes]


def compact(document: object) -> bytes:
    """A document without white space."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def simple(erasures: int = 2, before: int = 5) -> Ledger:
    """A ledger with events before, between and after the erasures, closed."""
    ledger = Ledger().fill(before)
    for at in range(erasures):
        ledger.erase([f"n-{at:012x}"]).fill(2)
    return ledger.close().fill(3)


def code_of(document: object, keys: bytes | None = None, held: str | None = None) -> str:
    """What a receipt is answered with: ``ok`` or a code."""
    data = document if isinstance(document, bytes) else compact(document)
    try:
        verify.verify(data, key_file() if keys is None else keys, held)
    except verify.Unverified as error:
        assert error.message.isascii()
        assert error.message.isprintable()
        return error.code
    return "ok"
