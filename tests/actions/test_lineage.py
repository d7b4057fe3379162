"""L13: whoever can write into the store, and has no seeds, adds no key and retires none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem import verify
from oz0mem.actions import auditing, context, heads, keys, receipts, rotation
from oz0mem.adapters.keys import Keys
from oz0mem.model.heads import SignedHead
from oz0mem.rules import events, merkle
from tests.actions.evidence import refused, run_sql

if TYPE_CHECKING:
    from pathlib import Path

    from oz0mem.actions.ports import Desk
    from oz0mem.model.heads import PublicKey
    from tests.actions.world import World


class Intruder:
    """Somebody with the store and a key of their own, who appends as the program would, and signs what they like.

    Args:
        world: whose store it is.
        folder: where their seeds are.
    """

    def __init__(self, world: World, folder: Path) -> None:
        self.world = world
        self.keys = Keys(folder, {})
        self.ledger, self.first = world.store.read(world.now, lambda desk: (desk.head.origin, keys.first_of(desk)))

    def append(self, action: str, **fields: Any) -> int:
        """An event with its leaf, tiles and head."""
        return self.world.store.write(
            self.world.now, lambda desk: desk.ledger.append(action, context.SYSTEM, dict(fields))
        )

    def make(self) -> PublicKey:
        """A key of theirs."""
        return self.keys.make(self.ledger, self.first, os.urandom)

    def add(self, key: PublicKey) -> int:
        """Tell the ledger of it."""
        return self.append("ledger.key_added", vkeys=list(key.vkeys), key=key.id)


@pytest.fixture
def intruder(proven: World, tmp_path: Path) -> Intruder:
    """Somebody at a store whose head was signed."""
    heads.head(proven.ana)
    return Intruder(proven, tmp_path / "intruder")


def found(world: World) -> list[str]:
    """What the check says of keys."""
    return [one.sentence for one in auditing.check(world.ana, contents=False).problems if one.what == "key"]


def test_a_key_that_no_key_before_it_signed_for_is_handed_out_to_nobody(proven: World, intruder: Intruder) -> None:
    """L13: added, the true one retired, and a head signed by the new one alone put into the store."""
    [true] = keys.public(proven.ana).keys
    evil = intruder.make()
    index = intruder.add(evil)
    intruder.append("ledger.key_retired", vkeys=list(true.vkeys), key=true.id)
    made = proven.store.write(proven.now, lambda desk: desk.heads.put())
    note = intruder.keys.sign(intruder.ledger, [evil.id], made)
    proven.store.write(proven.now, lambda desk: desk.heads.sign(made.size, [evil.id], note))
    assert keys.public(proven.ana).keys == (true,)
    told = found(proven)
    assert f"event {index} adds key {evil.id}, and no head is signed by it and the key before it" in told
    assert f"event {index + 1} retires a key that has no successor" in told
    assert refused(lambda: heads.head(proven.ana)).code == "keys.unproven"
    assert refused(lambda: receipts.receipt(proven.ana, "dana")).code == "keys.unproven"
    assert refused(lambda: rotation.rotate(proven.ana, "why")).code == "keys.unproven"


def test_a_true_signature_on_another_head_is_no_word_for_a_key(proven: World, intruder: Intruder) -> None:
    """L13: the lines of an older head of the true key, or of one over other events, beside those of their own."""
    [true] = keys.public(proven.ana).keys
    older = proven.store.read(proven.now, lambda desk: desk.heads.latest())
    evil = intruder.make()
    intruder.add(evil)
    made = proven.store.write(proven.now, lambda desk: desk.heads.put())
    assert older is not None
    own = intruder.keys.sign(intruder.ledger, [evil.id], made)
    mixed = own + older.note.partition("\n\n")[2]
    proven.store.write(proven.now, lambda desk: desk.heads.sign(made.size, [true.id, evil.id], mixed))
    assert keys.public(proven.ana).keys == (true,)


@pytest.mark.parametrize("kind", ["another ledger's", "weak", "twice", "halves"])
def test_a_key_that_a_verifier_refuses_spoils_no_key_file(proven: World, intruder: Intruder, kind: str) -> None:
    """L13: the file that is handed out is read by every verifier, whatever stands in the ledger; the check tells."""
    [true] = keys.public(proven.ana).keys
    halves = {verify.read_vkey(vkey)[2]: vkey for vkey in intruder.make().vkeys}
    weak = verify.make_vkey(intruder.ledger, verify.ED25519, b"\x01" + bytes(31))
    foreign = [
        verify.make_vkey("other/oz0mem", verify.read_vkey(vkey)[2], verify.read_vkey(vkey)[3])
        for vkey in halves.values()
    ]
    vkeys = {
        "another ledger's": foreign,
        "weak": [weak, halves[verify.MLDSA]],
        "twice": list(true.vkeys),
        "halves": [halves[verify.MLDSA], halves[verify.MLDSA]],
    }[kind]
    intruder.append("ledger.key_added", vkeys=vkeys, key=true.id)
    assert verify.read_keys(keys.public(proven.ana).encoded()).keys[0].id == true.id
    assert len(keys.public(proven.ana).keys) == 1
    assert len(found(proven)) == 1
    assert verify.check_head(heads.head(proven.ana).note, verify.read_keys(keys.public(proven.ana).encoded()))


def test_a_ledger_made_anew_with_their_key_is_handed_out_by_nobody_here(proven: World, intruder: Intruder) -> None:
    """L14: this machine knows what it signed, so it hands out no keys of a ledger that is not that one."""
    heads.head(proven.ana)
    evil = intruder.make()

    def rewrite(desk: Desk) -> None:
        work: Any = desk
        edge, size = b"", desk.head.size
        for index in range(size):
            told = desk.ledger.at(index)
            assert told is not None
            event = events.read(told)
            assert event is not None
            if event["action"] == "ledger.key_added":
                event |= {"vkeys": list(evil.vkeys), "key": evil.id}
            body = _encoded(event)
            edge = merkle.append(edge, index, merkle.leaf_hash(body))
            values = (body, merkle.leaf_hash(body), 1, index)
            work.work.run("UPDATE event SET body = ?, leaf = ? WHERE tenant = ? AND idx = ?", values)
        work.work.head = work.work.head._replace(edge=edge)
        work.work.change(size=size)
        work.work.run("DELETE FROM signed_head WHERE tenant = ?", (1,))

    if proven.store.back.name == "sqlite":
        run_sql(proven, "DROP TRIGGER event_as_written")
        proven.store.write(proven.now, rewrite)
        proven.store = proven.opened()
        assert refused(lambda: keys.public(proven.context("ana's token"))).rule == "L14"


def _encoded(event: dict[str, Any]) -> bytes:
    return verify.canonical(event)


def test_a_draft_is_kept_by_nobody(proven: World) -> None:
    """L14: what is signed to be compared alone is neither in the store nor in signed.json."""
    before = proven.keys.pins("acme.example/oz0mem") if proven.keys else []
    assert heads.draft(proven.ana)
    assert (proven.keys.pins("acme.example/oz0mem") if proven.keys else []) == before
    assert not [
        row
        for row in proven.store.read(proven.now, lambda desk: desk.heads.page(-1, 9))
        if isinstance(row, SignedHead) and row.note
    ]
