"""The benchmark: whole commands and calls, side by side in one run, told as ratios.

    python -m bench.run [FOLDER] [--large 1000000]

Ratios of whole commands are to ``python -c pass``; of a call in process to one fsync of 4 KiB on the same disk;
of the large store to the small one. Runs are interleaved, so that a busy moment falls on all; the figures are
medians. Stores are made in FOLDER at the first run and kept.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench import stores
from oz0mem.actions import entries, forget, governance, jobs, listing, recall
from oz0mem.model.filters import Filter

if TYPE_CHECKING:
    from collections.abc import Callable

    from oz0mem.actions.context import Context

SMALL = 10_000
LIMITS = {
    "--version": 2.0,
    "--help": 6.0,
    "list": 10.0,
    "recall": 10.0,
    "remember": 16.0,
    "forget": 16.0,
    "settings set": 50.0,
}
"""Q2: how many times ``python -c pass`` a whole command may take in a store of 1,000,000."""


def fsync_of(folder: Path) -> Callable[[int], object]:
    """One write of 4 KiB brought to the disk."""
    handle = os.open(folder / "fsync.probe", os.O_CREAT | os.O_WRONLY, 0o600)

    def once(_: int) -> None:
        os.write(handle, b"x" * 4096)
        os.fsync(handle)

    return once


def interleaved(deeds: dict[str, Callable[[int], object]], rounds: int) -> dict[str, float]:
    """Median seconds of each deed, one of each in every round."""
    taken: dict[str, list[float]] = {name: [] for name in deeds}
    for each in range(rounds):
        for name, deed in deeds.items():
            began = time.perf_counter()
            deed(each)
            taken[name].append(time.perf_counter() - began)
    return {name: statistics.median(times) for name, times in taken.items()}


def calls_on(ctx: Context, words: list[str], mark: str) -> dict[str, Callable[[int], object]]:
    """The calls that are measured on one store."""
    # The scopes are full by the default cap, and there has to be room to write.
    governance.set_settings(ctx, {"max_records": 20_000}, "benchmark")
    job = jobs.start(ctx, jobs.Start("agent-0", about="person-0-1", sees="person")).token
    acting = ctx._replace(token="", job=job)
    own = jobs.start(ctx, jobs.Start("agent-0", sees="person")).token
    learning = ctx._replace(token="", job=own)
    found = listing.list_entries(ctx, Filter(about="person-0-1"), limit=1).items[0].id
    return {
        "list newest": lambda _: listing.list_entries(ctx, Filter(), limit=20),
        "list about": lambda _: listing.list_entries(ctx, Filter(about="person-0-2"), limit=20),
        "list scope": lambda _: listing.list_entries(ctx, Filter(scope="agent:agent-0"), limit=20),
        "list agent": lambda _: listing.list_entries(ctx, Filter(agent="agent-0"), limit=20),
        "list held": lambda _: listing.list_entries(ctx, Filter(), held=True, limit=20),
        "list due": lambda _: listing.list_entries(ctx, Filter(due=True), limit=20),
        "list key": lambda _: listing.list_entries(ctx, Filter(key="key-0-8"), limit=20),
        "show": lambda _: listing.show(ctx, found),
        "recall": lambda each: recall.recall(acting, recall.Recall(words[each])),
        "remember": lambda each: entries.remember(
            learning, entries.Remember(f"{words[each]} {mark} {each}", kind="semantic")
        ),
        "forget 40": lambda each: forget.forget(ctx, f"person-0-{each + 10}"),
    }


def commands(path: Path) -> dict[str, list[str]]:
    """The whole commands that are measured, as argument lists."""
    program = [sys.executable, "-m", "oz0mem"]
    on = ["--store", f"sqlite:///{path}", "--tenant", "bench"]
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        "--version": [*program, "--version"],
        "--help": [*program, "--help"],
        "list": [*program, "list", *on],
        "recall": [*program, "recall", "some", "words", *on],
        "remember": [*program, "remember", *on, "a note of {now} and {each}"],
        "forget": [*program, "forget", "--about", "person-0-{each}", "--yes", *on],
        "settings set": [*program, "settings", "set", "--default-days", "90", "--reason", "benchmark", *on],
    }


def whole(folder: Path, path: Path, rounds: int) -> dict[str, float]:
    """Median seconds of whole processes."""
    env = {
        **os.environ,
        "OZ0MEM_TOKEN": stores.TOKEN,
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)

    def runner(name: str, argv: list[str]) -> Callable[[int], object]:
        def once(each: int) -> None:
            # Persons 60 and on: those before are forgotten by the calls in process.
            filled = [word.format(now=time.time_ns(), each=each + 60) for word in argv]
            ended = subprocess.run(filled, env=env, capture_output=True, check=False)
            if ended.returncode:
                raise SystemExit(f"{name} ended with {ended.returncode}: {ended.stderr.decode()}")

        return once

    return interleaved({name: runner(name, argv) for name, argv in commands(path).items()}, rounds)


def show(title: str, rows: list[tuple[str, float, float | None, str]]) -> None:
    """A table of medians in milliseconds and ratios."""
    print(f"\n{title}")
    for name, seconds, ratio, to in rows:
        against = "" if ratio is None else f"{ratio:8.2f} × {to}"
        print(f"  {name:24} {seconds * 1000:10.3f} ms {against}")


def main() -> None:
    """Make the stores that are not there, and measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", nargs="?", default=".bench", type=Path)
    asked.add_argument("--large", default=1_000_000, type=int)
    asked.add_argument("--rounds", default=40, type=int)
    given = asked.parse_args()
    folder = given.folder.absolute()
    kept = {SMALL: folder / f"{SMALL}.db", given.large: folder / f"{given.large}.db"}
    used: dict[int, Path] = {}
    for count, path in kept.items():
        stores.build(path, count)
        used[count] = folder / f"used-{count}.db"
        shutil.copyfile(path, used[count])
    words = stores.texts(given.rounds, 7)
    deeds: dict[str, Callable[[int], object]] = {"one fsync of 4 KiB": fsync_of(folder)}
    for count, path in used.items():
        made = calls_on(stores.open_store(path), words, f"mark{count}")
        deeds |= {f"{name} / {count:,}": deed for name, deed in made.items()}
    medians = interleaved(deeds, given.rounds)
    fsync = medians["one fsync of 4 KiB"]
    rows: list[tuple[str, float, float | None, str]] = [("one fsync of 4 KiB", fsync, None, "")]
    for name in made:
        small, large = medians[f"{name} / {SMALL:,}"], medians[f"{name} / {given.large:,}"]
        rows.append((f"{name} / {SMALL:,}", small, small / fsync, "one fsync"))
        rows.append((f"{name} / {given.large:,}", large, large / small, f"that in {SMALL:,}"))
    show("calls in process", rows)
    for count, path in used.items():
        timed = whole(folder, path, max(5, given.rounds // 4))
        bare = timed["python -c pass"]
        rows = []
        for name, seconds in timed.items():
            most = LIMITS.get(name)
            told = "" if most is None else f", at most {most:g}{' PASSED' if seconds / bare > most else ''}"
            rows.append((name, seconds, seconds / bare, f"python -c pass{told}"))
        show(f"whole commands, store of {count:,}", rows)


if __name__ == "__main__":
    main()
