"""oz0mem: governed memory for AI agents."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oz0mem.model.errors import Oz0Error
    from oz0mem.python import Acting, Memory

__version__ = "0.1.0"
__all__ = ["Oz0Error", "open", "open_job"]


def __getattr__(name: str) -> type[Oz0Error]:
    """``Oz0Error``, looked up when it is named first: opening the package loads nothing (Q1)."""
    if name != "Oz0Error":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from oz0mem.model.errors import Oz0Error

    return Oz0Error


def open(url: str = "", *, tenant: str = "", token: str = "") -> Memory:
    """Open a tenant's memory (D1).

    What is not named comes from where the command line finds it: ``OZ0MEM_*``, a configuration file, the
    profile's credentials.

    Args:
        url: ``sqlite:///path`` or ``postgresql://…``.
        tenant: name of the tenant.
        token: the token of whoever acts.

    Raises:
        Oz0Error: at the first call that needs it, where store, tenant or token is not what it should be.
    """
    from oz0mem import wiring
    from oz0mem.python import open_memory

    found = wiring.found({"store": url or None, "tenant": tenant or None, "profile": None})
    return open_memory(found.get("store"), tenant=found.get("tenant"), token=token or found.token.value)


def open_job(url: str = "", *, tenant: str = "", token: str = "") -> Acting:
    """Act as a job whose token a host handed over: every function of the agents, as that job may (D1, G2).

    What is not named comes from where the command line finds it; the token from ``OZ0MEM_JOB``.

    Raises:
        Oz0Error: as ``open`` does.
    """
    from oz0mem import wiring
    from oz0mem.python import open_job as acting

    found = wiring.found({"store": url or None, "tenant": tenant or None, "profile": None})
    return acting(found.get("store"), tenant=found.get("tenant"), token=token or found.job.value)
