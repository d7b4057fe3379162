"""Rows of governance, and of what agents and people agree on, as ``audit check`` reads them (G16).

Promises plain tuples of what is stored, however it was altered. Leaves reading them to the store and judging them to
``actions/replaying`` and ``actions/agreements``.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class PrincipalRow(NamedTuple):
    """A principal: number and spelling of the name, role, whether disabled, the token's hash, when made."""

    number: int
    name: str
    role: str
    disabled: bool
    token: bytes
    created: int


class AgentRow(NamedTuple):
    """A declaration: number and spelling of the name, how many there were, document, its key, when and by whom."""

    number: int
    name: str
    version: int
    document: dict[str, Any]
    key: bytes
    at: int
    writer: int


class SettingRow(NamedTuple):
    """A setting: its name, its value as stored, when and by whom (a number)."""

    name: str
    value: Any
    at: int
    writer: int


class ProposalRow(NamedTuple):
    """A proposal to retire an entry: number, number of the entry, version, agent, when, the words given for it."""

    number: int
    entry: int
    version: int
    agent: str
    at: int
    reason: str


class PolicyRow(NamedTuple):
    """A rule of the policy: what, number and spelling of the agent (0 and '' for all), effect, when, by whom.

    The effect is '' where its number stands for none.
    """

    what: str
    agent: int
    name: str
    effect: str
    at: int
    writer: int


class LinkRow(NamedTuple):
    """A link: label and state are '' where their number stands for none; who proposed and decided, by number."""

    number: int
    id: str
    entry: int
    label: str
    other: int
    state: str
    proposer: int
    decider: int
    at: int
    decided: int
    event: int


class ApprovalRow(NamedTuple):
    """A call that waits or waited: its state is '' where its number stands for none; the document's key beside it.

    Attributes:
        agent: the spelling of its name; person, entry, starter and job are numbers.
        body: number of the document's body, 0 once it is decided.
    """

    number: int
    id: str
    function: str
    entry: int
    about: int
    agent: str
    starter: int
    job: int
    state: str
    at: int
    decided: int
    decider: int
    event: int
    body: int
    document: dict[str, Any]
    key: bytes
