"""Entries as they are shown: a page of them, one whole, its versions, why it waits.

Promises the documents of the command line's contract, with null where a value is missing. Leaves times and
escaping to the door.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.agreements import CONFIRMED
from oz0mem.model.entries import BLANK
from oz0mem.model.kinds import ERASED, HELD, KINDS
from oz0mem.rules.ends import erased_at_end, lapses_at
from oz0mem.rules.lifecycle import is_ended, is_lapsed, shown_state
from oz0mem.views.view import Column, Day, Moment, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oz0mem.actions.listing import Page, Shown
    from oz0mem.model.agreements import Link
    from oz0mem.model.entries import Entry

ID = Column("id", "id")
_LIST = (ID, Column("state"), Column("about"), Column("scope"), Column("ends", "moment"), Column("text"))
_HELD = (ID, Column("about"), Column("held because"), Column("waits until", "moment"), Column("text"))
_VERSIONS = (Column("version", "number"), Column("at", "moment"), Column("state"), Column("tier"),
             Column("by"), Column("text"))  # fmt: skip
_WHY = {
    "proposal": "a proposal",
    "review": "everything is reviewed here",
    "unreviewed": "what its job had read is unreviewed",
    "core": "always in mind for others",
    "scan": "it resembles a secret",
    "policy": "this call asks a person",
    "import": "imported",
    "procedural": "a procedure learnt about one person",
    "legal_hold": "it would replace what is under a legal hold",
}


def document_of(entry: Entry, holds: Sequence[str], now: int) -> dict[str, object]:
    """An entry as a document.

    Args:
        entry: the version shown.
        holds: legal holds on it.
        now: microseconds UTC, for what the clock says of it.
    """
    document = {
        "id": entry.id,
        "version": entry.version,
        "kind": entry.kind,
        "state": entry.state,
        "scope": entry.scope,
        "about": entry.about,
        "text": entry.text,
        "key": entry.key or None,
        "term": entry.term or None,
        "tags": list(entry.tags),
        "tier": entry.tier,
        "held_because": entry.held or None,
        "purpose": entry.purpose or None,
        "agent": entry.agent or None,
        "by": entry.by or None,
        "plugin": entry.plugin or None,
        "created": Moment(entry.created),
        "updated": Moment(entry.at),
        "ends": moment_of(entry.ends),
        "ended": is_ended(entry.state, entry.ends, now),
        "lapsed": is_lapsed(entry.state, entry.ends, entry.counted_from, now, kind=entry.kind),
        "valid_from": moment_of(entry.valid_from),
        "valid_until": moment_of(entry.valid_until),
        "core": entry.core,
        "source": dict(entry.source),
        "origin": entry.origin,
        "replaces": entry.replaces or None,
        "replaced_by": entry.replaced_by or None,
        "legal_holds": list(holds),
        "restricted": entry.restricted,
    }
    return _erased(entry, document) if entry.state == ERASED else document


def _erased(entry: Entry, names: Iterable[str]) -> dict[str, object]:
    """What is left of an erased entry: id, version and times (G42); every other name with nothing in it."""
    left = {
        "id": entry.id,
        "version": entry.version,
        "state": ERASED,
        "created": Moment(entry.created),
        "updated": Moment(entry.ended_at or entry.at),
        "tags": [],
        "legal_holds": [],
        "source": {},
    }
    return {name: left.get(name) for name in names}


def show_page(page: Page, *, held: bool = False, whole: bool = False) -> View:
    """A page of entries.

    Args:
        page: the action's answer.
        held: what waits, with why and until when.
        whole: every field as a column, for a format that machines read.
    """
    items = [document_of(entry, page.holds.get(entry.numbers.entry, ()), page.now) for entry in page.items]
    document = {"items": items, "next": page.next, "altered": len(page.altered)}
    if whole:
        names = list(dict.fromkeys(name for item in items for name in item)) or list(document_of(BLANK, (), page.now))
        columns, rows = (
            tuple(Column(name) for name in names),
            [tuple(map(item.get, names)) for item in items],
        )
    else:
        columns = _HELD if held else _LIST
        rows = [_held_row(entry) if held else _row(entry, page.now) for entry in page.items]
    nothing = "nothing waits for a person" if held else "nothing is remembered that fits"
    return View("list", columns, rows, document, "" if items else nothing, page.next)


def _row(entry: Entry, now: int) -> tuple[object, ...]:
    if entry.state == ERASED:
        return (entry.id, ERASED, None, None, None, None)
    state = shown_state(entry.state, entry.ends, entry.counted_from, now, kind=entry.kind)
    return (entry.id, state, entry.about, entry.scope, _day(entry.ends), entry.text)


def _held_row(entry: Entry) -> tuple[object, ...]:
    return (entry.id, entry.about, entry.held.replace(",", ", "), Day(waits_until(entry)), entry.text)


def show_entry(shown: Shown) -> View:
    """One entry whole: text, where from, what its job had read, holds, what people said of it."""
    entry, now = shown.entry, shown.now
    document = document_of(entry, shown.holds, now)
    if entry.state == ERASED:
        rows: list[tuple[object, ...]] = [(entry.id, entry.version, ERASED, Moment(entry.ended_at or entry.at))]
        columns = (ID, Column("version", "number"), Column("state"), Column("erased", "moment"))
        left: dict[str, object] = {"job": None, "read": [], "compartments": [], "reasons": [], "retirements": []}
        left["links"] = []
        return View("item", columns, rows, {**document, **left, "versions": _versions(shown)})
    document |= {
        "job": entry.job or None,
        "read": list(entry.read),
        "compartments": list(entry.compartments),
        "reasons": shown.reasons,
        "retirements": shown.retirements,
        "links": [
            {"link": each.id, "from": each.entry_id, "label": each.label, "to": each.other_id, "state": each.state}
            for each in shown.links
        ],
        "versions": _versions(shown),
    }
    pairs = [(Column(name, "text"), value) for name, value in _told(shown) if value not in (None, "", [])]
    return View("item", tuple(column for column, _ in pairs), [tuple(value for _, value in pairs)], document)


def _told(shown: Shown) -> list[tuple[str, object]]:
    """What a person is told of an entry, by name, in the order of reading."""
    entry = shown.entry
    state = shown_state(entry.state, entry.ends, entry.counted_from, shown.now, kind=entry.kind)
    waits = Day(waits_until(entry)) if entry.state == HELD else None
    end = "erased at" if erased_at_end(entry.kind, entry.about_person) else "review at"
    return [
        ("id", entry.id),
        ("text", entry.text),
        ("state", state),
        ("held because", why_held(entry)),
        ("waits until", waits),
        ("kind", entry.kind),
        ("version", entry.version),
        ("about", entry.about),
        ("scope", entry.scope),
        ("tier", entry.tier),
        ("key", entry.key),
        ("term", entry.term),
        ("tags", list(entry.tags)),
        ("purpose", entry.purpose),
        ("agent", entry.agent),
        ("by", entry.by),
        ("job", entry.job),
        ("had read", list(entry.read)),
        ("compartments", list(entry.compartments)),
        ("origin", entry.origin),
        ("source", [f"{name}={value}" for name, value in entry.source.items()]),
        ("created", Moment(entry.created)),
        ("updated", Moment(entry.at)),
        (end, moment_of(entry.ends)),
        ("valid from", moment_of(entry.valid_from)),
        ("valid until", moment_of(entry.valid_until)),
        ("core", "yes" if entry.core else ""),
        ("replaces", entry.replaces),
        ("replaced by", entry.replaced_by),
        ("legal holds", shown.holds),
        ("reasons", shown.reasons),
        ("to be retired because", shown.retirements),
        ("links", [_linked(each, entry.id) for each in shown.links]),
    ]


def _linked(link: Link, entry_id: str) -> str:
    """A link as the entry at one of its ends tells of it."""
    said = link.label.replace("_", " ")
    told = f"{said} {link.other_id}" if link.entry_id == entry_id else f"{link.entry_id} {said} this"
    return told if link.state == CONFIRMED else f"{told} ({link.state})"


def _versions(shown: Shown) -> list[dict[str, object]]:
    """Every version by number, time, state and writer; texts stand in the view of versions."""
    return [
        {
            "version": each.version,
            "at": Moment(each.at),
            "state": each.state,
            "tier": None if each.state == ERASED else each.tier,
            "by": each.by or None,
        }
        for each in shown.versions
    ]


def show_versions(shown: Shown) -> View:
    """The versions of one entry, oldest first, each with its text."""
    items = [item | {"text": each.text or None} for item, each in zip(_versions(shown), shown.versions, strict=True)]
    rows: list[tuple[object, ...]] = [tuple(item.values()) for item in items]
    document = show_entry(shown).document
    return View("list", _VERSIONS, rows, document | {"versions": items} if isinstance(document, dict) else items)


def why_held(entry: Entry) -> str:
    """Why an entry waits, in words."""
    reasons = [reason for reason in entry.held.split(",") if reason]
    words = [_WHY.get(reason, reason) for reason in reasons]
    if "unreviewed" in reasons:
        words[reasons.index("unreviewed")] = (
            f"learnt after reading {', '.join(entry.read)} (unreviewed)"
            if entry.read
            else f"its job counts as having read something {entry.tier}"
        )
    return "; ".join(words)


def waits_until(entry: Entry) -> int:
    """When a held entry lapses (M31), microseconds UTC."""
    return entry.ends if KINDS[entry.kind].proposal else min(entry.ends, lapses_at(entry.counted_from))


def moment_of(at: int) -> Moment | None:
    """A moment, None where there is none."""
    return Moment(at) if at else None


def _day(at: int) -> Day | None:
    return Day(at) if at else None
