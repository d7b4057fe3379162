"""What is said of a question that nothing answers (R7): words to try, and how much of what fits waits.

Promises that nobody learns of what they may not see: words come from what the caller is shown, waiting entries
are counted for reviewers, and for an agent's job its own alone, on its side of every wall (M25).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.kinds import HELD
from oz0mem.rules import permission

if TYPE_CHECKING:
    from oz0mem.actions.context import Caller
    from oz0mem.actions.ranking import Look
    from oz0mem.model.entries import Numbers


def suggest(look: Look, words: str) -> list[str]:
    """Words of the question that some readable entry has, where all of them together found nothing."""
    from oz0mem.rules.words import shown_forms

    numbers, postings, rows = _having(look, words)
    seen = [row for row in rows if look.counts(row)]
    readable = {row.entry for row in seen}
    if look.walls.stand():
        hidden = {entry.numbers.entry for entry in look.desk.entries.load(seen) if look.walls.hide(entry)}
        readable -= hidden
    return shown_forms(words, [word for word, number in numbers.items() if readable & postings[number].keys()])


def count_waiting(look: Look, caller: Caller, words: str) -> int:
    """How many held entries have any of the words, of those that the caller may know of."""
    from oz0mem.actions.similar import is_live

    job = caller.job
    if job is None and not permission.may(caller.role, "see_all"):
        return 0
    held = [
        entry
        for entry in look.desk.entries.load(_having(look, words)[2])
        if entry.state == HELD and not entry.restricted and not look.walls.hide(entry)
    ]
    return sum(is_live(entry, look.desk.now) and (job is None or entry.agent == job.agent) for entry in held)


def _having(look: Look, words: str) -> tuple[dict[str, int], dict[int, dict[int, int]], list[Numbers]]:
    """The words of a question that are known, where each stands, and the rows within reach that have any."""
    from oz0mem.rules.words import question_words

    numbers = look.desk.words.numbers(question_words(words))
    if not numbers or look.reach.every == []:
        return {}, {}, []
    postings = look.desk.words.postings(list(numbers.values()), look.reach.every)
    within = look.reach.within()
    rows = look.desk.listing.rows_of(sorted(set().union(*postings.values())))
    return numbers, postings, [row for row in rows if within(row)]
