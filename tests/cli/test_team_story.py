"""The story of a team's memory, through the real program: decided, accepted, superseded, defined, read, asked about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import NewStory
    from tests.cli.story import Story

WEDNESDAYS = "Deploy on Wednesdays, never on Fridays."
THURSDAYS = "Deploy on Thursdays."
ORDERS = "A customer with an order in the last 90 days."
AGENTS = {
    "decider": "purposes: [support, billing]\nprojects: [web, web/checkout]\n",
    "worker": "purposes: [support, billing]\nprojects: [web]\n",
}
AS_DECIDER = ("--agent", "decider", "--sees", "person")
START = (
    "## Context from plugin memory\n\n"
    "- Accepted decisions and definitions you work under; more with recall (by scope) or define (by term).\n"
)


@pytest.fixture
def team(new_story: NewStory) -> Story:
    """A tenant with two agents and a second reviewer; agents write without asking."""
    story = new_story("team")
    for name, more in AGENTS.items():
        document = f"name: {name}\ncapabilities: [remember, recall]\n{more}"
        story.succeed("agent", "declare", "-", "--reason", "for the story", stdin=document)
    added = story.document("principal", "add", "rita", "--role", "reviewer", "--reason", "joined")
    story.tokens["rita"] = str(added["token"])
    story.succeed("plugin", "policy", "memory", "--set", "write=allow", "--reason", "agents keep their own notes")
    return story


def error(story: Story, *arguments: str, by: str = "", stdin: str = "") -> dict[str, Any]:
    """The error of a command that has to be refused, with its exit code."""
    answer = story.run(*arguments, "--json", by=by, stdin=stdin)
    assert answer.code
    told: dict[str, Any] = json.loads(answer.err)["error"]
    return {**told, "exit": answer.code}


def started(story: Story, agent: str = "worker", *more: str) -> str:
    """What an agent starts with."""
    return story.succeed("startup-context", "--agent", agent, *more)


def decide(story: Story, text: str = WEDNESDAYS) -> str:
    """A decision in force; its id."""
    proposed = story.keep(text, "--kind", "decision", *AS_DECIDER)
    story.succeed("accept", proposed, "--version", "1", "--text", text)
    return proposed


def test_a_decision_is_proposed_accepted_and_read_at_a_start(team: Story) -> None:
    """M14, M27: held, accepted by version and text as v2, and shown to another agent's job in the exact form."""
    proposed = team.document("remember", WEDNESDAYS, "--kind", "decision", *AS_DECIDER)
    assert (proposed["state"], proposed["held_because"], proposed["scope"]) == ("held", "proposal", "tenant")
    assert started(team).strip() == ""
    refused = error(team, "accept", proposed["id"], "--version", "1", "--text", "Deploy on Fridays.")
    assert (refused["code"], refused["rule"], refused["exit"]) == ("memory.other_text", "M14", 5)
    accepted = team.document("accept", proposed["id"], "--version", "1", "--text", WEDNESDAYS)
    assert (accepted["version"], accepted["state"]) == (2, "active")
    assert started(team) == f"{START}- Decision (tenant): {WEDNESDAYS} [tenant/{proposed['id']} v2]\n"


def test_two_jobs_supersede_and_the_old_one_holds_until_its_replacement_is_accepted(team: Story) -> None:
    """M12, M14, M15: rivals, stale versions, proposals that give way."""
    old = decide(team)
    one = team.document("supersede", old, THURSDAYS, "--version", "2", *AS_DECIDER)
    two = team.document("supersede", old, "Deploy on Mondays.", "--version", "2", *AS_DECIDER)
    assert {one["state"], two["state"]} == {"held"}
    assert WEDNESDAYS in started(team)
    newer = team.document("supersede", one["id"], "Deploy on Thursdays at ten.", "--version", "1", *AS_DECIDER)
    stale = error(team, "supersede", one["id"], "Deploy at noon.", "--version", "1", *AS_DECIDER)
    assert (stale["code"], stale["newest"], stale["exit"]) == ("memory.stale", 2, 5)
    assert stale["decides"] == ["admin", "reviewer"]
    assert team.document("accept", newer["id"], "--version", "1")["replaces"] == old
    text = started(team)
    assert "Thursdays at ten" in text and WEDNESDAYS not in text
    overtaken = error(team, "accept", two["id"], "--version", "1")
    assert (overtaken["code"], overtaken["in_force"]) == ("memory.overtaken", newer["id"])
    assert team.document("show", old)["replaced_by"] == newer["id"]


def test_a_term_is_defined_accepted_and_redefined(team: Story) -> None:
    """M13: both are shown; spellings are one; the ledger tells nothing of it."""
    team.succeed("define", "active customer", ORDERS, *AS_DECIDER)
    (proposed,) = team.document("define", "Active  CUSTOMER")["proposed"]
    team.succeed("accept", proposed["id"], "--version", "1", "--text", ORDERS, "--term", "ＡＣＴＩＶＥ customer")
    found = team.document("define", "active customer", "A customer with an order in the last 60 days.", *AS_DECIDER)
    assert found["in_force"]["text"] == ORDERS
    assert [entry["text"] for entry in found["proposed"]] == ["A customer with an order in the last 60 days."]
    assert f"- Definition of 'active customer' (tenant): {ORDERS} [tenant/{proposed['id']} v2]" in started(team)
    log = team.succeed("audit", "log", "--json", "--limit", "200")
    assert "customer" not in log.replace("customer-support", "")


