"""M1, M4, M5, M10: what a write takes, whom it is about, where it lives and what it carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, entries, governance, jobs
from oz0mem.actions.context import digest
from oz0mem.actions.entries import Remember
from oz0mem.model.kinds import ACTIVE, HELD, KINDS
from tests.actions.evidence import RESEMBLING, entries_of, events, newest, refused

if TYPE_CHECKING:
    from tests.actions.world import World

WORK, DANA = "work", "dana"
OWN = "agent:concierge"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"text": " \n "}, "argument.blank"),
        ({"text": "x" * (16 << 10) + "y"}, "argument.size"),
        ({"text": "a\x00b"}, "argument.control"),
        ({"text": "ok", "tags": tuple(f"t{n}" for n in range(17))}, "argument.tags"),
        ({"text": "ok", "tags": ("t" * 65,)}, "argument.size"),
        ({"text": "ok", "key": "k" * 201}, "argument.size"),
        ({"text": "ok", "source": {"url": "x"}}, "argument.source"),
        ({"text": "ok", "source": {"path": "p" * 1001}}, "argument.size"),
        ({"text": "ok", "reason": "r" * 1001}, "argument.size"),
        ({"text": "ok", "kind": "thought"}, "argument.kind"),
        ({"text": "ok", "valid_from": 5, "valid_until": 5}, "argument.valid"),
        ({"text": "ok", "call_id": "c" * 201}, "call.id"),
        ({"text": "ok", "derives_from": ("n-000000000000",)}, "memory.unknown"),
        ({"text": "ok", "derives_from": ("dana",)}, "id.bad"),
        ({"text": "ok", "derives_from": tuple(f"n-{n:012}" for n in range(17))}, "argument.ids"),
        ({"text": "ok", "kind": "definition"}, "argument.term"),
        ({"text": "d" * 2_001, "kind": "decision"}, "argument.size"),
        ({"text": "ok", "kind": "decision", "about": "dana"}, "memory.scope"),
        ({"text": "ok", "kind": "semantic"}, "memory.learned"),
        ({"text": "ok", "about": "dana"}, "memory.scope"),
        ({"text": "ok", "scope": OWN}, "memory.scope"),
        ({"text": "ok", "scope": "project:web", "about": "everyone"}, "memory.scope"),
    ],
)
def test_what_a_write_cannot_be_is_refused_and_nothing_is_written(
    world: World, asked: dict[str, object], code: str
) -> None:
    """M1, M4: by people; the ledger has no event of it and the store no row."""
    before, told = entries_of(world), len(events(world))
    assert refused(lambda: world.note(**asked)).code == code  # type: ignore[arg-type]  # tests name fields
    assert (entries_of(world), len(events(world))) == (before, told)


def test_the_largest_of_everything_is_kept(each_world: World) -> None:
    """M1: 16 KiB of text, 16 tags of 64, a key of 200, fields and reasons of 1,000; NFC and trimmed."""
    text = "ü" * (8 << 10)
    written = each_world.note(
        f"  {text.replace('ü', 'u' + chr(0x308))}\n",
        tags=tuple(f"{n:02}" + "t" * 62 for n in range(16)),
        key="k" * 200,
        source={"path": "p" * 1000},
        reason="r" * 1000,
    ).entry
    assert newest(each_world, written).text == text
    assert (len(written.tags), len(written.key), len(written.source["path"])) == (16, 200, 1000)


# What a job writes: about, kind, the job's data subject → about, scope, state; or the code of the refusal.
_TARGETS = [
    ("work", "note", False, (WORK, OWN, ACTIVE)),
    ("me", "note", False, (WORK, OWN, ACTIVE)),
    ("everyone", "note", False, (WORK, "tenant", ACTIVE)),
    ("thread", "note", False, (WORK, "thread:t1", ACTIVE)),
    ("person", "note", False, "memory.people_off"),
    ("dana", "note", False, "memory.people_off"),
    ("bob", "note", False, "memory.about"),
    ("work", "note", True, "memory.people_off"),
    ("me", "note", True, "memory.people_off"),
    ("everyone", "note", True, "memory.people_off"),
    ("bob", "note", True, "memory.about"),
    *((about, kind, subject, (DANA, OWN, ACTIVE))
      for about in ("work", "me", "everyone", "thread", "person", "dana")
      for kind in ("semantic", "episodic")
      for subject in (False, True)),
    ("bob", "semantic", False, "memory.about"),
    ("bob", "episodic", True, "memory.about"),
    ("work", "procedural", False, (WORK, OWN, ACTIVE)),
    ("everyone", "procedural", False, (WORK, "tenant", ACTIVE)),
    ("work", "procedural", True, (WORK, OWN, HELD)),
    ("everyone", "procedural", True, (WORK, "tenant", HELD)),
    ("person", "procedural", True, "memory.about"),
    ("dana", "procedural", False, "memory.about"),
    ("work", "decision", False, (WORK, "tenant", HELD)),
    ("me", "decision", False, (WORK, OWN, HELD)),
    ("work", "decision", True, "memory.people_off"),
    ("bob", "decision", False, "memory.about"),
    ("work", "rule", False, (WORK, "project:web", HELD)),
    ("everyone", "rule", False, (WORK, "tenant", HELD)),
    ("work", "rule", True, "memory.about"),
    ("person", "rule", False, "memory.about"),
    ("dana", "rule", False, "memory.about"),
]  # fmt: skip


@pytest.mark.parametrize(("about", "kind", "subject", "expected"), _TARGETS)
def test_whom_an_agents_entry_is_about_is_its_jobs_to_say(
    world: World, about: str, kind: str, subject: bool, expected: object
) -> None:
    """M4: whatever it claims; what is about a person goes to the agent's own scope."""
    job = world.job(world.dana, sees="person", thread="t1", about="dana" if subject else "")
    before = entries_of(world)
    if isinstance(expected, str):
        assert refused(lambda: entries.remember(job, Remember("ink is blue", kind, about))).code == expected
        assert entries_of(world) == before
        return
    written = entries.remember(job, Remember("ink is blue", kind, about)).entry
    assert (written.about, written.scope, written.state) == expected


