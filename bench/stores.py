"""Stores to measure on: so many entries about so many people, in as many scopes as the caps ask for.

Made through the import action, as an admin would; texts are words drawn from a fixed seed.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from oz0mem.actions import governance, imports, principals
from oz0mem.actions.context import Context
from oz0mem.adapters import clock
from oz0mem.model.records import Record
from oz0mem.rules.declarations import check_declaration
from oz0mem.store import schema
from oz0mem.store.engine import Store

PER_SCOPE = 5_000
PER_PERSON = 40
SEED = 20_261_201
TOKEN = "a token for benchmarks"
DANA = "another token for benchmarks"


def vocabulary(count: int = 20_000) -> list[str]:
    """Made-up words, the first ones the commonest."""
    chosen = random.Random(SEED)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    return ["".join(chosen.choice(letters) for _ in range(chosen.randint(3, 9))) for _ in range(count)]


def texts(count: int, seed: int = SEED) -> list[str]:
    """Texts of 8 to 16 words, common words more often than rare ones."""
    words = vocabulary()
    chosen = random.Random(seed)
    return [
        " ".join(words[int(len(words) * chosen.random() ** 3)] for _ in range(chosen.randint(8, 16)))
        for _ in range(count)
    ]


def open_store(path: Path) -> Context:
    """A context of the admin on a store that is there."""
    return Context(Store(f"sqlite:///{path}", "bench", clock.entropy), clock.now, TOKEN, "", "python")


def build(path: Path, entries: int) -> None:
    """Make a store of so many entries, unless the file is there."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    url = f"sqlite:///{path}.part"
    schema.make(url)
    schema.make_tenant(url, "bench", "bench.example/oz0mem", solo=True, now=clock.now(), entropy=os.urandom)
    ctx = open_store(Path(f"{path}.part"))
    principals.open_tenant(ctx, [("ana", TOKEN)], solo=True)
    began = time.perf_counter()
    for scope in range(max(1, entries // PER_SCOPE)):
        _fill(ctx, scope, min(entries, PER_SCOPE))
        done = (scope + 1) * PER_SCOPE
        rate = done / (time.perf_counter() - began)
        print(f"\r{path.name}: {min(done, entries):,} entries, {rate:,.0f} a second", end="", file=sys.stderr)
    print(file=sys.stderr)
    ctx.store.close()
    Path(f"{path}.part").rename(path)


def _fill(ctx: Context, scope: int, count: int) -> None:
    name = f"agent-{scope}"
    document = {
        "name": name,
        "capabilities": ["remember", "recall"],
        "memory": {"semantic": True, "retain": "2160h0m0s"},
    }
    governance.declare(ctx, check_declaration(document), "benchmark")
    written = [
        Record(
            line,
            text,
            f"person-{scope}-{line // PER_PERSON}",
            "semantic",
            key=None if line % 8 else f"key-{scope}-{line}",
        )
        for line, text in enumerate(texts(count, SEED + scope), 1)
    ]
    imports.import_records(
        ctx,
        lambda: iter(written),
        imports.Import(agent=name, reviewed=True, reason="benchmark", skip_bad=True),
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]), int(sys.argv[2]))
