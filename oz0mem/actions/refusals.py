"""A refusal by a rule is told to the ledger: who, which function, which rule, nothing of the arguments (L2).

Promises that the refusal itself reaches the caller unchanged, and that nothing else of the refused act is kept.
Leaves out who cannot be named: a call without a known token tells nothing.
"""

from __future__ import annotations

import functools
from contextlib import suppress
from typing import TYPE_CHECKING

from oz0mem.actions.context import actor, caller_of
from oz0mem.model.errors import Fault, Forbidden, NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Concatenate, ParamSpec, TypeVar

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk

    P = ParamSpec("P")
    T = TypeVar("T")


def told(
    function: str,
) -> Callable[[Callable[Concatenate[Context, P], T]], Callable[Concatenate[Context, P], T]]:
    """Tell the ledger where a rule refuses a call of this action.

    Args:
        function: how the ledger names it, one of ``model.ledger.FUNCTIONS``.
    """

    def around(action: Callable[Concatenate[Context, P], T]) -> Callable[Concatenate[Context, P], T]:
        def call(ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return action(ctx, *args, **kwargs)
            except (Refused, Forbidden) as error:
                if error.rule:
                    _tell(ctx, function, error.rule)
                raise

        functools.update_wrapper(call, action)
        return call

    return around


def _tell(ctx: Context, function: str, rule: str) -> None:
    def act(desk: Desk) -> None:
        who = actor(desk, caller_of(desk, ctx))
        fields = {"rule": rule, "function": function, "door": ctx.door}
        desk.ledger.append("plugin.records.refused", who, fields, outcome="refused")

    # Whoever is refused hears of that, not of a store that cannot be written (L14), or of a token that is nobody's.
    with suppress(Forbidden, Fault, NotFound, Refused):
        ctx.store.record(ctx.clock(), act)
