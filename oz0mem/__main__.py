"""``python -m oz0mem`` is ``oz0mem``."""

from __future__ import annotations

import sys

from oz0mem.cli.main import start

if __name__ == "__main__":
    sys.exit(start())
