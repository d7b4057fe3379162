"""Receipts out of a store, checked by the stand-alone verifier (L30, L31, L21, L4)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem import verify
from oz0mem.actions import editing, entries, forget, heads, keys, receipts, upkeep
from oz0mem.actions.receipts import Receipt
from oz0mem.model.moments import DAY
from tests.actions.evidence import refused, run_sql

if TYPE_CHECKING:
    from oz0mem.verify import Verified
    from tests.actions.world import World


def checked(world: World, made: Receipt, held: str | None = None) -> Verified:
    """What somebody without the store finds, who has the receipt and the public keys."""
    return verify.verify(made.encoded(), keys.public(world.ana).encoded(), held)


def code(world: World, made: Receipt, held: str | None = None) -> str:
    """The code with which a receipt is refused."""
    with pytest.raises(verify.Unverified) as caught:
        checked(world, made, held)
    return caught.value.code


def test_a_forgotten_person_is_proven_to_be_forgotten(proven: World) -> None:
    """L30: every erasing event with its proof, the closing one last, under a signed head."""
    proven.learn("Dana ships to Lisbon")
    gone = forget.forget(proven.ana, "dana")
    made = receipts.receipt(proven.ana, "dana")
    found = checked(proven, made)
    assert (found.about, found.records, found.from_n, found.through_n) == ("dana", 1, 1, 1)
    assert [event["index"] for event in made.events] == gone.events
    assert found.size == made.head.size == proven.store.read(proven.now, lambda desk: desk.head.size)
    key = keys.public(proven.ana).keys[0].id
    assert verify.sentence(found).startswith(
        f"1 record about dana, each with its proof, against a head of {found.size} signed by {key}"
    )


def test_every_kind_of_removal_has_its_record(proven: World) -> None:
    """L2, L21: an edit, a delete, an expiry and a forget, in the order in which they were."""
    first = proven.learn("Dana ships to Lisbon", key="shipping_city")
    editing.edit(proven.dana, first.entry.id, "Ships to Porto")
    second = proven.learn("Dana likes dotted notebooks")
    forget.delete(proven.dana, second.entry.id, "")
    third = proven.learn("Dana asked for a call on Friday", ends=proven.now + 2 * DAY)
    proven.later(3)
    upkeep.upkeep(proven.ana)
    forget.forget(proven.dana, None)
    made = receipts.receipt(proven.dana)
    assert [event["action"] for event in made.events] == [
        "memory.rewritten",
        "memory.deleted",
        "memory.expired",
        "memory.forgotten",
    ]
    assert made.events[2]["entries"] == [third.entry.id]
    found = checked(proven, made)
    assert (found.records, found.through_n) == (4, 4)


def test_that_nothing_was_erased_is_proven_too(proven: World) -> None:
    """L30: a receipt of no records."""
    proven.learn("Dana ships to Lisbon")
    found = checked(proven, receipts.receipt(proven.dana))
    assert (found.records, found.through_n) == (0, 0)


def test_more_ids_than_an_event_takes_make_more_records(proven: World) -> None:
    """L2: 300 entries in two events, each with its own n, none cut."""
    ids = {proven.learn(f"Dana asked for parcel {number}").entry.id for number in range(300)}
    forget.forget(proven.ana, "dana")
    made = receipts.receipt(proven.ana, "dana")
    assert [event["n"] for event in made.events] == [1, 2]
    assert {entry for event in made.events for entry in event["entries"]} == ids
    assert checked(proven, made).records == 2


def test_a_receipt_extends_a_head_that_was_kept(proven: World) -> None:
    """L30, L31: ``since`` is the proof that the ledger only grew from there."""
    proven.learn("Dana ships to Lisbon")
    held = heads.head(proven.ana).note
    forget.forget(proven.ana, "dana")
    assert checked(proven, receipts.receipt(proven.ana, "dana", since=held), held).held == verify.read_head(held).size
    assert code(proven, receipts.receipt(proven.ana, "dana"), held) == "rollback"


def test_a_receipt_is_taken_by_whoever_may(proven: World) -> None:
    """G3: a member about themself, a reviewer and an auditor about anybody, nobody else."""
    proven.learn("Dana ships to Lisbon")
    forget.forget(proven.ana, "dana")
    for role in ("reviewer", "auditor"):
        assert receipts.receipt(proven.add(role, role), "dana").about == "dana"
    assert receipts.receipt(proven.dana, "dana").about == "dana"
    assert refused(lambda: receipts.receipt(proven.add("erin", "member"), "dana")).code == "role.forbidden"
    assert refused(lambda: receipts.receipt(proven.add("loader", "host"), "dana")).code == "role.forbidden"
    assert refused(lambda: receipts.receipt(proven.job(proven.dana), "dana")).code == "role.agent"


@pytest.mark.parametrize("name", ["erin", "dan", "d*", "%", "", " ", "work", "DANA"])
def test_a_receipt_about_nobody_in_particular_is_refused(proven: World, name: str) -> None:
    """L30, G41: names are matched whole, as forget matches them."""
    before = proven.store.read(proven.now, lambda desk: desk.head.size)
    assert refused(lambda: receipts.receipt(proven.ana, name)).code.split(".")[0] in ("person", "subject")
    assert proven.store.read(proven.now, lambda desk: desk.head.size) == before


def test_no_receipt_is_issued_while_an_erasure_is_open(proven: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """L21: it would leave out what is under way."""
    proven.learn("Dana ships to Lisbon")
    monkeypatch.setattr(type(proven.store), "scrub", lambda *_, **__: "")
    assert forget.forget(proven.ana, "dana").open
    assert refused(lambda: receipts.receipt(proven.ana, "dana")).code == "receipt.open"
    monkeypatch.undo()
    assert checked(proven, receipts.receipt(proven.ana, "dana")).records == 1


def test_a_receipt_is_not_made_of_altered_events(proven: World) -> None:
    """L7: an erasing event that is not as it was written makes no receipt."""
    proven.learn("Dana ships to Lisbon")
    [index] = forget.forget(proven.ana, "dana").events
    run_sql(proven, "DROP TRIGGER event_as_written") if proven.store.back.name == "sqlite" else None
    run_sql(proven, "UPDATE event SET body = ? WHERE tenant = 1 AND idx = ?", b"{}", index)
    assert refused(lambda: receipts.receipt(proven.ana, "dana")).code == "receipt.broken"


def test_without_a_key_here_a_receipt_says_where_to_go(proven: World) -> None:
    """L13: heads are signed where the key is; appending needs none."""
    elsewhere = proven.ana._replace(keys=None)
    entries.remember(elsewhere, entries.Remember("Invoices go out on Fridays"))
    seen = refused(lambda: receipts.receipt(elsewhere, "dana"))
    assert (seen.code, seen.rule) == ("keys.elsewhere", "L13")


def test_a_receipt_of_one_person_says_nothing_of_another(proven: World) -> None:
    """L4, L30: two people's chains are apart, whatever order they were erased in."""
    proven.learn("Dana ships to Lisbon")
    erin = proven.add("erin", "member")
    other = proven.learn("Erin collects stamps", starter=erin)
    forget.forget(erin, None)
    forget.forget(proven.dana, None)
    text = receipts.receipt(proven.ana, "dana").encoded().decode()
    assert "erin" not in text and other.entry.id not in text
    assert checked(proven, receipts.receipt(proven.ana, "erin")).records == 1


