"""How many entries walls kept back: the number, and nothing else about them (M25)."""

from __future__ import annotations


def say_withheld(count: int) -> list[str]:
    """The part of a sentence that says so, none where none was kept back."""
    if not count:
        return []
    return [f"{count:,} {'entry is' if count == 1 else 'entries are'} withheld, kept apart from this job"]
