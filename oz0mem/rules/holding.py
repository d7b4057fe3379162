"""Why a new entry waits for a person before it is recalled (M30).

Promises every reason that applies, in one order, so that what is stored and shown is the same everywhere.
Leaves the scan, the policy and the labels to their own rules: their findings are arguments.
"""

from __future__ import annotations

from typing import Final

from oz0mem.model.kinds import AGENT, KINDS, PERSON, THREAD

REASONS: Final = (
    "proposal",
    "review",
    "unreviewed",
    "core",
    "scan",
    "policy",
    "import",
    "procedural",
    "legal_hold",
)
"""Every reason, in the order in which they are written."""


def why_held(
    *,
    kind: str,
    tier: str,
    review: str,
    scope_kind: str,
    core: bool = False,
    scan_held: bool = False,
    asks: bool = False,
    forced: tuple[str, ...] = (),
    conversation: bool = False,
) -> str:
    """Say why an entry is held.

    Args:
        kind: one of the seven kinds.
        tier: how far the text can be trusted.
        review: the tenant's review setting.
        scope_kind: `agent` is the writing agent's own.
        core: whether it is marked as always in mind.
        scan_held: whether the scan saw what merely resembles a secret (M8).
        asks: whether the policy asks a person for this call (G30).
        forced: further reasons that the caller found, `import`, `procedural` (M4) or
            `legal_hold` (M11).
        conversation: learnt by the gateway in a conversation without a tool's result, M30's one exception.

    Returns:
        The reasons with commas between; empty where the entry is active at once.
    """
    trusted = tier == PERSON or conversation
    found = {
        "proposal": KINDS[kind].proposal,
        "review": review == "all",
        "unreviewed": review == "untrusted" and not trusted,
        "core": core and review != "proposals" and scope_kind not in (AGENT, THREAD),
        "scan": scan_held,
        "policy": asks,
        "import": "import" in forced,
        "procedural": "procedural" in forced,
        "legal_hold": "legal_hold" in forced,
    }
    return ",".join(reason for reason in REASONS if found[reason])
