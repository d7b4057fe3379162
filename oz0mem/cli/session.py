"""From the options of one command line to the context that its action runs in (C1, G1).

Promises one order of sources for every command, and that ``--format``, ``--quiet``, ``--utc`` and the rest
hold what a profile settles where no option or variable says otherwise. Opens no store: the first transaction
does. Leaves who acts to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem import wiring
from oz0mem.cli import options
from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from oz0mem.actions.context import Context
    from oz0mem.adapters.config import Found

_DEFAULT = "default"
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
    return context_of(found())


def context_of(settings: Found) -> Context:
    """The context that settings name.

    Raises:
        Invalid: ``config.profile`` where a profile was named that there is none of, and nothing else says enough.
    """
    named = settings.get("tenant") and (settings.token.value or settings.job.value)
    if not named and settings.profile != _DEFAULT:
        _check_profile(settings)
    return wiring.context_of(settings)


def _check_profile(settings: Found) -> None:
    """Refuse a profile that there is none of; where a tenant is named otherwise, only one like another's name."""
    from oz0mem.cli.nearest import near

    known = wiring.profiles(settings)
    meant = near(settings.profile, known)
    if settings.profile in known or (settings.get("tenant") and not meant):
        return
    hint = f"did you mean {' or '.join(meant)}?" if meant else "oz0mem login --profile NAME --tenant T --store URL"
    raise Invalid("config.profile", "there is no profile of that name", hint=hint, rule="C1", near=meant)
