"""A call's arguments looked at for secrets before a job is started to make it (M8).

Promises that a refused call leaves no job behind, and that the refusal is told in the name of whoever starts it.
Leaves what the call does, and its own scan, to its action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import gate, refusals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.context import Context


def scan(ctx: Context, function: str, arguments: Mapping[str, Any]) -> None:
    """Refuse a call that has a secret in any argument.

    Raises:
        Refused: ``secret.found`` with its kind and place.
    """

    @refusals.told(function)
    def look(ctx: Context) -> None:
        del ctx  # whom a refusal is told of
        gate.scan({name: value for name, value in arguments.items() if isinstance(value, str | tuple | list | dict)})

    look(ctx)