def test_what_is_only_about_work_gets_no_record(proven: World) -> None:
    """L2: erased work is in the ledger, and in nobody's receipt."""
    note = proven.note("Invoices go out on Fridays")
    forget.delete(proven.ana, note.entry.id, "no longer true")
    assert checked(proven, receipts.receipt(proven.ana, "dana")).records == 0


def test_a_receipt_holds_no_text_and_no_other_name(proven: World) -> None:
    """L2, L3: the person's name and key are its only secret."""
    proven.learn("Dana ships to Lisbon", key="shipping_city", tags=("parcel",))
    forget.forget(proven.ana, "dana", reason="asked on the phone")
    made = receipts.receipt(proven.ana, "dana")
    document: dict[str, Any] = json.loads(made.encoded())
    assert set(document) == {"oz0mem", "ledger", "subject", "records", "checkpoint"}
    for word in ("Lisbon", "shipping_city", "parcel", "phone", "ana"):
        assert word not in json.dumps({**document, "subject": {}, "checkpoint": ""}).replace("oz0mem", "")


def test_a_receipt_that_cannot_be_made_signs_nothing(proven: World) -> None:
    """L14, L30: else a damaged store would be the newest that this machine knows."""
    proven.learn("Dana ships to Lisbon")
    [index] = forget.forget(proven.ana, "dana").events
    heads.head(proven.ana)
    if proven.store.back.name == "sqlite":
        run_sql(proven, "DROP TRIGGER event_as_written")
    run_sql(proven, "UPDATE event SET body = ? WHERE tenant = 1 AND idx = ?", b"{}", index)
    before = proven.store.read(proven.now, lambda desk: (desk.head.size, desk.heads.latest()))
    assert refused(lambda: receipts.receipt(proven.ana, "dana")).code == "receipt.broken"
    assert proven.store.read(proven.now, lambda desk: (desk.head.size, desk.heads.latest())) == before


def test_what_is_remembered_now_is_told_with_a_receipt(proven: World) -> None:
    """L32: a receipt tells of what was erased alone, so whoever takes one is told what is there."""
    proven.learn("Dana ships to Lisbon")
    forget.forget(proven.ana, "dana")
    assert receipts.receipt(proven.ana, "dana").living == ()
    since = proven.learn("Dana ships to Porto")
    made = receipts.receipt(proven.ana, "dana")
    assert made.living == (since.entry.id,)
    assert since.entry.id not in made.encoded().decode()
    assert "that nothing is remembered about them now" in made.not_proven


def test_a_basis_is_the_persons_own_request_only_where_they_asked(proven: World) -> None:
    """L2, G41: what an admin deletes for somebody is an admin's decision."""
    for ctx, basis in ((proven.ana, "admin"), (proven.dana, "request")):
        kept = proven.learn(f"Dana likes {basis}")
        forget.delete(ctx, kept.entry.id, "")
        assert receipts.receipt(proven.ana, "dana").events[-1]["basis"] == basis
