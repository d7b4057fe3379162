"""Small documents: plain data with lines, bounded, whatever the file."""

from __future__ import annotations

import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from oz0mem.adapters.documents import read_document
from oz0mem.model.errors import Invalid

YAML = "a: 1\nb:\n  c: [x, y]\n  d:\n    - 1\n    - e: true\n"
JSON = '{"a": 1,\n"b": {\n "c": ["x", "y"],\n "d": [\n 1,\n {"e": true}]}}'
TOML = 'a = 1\n[b]\nc = ["x", "y"]\n\n# d follows\n[[b.d]]\ne = "]"\n[[b.d]]\ne = 2\n'


@pytest.mark.parametrize(
    ("name", "text"), [("f.yaml", YAML), ("f.json", JSON), ("F.YML", YAML), ("-", YAML), ("-", JSON)]
)
def test_yaml_and_json_are_the_same_data(name: str, text: str) -> None:
    """C7: a file by its ending, standard input by how it begins."""
    assert read_document(text.encode(), name).data == {"a": 1, "b": {"c": ["x", "y"], "d": [1, {"e": True}]}}


def test_every_part_knows_its_line() -> None:
    """C4: a refusal can say where."""
    lines = read_document(YAML.encode(), "f.yaml").lines
    assert {path: line for path, line in lines.items() if path.startswith("b.d")} == {
        "b.d": 4, "b.d[0]": 5, "b.d[1]": 6, "b.d[1].e": 6,
    }  # fmt: skip
    assert (lines[""], lines["a"], lines["b"], lines["b.c"], lines["b.c[1]"]) == (1, 1, 2, 3, 3)
    lines = read_document(JSON.encode(), "f.json").lines
    assert (lines["b.c[1]"], lines["b.d"], lines["b.d[1].e"]) == (3, 4, 6)


@pytest.mark.parametrize("name", ["f.toml", "-"])
def test_toml_tables_and_arrays_of_tables_know_their_lines(name: str) -> None:
    """C4: through strings, comments and brackets."""
    document = read_document(TOML.encode(), name)
    assert document.data == {"a": 1, "b": {"c": ["x", "y"], "d": [{"e": "]"}, {"e": 2}]}}
    paths = ("a", "b", "b.c", "b.c[1]", "b.d[0].e", "b.d[1].e", "none")
    assert [document.line_of(path) for path in paths] == [1, 2, 3, 3, 7, 9, 1]


def test_toml_lines_hold_behind_long_strings() -> None:
    """C4: a string in triple quotes may hold quotes, brackets and what looks like a key."""
    text = 'a = \'\'\'\nb = 1\n\'\'\'\nc = """x"""""\nd = [\n  \'#\', # [\n  2,\n]\n"e.f" . g = 3\n'
    document = read_document(text.encode(), "f.toml")
    assert document.data == {"a": "b = 1\n", "c": 'x""', "d": ["#", 2], "e.f": {"g": 3}}
    assert [document.line_of(path) for path in ("a", "c", "d", "e.f.g")] == [1, 4, 5, 9]


def test_plain_words_of_yaml_are_read_by_its_newer_schema() -> None:
    """Q14: no, on and 12:30 mean the same in every program."""
    text = "a: no\nb: on\nc: 12:30\nd: 2026-12-01\ne: ~\nf: 0777\ng: 1_000\nh: '1'\ni: -1\nj: 1e3\nk: True"
    assert read_document(text.encode(), "f.yaml").data == {
        "a": "no", "b": "on", "c": "12:30", "d": "2026-12-01", "e": None, "f": 777, "g": "1_000", "h": "1",
        "i": -1, "j": 1000.0, "k": True,
    }  # fmt: skip


