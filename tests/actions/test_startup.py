"""M27, M28, M24: what an agent's job starts with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import (
    accepting,
    corrections,
    entries,
    forget,
    governance,
    jobs,
    recall,
    retiring,
    startup,
    superseding,
)
from oz0mem.actions.entries import Remember
from oz0mem.rules.startup import HEADING
from tests.actions.agreed import WEDNESDAYS, agree, apart, core, term
from tests.actions.evidence import alter, events, refused, restrict, run_sql

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from tests.actions.world import World

_DECIDER = {"name": "decider", "projects": ["web"], "purposes": ["support"]}


def lines(ctx: Context, **asked: int) -> list[str]:
    """The lines of the text below its heading."""
    text = startup.startup_context(ctx, **asked).text
    assert not text or text.startswith(HEADING + "\n")
    return text.splitlines()[3:]


def test_another_agents_job_starts_with_what_was_accepted(each_world: World) -> None:
    """M27: the exact text; what is only proposed is not in it."""
    each_world.declare(**_DECIDER)
    decision = agree(each_world, agent="decider")
    each_world.later(0.01)
    meaning = term(each_world, "active customer", "A customer with an order\nin the last 90 days.")
    entries.remember(each_world.job(each_world.ana), Remember("Never mind Fridays.", kind="decision"))
    found = startup.startup_context(each_world.job(each_world.dana))
    assert found.text == (
        "## Context from plugin memory\n"
        "\n"
        "- Accepted decisions and definitions you work under; more with recall (by scope) or define (by term).\n"
        "- Definition of 'active customer' (tenant): A customer with an order in the last 90 days."
        f" [tenant/{meaning.id} v2]\n"
        f"- Decision (tenant): {WEDNESDAYS} [tenant/{decision.id} v2]"
    )
    assert [(each.id, each.version) for each in found.items] == [(meaning.id, 2), (decision.id, 2)]
    assert (found.chars, found.withheld) == (len(found.text), 0)


def test_rules_then_scopes_from_the_nearest_then_core(each_world: World) -> None:
    """M27, M20: ancestors' rules with the projects', nothing else of an ancestor; newest in force first."""
    world = each_world
    world.declare(name="wide", projects=["web", "shop"])
    world.declare(projects=["web/checkout"])
    at: dict[int, str] = {}
    for kind, scope, place in (
        ("rule", "tenant", 4),
        ("rule", "project:web", 3),
        ("rule", "project:web/checkout/cart", 2),
        ("rule", "agent:concierge", 1),
        ("decision", "tenant", 7),
        ("decision", "project:web", 0),
        ("rule", "project:shop", 0),
        ("decision", "project:web/checkout", 6),
        ("decision", "agent:concierge", 5),
    ):
        world.later(0.01)
        agent = "concierge" if scope.startswith("agent") else "wide"
        at[place] = agree(world, f"{kind} of {scope}", kind=kind, scope=scope, agent=agent).id
    world.later(0.01)
    at[8] = core(world, "core of the tenant").id
    found = startup.startup_context(world.job(world.dana))
    assert [each.id for each in found.items] == [at[place] for place in sorted(at) if place]


def test_a_thread_comes_right_after_its_agent(world: World) -> None:
    """M27: core entries of the thread and the agent's own, in their own words."""
    world.declare(projects=[])
    job = world.job(world.ana, sees="person", thread="t1")
    for about in ("thread", "me"):
        entries.remember(job, Remember(f"said {about}", about=about, core=True))
    core(world, "said everyone")
    shown = [line.partition(":")[0] for line in lines(world.job(world.dana, thread="t1"))]
    assert shown == ["- Note (agent)", "- Note (thread)", "- Note (tenant)"]
    assert [line.partition(":")[0] for line in lines(world.job(world.dana, thread="t2"))] == [shown[0], shown[2]]


