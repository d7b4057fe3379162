"""When a new text says nearly what an entry says already (M3).

Promises the likeness of two sets of content words and the bound that spares a search. Leaves making the
sets to ``words`` and the choice of the entries that a reader may see to the caller.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not from typing, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

NEARLY = 0.8
NEARLY_WITH_THE_SAME_KEY = 0.6


def dice(a: AbstractSet[str], b: AbstractSet[str]) -> float:
    """Answer Dice's coefficient of two sets of content words, 0 to 1; two empty sets are not alike."""
    size = len(a) + len(b)
    return 2 * len(a & b) / size if size else 0.0


def says_nearly_the_same(dice: float, same_key: bool) -> bool:
    """Tell whether a likeness is enough to be named in the answer to a write (M3)."""
    return dice >= (NEARLY_WITH_THE_SAME_KEY if same_key else NEARLY)


def least_shared(count_a: int, same_key: bool) -> int:
    """Answer how many words any similar entry shares at least with a text of `count_a` content words.

    With s shared words the likeness is at most 2s / (a + s), as the other has at least those s. So 0.8 asks
    for 2a/3 and 0.6 for 3a/7, rounded up.

    Args:
        count_a: number of distinct content words of the text that is written.
        same_key: whether the bound is for entries with its key.
    """
    return -(-3 * count_a // 7) if same_key else -(-2 * count_a // 3)
