"""A proposal as it is shown to whoever is about to decide on it: old beside new (M14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.views.entries import ID, moment_of, why_held
from oz0mem.views.view import Column, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.listing import Shown


def show_proposal(shown: Shown, old: Sequence[Shown]) -> View:
    """What is about to be decided: text, about whom, purpose, tier, what its job had read, what it would replace.

    Args:
        shown: the entry.
        old: what is in force now and would end.
    """
    entry = shown.entry
    pairs: list[tuple[str, object]] = [
        ("id", entry.id),
        ("text", entry.text),
        ("version", entry.version),
        ("kind", entry.kind),
        ("term", entry.term),
        ("key", "" if entry.term else entry.key),
        ("tags", list(entry.tags)),
        ("source", [f"{name}={value}" for name, value in entry.source.items()]),
        ("about", entry.about),
        ("scope", entry.scope),
        ("purpose", entry.purpose),
        ("state", entry.state),
        ("held because", why_held(entry)),
        ("tier", entry.tier),
        ("agent", entry.agent),
        ("by", entry.by),
        ("had read", list(entry.read)),
        ("compartments", list(entry.compartments)),
        ("valid from", moment_of(entry.valid_from)),
        ("valid until", moment_of(entry.valid_until)),
        ("core", "yes" if entry.core else ""),
        ("ends", moment_of(entry.ends)),
    ]
    for each in old:
        pairs += [("would replace", f"{each.entry.id} v{each.entry.version}"), ("which says", each.entry.text)]
    told = [(name, value) for name, value in pairs if value not in (None, "", [])]
    columns = (ID, *(Column(name) for name, _ in told[1:]))
    return View("item", columns, [tuple(value for _, value in told)])
