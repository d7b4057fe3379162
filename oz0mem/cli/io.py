"""The three streams and the terminal behind them (C1, C2, C5, C7).

Promises that output never crashes: not on ASCII, not closed, not into a pipe whose reader left. Leaves what
is written to ``out`` and ``refusals``.
"""

from __future__ import annotations

import os
import sys

from oz0mem.model.errors import Fault, Invalid, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

# NO_COLOR, COLUMNS and TERM speak of this process's terminal, not of the memory: no port has to know them.
ENVIRONMENT: Mapping[str, str] = os.environ  # noqa: TID251


def prepare() -> None:
    """Make the streams safe: what they cannot spell is escaped, and no file is ever opened as one of them.

    Raises:
        Fault: ``output.closed`` where nobody could hear the result; nothing was done then.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # The next file opened would take this number, and a stray print would land in it.
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        raise Fault("output.closed", "stdout is closed, so nothing was done", hint="redirect it to /dev/null instead")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads or types there."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def is_unicode(stream: TextIO | None) -> bool:
    """Whether the stream can spell every character."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")


def in_color(no_color: bool) -> bool:
    """Whether stdout takes colours: a terminal that has them, and nobody said no (NO_COLOR, C1)."""
    unwanted = no_color or ENVIRONMENT.get("NO_COLOR") or ENVIRONMENT.get("TERM") == "dumb"
    return is_terminal(sys.stdout) and not unwanted


def width() -> int:
    """Columns of the terminal: ``COLUMNS``, else what it says, else 80."""
    told = ENVIRONMENT.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and 0 < int(told) < 10_000:
        return int(told)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (AttributeError, OSError, ValueError):
        return 80


class ReaderLeft(BrokenPipeError):
    """Whoever read stdout closed the pipe; nobody wants the rest."""


def write(text: str) -> None:
    """Write a part of the result to stdout; nothing where it was given up.

    Raises:
        ReaderLeft: the pipe was closed.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text)
    except BrokenPipeError as problem:
        raise ReaderLeft(*problem.args) from None


def notice(text: str) -> None:
    """Tell a person something beside the result, on stderr, in one line; whether it arrives never matters."""
    # In order; if the result meets trouble, that is told when the program hands it over.
    has_left()
    _tell(f"{text}\n")


def finish() -> None:
    """Hand over everything that was written."""
    if sys.stdout is not None:
        sys.stdout.flush()


def has_left() -> bool:
    """Whether whoever read stdout closed the pipe."""
    try:
        finish()
    except BrokenPipeError:
        return True
    except (OSError, ValueError):
        return False
    return False


def abandon() -> None:
    """Drop what stdout still holds, so that the end of the process does not stumble over it."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        sys.stdout = None  # what Python itself has there where stdout is closed


def read_text(argument: str) -> str:
    """A text as a command takes it: the argument itself, or stdin for ``-`` (C7).

    Returns:
        The text; of stdin without a byte-order mark and without the line feed at its end.

    Raises:
        Invalid: stdin is closed or is no UTF-8.
    """
    if argument != "-":
        return argument
    try:
        text = read_file("-").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid("input.encoding", "what came on stdin is not UTF-8", rule="C7") from None
    return text.removesuffix("\n").removesuffix("\r")


def read_file(path: str, *, most: int = -1) -> bytes:
    """The bytes of a file, or of stdin for ``-`` (C7).

    Args:
        path: where it is.
        most: read no more than one byte beyond so many; whoever judges the content finds it too large.

    Raises:
        Invalid: there is no such file, it cannot be read, or stdin is closed.
    """
    wanted = most + 1 if most >= 0 else -1
    if path == "-":
        if sys.stdin is None:
            raise Invalid("input.closed", "stdin is closed, and - reads it", rule="C7")
        return sys.stdin.buffer.read(wanted)
    try:
        with open(path, "rb") as file:
            return file.read(wanted)
    except OSError as problem:
        raise Invalid("input.file", f"{path} cannot be read: {problem.strerror}", path=path) from None
    except ValueError:
        raise Invalid("input.file", "no file can have that name") from None


def agree(question: str, *, yes: bool) -> None:
    """Go on only with ``--yes`` or an answer at a terminal (C5).

    Args:
        question: what would happen, with no question mark.
        yes: whether ``--yes`` was given.

    Raises:
        Refused: ``confirmation.needed`` without a terminal, ``confirmation.declined`` for any other answer.
    """
    if yes:
        return
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        message = "this cannot be undone, and nobody is there to ask"
        raise Refused("confirmation.needed", message, hint="say --yes to go on", rule="C5")
    _tell(f"{question}? [y/N] ")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Refused("confirmation.declined", "nothing was changed", rule="C5")


def _tell(text: str) -> None:
    try:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()
    except (OSError, ValueError):
        return
