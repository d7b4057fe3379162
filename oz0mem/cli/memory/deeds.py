"""The arguments of commands that write, from words to values (C7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.cli.memory.acting import ABOUT_WORDS
from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.model.moments import Edge


def read_times(ends: str, valid_from: str, valid_until: str, now: int) -> tuple[int | None, int | None, int | None]:
    """An end and a valid time as people type them; None where not given."""
    return (
        _moment(ends, now, "until"),
        _moment(valid_from, now, "from"),
        _moment(valid_until, now, "until"),
    )


def written(**moments: str) -> tuple[tuple[str, str], ...]:
    """Moments as they were typed, so that a retried call is the same call (M9)."""
    return tuple((name, text) for name, text in moments.items() if text)


def _moment(text: str, now: int, edge: Edge) -> int | None:
    from oz0mem.model.moments import parse_moment

    return parse_moment(text, now, edge=edge) if text else None


def read_source(pairs: Sequence[str]) -> dict[str, str]:
    """The fields of a source out of ``NAME=VALUE``.

    Raises:
        Invalid: ``argument.source`` where one is not of that form or stands twice.
    """
    fields: dict[str, str] = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or name in fields:
            raise Invalid(
                "argument.source",
                "a source is given as NAME=VALUE, each name once",
                hint="--source repository=… --source path=…",
                rule="M1",
            )
        fields[name] = value
    return fields


def place_of(projects: tuple[str, ...], scope: str, agent: str) -> tuple[str, tuple[str, ...]]:
    """The scope that ``--project`` means where no agent is named, and the projects of a job where one is.

    Raises:
        Invalid: ``usage`` where several are named without an agent, or a scope beside one.
    """
    if agent or not projects:
        return scope, projects
    if len(projects) > 1 or scope:
        raise Invalid("usage", "without --agent, one --project is where it is kept", hint="leave the others out")
    return f"project:{projects[0]}", ()


def split_about(about: str, agent: str) -> tuple[str, str]:
    """The job's person and whom the entry is about, out of ``--about``."""
    if agent and about and about not in ABOUT_WORDS:
        return about, "work"
    return "", about or "work"


def split_renew(words: Sequence[str]) -> tuple[str, list[str]]:
    """The scope and the ids out of both forms of ``renew`` (M35).

    Raises:
        Invalid: ``usage`` where a plugin and a scope stand there and no id.
    """
    if words[0] != "memory":
        return "", list(words)
    if len(words) < 3:
        raise Invalid("usage", "renew takes ids, or memory, a scope and ids", hint="oz0mem renew --help")
    return words[1], list(words[2:])


def need_reason(reason: str, verb: str) -> None:
    """Refuse a command that has to say why and does not.

    Raises:
        Invalid: ``usage``.
    """
    if not reason.strip():
        raise Invalid("usage", f"{verb} says why", hint=f"oz0mem {verb} ID --reason '…'")
