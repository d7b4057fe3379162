"""``recall``: what answers a question, among what this caller may read (R1, R2, R7, M20 to M25, M29).

Promises that only readable entries are counted, ranked or named, that the answer is recorded before it is
shown (M28) and the question nowhere (R9). Leaves finding to ``ranking``, the rules before it to ``steering``,
and the arithmetic to ``rules/recall``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import context, labels, ranking, refusals, sight, similar, unanswered
from oz0mem.actions.draft import check_call
from oz0mem.model.entries import Entry
from oz0mem.model.errors import Fault, Invalid, Refused
from oz0mem.model.kinds import ACTIVE, ERASED, HELD, REPLACED, RULE
from oz0mem.model.names import OF_AGENT, check_scope, nfc
from oz0mem.rules import lifecycle, permission
from oz0mem.rules import recall as rule
from oz0mem.rules.arguments import check_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Caller, Context
    from oz0mem.actions.ports import Desk
    from oz0mem.model.entries import Numbers
    from oz0mem.model.settings import Settings


class Recall(NamedTuple):
    """The arguments of ``recall`` (M29)."""

    words: str = ""
    id: str = ""
    start: int = 0
    scope: str = ""
    kind: str = ""
    tag: str = ""
    match: str = "any"
    max_entries: int | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    include_ended: bool = False
    include_unreviewed: bool = False
    own_state: str = ""


class Hit(NamedTuple):
    """One entry of the answer: the words it matched, its text as shown, and its score by words."""

    entry: Entry
    matched: list[str]
    text: str
    truncated: bool
    length: int
    score: float


class Recalled(NamedTuple):
    """The answer: hits, ids left out as altered, how many walls withheld, the budget, words to try."""

    items: list[Hit]
    altered: list[str]
    withheld: int
    entries: int
    chars: int
    suggestions: list[str]
    now: int
    waiting: int = 0
    """Where nothing fits: how many entries that fit wait for a person, as far as the caller may know of them."""
    answered: bool = True


@refusals.told("recall")
def recall(ctx: Context, asked: Recall) -> Recalled:
    """Answer a question from memory.

    Raises:
        Invalid: where an argument is none that recall knows.
        Refused: ``recall.erased`` where what is erased is asked for, ``recall.no_agent`` where a person asks for own.
        Fault: ``index.version`` where the words were cut by another program's rules (R8).
    """
    asked = _check(asked)
    caller, found = ctx.read(lambda desk: _recall(desk, ctx, asked))
    if found.items:
        ctx.record(lambda desk: labels.note_shown(desk, caller, [hit.entry for hit in found.items], "recall", ctx.door))
    return found


def _check(asked: Recall) -> Recall:
    if asked.match not in ("any", "all"):
        raise Invalid("recall.match", "match is any or all", rule="R2", hint="--match all")
    if asked.start < 0 or (asked.start and not asked.id):
        raise Invalid(
            "recall.start",
            "reading on begins at character 0 or later of one entry",
            hint="name the entry by its id",
            rule="R7",
        )
    if asked.kind:
        check_kind(asked.kind)
    if asked.scope:
        check_scope(asked.scope)
    own = _check_own(asked) if asked.own_state else ""
    return asked._replace(tag=nfc(asked.tag.strip()), own_state=own)


def _check_own(asked: Recall) -> str:
    """The state whose entries of its own an agent asks for (M29)."""
    from oz0mem.actions.filters import SPELLINGS
    from oz0mem.model.kinds import STATES, VIEWS

    state = SPELLINGS.get(asked.own_state, asked.own_state)
    if state == ERASED:
        raise Refused("recall.erased", "what is erased is gone and shown to nobody", rule="M29", hint="name a state")
    able = [each for each in (*STATES, *VIEWS, *SPELLINGS) if each != ERASED]
    if state not in able:
        raise Invalid("recall.own_state", f"a state is one of {', '.join(able)}", rule="M29", hint="own_state=held")
    if asked.words.strip() or asked.id:
        raise Invalid(
            "recall.own_state",
            "an agent's own entries are listed by state, not by words or id",
            hint="leave the words and the id out",
            rule="M29",
        )
    return state


def _recall(desk: Desk, ctx: Context, asked: Recall) -> tuple[Caller, Recalled]:
    caller = context.caller_of(desk, ctx)
    if caller.declaration is not None:
        check_call(caller.declaration, "recall")
    else:
        permission.check(caller.role, "see")
    check_index(desk)
    settings = context.settings_of(desk)
    budget = rule.budget(
        settings.recall_entries, settings.recall_chars, asked.max_entries, asked.max_chars, asked.max_tokens
    )
    look = _look(desk, caller, settings, asked, budget.entries)
    steers = caller.job is not None and not asked.id and not asked.own_state and asked.kind in ("", RULE)
    beside: list[Entry] = []
    first = _rules(look, asked, budget, beside) if steers else rule.Filled([], 0, look.walls)
    ranked = _ranked(look, caller, asked)
    before = {each.entry.id for each in first.shown}
    rest = sorted((each for each in ranked.entries if each.id not in before), key=lambda each: each.kind != RULE)
    good, altered = sight.check(desk, rest, first.walls)
    altered = list(
        dict.fromkeys([*(entry.id for entry in beside if look.shows(entry) and not first.walls.hide(entry)), *altered])
    )
    entries, chars = len(first.shown), sum(len(each.text) for each in first.shown)
    left = rule.Budget(budget.entries - entries, budget.chars - chars)
    then = rule.fill(
        good if left.chars > 0 else (),
        first.walls,
        max_entries=left.entries,
        max_chars=left.chars,
        first_chars=left.chars,
        start=asked.start,
    )
    withheld = first.withheld + then.withheld + ranked.withheld
    shown = (*first.shown, *then.shown)
    entries_shown = sight.veiled(desk, [each.entry for each in shown], look.walls)
    hits = [_hit(each, ranked)._replace(entry=entry) for each, entry in zip(shown, entries_shown, strict=True)]
    # Rules stand there whatever was asked: where they alone do, nothing has answered the words.
    empty = not ranked.entries and bool(asked.words.strip())
    suggestions = unanswered.suggest(look, asked.words) if empty else []
    waiting = unanswered.count_waiting(look, caller, asked.words) if empty else 0
    fits = {each.id for each in ranked.entries} & before or any(not first.walls.hide(each) for each in good)
    answered = not asked.words.strip() or bool(fits)
    return caller, Recalled(hits, altered, withheld, *budget, suggestions, desk.now, waiting, answered)


def check_index(desk: Desk) -> None:
    """Refuse to read postings that another program's rules made (R8).

    Raises:
        Fault: ``index.version``.
    """
    from oz0mem.rules.words import INDEX_VERSION

    if desk.head.index_version != INDEX_VERSION:
        raise Fault(
            "index.version",
            f"the words of this store were cut by rules {desk.head.index_version}, this program's are {INDEX_VERSION}",
            hint="oz0mem upgrade makes them anew",
            rule="R8",
        )


def _look(desk: Desk, caller: Caller, settings: Settings, asked: Recall, most: int) -> ranking.Look:
    """Where this caller looks, and what may be in the answer."""
    states = [
        ACTIVE,
        *([REPLACED] if asked.include_ended else []),
        *([HELD] if asked.include_unreviewed and caller.job is not None else []),
    ]
    agent = desk.names.find(OF_AGENT, caller.job.agent) if caller.job is not None else 0
    return ranking.Look(
        desk,
        sight.reach_of(desk, caller, settings, asked.scope),
        sight.walls_of(caller, settings),
        states,
        partial(_may_count, asked=asked, states=states, agent=agent, now=desk.now),
        partial(_shows, asked=asked, caller=caller, now=desk.now),
        most,
    )


def _rules(look: ranking.Look, asked: Recall, whole: rule.Budget, altered: list[Entry]) -> rule.Filled:
    """The rules that stand first, in at most half of the answer (R7)."""
    from oz0mem.actions.steering import rules_first

    share = rule.rules_share(whole)
    rules = rules_first(look.desk, look.reach, asked.tag, altered)
    return rule.fill(rules, look.walls, max_entries=share.entries, max_chars=share.chars, first_chars=whole.chars)


def _ranked(look: ranking.Look, caller: Caller, asked: Recall) -> ranking.Ranked:
    """What answers, best first: one entry, the agent's own by state, the newest, or what has the words."""
    if asked.own_state:
        return _own(look, caller, asked)
    if look.reach.every == []:
        return ranking.NOTHING
    if asked.id:
        entry = look.desk.entries.by_id(asked.id)
        found = [entry] if entry is not None and look.reach.within()(entry.numbers) and look.shows(entry) else []
        return ranking.Ranked(found, {})
    if not asked.words.strip():
        return ranking.newest(look)
    return ranking.by_words(look, asked.words, every=asked.match == "all")


