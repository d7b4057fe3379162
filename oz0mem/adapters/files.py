"""Files for their owner alone (mode 0600), written whole or not at all, and one process at a time."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from oz0mem.model.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Write a file whole; it is on the disk when this returns, or what stood there stands.

    Raises:
        Fault: ``config.unwritable``.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as stream:
            os.fchmod(stream.fileno(), 0o600)
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            path.with_name(f".{path.name}.{os.getpid()}").unlink()
        raise Fault(
            "config.unwritable", f"{path} cannot be written: {error.strerror}", hint="check its folder"
        ) from None


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk too; Windows opens no folder."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def alone(folder: Path, name: str = "") -> Iterator[None]:
    """Keep every other process that asks the same waiting.

    Args:
        folder: what is locked.
        name: of a file in it that is locked in its place; two locks of one process on one thing wait for ever.

    Raises:
        Fault: ``config.unwritable`` where there is no such folder and none can be made.
    """
    try:
        import fcntl
    except ImportError:  # no locks of this kind on Windows
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o600) if name else os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise Fault(
            "config.unwritable", f"{folder} cannot be written: {error.strerror}", hint="check its folder"
        ) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
