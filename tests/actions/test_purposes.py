"""Purposes, compatible or not, reading and changing: the whole table (M21, G15).

Promises every job of `support`, `billing` and none over every entry of each, about work and about the job's person, by
every function that reads and every one that changes, with `support>billing` and without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from oz0mem.actions import accepting, changed, defining, entries, governance, policies, recall, retiring, startup
from oz0mem.actions.accepting import Accept
from oz0mem.actions.defining import Define
from oz0mem.actions.entries import Remember
from oz0mem.actions.superseding import Supersede, supersede
from oz0mem.model.errors import Waiting
from tests.actions.evidence import entries_of, refused
from tests.actions.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from oz0mem.actions.context import Context
    from oz0mem.model.entries import Entry

PURPOSES = ("support", "billing", "")
PAIRS = [(job, entry) for job in PURPOSES for entry in PURPOSES]


def reads(job: str, entry: str, *, compatible: bool, person: bool) -> bool:
    """Who reads, by the words of M21."""
    if job == entry:
        return True
    if compatible and (entry, job) == ("support", "billing"):
        return True
    return entry == "" and not person


class Shop(NamedTuple):
    """A store with something of each purpose: in force, proposed, and about dana."""

    world: World
    decisions: dict[str, Entry]
    terms: dict[str, Entry]
    proposals: dict[str, Entry]
    facts: dict[str, Entry]

    def job(self, purpose: str) -> Context:
        """A job of dana's of a purpose."""
        return self.world.job(self.world.dana, purpose=purpose, sees="person")


def open_shop(tmp_path: Path, *, compatible: bool) -> Shop:
    """A store in which jobs of each purpose wrote, and ana accepted."""
    world = World(f"sqlite:///{tmp_path / 'store.db'}")
    world.declare(purposes=["support", "billing"])
    policies.set_policy(world.ana, "accept", "allow", "as a test")
    shop = Shop(world, {}, {}, {}, {})
    for purpose in PURPOSES:
        job, said = shop.job(purpose), purpose or "everybody"
        decided = entries.remember(
            job, Remember(f"orders of paper and ink are packed at noon by two people, says {said}", "decision")
        ).entry
        shop.decisions[purpose] = accepting.accept(world.ana, Accept(decided.id, 1)).entry
        meant = defining.define(job, Define("order", f"an order as {said} counts")).written
        assert meant is not None
        shop.terms[purpose] = accepting.accept(world.ana, Accept(meant.entry.id, 1)).entry
        shop.proposals[purpose] = entries.remember(job, Remember(f"close early for {said}", "decision")).entry
        shop.facts[purpose] = entries.remember(job, Remember(f"dana told {said} of ink", "semantic")).entry
    if compatible:
        governance.set_settings(world.ana, {"compatible": [("support", "billing")]}, "one team")
    return shop


@pytest.fixture(scope="module", params=[False, True], ids=["apart", "support>billing"])
def compatible(request: pytest.FixtureRequest) -> bool:
    """Whether what was written for support is read for billing."""
    return bool(request.param)


@pytest.fixture
def shop(tmp_path: Path, compatible: bool) -> Shop:
    """The store, with the two compatible and without."""
    return open_shop(tmp_path, compatible=compatible)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_who_reads_what_by_every_function(shop: Shop, compatible: bool, purpose: str) -> None:
    """M21: recall, define, start-up and what changed show the same, and nothing of another purpose."""

    def of(places: dict[str, Entry], *, person: bool = False) -> set[str]:
        able = [each for each in PURPOSES if reads(purpose, each, compatible=compatible, person=person)]
        return {places[each].id for each in able}

    work = of(shop.decisions) | of(shop.terms)
    told = startup.startup_context(shop.job(purpose))
    assert {entry.id for entry in told.items} == work
    assert told.withheld == 0
    found = recall.recall(shop.job(purpose), recall.Recall(max_entries=50))
    assert {hit.entry.id for hit in found.items} == work | of(shop.facts, person=True)
    assert found.withheld == 0
    turned = changed.changed_since(shop.job(purpose))
    assert {entry.id for entry in turned.items} == work | of(shop.facts, person=True)
    meant = defining.define(shop.job(purpose), Define("order"))
    assert meant.in_force is not None
    assert meant.in_force.purpose == purpose
    assert {meant.in_force.id, *(entry.id for entry in meant.also)} == of(shop.terms)


