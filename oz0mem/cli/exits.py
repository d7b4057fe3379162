"""The exit codes and what each says (C3)."""

from __future__ import annotations

DONE = 0
FAULT = 1
USAGE = 2
REFUSED = 3
NOT_FOUND = 4
CONFLICT = 5
FORBIDDEN = 6
WAITING = 7
UNVERIFIED = 8
DIFFERENT = 9
INTERRUPTED = 130

MEANINGS = {
    DONE: "done, or nothing to do",
    FAULT: "a fault of the program or the machine",
    USAGE: "not understood: see --help",
    REFUSED: "refused by a rule",
    NOT_FOUND: "not found",
    CONFLICT: "stale or in conflict",
    FORBIDDEN: "not allowed to this caller",
    WAITING: "recorded, and waiting for somebody else",
    UNVERIFIED: "verification failed",
    DIFFERENT: "differences (--exit-code)",
    INTERRUPTED: "interrupted",
}
