"""Every command that prints JSON, run by the real program in one store, with the shape of each answer."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from tests.program import Program

TRIAGE = """\
name: triage
kind: pilot
purpose: Sort what comes in
autonomy: low
capabilities: [remember, recall]
purposes: [customer-support]
plugin: memory
tools: [oz0_memory.retire]
uses: [memory]
projects: [acme/web]
memory: {semantic: true, procedural: true, retain: 720h0m0s}
budget: {steps: 5}
limits: {startup_tokens: 200}
keep_for: 1440h0m0s
grants: {deny: ["project:acme/secret"]}
"""
DECIDER = """\
name: decider
purpose: Keep what the team decides
capabilities: [remember, recall]
tools: [oz0_memory.supersede, oz0_memory.accept, oz0_memory.define, oz0_memory.retire]
"""
RECORDS = """\
{"text": "The warehouse closes at noon"}
{"text": "Dana likes blue", "about": "dana", "kind": "semantic"}
{"text": "bad", "colour": "blue"}
"""
MEM0 = """\
{"results": [{"id": "a1", "memory": "Bob likes green", "user_id": "bob", "shade": 3}]}
"""
LEARNS = ("--agent", "triage", "--purpose", "customer-support", "--kind", "semantic")


class Recorder:
    """Runs commands and keeps what they printed.

    Attributes:
        printed: shape, command and document, in order.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.printed: list[tuple[str, str, dict[str, Any]]] = []
        for name, text in (
            ("triage.yaml", TRIAGE),
            ("decider.yaml", DECIDER),
            ("in.jsonl", RECORDS),
            ("mem0.json", MEM0),
        ):
            (program.folder / name).write_text(text, encoding="utf-8")

    def note(
        self,
        shape: str,
        command: str,
        *more: str,
        code: int = 0,
        stdin: str = "",
        by: str = "",
        job: str = "",
    ) -> dict[str, Any]:
        """Run a command, keep its document under a shape, and return it.

        Args:
            shape: the heading in ``docs/json.md``.
            command: its words.
            more: its arguments and options.
            code: the exit code that it has to end with.
            stdin: what it reads.
            by: the token of whoever runs it; the profile's where empty.
            job: the token of the job that runs it.
        """
        given = {"OZ0MEM_TOKEN": by, "OZ0MEM_JOB": job}
        line = ["oz0mem", *command.split(), *more, "--json"]
        ran = self.program.execute(line, stdin=stdin, **{name: token for name, token in given.items() if token})
        assert ran.returncode == code, f"{line}: {ran.stderr}"
        document = json.loads(ran.stderr if shape == "error" else ran.stdout)
        self.printed.append((shape, command, document["error"] if shape == "error" else document))
        assert isinstance(document, dict)
        return document


def run_everything(program: Program) -> list[tuple[str, str, dict[str, Any]]]:
    """Play a story that has every command in it; the shape, command and document of each."""
    run = Recorder(program)
    _set_up(run)
    dana = str(run.note("principal", "principal add", "dana", "--role", "member", "--reason", "a customer")["token"])
    other = str(run.note("principal", "principal add", "axel", "--role", "auditor", "--reason", "audits")["token"])
    run.note("login", "login", "--profile", "axel", "--tenant", "acme", stdin=other)
    held, fact = _remember(run, dana)
    _read(run, dana, held, fact)
    _work_as_agent(run, dana, fact)
    _review(run, held, fact)
    _link(run)
    _agree(run)
    _start(run)
    _import_and_forget(run, fact)
    _govern(run)
    _prove(run)
    _look_over(run)
    return run.printed


def _set_up(run: Recorder) -> None:
    run.note("place", "init", "--tenant", "acme", "--admin", "ana", "--solo")
    run.note("agent", "agent declare", "triage.yaml", "--reason", "first")
    run.note("agent", "agent show", "triage")
    run.note("agents", "agent list")
    run.note("plugin", "plugin install", "hub:ai.oz0/memory")
    run.note("policy", "plugin policy", "memory")
    asks = ("--set", "write=allow", "--for", "agent:triage", "--reason", "a trial")
    run.note("change", "plugin policy", "memory", *asks)
    run.note("policy", "plugin policy", "memory")


