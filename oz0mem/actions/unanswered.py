"""What is said of a question that nothing answers (R7): words to try, and how much of what fits waits.

Promises that nobody learns of what they may not see: waiting entries are counted for reviewers, and for an
agent's job its own alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.kinds import HELD
from oz0mem.rules import permission

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk


def suggest(desk: Desk, places: Sequence[int] | None, words: str) -> list[str]:
    """Words of the question that some readable entry has, where all of them together found nothing."""
    from oz0mem.rules.words import question_words, shown_forms

    numbers = desk.words.numbers(question_words(words))
    held = desk.words.postings(list(numbers.values()), places) if numbers and places != [] else {}
    return shown_forms(words, [word for word, number in numbers.items() if held.get(number)])


def count_waiting(desk: Desk, caller: Caller, places: Sequence[int] | None, words: str) -> int:
    """How many held entries have any of the words, of those that the caller may know of."""
    from oz0mem.actions.similar import is_live
    from oz0mem.rules.words import question_words

    job = caller.job
    if job is None and not permission.may(caller.role, "see_all"):
        return 0
    numbers = desk.words.numbers(question_words(words))
    if not numbers or places == []:
        return 0
    postings = desk.words.postings(list(numbers.values()), places)
    rows = desk.listing.rows_of(sorted(set().union(*postings.values())))
    held = [entry for entry in desk.entries.load(rows) if entry.state == HELD and not entry.restricted]
    return sum(is_live(entry, desk.now) and (job is None or entry.agent == job.agent) for entry in held)