def test_a_byte_order_mark_and_windows_line_ends_are_taken() -> None:
    """C7: whoever saved the file."""
    document = read_document(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n", "f.yaml")
    assert (document.data, document.line_of("b")) == ({"a": 1, "b": 2}, 2)


DEEP = 100_000
BAD = [
    ("f.yaml", "a: &x 1\nb: *x", 1),
    ("f.yaml", "a: 1\nb: *x", 2),
    ("f.yaml", "a: !!python/object/apply:os.system [x]", 1),
    ("f.yaml", "a: !x 1", 1),
    ("f.yaml", "a: 1\nb: 2\na: 3", 3),
    ("f.yaml", "<<: {a: 1}", 1),
    ("f.yaml", "? [a]\n: 1", 1),
    ("f.yaml", "a: 1\n---\nb: 2", 2),
    ("f.yaml", "a: .nan", 1),
    ("f.yaml", "a: 1e999", 1),
    ("f.yaml", "a: " + "9" * 5000, 1),
    ("f.yaml", "a: 1\n b: 2", 2),
    ("f.yaml", "a: 1\n\tb: 2", 2),
    ("f.yaml", 'a: "\\ud800"', 1),
    ("f.yaml", 'a: "\\UFFFFFFFF"', 1),
    ("f.yaml", "a: " + "[" * DEEP, 1),
    ("f.yaml", "- 1", 1),
    ("f.yaml", "just words", 1),
    ("f.yaml", " \n", 1),
    ("f.json", '{"a": 1,\n"a": 2}', 2),
    ("f.json", '{"a": NaN}', 1),
    ("f.json", '{"a": -Infinity}', 1),
    ("f.json", '{"a": 1e999}', 1),
    ("f.json", '{"a": ' + "9" * 5000 + "}", 1),
    ("f.json", '{"a": "\\ud800"}', 1),
    ("f.json", '{"a": 1} {"b": 2}', 1),
    ("f.json", '{"a": 1,\n}', 2),
    ("f.json", '{"a": [1 2]}', 1),
    ("f.json", '{"a": ' + "[" * DEEP, 1),
    ("f.json", '{\n"a":', 2),
    ("f.json", "{a: 1}", 1),
    ("f.json", "[1]", 1),
    ("f.toml", "a = 1\na = 2", 2),
    ("f.toml", "a = 1\nb = nan", 2),
    ("f.toml", "a = 1\n[b]\nc = 2026-12-01", 3),
    ("f.toml", "a = " + "[" * DEEP, 1),
    ("f.toml", ".".join("a" * 100_000) + " = 1", 1),
    ("f.toml", "a = {" + ".".join("a" * 100_000) + " = 1}", 1),
    ("f.toml", '[""]\nx = ["""a"""", {' + ".".join("a" * 100_000) + " = 1}]", 2),
    ("f.toml", "a = " + "9" * 5000, 1),
    ("f.toml", "a = 1\nb", 2),
    ("f.toml", "a = '\nb = 1", 2),
    ("f.yaml", "a: 1\nb: \x00", 2),
    ("f.yaml", "a: 1\nb: \x1b[31m", 2),
    ("f.json", '{"a":\n"\x00"}', 2),
]


@pytest.mark.parametrize(("name", "text", "line"), BAD)
def test_what_is_dangerous_or_ambiguous_is_refused_with_its_line(name: str, text: str, line: int) -> None:
    """C4: by a sentence with file and line, quickly, whatever its size."""
    began = time.process_time()
    with pytest.raises(Invalid, match=rf"^{name} line {line}: ") as refused:
        read_document(text.encode(), name)
    assert (refused.value.code, refused.value.facts) == ("document.bad", {"file": name, "line": line})
    assert time.process_time() - began < 5


def test_a_file_that_is_too_large_or_no_utf8_is_refused() -> None:
    """C4: before anything is parsed."""
    with pytest.raises(Invalid, match="larger than 256 KiB"):
        read_document(b"a: " + b"x" * (256 * 1024), "f.yaml")
    with pytest.raises(Invalid, match="line 3: not valid UTF-8"):
        read_document(b"a: 1\nb: 2\nc: \xff", "f.yaml")


def test_aliases_that_would_grow_without_end_cost_nothing() -> None:
    """C4: nothing is built before it was looked at."""
    bomb = "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(40))
    with pytest.raises(Invalid, match=r"anchors \(&\) are not taken"):
        read_document(bomb.encode(), "f.yaml")


def test_a_secret_in_a_file_that_cannot_be_read_is_not_repeated() -> None:
    """M8: an error never carries what a file says."""
    for name, text in (
        ("f.json", '{"a": ghp_secret}'),
        ("f.yaml", "a: [ghp_secret"),
        ("f.toml", "a = ghp_secret"),
    ):
        with pytest.raises(Invalid) as refused:
            read_document(text.encode(), name)
        assert "ghp_secret" not in refused.value.message + refused.value.hint


WORDS = st.text(st.sampled_from("ab:-[]{}#&*!|>'\"\\=.,\n \t?<%@0é\u2028"), max_size=60)


@given(st.sampled_from(["f.yaml", "f.json", "f.toml", "-"]), WORDS.map(str.encode) | st.binary(max_size=60))
def test_no_bytes_do_more_than_be_taken_or_refused(name: str, raw: bytes) -> None:
    """Q12: whatever a file holds."""
    try:
        document = read_document(raw, name)
    except Invalid as refused:
        assert refused.code == "document.bad"
    else:
        assert all(line >= 1 for line in document.lines.values())


NAMES = st.text("abc.", min_size=1, max_size=4)
# Without digits: PyYAML leaves 0e0 without quotes, which YAML 1.2 reads as a number.
WRITTEN = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Nd"], exclude_characters="\ufeff"), max_size=8
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | WRITTEN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(NAMES, PLAIN, min_size=1, max_size=4))
def test_what_another_program_writes_is_read_as_it_was_meant(data: dict[str, object]) -> None:
    """Q12: YAML as PyYAML writes it."""
    written = yaml.safe_dump(data, allow_unicode=True)
    try:
        assert read_document(written.encode(), "f.yaml").data == data
    except Invalid as refused:
        assert "anchors" in refused.message or "nested" in refused.message or "not allowed" in refused.message
