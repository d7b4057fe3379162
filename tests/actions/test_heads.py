"""Signed heads, the keys that sign them, and what a ledger has to show for them (L12 to L14, L36)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oz0mem import verify
from oz0mem.actions import auditing, context, entries, forget, heads, keys, receipts, rotation, upkeep
from oz0mem.adapters.keys import SEEDS, SIGNED, Keys
from oz0mem.rules import merkle
from tests.actions.evidence import refused, run_sql
from tests.actions.world import World

if TYPE_CHECKING:
    from oz0mem.actions.heads import Signed


def public(world: World) -> verify.Keys:
    """The key file as a verifier reads it."""
    return verify.read_keys(keys.public(world.ana).encoded())


def said(world: World, against: str = "") -> list[str]:
    """What ``audit check`` finds wrong about heads."""
    found = auditing.check(world.ana, contents=False, against=against)
    return [problem.sentence for problem in found.problems if problem.what == "head"]


def size_of(world: World) -> int:
    """How many events there are."""
    return world.store.read(world.now, lambda desk: desk.head.size)


def test_a_head_is_signed_by_both_halves_of_the_key(proven: World) -> None:
    """L12: Ed25519 and ML-DSA-44 under the ledger's name, over origin, size and root."""
    made = heads.head(proven.ana)
    head, key = verify.check_head(made.note, public(proven))
    assert head == (made.ledger, size_of(proven), bytes.fromhex(made.root))
    assert (key,) == made.keys
    assert len(verify.read_note(made.note)[1]) == 2


def test_a_head_is_signed_where_the_key_is(proven: World, tmp_path: Path) -> None:
    """L13: elsewhere it says where to go; a key in the environment does."""
    seeds = proven.keys._seeds(made := heads.head(proven.ana).ledger)  # type: ignore[union-attr]  # it has keys
    given = ":".join(seed.hex() for seed in next(iter(seeds.values())))
    elsewhere = proven.ana._replace(keys=Keys(tmp_path / "elsewhere", {}))
    assert refused(lambda: heads.head(elsewhere)).code == "keys.elsewhere"
    by_variable = proven.ana._replace(keys=Keys(tmp_path / "elsewhere", {"OZ0MEM_SIGNING_KEY": given}))
    assert verify.check_head(heads.head(by_variable).note, public(proven))[0].origin == made
    for bad in ("", "00", given[:-2], given.replace(":", ""), "zz" * 32 + ":" + "00" * 32):
        broken = proven.ana._replace(keys=Keys(tmp_path / "elsewhere", {"OZ0MEM_SIGNING_KEY": bad}))
        assert refused(lambda broken=broken: heads.head(broken)).code in ("keys.seed", "keys.elsewhere")  # type: ignore[misc]  # bound now


def test_upkeep_signs_where_it_can(proven: World) -> None:
    """L13: and goes on where the key is elsewhere."""
    assert upkeep.upkeep(proven.ana).head == size_of(proven)
    assert upkeep.upkeep(proven.ana._replace(keys=None)).head == 0


def test_seeds_are_for_their_owner_alone(proven: World) -> None:
    """L13: mode 0600; opened to others they are not used."""
    folder = proven.keys.folder  # type: ignore[union-attr]  # it has keys
    assert (folder / SEEDS).stat().st_mode & 0o777 == 0o600
    heads.head(proven.ana)
    assert (folder / SIGNED).stat().st_mode & 0o777 == 0o600
    (folder / SEEDS).chmod(0o644)
    assert refused(lambda: heads.head(proven.ana)).code == "config.mode"


def test_a_ledger_that_only_grew_extends_a_kept_head(proven: World) -> None:
    """L36: whatever was written since."""
    kept = heads.head(proven.ana).note
    for text in ("Invoices go out on Fridays", "Deploys wait for two reviewers"):
        proven.note(text)
    assert auditing.check(proven.ana, contents=True, against=kept).problems == []


def test_a_key_is_rotated(proven: World) -> None:
    """L13: receipts of before and after verify with the new key file; the old key above its end does not."""
    proven.learn("Dana ships to Lisbon")
    forget.forget(proven.ana, "dana")
    before, old_file = receipts.receipt(proven.ana, "dana"), keys.public(proven.ana)
    old_seeds = (proven.keys.folder / SEEDS).read_bytes()  # type: ignore[union-attr]  # it has keys
    done = rotation.rotate(proven.ana, "every year")
    [first, second] = keys.public(proven.ana).keys
    assert (first.id,) == done.retired
    assert (second.id, second.until) == (done.key.id, -1)
    assert first.start == 0
    assert first.until >= second.start > before.head.size
    after, new_file = receipts.receipt(proven.ana, "dana"), keys.public(proven.ana).encoded()
    for receipt, key in ((before, first.id), (after, second.id)):
        assert verify.verify(receipt.encoded(), new_file).key == key
    with pytest.raises(verify.Unverified, match="no signature"):
        verify.verify(after.encoded(), old_file.encoded())
    (proven.keys.folder / SEEDS).write_bytes(old_seeds)  # type: ignore[union-attr]  # somebody kept the old seeds
    forged = _signed_by_old(proven, first.id)
    with pytest.raises(verify.Unverified) as caught:
        verify.check_head(forged, verify.read_keys(new_file))
    assert caught.value.code == "key-retired"


