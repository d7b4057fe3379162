"""Who acts: tokens and job tokens, found anew by every transaction (G1, G2)."""

from __future__ import annotations

import hashlib

import pytest

from oz0mem.actions import editing, entries, forget, governance, jobs, listing, principals, recall, upkeep
from oz0mem.actions.context import Context
from oz0mem.model.filters import Filter
from oz0mem.model.moments import HOUR
from tests.actions.evidence import refused, run_sql, stored_bytes
from tests.actions.world import World


def who(ctx: Context) -> str:
    """The name of whoever acts."""
    return principals.whoami(ctx).caller.name


@pytest.mark.parametrize(
    ("token", "code"), [("", "auth.none"), ("guess", "auth.unknown"), ("ana's token ", "auth.unknown")]
)
def test_a_token_that_is_none_or_nobodys_acts_as_nobody(world: World, token: str, code: str) -> None:
    """G1: refused by name of the rule, with what to do."""
    outcome = refused(lambda: principals.whoami(world.context(token)))
    assert (outcome.code, outcome.rule) == (code, "G1")
    assert "guess" not in outcome.said


def test_every_caller_is_who_the_token_says(each_world: World) -> None:
    """G1: a principal by token, an agent's job by job token."""
    found = principals.whoami(each_world.ana)
    assert (found.caller.name, found.caller.role, found.tenant, found.solo) == ("ana", "admin", "acme", True)
    job = each_world.job(each_world.dana)
    caller = principals.whoami(job).caller
    assert (caller.name, caller.is_agent, caller.job and caller.job.agent) == ("dana", True, "concierge")


def test_a_disabled_principal_acts_no_more_from_the_next_call_on(each_world: World) -> None:
    """G1: nor does any job that they started."""
    job = each_world.job(each_world.dana)
    assert who(job) == who(each_world.dana) == "dana"
    principals.disable(each_world.ana, "dana", "left the house")
    assert refused(lambda: who(each_world.dana)).code == "auth.disabled"
    assert refused(lambda: who(job)).code == "auth.disabled"
    assert refused(lambda: recall.recall(job, recall.Recall("tea"))).code == "auth.disabled"


def test_a_rotated_token_acts_no_more_from_the_next_call_on(each_world: World) -> None:
    """G1: the new one does, and the jobs of the person go on."""
    job = each_world.job(each_world.dana)
    made = principals.rotate(each_world.dana, "dana", "it was seen")
    assert refused(lambda: who(each_world.dana)).code == "auth.unknown"
    assert who(each_world.context(made.token)) == "dana"
    assert who(job) == "dana"


def test_a_job_token_acts_until_the_job_ends_or_expires(each_world: World) -> None:
    """G2: ended by its starter, or after a day; the last moment is the one before."""
    started = jobs.start(each_world.dana, jobs.Start("concierge"))
    job = each_world.context(job=started.token)
    each_world.now += 24 * HOUR - 1
    assert who(job) == "dana"
    each_world.now += 1
    assert refused(lambda: who(job)).code == "job.ended"
    other = jobs.start(each_world.dana, jobs.Start("concierge"))
    ended = each_world.context(job=other.token)
    jobs.end(each_world.dana, other.record.id)
    outcome = refused(lambda: who(ended))
    assert (outcome.code, outcome.rule, outcome.facts) == ("job.ended", "G2", {"job": other.record.id})
    assert refused(lambda: who(each_world.context(job="guess"))).code == "auth.unknown"


def test_a_job_of_an_agent_that_is_declared_no_more_acts_no_more(world: World) -> None:
    """G2: the declaration is read anew by every call."""
    job = world.job(world.dana)
    run_sql(world, "DELETE FROM agent")
    assert refused(lambda: who(job)).code == "auth.disabled"


def test_a_narrower_declaration_holds_for_jobs_that_run(world: World) -> None:
    """G5: what the declaration names at the moment of the call counts."""
    job = world.job(world.dana, sees="person")
    entries.remember(job, entries.Remember("Dana likes tea", kind="semantic"))
    world.declare(capabilities=["recall"])
    outcome = refused(lambda: entries.remember(job, entries.Remember("Dana likes milk", kind="semantic")))
    assert (outcome.code, outcome.rule) == ("agent.function", "G5")
    assert recall.recall(job, recall.Recall("tea")).items


def test_a_token_is_kept_only_as_its_hash(world: World) -> None:
    """G1: 256 random bits, and in no byte of the store, plain or in hex."""
    made = principals.add(world.ana, "bob", "reviewer", "to help")
    job = jobs.start(world.dana, jobs.Start("concierge"))
    rotated = principals.rotate(world.ana, "bob", "to be safe")
    bytes_kept = stored_bytes(world)
    for token in (made.token, job.token, rotated.token):
        assert len(bytes.fromhex(token)) == 32
        assert token.encode() not in bytes_kept and bytes.fromhex(token) not in bytes_kept
    for token in (job.token, rotated.token):
        assert hashlib.sha256(token.encode()).digest() in bytes_kept
    assert len({made.token, job.token, rotated.token}) == 3


def test_what_is_a_persons_is_never_an_agents(world: World) -> None:
    """G3: a job token does nothing that a role does, whoever started the job."""
    note = world.note("Deploys are on Wednesdays").entry
    job = world.job(world.ana)
    for act in (
        lambda: listing.list_entries(job, Filter()),
        lambda: listing.show(job, note.id),
        lambda: forget.forget(job, "dana"),
        lambda: forget.delete(job, note.id, "no use"),
        lambda: editing.edit(job, note.id, "Deploys are on Fridays"),
        lambda: upkeep.upkeep(job),
        lambda: principals.add(job, "eve", "admin", "please"),
        lambda: principals.rotate(job, "ana", "please"),
        lambda: principals.disable(job, "dana", "please"),
        lambda: governance.set_settings(job, {"max_days": 3_650}, "please"),
        lambda: governance.show_settings(job),
    ):
        assert refused(act).code == "role.agent"


def test_an_agent_calls_only_what_its_declaration_names(world: World) -> None:
    """G5: a capability, a single function in tools, and for another plugin that it uses memory."""
    for changes, may_write, may_read in (
        ({"capabilities": ["remember"]}, True, False),
        ({"capabilities": ["recall"]}, False, True),
        ({"capabilities": []}, False, False),
        ({"capabilities": [], "tools": ["oz0_memory.recall"]}, False, True),
        ({"plugin": "desk"}, False, False),
        ({"plugin": "desk", "uses": ["memory"]}, True, True),
    ):
        world.declare(**changes)
        job = world.job(world.dana, sees="person")
        note = entries.Remember(f"Something else entirely: {sorted(changes.items())}", kind="semantic")
        if may_write:
            entries.remember(job, note)
        else:
            assert refused(lambda job=job, note=note: entries.remember(job, note)).code == "agent.function"  # type: ignore[misc]  # bound now
        if may_read:
            recall.recall(job, recall.Recall("something"))
        else:
            assert refused(lambda job=job: recall.recall(job, recall.Recall("x"))).code == "agent.function"  # type: ignore[misc]  # bound now
