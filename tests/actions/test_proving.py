"""``doctor --prove``: a copy is damaged in every way, the store is only read, and nothing of the copy is left (4.5)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlmodel import SQLModel

from oz0mem.actions import auditing, forget, heads, principals, proving
from oz0mem.actions.context import Context
from oz0mem.model.errors import Fault, Oz0Error
from oz0mem.store import schema
from oz0mem.store.copying import Copy, copied
from oz0mem.store.damage import DAMAGES
from tests.actions.evidence import refused, run_sql
from tests.actions.filled import crowd
from tests.actions.world import World

WORDS = ("novels", "porto", "lisbon", "pencils", "wednesdays", "glasses", "correct horse")


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made from now on; nothing else is in it."""
    made = tmp_path / "temporary"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    return made


def copies(ctx: Context, world: World) -> Callable[[], AbstractContextManager[Copy]]:
    """What copies a world for whoever asks."""
    return lambda: copied(world.store, ctx.clock())


def prove(world: World, ctx: Context | None = None) -> proving.Proof:
    """Damage a copy of a world."""
    return proving.prove(ctx or world.ana, copies(world.ana, world), lambda done, total: None)


def rows(world: World) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    return {name: sorted(run_sql(world, f'SELECT * FROM "{name}"'), key=repr) for name in SQLModel.metadata.tables}


def test_every_damage_is_done_and_noticed_where_it_is(proven: World, folders: Path) -> None:
    """4.5, L14: in a store with something of every sort and a signed head, on both back ends; it stays as it is."""
    crowd(proven)
    heads.head(proven.ana)
    before = rows(proven)
    found = prove(proven)
    assert [one.damage for one in found.items] == [each.name for each in DAMAGES]
    assert [one.damage for one in found.items if not one.there] == []
    assert [one.damage for one in found.items if not one.by or not one.places] == []
    assert found.holds and not found.problems
    assert rows(proven) == before
    assert list(folders.iterdir()) == []
    assert not [word for word in WORDS if word in repr(found).lower()]


def test_a_damage_of_which_there_is_nothing_counts_as_nothing(world: World) -> None:
    """4.5: an empty store has no texts; what is not there is neither noticed nor missed."""
    found = {one.damage: one for one in prove(world).items}
    assert not found["a text altered"].there and not found["a text altered"].by
    assert found["a setting altered"].by == proving.CONTENTS
    assert found["an event altered"].by == proving.LEDGER


def test_what_nothing_notices_is_told(world: World) -> None:
    """L14: without a signed head a ledger made anew is a ledger; the answer says so, and does not hold."""
    found = prove(world)
    assert [one.damage for one in found.items if one.there and not one.by] == ["an event altered, the tree made anew"]
    assert not found.holds


def test_what_came_after_the_last_signed_head_is_noticed_by_one_kept_now(proven: World) -> None:
    """L36: where this machine can sign, the check is made against a head of just before the damage, too."""
    heads.head(proven.ana)
    # More than there was before, so that what is altered, in the middle of the ledger, came after that head.
    for text in ("Deploys are on Wednesdays", "Invoices go out on Fridays", "Returns are free", "Stairs creak"):
        forget.delete(proven.ana, proven.note(text).entry.id, "no longer so")
    found = prove(proven)
    by = {one.damage: one.by for one in found.items if one.there}
    assert proving.AGAINST in by.values()
    assert found.holds


def test_what_was_wrong_before_is_not_taken_for_noticing(proven: World) -> None:
    """4.5: a store that does not hold as it is is told so, and damages are noticed by what they bring."""
    kept = proven.note("Deploys are on Wednesdays").entry
    proven.note("Deploys are on Thursdays, too")
    heads.head(proven.ana)
    run_sql(proven, "UPDATE version SET ends = ends + 1 WHERE id = ?", kept.id)
    found = prove(proven)
    assert (found.problems, found.holds) == (1, False)
    one = next(one for one in found.items if one.damage == "a setting altered")
    assert one.places == ("setting works_council",)


def test_only_who_may_check_the_ledger_may_prove(proven: World, folders: Path) -> None:
    """G3: an auditor may; a member and a job may not, and nothing is copied for them."""
    assert prove(proven, proven.add("olga", "auditor")).events > 0

    def never() -> AbstractContextManager[Copy]:
        raise AssertionError

    for ctx, code in ((proven.dana, "role.forbidden"), (proven.job(proven.dana), "role.agent")):
        assert refused(lambda ctx=ctx: proving.prove(ctx, never, print)).code == code  # type: ignore[misc]  # bound
    assert list(folders.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_nothing_of_the_copy_is_left_after_an_error(world: World, folders: Path, error: type[BaseException]) -> None:
    """C6: Ctrl-C in the midst of it; while it is there, the folder is for its owner alone."""
    modes: list[int] = []

    def tell(done: int, total: int) -> None:
        if done == total // 2:
            (folder,) = folders.iterdir()
            modes.append(folder.stat().st_mode & 0o077)
            assert [*folder.iterdir()] == []  # the copy has no name, so that nothing is left if the process is killed
            raise error

    with pytest.raises(error):
        proving.prove(world.ana, copies(world.ana, world), tell)
    assert modes == [0]
    assert list(folders.iterdir()) == []
    assert auditing.check(world.ana, contents=True).problems == []


def test_no_folder_for_a_copy_is_a_fault_with_what_to_do(world: World, folders: Path) -> None:
    """Q12: said before anything is read."""
    folders.rmdir()
    with pytest.raises(Fault) as caught:
        prove(world)
    assert (caught.value.code, "TMPDIR" in caught.value.hint) == ("prove.folder", True)


def test_another_tenant_is_not_copied(world: World) -> None:
    """Q5: of several tenants in a store the one alone."""
    schema.make_tenant(world.url, "other", "other/oz0mem", solo=True, now=world.now, entropy=world.store.entropy)
    other = World.__new__(World)
    other.url, other.now, other.keys = world.url, world.now, None
    other.store = other.opened("other")
    principals.open_tenant(other.context(), [("bob", "bob's token")], solo=True)
    with copied(other.store, other.now) as copy:
        raw = copy.store.connection()
        assert raw.execute("SELECT name FROM tenant").fetchall() == [("other",)]
        numbers = {row[0] for name in SQLModel.metadata.tables for row in raw.execute(f'SELECT tenant FROM "{name}"')}
        assert numbers == {2}


def test_each_damage_is_taken_back(world: World) -> None:
    """4.5: after each, the copy holds again; what failed in the midst of it, too."""
    world.note("Deploys are on Wednesdays")
    with copied(world.store, world.now) as copy:
        over = world.ana._replace(store=copy.store)
        for name in copy.damages:
            with copy.damaged(name):
                pass
            assert auditing.check(over, contents=True).problems == [], name
        with pytest.raises(Oz0Error), copy.damaged("a text altered"):
            raise Oz0Error("memory.unknown", "in the midst of it")
        assert auditing.check(over, contents=True).problems == []
