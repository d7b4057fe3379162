"""The two commands that the README begins with: set up and see it work, set up and test.

Promises them as they stand in the first ``bash`` blocks of the page, a line each (or more, each but the last
ending with a backslash), comments left out. Needs no more than Python, since it runs before anything is
installed: ``python -m tests.docs.commands 1`` prints the first.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def read_commands(page: str) -> list[str]:
    """The commands in the ``bash`` blocks of a page, in order."""
    blocks = re.findall(r"^```bash\n(.*?)^```", page, re.M | re.S)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [" ".join(line.split()) for line in lines if line.strip() and not line.startswith("#")]


if __name__ == "__main__":
    sys.stdout.write(read_commands(README.read_text(encoding="utf-8"))[int(sys.argv[1]) - 1] + "\n")
