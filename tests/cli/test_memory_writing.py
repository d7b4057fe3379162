"""What is written and changed: sentences, documents, exit codes, and what asks before it acts."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import NewStory
from tests.cli.story import Story, normal

SECRET = "AKIA" + "Q3EGRIZNMBXLDC7W"
ABOUT_DANA = ("--agent", "concierge", "--kind", "semantic")


@pytest.fixture(scope="module")
def shared(new_story: NewStory) -> Story:
    """A story for tests that mind nobody else's entries."""
    return new_story("shared")


def test_a_write_says_where_it_is_and_until_when(shared: Story) -> None:
    """M36: work ends at a review date; what is about a person is erased at its end."""
    kept = shared.succeed("remember", "Paper", "comes", "on Mondays", "--ends", "30d")
    assert normal(kept) == "kept n-<1> v1 in tenant, until <time> (review date)\n"
    learnt = shared.succeed("remember", "Dana ships to Faro", *ABOUT_DANA, "--sees", "person", by="dana")
    assert normal(learnt) == "kept m-<1> v1 in agent:concierge about dana, until <time> (erased then)\n"
    again = shared.succeed("remember", "paper comes on  MONDAYS")
    assert normal(again) == "kept nothing new: n-<1> v1 says the same and is active\n"
    shown = shared.at_terminal("remember", "Ink comes on Mondays")
    assert normal(shown) == "kept n-<1> v1 in tenant, until <local time> (review date)\n"


def test_what_is_past_already_is_kept_and_said_to_be_never_recalled(shared: Story) -> None:
    """M22, C2: a warning beside the answer; none for a time to come, nor under --quiet."""
    past, ahead = ("--valid-until", "2020-01-02"), ("--valid-until", "2036-01-02")
    said = [shared.run("remember", f"The fair is in hall {at}", *more).err
            for at, more in enumerate((past, ahead, (*past, "--quiet")))]  # fmt: skip
    assert said == ["--valid-until is past already, so it is never recalled\n", "", ""]


def test_a_held_write_says_why_and_how_long_it_waits(shared: Story) -> None:
    """M30 and M31: a job that promises nothing counts as having read something unreviewed."""
    held = shared.succeed("remember", "Dana likes green ink", *ABOUT_DANA, by="dana")
    assert normal(held) == (
        "held m-<1> in agent:concierge about dana: its job counts as having read something unreviewed;"
        " it waits for a person until <time>\n"
    )


def test_a_write_answers_in_the_shape_of_the_contract(shared: Story) -> None:
    """M3 and C2: id, version, state, kept, scope, ends, similar, replaced, held_because."""
    first = shared.keep("Envelopes are in the left drawer")
    written = shared.document("remember", "The envelopes are in the left drawer", "--reason", "said twice")
    assert written["kept"] == "new"
    assert written["similar"] == [{"id": first, "version": 1, "text": "Envelopes are in the left drawer"}]
    assert written["replaced"] is written["held_because"] is None
    assert shared.document("show", written["id"])["reasons"] == ["said twice"]
    refused = shared.run("remember", "All envelopes are in the left drawer", "--on-similar", "refuse")
    assert refused.code == 3


