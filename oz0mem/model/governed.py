"""Rows of governance as ``audit check`` reads them: what is stored, however it was altered (G16).

Promises plain tuples. Leaves reading them to the store and judging them to ``actions/replaying``.
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
