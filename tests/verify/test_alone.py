"""The verifier as one file that somebody was handed: its size, what it needs, and how it is run (L31 to L33)."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from oz0mem import verify
from tests.verify.made import Ledger, compact, key_file, simple

FILE = Path(verify.__file__)
SOURCE = FILE.read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder with a copy of the file, a receipt, its keys, and a head that was held."""
    shutil.copy(FILE, tmp_path / "verify.py")
    ledger = simple()
    (tmp_path / "receipt.json").write_bytes(compact(ledger.receipt(since=4)))
    (tmp_path / "keys.json").write_bytes(key_file())
    (tmp_path / "held.txt").write_text(ledger.head(4), encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the copy, apart from every package and setting of the user's, as somebody with another language would."""
    line = [sys.executable, "-I", "verify.py", *arguments]
    plain = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONIOENCODING": "ascii", **environment}
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, env=plain, check=False, timeout=60)


def test_the_file_has_at_most_300_lines_of_at_most_120_characters() -> None:
    """L33: so that it can be read in an hour; nothing of it is written in the margin."""
    lines = SOURCE.splitlines()
    assert len(lines) <= 300
    assert max(map(len, lines)) <= 120
    assert ";" not in "".join(line.split("#")[0] for line in lines if '"' not in line)


def test_it_imports_the_standard_library_and_cryptography_only() -> None:
    """L33: and cryptography not before a signature is checked, since every command loads the tree (Q1)."""
    tree = ast.parse(SOURCE)
    found = {
        (alias.name if isinstance(node, ast.Import) else str(node.module)).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert found - sys.stdlib_module_names == {"cryptography"}
    assert not any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))
    at_once = {name for node in tree.body if isinstance(node, ast.ImportFrom) for name in [str(node.module)]}
    assert "cryptography" not in {name.split(".")[0] for name in at_once}


def test_a_copy_in_an_empty_folder_says_what_is_proven_and_what_is_not(folder: Path) -> None:
    """L32, L33: without this package, and without a packages' path of the user's."""
    ran = run(folder, "receipt.json", "--keys", "keys.json", "--held", "held.txt")
    assert (ran.returncode, ran.stderr) == (0, "")
    first, second, *rest = ran.stdout.splitlines()
    assert first.startswith("2 records about dana, each with its proof, against a head of 15 signed by ")
    assert first.endswith("; the ledger grew from the head of 4 that you hold")
    assert second == "not proven:"
    assert len(rest) >= 6
    assert all(line.startswith("- ") for line in rest)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("receipt.json",), 8, "not verified (no-keys): "),
        (("keys.json", "--keys", "keys.json"), 8, "not verified (format): "),
        (("receipt.json", "--keys", "receipt.json"), 8, "not verified (keys): "),
        (("receipt.json", "--keys", "keys.json", "--held", "keys.json"), 8, "not verified (head): "),
        (("receipt.json", "--keys", "keys.json", "--held", "bytes"), 8, "not verified (head): "),
        (("bytes", "--keys", "keys.json"), 8, "not verified (not-json): "),
        (("empty", "--keys", "keys.json"), 8, "not verified (not-json): "),
        (("receipt.json", "--keys", "empty"), 8, "not verified (keys): "),
        (("receipt.json", "--keys", "keys.json", "--held", "empty"), 8, "not verified (head): "),
        (("absent.json", "--keys", "keys.json"), 2, "cannot check: "),
        (("receipt.json", "--keys", "."), 2, "cannot check: "),
        (("receipt.json", "--keys", "keys.json", "--held", "ab\x1b[31m\u202e"), 2, "cannot check: "),
        ((), 2, ""),
        (("receipt.json", "--policy", "p.txt"), 2, ""),
    ],
)
def test_what_does_not_hold_ends_with_8_and_what_cannot_be_read_with_2(
    folder: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    """L31: with the code, in one line, never with a traceback."""
    (folder / "bytes").write_bytes(bytes(range(256)))
    (folder / "empty").write_bytes(b"")
    ran = run(folder, *arguments)
    assert ran.returncode == status
    assert "Traceback" not in ran.stdout + ran.stderr
    assert ran.stdout.startswith(said)
    assert ran.stdout.count("\n") == (1 if said else 0)
    assert ran.stdout.isascii()
    assert "\x1b" not in ran.stdout


def test_a_name_reaches_the_terminal_by_its_numbers_where_it_is_not_plain(folder: Path) -> None:
    """C9: right-to-left and look-alike letters cannot change what the sentence says."""
    for name, shown in (("\u05d3\u05e0\u05d4", r"\u05d3\u05e0\u05d4"), ("d\u0430na", r"d\u0430na")):
        (folder / "receipt.json").write_bytes(compact(Ledger(name).erase().close().receipt()))
        ran = run(folder, "receipt.json", "--keys", "keys.json")
        assert ran.returncode == 0
        assert f"about {shown}, each" in ran.stdout
        assert ran.stdout.isascii()


def test_it_says_so_where_cryptography_is_missing_or_too_old(folder: Path) -> None:
    """L33: a Python without the package, or with one that knows no ML-DSA, checks nothing and says why."""
    for source in ("raise ImportError('no such package')", ""):
        fake = folder / "fake"
        fake.mkdir(exist_ok=True)
        (fake / "cryptography.py").write_text(source)
        code = f"import sys; sys.path.insert(0, {str(fake)!r}); import verify; sys.exit(verify.main(sys.argv[1:]))"
        line = [sys.executable, "-S", "-c", code, "receipt.json", "--keys", "keys.json"]
        ran = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
        assert ran.returncode == 2, ran.stderr
        assert ran.stdout.startswith("cannot check: ")
        assert "Traceback" not in ran.stderr


def test_what_main_answers_is_what_the_process_ends_with(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """L31: called from Python as from a shell."""
    receipt, keys = str(folder / "receipt.json"), str(folder / "keys.json")
    assert verify.main([receipt, "--keys", keys]) == 0
    assert verify.main([receipt]) == 8
    assert verify.main([str(folder / "absent"), "--keys", keys]) == 2
    assert capsys.readouterr().out.count("\n") > 6
