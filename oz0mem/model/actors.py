"""Who acts: a principal by token, or an agent's job by job token (G1, G2).

Promises plain tuples with names spelled. Leaves who may do what to ``rules/permission``.
"""

from __future__ import annotations

from typing import NamedTuple


class Principal(NamedTuple):
    """A person or service account: number and spelling of the name, role, whether disabled."""

    number: int
    name: str
    role: str
    disabled: bool
    created: int


class JobRecord(NamedTuple):
    """A job as its starter fixed it, names spelled (G2); ``tier`` is the lowest that it has read.

    ``startup`` has the number and version of each entry that it started with (M27), None before it asked.
    """

    number: int
    id: str
    agent: str
    purpose: str
    about: str
    person: str
    starter: str
    thread: str
    sees: str
    tier: str
    created: int
    expires: int
    ended: int
    projects: tuple[str, ...]
    compartments: tuple[str, ...]
    startup: tuple[tuple[int, int], ...] | None = None
