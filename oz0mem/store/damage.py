"""What somebody with the store's file could do to it, as SQL, done to a copy by ``doctor --prove``.

Promises that each damage is one of rows that are there, or none is done; that it is as good as its kind can be (an
event's leaf is made anew with it, a cut goes through tiles and head). Runs on SQLite only, where every copy is. Leaves
the copy to ``copying`` and what notices a damage to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.model.entries import Numbers
from oz0mem.model.ledger import ERASING
from oz0mem.rules import merkle
from oz0mem.store import alterations, mapping
from oz0mem.store.ledger import Ledger

if TYPE_CHECKING:
    import sqlite3

    from oz0mem.store.work import Work


class Damage(NamedTuple):
    """One thing to be done.

    Attributes:
        name: what is done, as a person is told.
        find: finds what it is done to: one row, whose columns ``change`` names; no row: there is nothing of the kind.
        change: statements, one after the other.
        regrown: whether tiles and head are made anew out of the leaves afterwards.
    """

    name: str
    find: str
    change: tuple[str, ...]
    regrown: bool = False


_PAGE = 2_000
_ERASED = mapping.STATES.index("erased")
_NEWEST = "v.tenant = :tenant AND v.newest = 1"
_LIVING = f"FROM version v WHERE {_NEWEST}"
_LAST = "ORDER BY v.entry DESC LIMIT 1"
_ENTRY = "WHERE tenant = :tenant AND entry = :entry AND newest = 1"
_BODY = "WHERE tenant = :tenant AND num = :body"
_EVENT = "WHERE tenant = :tenant AND idx = :idx"
_MIDDLE = (
    "SELECT e.idx, e.idx + 1 AS following FROM event e JOIN head h ON h.tenant = e.tenant"
    " WHERE e.tenant = :tenant AND e.idx >= h.size / 2 AND e.idx < h.size - 1 AND length(e.body) > 0"
    " ORDER BY e.idx LIMIT 1"
)
_SOMEBODY = ('"verified":true', '"verified":false')
_CARRIED = ", ".join(name for name in Numbers._fields if name not in ("entry", "v", "newest", "id"))
_OTHER = f"SELECT {_CARRIED} FROM version o WHERE o.tenant = :tenant AND o.entry = :other AND o.newest = 1"
_ACTIONS = ", ".join(f"'{action}'" for action in sorted(ERASING))
_LEFT = "32 * max(0, min(256, (:size >> (8 * level)) - idx * 256))"


def _column(name: str, column: str, value: str, order: str = "") -> Damage:
    """A damage of one column of the newest version of an entry."""
    found = f"SELECT v.entry {_LIVING} ORDER BY {order}v.entry DESC LIMIT 1"
    return Damage(name, found, (f"UPDATE version SET {column} = {value} {_ENTRY}",))


def _event(name: str, found: str, old: str, new: str) -> Damage:
    """A damage of an event's bytes whose leaf is made anew."""
    body = f"CAST(replace(CAST(body AS TEXT), '{old}', '{new}') AS BLOB)"
    return Damage(name, found, (f"UPDATE event SET body = {body}, leaf = leaf({body}) {_EVENT}",))


def _without_heads(name: str, damage: Damage, place: str) -> Damage:
    """The same damage, and the signed heads that tell of it taken out of the store; they may be kept elsewhere."""
    heads = "FROM signed_head g WHERE g.tenant = :tenant AND g.size >"
    return Damage(
        name,
        f"SELECT f.* FROM ({damage.find}) f WHERE EXISTS (SELECT 1 {heads} f.{place})",
        (*damage.change, f"DELETE {heads.replace(' g ', ' ').replace('g.', '')} :{place}"),
        damage.regrown,
    )


