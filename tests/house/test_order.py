"""Where things live: one floor above the other, one name for one thing."""

from __future__ import annotations

import ast
import os
import pwd
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import FLOORS, PACKAGE, ROOT, Source, read_sources, walk_imports

TEXTS = {".py", ".md", ".toml", ".cfg", ".ini", ".txt", ".json", ".jsonl", ".yaml", ".yml", ".sh", ""}
OWN_FOLDERS = {"docs", "house", "fixtures", "python", "reliability", "verify"}


def test_imports_go_down_the_stairs_only() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("floor", FLOORS)
def test_every_floor_has_modules_and_a_folder_of_tests(floor: str) -> None:
    assert read_sources(f"{PACKAGE}/{floor}")
    assert any("/test_" in source.path for source in read_sources(f"tests/{floor}"))


def test_every_folder_of_tests_mirrors_a_floor() -> None:
    folders = {p.name for p in (ROOT / "tests").iterdir() if p.is_dir() and any(p.rglob("*.py"))}
    assert folders - OWN_FOLDERS <= {*FLOORS, "mcp", "http"}


def test_every_folder_of_the_package_is_a_package() -> None:
    folders = {Path(source.path).parent for source in read_sources(PACKAGE)}
    assert not [str(folder) for folder in folders if not (ROOT / folder / "__init__.py").is_file()]


def test_no_module_is_named_for_nothing() -> None:
    empty = re.compile(r"(^|_)(utils?|helpers?|managers?|misc|common)(_|$)")
    names = {source.path: Path(source.path).stem for source in read_sources(PACKAGE, "tests", "bench")}
    assert not [path for path, name in names.items() if empty.search(name)]


def test_every_module_opens_with_what_it_promises() -> None:
    sources = read_sources(PACKAGE, "tests", "bench")
    assert not [source.path for source in sources if source.text and not ast.get_docstring(source.tree)]


def test_no_module_imports_a_star_or_relatively() -> None:
    froms = [
        (source.path, node)
        for source in read_sources(PACKAGE, "tests", "bench")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ImportFrom)
    ]
    assert froms
    assert not [(path, n.module) for path, n in froms if n.level or any(a.name == "*" for a in n.names)]


def test_the_model_imports_the_standard_library_only() -> None:
    assert not strangers(read_sources(f"{PACKAGE}/model"), {PACKAGE})


def test_the_verifier_imports_the_standard_library_and_cryptography_only() -> None:
    verifier = tuple(s for s in read_sources(PACKAGE) if s.path == f"{PACKAGE}/verify.py")
    assert not strangers(verifier, {"cryptography"})


def strangers(sources: tuple[Source, ...], known: set[str]) -> list[tuple[str, str]]:
    """Which files import a top-level module beside the standard library and ``known``."""
    allowed = known | sys.stdlib_module_names
    return [(s.path, name) for s in sources for name in walk_imports(s) if name.split(".")[0] not in allowed]


def test_no_exception_is_swallowed_without_a_word() -> None:
    handlers = [
        (f"{source.path}:{node.lineno}", node)
        for source in read_sources(PACKAGE, "tests", "bench", ".ci")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ExceptHandler)
    ]
    assert handlers
    assert not [place for place, handler in handlers if swallows(handler)]


def swallows(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes what it did not ask for, or takes everything and says nothing."""
    everything = isinstance(handler.type, ast.Name) and handler.type.id in {"Exception", "BaseException"}
    return handler.type is None or (everything and all(isinstance(line, ast.Pass) for line in handler.body))


def test_no_file_names_a_path_of_the_machine_it_was_written_on() -> None:
    here = [str(ROOT), pwd.getpwuid(os.getuid()).pw_dir + "/", sys.prefix + "/"]
    people = r"/(?:home|Users)/(?!dana\b|ana\b|bob\b)[a-z]\w*/"
    pattern = re.compile("|".join([*map(re.escape, here), people]))
    read = [(path, path.read_text(encoding="utf-8", errors="replace")) for path in tracked_texts()]
    assert read
    assert not [str(path) for path, text in read if pattern.search(text)]


def tracked_texts() -> list[Path]:
    """The text files that are in version control, or would be."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [ROOT / line for line in listing.stdout.splitlines()]
    return [file for file in files if file.suffix in TEXTS and file.is_file()]
