"""A call that waits for a person, as whoever called is answered (G31, M34).

Promises one answer at every door: ids, which function, until when, and how it is approved; never a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.views.view import View

if TYPE_CHECKING:
    from oz0mem.model.errors import Waiting

_ASKED = ("approval", "state", "function", "expires")


def show_waiting(waiting: Waiting) -> View | None:
    """What an agent is answered whose call a person decides; None where what waits is no call."""
    facts = waiting.facts
    if waiting.code == "approval.waits":
        said = f"waiting {facts['approval']}: {facts['function']} asks a person; approve it: {waiting.hint}"
        return View("text", document={name: facts[name] for name in _ASKED}, sentence=said)
    if waiting.code == "memory.retirement_waits":
        document = {"id": facts["id"], "version": facts["version"], "state": "waiting"}
        return View("text", document=document, sentence=f"waiting: {waiting.message}; decide: {waiting.hint}")
    return None
