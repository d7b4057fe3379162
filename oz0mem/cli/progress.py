"""How far long work is, drawn on stderr where a person looks at it, and nowhere else (C6)."""

from __future__ import annotations

import sys

from oz0mem.cli import io, options

_WIDE = 30


class Bar:
    """A bar of so many steps.

    Attributes:
        total: steps in all; may grow while they are counted.
        done: steps done.
    """

    def __init__(self, total: int = 0) -> None:
        self.total = total
        self.done = 0
        self.drawn = False

    def show(self, done: int) -> None:
        """Draw the bar at so many steps."""
        self.done = done
        if not io.is_terminal(sys.stderr) or options.current().quiet:
            return
        full = _WIDE * min(done, self.total) // max(self.total, 1)
        self.drawn = True
        _draw(f"\r[{'#' * full}{'.' * (_WIDE - full)}] {done:,} of {self.total:,}")

    def clear(self) -> None:
        """Take the bar away."""
        if self.drawn:
            _draw("\r\x1b[K")
        self.drawn = False


def _draw(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        return
