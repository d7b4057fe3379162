"""Q5: two tenants in one store never see each other, and no name but a tenant's own is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from oz0mem.model.actors import JobRecord
from oz0mem.model.agreements import Approval, Bookmark, Link
from oz0mem.model.erasures import Standing
from oz0mem.model.errors import NotFound
from oz0mem.model.filters import Filter
from oz0mem.model.names import OF_PERSON, OF_SCOPE
from tests.store import desks
from tests.store.desks import ACTOR, NOW, put

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.model.entries import Entry
    from oz0mem.store.desk import Desk
    from oz0mem.store.engine import Store

TOKEN, JOB_TOKEN = b"\1" * 32, b"\2" * 32
ID, JOB, LINK, ASKED = "m-0123456789ab", "j-0123456789ab", "l-0123456789ab", "ap-0123456789ab"
EVERY = range(1, 100)
"""Numbers that cover whatever the first tenant was given."""


def agree(desk: Desk, entry: Entry) -> None:
    """Put a policy, a call that waits, a link and a bookmark into a tenant."""
    other = put(desk, "Deploy on Mondays", scope="tenant")
    numbers = (entry.numbers.entry, other.numbers.entry)
    desk.links.put(Link(0, LINK, numbers[0], ID, "supports", numbers[1], other.id, "waiting", "dana", "", NOW, 0))
    asked = Approval(0, ASKED, "remember", numbers[0], 0, "concierge", "dana", 0, "waiting", NOW, 0, "", 0, {})
    desk.approvals.put(asked, {"arguments": {}})
    denied = desk.approvals.put(asked._replace(id="ap-2123456789ab"), {"arguments": {}})
    desk.approvals.settle(denied, "denied", "dana", keep=True)
    desk.bookmarks.put("reader", Bookmark(1, 2, 3), about=0)


def fill(store: Store) -> None:
    """Put something of everything into a tenant."""

    def write(desk: Desk) -> None:
        entry = put(desk, "Dana is in Lisbon", id=ID, about="dana", scope="project:web", key="city", ends=NOW + 1)
        put(desk, "Deploy on Wednesdays", scope="tenant", state="held")
        put(desk, "Deploys are tested", kind="rule", scope="tenant")
        job = desk.identity.put_job(
            JobRecord(0, JOB, "concierge", "", "", "dana", "dana", "", "", "person", NOW, NOW + 9, 0, (), ()),
            JOB_TOKEN,
        )
        desk.identity.note_read(job.number, "crm:7", "published")
        desk.reasons.put("dana asked for it", about=entry.numbers.about, entry=entry.numbers.entry)
        desk.calls.note("call", {"entry": ID}, entry=entry.numbers.entry, about=entry.numbers.about)
        desk.proposals.put(entry, starter=1, agent=2, reason="no longer true")
        desk.work.run(
            "INSERT INTO hold (tenant, num, id, about, scope, entry, everything, body, placed, lifted)"
            " VALUES (?, ?, 'h-0123456789ab', 0, 0, 0, 1, 0, 0, 0)",
            (desk.work.tenant, desk.work.number()),
        )
        desk.work.change(holds=1)
        desk.names.count(entry.numbers.about, 1, 0)
        desk.names.count(desk.names.ensure(OF_PERSON, "erin"), 1, 0)
        agree(desk, entry)
        erasure = desks.begin(desk)
        desk.erasing.erase_entry(erasure, put(desk, "Dana left"))

    def govern(desk: Desk) -> None:
        desk.governance.put_principal("dana", "admin", TOKEN)
        desk.governance.put_agent("concierge", {"name": "concierge"}, b"\5" * 32, "dana")
        desk.governance.put_setting("max_days", 9, "dana")
        desk.governance.put_policy("write", "", "allow", "dana")
        desk.governance.put_secret(12, b"\3" * 16, "dana")

    store.write(NOW, write)
    store.govern(NOW, govern)


# Every question that a transaction can be asked, and what the answer is where nothing was ever written.
QUESTIONS: dict[str, tuple[Callable[[Desk], Any], Any]] = {
    "policies.rules": (lambda desk: desk.policies.rules(), []),
    "policies.for_agent": (lambda desk: desk.policies.for_agent("concierge"), []),
    "approvals.by_id": (lambda desk: desk.approvals.by_id(ASKED), None),
    "approvals.ids_from": (lambda desk: desk.approvals.ids_from("ap-"), []),
    "approvals.in_state": (lambda desk: desk.approvals.in_state("waiting", 9), []),
    "approvals.about": (lambda desk: [asked for n in EVERY for asked in desk.approvals.about(n)], []),
    "approvals.kept": (lambda desk: desk.approvals.kept(9), []),
    "links.by_id": (lambda desk: desk.links.by_id(LINK), None),
    "links.ids_from": (lambda desk: desk.links.ids_from("l-"), []),
    "links.of_entry": (lambda desk: [link for n in EVERY for link in desk.links.of_entry(n)], []),
    "links.standing": (
        lambda desk: {desk.links.standing(n, "supports", m) for n in EVERY for m in EVERY},
        {None},
    ),
    "links.page": (lambda desk: desk.links.page("", 9), []),
    "links.page waiting": (lambda desk: desk.links.page("waiting", 9), []),
    "bookmarks.find": (lambda desk: desk.bookmarks.find("reader"), None),
    "names.find": (lambda desk: desk.names.find(OF_PERSON, "dana"), 0),
    "names.folded": (lambda desk: desk.names.folded(OF_PERSON, "DANA"), ""),
    "names.spelled": (lambda desk: desk.names.spelled(EVERY), {0: ""}),
    "names.scopes_within": (lambda desk: desk.names.scopes_within("project:web"), []),
    "names.subject_key": (lambda desk: {desk.names.subject_key(n) for n in EVERY}, {b""}),
    "names.counted": (lambda desk: {desk.names.counted(n) for n in EVERY}, {(0, -1)}),
    "entries.by_id": (lambda desk: desk.entries.by_id(ID), None),
    "entries.has_id": (lambda desk: desk.entries.has_id(ID), False),
    "entries.ids_from": (lambda desk: desk.entries.ids_from("m-"), []),
    "entries.newest": (lambda desk: desk.entries.newest(EVERY), []),
    "entries.versions": (lambda desk: [desk.entries.versions(n) for n in EVERY], [[]] * len(EVERY)),
    "entries.place_of": (
        lambda desk: {desk.entries.place_of((a, b, 0)) for a in EVERY for b in (0, *range(1, 20))},
        {0},
    ),
    "entries.parts_of": (lambda desk: desk.entries.parts_of(EVERY), {}),
    "entries.places_in": (lambda desk: [p for n in EVERY for p in desk.entries.places_in(n, 0)], []),
    "entries.places_of_scope": (lambda desk: [p for n in EVERY for p in desk.entries.places_of_scope(n)], []),
    "entries.places_about": (lambda desk: [p for n in EVERY for p in desk.entries.places_about(n)], []),
    "entries.same": (
        lambda desk: [e for p in EVERY for e in desk.entries.same("Deploy on Wednesdays", p, 0, "semantic")],
        [],
    ),
    "entries.keyed": (lambda desk: [e for p in EVERY for e in desk.entries.keyed("city", p, "semantic")], []),
    "entries.named": (lambda desk: desk.entries.named("city", "semantic", None), []),
    "entries.used": (lambda desk: {desk.entries.used(n) for n in EVERY}, {(0, 0)}),
    "entries.job_id": (lambda desk: {desk.entries.job_id(n) for n in EVERY}, {""}),
    "bodies.many": (lambda desk: desk.bodies.many(EVERY), {}),
    "bodies.are_zeros": (lambda desk: any(desk.bodies.are_zeros([n]) for n in EVERY), False),
    "words.numbers": (lambda desk: desk.words.numbers(["lisbon", "deploy"]), {}),
    "words.postings": (lambda desk: [*filter(None, desk.words.postings([*EVERY], None).values())], []),
    "words.sharing": (lambda desk: desk.words.sharing([*EVERY], [*EVERY], 1, 9), []),
    "ledger.between": (lambda desk: desk.ledger.between(0, 99), []),
    "ledger.at": (lambda desk: desk.ledger.at(0), None),
    "ledger.leaves": (lambda desk: desk.ledger.leaves(0, 99), b""),
    "ledger.row": (lambda desk: (desk.ledger.row(0, 0), desk.ledger.row(1, 0)), (b"", b"")),
    "ledger.latest": (lambda desk: desk.ledger.latest(before=99, limit=99), []),
    "ledger.newest_of": (lambda desk: desk.ledger.newest_of(EVERY), {}),
    "identity.principal": (lambda desk: desk.identity.principal("dana"), None),
    "identity.principal_by_token": (lambda desk: desk.identity.principal_by_token(TOKEN), None),
    "identity.principals": (lambda desk: desk.identity.principals(), []),
    "identity.job": (lambda desk: desk.identity.job(JOB), None),
    "identity.job_by_token": (lambda desk: desk.identity.job_by_token(JOB_TOKEN), None),
    "identity.job_of": (lambda desk: [job for n in EVERY if (job := desk.identity.job_of(n))], []),
    "identity.read_by_job": (lambda desk: [s for n in EVERY for s in desk.identity.read_by_job(n)], []),
    "identity.agent": (lambda desk: desk.identity.agent("concierge"), None),
    "identity.agents": (lambda desk: desk.identity.agents(), []),
    "identity.settings": (lambda desk: desk.identity.settings(), {}),
    "identity.own_secrets": (lambda desk: desk.identity.own_secrets(), {}),
    "identity.secrets": (lambda desk: desk.identity.secrets(), []),
    "calls.find": (lambda desk: desk.calls.find("call"), {}),
    "reasons.of_entry": (lambda desk: [r for n in EVERY for r in desk.reasons.of_entry(n)], []),
    "reasons.naming": (lambda desk: desk.reasons.naming("dana"), []),
    "proposals.waiting": (lambda desk: [p for n in EVERY for p in desk.proposals.waiting(n)], []),
    "listing.page": (lambda desk: desk.listing.page(Filter(restricted=True), 99), []),
    "listing.page about": (lambda desk: desk.listing.page(Filter(about="dana"), 99), []),
    "listing.page chosen": (lambda desk: desk.listing.page(Filter(entries=tuple(EVERY)), 99), []),
    "listing.page erased": (lambda desk: desk.listing.page(Filter(state="erased", restricted=True), 99), []),
    "listing.page due": (lambda desk: desk.listing.page(Filter(due=True), 99), []),
    "listing.due": (lambda desk: desk.listing.due(NOW + 9, 99), []),
    "listing.in_state": (lambda desk: desk.listing.in_state("held", NOW, 99), []),
    "listing.about": (lambda desk: [r for n in (0, *EVERY) for r in desk.listing.about(n, 99)], []),
    "listing.all_rows": (lambda desk: desk.listing.all_rows(99), []),
    "listing.counts": (lambda desk: desk.listing.counts([*EVERY], NOW), (0, 0)),
    "listing.in_places everywhere": (lambda desk: desk.listing.in_places(None, ["active", "held"], 99), []),
    "listing.in_places": (lambda desk: desk.listing.in_places([*EVERY], ["active", "held"], 99), []),
    "listing.rows_of": (lambda desk: desk.listing.rows_of([*EVERY]), []),
    "listing.at_startup": (lambda desk: desk.listing.at_startup([*EVERY]), []),
    "listing.changed": (lambda desk: desk.listing.changed([*EVERY], 0, 99), []),
    "listing.turned": (lambda desk: desk.listing.turned([*EVERY], NOW, NOW + 9), {}),
    "listing.in_force_since": (lambda desk: desk.listing.in_force_since([*EVERY]), {}),
    "listing.written_by": (
        lambda desk: [row for n in EVERY for row in desk.listing.written_by(n, [*EVERY], ["active"], 9)],
        [],
    ),
    "erasing.open": (lambda desk: desk.erasing.open(), []),
    "unlinking.standing": (lambda desk: {desk.unlinking.standing(n) for n in EVERY}, {Standing(*[False] * 6)}),
    "unlinking.is_held": (lambda desk: [n for n in EVERY if desk.unlinking.is_held(n)], []),
    "unlinking.running": (lambda desk: [job for n in EVERY for job in desk.unlinking.running(n)], []),
    "unlinking.due": (lambda desk: desk.unlinking.due(NOW, 99), []),
    "erasing.has_loose": (lambda desk: any(desk.erasing.has_loose(n) for n in EVERY), False),
    "head": (lambda desk: (desk.head.size, desk.head.next, desk.head.secrets, desk.head.holds), (0, 1, 0, 0)),
}


def test_what_one_tenant_has_the_other_has_not(store: Store, other: Store) -> None:
    """Q5: every question about everything of acme answers globex what an empty tenant answers."""
    fill(store)
    for name, (ask, nothing) in QUESTIONS.items():
        assert store.read(NOW + 1, ask) != nothing or name in ("bodies.are_zeros",), f"{name} asks for nothing"
        assert other.read(NOW + 1, ask) == nothing, name


def test_every_question_is_asked(store: Store) -> None:
    """Q5: no method that reads is left out of the questions above."""
    writes = (
        "add append begin change_principal close count drop drop_of drop_secret end_job ensure erase_asked erase_entry"
        " erase_loose erase_reasons erase_versions"
        " erase_words forget_old join_compartments lower_job note note_read note_startup overwrite place put"
        " put_agent put_job put_principal put_secret put_setting rebuild scatter settle take tie use"
    )
    # Asked with what another question answered, or made of keys alone.
    inner = (
        "get load select entries same_hash key_hash hash_key has_key subject_handle actor_handle unused covering"
        " hashes gone_with covering_each person_of reads_back_as_zeros"
    )
    asked = {name.partition(" ")[0] for name in QUESTIONS}
    parts = [
        "names",
        "entries",
        "bodies",
        "words",
        "ledger",
        "identity",
        "holds",
        "calls",
        "reasons",
        "proposals",
        "listing",
        "erasing",
        "unlinking",
        "policies",
        "approvals",
        "links",
        "bookmarks",
    ]
    left_out = {*writes.split(), *inner.split()}

    def methods(desk: Desk) -> set[str]:
        return {
            f"{part}.{name}"
            for part in parts
            for name, value in vars(type(getattr(desk, part))).items()
            if callable(value) and not name.startswith("_") and name not in left_out
        }

    assert store.read(NOW, methods) <= asked


def test_holds_and_erasing_stay_within_the_tenant(store: Store, other: Store) -> None:
    """G40, G41: a hold on everything of acme holds nothing of globex; erasing there leaves acme's rows."""
    fill(store)
    mine = other.write(NOW, lambda desk: put(desk, "Dana is in Lisbon", id=ID, about="dana", key="city"))
    theirs = store.read(NOW, lambda desk: desk.entries.by_id(ID))
    assert other.read(NOW, lambda desk: desk.holds.covering(mine.numbers)) == []
    assert theirs is not None
    assert store.read(NOW, lambda desk: desk.holds.covering(theirs.numbers)) == ["h-0123456789ab"]
    before = store.read(NOW, lambda desk: [ask(desk) for ask, _ in QUESTIONS.values()])

    def erase(desk: Desk) -> None:
        erasure = desks.begin(desk, about=mine.numbers.about)
        desk.erasing.erase_entry(erasure, mine)
        # Numbers of acme's, as a fault in an action might hand them over.
        desk.erasing.erase_entry(erasure, theirs)
        for number in EVERY:
            desk.erasing.erase_loose(erasure, number)
            desk.words.take(number)
            desk.proposals.settle(number)
            desk.identity.end_job(number)
            desk.identity.lower_job(number, "unreviewed")
        desk.erasing.erase_reasons(erasure, [*EVERY])
        desk.bodies.overwrite(EVERY)
        desk.bodies.overwrite(EVERY, table="word")
        desk.words.drop(EVERY)
        desk.calls.forget_old()
        desk.unlinking.take(erasure, mine.numbers.about)
        for number in EVERY:
            desk.unlinking.scatter(number)
        desk.unlinking.rebuild()
        desk.erasing.close(erasure)

    other.write(NOW + 99 * 86_400_000_000, erase)
    assert store.read(NOW, lambda desk: [ask(desk) for ask, _ in QUESTIONS.values()]) == before


