"""What people and agents write and people decide: ``remember``, ``call``, ``confirm`` and their like.

Promises that what cannot be taken back asks first, and that several entries are answered one by one. Leaves
who may do what to the actions.
"""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.cli import exits, io, options, out, session
from oz0mem.cli.memory import acting, deeds, parameters
from oz0mem.cli.memory.acting import Acting
from oz0mem.cli.reasons import Reason, Yes
from oz0mem.views.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oz0mem.actions.acceptance import Changed

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="Ids, or their beginnings.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="An id, or its beginning.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and change nothing.")]


def remember(
    text: parameters.Words,
    kind: parameters.Kind = "note",
    about: parameters.About = "",
    scope: parameters.Scope = "",
    tag: parameters.Tags = None,
    key: parameters.Key = "",
    source: parameters.Source = None,
    derives_from: parameters.DerivesFrom = None,
    core: parameters.Core = False,
    on_similar: parameters.OnSimilar = "keep",
    call_id: parameters.CallId = "",
    ends: parameters.Ends = "",
    valid_from: parameters.ValidFrom = "",
    valid_until: parameters.ValidUntil = "",
    reason: Reason = "",
    yes: Yes = False,  # noqa: ARG001 - every command that changes something takes it (C5)
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> None:
    """Keep a text."""
    from oz0mem.actions import entries
    from oz0mem.views.changes import show_written

    words, fields = io.read_text(" ".join(text)), deeds.read_source(source or [])
    scope, projects = deeds.place_of(tuple(project or ()), scope, agent)
    person, target = deeds.split_about(about, agent)
    job = Acting(agent, purpose, person, projects, thread, tuple(compartment or ()), sees)
    ctx = session.context()
    end, since, until = deeds.read_times(ends, valid_from, valid_until, ctx.clock())
    asked = entries.Remember(
        words, kind, target, scope, tuple(tag or ()), end, key, since, until,
        fields or None, tuple(derives_from or ()), core,
        on_similar, call_id, reason, deeds.written(ends=ends, valid_from=valid_from, valid_until=valid_until),
    )  # fmt: skip
    entries.judge(ctx, asked)
    written = entries.remember(acting.act(ctx, job), asked)
    out.emit(show_written(written))
    if until and until <= written.now and not options.current().quiet:
        io.notice("--valid-until is past already, so it is never recalled")


def call(
    function: Annotated[str, typer.Argument(metavar="FUNCTION", help="Such as oz0_memory.remember.")],
    arguments: Annotated[
        str, typer.Argument(metavar="[JSON]", help="Its arguments as one object; - reads stdin.")
    ] = "{}",
    reason: Reason = "",
    yes: Yes = False,  # noqa: ARG001 - every command that changes something takes it (C5)
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    about: acting.JobAbout = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> None:
    """Call a function of the agents by name, JSON in, JSON out."""
    from oz0mem.cli.memory import functions

    functions.answer_in_json()
    job = Acting(agent, purpose, about, tuple(project or ()), thread, tuple(compartment or ()), sees)
    run = functions.find(function)
    ctx = session.context()
    given = functions.read(function, io.read_text(arguments), ctx.clock(), reason)
    out.emit(run(acting.act(ctx, job), given))


def confirm(ids: Ids, reason: Reason = "", yes: Yes = False) -> int:  # noqa: ARG001 - C5
    """Let entries that wait become active."""
    from oz0mem.actions import acceptance

    ctx = session.context()
    return acting.answer_each(ids, lambda each: _changed("confirmed", acceptance.confirm(ctx, each, reason)))


def reject(ids: Ids, reason: Reason = "", yes: Yes = False) -> int:  # noqa: ARG001 - C5
    """Turn down entries that wait."""
    from oz0mem.actions import acceptance

    deeds.need_reason(reason, "reject")
    ctx = session.context()
    return acting.answer_each(ids, lambda each: _changed("rejected", acceptance.reject(ctx, each, reason)))


def retire(
    entry_id: Id,
    reason: Reason = "",
    version: Annotated[
        int | None,
        typer.Option(metavar="N", help="The version that was read, which an agent names; refused where it is older."),
    ] = None,
    call_id: parameters.CallId = "",
    yes: Yes = False,  # noqa: ARG001 - every command that changes something takes it (C5)
    agent: acting.Agent = "",
    purpose: acting.Purpose = "",
    about: acting.JobAbout = "",
    project: acting.Projects = None,
    thread: acting.Thread = "",
    compartment: acting.Compartments = None,
    sees: acting.Sees = "",
) -> None:
    """Take an entry out of use; history keeps it."""
    from oz0mem.actions import retiring, scanning

    deeds.need_reason(reason, "retire")
    job = Acting(agent, purpose, about, tuple(project or ()), thread, tuple(compartment or ()), sees)
    ctx = session.context()
    scanning.scan(ctx, "retire", {"reason": reason, "call_id": call_id})
    changed = retiring.retire(acting.act(ctx, job), entry_id, reason, version=version, call_id=call_id)
    out.emit(_changed("retired", changed)[0])


def move(
    entry_id: Id,
    scope: Annotated[str, typer.Argument(metavar="SCOPE", help="tenant, agent:A or project:PATH.")],
    reason: Reason = "",
    yes: Yes = False,  # noqa: ARG001 - every command that changes something takes it (C5)
) -> None:
    """Move an entry to another scope."""
    from oz0mem.actions import corrections

    out.emit(_changed("moved", corrections.move(session.context(), entry_id, scope, reason))[0])


def renew(
    ids: Annotated[
        list[str],
        typer.Argument(metavar="[PLUGIN SCOPE] ID...", help="Ids; before them memory and a scope, if wanted."),
    ],
    days: Annotated[
        int | None, typer.Option(metavar="N", help="Days from now; without it the tenant's default.")
    ] = None,
    reason: Reason = "",
    yes: Yes = False,  # noqa: ARG001 - every command that changes something takes it (C5)
) -> int:
    """Set a new review date."""
    from oz0mem.actions import corrections

    scope, wanted = deeds.split_renew(ids)
    ctx = session.context()
    return acting.answer_each(
        wanted,
        lambda each: _changed("renewed", corrections.renew(ctx, each, days, reason=reason, scope=scope)),
    )


def edit(
    entry_id: Id,
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="The new text; - reads stdin.")],
    reason: Reason = "",
    yes: Yes = False,
) -> int:
    """Rewrite an entry in your words."""
    from oz0mem.actions import editing as action
    from oz0mem.views.erasure import show_edited

    words = io.read_text(" ".join(text))
    ctx = session.context()
    if not yes and action.look(ctx, entry_id):
        io.agree(f"rewrite {entry_id}; it is about a person, and what it said before is erased for good", yes=yes)
    changed, erased = action.edit(ctx, entry_id, words, reason)
    out.emit(show_edited(changed, erased))
    return exits.WAITING if erased is not None and erased.open else exits.DONE