def _remember(run: Recorder, dana: str) -> tuple[str, str]:
    """What is there to be read later; the ids of an entry that waits and of a fact."""
    run.note("written", "remember", "Invoices go out on Fridays")
    run.note("written", "remember", "Invoices go out on a Friday")
    for place in ("Lisbon", "Porto"):
        text = f"Dana ships to {place}"
        fact = run.note("written", "remember", text, *LEARNS, "--sees", "person", "--key", "city", by=dana)
    held = run.note("written", "remember", "Dana wants it free", *LEARNS, by=dana)
    return str(held["id"]), str(fact["id"])


def _read(run: Recorder, dana: str, held: str, fact: str) -> None:
    run.note("list", "list")
    run.note("shown", "show", fact)
    run.note("shown", "show", held, "--versions")
    run.note("history", "history", "triage", "city", "--about", "dana")
    run.note("recall", "recall", "where", "ships", *LEARNS[:4], "--explain", by=dana)
    run.note("recall", "recall", "invoices")


def _work_as_agent(run: Recorder, dana: str, fact: str) -> None:
    asked = ("triage", "--purpose", "customer-support", "--sees", "person")
    started = run.note("job", "job start", *asked, by=dana)
    job = str(started["token"])
    run.note("job", "job read", str(started["job"]), "the delivery page")
    run.note("job", "job show", str(started["job"]))
    run.note("caller", "whoami", job=job)
    run.note("caller", "whoami")
    run.note("written", "call", "oz0_memory.remember", '{"text": "Dana is in Porto", "kind": "semantic"}', job=job)
    run.note("recall", "call", "oz0_memory.recall", '{"words": "ships"}', job=job)
    gone = json.dumps({"id": fact, "version": 1, "reason": "she moved"})
    run.note("waiting", "call", "oz0_memory.retire", gone, code=7, job=job)
    run.note("shown", "show", fact)
    run.note("job", "job end", str(started["job"]))


def _review(run: Recorder, held: str, fact: str) -> None:
    run.note("changed", "confirm", held)
    run.note("several", "confirm", held, "m-000000000000", code=4)
    run.note("error", "confirm", "m-000000000000", code=4)
    run.note("changed", "edit", held, "Dana wants it cheap", "--yes", "--reason", "said so")
    note = str(run.note("written", "remember", "The office opens at nine")["id"])
    run.note("changed", "edit", note, "The office opens at ten", "--yes")
    run.note("changed", "renew", note, "--days", "30")
    run.note("changed", "move", note, "project:acme/web", "--reason", "theirs")
    run.note("changed", "retire", note, "--reason", "moved out")
    run.note("shown", "show", note)
    run.note("erased", "delete", note, "--reason", "wrong", "--dry-run")
    run.note("erased", "delete", note, "--reason", "wrong", "--yes")
    run.note("shown", "show", note)


def _link(run: Recorder) -> None:
    said = ("The deploy on Friday failed", "Nobody deploys on Fridays")
    seen, rule = (str(run.note("written", "remember", text)["id"]) for text in said)
    made = run.note("link", "link", seen, "supports", rule, "--reason", "we saw it")
    run.note("links", "links", "--waiting")
    run.note("link", "link confirm", str(made["link"]))
    other = run.note("link", "link", rule, "answers", seen)
    run.note("link", "link reject", str(other["link"]), "--reason", "it does not")
    run.note("links", "links", "--limit", "1")
    run.note("shown", "show", seen)


def _agree(run: Recorder) -> None:
    """A decision and a term: asked about, approved, accepted, replaced."""
    run.note("agent", "agent declare", "decider.yaml", "--reason", "first")
    agent = ("--agent", "decider", "--sees", "person")
    says = "Deploy on Wednesdays"
    asked = run.note("asked", "remember", says, "--kind", "decision", *agent, code=7)["approval"]
    run.note("approvals", "approvals")
    made = run.note("approval", "approvals approve", str(asked))["answer"]["id"]
    given = ("accept", str(made), "--version", "1")
    run.note("approval", "approvals deny", str(run.note("asked", *given, "--text", says, *agent, code=7)["approval"]),
             "--reason", "a person does")  # fmt: skip
    run.note("changed", *given)
    run.note("asked", "supersede", made, "Deploy on Mondays", "--version", "2", *agent, code=7)
    run.note("asked", "retire", made, "--version", "2", "--reason", "over", *agent, code=7)
    new = run.note("written", "supersede", made, "Deploy on Tuesdays", "--version", "2")
    run.note("changed", "call", "oz0_memory.accept", json.dumps({"id": new["id"], "version": 1}))
    other = json.dumps({"id": new["id"], "version": 2, "text": "Deploy on Thursdays"})
    run.note("written", "call", "oz0_memory.supersede", other)
    run.note("asked", "define", "customer", "Whoever ordered", *agent, code=7)
    term = run.note("defined", "define", "customer", "Whoever paid")["written"]
    run.note("changed", "accept", f"{term['id']}:1")
    run.note("defined", "define", "customer")
    run.note("defined", "call", "oz0_memory.define", '{"term": "customer"}')
    run.note("asked", "changed-since", *agent, code=7)
    run.note("asked", "call", "oz0_memory.define", '{"term": "order", "text": "What is paid"}', *agent, code=7)
    link = json.dumps({"from": new["id"], "label": "supports", "to": term["id"]})
    run.note("link", "call", "oz0_memory.link", link)


