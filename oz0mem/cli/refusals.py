"""Errors as a person or a script reads them (C3, C4).

Promises one sentence on stderr, or one JSON document of stable shape where JSON was asked for, and the exit
code that belongs to it. A fault nobody foresaw is told by its kind only: its own words could hold what was
remembered (Q15). Leaves the wording to whoever raised it.
"""

from __future__ import annotations

import sys

from oz0mem.cli import exits, io, options
from oz0mem.model.errors import Conflict, Fault, Interrupted, Invalid, NotFound, Oz0Error, Unverified, Waiting
from oz0mem.views.escape import visible
from oz0mem.views.view import written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

_WORDS: tuple[tuple[type[Oz0Error], str], ...] = (
    (Invalid, "invalid"),
    (NotFound, "not found"),
    (Conflict, "conflict"),
    (Waiting, "waiting"),
    (Unverified, "not verified"),
    (Fault, "fault"),
    (Oz0Error, "refused"),
)

_LONGEST_OPTION = 30
"""Characters of what may still be a misspelt option."""


def tell(problem: BaseException) -> int:
    """Print an error and return the exit code.

    Args:
        problem: whatever ended the command: ours, the parser's, an interrupt, or a fault.
    """
    if _is_interrupt(problem):
        _print(Interrupted("interrupted", "interrupted"), "")
        return exits.INTERRUPTED
    error = _ours(problem)
    _print(error, _word(error))
    if error.exit_code == exits.FAULT and options.current().verbose:
        io.notice(trace(problem))
    return error.exit_code


def sentence(error: Oz0Error) -> str:
    """An error in one line, such as ``refused (M5): memory about people is off. Turn it on: …``."""
    return _sentence(error, _word(error))


def document(error: Oz0Error) -> dict[str, object]:
    """An error's JSON document: code, message, hint and rule, then its facts."""
    names = {"code": error.code, "message": error.message, "hint": error.hint, "rule": error.rule}
    return {"error": {**names, **{name: fact for name, fact in error.facts.items() if name not in names}}}


def trace(problem: BaseException) -> str:
    """Where a fault happened, frame by frame, and the kinds of what was raised; none of their words (Q15)."""
    lines: list[str] = []
    seen: set[int] = set()
    link: BaseException | None = problem
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        lines.append(f"{type(link).__module__}.{type(link).__qualname__}")
        lines.extend(_frames(link.__traceback__))
        link = link.__cause__ or link.__context__
    return "\n".join(lines)


def _frames(traceback: TracebackType | None) -> list[str]:
    lines = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        lines.append(f"  {code.co_filename}:{traceback.tb_lineno} {code.co_qualname}")
        traceback = traceback.tb_next
    return lines


def _print(error: Oz0Error, word: str) -> None:
    if not options.wants_json():
        io.notice(visible(_sentence(error, word), newline=" "))
        return
    import json

    # ASCII at all times: stderr may be in any encoding, and this is read by programs.
    io.notice(json.dumps(written(document(error)), default=str))


def _sentence(error: Oz0Error, word: str) -> str:
    rule = f" ({error.rule})" if error.rule else ""
    said = error.message if not word or error.message.startswith(f"{word} ") else f"{word}{rule}: {error.message}"
    if not error.hint:
        return said
    return f"{said.rstrip('.')}. {error.hint}" if said[-1:] not in "?!" else f"{said} {error.hint}"


def _word(error: Oz0Error) -> str:
    if error.code == "usage":
        return "usage"
    return next(word for kind, word in _WORDS if isinstance(error, kind))


def _is_interrupt(problem: BaseException) -> bool:
    # The parser raises its own kind for Ctrl-C and for the end of input at a question.
    return isinstance(problem, KeyboardInterrupt) or type(problem).__name__ == "Abort"


def _ours(problem: BaseException) -> Oz0Error:
    if isinstance(problem, Oz0Error):
        return problem
    if "typer" in sys.modules:
        from typer._click.exceptions import ClickException

        if isinstance(problem, ClickException):
            return _usage(problem)
    if isinstance(problem, OSError) and problem.strerror:
        where = f": {problem.filename}" if isinstance(problem.filename, str) else ""
        return Fault("fault.machine", f"{problem.strerror}{where}", hint=_more())
    kind = type(problem).__name__
    return Fault("fault.program", f"a fault of the program's own, {kind}", hint=_more(), kind=kind)


def _more() -> str:
    return "" if options.current().verbose else "--verbose shows where"


def _usage(problem: Exception) -> Invalid:
    from typer._click.exceptions import ClickException, NoSuchOption, UsageError

    context = problem.ctx if isinstance(problem, UsageError) else None
    hint = f"see {context.command_path} --help" if context else ""
    if isinstance(problem, NoSuchOption):
        if len(problem.option_name) > _LONGEST_OPTION or not problem.option_name.lstrip("-").replace("-", "").isalnum():
            # Rather a text that begins with a dash: it may be what was to be remembered.
            return Invalid("usage", "there is no such option", hint="a text that begins with a dash comes after --")
        near = " or ".join(problem.possibilities or ())
        return Invalid(
            "usage",
            f"there is no option {problem.option_name}",
            hint=f"did you mean {near}?" if near else hint,
        )
    message = problem.format_message() if isinstance(problem, ClickException) else str(problem)
    if message.startswith("Got unexpected extra argument"):
        # The words themselves may be what was to be remembered.
        message = "there are more arguments than this command takes"
    return Invalid("usage", message[:1].lower() + message[1:].rstrip(" \n."), hint=hint)