@pytest.mark.parametrize(
    ("about", "scope"), [("me", "tenant"), ("everyone", OWN), ("thread", "tenant"), ("thread", "project:web")]
)
def test_a_scope_may_not_say_otherwise_than_whom_it_is_about(world: World, about: str, scope: str) -> None:
    """M4: thread is this conversation only, me the agent's own scope, everyone the tenant's."""
    job = world.job(world.dana, sees="person", thread="t1")
    outcome = refused(lambda: entries.remember(job, Remember("ink is blue", "note", about, scope)))
    assert (outcome.code, outcome.rule) == ("memory.scope", "M4")


@pytest.mark.parametrize("scope", ["tenant", "project:web", "thread:t1", "agent:other"])
def test_what_is_about_a_person_goes_to_no_other_scope(world: World, scope: str) -> None:
    """M4: any other scope is refused unless G21 opened it."""
    job = world.job(world.dana, sees="person", thread="t1")
    outcome = refused(lambda: entries.remember(job, Remember("likes ink", "semantic", scope=scope)))
    assert (outcome.code, outcome.rule) == ("memory.scope", "M4")


@pytest.mark.parametrize("kind", ["semantic", "episodic"])
def test_a_job_that_a_service_account_started_has_no_person(world: World, kind: str) -> None:
    """M4: learnt about nobody is refused; about a data subject it is memory about people (M5)."""
    host = world.add("runner", "host")
    nobody = world.job(host, sees="person")
    assert refused(lambda: entries.remember(nobody, Remember("ink", kind))).code == "memory.about"
    assert refused(lambda: entries.remember(nobody, Remember("ink", "note", "person"))).code == "memory.about"
    about = world.job(host, sees="person", about="dana")
    assert refused(lambda: entries.remember(about, Remember("ink", kind))).code == "memory.people_off"


@pytest.mark.parametrize(
    ("purpose", "said"),
    [
        ("customer-support", "oz0mem person concierge --purpose customer-support --reason"),
        ("", "a job without a purpose never keeps it"),
    ],
)
def test_memory_about_people_is_refused_with_the_command_that_turns_it_on(
    world: World, purpose: str, said: str
) -> None:
    """M5: why, and the exact command."""
    job = world.job(world.ana, sees="person", about="dana", purpose=purpose)
    outcome = refused(lambda: entries.remember(job, Remember("likes ink", "semantic")))
    assert (outcome.code, outcome.rule) == ("memory.people_off", "M5")
    assert said in outcome.said
    assert "oz0mem person concierge --purpose customer-support --reason" in outcome.said
    assert "likes ink" not in outcome.said


