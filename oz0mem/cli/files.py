"""Files that a command is asked to write with ``-o``.

Promises that a file is there whole or not at all, that what names a person is for its owner alone (0600), and that a
place that cannot be written is refused before anything is done. ``-`` is stdout.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from oz0mem.cli import io
from oz0mem.model.errors import Fault, Invalid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STDOUT = "-"


@contextmanager
def writing(path: str, *, private: bool) -> Iterator[Callable[[bytes], None]]:
    """Open a file to be written whole by one call; without that call, or after an error, nothing is there.

    Args:
        path: where to; ``-`` is stdout.
        private: readable by its owner alone, else as the user's mask has it.

    Raises:
        Invalid: ``output.file`` where no file can be written there.
        Fault: ``output.failed`` where the disk does not take it.
    """
    if not path:
        raise Invalid("output.file", "no file was named", hint="name one with -o, or - for stdout")
    if path == STDOUT:
        yield lambda content: io.write(content.decode())
        return
    if _is_other(path):
        yield lambda content: _into(path, content)
        return
    beside = f"{path}.{os.getpid()}.part"
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    except (OSError, ValueError) as problem:
        raise _unwritable(path, problem) from None
    done: list[bytes] = []
    try:
        yield done.append
        if done:
            _fill(handle, done[0], beside, path)
    finally:
        os.close(handle)
        with suppress(OSError):
            os.unlink(beside)


def _is_other(path: str) -> bool:
    """Whether something stands there that is no file: a terminal, a pipe, a folder."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    if stat.S_ISDIR(mode):
        raise Invalid("output.file", f"{path} is a folder", hint="name a file in it with -o", path=path)
    return not stat.S_ISREG(mode)


def _into(path: str, content: bytes) -> None:
    try:
        with open(path, "wb") as stream:
            stream.write(content)
    except OSError as problem:
        raise _unwritable(path, problem) from None


def _fill(handle: int, content: bytes, beside: str, path: str) -> None:
    try:
        left = memoryview(content)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
        os.replace(beside, path)
    except OSError as problem:
        message = f"{path} was not written: {problem.strerror}"
        raise Fault("output.failed", message, hint="make room, and run it again", path=path) from None


def _unwritable(path: str, problem: Exception) -> Invalid:
    why = getattr(problem, "strerror", None) or "no file can have that name"
    return Invalid("output.file", f"{path} cannot be written: {why}", hint="name another place with -o", path=path)