@pytest.mark.parametrize("state", ["replaced", "retired", "ended", "restricted", "altered", "not yet", "no more"])
def test_what_is_not_in_force_is_not_in_it(world: World, state: str) -> None:
    """M22, M27, L7: only what recall would show."""
    world.declare(projects=[])
    if state in ("not yet", "no more"):
        valid = {"valid_from": world.now + 9} if state == "not yet" else {"valid_until": world.now - 9}
        job = world.job(world.ana, sees="person")
        made = entries.remember(job, Remember("x", kind="decision", **valid)).entry  # type: ignore[arg-type]  # tests name fields
        accepting.accept(world.ana, accepting.Accept(made.id, 1))
    else:
        made = agree(world)
    if state == "replaced":
        new = superseding.supersede(world.job(world.ana), superseding.Supersede(made.id, 2, "Never deploy.")).entry
        assert len(lines(world.job(world.dana))) == 1
        accepting.accept(world.ana, accepting.Accept(new.id, 1))
        assert [line.split(":")[1].strip()[:5] for line in lines(world.job(world.dana))] == ["Never"]
        return
    if state == "retired":
        retiring.retire(world.ana, made.id, "no")
    elif state == "ended":
        world.now = made.ends
    elif state == "restricted":
        restrict(world, made)
    elif state == "altered":
        alter(world, made)
    found = startup.startup_context(world.job(world.dana))
    assert (found.text, list(found.altered)) == ("", [made.id] if state == "altered" else [])


