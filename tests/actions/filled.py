"""A world with something of every sort in it, and what a check finds there once somebody altered it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.actions import (
    acceptance,
    approvals,
    auditing,
    changed,
    corrections,
    editing,
    entries,
    forget,
    governance,
    jobs,
    links,
    policies,
    retiring,
)
from oz0mem.model.entries import Entry, Numbers
from tests.actions.evidence import place_hold, refused, run_sql
from tests.actions.world import World

if TYPE_CHECKING:
    from oz0mem.actions.trail import Problem

MINUTE = 60_000_000
SYSTEM = {"kind": "system", "ref": "oz0mem", "verified": True}


class Told(NamedTuple):
    """A world with something of every sort in it, and the entries that tests alter."""

    world: World
    city: Entry
    tea: Entry
    theirs: Entry
    edited: Entry
    erased: Entry
    note: Entry


def fill(world: World) -> Told:
    """Write something of every sort."""
    patricia = world.add("patricia", "member")
    world.learn("Dana ships to Lisbon", key="city")
    city = world.learn("Dana ships to Porto", key="city", reason="dana said so").entry
    tea = world.learn("Dana likes green tea", sees="").entry
    tea = acceptance.confirm(world.ana, tea.id, "she does").entry
    theirs = world.learn("Patricia writes with pencils", starter=patricia).entry
    edited = world.learn("Dana has a cat").entry
    rewritten, _ = editing.edit(world.dana, edited.id, "Dana has a dog")
    erased = world.learn("Dana wears glasses", call_id="once").entry
    forget.delete(world.dana, erased.id, "")
    note = world.note("Deploys are on Wednesdays", tags=("deploy",), source={"path": "web/deploy.md"}).entry
    note = corrections.move(world.ana, note.id, "project:web/shop", "it is theirs").entry
    return Told(world, city, tea, theirs, rewritten.entry, erased, note)


def crowd(world: World) -> None:
    """Write something into every table that a program fills."""
    fill(world)
    world.now += MINUTE
    world.add("rita", "auditor")
    governance.set_settings(world.ana, {"max_days": 400, "compatible": ["support>billing"]}, "as agreed")
    governance.add_secret(world.ana, "correct horse battery", "leaked once")
    started = jobs.start(world.dana, jobs.Start(agent="concierge", projects=("web",), thread="t-1", sees="person"))
    jobs.read(world.context(job=started.token), started.record.id, "the delivery page", published=True)
    kept = world.learn("Dana reads novels", call_id="again").entry
    refused(lambda: retiring.retire(world.job(world.dana, sees="person"), kept.id, "old", version=1))
    forget.delete(world.dana, world.learn("Dana owns a boat").entry.id, "")
    for _ in range(256):
        world.store.write(world.now, lambda desk: desk.ledger.append("memory.exported", SYSTEM, {"count": 1}))
    agree(world)
    place_hold(world, entry=kept)


def agree(world: World) -> None:
    """Links, bookmarks, rules of the policy and calls that wait, in every state; nothing is erased after it."""
    note, other, third = (
        world.note(text).entry for text in ("Returns are free", "Parcels weigh two kilos", "Labels are printed at noon")
    )
    links.link(world.ana, note.id, "supports", other.id, "as we said")
    links.confirm(world.ana, links.link(world.ana, note.id, "depends_on", other.id).link.id, "so it does")
    links.reject(world.ana, links.link(world.ana, other.id, "same_as", note.id).link.id, "it is not")
    world.learn("Dana wants free returns", derives_from=(note.id,))
    changed.changed_since(world.job(world.dana, sees="person"))
    policies.set_policies(world.ana, {"retire": "deny", "accept": "deny"}, "as agreed")
    policies.set_policy(world.ana, "write", "ask", "as agreed", "concierge")
    world.now += MINUTE
    asked = [wait(world, text) for text in ("Ask before noon", "Doors stay shut", "Carts are cleaned")]
    approvals.approve(world.ana, asked[0], "go on")
    approvals.deny(world.ana, asked[1], "not so")
    links.link(world.ana, third.id, "supports", other.id)


def wait(world: World, text: str) -> str:
    """A note of the concierge's that waits for a person; answers the approval's id."""
    job = world.job(world.dana, sees="person")
    return str(refused(lambda: entries.remember(job, entries.Remember(text))).facts["approval"])


def unguard(world: World) -> None:
    """Take away what keeps events as they are (L11), as somebody with the file would."""
    if world.store.back.name == "sqlite":
        for trigger in ("event_kept", "event_as_written"):
            run_sql(world, f"DROP TRIGGER {trigger}")


def problems(world: World, *, contents: bool = True) -> list[Problem]:
    """What a check finds."""
    return auditing.check(world.ana, contents=contents).problems


def found(world: World, what: str, where: str) -> bool:
    """Whether a check finds something of a sort, and says where."""
    return any(each.what == what and where in each.where for each in problems(world))


def row_of(world: World, entry: Entry, v: int) -> dict[str, Any]:
    """A row of ``version`` as it stands."""
    names = ("tenant", *Numbers._fields)
    rows = run_sql(world, f"SELECT {', '.join(names)} FROM version WHERE id = ? AND v = ?", entry.id, v)
    return dict(zip(names, rows[0], strict=True))


def put_row(world: World, row: dict[str, Any]) -> None:
    """Write a row of ``version`` back."""
    run_sql(world, f"INSERT INTO version ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", *row.values())


def drop_row(world: World, row: dict[str, Any]) -> None:
    """Take a row of ``version`` out."""
    run_sql(
        world,
        "DELETE FROM version WHERE tenant = ? AND entry = ? AND v = ?",
        row["tenant"],
        row["entry"],
        row["v"],
    )