@pytest.mark.parametrize("compatible", [False, True])
def test_purposes_bind_reading_and_changing(team: Story, compatible: bool) -> None:
    """M21: own, compatible one way, and general work; a change only by the purpose of the entry."""
    if compatible:
        team.succeed("settings", "set", "--compatible", "support>billing", "--reason", "one desk")
    jobs = {"support": ("--purpose", "support"), "billing": ("--purpose", "billing"), "": ()}
    ids = {
        purpose: team.keep(f"the note of {purpose or 'nobody'}", *AS_DECIDER, "--scope", "tenant", *options)
        for purpose, options in jobs.items()
    }
    reads = {"support": {"support", ""}, "billing": {"billing", ""} | ({"support"} if compatible else set()), "": {""}}
    for purpose, options in jobs.items():
        hits = team.document("recall", "note", *AS_DECIDER, *options)["items"]
        assert {hit["id"] for hit in hits} == {ids[each] for each in reads[purpose]}
        for of, entry in ids.items():
            change = ("supersede", entry, f"changed by {purpose or 'nobody'}", "--version", "1", *AS_DECIDER, *options)
            if of != purpose:
                told = error(team, *change)
                seen = of in reads[purpose]
                assert told["code"] == ("memory.purpose" if seen else "memory.unknown")
                assert not seen or (f"for {of}" if of else "without a purpose") in told["message"]


def test_compartments_kept_apart_are_withheld_and_counted(team: Story) -> None:
    """M25: never both sides in one call, whichever call."""
    team.succeed("settings", "set", "--apart", "legal:sales", "--reason", "two rooms")
    for room in ("legal", "sales"):
        team.keep(f"the harbour file of {room}", *AS_DECIDER, "--scope", "tenant", "--compartment", room)
    both = team.document("recall", "harbour", *AS_DECIDER)
    assert (len(both["items"]), both["withheld"]) == (1, 1)
    ours = team.document("recall", "harbour", *AS_DECIDER, "--compartment", "legal")
    assert [hit["text"] for hit in ours["items"]] == ["the harbour file of legal"]
    assert ours["withheld"] == 1
    nothing = team.document("recall", "sales", *AS_DECIDER, "--compartment", "legal")
    assert "sales" not in json.dumps({name: value for name, value in nothing.items() if name != "items"})
    changed = team.document("changed-since", *AS_DECIDER, "--compartment", "sales")
    assert [entry["text"] for entry in changed["items"]] == ["the harbour file of sales"]
    assert changed["withheld"] == 1


def test_what_a_job_read_goes_with_what_it_writes(team: Story) -> None:
    """M24, M4: its tier, its hold; and a job about a person writes about that person whatever it says."""
    team.keep("the depot moved to the north gate", "--agent", "decider", "--scope", "tenant")
    unreviewed = team.document("list", "--held")["items"][0]["id"]
    team.succeed("settings", "set", "--review", "proposals", "--reason", "open for the story")
    team.keep("the lift is mended by an agent", "--agent", "decider", "--scope", "tenant")
    team.succeed("settings", "set", "--review", "untrusted", "--reason", "closed again")
    token = team.document("job", "start", "worker", "--sees", "person")["token"]
    call = ("env", f"OZ0MEM_JOB={token}", "oz0mem", "call")
    before = team.program.execute([*call, "oz0_memory.remember", '{"text": "written before reading"}'])
    assert json.loads(before.stdout)["state"] == "active"
    team.program.execute([*call, "oz0_memory.recall", '{"words": "lift"}'])
    after = json.loads(team.program.execute([*call, "oz0_memory.remember", '{"text": "written after it"}']).stdout)
    assert (after["state"], after["held_because"]) == ("held", "unreviewed")
    shown = team.document("show", after["id"])
    assert (shown["tier"], shown["read"]) == ("unreviewed", ["memory"])
    team.succeed("confirm", unreviewed)
    about = error(team, "remember", "prefers mornings", *AS_DECIDER, "--about", "dana")
    assert (about["code"], about["rule"]) == ("memory.people_off", "M5")
    assert "oz0mem person decider --purpose" in about["hint"]


def test_changed_since_tells_the_same_again_until_its_cursor_is_named(team: Story) -> None:
    """M26: whoever dies between answer and bookmark misses nothing."""
    old = decide(team)
    first = team.document("changed-since", *AS_DECIDER)
    assert [entry["id"] for entry in first["items"]] == [old]
    assert team.document("changed-since", *AS_DECIDER)["items"] == first["items"]
    assert team.document("changed-since", first["cursor"], *AS_DECIDER)["items"] == []
    new = team.document("supersede", old, THURSDAYS, "--version", "2", *AS_DECIDER)["id"]
    team.succeed("accept", new, "--version", "1")
    then = team.document("changed-since", *AS_DECIDER)
    assert {(entry["id"], entry["state"]) for entry in then["items"]} == {(old, "replaced"), (new, "active")}
    made_up = error(team, "changed-since", "nonsense", *AS_DECIDER)
    assert (made_up["code"], made_up["exit"]) == ("changed.cursor", 2)