def test_tenants_count_for_themselves(store: Store, other: Store) -> None:
    """Q5, L1: each has numbers, ledger and origin of its own."""
    for opened in (store, other):
        entry = opened.write(NOW, lambda desk: put(desk, "Lisbon"))
        assert entry.numbers.event == 0
        assert opened.write(NOW, lambda desk: desk.ledger.append("job.ended", ACTOR, {"job": JOB})) == 1
    origins = [opened.read(NOW, lambda desk: desk.head.origin) for opened in (store, other)]
    assert origins == ["acme.example/oz0mem", "globex.example/oz0mem"]
    assert store.read(NOW, lambda desk: desk.entries.used(desk.names.find(OF_SCOPE, "tenant"))) == (1, 6)


@pytest.mark.parametrize("name", ["", "*", "%", "_", "acm", "acme ", " acme", "ACME", "acme%", "1", "acme' OR '1'='1"])
def test_no_other_name_is_a_tenant(made_url: str, name: str) -> None:
    """Q5: an empty name or a wildcard is nobody's, never everybody's."""
    store = desks.open_store(made_url, name)
    for run in (store.read, store.write, store.record, store.govern):
        with pytest.raises(NotFound) as caught:
            run(NOW, lambda desk: desk.head)
        assert caught.value.code == "tenant.unknown"