_ANEW = _event("an event altered, the tree made anew", _MIDDLE, *_SOMEBODY)._replace(regrown=True)
_CUT = Damage(
    "the last three events and the head cut off",
    "SELECT size - 3 AS size, edge_at(size - 3) AS edge FROM head WHERE tenant = :tenant AND size > 3",
    (
        "DELETE FROM event WHERE tenant = :tenant AND idx >= :size",
        f"UPDATE tile SET hashes = substr(hashes, 1, {_LEFT}) WHERE tenant = :tenant",
        "DELETE FROM tile WHERE tenant = :tenant AND length(hashes) = 0",
        "UPDATE head SET size = :size, edge = :edge WHERE tenant = :tenant",
    ),
)
DAMAGES = (
    Damage(
        "a text altered",
        f"SELECT v.body {_LIVING} {_LAST}",
        (f"UPDATE body SET content = reworded(content, 'text') {_BODY}",),
    ),
    Damage(
        "an entry moved to another scope",
        f"SELECT v.entry, p.num, p.scope, p.about, p.purpose FROM version v JOIN place p USING (tenant) WHERE {_NEWEST}"
        " AND p.scope <> v.scope ORDER BY p.about = v.about DESC, v.entry DESC LIMIT 1",
        (
            f"UPDATE version SET place = :num, scope = :scope, about = :about, purpose = :purpose {_ENTRY}",
            "UPDATE posting SET place = :num WHERE tenant = :tenant AND entry = :entry",
        ),
    ),
    Damage(
        "an entry made to be about somebody else",
        "SELECT v.entry, coalesce((SELECT min(s.num) FROM subject s WHERE s.tenant = v.tenant AND s.num <> v.about),"
        f" 0) AS about {_LIVING} AND v.about <> 0 {_LAST}",
        (f"UPDATE version SET about = :about {_ENTRY}",),
    ),
    _column("a tier altered", "tier", "CASE tier WHEN 0 THEN 1 ELSE 0 END", "v.tier DESC, "),
    _column("an end put off", "ends", "ends + 86400000000"),
    _column("a state altered", "state", "CASE state WHEN 1 THEN 3 ELSE 1 END", "v.state = 0 DESC, "),
    _column("a writer taken away", "writer", "0", "v.writer <> 0 DESC, "),
    _column("a time of writing altered", "created", "created - 1000000"),
    Damage(
        "the contents of two entries swapped",
        f"SELECT v.entry, v.body, w.entry AS other, w.body AS others"
        f" FROM version v JOIN version w USING (tenant) WHERE {_NEWEST} AND w.newest = 1 AND w.entry < v.entry"
        " ORDER BY v.entry DESC, w.entry DESC LIMIT 1",
        (
            f"UPDATE version SET body = :others {_ENTRY}",
            f"UPDATE version SET body = :body {_ENTRY.replace(':entry', ':other')}",
        ),
    ),
    Damage(
        "a row replayed from another scope",
        f"SELECT v.entry, w.entry AS other FROM version v JOIN version w USING (tenant) WHERE {_NEWEST}"
        " AND w.newest = 1 AND w.scope <> v.scope ORDER BY v.entry DESC, w.entry DESC LIMIT 1",
        (f"UPDATE version SET ({_CARRIED}) = ({_OTHER}) {_ENTRY}",),
    ),
    Damage(
        "an earlier version put back as the newest",
        f"SELECT v.entry, v.v FROM version v WHERE v.tenant = :tenant AND v.newest = 0 AND v.state <> {_ERASED}"
        " ORDER BY v.entry DESC, v.v DESC LIMIT 1",
        (
            f"UPDATE version SET newest = 0 {_ENTRY}",
            "UPDATE version SET newest = 1 WHERE tenant = :tenant AND entry = :entry AND v = :v",
        ),
    ),
    Damage(
        "a word taken out of the index",
        f"SELECT p.entry, p.place, p.word FROM version v JOIN posting p USING (tenant, entry) WHERE {_NEWEST} {_LAST}",
        ("DELETE FROM posting WHERE tenant = :tenant AND word = :word AND place = :place AND entry = :entry",),
    ),
    Damage("an event altered", _MIDDLE, (f"UPDATE event SET body = flipped(body) {_EVENT}",)),
    _event("an event altered, with its leaf", _MIDDLE, *_SOMEBODY),
    _ANEW,
    _without_heads("the tree made anew, signed heads deleted", _ANEW, "idx"),
    Damage(
        "two events swapped",
        _MIDDLE,
        (
            f"UPDATE event SET idx = -1 {_EVENT}",
            f"UPDATE event SET idx = :idx {_EVENT.replace(':idx', ':following')}",
            f"UPDATE event SET idx = :following {_EVENT.replace(':idx', '-1')}",
        ),
    ),
    _CUT,
    _without_heads("events cut off, signed heads deleted", _CUT, "size"),
    Damage("a leaf altered", _MIDDLE, (f"UPDATE event SET leaf = flipped(leaf) {_EVENT}",)),
    Damage(
        "a tile altered",
        "SELECT level, idx FROM tile WHERE tenant = :tenant ORDER BY level DESC, idx LIMIT 1",
        (f"UPDATE tile SET hashes = flipped(hashes) {_EVENT} AND level = :level",),
    ),
    Damage(
        "the head's edge altered",
        "SELECT size FROM head WHERE tenant = :tenant AND size > 0",
        ("UPDATE head SET edge = flipped(edge) WHERE tenant = :tenant",),
    ),
    Damage(
        "a signed head altered",
        "SELECT size FROM signed_head WHERE tenant = :tenant AND note <> '' ORDER BY size DESC LIMIT 1",
        ("UPDATE signed_head SET root = flipped(root) WHERE tenant = :tenant AND size = :size",),
    ),
    _event(
        "an erasing event altered, with its leaf",
        f"SELECT idx FROM event WHERE tenant = :tenant AND action IN ({_ACTIONS})"
        " AND instr(CAST(body AS TEXT), '\"subject\":') ORDER BY idx DESC LIMIT 1",
        '"n":',
        '"n":1',
    ),
    Damage(
        "a person's count of erasures altered",
        "SELECT s.num FROM subject s JOIN body b ON b.tenant = s.tenant AND b.num = s.key_body"
        " WHERE s.tenant = :tenant AND s.n > 0 AND trim(hex(b.content), '0') <> '' ORDER BY s.num LIMIT 1",
        ("UPDATE subject SET n = n - 1 WHERE tenant = :tenant AND num = :num",),
    ),
    Damage(
        "a setting altered",
        "SELECT body FROM setting WHERE tenant = :tenant ORDER BY at DESC, name LIMIT 1",
        (f"UPDATE body SET content = reset(content) {_BODY}",),
    ),
    Damage(
        "a principal given another role",
        "SELECT num FROM principal WHERE tenant = :tenant ORDER BY role = 0, num LIMIT 1",
        ("UPDATE principal SET role = CASE role WHEN 0 THEN 1 ELSE 0 END WHERE tenant = :tenant AND num = :num",),
    ),
    Damage(
        "an agent's declaration altered",
        "SELECT body FROM agent WHERE tenant = :tenant ORDER BY num DESC LIMIT 1",
        (f"UPDATE body SET content = reworded(content, 'purpose') {_BODY}",),
    ),
    Damage(
        "an erased text written again",
        f"SELECT body FROM version WHERE tenant = :tenant AND state = {_ERASED} ORDER BY entry DESC, v DESC LIMIT 1",
        (f"UPDATE body SET content = reworded('{{}}', 'text') {_BODY}",),
    ),
    Damage(
        "a reason altered",
        "SELECT body FROM reason WHERE tenant = :tenant ORDER BY num DESC LIMIT 1",
        (f"UPDATE body SET content = reworded(content, 'reason') {_BODY}",),
    ),
    Damage(
        "a rule of the policy altered",
        "SELECT what, agent FROM policy WHERE tenant = :tenant ORDER BY at DESC, what, agent LIMIT 1",
        ("UPDATE policy SET effect = 2 - effect / 2 WHERE tenant = :tenant AND what = :what AND agent = :agent",),
    ),
    Damage(
        "a link turned around",
        "SELECT num, entry, other FROM link WHERE tenant = :tenant ORDER BY num DESC LIMIT 1",
        ("UPDATE link SET entry = :other, other = :entry WHERE tenant = :tenant AND num = :num",),
    ),
    Damage(
        "what waits for approval altered",
        "SELECT body FROM approval WHERE tenant = :tenant AND body <> 0 ORDER BY num DESC LIMIT 1",
        (f"UPDATE body SET content = reworded(content, 'digest') {_BODY}",),
    ),
)
"""Everything that is done, in this order."""


