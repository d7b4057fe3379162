"""Names that somebody may have meant: of an agent, a principal, a profile (C8).

Promises that a hint names only what the caller may see, and that looking for it costs nothing where the name is
known. Leaves the refusal itself to whoever raised it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from oz0mem.model.errors import Forbidden, NotFound, Oz0Error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from oz0mem.actions.context import Context


@contextmanager
def of_agents(ctx: Context, name: str) -> Iterator[None]:
    """Let what is refused as an unknown agent name the nearest that the caller may see."""
    with _hinting("agent.unknown", name, lambda: agents(ctx)):
        yield


@contextmanager
def of_principals(ctx: Context, name: str) -> Iterator[None]:
    """Let what is refused as an unknown principal name the nearest that the caller may see."""
    from oz0mem.actions import principals

    with _hinting("principal.unknown", name, lambda: [one.name for one in principals.list_principals(ctx)]):
        yield


def agents(ctx: Context) -> list[str]:
    """The declared agents, by name; the built-in one is among them."""
    from oz0mem.actions import governance
    from oz0mem.model.declarations import BUILT_IN

    return [*(declared.declaration.name for declared in governance.list_agents(ctx)), BUILT_IN]


def unknown_agent(ctx: Context, name: str) -> NotFound | None:
    """The refusal of an agent that is not declared; None where it is, or where the caller may see none."""
    try:
        known = agents(ctx)
    except Forbidden:
        return None
    if name in known:
        return None
    error = NotFound("agent.unknown", "no agent of that name is declared", hint="oz0mem agent list", rule="G5")
    return _hinted(error, near(name, known))


def near(name: str, known: Iterable[str]) -> list[str]:
    """The names most like one, the nearest first; however it is written large or small."""
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for each in known:
        folded.setdefault(each.casefold(), each)
    return [folded[found] for found in get_close_matches(name.casefold(), folded, 3)]


@contextmanager
def _hinting(code: str, name: str, known: Callable[[], list[str]]) -> Iterator[None]:
    try:
        yield
    except NotFound as error:
        if error.code != code:
            raise
        raise _hinted(error, _near_among(name, known)) from None


def _near_among(name: str, known: Callable[[], list[str]]) -> list[str]:
    """What a hint may name; nothing where the caller may not see the names."""
    try:
        return near(name, known())
    except Oz0Error:
        return []


def _hinted(error: NotFound, names: list[str]) -> NotFound:
    if not names:
        return error
    hint = f"did you mean {' or '.join(names)}?"
    return NotFound(error.code, error.message, hint=hint, rule=error.rule, **{**error.facts, "near": names})
