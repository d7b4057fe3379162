"""What proofs cost in a store of 1,000,000 events, beside a tree that is built anew.

    python -m bench.proof [FOLDER] [--large 1000000] [--rounds 20]

Runs are interleaved in one process; the figures are medians. Ratios are to one fsync of 4 KiB on the same disk, and of
a proof from stored tiles to one from a tree that is hashed anew from all leaves. Limits are those of the ledger's
design: the bench prints them and never fails on them.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench import stores
from bench.run import fsync_of, interleaved, show
from oz0mem import verify
from oz0mem.actions import context, forget, governance, heads, imports, keys, listing, receipts
from oz0mem.adapters.keys import Keys
from oz0mem.model.filters import Filter
from oz0mem.model.records import Record
from oz0mem.rules import merkle
from oz0mem.rules.declarations import check_declaration

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context
    from oz0mem.actions.ports import Desk

PEOPLE = {"hundred": 100, "thousand": 1_000}
"""People with so many erasing events."""
REBUILT = 3
"""Rounds of what takes seconds."""


def prepare(folder: Path, large: int) -> Context:
    """A copy of the large store with a signing key, and people of whom entries were deleted one by one."""
    stores.build(folder / f"{large}.db", large)
    used = folder / f"proof-{large}.db"
    shutil.copyfile(folder / f"{large}.db", used)
    ctx = stores.open_store(used)._replace(keys=Keys(folder / "proof-keys", {}))
    shutil.rmtree(folder / "proof-keys", ignore_errors=True)
    keys.open_key(ctx)
    document = {"name": "leaver", "capabilities": ["remember"], "memory": {"semantic": True, "retain": "2160h0m0s"}}
    governance.declare(ctx, check_declaration(document), "benchmark")
    for person, count in PEOPLE.items():
        written = [Record(line, f"fact {line} of {person}", person, "semantic") for line in range(1, count + 1)]
        imports.import_records(ctx, lambda written=written: iter(written), imports.Import(agent="leaver"))  # type: ignore[misc]  # bound now
        began = time.perf_counter()
        while page := listing.list_entries(ctx, Filter(about=person), limit=100).items:
            for entry in page:
                forget.delete(ctx, entry.id, "benchmark")
        each = (time.perf_counter() - began) / count * 1_000
        print(f"{count:,} entries about {person} deleted one by one, {each:.1f} ms each", file=sys.stderr)
    return ctx


def append_one(ctx: Context) -> None:
    """One event in a transaction of its own, on the disk when this returns."""
    told = dict.fromkeys(("lapsed", "expired", "erased", "removed"), 0)
    ctx.store.write(ctx.clock(), lambda desk: desk.ledger.append("plugin.records.expired", context.SYSTEM, told))


def prove(ctx: Context, index: int) -> list[bytes]:
    """An inclusion proof from stored hashes, in a transaction of its own."""

    def act(desk: Desk) -> list[bytes]:
        return merkle.inclusion(index, desk.head.size, desk.ledger.leaves, desk.ledger.row, desk.head.edge)

    return ctx.read(act)


def prove_anew(ctx: Context, index: int) -> list[bytes]:
    """The same proof from a tree that is hashed from all leaves."""

    def act(desk: Desk) -> list[bytes]:
        level = _cut(desk.ledger.leaves(0, desk.head.size))
        proof, at = [], index
        while len(level) > 1:
            if at ^ 1 < len(level):
                proof.append(level[at ^ 1])
            pairs = zip(level[::2], level[1::2], strict=False)
            above = [merkle.node_hash(left, right) for left, right in pairs]
            level = above + level[len(above) * 2 :]
            at //= 2
        return proof

    return ctx.read(act)


def _cut(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + 32] for at in range(0, len(hashes), 32)]


def deeds_of(ctx: Context, folder: Path, rounds: int) -> dict[str, Callable[[int], object]]:
    """What is measured."""
    size = ctx.read(lambda desk: desk.head.size)
    chosen = random.Random(stores.SEED)
    indexes = [chosen.randrange(size) for _ in range(rounds)]
    assert prove(ctx, indexes[0])[:15] == prove_anew(ctx, indexes[0])[:15]
    public = keys.public(ctx).encoded()
    taken = {name: receipts.receipt(ctx, name).encoded() for name in PEOPLE}
    return {
        "one fsync of 4 KiB": fsync_of(folder),
        "append": lambda _: append_one(ctx),
        "inclusion proof": lambda each: prove(ctx, indexes[each]),
        "head, signed": lambda _: heads.head(ctx),
        "receipt of 100": lambda _: receipts.receipt(ctx, "hundred"),
        "verify 100": lambda _: verify.verify(taken["hundred"], public),
        "verify 1,000": lambda _: verify.verify(taken["thousand"], public),
        "forget 40": lambda each: forget.forget(ctx, f"person-1-{each + 10}"),
    }


def whole(folder: Path, ctx: Context, rounds: int) -> dict[str, float]:
    """Median seconds of ``verify`` as a whole command, beside bare Python."""
    (folder / "receipt.json").write_bytes(receipts.receipt(ctx, "thousand").encoded())
    (folder / "head.pub.json").write_bytes(keys.public(ctx).encoded())
    files = [str(folder / "receipt.json"), "--keys", str(folder / "head.pub.json")]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "oz0mem verify": [sys.executable, "-m", "oz0mem", "verify", *files],
        "python verify.py": [sys.executable, verify.__file__, *files],
    }

    def runner(argv: list[str]) -> Callable[[int], object]:
        return lambda _: subprocess.run(argv, capture_output=True, check=True)

    return interleaved({name: runner(argv) for name, argv in commands.items()}, rounds)


def main() -> None:
    """Make what is not there, and measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", nargs="?", default=".bench", type=Path)
    asked.add_argument("--large", default=1_000_000, type=int)
    asked.add_argument("--rounds", default=20, type=int)
    given = asked.parse_args()
    folder = given.folder.absolute()
    ctx = prepare(folder, given.large)
    medians = interleaved(deeds_of(ctx, folder, given.rounds), given.rounds)
    anew = interleaved({"rebuilt": lambda each: prove_anew(ctx, each * 1_000)}, REBUILT)["rebuilt"]
    fsync = medians["one fsync of 4 KiB"]
    limits = {"append": 4, "forget 40": 60}
    rows: list[tuple[str, float, float | None, str]] = []
    for name, seconds in medians.items():
        most = f", at most {limits[name]}" if name in limits else ""
        rows.append((name, seconds, seconds / fsync, f"one fsync{most}"))
    rows.append(("proof, tree rebuilt", anew, anew / medians["inclusion proof"], "a proof from tiles"))
    size = ctx.read(lambda desk: desk.head.size)
    show(f"proofs, {size:,} events", rows)
    timed = whole(folder, ctx, given.rounds)
    bare = timed["python -c pass"]
    show("whole commands, 1,000 records", [(name, took, took / bare, "python -c pass") for name, took in timed.items()])


if __name__ == "__main__":
    main()