def _signed_by_old(world: World, key: str) -> str:
    made = world.store.write(world.now, lambda desk: desk.heads.put())
    return world.keys.sign(public(world).ledger, [key], made)  # type: ignore[union-attr]  # it has keys


def test_the_head_between_two_keys_is_signed_by_both(proven: World) -> None:
    """L13: so that whoever trusts the old key can come to trust the new one."""
    old_file = public(proven)
    rotation.rotate(proven.ana, "every year")
    notes = [head for head in proven.store.read(proven.now, lambda desk: desk.heads.page(-1, 10)) if " " in head.key]
    assert len(notes) == 1
    assert len(verify.read_note(notes[0].note)[1]) == 4
    assert verify.check_head(notes[0].note, old_file)[0].size == notes[0].size
    assert verify.check_head(notes[0].note, public(proven))[0].size == notes[0].size


def test_a_rotation_that_was_broken_off_is_finished_by_the_next(proven: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """L13: no third key is made, and until then both sign."""
    with monkeypatch.context() as broken:
        broken.setattr(rotation, "_retire", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            rotation.rotate(proven.ana, "every year")
    assert len(heads.head(proven.ana).keys) == 2
    done = rotation.rotate(proven.ana, "every year")
    assert [key.until < 0 for key in keys.public(proven.ana).keys] == [False, True]
    assert heads.head(proven.ana).keys == (done.key.id,)
    assert said(proven) == []


def test_only_an_admin_rotates(proven: World) -> None:
    """G3: keys are an admin's."""
    for role in ("reviewer", "auditor", "member"):
        assert refused(lambda role=role: rotation.rotate(proven.add(role, role), "why")).code == "role.forbidden"  # type: ignore[misc]  # bound now
    assert len(keys.public(proven.ana).keys) == 1


def copied(world: World, folder: Path) -> Path:
    """A copy of the store's file, as a backup has it."""
    path = Path(world.url.removeprefix("sqlite:///"))
    world.store.close()
    return Path(shutil.copy(path, folder / "yesterday.db"))


@pytest.fixture
def local(tmp_path: Path) -> World:
    """A tenant on SQLite with a signing key."""
    made = World(f"sqlite:///{tmp_path / 'store.db'}", folder=tmp_path / "keys")
    made.declare()
    return made


def test_yesterdays_file_in_its_place_is_not_appended_to(local: World, tmp_path: Path) -> None:
    """L14: and what is told says how to go on; reading it goes on."""
    yesterday = copied(local, tmp_path)
    local.note("Invoices go out on Fridays")
    size = heads.head(local.ana).size
    local.store.close()
    shutil.copy(yesterday, local.url.removeprefix("sqlite:///"))
    local.store = local.opened()
    ana = local.context("ana's token")
    for act in (
        lambda: entries.remember(ana, entries.Remember("Deploys wait")),
        lambda: forget.forget(ana, "dana"),
        lambda: heads.head(ana),
        lambda: receipts.receipt(ana, "dana"),
        lambda: upkeep.upkeep(ana),
        lambda: rotation.rotate(ana, "why"),
    ):
        seen = refused(act)
        assert (seen.code, seen.rule) == ("ledger.rollback", "L14")
        assert "signed.json" in seen.said
    local.ana = ana
    assert size_of(local) < size
    assert any("events are missing" in sentence for sentence in said(local))


def test_the_last_events_cut_off_with_their_head_are_missed(local: World) -> None:
    """L14, L36: by the store's own head, by this machine's, and by one that somebody kept."""
    for number in range(4):
        local.note(f"Invoice {number} went out")
    kept = heads.head(local.ana).note
    size = size_of(local)
    edge = local.store.read(local.now, _edge_at(size - 3))
    for trigger in ("event_kept", "event_as_written"):
        run_sql(local, f"DROP TRIGGER {trigger}")
    run_sql(local, "DELETE FROM event WHERE tenant = 1 AND idx >= ?", size - 3)
    run_sql(local, "UPDATE head SET size = ?, edge = ? WHERE tenant = 1", size - 3, edge)
    found = said(local, kept)
    assert len(found) == 3
    assert f"a head of {size} events was signed, and {size - 3} are there: some are cut off" in found
    assert sum("events are missing" in sentence for sentence in found) == 2


def _edge_at(size: int):  # type: ignore[no-untyped-def]  # an act of the store

    return lambda desk: merkle.edge_of(size, desk.ledger.leaves, desk.ledger.row)


@pytest.mark.parametrize(
    "change",
    [
        "root = x'00'",
        "at = at + 1000000",
        "key = 'aa'",
        "note = replace(note, '=', '')",
        "note = ''",
        "size = size + 99",
    ],
)
def test_a_signed_head_that_was_altered_is_found(local: World, change: str) -> None:
    """4.5: any column of a head that the store keeps; a note that is gone leaves the others to compare."""
    heads.head(local.ana)
    run_sql(local, f"UPDATE signed_head SET {change} WHERE tenant = 1 AND size = (SELECT max(size) FROM signed_head)")
    assert said(local) or change == "note = ''"


def test_a_kept_head_that_is_none_or_of_another_ledger_is_told(proven: World, tmp_path: Path) -> None:
    """L36: a head by keys that this ledger does not know cannot be its own."""
    other = World(f"sqlite:///{tmp_path / 'other.db'}", folder=tmp_path / "other")
    foreign: Signed = heads.head(other.ana)
    for kept, told in ((foreign.note, "cannot be compared"), ("no head", "cannot be compared"), ("\x1b[31m", "cannot")):
        assert told in "".join(said(proven, kept))


def test_what_signed_json_holds_is_read_with_care(local: World) -> None:
    """L14: a file that this program did not write stops the signing, and says so."""
    folder = local.keys.folder  # type: ignore[union-attr]  # it has keys
    heads.head(local.ana)
    good = json.loads((folder / SIGNED).read_bytes())
    for bad in (b"", b"[]", b"{}", b"\xff", b"[" * 100_000, json.dumps({**good, "heads": [{}]}).encode()):
        (folder / SIGNED).write_bytes(bad)
        assert refused(lambda: heads.head(local.ana)).code == "keys.signed"


@pytest.mark.parametrize("vkeys", [["a+b+c"], ["x"], [], "text", None, [1]])
def test_an_event_of_a_key_that_is_none_is_no_key(local: World, vkeys: object) -> None:
    """L13: whoever has the file can write any event, leaf and all; nothing crashes over it, and the check says so."""
    for trigger in ("event_kept", "event_as_written"):
        run_sql(local, f"DROP TRIGGER {trigger}")
    [(index, body)] = run_sql(local, "SELECT idx, body FROM event WHERE action = 'ledger.key_added'")
    event = {**json.loads(bytes(body)), "vkeys": vkeys}
    forged = json.dumps(event, sort_keys=True, separators=(",", ":")).encode()
    run_sql(local, "UPDATE event SET body = ?, leaf = ? WHERE idx = ?", forged, merkle.leaf_hash(forged), index)
    assert refused(lambda: heads.head(local.ana)).code == "keys.none"
    assert auditing.check(local.ana, contents=True).problems


def test_hashes_that_are_missing_are_told_and_crash_nothing(local: World) -> None:
    """L11, L14: a tile that is gone makes neither a receipt nor a head that is compared."""
    for _ in range(300):
        local.store.record(
            local.now, lambda desk: desk.ledger.append("job.ended", context.SYSTEM, {"job": "j-0123456789"})
        )
    kept = heads.head(local.ana).note
    run_sql(local, "DELETE FROM tile WHERE tenant = 1")
    local.note("Invoices go out on Fridays")
    assert refused(lambda: receipts.receipt(local.ana, "dana")).code in ("ledger.fork", "receipt.broken")
    assert any("rewritten" in sentence for sentence in said(local, kept))


def test_events_that_are_missing_under_a_head_row_that_is_not_are_told(local: World) -> None:
    """L36: a kept head is compared with what is there, not with what the head row says."""
    for number in range(4):
        local.note(f"Invoice {number} went out")
    kept = heads.head(local.ana).note
    for trigger in ("event_kept", "event_as_written"):
        run_sql(local, f"DROP TRIGGER {trigger}")
    run_sql(local, "DELETE FROM event WHERE tenant = 1 AND idx >= ?", size_of(local) - 3)
    assert any("the head that was kept" in sentence for sentence in said(local, kept))


def test_an_event_that_was_altered_with_its_leaf_is_looked_for_between_two_heads(local: World) -> None:
    """4.5: the check says where, though a leaf that fits hides the event itself."""
    sizes = []
    for number in range(4):
        local.note(f"Invoice {number} went out")
        sizes.append(heads.head(local.ana).size)
    for trigger in ("event_kept", "event_as_written"):
        run_sql(local, f"DROP TRIGGER {trigger}")
    index = sizes[1]
    body = bytes(run_sql(local, "SELECT body FROM event WHERE idx = ?", index)[0][0]).replace(b'"person"', b'"system"')
    run_sql(local, "UPDATE event SET body = ?, leaf = ? WHERE idx = ?", body, merkle.leaf_hash(body), index)
    told = [sentence for sentence in said(local) if "look at events" in sentence]
    wrong = f"the head of {sizes[2]} is not that of the events under it, nor are 1 later ones"
    assert told == [f"{wrong}: look at events {sizes[1]} to {sizes[2] - 1}"]