def _own(look: ranking.Look, caller: Caller, asked: Recall) -> ranking.Ranked:
    """What this agent wrote, of one state, newest first; a reviewer's reasons are not among it (M29, M32)."""
    if caller.job is None:
        raise Refused(
            "recall.no_agent", "only an agent's job has entries of its own", hint="oz0mem list --state …", rule="M29"
        )
    stored = {"ended": ACTIVE, "lapsed": HELD}.get(asked.own_state, asked.own_state)
    desk, limit = look.desk, look.enough * 2 + 100
    agent = desk.names.find(OF_AGENT, caller.job.agent)
    within = look.reach.within()
    while True:
        rows = desk.listing.written_by(agent, look.reach.every or [], [stored], limit)
        read = desk.entries.load([row for row in rows if within(row)])
        found = [entry for entry in read if _is_own(entry, asked, desk.now)]
        if len(found) >= look.enough or len(rows) < limit:
            return ranking.Ranked(found[: look.enough], {})
        limit *= 4


def _is_own(entry: Entry, asked: Recall, now: int) -> bool:
    state = lifecycle.shown_state(entry.state, entry.ends, entry.counted_from, now, kind=entry.kind)
    fits = (not asked.kind or entry.kind == asked.kind) and (not asked.tag or asked.tag in entry.tags)
    return fits and state == asked.own_state and not entry.restricted and not sight.is_past(entry, now)


