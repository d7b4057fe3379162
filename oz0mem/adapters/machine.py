"""What the machine says of a file: who may read it, how large it is, how much room is left."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def opened_to_others(path: Path) -> str:
    """The mode of a file that others than its owner may use, such as ``644``; '' where nobody else may."""
    if os.name != "posix" or not os.path.isfile(path):
        return ""
    mode = path.stat().st_mode & 0o777
    return f"{mode:o}" if mode & 0o077 else ""


def closed_to_us(path: Path) -> bool:
    """Whether a file or folder is there and cannot be written by this user."""
    return os.path.exists(path) and not os.access(path, os.W_OK)


def room(path: Path) -> tuple[int, int]:
    """Bytes that are free where a file is, and bytes that it has; -1 where there is none to be seen."""
    if not os.path.isfile(path):
        return -1, -1
    return shutil.disk_usage(path.parent).free, path.stat().st_size
