"""The agents' functions by name, JSON in and JSON out, for ``call`` (C2, M1).

Promises that an argument which a function does not have, or of another type, is refused by its name and
nothing of its value, and that a secret is looked for before that (M8). Leaves the rest to the actions.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from oz0mem.cli import options
from oz0mem.cli.memory.runs import RUNS
from oz0mem.cli.memory.signatures import FIELDS, FROM, NEEDS, NUMBER, REASONED, SWITCH, TAKES, TEXT, TEXTS, UNTIL
from oz0mem.model.errors import Invalid, NotFound

if TYPE_CHECKING:
    from oz0mem.cli.memory.runs import Function

_PREFIX = "oz0_memory."


def answer_in_json() -> None:
    """Answer in JSON, errors too, unless another machine's format was asked for."""
    if options.given().get("format", "table") == "table":
        options.record("format", "json")


def find(function: str) -> Function:
    """What runs a function.

    Raises:
        NotFound: ``function.unknown`` naming those that there are.
    """
    run = RUNS.get(function.removeprefix(_PREFIX)) if function.startswith(_PREFIX) else None
    if run is not None:
        return run
    there = [_PREFIX + name for name in RUNS]
    raise NotFound(
        "function.unknown", "there is no function of that name", hint=f"there are {', '.join(there)}", functions=there
    )


def read(function: str, text: str, now: int, reason: str) -> dict[str, Any]:
    """The arguments of a call.

    Args:
        function: which one, known to exist.
        text: a JSON object.
        now: for dates that count from it, microseconds UTC.
        reason: of ``--reason``, for a function that takes one.

    Raises:
        Invalid: ``call.json`` where it is no object, ``call.arguments`` where one is not the function's.
        Refused: ``secret.found``.
    """
    from oz0mem.actions import gate

    name = function.removeprefix(_PREFIX)
    given = _parse(text)
    gate.scan({"arguments": given})
    if reason and name not in REASONED:
        raise Invalid("usage", f"{name} changes nothing, so it takes no --reason", hint="leave it out")
    if reason:
        given.setdefault("reason", reason)
    takes = TAKES[name] | ({"reason": TEXT} if reason else {})
    for argument, value in given.items():
        if argument not in takes:
            _refuse(f"{name} has no argument {_named(argument)}", takes)
        if not _fits(value, takes[argument]):
            _refuse(f"{argument} has to be {takes[argument]}", takes)
    missing = [argument for argument in NEEDS.get(name, ()) if argument not in given]
    if missing:
        _refuse(f"{name} needs {missing[0]}", takes)
    read = {argument: _value(value, takes[argument], now) for argument, value in given.items()}
    if name in ("remember", "supersede"):
        moments = [argument for argument in given if takes[argument] in (UNTIL, FROM)]
        read["written"] = tuple((argument, str(given[argument])) for argument in moments)
    return read


def _parse(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except (ValueError, RecursionError) as problem:
        place = f", line {problem.lineno}, column {problem.colno}" if isinstance(problem, json.JSONDecodeError) else ""
        why = _why(problem)
        raise Invalid(
            "call.json", f"the arguments are no JSON object: {why}{place}", hint='\'{"words": "…"}\''
        ) from None
    if not isinstance(given, dict):
        raise Invalid("call.json", "the arguments are one JSON object", hint='\'{"words": "…"}\'')
    return given


def _why(problem: Exception) -> str:
    if isinstance(problem, json.JSONDecodeError):
        from oz0mem.model.json_faults import say_expected

        return say_expected(problem)
    return "a name stands twice in it" if str(problem) == "twice" else "it cannot be read"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("twice")
    return made


def _no_constant(_: str) -> NoReturn:
    raise ValueError("no number")


def _refuse(why: str, takes: dict[str, str]) -> NoReturn:
    raise Invalid("call.arguments", why, hint=f"it takes {', '.join(takes)}", rule="M1")


def _named(argument: str) -> str:
    """An argument's name where it looks like one; else it may be anything and is not repeated (Q15)."""
    plain = argument.isascii() and argument.replace("_", "a").isalpha() and len(argument) <= 20
    return argument if plain else "of such a name"


def _fits(value: object, kind: str) -> bool:
    if kind == NUMBER:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == SWITCH:
        return isinstance(value, bool)
    if kind == TEXTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if kind == FIELDS:
        return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
    return isinstance(value, str)


def _value(value: Any, kind: str, now: int) -> Any:
    if kind in (UNTIL, FROM):
        from oz0mem.model.moments import parse_moment

        return parse_moment(value, now, edge="until" if kind == UNTIL else "from")
    return tuple(value) if kind == TEXTS else value
