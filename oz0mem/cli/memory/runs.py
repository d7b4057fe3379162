"""What runs each function of the agents, and the view of its answer, for ``call``.

Promises nothing but the way from named arguments to an action and from its answer to a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from oz0mem.views.view import View

    Function = Callable[[Context, dict[str, Any]], View]


def _remember(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.entries import Remember, remember
    from oz0mem.views.changes import show_written

    return show_written(remember(ctx, Remember(**given)))


def _recall(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.recall import Recall, recall
    from oz0mem.views.recall import show_recalled

    start = given.pop("from", 0)
    return show_recalled(recall(ctx, Recall(**given, start=start)))


def _define(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.defining import Define, define
    from oz0mem.views.defining import show_defined

    return show_defined(define(ctx, Define(**given)))


def _supersede(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.superseding import Supersede, supersede
    from oz0mem.views.changes import show_written

    return show_written(supersede(ctx, Supersede(**given)))


def _accept(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.accepting import Accept, accept
    from oz0mem.views.changes import say_changed, show_changed

    changed = accept(ctx, Accept(**given))
    return show_changed(changed, say_changed("accepted", changed))


def _retire(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.retiring import retire
    from oz0mem.views.changes import say_changed, show_changed

    changed = retire(ctx, given.pop("id"), given.pop("reason"), **given)
    return show_changed(changed, say_changed("retired", changed))


def _changed_since(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.changed import changed_since
    from oz0mem.views.changed import show_changes

    return show_changes(changed_since(ctx, **given))


def _startup_context(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.startup import startup_context
    from oz0mem.views.startup import show_startup

    return show_startup(startup_context(ctx, **given))


def _link(ctx: Context, given: dict[str, Any]) -> View:
    from oz0mem.actions.links import link
    from oz0mem.views.links import show_linked

    return show_linked(link(ctx, given["from"], given["label"], given["to"], given.get("reason", "")))


RUNS: dict[str, Function] = {
    "remember": _remember,
    "recall": _recall,
    "define": _define,
    "supersede": _supersede,
    "accept": _accept,
    "retire": _retire,
    "changed_since": _changed_since,
    "startup_context": _startup_context,
    "link": _link,
}
"""By the name without its prefix."""
