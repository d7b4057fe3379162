"""The tenant's rules replayed from the ledger, and compared with their rows: ``audit check --contents`` (G10, G16).

Promises that each principal's role, state and token, each setting, each rule of the policy, each declaration and the
number of own secrets are what their events came to, and that each row has its event and each event its row. Leaves the
events themselves to ``trail``. Events of before commitments bind neither tokens nor declarations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import audit
from oz0mem.actions.governance import plain
from oz0mem.model.ledger import PERSONAL
from oz0mem.model.names import OF_AGENT
from oz0mem.model.settings import BY_KEY
from oz0mem.rules import event_fields, record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oz0mem.actions.ports import Desk
    from oz0mem.actions.trail import Trail
    from oz0mem.model.governed import AgentRow, PolicyRow, PrincipalRow

_Event = dict[str, Any]


class Person(NamedTuple):
    """A principal as events left it: the events that made it, gave the role, the state and the token."""

    made: _Event
    role: _Event
    state: _Event
    token: _Event


class Rules(NamedTuple):
    """What the events came to.

    Attributes:
        principals: by handle, in the order in which they were made.
        settings: the last event of each.
        pairs: by setting.
        agents: all events of each.
        policy: the last event of each rule, by what it is about and for which agent.
        secrets: what registered one or took one out.
    """

    principals: dict[str, Person]
    settings: dict[str, _Event]
    pairs: dict[str, set[str]]
    agents: dict[str, list[_Event]]
    policy: dict[tuple[str, str], _Event]
    secrets: list[_Event]


def check(desk: Desk, trail: Trail) -> None:
    """Compare every row of governance with what its events came to."""
    rules = replay(trail.governed)
    _check_principals(desk, trail, rules)
    _check_settings(desk, trail, rules)
    _check_agents(desk, trail, rules)
    _check_policy(desk, trail, rules)
    _check_secrets(desk, trail, rules)


def replay(events: Iterable[_Event]) -> Rules:
    """What changes that applied came to, one after the other."""
    rules = Rules({}, {}, {}, {}, {}, [])
    for event in events:
        what, target, to = event["what"], event.get("target", ""), event.get("to")
        if event.get("step", "applied") != "applied":
            continue
        if what in PERSONAL:
            rules.principals[target] = _change(rules.principals.get(target), event)
        elif what == "agent":
            rules.agents.setdefault(target, []).append(event)
        elif what == "policy":
            rules.policy[event.get("function", ""), target] = event
        elif what == "secret":
            rules.secrets.append(event)
        elif what in BY_KEY:
            rules.settings[what] = event
            pairs = rules.pairs.setdefault(what, set())
            (pairs.add if to == "present" else pairs.discard)(target)
    return rules


def _change(before: Person | None, event: _Event) -> Person:
    person = before or Person(event, event, event, event)
    if event["what"] == "token":
        return person._replace(token=event)
    return person._replace(state=event) if event.get("to") in ("active", "disabled") else person._replace(role=event)


def _check_principals(desk: Desk, trail: Trail, rules: Rules) -> None:
    left = dict(rules.principals)
    for row in desk.checks.principals():
        person = left.pop(_handle(desk, row.number), None)
        name = row.name or str(row.number)
        for why in _wrong_principal(desk, row, person) if person else ["no event made it a principal"]:
            trail.tell("principal", name, f"principal {name}: {why}")
    if not left:
        return
    people = desk.checks.people()
    names = {_handle(desk, number): name for number, name in desk.names.spelled(people).items() if number in people}
    for handle, person in left.items():
        name = names.get(handle, handle)
        trail.tell("principal", name, f"principal {name}: event {person.made['index']} made it, and it is not there")


def _wrong_principal(desk: Desk, row: PrincipalRow, person: Person) -> list[str]:
    disabled = person.state.get("to") == "disabled"
    commit = person.token.get("commit", "")
    wanted = {
        f"its role is not {person.role.get('to')}, as event {person.role['index']} made it": (
            row.role == person.role.get("to")
        ),
        f"it is {'active' if disabled else 'disabled'}, and event {person.state['index']} says otherwise": (
            row.disabled == disabled
        ),
        f"its token is not the one that event {person.token['index']} committed to": (
            not commit or audit.committed_token(desk, row.token) == commit
        ),
        f"it was not added when event {person.made['index']} says": _is_then(row.created, person.made),
    }
    return [why for why, holds in wanted.items() if not holds]


def _check_settings(desk: Desk, trail: Trail, rules: Rules) -> None:
    left = dict(rules.settings)
    for row in desk.checks.settings():
        event = left.pop(row.name, None)
        why = "no event set it"
        if event is not None:
            holds = _is_value(row.name, row.value, event, rules)
            why = (
                _wrong_change(desk, row.at, row.writer, event, next(iter(rules.principals), ""))
                if holds
                else f"it is not as event {event['index']} set it"
            )
        if why:
            trail.tell("setting", row.name, f"setting {row.name}: {why}")
    for name, event in left.items():
        trail.tell("setting", name, f"setting {name}: event {event['index']} set it, and it is not there")


def _is_value(name: str, value: object, event: _Event, rules: Rules) -> bool:
    if BY_KEY[name].shape == "pairs":
        return value == sorted(pair.replace(">", ":").split(":") for pair in rules.pairs[name])
    shown = plain(value)
    return type(shown) is type(event.get("to")) and shown == event.get("to")


def _check_agents(desk: Desk, trail: Trail, rules: Rules) -> None:
    left = dict(rules.agents)
    for row in desk.checks.agents():
        name = row.name or str(row.number)
        events = left.pop(name, None) if desk.names.find(OF_AGENT, row.name) == row.number else None
        why = _wrong_agent(desk, row, events) if events else "no event declared it"
        if why:
            trail.tell("agent", name, f"agent {name}: {why}")
    for name, events in left.items():
        at = events[-1]["index"]
        trail.tell("agent", name, f"agent {name}: event {at} declared it, and it is not there")


def _wrong_agent(desk: Desk, row: AgentRow, events: list[_Event]) -> str:
    last = events[-1]
    if last.get("commit") and not _opens(row, last["commit"]):
        return f"it is not what event {last['index']} committed to"
    if row.version != len(events):
        return f"it says that it was declared {row.version} times, and {len(events)} events declared it"
    return _wrong_change(desk, row.at, row.writer, last)


def _check_policy(desk: Desk, trail: Trail, rules: Rules) -> None:
    left = dict(rules.policy)
    for row in desk.checks.policies():
        name = _rule_name(row.what, row.name or (str(row.agent) if row.agent else ""))
        known = not row.agent or (row.name != "" and desk.names.find(OF_AGENT, row.name) == row.agent)
        event = left.pop((row.what, row.name), None) if known else None
        why = _wrong_rule(desk, row, event) if event else "no event set it"
        if why:
            trail.tell("policy", name, f"policy {name}: {why}")
    for (what, agent), event in left.items():
        name = _rule_name(what, agent)
        trail.tell("policy", name, f"policy {name}: event {event['index']} set it, and it is not there")


def _rule_name(what: str, agent: str) -> str:
    return f"{what} for {agent}" if agent else what


def _wrong_rule(desk: Desk, row: PolicyRow, event: _Event) -> str:
    if row.effect != event.get("to"):
        return f"it is not as event {event['index']} set it"
    if event["actor"]["kind"] != "system":
        return _wrong_change(desk, row.at, row.writer, event)
    if row.writer or not _is_then(row.at, event):
        return f"it was not set when event {event['index']} says, or not by the plugin"
    return ""


def _check_secrets(desk: Desk, trail: Trail, rules: Rules) -> None:
    """Each registered secret was registered when and by whom it says, and there are as many as there should be."""
    made = [event for event in rules.secrets if event.get("to") == "present"]
    rows = desk.checks.secrets()
    told = 2 * len(made) - len(rules.secrets)
    if told != len(rows):
        trail.tell("secret", "count", f"by the ledger {told} secrets are registered, and there are {len(rows)}")
    for number, at, writer in rows:
        if all(_wrong_change(desk, at, writer, event) for event in made):
            trail.tell("secret", number, f"secret {number}: no event registered it when, and by whom, it says")


def _opens(row: AgentRow, commit: str) -> bool:
    try:
        return record.declaration_commit(row.key, row.document) == commit
    except ValueError:
        return False  # no key, or what no declaration has


def _wrong_change(desk: Desk, at: int, writer: int, event: _Event, first: str = "") -> str:
    """What is wrong with when and by whom a row says that it was changed last (G16).

    Args:
        desk: the transaction.
        at: when, as the row says.
        writer: who, as the row says.
        event: the last change.
        first: the handle of the first admin, under whom the program's own first settings stand.
    """
    who = first if event["actor"]["kind"] == "system" else event["actor"]["ref"]
    if not _is_then(at, event) or _handle(desk, writer) != who:
        return f"it was not changed last when, or by whom, event {event['index']} says"
    return ""


def _is_then(at: object, event: _Event) -> bool:
    # An event has milliseconds.
    return type(at) is int and at // 1_000 == event_fields.moment(event["at"]) // 1_000


def _handle(desk: Desk, number: int) -> str:
    try:
        return desk.names.actor_handle(number)
    except (ValueError, KeyError):
        return ""  # their key or name is gone
