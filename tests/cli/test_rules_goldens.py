"""C1, C2: what listings of governance look like at a terminal, in a pipe and as JSON, to the letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.inside import Inside, compare

if TYPE_CHECKING:
    from pathlib import Path

CONCIERGE = """\
name: concierge
kind: copilot
purpose: Help customers choose stationery
capabilities: [remember, recall]
purposes: [customer-support]
memory: {episodic: true, semantic: true, retain: 720h0m0s}
"""
LISTINGS = {
    "settings": ("settings",),
    "principals": ("principal", "list"),
    "agents": ("agent", "list"),
    "agent": ("agent", "show", "concierge"),
    "secrets": ("secrets", "list"),
    "audit-log": ("audit", "log", "--limit", "10"),
    "whoami": ("whoami",),
}


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """A solo tenant with a member, an agent, a secret and a changed setting."""
    made = Inside(monkeypatch)
    file = home / "concierge.yaml"
    file.write_text(CONCIERGE)
    made.ok("init", "--tenant", "acme", "--admin", "ana", "--solo")
    made.ok("principal", "add", "dana", "--role", "member", "--reason", "joined")
    made.ok("agent", "declare", str(file), "--reason", "first version")
    made.ok("secrets", "add", "--reason", "leaked once", stdin="the old staging key\n")
    made.ok("settings", "set", "--max-bytes", "16MiB", "--compatible", "support>billing", "--reason", "room")
    made.ok("job", "start", "concierge", "--purpose", "customer-support", "--about", "dana")
    return made


@pytest.mark.parametrize("form", ["terminal", "piped", "json"])
@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_is_written_to_the_letter(inside: Inside, name: str, form: str) -> None:
    """C1: a table at a terminal, plain in a pipe; C2: one stable document as JSON."""
    more = ["--json"] if form == "json" else []
    answer = inside.run(*LISTINGS[name], *more, terminal=form == "terminal")
    assert answer.code == 0, answer.err
    compare(f"rules-{name}.{form}.txt", answer.out)


def test_a_clean_check_says_so_to_the_letter(inside: Inside) -> None:
    """L10: what a check answers where all holds."""
    compare("rules-audit-check.json.txt", inside.ok("audit", "check", "--contents", "--json"))
    compare("rules-audit-check.piped.txt", inside.ok("audit", "check", "--contents"))


def test_a_job_is_shown_to_the_letter(inside: Inside) -> None:
    """G2: a job whole, as text and as JSON; its token only where it was just made."""
    compare("rules-job-start.json.txt", started := inside.ok("job", "start", "concierge", "--json"))
    job = started.split('"')[3]
    compare("rules-job.piped.txt", inside.ok("job", "show", job))
    compare("rules-job.json.txt", inside.ok("job", "show", job, "--json"))
