"""``demo``: the whole story in seconds, with the real commands on a store of its own.

Promises that every line shown is a command that ran as a process of its own, with its answer; that the demo
fails where one does not end as it should; and that its store and its home are removed at the end. Leaves
nothing to believe: at the end the store's bytes are searched for what was forgotten.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from oz0mem import wiring
from oz0mem.cli import io, options
from oz0mem.model.errors import Fault

_ID = re.compile(r"\b[a-z]-[0-9a-f]{12}\b")
_APPROVAL = re.compile(r"\bap-[0-9a-f]{12}\b")
_TAKEN = ("{held1}", "{held2}", "{approval}", "{decision}")
_TOKEN = re.compile(r"\b[0-9a-f]{64}\b")
_SECRET = "AKIA" + "Q3ZJ7WXR5NLD2KTV"


class Step(NamedTuple):
    """A command of the story: what is said before it, who runs it, how it ends, what is taken from its answer."""

    argv: tuple[str, ...]
    says: str = ""
    who: str = "ana"
    ends: int = 0
    takes: str = ""


CONCIERGE = """\
name: concierge
kind: copilot
purpose: Help customers choose stationery, remembering what each customer prefers
capabilities: [remember, recall]
memory: {semantic: true, retain: 720h0m0s}
"""

DECIDER = """\
name: decider
purpose: Keep what the team decides
capabilities: [remember, recall]
"""

MEMORIES = """\
{"text": "Dana asked for recycled paper", "about": "dana", "kind": "semantic"}
{"text": "Patricia collects fountain pens", "about": "patricia", "kind": "semantic"}
{"text": "The warehouse in Porto closes at noon on Fridays"}
"""

DECISION = "Deploy on Wednesdays, never on Fridays."
_DECIDER = ("--agent", "decider", "--sees", "person")
CALL = '{"text": "Dana likes dotted notebooks", "kind": "semantic", "call_id": "call-1"}'


def _learn(text: str) -> tuple[str, ...]:
    return (
        "remember",
        text,
        "--agent",
        "concierge",
        "--kind",
        "semantic",
        "--key",
        "shipping_city",
        "--sees",
        "person",
    )


STORY = (
    Step(("init", "--tenant", "acme", "--admin", "ana", "--solo"), "A store for one organisation, governed by ana."),
    Step(("principal", "add", "dana", "--role", "member", "--reason", "customer"), "dana gets a token.", takes="token"),
    Step(("agent", "declare", "concierge.yaml", "--reason", "DPIA 2026-14"), "An agent, and what it may keep."),
    Step(_learn("Dana ships to Lisbon"), "dana talks to the agent; what it learns is about her.", "dana"),
    Step(_learn("Dana now ships to Porto"), "A newer fact replaces the older.", "dana"),
    Step(("history", "concierge", "shipping_city", "--about", "dana"), "Both are kept, with their times."),
    Step(("import", "memories.jsonl", "--from", "jsonl"), "What another program kept waits for a person."),
    Step(("list", "--held"), takes="held"),
    Step(("confirm", "{held2}"), "ana reads it and confirms one."),
    Step(("reject", "{held1}", "--reason", "out of date")),
    Step(("recall", "where does she ship", "--agent", "concierge"), "The agent recalls what fits.", "dana"),
    Step(("call", "oz0_memory.remember", CALL, "--agent", "concierge"), "A call that is retried writes once.", "dana"),
    Step(("call", "oz0_memory.remember", CALL, "--agent", "concierge"), "", "dana"),
    Step(("remember", f"the staging key is {_SECRET}"), "A secret is refused by kind and place.", ends=3),
    Step(("agent", "declare", "decider.yaml", "--reason", "first version"), "An agent for what the team decides."),
    Step(("remember", DECISION, "--kind", "decision", *_DECIDER), "What it would write asks a person.", ends=7),
    Step(("approvals",), takes="approval"),
    Step(("approvals", "approve", "{approval}"), "ana reads it, and lets it be proposed.", takes="decision"),
    Step(("accept", "{decision}", "--version", "1"), "She accepts it, naming the version that she read."),
    Step(("startup-context", *_DECIDER), "Every job starts with what is in force."),
    Step(("list", "--about", "dana"), "What is remembered about dana."),
    Step(("forget", "--about", "dana", "--dry-run")),
    Step(("forget", "--about", "dana", "--yes"), "Now every agent forgets her."),
    Step(("list", "--about", "dana")),
    Step(("audit", "log", "--limit", "8"), "What happened, without a word of what was remembered."),
    Step(("audit", "check", "--contents"), "And nobody altered the store behind the ledger."),
    Step(("audit", "keys", "-o", "head.pub.json"), "The public keys, for whoever checks receipts."),
    Step(("receipt", "-o", "forgotten.json"), "dana takes a receipt of it.", "dana"),
    Step(("verify", "forgotten.json", "--keys", "head.pub.json"), "She checks it: no store, no network.", "dana"),
)  # fmt: skip

FORGOTTEN = ("Lisbon", "Dana now ships", "dotted notebooks", "recycled paper", "shipping_city")
KEPT = ("fountain pens",)


def demo() -> int:
    """Play the whole story on a store of its own, which is removed at the end."""
    quiet = options.current().quiet
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="oz0mem-demo-") as folder:
        home = Path(folder)
        (home / "concierge.yaml").write_text(CONCIERGE, encoding="utf-8")
        (home / "decider.yaml").write_text(DECIDER, encoding="utf-8")
        (home / "memories.jsonl").write_text(MEMORIES, encoding="utf-8")
        taken: dict[str, str] = {}
        for step in STORY:
            _play(step, home, taken, quiet=quiet)
        searched = _search(home)
    seconds = time.monotonic() - began
    io.write(f"\n{searched}\nThe story ran in {seconds:.1f} seconds; its store is removed.\n")
    return 0


def _play(step: Step, home: Path, taken: dict[str, str], *, quiet: bool) -> None:
    argv = [word.format(**taken) if word in _TAKEN else word for word in step.argv]
    token = taken.get("token", "") if step.who == "dana" else ""
    ended = subprocess.run(
        [sys.executable, "-m", "oz0mem", *argv],
        cwd=home,
        env=wiring.environment(home, token),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if not quiet:
        says = f"\n# {step.says}\n" if step.says else "\n"
        who = "dana$" if step.who == "dana" else "$"
        io.write(f"{says}{who} oz0mem {_shown(argv)}\n{ended.stdout}{ended.stderr}")
    if ended.returncode != step.ends:
        raise Fault(
            "demo.failed",
            f"`oz0mem {argv[0]}` ended with {ended.returncode} where the story has {step.ends}",
            hint="run it again with --verbose, and report it",
        )
    _take(step, ended.stdout + ended.stderr, taken)


def _shown(argv: list[str]) -> str:
    import shlex

    return shlex.join(argv)


def _take(step: Step, answer: str, taken: dict[str, str]) -> None:
    if step.takes == "token":
        found = _TOKEN.search(answer)
        taken["token"] = found[0] if found else ""
    if step.takes in ("approval", "decision"):
        found = (_APPROVAL if step.takes == "approval" else _ID).search(answer)
        taken[step.takes] = found[0] if found else ""
    if step.takes == "held":
        taken |= {f"held{at}": found for at, found in enumerate(dict.fromkeys(_ID.findall(answer)), 1)}


def _search(home: Path) -> str:
    """Search every byte under the home for what was forgotten, and for what was not (the search can find)."""
    files = [path for path in home.rglob("*") if path.is_file() and path.suffix not in (".yaml", ".jsonl")]
    contents = [path.read_bytes() for path in files]
    left = [text for text in FORGOTTEN if any(text.encode() in content for content in contents)]
    found = [text for text in KEPT if any(text.encode() in content for content in contents)]
    if left or len(found) != len(KEPT):
        raise Fault("demo.found", f"{len(left)} forgotten texts still stand in the store's files", rule="L22")
    size = sum(len(content) for content in contents)
    return (
        f"Searched {size:,} bytes in {len(files)} files for {len(FORGOTTEN)} forgotten texts: none is there;"
        f" {len(KEPT)} text about somebody else is, as it should be."
    )
