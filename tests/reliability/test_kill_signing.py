"""Q10, L13, L14: a process that signs is killed anywhere, and the machine loses power after it signed.

Promises every statement and every write of a key's file; and that what was signed is on the disk, though what was only
read is not waited for.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oz0mem import verify
from oz0mem.actions import auditing, heads, keys, recall, receipts, rotation
from oz0mem.actions.context import Context
from oz0mem.adapters.keys import Keys
from oz0mem.model.errors import Refused
from oz0mem.store.engine import Store
from tests.reliability import soundness
from tests.reliability.signing import SIGNING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oz0mem.model.heads import SignedHead
    from tests.reliability.conftest import Victims
    from tests.reliability.deeds import Stage

MOST = 400


def opened(stage: Stage) -> Context:
    """The store as the next process on this machine opens it."""
    machine = stage.keys()
    assert machine is not None
    store = Store(stage.url, "acme", os.urandom, pins=machine.pins, place="here")
    return stage.context(store, "ana")


def survive(stage: Stage) -> None:
    """Hold what a death left to Q10: nothing signed is missed, nothing forks, and the next command goes on."""
    ctx = opened(stage)
    assert auditing.check(ctx, contents=True).problems == []
    made = receipts.receipt(ctx, "dana")
    found = verify.verify(made.encoded(), keys.public(ctx).encoded())
    assert found.size == made.head.size
    done = rotation.rotate(ctx, "every year")
    assert [key.id for key in keys.public(ctx).keys if key.until < 0] == [done.key.id]
    assert heads.head(ctx).keys == (done.key.id,)
    after = auditing.check(ctx, contents=True)
    assert after.problems == []
    assert soundness.halves(ctx.store) == {}  # type: ignore[arg-type]  # the store itself
    ctx.store.close()


@pytest.mark.parametrize("deed", SIGNING)
def test_a_death_at_any_step_of_signing_forks_nothing(
    deed: str, tmp_path: Path, victims: Victims, signed_stages: Callable[[Path], Stage]
) -> None:
    """Q10, L14: each statement, each signature, each write of keys.toml and signed.json."""
    length = victims.deed(signed_stages(tmp_path), deed, 0, "signing")["statements"]
    assert 10 < length < MOST
    step = 1 if length < 60 else 3
    for at in [*range(1, length + 1, step), length + 1]:
        stage = signed_stages(tmp_path)
        said = victims.deed(stage, deed, at, "signing")
        assert bool(said) == (at > length)
        survive(stage)


class PowerCut(Keys):
    """Keys that take a picture of the disk when they are asked to sign: what a power cut would leave.

    The log's frames are on the disk up to the last commit that waited for it; what records added after it may be lost.
    """

    def __init__(self, folder: Path, store: Path) -> None:
        super().__init__(folder, {})
        self.store = store
        self.length = 0

    def sign(self, ledger: str, ids: Sequence[str], head: SignedHead) -> str:
        """Sign, and note how long the log is: the commit before this waited for the disk."""
        self.length = log_of(self.store).stat().st_size
        return super().sign(ledger, ids, head)


def log_of(store: Path) -> Path:
    """The store's write-ahead log."""
    return store.with_name(store.name + "-wal")


def cut(store: Path, length: int, target: Path) -> str:
    """A copy of the store whose log ends early; answers its URL."""
    shutil.copy(store, target)
    log_of(target).write_bytes(log_of(store).read_bytes()[:length])
    return f"sqlite:///{target}"


def test_what_was_signed_survives_the_loss_of_what_was_only_read(
    tmp_path: Path, signed_stages: Callable[[Path], Stage]
) -> None:
    """L14: reads are not waited for one by one, and a head is signed only over what is on the disk."""
    stage = signed_stages(tmp_path)
    path = Path(stage.url.removeprefix("sqlite:///"))
    machine = PowerCut(Path(stage.folder), path)
    store = Store(stage.url, "acme", os.urandom, pins=machine.pins, place="here")
    job = stage.context(store, "job", machine)
    recall.recall(job, recall.Recall("Lisbon"))
    before = log_of(path).stat().st_size
    for _ in range(5):
        recall.recall(job, recall.Recall("Lisbon"))
    signed = heads.head(stage.context(store, "ana", machine))
    for _ in range(5):
        recall.recall(job, recall.Recall("Lisbon"))
    kept = cut(path, machine.length, tmp_path / "kept.db")
    lost = cut(path, before, tmp_path / "lost.db")
    store.close()
    good = opened(stage._replace(url=kept))
    assert auditing.check(good, contents=True, against=signed.note).problems == []
    assert heads.head(good).size >= signed.size
    # The test can fail: without that commit the same cut loses what was signed, and the machine notices.
    with pytest.raises(Refused) as caught:
        heads.head(opened(stage._replace(url=lost)))
    assert caught.value.code == "ledger.rollback"


def test_signing_waits_for_the_disk_and_reading_does_not(
    tmp_path: Path, signed_stages: Callable[[Path], Stage]
) -> None:
    """L14: SQLite's own word: the commit before a signature is made with synchronous=FULL."""
    stage = signed_stages(tmp_path)
    said: list[str] = []

    class Watched(Keys):
        def sign(self, ledger: str, ids: Sequence[str], head: SignedHead) -> str:
            said.append("SIGN")
            return super().sign(ledger, ids, head)

    machine = Watched(Path(stage.folder), {})
    store = Store(stage.url, "acme", os.urandom, pins=machine.pins, place="here")
    store.connection().set_trace_callback(said.append)
    recall.recall(stage.context(store, "job", machine), recall.Recall("Lisbon"))
    assert "PRAGMA synchronous=NORMAL" in said and "PRAGMA synchronous=FULL" not in said
    heads.head(stage.context(store, "ana", machine))
    kept = [each for each in said if each.startswith(("PRAGMA synchronous", "COMMIT", "SIGN"))]
    at = kept.index("SIGN")
    assert kept[at - 2 : at] == ["PRAGMA synchronous=FULL", "COMMIT"]
    store.close()