def unguard(raw: sqlite3.Connection) -> None:
    """Take the triggers away that keep events as they are: whoever has the file would (L11)."""
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f'DROP TRIGGER "{name}"')


def do(work: Work, name: str) -> bool:
    """Do one damage in the transaction that is open; answers False where there is nothing of its kind.

    Args:
        work: of a copy.
        name: of one of ``DAMAGES``.
    """
    asked = next(each for each in DAMAGES if each.name == name)
    raw, ledger = work.raw, Ledger(work)
    raw.create_function("flipped", 1, alterations.flipped)
    raw.create_function("leaf", 1, merkle.leaf_hash)
    raw.create_function("reworded", 2, alterations.reworded)
    raw.create_function("reset", 1, alterations.reset)
    raw.create_function("edge_at", 1, lambda size: merkle.edge_of(size, ledger.leaves, ledger.row))
    found = raw.execute(asked.find, {"tenant": work.tenant})
    row = found.fetchone()
    if row is None:
        return False
    values = {"tenant": work.tenant, **dict(zip((column[0] for column in found.description), row, strict=True))}
    touched = [int(raw.execute(statement, values).rowcount) for statement in asked.change]
    if asked.regrown:
        _regrow(work, ledger)
    return any(touched)


def _regrow(work: Work, ledger: Ledger) -> None:
    """Make tiles and head anew out of the leaves as they stand."""
    work.run("DELETE FROM tile WHERE tenant = ?", (work.tenant,))
    edge, size = b"", 0
    while told := ledger.between(size, _PAGE):
        leaves = [each.leaf for each in told]
        work.run_each(
            "INSERT OR REPLACE INTO tile (tenant, level, idx, hashes) VALUES (?, ?, ?, ?)",
            ((work.tenant, *row) for row in merkle.tile_updates(size, leaves, ledger.row)),
        )
        for leaf in leaves:
            edge, size = merkle.append(edge, size, leaf), size + 1
    work.run("UPDATE head SET edge = ? WHERE tenant = ? AND size = ?", (edge, work.tenant, size))
