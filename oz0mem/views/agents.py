"""Agents' declarations as people and scripts see them (G5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.model import declarations
from oz0mem.model.declarations import write_period
from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from oz0mem.actions.governance import Declared
    from oz0mem.model.declarations import Declaration

_COLUMNS = (
    Column("agent", "id"),
    Column("purposes"),
    Column("calls"),
    Column("learns"),
    Column("retain", "id"),
    Column("declared", "moment"),
)


def to_document(declared: Declared, **more: Any) -> dict[str, Any]:
    """A declaration as JSON has it: its own fields, and since when it is in force."""
    return {**declarations.to_document(declared.declaration), "declared": Moment(declared.at), **more}


def listing(agents: list[Declared]) -> View:
    """Every declared agent."""
    rows = [_row(declared) for declared in agents]
    document = {"items": [to_document(declared) for declared in agents], "next": None}
    return View("list", _COLUMNS, rows, document, "" if rows else "no agent is declared")


def _row(declared: Declared) -> tuple[object, ...]:
    one = declared.declaration
    return (
        one.name,
        list(one.purposes) or None,
        [*one.capabilities, *one.tools] or None,
        list(one.memory.kinds()) or None,
        write_period(one.memory.retain),
        Moment(declared.at),
    )


def shown(declared: Declared) -> View:
    """One declaration whole; its document is the declaration alone, so that it can be declared again."""
    document = declarations.to_document(declared.declaration)
    flat = {
        (f"{name}.{inner}" if inner else name): value
        for name, part in to_document(declared).items()
        for inner, value in (part.items() if isinstance(part, dict) else (("", part),))
    }
    return View("item", tuple(Column(name) for name in flat), [tuple(flat.values())], document)


def declared(made: Declared) -> View:
    """A declaration that is in force now, or was already."""
    name = made.declaration.name
    said = f"declared {name}: {_in_words(made.declaration)}" if made.changed else f"{name} is declared so already"
    return View("text", document=to_document(made, state="applied", changed=made.changed), sentence=said)


def _in_words(one: Declaration) -> str:
    kinds = one.memory.kinds()
    calls = ", ".join([*one.capabilities, *one.tools]) or "nothing"
    learns = f"learns {', '.join(kinds)} for {write_period(one.memory.retain)}" if kinds else "learns nothing"
    return f"calls {calls}; {learns}"