def delete(ids: Ids, reason: Reason = "", dry_run: DryRun = False, yes: Yes = False) -> int:
    """Delete entries for good."""
    from oz0mem.actions import forget as action
    from oz0mem.views.erasure import show_deleted

    ctx = session.context()
    what = ids[0] if len(ids) == 1 else f"{len(ids)} entries"
    io.agree(f"delete {what} for good", yes=yes or dry_run)

    def run(entry_id: str) -> tuple[View, int]:
        erased = action.delete(ctx, entry_id, reason, dry_run=dry_run)
        return show_deleted(erased, dry_run=dry_run), exits.WAITING if erased.open else exits.DONE

    return acting.answer_each(ids, run)


def forget(
    about: Annotated[str | None, typer.Option(metavar="P", help="Whom; without it, yourself.")] = None,
    basis: Annotated[
        str,
        typer.Option(metavar="B", help="request, withdrawn-consent, objection, retention, scim, admin, rectification."),
    ] = "request",
    unlink: Annotated[
        bool,
        typer.Option("--unlink", help="Take the name at once, not in 90 days: no receipt can be made after."),
    ] = False,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
) -> int:
    """Forget a person, everywhere."""
    from oz0mem.actions import forget as action
    from oz0mem.views.erasure import question_of, show_forgotten

    ctx = session.context()
    if dry_run or not yes:
        counted = action.forget(ctx, about, basis, reason=reason, unlink=unlink, dry_run=True)
        if dry_run:
            out.emit(show_forgotten(counted, dry_run=True))
            return exits.DONE
        io.agree(question_of(counted), yes=yes)
    erased = action.forget(ctx, about, basis, reason=reason, unlink=unlink)
    out.emit(show_forgotten(erased))
    return exits.WAITING if erased.open else exits.DONE


def _changed(verb: str, changed: Changed) -> tuple[View, int]:
    from oz0mem.views.changes import say_changed, show_changed

    return show_changed(changed, say_changed(verb, changed)), exits.DONE