def _shows(entry: Entry, asked: Recall, caller: Caller, now: int) -> bool:
    """Whether one entry may be in the answer (M22); held ones only where they are the agent's own."""
    if (asked.kind and entry.kind != asked.kind) or (asked.tag and asked.tag not in entry.tags):
        return False
    if sight.is_recallable(entry, now):
        return True
    if entry.restricted or sight.is_past(entry, now):
        return False
    if entry.state == HELD:
        own = caller.job is not None and entry.agent == caller.job.agent
        return asked.include_unreviewed and own and similar.is_live(entry, now)
    if entry.state == ACTIVE:
        return asked.include_ended and not entry.about_person and entry.ends <= now
    return entry.state == REPLACED and asked.include_ended


def _may_count(row: Numbers, asked: Recall, states: Sequence[str], agent: int, now: int) -> bool:
    """Whether a row can be in the answer at all; only such rows are counted and ranked (R2, M22)."""
    names = (HELD, ACTIVE, REPLACED)
    if row.restricted or row.state >= len(names) or names[row.state] not in states:
        return False
    if names[row.state] == HELD:
        return row.agent == agent
    if names[row.state] == REPLACED:
        return True
    if 0 < row.ends <= now:
        return asked.include_ended and not row.about
    return row.valid_from <= now and not 0 < row.valid_until <= now


def _hit(shown: rule.Shown, ranked: ranking.Ranked) -> Hit:
    number = shown.entry.numbers.entry
    return Hit(
        shown.entry,
        ranked.matched(number),
        shown.text,
        shown.truncated,
        shown.length,
        ranked.scores.get(number, 0.0),
    )
