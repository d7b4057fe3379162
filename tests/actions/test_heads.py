"""Signed heads, the keys that sign them, and what a ledger has to show for them (L12 to L14, L36)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oz0mem import verify
from oz0mem.actions import auditing, entries, forget, heads, keys, receipts, rotation, upkeep
from oz0mem.adapters.keys import SEEDS, SIGNED, Keys
from tests.actions.evidence import refused
from tests.actions.world import World

if TYPE_CHECKING:
    pass


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
