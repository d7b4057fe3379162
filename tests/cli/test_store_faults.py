"""Q12: stores that are not what they should be: one sentence, not zero, nothing made, nothing lost."""

from __future__ import annotations

import ctypes
import json
import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.cli.frame import Answer
from tests.cli.inside import Inside
from tests.conftest import missing
from tests.program import ROOT, home_variables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COMMANDS = (
    ("list",),
    ("recall", "depot"),
    ("whoami",),
    ("settings",),
    ("remember", "the depot opens at nine"),
    ("settings", "set", "--max-days", "300", "--reason", "shorter"),
    ("audit", "log"),
    ("audit", "check", "--contents"),
    ("upkeep",),
    ("upgrade", "--yes"),
    ("doctor",),
    ("init", "--tenant", "acme", "--admin", "ana"),
)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch, home: Path, tmp_path: Path) -> tuple[Inside, Path]:
    """A whole store with a note in one file, and the program that has its profile."""
    inside = Inside(monkeypatch)
    path = tmp_path / "whole" / "store.db"
    inside.ok("init", "--tenant", "acme", "--admin", "ana", "--solo", "--store", f"sqlite:///{path}")
    inside.ok("remember", "the depot opens at seven")
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    raw.close()
    return inside, path


def leave_missing(path: Path) -> None:
    path.unlink()


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_empty(path: Path) -> None:
    path.write_bytes(b"")


def make_foreign_file(path: Path) -> None:
    path.write_text("a letter of somebody's, quite long enough to be one\n" * 100)


def make_foreign_database(path: Path) -> None:
    path.unlink()
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE people (name TEXT)")
    raw.close()


def cut_in_the_middle(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 3)


def cut_in_the_first_page(path: Path) -> None:
    os.truncate(path, 1_000)


def overwrite_pages(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 40_960)


def make_newer(path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.commit()
    raw.close()


FAULTS = (
    leave_missing,
    make_folder,
    make_empty,
    make_foreign_file,
    make_foreign_database,
    cut_in_the_middle,
    cut_in_the_first_page,
    overwrite_pages,
    make_newer,
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_file_is_one_sentence_and_stays_as_it_is(
    whole: tuple[Inside, Path], fault: Callable[[Path], None]
) -> None:
    """Q12: whatever the command, even init: not zero, one sentence, no byte of the file changed."""
    inside, path = whole
    fault(path)
    before = bytes_of(path)
    for command in COMMANDS:
        answer = inside.run(*command)
        assert answer.code in (1, 5), (command, answer)
        if command != ("doctor",):
            check_sentence(answer)
        assert bytes_of(path) == before, command


@pytest.mark.parametrize("fault", [make_foreign_file, make_foreign_database, make_folder, overwrite_pages])
def test_a_first_init_overwrites_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: Callable[[Path], None]
) -> None:
    """Q12: what stands where the store should be made is refused, without a profile from before too."""
    path = tmp_path / "here.db"
    path.write_bytes(b"x" * 50_000)
    fault(path)
    before = bytes_of(path)
    answer = Inside(monkeypatch).run("init", "--tenant", "acme", "--admin", "ana", "--store", f"sqlite:///{path}")
    assert answer.code == 1
    check_sentence(answer)
    assert bytes_of(path) == before


def bytes_of(path: Path) -> bytes | None:
    """What stands in a file; None where there is none, and of a folder its names."""
    if path.is_dir():
        return repr(sorted(path.iterdir())).encode()
    return path.read_bytes() if path.exists() else None


def check_sentence(answer: Answer) -> None:
    """One line on stderr, nothing on stdout, no traceback, no word of what was remembered."""
    assert (answer.out, answer.err.count("\n")) == ("", 1), answer
    assert "Traceback" not in answer.err
    assert "fault of the program" not in answer.err
    assert "depot" not in answer.err


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:/here.db",
        "sqlite://here.db",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlte:///here.db",
        "here.db",
        "mysql://host/db",
        "postgres:/host/db",
    ],
)
def test_a_misspelt_url_is_a_usage_error_and_makes_nothing(
    monkeypatch: pytest.MonkeyPatch, home: Path, url: str
) -> None:
    """Q12: and says how a URL is written."""
    monkeypatch.chdir(home)
    inside = Inside(monkeypatch)
    for command in (("list",), ("init", "--admin", "ana"), ("upgrade", "--yes")):
        answer = inside.run(*command, "--tenant", "acme", "--store", url)
        assert (answer.code, "sqlite:///" in answer.err) == (2, True), command
        check_sentence(answer)
    assert list(home.iterdir()) == []


