"""From the options of one command line to the context that its action runs in (C1, G1).

Promises one order of sources for every command, and that ``--format``, ``--quiet``, ``--utc`` and the rest
hold what a profile settles where no option or variable says otherwise. Opens no store: the first transaction
does. Leaves who acts to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem import wiring
from oz0mem.cli import options

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.adapters.config import Found

_SHOWN = ("format", "no_color", "quiet", "utc")


def found() -> Found:
    """What this command line, the environment and the configuration files say, settled for the options too.

    Raises:
        Invalid: a file or a variable holds what its setting would not take.
        Forbidden: ``config.mode`` where others may read the credentials.
    """
    given = options.current()
    settings = wiring.found({"store": given.store, "tenant": given.tenant, "profile": given.profile})
    options.settle({name: value for name in _SHOWN if (value := settings.get(name))})
    return settings


def context() -> Context:
    """The context of this command: the configured store, acting with the configured token or job."""
    return wiring.context_of(found())
