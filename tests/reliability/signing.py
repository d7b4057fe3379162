"""Deeds that sign: heads, receipts, rotations, and an upkeep with its head."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.actions import forget, heads, receipts, rotation, upkeep

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context


def _forget_and_receipt(ctx: Context) -> None:
    forget.forget(ctx, "dana")
    receipts.receipt(ctx, "dana")


SIGNING: dict[str, Callable[[Context], Any]] = {
    "head": heads.head,
    "receipt": lambda ctx: receipts.receipt(ctx, "dana"),
    "forget_and_receipt": _forget_and_receipt,
    "rotate": lambda ctx: rotation.rotate(ctx, "every year"),
    "upkeep_and_head": upkeep.upkeep,
}