def test_a_server_that_cannot_be_reached_is_one_sentence(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Q12, Q15: the password is not in it."""
    inside = Inside(monkeypatch)
    for command in (("list",), ("init", "--admin", "ana"), ("upgrade", "--yes"), ("doctor",)):
        place = ("--tenant", "acme", "--store", "postgresql://ana:hunter22@127.0.0.1:1/memory")
        answer = inside.run(*command, *place)
        assert (answer.code, "hunter22" in answer.err + answer.out) == (1, False), command
        if command != ("doctor",):
            check_sentence(answer)
    assert list(home.iterdir()) == []


def test_a_database_of_another_program_is_left_alone(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    """Q12: and one that is not there is not made."""
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("CREATE TABLE people (name text)")
    inside = Inside(monkeypatch)
    for url in (
        postgres_url,
        f"{postgres_url}nowhere" if "?" not in postgres_url else "postgresql:///nowhere",
    ):
        for command in (("list",), ("init", "--admin", "ana"), ("upgrade", "--yes")):
            answer = inside.run(*command, "--tenant", "acme", "--store", url)
            assert answer.code == 1, command
            check_sentence(answer)
    with psycopg.connect(postgres_url) as server:
        tables = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert tables == [("people",)]


def test_a_tenant_that_is_not_there_is_not_found(whole: tuple[Inside, Path]) -> None:
    """Q12: an empty name, a wildcard or another's name is nobody's tenant, and nothing is made."""
    inside, _ = whole
    for name in ("beta", "*", "%", "ACME"):
        answer = inside.run("list", "--tenant", name, "--json")
        assert (answer.code, json.loads(answer.err)["error"]["code"]) == (4, "tenant.unknown"), name


@pytest.mark.parametrize("closed", ["file", "folder", "both", "unreadable", "unreachable"])
def test_what_this_user_may_not_write_is_said(whole: tuple[Inside, Path], tmp_path: Path, closed: str) -> None:
    """Q12: a store that cannot be written is one sentence; doctor names the file; nothing is changed."""
    _, path = whole
    modes = {"file": (0o400, 0o700), "folder": (0o600, 0o500), "both": (0o400, 0o500)}
    modes |= {"unreadable": (0, 0o700), "unreachable": (0o600, 0)}
    before = path.read_bytes()
    os.chmod(path, modes[closed][0])
    os.chmod(path.parent, modes[closed][1])
    try:
        written = bound_by_modes(tmp_path, "remember", "the depot opens at nine")
        doctor = bound_by_modes(tmp_path, "doctor", "--json")
    finally:
        os.chmod(path.parent, 0o700)
        os.chmod(path, 0o600)
    assert written.code == 1
    check_sentence(written)
    wrong = {line["what"]: line["says"] for line in json.loads(doctor.out)["items"] if not line["ok"]}
    assert (doctor.code, str(path.parent) in wrong["store" if closed == "unreachable" else "files"]) == (
        1,
        True,
    )
    assert path.read_bytes() == before


def drop_what_no_mode_binds() -> None:
    """Take from a process to come what lets root write anywhere (capabilities(7), CAP_DAC_*)."""
    system = ctypes.CDLL(None, use_errno=True)
    for capability in (1, 2):
        if system.prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
            raise OSError(ctypes.get_errno(), "no capability can be dropped")


def bound_by_modes(place: Path, *arguments: str) -> Answer:
    """Run the program so that the modes of files bind it, whoever runs the tests."""
    variables = {**home_variables(place / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "oz0mem", *arguments],
            env={**variables, "LANG": "C.UTF-8"},
            preexec_fn=None if os.geteuid() else drop_what_no_mode_binds,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except subprocess.SubprocessError:
        missing("modes bind no root, and nothing can be taken from it here")
    return Answer(done.returncode, done.stdout, done.stderr)