def test_a_text_comes_from_stdin_and_every_option_is_kept(shared: Story) -> None:
    """C7 and M1: a dash reads stdin; a day is its first instant as a beginning, the next day's as an end."""
    written = shared.document(
        "remember", "-", "--project", "web/shop", "--tag", "a", "--tag", "b", "--source", "path=x=y",
        "--source", "commit=c1", "--key", "hours", "--valid-from", "2026-01-02",
        "--valid-until", "2036-01-02", "--core", "--call-id", "c-1", "--yes", stdin="one\ntwo\n",
    )  # fmt: skip
    entry = shared.document("show", written["id"])
    assert (entry["text"], entry["scope"], entry["tags"]) == ("one\ntwo", "project:web/shop", ["a", "b"])
    assert (entry["source"], entry["key"], entry["core"]) == ({"path": "x=y", "commit": "c1"}, "hours", True)
    assert entry["valid_from"] == "2026-01-02T00:00:00Z"
    assert entry["valid_until"] == "2036-01-03T00:00:00Z"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--purpose", "support"), "--purpose is a fact of a job"),
        (("--sees", "person"), "--sees is a fact of a job"),
        (("--project", "a", "--project", "b"), "one --project"),
        (("--project", "a", "--scope", "tenant"), "one --project"),
        (("--source", "path"), "NAME=VALUE"),
        (("--source", "path=a", "--source", "path=b"), "each name once"),
        (("--ends", "soon"), "not a time"),
    ],
)
def test_an_argument_that_could_have_no_effect_is_refused(shared: Story, arguments: tuple[str, ...], says: str) -> None:
    """C3: exit 2 and nothing is kept."""
    answer = shared.run("remember", "x", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err


def test_memory_about_somebody_else_is_refused_with_what_to_type(shared: Story) -> None:
    """M5: with --agent, --about names the job's person."""
    answer = shared.run("remember", "Dana hates spam", *ABOUT_DANA, "--about", "dana")
    assert answer.code == 3
    assert "refused (M5)" in answer.err
    assert "oz0mem person concierge" in answer.err


@pytest.mark.parametrize(
    "command",
    [
        ("remember", f"key {SECRET}"),
        ("remember", "x", "--tag", SECRET),
        ("remember", "x", "--reason", SECRET),
        ("remember", "x", "--agent", "concierge", "--about", SECRET),
        ("call", "oz0_memory.remember", json.dumps({"text": "x", SECRET.lower(): SECRET})),
        ("forget", "--about", SECRET, "--yes"),
        ("edit", "NOTE", SECRET, "--yes"),
        ("edit", "NOTE", "x", "--yes", "--reason", SECRET),
        ("move", "NOTE", "project:x", "--reason", SECRET),
        ("renew", "NOTE", "--reason", SECRET),
        ("confirm", "NOTE", "--reason", SECRET),
        ("retire", "NOTE", "--reason", SECRET),
        ("delete", "NOTE", "--yes", "--reason", SECRET),
        ("import", "-", "--from", "jsonl"),
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_a_secret_is_refused_by_every_path_and_is_nowhere_on_the_disk(shared: Story, command: tuple[str, ...]) -> None:
    """M8: refused by kind and place; no byte of it is stored or said."""
    note = shared.keep("The archive is downstairs")
    arguments = [note if word == "NOTE" else word for word in command]
    answer = shared.run(*arguments, stdin=json.dumps({"text": SECRET}) + "\n")
    assert answer.code in (2, 3)
    assert "secret" in answer.err
    assert SECRET not in answer.out + answer.err
    assert shared.on_disk(SECRET) == []


def test_a_call_writes_once_for_one_call_id(shared: Story) -> None:
    """M9: the same answer, one entry; other arguments are a conflict."""
    arguments = {"text": "Dana likes graph paper", "kind": "semantic", "call_id": "c-7"}
    call = ("call", "oz0_memory.remember", json.dumps(arguments), "--agent", "concierge")
    first, second = shared.succeed(*call, by="dana"), shared.succeed(*call, by="dana")
    assert first == second
    assert len(shared.document("list", "--search", "graph")["items"]) == 1
    other = json.dumps(arguments | {"text": "Dana likes plain paper"})
    refused = shared.run(*call[:2], other, *call[3:], by="dana")
    assert refused.code == 5
    assert json.loads(refused.err)["error"]["code"] == "call.reused"


@pytest.mark.parametrize(
    ("function", "arguments", "code", "exit_code"),
    [
        ("oz0_memory.links", "{}", "function.unknown", 4),
        ("oz0_memory.forget", "{}", "function.unknown", 4),
        ("remember", "{}", "function.unknown", 4),
        ("oz0_memory.remember", "{", "call.json", 2),
        ("oz0_memory.remember", "[]", "call.json", 2),
        ("oz0_memory.remember", '{"text": "a", "text": "b"}', "call.json", 2),
        ("oz0_memory.remember", "{}", "call.arguments", 2),
        ("oz0_memory.remember", '{"text": 1}', "call.arguments", 2),
        ("oz0_memory.remember", '{"text": "a", "txt": "b"}', "call.arguments", 2),
        ("oz0_memory.remember", '{"text": "a", "core": 1}', "call.arguments", 2),
        ("oz0_memory.remember", '{"text": "a", "tags": "b"}', "call.arguments", 2),
        ("oz0_memory.recall", '{"words": "a", "max_entries": true}', "call.arguments", 2),
        ("oz0_memory.recall", '{"words": "a", "max_entries": NaN}', "call.json", 2),
    ],
)
def test_a_call_takes_no_argument_that_its_function_does_not_have(
    shared: Story, function: str, arguments: str, code: str, exit_code: int
) -> None:
    """C4: refused by name, in JSON on stderr, whether --json was given or not."""
    answer = shared.run("call", function, arguments)
    assert (answer.code, answer.out) == (exit_code, "")
    assert json.loads(answer.err)["error"]["code"] == code


def test_several_ids_are_answered_one_by_one(shared: Story) -> None:
    """C3: what can be done is done; the exit code is the first failure's."""
    first, second = shared.keep("Stamps are in box 7"), shared.keep("Labels are in box 8")
    answer = shared.run("renew", first, "n-000000000000", second, "--days", "9", "--json")
    one, none, two = json.loads(answer.out)["items"]
    assert answer.code == 4
    assert (one["id"], two["id"]) == (first, second)
    assert one["changed"] and two["changed"]
    assert none["error"]["code"] == "memory.unknown"
    assert json.loads(answer.err)["error"]["id"] == "n-000000000000"
    for command in (("renew",), ("confirm",), ("reject", "--reason", "x"), ("delete", "--reason", "x", "--yes")):
        said = shared.run(*command, "n-000000000000", "n-000000000001").err.splitlines()
        assert [line.startswith(f"not found (C7): n-00000000000{at}: ") for at, line in enumerate(said)] == [True, True]
    assert shared.document("renew", first, "--days", "8")["id"] == first


def test_confirm_and_reject_decide_what_waits(story: Story) -> None:
    """M32: confirmed once, rejected with a reason; both say so again without changing anything."""
    one, two = (story.keep(f"Dana likes {what}", *ABOUT_DANA, by="dana") for what in ("ink", "chalk"))
    assert normal(story.succeed("confirm", one, "--reason", "she said so")).startswith("confirmed m-<1> v2 in")
    assert story.document("confirm", one)["changed"] is False
    assert story.run("reject", two).code == 2
    assert normal(story.succeed("reject", two, "--reason", "a joke")) == "rejected m-<1>\n"
    assert story.document("reject", two, "--reason", "again")["changed"] is False
    assert story.document("show", one)["reasons"] == ["she said so"]


def test_a_held_fact_replaces_nothing_until_it_is_confirmed(story: Story) -> None:
    """M11: Lisbon stays until Porto is confirmed; then history shows both."""
    lisbon = story.learn("Dana ships to Lisbon", "--key", "shipping_city")
    porto = story.keep("Dana ships to Porto", *ABOUT_DANA, "--key", "shipping_city", by="dana")
    assert story.document("show", lisbon)["state"] == "active"
    assert story.document("confirm", porto)["replaces"] == lisbon
    items = story.document("history", "concierge", "shipping_city", "--about", "dana")["items"]
    assert [(item["id"], item["replaced_by"]) for item in items] == [(lisbon, porto), (porto, None)]


def test_renew_takes_both_of_its_forms_and_no_person(story: Story) -> None:
    """M35: `renew ID` and `renew memory SCOPE ID`; an entry about a person has an end that erases."""
    note = story.keep("The lease ends in May")
    assert story.document("renew", note, "--days", "20")["version"] == 2
    assert story.document("renew", "memory", "tenant", note, "--days", "30")["version"] == 3
    assert story.run("renew", "memory", "project:x", note).code == 4
    assert story.run("renew", "memory", "tenant").code == 2
    assert story.run("renew", story.learn("Dana likes felt pens")).code == 3


def test_retire_and_move_say_why(story: Story) -> None:
    """M18 and M34: id and history stay; the reason stands beside the entry."""
    note = story.keep("Orders are packed by hand")
    moved = story.succeed("move", note, "project:shop", "--reason", "shop only")
    assert normal(moved) == "moved n-<1> v2 in project:shop, until <time> (review date)\n"
    retired = story.succeed("retire", note, "--reason", "a machine does it")
    assert normal(retired) == "retired n-<1>; it is recalled no more\n"
    assert story.document("show", note)["reasons"] == ["shop only", "a machine does it"]
    assert story.run("retire", note).code == 2


def test_an_agent_only_proposes_to_retire(story: Story) -> None:
    """M34: exit 7; what waits is a document, as every answer of a call."""
    declaration = story.program.folder / "keeper.json"
    memory = {"semantic": True, "retain": "720h0m0s"}
    declaration.write_text(
        json.dumps(
            {"name": "keeper", "kind": "copilot", "purpose": "keeps", "autonomy": "propose", "memory": memory}
            | {"capabilities": ["remember", "recall", "retire"]}
        )
    )
    story.succeed("agent", "declare", str(declaration), "--reason", "r")
    story.succeed("plugin", "policy", "memory", "--set", "retire=allow", "--reason", "a proposal waits anyway")
    note = story.keep("Cartons come flat")
    arguments = json.dumps({"id": note, "version": 1, "reason": "they come folded"})
    answer = story.run("call", "oz0_memory.retire", arguments, "--agent", "keeper")
    assert (answer.code, answer.err) == (7, "")
    assert json.loads(answer.out) == {"id": note, "version": 1, "state": "waiting"}
    assert story.document("show", note)["state"] == "active"


def test_the_ledger_says_what_happened_and_not_a_word_of_what_was_remembered(story: Story) -> None:
    """L2 and L5: reasons too are only committed to."""
    story.keep("The Xylophone is tuned in June", "--reason", "asked by the Quartet")
    story.succeed("recall", "Xylophone")
    told = story.succeed("audit", "log", "--json")
    assert not re.search("xylophone|quartet", told, re.IGNORECASE)


def test_a_text_that_is_refused_starts_no_job(shared: Story) -> None:
    """M8: the text is judged before a job is started to keep it."""
    before = len(shared.document("audit", "log", "--type", "job.started", "--limit", "1000")["items"])
    secret = "AKIA" + "Q3ZJ7WXR5NLD2KTV"
    refused = shared.run("remember", f"the key is {secret}", "--agent", "concierge")
    assert (refused.code, secret in refused.err) == (3, False)
    assert len(shared.document("audit", "log", "--type", "job.started", "--limit", "1000")["items"]) == before
