"""The one clock."""

from __future__ import annotations

import time


def now() -> int:
    """The moment, in whole microseconds since 1970 UTC."""
    return time.time_ns() // 1_000


def entropy(count: int) -> bytes:
    """So many random bytes from the system."""
    import os

    return os.urandom(count)