def _start(run: Recorder) -> None:
    agent = ("--agent", "triage", "--sees", "person")
    run.note("startup", "startup-context", *agent)
    run.note("startup", "call", "oz0_memory.startup_context", '{"used_tokens": 10}', *agent)
    cursor = str(run.note("changes", "changed-since", *agent)["cursor"])
    run.note("changes", "call", "oz0_memory.changed_since", json.dumps({"cursor": cursor}), *agent)
    note = str(run.note("written", "remember", "The lift is out of order")["id"])
    run.note("waiting", "retire", note, "--version", "1", "--reason", "it runs", *agent, code=7)


def _import_and_forget(run: Recorder, fact: str) -> None:
    run.note("imported", "import", "in.jsonl", "--from", "jsonl", "--agent", "triage", "--skip-bad")
    run.note("imported", "import", "mem0.json", "--from", "mem0", "--agent", "triage", "--dry-run")
    waits = run.note("list", "list", "--held", "--about", "dana")["items"][0]
    run.note("changed", "reject", waits["id"], "--reason", "not so")
    run.note("erased", "forget", "--about", "dana", "--dry-run")
    run.note("erased", "forget", "--about", "dana", "--yes")
    run.note("list", "list", "--state", "erased")
    run.note("shown", "show", fact)


def _govern(run: Recorder) -> None:
    run.note("change", "settings set", "--default-days", "60", "--reason", "shorter")
    run.note("change", "settings set", "--compatible", "billing>support", "--reason", "one team")
    run.note("settings", "settings")
    number = run.note("secret", "secrets add", "--reason", "leaked", stdin="correct horse battery")["secret"]
    run.note("secrets", "secrets list")
    run.note("secret removed", "secrets remove", str(number), "--reason", "rotated")
    run.note("principals", "principal list")
    run.note("principal", "principal rotate", "dana", "--reason", "lost it")
    run.note("principal", "principal disable", "dana", "--reason", "left")


def _prove(run: Recorder) -> None:
    run.note("keys", "audit keys")
    run.note("keys", "audit keys", "-o", "head.pub.json")
    run.note("head", "audit head")
    run.note("head", "audit head", "-o", "head.txt")
    run.note("receipt", "receipt", "-o", "dana.json", "--about", "dana", "--since", "head.txt")
    run.note("receipt", "receipt", "-o", "dana.md", "--about", "dana", "--certificate")
    run.note("verify", "verify", "dana.json", "--keys", "head.pub.json", "--held", "head.txt")
    run.note("verify", "agent verify-receipt", "dana.json", "--keys", "head.pub.json")
    run.note("verify", "verify", "dana.json", code=8)
    run.note("rotated", "audit keys", "rotate", "--reason", "yearly", "--yes")


def _look_over(run: Recorder) -> None:
    run.note("log", "audit log", "--limit", "1000")
    run.note("check", "audit check")
    run.note("check", "audit check", "--contents")
    run.note("upkeep", "upkeep")
    run.note("upkeep", "upkeep", "--compact")
    run.note("upgrade", "upgrade")
    run.note("doctor", "doctor")
    run.note("proof", "doctor", "--prove")
    run.note("config", "config show", "--origin")
    (store,) = run.program.home.rglob("oz0mem.db")
    with sqlite3.connect(store) as raw:
        raw.execute("UPDATE usage SET entries = entries + 1")
    raw.close()
    run.note("check", "audit check", "--contents", code=8)
