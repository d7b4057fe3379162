"""R8: words cut by other rules are not recalled over, and ``upgrade`` cuts them anew."""

from __future__ import annotations

import pytest

from oz0mem.actions import auditing, recall
from oz0mem.model.errors import Fault
from oz0mem.store.indexing import reindex
from tests.actions.world import World


def spoil(world: World) -> None:
    """Leave words as other rules would have cut them."""
    world.store.write(world.now, lambda desk: desk.work.change(index_version=0))
    world.store.write(
        world.now, lambda desk: desk.work.run("DELETE FROM posting WHERE tenant = ?", (desk.work.tenant,))
    )


def test_recall_refuses_words_of_other_rules(store_url: str) -> None:
    """R8: a program refuses to recall over another's index."""
    world = World(store_url)
    world.note("Deploy on Wednesdays")
    spoil(world)
    with pytest.raises(Fault) as refused:
        recall.recall(world.ana, recall.Recall("deploy"))
    assert refused.value.code == "index.version"


def test_reindexing_makes_every_posting_again(store_url: str) -> None:
    """R8: after it, recall finds what it found, and every posting is what its text makes."""
    world = World(store_url)
    for at in range(450):
        world.note(f"Deploy number {at} on a Wednesday")
    before = [hit.entry.id for hit in recall.recall(world.ana, recall.Recall("deploy 317")).items]
    spoil(world)
    # 450 notes, and the reasons of adding dana and of the policy, which the world begins with.
    assert reindex(world.store, world.now) == 452
    assert [hit.entry.id for hit in recall.recall(world.ana, recall.Recall("deploy 317")).items] == before
    assert not auditing.check(world.ana, contents=True).problems
    assert reindex(world.store, world.now) == 0
