"""The program: argv in, exit code out (C1, C3, C4).

Promises that ``--version`` and the root's help cost nearly nothing, that nothing but an exit code leaves
``run``, and that a closed pipe ends quietly. Leaves parsing to ``lazy`` and wording to ``refusals``.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.cli.catalogue import Row
    from oz0mem.model.errors import Waiting

_COMPLETION = "_OZ0MEM_COMPLETE"
_GARBAGE = 100_000
"""Objects more than before at which the collector looks for garbage; Python's own number is 700."""


def start() -> int:
    """Run the process's own command line; where the program begins.

    A command lives a tenth of a second, and what it loads is no garbage: looking through it took a sixth of that.
    After an error it is looked through, since what an error holds on to is closed by the collector alone.

    Returns:
        The exit code, by ``exits``.
    """
    import gc

    gc.set_threshold(_GARBAGE)
    code = run()
    if not code:
        gc.freeze()
    return code


def run(arguments: Sequence[str] | None = None, rows: tuple[Row, ...] | None = None) -> int:
    """Run one command line.

    Args:
        arguments: without the program's name; those of the process if left out.
        rows: another catalogue than the program's own.

    Returns:
        The exit code, by ``exits``.
    """
    from oz0mem.cli import io

    try:
        io.prepare()
        code = _answer(sys.argv[1:] if arguments is None else list(arguments), rows)
        io.finish()
    except BaseException as problem:
        return _end(problem)
    return code


def _answer(arguments: list[str], rows: tuple[Row, ...] | None) -> int:
    from oz0mem.cli import io

    if arguments == ["--version"]:
        from oz0mem import __version__

        io.write(f"oz0mem {__version__}\n")
        return 0
    if _COMPLETION not in io.ENVIRONMENT and arguments in ([], ["--help"], ["-h"]):
        from oz0mem.cli import catalogue, overview

        overview.show(rows or catalogue.ROWS)
        return 0
    return _parse(arguments, rows)


def _parse(arguments: list[str], rows: tuple[Row, ...] | None) -> int:
    from oz0mem.cli import catalogue, io, lazy, options
    from oz0mem.model.errors import Waiting

    options.begin(arguments, io.ENVIRONMENT)
    program = lazy.program(rows or catalogue.ROWS)
    if instruction := io.ENVIRONMENT.get(_COMPLETION):
        from oz0mem.cli import completions

        return completions.answer(program, instruction)
    try:
        return lazy.invoke(program, arguments)
    except Waiting as waits:
        return _answer_waiting(waits)


def _answer_waiting(waits: Waiting) -> int:
    """Answer a call that a person decides with what waits, on stdout, whichever command made it (C2, G31).

    Raises:
        Waiting: where what waits is no call.
    """
    from oz0mem.cli import out
    from oz0mem.views.waiting import show_waiting

    view = show_waiting(waits)
    if view is None:
        raise waits
    out.emit(view)
    return waits.exit_code


def _end(problem: BaseException) -> int:
    from oz0mem.cli import io

    if isinstance(problem, SystemExit):
        return _leave(problem)
    # A help page is written by the parser, which knows nothing of ReaderLeft.
    if isinstance(problem, io.ReaderLeft) or (isinstance(problem, BrokenPipeError) and io.has_left()):
        io.abandon()
        return 0
    from oz0mem.cli import refusals

    try:
        return refusals.tell(problem)
    finally:
        _empty()


def _leave(problem: SystemExit) -> int:
    _empty()
    return problem.code if isinstance(problem.code, int) else int(problem.code is not None)


def _empty() -> None:
    """Hand over what was written before the end; where that fails, drop it."""
    from oz0mem.cli import io

    try:
        io.finish()
    except (OSError, ValueError):
        io.abandon()
