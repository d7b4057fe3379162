"""``remember``: a text kept, or a refusal with its reason (M1 to M11, M30).

Promises that a write is judged whole before anything is written (M16), that nothing of a refused one is
stored (M8), and that a retry writes once (M9). Leaves writing the version to ``versions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import asking, context, gate, keeping, links, once, refusals, replacing, sight
from oz0mem.actions.asking import Approved, Asked
from oz0mem.actions.draft import draft_of
from oz0mem.actions.keeping import Plan, Written
from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import DEFINITION
from oz0mem.rules import arguments
from oz0mem.rules.sameness import same_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Entry
    from oz0mem.model.settings import Settings


class Remember(NamedTuple):
    """The arguments of ``remember`` (M1); moments in microseconds UTC, None or '' where not given.

    ``reason`` is why it is kept, in words for people; it is not part of the entry (L5). ``written`` are moments
    as the caller wrote them (``30d``), so that a retry is the same call (M9).
    """

    text: str
    kind: str = "note"
    about: str = "work"
    scope: str = ""
    tags: tuple[str, ...] = ()
    ends: int | None = None
    key: str = ""
    valid_from: int | None = None
    valid_until: int | None = None
    source: dict[str, str] | None = None
    derives_from: tuple[str, ...] = ()
    core: bool = False
    on_similar: str = "keep"
    call_id: str = ""
    reason: str = ""
    written: tuple[tuple[str, str], ...] = ()
    term: str = ""


@refusals.told("remember")
def remember(ctx: Context, asked: Remember) -> Written:
    """Keep a text.

    Raises:
        Refused: by the rule that the error names; nothing is stored then.
        Conflict: ``call.reused`` where the call id came with other arguments before.
        Waiting: ``approval.waits`` where the policy asks a person first (exit 7).
    """
    checked, scan_held = check(asked)
    answer = ctx.write(lambda desk: write(desk, context.caller_of(desk, ctx), ctx.door, checked, scan_held=scan_held))
    return asking.wait(answer) if isinstance(answer, Asked) else answer


@refusals.told("remember")
def judge(ctx: Context, asked: Remember) -> None:
    """Judge the arguments alone, before a job is started that would keep them.

    Raises:
        Refused, Invalid: as ``remember`` does; the refusal is told in the name of whoever starts the job.
    """
    del ctx  # whom a refusal is told of
    check(asked)


def check(asked: Remember) -> tuple[Remember, bool]:
    """The arguments as they would be kept, and whether something in them merely resembles a secret (M1, M8).

    Raises:
        Invalid, Refused: as ``remember``.
    """
    scan_held = gate.scan(_arguments(asked))
    checked = _check(asked)
    if checked.call_id:
        once.check_call_id(checked.call_id)
    return checked, scan_held


def _arguments(asked: Remember) -> dict[str, Any]:
    """Every argument that carries words, by name, as the scan reads them (M8)."""
    return {name: value for name, value in asked._asdict().items() if isinstance(value, str | tuple | dict) and value}


def _check(asked: Remember) -> Remember:
    if asked.on_similar not in ("keep", "refuse"):
        raise Invalid("memory.on_similar", "on_similar is keep or refuse", rule="M3", hint="leave it out to keep")
    arguments.check_valid(asked.valid_from, asked.valid_until)
    kind = arguments.check_kind(asked.kind)
    checked = asked._replace(
        kind=kind,
        text=arguments.check_text(asked.text, kind),
        tags=arguments.check_tags(list(asked.tags)),
        key=arguments.check_key(asked.key) if asked.key else "",
        source=arguments.check_source(asked.source) if asked.source else None,
        reason=arguments.check_reason(asked.reason) if asked.reason else "",
        derives_from=arguments.check_ids(list(asked.derives_from)),
    )
    return _termed(checked) if kind == DEFINITION else checked


def _termed(asked: Remember) -> Remember:
    """A definition, whose key is its term, folded so that all spellings of it are one (M13).

    Raises:
        Invalid: ``argument.term`` where none is given.
    """
    term = asked.term or asked.key
    if not term:
        raise Invalid(
            "argument.term",
            "a definition says which term it defines",
            hint="oz0mem define TERM TEXT, or give the term as the key",
            rule="M13",
        )
    term = arguments.check_key(term, "term")
    return asked._replace(term=term, key=same_text(term))


def write(
    desk: Desk,
    caller: Caller,
    door: str,
    asked: Remember,
    *,
    scan_held: bool,
    function: str = "remember",
    approved: Approved | None = None,
) -> Written | Asked:
    """Keep checked arguments inside a transaction, or let the call wait for a person.

    Args:
        desk: the transaction.
        caller: who writes.
        door: which door.
        asked: the arguments, checked and scanned.
        scan_held: whether something in them merely resembles a secret.
        function: what was called: ``remember`` or ``define``.
        approved: the approval under which it runs.
    """
    gate.scan_own(desk, _arguments(asked))
    call = asking.begin(
        desk,
        caller,
        door,
        function,
        {name: value for name, value in asked._asdict().items() if name != "call_id"},
        typed=dict(asked.written),
        call_id=asked.call_id,
        kind=asked.kind,
        approved=approved,
    )
    noted = asking.noted(desk, call)
    if noted:
        return noted if isinstance(noted, Asked) else keeping.again(desk, call, noted)
    settings = context.settings_of(desk)
    sources = links.sources_of(desk, caller, settings, asked.derives_from) if asked.derives_from else []
    if sources and caller.job is not None:
        call = call._replace(caller=caller._replace(job=links.taint(desk, caller, sources)))
    draft = draft_of(desk, call, settings, asked, scan_held=scan_held)
    ending = _ending(desk, call.caller, settings, draft) if asked.kind == DEFINITION else []
    written = keeping.keep(desk, call, settings, Plan(draft, asked.on_similar, asked.reason, None, ending, sources))
    if isinstance(written, Asked):
        return written
    keeping.show_similar(desk, call, written)
    keeping.note(desk, call, written)
    return written


def _ending(desk: Desk, caller: Caller, settings: Settings, entry: Entry) -> list[Entry]:
    """The older proposals for a term, which the newer one ends (M13), but for what a wall keeps from a job (M25)."""
    apart = sight.walls_of(caller, settings)
    return [other for other in replacing.proposed_by_key(desk, entry) if not apart.hide(other)]


def resume(desk: Desk, caller: Caller, door: str, document: Mapping[str, Any], approved: Approved) -> Written | Asked:
    """Run a call that was asked about, as it was shown (G31)."""
    given = dict(document["arguments"])
    for name in ("tags", "derives_from"):
        given[name] = tuple(given.get(name, ()))
    given["written"] = tuple((str(name), str(value)) for name, value in given.get("written", ()))
    asked = Remember(**given, call_id=str(document.get("call_id", "")))
    checked, scan_held = check(asked)
    function = "define" if document["function"] == "define" else "remember"
    return write(desk, caller, door, checked, scan_held=scan_held, function=function, approved=approved)