@pytest.mark.parametrize(("purpose", "of"), PAIRS)
@pytest.mark.parametrize("what", ["decisions", "terms", "proposals", "facts"])
def test_one_entry_is_read_by_its_id_as_by_any_search(
    shop: Shop, compatible: bool, purpose: str, of: str, what: str
) -> None:
    """M21, M29: naming an id opens nothing, ended and unreviewed ones asked for or not."""
    entry: Entry = getattr(shop, what)[of]
    asked = recall.Recall(id=entry.id, include_ended=True, include_unreviewed=True)
    found = [hit.entry.id for hit in recall.recall(shop.job(purpose), asked).items]
    able = reads(purpose, of, compatible=compatible, person=what == "facts")
    assert found == ([entry.id] if able else [])


@pytest.mark.parametrize(("purpose", "of"), PAIRS)
@pytest.mark.parametrize("deed", ["supersede", "retire", "accept", "supersede fact", "retire fact", "supersede term"])
def test_who_changes_what_and_which_purpose_may(shop: Shop, compatible: bool, purpose: str, of: str, deed: str) -> None:
    """M21: only its own; a refusal names the purpose that may, and tells of nothing that is not read either."""
    job, person = shop.job(purpose), deed.endswith("fact")
    entry = {"accept": shop.proposals, "supersede term": shop.terms}.get(
        deed, shop.facts if person else shop.decisions
    )[of]
    able = reads(purpose, of, compatible=compatible, person=person)
    before = entries_of(shop.world)

    def act() -> object:
        if deed == "accept":
            return accepting.accept(job, Accept(entry.id, 1, entry.text))
        if deed.startswith("retire"):
            return retiring.retire(job, entry.id, "no longer so", version=entry.version)
        return supersede(job, Supersede(entry.id, entry.version, "another way altogether"))

    if purpose == of and deed.startswith("retire"):
        with pytest.raises(Waiting):
            act()
        return
    if purpose == of:
        act()
        assert len(entries_of(shop.world)) > len(before)
        return
    outcome = refused(act)
    if able:
        assert (outcome.code, outcome.rule, outcome.facts["purpose"]) == ("memory.purpose", "M21", of)
        assert (f"for {of}" if of else "without a purpose") in outcome.said
        assert "propose one of its own" in outcome.said
    else:
        assert (outcome.code, outcome.said.count(of)) == ("memory.unknown", outcome.said.count(of) if not of else 0)
    assert entries_of(shop.world) == before


@pytest.mark.parametrize(("purpose", "of"), [pair for pair in PAIRS if pair[0] != pair[1]])
def test_writing_and_defining_end_nothing_of_another_purpose(shop: Shop, purpose: str, of: str) -> None:
    """M2, M11, M13: sameness, keys and terms are of one purpose; the same text is written again."""
    job = shop.job(purpose)
    again = entries.remember(job, Remember(shop.decisions[of].text, "decision"))
    assert again.kept == "new"
    meant = defining.define(job, Define("order", shop.terms[of].text)).written
    assert meant is not None
    assert meant.kept == "new"
    accepting.accept(shop.world.ana, Accept(meant.entry.id, 1))
    states = {entry.id: entry.state for entry in entries_in(shop.world)}
    assert states[shop.terms[of].id] == "active"
    assert states[shop.terms[purpose].id] == "replaced"


def test_people_are_bound_by_their_role_not_by_purposes(shop: Shop) -> None:
    """M21: a reviewer changes what is of any purpose, and it keeps its own."""
    for purpose in PURPOSES:
        old = shop.decisions[purpose]
        new = supersede(shop.world.ana, Supersede(old.id, old.version, f"anew for {purpose}")).entry
        assert (new.purpose, new.state) == (purpose, "held")
        assert accepting.accept(shop.world.ana, Accept(new.id, 1)).entry.purpose == purpose


@pytest.mark.parametrize("purpose", PURPOSES)
def test_what_it_is_like_is_told_within_ones_purposes_alone(shop: Shop, compatible: bool, purpose: str) -> None:
    """M3, M21: similar entries are readable ones."""
    written = entries.remember(
        shop.job(purpose), Remember("orders of paper and ink are packed at noon by two people, says nobody", "decision")
    )
    able = [each for each in PURPOSES if reads(purpose, each, compatible=compatible, person=False)]
    assert {entry.id for entry in written.similar} <= {shop.decisions[each].id for each in able}
    assert written.similar


def entries_in(world: World) -> list[Entry]:
    """Every entry's newest version."""
    return world.store.read(
        world.now,
        lambda desk: [each for each in desk.entries.load(desk.listing.all_rows(1_000)) if each.numbers.newest],
    )
