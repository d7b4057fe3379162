"""The agents' functions by name, JSON in and JSON out, for ``call`` (M1, M29, M34).

Promises that an argument which a function does not have, or of another type, is refused by its name and
nothing of its value, and that a secret is looked for before that (M8). Leaves the rest to the actions.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from oz0mem.cli import exits, options
from oz0mem.model.errors import Invalid, NotFound, Waiting
from oz0mem.views.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context

    Function = Callable[[Context, dict[str, Any]], tuple[View, int]]

_PREFIX = "oz0_memory."
_LATER = ("define", "supersede", "accept", "changed_since", "startup_context", "link", "links")

_TEXT, _TEXTS, _NUMBER, _SWITCH, _FIELDS = (
    "a text",
    "a list of texts",
    "a whole number",
    "true or false",
    "an object of texts",
)
_UNTIL, _FROM = "a date as the end of a time", "a date as its beginning"

_TAKES: dict[str, dict[str, str]] = {
    "remember": {
        "text": _TEXT,
        "kind": _TEXT,
        "about": _TEXT,
        "scope": _TEXT,
        "tags": _TEXTS,
        "ends": _UNTIL,
        "key": _TEXT,
        "valid_from": _FROM,
        "valid_until": _UNTIL,
        "source": _FIELDS,
        "derives_from": _TEXTS,
        "core": _SWITCH,
        "on_similar": _TEXT,
        "call_id": _TEXT,
    },
    "recall": {
        "words": _TEXT,
        "id": _TEXT,
        "from": _NUMBER,
        "scope": _TEXT,
        "kind": _TEXT,
        "tag": _TEXT,
        "match": _TEXT,
        "max_entries": _NUMBER,
        "max_chars": _NUMBER,
        "max_tokens": _NUMBER,
        "include_ended": _SWITCH,
        "include_unreviewed": _SWITCH,
    },
    "retire": {"id": _TEXT, "version": _NUMBER, "reason": _TEXT, "call_id": _TEXT},
}
_NEEDS = {"remember": ("text",), "recall": (), "retire": ("id", "reason")}
_REASONED = ("remember", "retire")


def answer_in_json() -> None:
    """Answer in JSON, errors too, unless another machine's format was asked for."""
    if options.given().get("format", "table") == "table":
        options.record("format", "json")


def find(function: str) -> Function:
    """What runs a function.

    Raises:
        NotFound: ``function.unknown`` naming those that there are.
    """
    run = _RUNS.get(function.removeprefix(_PREFIX)) if function.startswith(_PREFIX) else None
    if run is not None:
        return run
    later = function.removeprefix(_PREFIX) in _LATER
    why = "this version does not have that function yet" if later else "there is no function of that name"
    there = ", ".join(_PREFIX + name for name in _RUNS)
    raise NotFound("function.unknown", why, hint=f"there are {there}", functions=[_PREFIX + name for name in _RUNS])


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
    if reason and name not in _REASONED:
        raise Invalid("usage", f"{name} changes nothing, so it takes no --reason", hint="leave it out")
    if reason:
        given.setdefault("reason", reason)
    takes = _TAKES[name] | ({"reason": _TEXT} if reason else {})
    for argument, value in given.items():
        if argument not in takes:
            _refuse(f"{name} has no argument {_named(argument)}", takes)
        if not _fits(value, takes[argument]):
            _refuse(f"{argument} has to be {takes[argument]}", takes)
    missing = [argument for argument in _NEEDS[name] if argument not in given]
    if missing:
        _refuse(f"{name} needs {missing[0]}", takes)
    read = {argument: _value(value, takes[argument], now) for argument, value in given.items()}
    if name == "remember":
        moments = [argument for argument in given if takes[argument] in (_UNTIL, _FROM)]
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
    if kind == _NUMBER:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == _SWITCH:
        return isinstance(value, bool)
    if kind == _TEXTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if kind == _FIELDS:
        return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
    return isinstance(value, str)


def _value(value: Any, kind: str, now: int) -> Any:
    if kind in (_UNTIL, _FROM):
        from oz0mem.model.moments import parse_moment

        return parse_moment(value, now, edge="until" if kind == _UNTIL else "from")
    return tuple(value) if kind == _TEXTS else value


def _remember(ctx: Context, given: dict[str, Any]) -> tuple[View, int]:
    from oz0mem.actions.entries import Remember, remember
    from oz0mem.views.changes import show_written

    return show_written(remember(ctx, Remember(**given))), exits.DONE


def _recall(ctx: Context, given: dict[str, Any]) -> tuple[View, int]:
    from oz0mem.actions.recall import Recall, recall
    from oz0mem.views.recall import show_recalled

    start = given.pop("from", 0)
    return show_recalled(recall(ctx, Recall(**given, start=start))), exits.DONE


def _retire(ctx: Context, given: dict[str, Any]) -> tuple[View, int]:
    from oz0mem.actions import retiring
    from oz0mem.views.changes import say_changed, show_changed

    entry_id, reason = given.pop("id"), given.pop("reason")
    try:
        changed = retiring.retire(ctx, entry_id, reason, **given)
    except Waiting as waiting:
        document = {"id": waiting.facts["id"], "version": waiting.facts["version"], "state": "waiting"}
        return View("text", document=document, sentence=waiting.message), exits.WAITING
    return show_changed(changed, say_changed("retired", changed)), exits.DONE


_RUNS: dict[str, Function] = {"remember": _remember, "recall": _recall, "retire": _retire}
