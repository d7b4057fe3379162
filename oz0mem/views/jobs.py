"""Jobs as people and scripts see them (G2); the token only where it was just made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oz0mem.views.view import Column, Moment, View

if TYPE_CHECKING:
    from oz0mem.actions.jobs import Job

_SHOWN = (
    "job", "agent", "purpose", "about", "person", "starter", "projects", "thread", "compartments", "sees",
    "tier", "read", "started", "expires", "ended",
)  # fmt: skip


def to_document(job: Job, **more: Any) -> dict[str, Any]:
    """A job as JSON has it."""
    record = job.record
    return {
        "job": record.id,
        "token": job.token or None,
        "agent": record.agent,
        "purpose": record.purpose or None,
        "about": record.about or "work",
        "person": record.person or None,
        "starter": record.starter,
        "projects": list(record.projects),
        "thread": record.thread.removeprefix("thread:") or None,
        "compartments": list(record.compartments),
        "sees": record.sees or None,
        "tier": record.tier,
        "read": job.read,
        "started": Moment(record.created),
        "expires": Moment(record.expires),
        "ended": Moment(record.ended) if record.ended else None,
        "steps": [] if record.startup is None else ["startup memory"],
        **more,
    }


def shown(job: Job) -> View:
    """A job whole."""
    document = to_document(job)
    return View(
        "item",
        tuple(Column(name) for name in _SHOWN),
        [tuple(None if document[name] == [] else document[name] for name in _SHOWN)],
        document,
    )


def started(job: Job) -> View:
    """A job that was started, with the token that is told once."""
    record = job.record
    said = (
        f"started {record.id} of {record.agent}, until ",
        Moment(record.expires),
        f"; told once: {job.token}",
    )
    return View(
        "text",
        document=to_document(job, changed=True),
        sentence=said,
        next="put the token into OZ0MEM_JOB to act as this job",
    )


def read(job: Job) -> View:
    """What a job has read, and what it counts as now."""
    said = f"{job.record.id} has read {len(job.read)}; what it writes now counts as {job.record.tier}"
    return View("text", document=to_document(job, changed=True), sentence=said)


def ended(job: Job, changed: bool) -> View:
    """A job that acts no more."""
    said = f"ended {job.record.id}; its token acts no more" if changed else f"{job.record.id} had ended before"
    return View("text", document=to_document(job, changed=changed), sentence=said)