def test_the_first_that_does_not_fit_ends_the_list(world: World) -> None:
    """M27: four characters a token, the heading among them; nothing that fits is no heading."""
    for text in ("short", "a rather longer decision " * 20, "newest"):
        agree(world, text)
        world.later(0.01)
    long = startup.startup_context(world.job(world.dana))
    assert len(long.items) == 3
    first = len(HEADING) + len("\n- Decision (tenant): newest [tenant/d-0123456789ab v2]")
    assert len(lines(world.job(world.dana), budget_tokens=-(-first // 4))) == 1
    assert len(lines(world.job(world.dana), budget_tokens=first // 4 - 1)) == 0
    assert len(lines(world.job(world.dana), budget_tokens=first // 4 + 60)) == 1
    assert len(lines(world.job(world.dana), used_tokens=4_000 - -(-first // 4))) == 1
    world.declare(limits={"startup_tokens": -(-first // 4)})
    assert len(lines(world.job(world.dana))) == len(lines(world.job(world.dana), budget_tokens=9_999)) == 1
    world.declare(limits={"startup_tokens": 0})
    assert startup.startup_context(world.job(world.dana)).text == ""


def test_it_is_recorded_as_the_start_up_step_before_it_is_shown(each_world: World) -> None:
    """M28: ids and versions with `startup`, never a text; nothing shown is no read."""
    startup.startup_context(each_world.job(each_world.dana))
    assert events(each_world, "plugin.records.read") == []
    made = agree(each_world)
    job = each_world.job(each_world.dana)
    startup.startup_context(job)
    (read,) = events(each_world, "plugin.records.read")
    assert (read["startup"], read["function"]) == (True, "startup_context")
    assert (read["entries"], read["versions"]) == ([made.id], [2])


def test_a_job_that_asks_again_gets_its_first_text(each_world: World) -> None:
    """M27: at the versions of then, whatever was decided since, and whatever budget is named."""
    world = each_world
    old = agree(world)
    job = world.job(world.dana)
    first = startup.startup_context(job)
    new = superseding.supersede(world.job(world.ana), superseding.Supersede(old.id, 2, "Never deploy.")).entry
    accepting.accept(world.ana, accepting.Accept(new.id, 1))
    agree(world, "Ship on Mondays.")
    corrections.renew(world.ana, new.id, 100)
    assert startup.startup_context(job, budget_tokens=1).text == first.text
    assert WEDNESDAYS not in startup.startup_context(world.job(world.dana)).text
    assert len(events(world, "plugin.records.read")) >= 3


def test_an_empty_first_text_stays_empty(world: World) -> None:
    """M27: what was decided later is for the next job."""
    job = world.job(world.dana)
    assert startup.startup_context(job).text == ""
    agree(world)
    assert startup.startup_context(job).text == ""


@pytest.mark.parametrize("since", ["erased", "restricted", "altered", "walled", "denied"])
def test_a_job_that_asks_again_is_not_shown_what_may_not_be_shown(world: World, since: str) -> None:
    """M27, G4, L7: erased, restricted, altered, walled off or denied since; the rest stands."""
    kept = agree(world, "Ship on Mondays.")
    gone = agree(world, compartments=("legal",))
    job = world.job(world.dana, compartments=("sales",), sees="person")
    assert len(startup.startup_context(job).items) == 2
    if since == "erased":
        forget.delete(world.ana, gone.id, "no")
    elif since == "restricted":
        restrict(world, gone)
    elif since == "altered":
        alter(world, gone)
    elif since == "denied":
        world.declare(grants={"deny": ["tenant"]})
    else:
        apart(world)
    found = startup.startup_context(job)
    assert [each.id for each in found.items] == ([] if since == "denied" else [kept.id])
    assert found.withheld == (since == "walled")
    assert list(found.altered) == ([gone.id] if since == "altered" else [])


def test_an_old_version_that_was_altered_is_left_out_and_named(world: World) -> None:
    """M27, L7: a job that asks again would be shown the version of then."""
    old = agree(world)
    job = world.job(world.dana)
    startup.startup_context(job)
    corrections.renew(world.ana, old.id, 100)
    run_sql(world, "UPDATE version SET ends = ends + 1 WHERE tenant = 1 AND id = ? AND v = 2", old.id)
    found = startup.startup_context(job)
    assert (found.text, list(found.altered)) == ("", [old.id])


def test_what_was_altered_behind_a_wall_is_not_named(world: World) -> None:
    """M25, L7: of the other side nothing is said, whichever comes first, here or in recall's rules."""
    hidden = agree(world, "as legal sees it", kind="rule", compartments=("legal",))
    world.later(0.01)
    agree(world, "as sales sees it", kind="rule", compartments=("sales",))
    apart(world)
    alter(world, hidden)
    found = startup.startup_context(world.job(world.dana))
    assert (len(found.items), list(found.altered)) == (1, [])
    recalled = recall.recall(world.job(world.dana), recall.Recall("boxes"))
    assert (len(recalled.items), recalled.altered) == (1, [])


def test_a_wall_is_built_by_what_is_shown_first(world: World) -> None:
    """M25: one text never has both sides; the answer counts what was withheld up to its end."""
    agree(world, "as legal sees it", compartments=("legal",))
    world.later(0.01)
    newer = agree(world, "as sales sees it", compartments=("sales",))
    apart(world)
    found = startup.startup_context(world.job(world.dana))
    assert ([each.id for each in found.items], found.withheld) == ([newer.id], 1)
    assert jobs.show(world.ana, events(world, "job.started")[-1]["job"]).record.compartments == ("sales",)


def test_only_an_agents_job_that_may_use_memory_gets_it(world: World) -> None:
    """M27, G5: a person is told how; an agent whose declaration names nothing of memory is refused."""
    told = refused(lambda: startup.startup_context(world.ana))
    assert (told.code, told.rule) == ("startup.job", "M27")
    assert "--agent" in told.said
    world.declare(capabilities=[])
    job = world.job(world.dana)
    assert refused(lambda: startup.startup_context(job)).rule == "G5"
    world.declare(capabilities=[], tools=["oz0_memory.recall"])
    assert startup.startup_context(job).text == ""


def test_what_a_job_started_with_is_shown_among_its_steps_and_never_as_text(world: World) -> None:
    """M27: the job keeps numbers alone, and they outlive what it reads later."""
    from oz0mem.views.jobs import to_document

    agree(world, compartments=("legal",))
    job = world.job(world.dana)
    number = events(world, "job.started")[-1]["job"]
    assert to_document(jobs.show(world.ana, number))["steps"] == []
    text = startup.startup_context(job).text
    assert text
    shown = jobs.show(world.ana, number)
    assert to_document(shown)["steps"] == ["startup memory"]
    assert shown.record.compartments == ("legal",)
    assert startup.startup_context(job).text == text


def test_a_purpose_and_a_person_bound_what_is_in_it(world: World) -> None:
    """M21: decisions of another purpose are not in it; those without one are everybody's."""
    world.declare(purposes=["support", "billing"], projects=[])
    agree(world, "of support", purpose="support")
    agree(world, "of nobody")
    governance.set_settings(world.ana, {"compatible": (("support", "billing"),)}, "for the test")
    read = {
        purpose: sorted(each.text for each in startup.startup_context(world.job(world.dana, purpose=purpose)).items)
        for purpose in ("", "support", "billing")
    }
    assert read == {"": ["of nobody"], "support": ["of nobody", "of support"], "billing": ["of nobody", "of support"]}
