"""Names, scopes, ids and sizes; the words of the specification, C7 for ids."""

from __future__ import annotations

import pytest

from oz0mem.model.errors import Invalid
from oz0mem.model.names import (
    check_entry_prefix,
    check_name,
    check_principal,
    check_project,
    check_scope,
    check_thread,
    parse_bytes,
    project_within,
)

GOOD_NAMES = ["a", "0", "ana", "support-triage", "a.b_c-9", "a" * 64]
BAD_NAMES = [
    "",
    "-a",
    ".a",
    "_a",
    "Ana",
    "a b",
    "a/b",
    "a:b",
    "ä",
    "a\n",
    "a\u200b",
    "٣",
    "a" * 65,
    "a*",
    "a%",
]


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_a_name_is_answered_as_it_is(name: str) -> None:
    """M4: names have small letters, digits, dots, underscores and dashes."""
    assert check_name(name, "agent") == check_project(name) == name


@pytest.mark.parametrize("name", BAD_NAMES)
def test_any_other_name_is_refused_by_its_shape_and_not_repeated(name: str) -> None:
    """M4: the sentence says what has the name; what was given may be a secret in the wrong place."""
    with pytest.raises(Invalid, match="the name of this agent cannot be used") as refused:
        check_name(name, "agent")
    assert refused.value.code == "name.bad"


@pytest.mark.parametrize("path", ["web", "web/checkout", "a/b/c", "a/" * 127 + "a"])
def test_a_project_is_a_path_of_names(path: str) -> None:
    """M20: projects with a slash between their parts."""
    assert check_project(path) == path


@pytest.mark.parametrize("path", ["", "/", "/web", "web/", "web//checkout", "web/../x", "web/Checkout", "a/" * 128])
def test_a_path_with_an_empty_or_foreign_part_is_refused(path: str) -> None:
    """M20: each part is a name, and a path has at most 255 characters."""
    with pytest.raises(Invalid) as refused:
        check_project(path)
    assert refused.value.code == "name.bad"


@pytest.mark.parametrize(
    ("path", "ancestor", "within"),
    [
        ("web", "web", True),
        ("web/checkout", "web", True),
        ("web/checkout/pay", "web", True),
        ("web", "web/checkout", False),
        ("website", "web", False),
        ("web-2/checkout", "web", False),
    ],
)
def test_a_subtree_ends_at_a_slash(path: str, ancestor: str, within: bool) -> None:
    """M20: a path reads its subtree, never a neighbour whose name begins the same."""
    assert project_within(path, ancestor) is within


@pytest.mark.parametrize(("name", "code"), [("Ana", "name.bad"), ("a@b", "name.bad"), ("me", "subject.reserved")])
def test_a_principals_name_is_a_name_and_a_subject(name: str, code: str) -> None:
    """G2: a person's name is their subject id."""
    assert check_principal("ana") == "ana"
    with pytest.raises(Invalid) as refused:
        check_principal(name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("tenant", ("tenant", "")),
        ("agent:concierge", ("agent", "concierge")),
        ("project:web/checkout", ("project", "web/checkout")),
        ("thread:T-1.Ab_2", ("thread", "T-1.Ab_2")),
    ],
)
def test_a_scope_is_read_as_its_kind_and_name(text: str, scope: tuple[str, str]) -> None:
    """M20: the four kinds of scope."""
    assert check_scope(text) == scope


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "scope.bad"),
        ("tenant:", "scope.bad"),
        ("tenant:acme", "scope.bad"),
        ("agent", "scope.bad"),
        ("Agent:x", "scope.bad"),
        ("people:x", "scope.bad"),
        (" tenant", "scope.bad"),
        ("agent:", "name.bad"),
        ("agent:*", "name.bad"),
        ("project:web/", "name.bad"),
        ("thread:", "thread.bad"),
        ("thread:a b", "thread.bad"),
        ("thread:a:b", "thread.bad"),
        ("thread:" + "a" * 129, "thread.bad"),
    ],
)
def test_what_is_no_scope_is_refused(text: str, code: str) -> None:
    """M20: no wildcard, no empty name, no other word."""
    with pytest.raises(Invalid) as refused:
        check_scope(text)
    assert refused.value.code == code


def test_a_thread_is_called_as_its_host_calls_it() -> None:
    """M20: upper and lower case are two threads."""
    assert check_thread("Ab") != check_thread("ab")


@pytest.mark.parametrize("prefix", "ndtrm")
def test_a_whole_id_is_a_letter_a_dash_and_twelve_digits(prefix: str) -> None:
    """C7: as list shows it."""
    text = f"{prefix}-4be1906c22d1"
    assert check_entry_prefix(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n",
        "-4be1",
        "x-4be1906c22d1",
        "nd-4be1906c22d1",
        "n_4be1906c22d1",
        "n-4BE1906C22D1",
        "4be1906c22d1",
    ]
    + [
        "n-4be1906c22d1\n",
        "n-4be1906c22dg",
        "n-4be1906c22d10",
        "n-٤be1906c22d1",
        "n-%",
        "dana",
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    """C7: one shape, ASCII digits only."""
    with pytest.raises(Invalid) as refused:
        check_entry_prefix(text)
    assert (refused.value.code, refused.value.rule) == ("id.bad", "C7")


@pytest.mark.parametrize("count", range(4, 13))
def test_an_id_may_be_shortened_to_four_digits(count: int) -> None:
    """C7: an unambiguous beginning of at least four."""
    text = "m-f7df1fd760ab"[: 2 + count]
    assert check_entry_prefix(text) == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("m-", "id.short"),
        ("m-f7d", "id.short"),
        ("m", "id.bad"),
        ("m-f7df1fd760ab0", "id.bad"),
        ("f7df1fd7", "id.bad"),
        ("m-f7d%", "id.bad"),
        ("dana", "id.bad"),
    ],
)
def test_a_shorter_beginning_is_refused_and_a_person_is_no_id(text: str, code: str) -> None:
    """C7: three digits may be anybody's; never a person's name."""
    with pytest.raises(Invalid) as refused:
        check_entry_prefix(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("1024", 1024),
        ("1B", 1),
        ("1KiB", 1024),
        ("16MiB", 16 << 20),
        ("2gib", 2 << 30),
        ("016mib", 16 << 20),
    ],
)
def test_a_size_is_plain_bytes_or_has_a_binary_unit(text: str, size: int) -> None:
    """G14: 16MiB is 16 times 1,048,576 bytes."""
    assert parse_bytes(text) == size


@pytest.mark.parametrize(
    "text",
    ["", "MiB", "16MB", "16M", "1.5MiB", "-1", "1 MiB", "1e6", "١MiB", "1²", "9" * 16, "9" * 5_000, "iB1"],
)
def test_a_size_in_another_unit_is_refused(text: str) -> None:
    """G14: a megabyte may be either of two sizes, so it is none."""
    with pytest.raises(Invalid) as refused:
        parse_bytes(text)
    assert refused.value.code == "bytes.bad"
