"""The door for Python (D1): the same functions as every other door, on a store that is opened once.

Promises that no rule lives here: each method is one action and one document, in the shapes of
``docs/json.md``. A ``Memory`` may be used from several threads; each has a connection of its own. Moments are
given as RFC 3339, a date, a span from now such as ``30d``, or whole microseconds since 1970 UTC. What goes wrong is an
``oz0mem.Oz0Error`` with code, rule and hint.

    memory = oz0mem.open("sqlite:///oz0mem.db", tenant="acme", token="…")
    job = memory.job("concierge", about="dana", sees="person")
    job.remember("Dana ships to Porto", kind="semantic", key="shipping_city")
    job.recall("where does she ship")["items"]
"""

from __future__ import annotations

from oz0mem import wiring
from oz0mem.python.acting import Acting, Document
from oz0mem.python.memory import Job, Memory

__all__ = ["Acting", "Document", "Job", "Memory", "open_job", "open_memory"]


def open_memory(url: str, *, tenant: str, token: str) -> Memory:
    """Open a store as somebody; nothing is made where there is none.

    Args:
        url: ``sqlite:///path`` or ``postgresql://…``.
        tenant: name of the tenant.
        token: the principal's.
    """
    return Memory(wiring.context_on(url, tenant, token))


def open_job(url: str, *, tenant: str, token: str) -> Acting:
    """Open a store as a job whose token a host handed over."""
    return Acting(wiring.context_on(url, tenant, job=token))
