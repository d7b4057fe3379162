"""Processes to kill: forked off a warm one, each runs a deed on a store of its own opening.

Reads one JSON document a line: ``deed`` with ``at`` runs a deed and kills itself with SIGKILL just before its
at-th statement; ``loop`` lets a process write until somebody kills it. Answers one JSON document a line. A
forked process costs milliseconds where a new one costs half a second, and dies the same death.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg  # noqa: F401  # loaded before the fork, so that no victim pays for it
import snowballstemmer  # noqa: F401  # the same

from oz0mem.adapters.keys import Keys
from oz0mem.store.engine import Store
from tests.reliability import crowd
from tests.reliability.deeds import DEEDS, Stage
from tests.reliability.signing import SIGNING

if TYPE_CHECKING:
    from collections.abc import Callable


class Doomed:
    """A connection that kills its process just before the at-th statement (0: never).

    Args:
        raw: the real connection.
        at: which statement is not reached.
    """

    def __init__(self, raw: Any, at: int) -> None:
        self.raw = raw
        self.at = at
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)

    def step(self) -> None:
        """Count a statement, or die."""
        self.count += 1
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def execute(self, *values: Any) -> Any:
        self.step()
        return self.raw.execute(*values)

    def commit(self) -> None:
        self.step()
        self.raw.commit()

    def cursor(self, *values: Any, **named: Any) -> DoomedCursor:
        return DoomedCursor(self.raw.cursor(*values, **named), self)


class DoomedCursor:
    """A cursor whose statements count as its connection's."""

    def __init__(self, raw: Any, connection: Doomed) -> None:
        self.raw = raw
        self.doomed = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)

    def execute(self, *values: Any) -> Any:
        self.doomed.step()
        return self.raw.execute(*values)

    def executemany(self, *values: Any) -> Any:
        self.doomed.step()
        return self.raw.executemany(*values)


class DoomedStore(Store):
    """A store whose one connection is doomed."""

    doomed: Doomed | None = None
    at = 0

    def connection(self) -> Any:
        """The doomed connection; opening it is not counted."""
        if self.doomed is None:
            self.doomed = Doomed(super().connection(), self.at)
        return self.doomed


class DoomedKeys(Keys):
    """Signing keys whose every write to a file, and every signature, counts as a statement, before and after."""

    def __init__(self, folder: Path, connection: Doomed) -> None:
        super().__init__(folder, {})
        self.doomed = connection

    def make(self, *values: Any) -> Any:
        return self._stepped(super().make, values)

    def drop(self, *values: Any) -> Any:
        return self._stepped(super().drop, values)

    def sign(self, *values: Any) -> Any:
        return self._stepped(super().sign, values)

    def pin(self, *values: Any) -> Any:
        return self._stepped(super().pin, values)

    def _stepped(self, act: Callable[..., Any], values: tuple[Any, ...]) -> Any:
        self.doomed.step()
        answer = act(*values)
        self.doomed.step()
        return answer


def run_signing(asked: dict[str, Any], say: Callable[[dict[str, Any]], None]) -> None:
    """Run one deed that signs to its end, unless it dies before."""
    stage = Stage(*asked["stage"])
    machine = Keys(Path(stage.folder), {})
    store = DoomedStore(stage.url, "acme", os.urandom, pins=machine.pins, place="here")
    store.at = asked["at"]
    doomed = store.connection()
    SIGNING[asked["deed"]](stage.context(store, "ana", DoomedKeys(machine.folder, doomed)))
    say({"acknowledged": True, "statements": doomed.count})


def run_deed(asked: dict[str, Any], say: Callable[[dict[str, Any]], None]) -> None:
    """Run one deed to its end, unless it dies before."""
    stage = Stage(*asked["stage"])
    store = DoomedStore(stage.url, "acme", os.urandom)
    store.at = asked["at"]
    DEEDS[asked["deed"]](stage, store)
    say({"acknowledged": True, "statements": store.doomed.count if store.doomed else 0})


def run_loop(asked: dict[str, Any], say: Callable[[dict[str, Any]], None]) -> None:
    """Write as one of many, saying each deed before and after."""
    crowd.live(crowd.Life(Stage(*asked["stage"]), **asked["life"]), say)


RUNS = {"deed": run_deed, "signing": run_signing, "loop": run_loop}


def fork(run: str, asked: dict[str, Any], out: int) -> int:
    """Fork a victim that says what it did into a file; answers its process id."""
    pid = os.fork()
    if pid:
        return pid
    status = 1

    def say(told: dict[str, Any]) -> None:
        os.write(out, (json.dumps(told) + "\n").encode())

    try:
        RUNS[run](asked, say)
        status = 0
    except BaseException:
        say({"failed": traceback.format_exc()})
    finally:
        os._exit(status)


def serve() -> None:
    """Answer requests until there are none."""
    for line in sys.stdin:
        asked = json.loads(line)
        answer: dict[str, Any] = {}
        if asked["run"] == "reap":
            answer["status"] = os.waitpid(asked["pid"], 0)[1]
        else:
            with open(asked["out"], "wb", buffering=0) as out:
                pid = fork(asked["run"], asked, out.fileno())
            answer["pid"] = pid
            if asked["run"] != "loop":
                answer["status"] = os.waitpid(pid, 0)[1]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