@pytest.mark.parametrize(
    ("starter", "about", "kind", "kept"),
    [
        ("dana", "", "semantic", True),
        ("dana", "dana", "episodic", True),
        ("ana", "", "semantic", True),
        ("ana", "dana", "semantic", False),
        ("dana", "dana", "note", False),
    ],
)
def test_the_one_exception_is_what_is_learnt_about_the_starter(
    world: World, starter: str, about: str, kind: str, kept: bool
) -> None:
    """M5: of a kind that the declaration turned on; the purpose is the job's, if it has one."""
    ctx = world.dana if starter == "dana" else world.ana
    for purpose in ("", "customer-support"):
        job = world.job(ctx, sees="person", about=about, purpose=purpose)
        if kept:
            assert entries.remember(job, Remember("likes ink", kind)).entry.purpose == purpose
        else:
            assert refused(lambda job=job: entries.remember(job, Remember("likes ink", kind))).rule == "M5"  # type: ignore[misc]  # bound


def test_a_learned_kind_is_off_until_the_declaration_turns_it_on(world: World) -> None:
    """M5: each kind by itself."""
    world.declare(memory={"semantic": True, "retain": "720h0m0s"})
    assert world.learn("likes ink").kept == "new"
    for kind in ("episodic", "procedural"):
        outcome = refused(lambda kind=kind: world.learn("likes ink", kind=kind))  # type: ignore[misc]  # bound
        assert (outcome.code, outcome.rule) == ("memory.kind_off", "M5")


def test_an_entry_carries_where_it_comes_from(each_world: World) -> None:
    """M10: purpose, tier, compartments, agent, job, source anchor, origin; and what its job had read."""
    job = each_world.job(each_world.dana, sees="published", purpose="customer-support", compartments=("sales", "legal"))
    record = each_world.store.read(each_world.now, lambda desk: desk.identity.job_by_token(digest(job.job)))
    assert record is not None
    jobs.read(job, record.id, "https://example.org", published=True)
    source = {"repository": "r", "commit": "c", "path": "p", "fingerprint": "f"}
    governance.set_settings(each_world.ana, {"review": "proposals"}, "for the test")
    written = entries.remember(job, Remember("likes ink", "semantic", source=source, tags=("b", "a"))).entry
    found = newest(each_world, written)
    assert (found.purpose, found.tier, found.agent, found.by) == (
        "customer-support",
        "published",
        "concierge",
        "dana",
    )
    assert (found.compartments, found.job, found.origin) == (("legal", "sales"), record.id, "agent")
    assert (found.source, found.read) == (source, ("https://example.org",))
    own = newest(each_world, each_world.note("ink is blue").entry)
    assert (own.origin, own.tier, own.agent, own.by, own.purpose) == ("person", "person", "", "ana", "")
    assert (own.id[:2], len(own.id), KINDS[own.kind].prefix) == ("n-", 14, "n")


@pytest.mark.parametrize(
    ("asked", "sees", "review", "held"),
    [
        ({"kind": "semantic"}, "person", "untrusted", ""),
        ({"kind": "semantic"}, "published", "untrusted", "unreviewed"),
        ({"kind": "semantic"}, "", "untrusted", "unreviewed"),
        ({"kind": "semantic"}, "", "proposals", ""),
        ({"kind": "semantic"}, "person", "all", "review"),
        ({"kind": "procedural", "about": "everyone", "core": True}, "person", "untrusted", "core"),
        ({"kind": "semantic", "core": True}, "person", "untrusted", ""),
        ({"kind": "note"}, "person", "untrusted", ""),
        ({"kind": "note"}, "", "proposals", ""),
        ({"kind": "semantic", "text": RESEMBLING}, "person", "proposals", "scan"),
        ({"kind": "semantic", "text": RESEMBLING}, "", "untrusted", "unreviewed,scan"),
        ({"kind": "semantic", "tags": (RESEMBLING,)}, "person", "untrusted", "scan"),
    ],
)
def test_what_is_held_says_why(world: World, asked: dict[str, object], sees: str, review: str, held: str) -> None:
    """M30, M8: by what its job had read, by the setting, by what the scan sees; a proposal always."""
    governance.set_settings(world.ana, {"review": review}, "for the test")
    written = world.learn(**{"text": "likes ink", **asked, "sees": sees}).entry  # type: ignore[arg-type]  # tests name fields
    assert (written.held, written.state) == (held, HELD if held else ACTIVE)


def test_what_an_agent_may_not_call_it_may_not_write(world: World) -> None:
    """M1, G5: without the capability the agent does not write, nor dana about work by her role."""
    world.declare(capabilities=["recall"])
    assert refused(lambda: world.learn("likes ink")).code == "agent.function"
    assert refused(lambda: entries.remember(world.dana, Remember("ink"))).code == "role.forbidden"
    assert refused(lambda: acceptance.confirm(world.job(world.dana), "n-000000000000")).code == "role.agent"
