"""The seeds of signing keys, what they sign, and the last head that they signed (L12 to L14).

Promises that seeds stand in one file for its owner alone (``keys.toml``, mode 0600) before a ledger knows their key,
or come from ``OZ0MEM_SIGNING_KEY``; that ``signed.json`` beside it is on the disk before a signed head is given
out. Leaves which key is in force to the ledger, and what a note looks like to ``oz0mem.verify``.

A key is two seeds of 32 bytes: one of Ed25519 (RFC 8032), one of ML-DSA-44 (FIPS 204). The variable holds both
in hex with a colon between.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from oz0mem.adapters import config, files
from oz0mem.model.errors import Fault, Forbidden, Invalid
from oz0mem.model.heads import Pin, PublicKey
from oz0mem.model.moments import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from oz0mem.model.heads import SignedHead

VARIABLE = "OZ0MEM_SIGNING_KEY"
SEEDS = "keys.toml"
SIGNED = "signed.json"
_FORMAT = "signed/1"
_ED25519, _MLDSA = 0x01, 0x06
_SEED = 32
_NAMES = ("ed25519", "ml-dsa-44")
_HINT = "a key is two seeds of 64 hex digits, Ed25519:ML-DSA-44; put the file back from where it was kept safe"


class Keys:
    """The signing keys of this machine's user.

    Args:
        folder: where the profile is.
        environment: variables; the process's where None.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.environment = os.environ if environment is None else environment

    def where(self, ledger: str = "", key: str = "") -> str:
        """Where a key's seeds are, for people: the file, or the variable."""
        if key and key not in self._file().get(ledger, {}):
            return VARIABLE
        return str(self.folder / SEEDS)

    def signed(self) -> str:
        """The file of the last heads that were signed."""
        return str(self.folder / SIGNED)

    def alone(self) -> AbstractContextManager[None]:
        """Keep every other process that signs with these keys waiting."""
        return files.alone(self.folder, ".signing")

    def of(self, ledger: str, first: str) -> list[PublicKey]:
        """The keys of a ledger whose seeds are here, that of the environment last.

        Args:
            ledger: the origin.
            first: hex of the first event's leaf; a key made for another ledger of that origin is never used here.
        """
        return [PublicKey(key, _vkeys(ledger, seeds)) for key, seeds in self._seeds(ledger, first).items()]

    def make(self, ledger: str, first: str, entropy: Callable[[int], bytes]) -> PublicKey:
        """Make a key; its seeds are on the disk when this returns."""
        seeds = (entropy(_SEED), entropy(_SEED))
        vkeys = _vkeys(ledger, seeds)
        key = _key_id(vkeys)
        document = self._file()
        kept = {name: seed.hex() for name, seed in zip(_NAMES, seeds, strict=True)}
        document.setdefault(ledger, {})[key] = {"first": first, **kept}
        config.write(self.folder / SEEDS, document)
        return PublicKey(key, vkeys)

    def drop(self, ledger: str, key: str) -> None:
        """Take the seeds of a retired key away; those in the environment are not this program's to take."""
        document = self._file()
        if document.get(ledger, {}).pop(key, None) is not None:
            config.write(self.folder / SEEDS, document)

    def sign(self, ledger: str, keys: Sequence[str], head: SignedHead) -> str:
        """Sign a head with both halves of each key (L12).

        Args:
            ledger: the origin, which names the keys too.
            keys: ids of keys whose seeds are here.
            head: what is on the disk already (L14).

        Returns:
            The C2SP note.
        """
        from oz0mem import verify

        made = verify.Head(ledger, head.size, head.root)
        body = verify.head_body(*made)
        seeds = self._seeds(ledger)
        lines = [line for key in keys for line in _lines(ledger, seeds[key], body, made, head.at // SECOND)]
        return f"{body}\n{''.join(lines)}"

    def pins(self, ledger: str) -> list[Pin]:
        """The last heads of a ledger's origin that were signed here, one for each ledger of that name.

        Raises:
            Fault: ``keys.signed`` where the file is not what this program writes.
        """
        return [pin for pin in self._pins() if pin.ledger == ledger]

    def pin(self, pin: Pin) -> None:
        """Keep the last head that was signed; it is on the disk when this returns."""
        kept = [each for each in self._pins() if (each.ledger, each.first) != (pin.ledger, pin.first)]
        self._write([*kept, pin])

    def unpin(self, ledger: str, store: str) -> None:
        """Let go of what was signed for a store, since a new tenant was made there on purpose."""
        pins = self._pins()
        kept = [pin for pin in pins if (pin.ledger, pin.store) != (ledger, store)]
        if len(kept) < len(pins):
            self._write(kept)

    def _write(self, pins: list[Pin]) -> None:
        document = {"oz0mem": _FORMAT, "heads": [pin._asdict() for pin in pins]}
        files.write(self.folder / SIGNED, json.dumps(document, indent=1).encode())

    def _pins(self) -> list[Pin]:
        path = self.folder / SIGNED
        try:
            document = json.loads(path.read_bytes())
            if document["oz0mem"] != _FORMAT:
                raise ValueError
            pins = [Pin(**each) for each in document["heads"]]
            if not all(map(_is_pin, pins)):
                raise ValueError
            return pins
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise Fault(
                "keys.signed",
                f"{path} is not what this program writes there; without it an older copy of the store is not noticed",
                hint="put it back from a backup, or take it away on purpose",
                rule="L14",
            ) from None

    def _seeds(self, ledger: str, first: str = "") -> dict[str, tuple[bytes, bytes]]:
        """Seeds by key id; of all ledgers of that origin where ``first`` is ''."""
        found: dict[str, tuple[bytes, bytes]] = {}
        for one in self._file().get(ledger, {}).values():
            if not first or one["first"] == first:
                seeds = _read_seeds(tuple(str(one.get(name, "")) for name in _NAMES), self.where())
                found[_key_id(_vkeys(ledger, seeds))] = seeds
        if given := self.environment.get(VARIABLE, ""):
            seeds = _read_seeds(tuple(given.split(":")), VARIABLE)
            found.setdefault(_key_id(_vkeys(ledger, seeds)), seeds)
        return found

    def _file(self) -> dict[str, Any]:
        path = self.folder / SEEDS
        if os.name == "posix" and path.exists() and path.stat().st_mode & 0o077:
            raise Forbidden(
                "config.mode",
                f"{path} can be read by others, so it is not used",
                hint=f"chmod 600 {path}; then oz0mem audit keys rotate, since others may have read it",
                rule="L13",
            )
        document = config.read(path)
        rows = [one for keys in document.values() for one in (keys.values() if isinstance(keys, dict) else [None])]
        if not all(isinstance(one, dict) and isinstance(one.get("first"), str) for one in rows):
            raise Invalid("keys.seed", f"{path} is not what this program writes there", hint=_HINT, rule="L13")
        return document


def _is_pin(pin: Pin) -> bool:
    size, texts = pin.size, (pin.ledger, pin.first, pin.store, pin.root, pin.head)
    return type(size) is int and 0 < size < 1 << 53 and all(isinstance(text, str) for text in texts)


def _read_seeds(pair: tuple[str, ...], origin: str) -> tuple[bytes, bytes]:
    try:
        seeds = [bytes.fromhex(text) for text in pair]
    except ValueError:
        seeds = []
    if len(seeds) != len(_NAMES) or any(len(seed) != _SEED for seed in seeds):
        raise Invalid(
            "keys.seed",
            f"what {origin} holds is no signing key",
            hint=_HINT,
            rule="L13",
        )
    return seeds[0], seeds[1]


def _vkeys(ledger: str, seeds: tuple[bytes, bytes]) -> tuple[str, ...]:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey

    from oz0mem import verify

    ed25519 = Ed25519PrivateKey.from_private_bytes(seeds[0]).public_key().public_bytes_raw()
    mldsa = MLDSA44PrivateKey.from_seed_bytes(seeds[1]).public_key().public_bytes_raw()
    return tuple(sorted((verify.make_vkey(ledger, _ED25519, ed25519), verify.make_vkey(ledger, _MLDSA, mldsa))))


def _key_id(vkeys: tuple[str, ...]) -> str:
    from oz0mem import verify

    return verify.key_id(vkeys)


def _lines(ledger: str, seeds: tuple[bytes, bytes], body: str, head: Any, at: int) -> list[str]:
    """The two signature lines of one key; ML-DSA's signs the time too, which stands before the signature."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey

    from oz0mem import verify

    made = {
        _ED25519: Ed25519PrivateKey.from_private_bytes(seeds[0]).sign(body.encode()),
        _MLDSA: at.to_bytes(8, "big")
        + MLDSA44PrivateKey.from_seed_bytes(seeds[1]).sign(verify.mldsa_message(ledger, at, head)),
    }
    lines = []
    for vkey in _vkeys(ledger, seeds):
        _, hash4, kind, _ = verify.read_vkey(vkey)
        lines.append((kind, verify.signature_line(ledger, hash4, made[kind])))
    return [line for _, line in sorted(lines)]
