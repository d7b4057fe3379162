"""A store altered under its signed heads, and heads that are none: told, and nothing crashes (L13, L14, L36)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.actions import auditing, context, heads, receipts
from oz0mem.adapters.keys import SIGNED
from oz0mem.rules import merkle
from tests.actions.evidence import refused, run_sql
from tests.actions.test_heads import said, size_of
from tests.actions.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from oz0mem.actions.heads import Signed


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
    for bad in (
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        json.dumps({**good, "heads": [{}]}).encode(),
        *_mistyped(good),
    ):
        (folder / SIGNED).write_bytes(bad)
        assert refused(lambda: heads.head(local.ana)).code == "keys.signed"


def _mistyped(good: dict[str, Any]) -> list[bytes]:
    """A file whose one head has a size that is none."""
    [head] = good["heads"]
    sizes = ('"18"', "1.5", "1e400", "-5", "0", "null", "true", "9007199254740992")
    return [
        json.dumps({**good, "heads": [{**head, "size": 0}]}).replace('"size": 0', f'"size": {size}').encode()
        for size in sizes
    ]


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
