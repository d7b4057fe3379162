"""G1, G50, Q12, C1: the store and the installation from the command line."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from oz0mem import wiring
from oz0mem.actions import principals
from oz0mem.adapters import config
from oz0mem.store import schema
from tests.cli.inside import Inside

if TYPE_CHECKING:
    from pathlib import Path

INIT = ("init", "--tenant", "acme", "--admin", "ana")


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, home: Path) -> Inside:
    """The program in an empty home."""
    return Inside(monkeypatch)


def made(inside: Inside, *words: str) -> dict[str, Any]:
    """What ``init`` answers."""
    return dict(json.loads(inside.ok(*INIT, *words, "--json")))


def test_init_says_where_everything_is_and_keeps_it_to_its_owner(inside: Inside, home: Path) -> None:
    """G1: store, profile and credentials are named, and nobody else may read them."""
    told = made(inside, "--solo")
    said = inside.ok(*INIT)
    assert told["key"] in tomllib.loads((home / ".config/oz0mem/keys.toml").read_text())["acme/oz0mem"]
    for name in ("store", "config", "credentials"):
        assert told[name] in said
    files = [file for file in home.rglob("*") if file.is_file()]
    assert {file.name for file in files} == {
        "oz0mem.db", "config.toml", "credentials.toml", "keys.toml", "signed.json", ".signing"
    }  # fmt: skip
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    kept = tomllib.loads((home / ".config/oz0mem/credentials.toml").read_text())
    assert kept["default"]["token"] == told["admins"][0]["token"]
    assert told["ledger"] == "acme/oz0mem"


def test_init_run_again_changes_nothing(inside: Inside, home: Path, store_url: str) -> None:
    """C3, Q14: the same command again ends with 0 and changed false, on both back ends."""
    place = ("--store", store_url)
    first = made(inside, *place)
    files = {file: file.read_bytes() for file in home.rglob("*.toml")}
    size = len(json.loads(inside.ok("audit", "log", "--json"))["items"])
    again = made(inside, *place)
    assert (first["changed"], again["changed"], again["admins"]) == (True, False, [])
    assert {file: file.read_bytes() for file in home.rglob("*.toml")} == files
    assert len(json.loads(inside.ok("audit", "log", "--json"))["items"]) == size


def test_two_admins_get_two_tokens_and_four_eyes(inside: Inside) -> None:
    """G13: four eyes is on from the start; the first admin's token alone is kept."""
    told = made(inside, "--admin", "bob")
    assert [admin["name"] for admin in told["admins"]] == ["ana", "bob"]
    assert len({admin["token"] for admin in told["admins"]}) == 2
    assert json.loads(inside.ok("settings", "--json"))["four_eyes"] is True


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("init",), "init.tenant"),
        (("init", "--tenant", "acme"), "init.admin"),
        (("init", "--tenant", "Acme Corp", "--admin", "ana"), "name.bad"),
        (("init", "--tenant", "acme", "--admin", "work"), "subject.reserved"),
        (("init", "--tenant", "acme", "--admin", "ana", "--admin", "ana"), "init.admin"),
        (("init", "--tenant", "acme", "--admin", "ana", "--admin", "bob", "--solo"), "init.solo"),
        (("init", "--tenant", "acme", "--admin", "ana", "--origin", "a b"), "init.origin"),
    ],
)
def test_what_cannot_be_made_makes_nothing(inside: Inside, home: Path, words: tuple[str, ...], code: str) -> None:
    """Q12: a usage error before anything is on the disk."""
    answer = inside.run(*words, "--json")
    assert (answer.code, json.loads(answer.err)["error"]["code"]) == (2, code)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("words", [("--solo",), ("--origin", "other/oz0mem"), ("--admin", "bob")])
def test_what_contradicts_the_tenant_that_is_there_is_refused(inside: Inside, words: tuple[str, ...]) -> None:
    """G1: an option that would have no effect is not taken in silence."""
    made(inside)
    answer = inside.run(*INIT, *words, "--json")
    assert (answer.code, json.loads(answer.err)["error"]["code"]) == (5, "init.different")


@pytest.mark.parametrize(
    "point",
    [
        (schema, "make_tenant"),
        (config, "keep_profile"),
        (principals, "open_tenant"),
        (config, "keep_token"),
        (wiring, "forget_first_tokens"),
    ],
    ids=lambda point: str(point[1]) if isinstance(point, tuple) else "",
)
def test_a_crash_between_two_steps_is_mended_by_running_again(
    inside: Inside, store_url: str, point: tuple[Any, str]
) -> None:
    """Q10: before each step in turn the process ends; the next run finishes, and both tokens are told."""
    words = (*INIT, "--admin", "bob", "--store", store_url, "--json")

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with inside.patch.context() as patch:
        patch.setattr(*point, crash)
        assert inside.run(*words).code == 130
    told = json.loads(inside.ok(*words))
    assert [admin["name"] for admin in told["admins"]] == ["ana", "bob"]
    assert "ana" in inside.ok("whoami")
    inside.patch.setenv("OZ0MEM_TOKEN", told["admins"][1]["token"])
    assert "bob" in inside.ok("whoami")
    assert json.loads(inside.ok(*words))["changed"] is False
    assert json.loads(inside.ok("audit", "check", "--json"))["ok"] is True


def test_a_second_tenant_leaves_the_profile_of_the_first(inside: Inside, home: Path) -> None:
    """G1: ana's token is not overwritten by that of another tenant's admin."""
    made(inside)
    kept = (home / ".config/oz0mem/credentials.toml").read_bytes()
    told = json.loads(inside.ok("init", "--tenant", "beta", "--admin", "bob", "--json"))
    assert (told["profile"], told["changed"]) == (None, True)
    place = f"--profile NAME --tenant beta --store {told['store']}"
    said = inside.ok("init", "--tenant", "beta", "--admin", "bob")
    assert "profile      default is taken by another tenant or store, and stays so" in said
    assert f"oz0mem login {place}" in said
    assert (home / ".config/oz0mem/credentials.toml").read_bytes() == kept
    assert "acme" in inside.ok("whoami")
    inside.patch.setenv("OZ0MEM_TOKEN", told["admins"][0]["token"])
    assert inside.run("whoami").code == 6, "bob's token is nobody's in acme"
    assert "bob" in inside.ok("--tenant", "beta", "whoami")


def test_a_tokens_place_is_told_where_the_profile_is_taken(inside: Inside, tmp_path: Path) -> None:
    """G1: the same tenant in another store; its token is not kept, and what is told keeps it."""
    made(inside)
    place = ("--tenant", "acme", "--store", f"sqlite:///{tmp_path}/other.db")
    said = inside.ok("init", *place, "--admin", "ana", "--solo")
    assert "the token is not kept; keep one in another profile: oz0mem login --profile NAME --tenant acme" in said
    assert "another tenant's" not in said
    (token,) = re.findall(r"token +ana: (\w+)", said)
    inside.ok("login", "--profile", "other", *place, stdin=token)
    assert "solo" in inside.ok("whoami", "--profile", "other")


def test_a_tenant_that_is_not_solo_is_told_what_that_means(inside: Inside) -> None:
    """G1, G11: while changes cannot wait, agents that learn take a solo store; that is told when it is made."""
    assert "agents that learn cannot be declared here until changes can wait" in inside.ok(*INIT)
    assert "agents that learn" not in inside.ok(*INIT)
    assert "agents that learn" not in inside.ok("init", "--profile", "p", "--tenant", "b", "--admin", "ana", "--solo")


def test_a_store_that_is_gone_is_not_made_anew(inside: Inside, home: Path) -> None:
    """Q12: never a fresh empty store in place of the one that was meant."""
    made(inside)
    (path,) = home.rglob("oz0mem.db")
    for left in (None, b""):
        for file in path.parent.iterdir():
            file.unlink()
        if left is not None:
            path.write_bytes(left)
        answer = inside.run(*INIT, "--json")
        assert (answer.code, json.loads(answer.err)["error"]["code"]) == (5, "init.lost")
        assert path.exists() == (left is not None)
        assert inside.run("whoami").code == 1


def test_the_profile_finds_the_store_from_every_folder(
    inside: Inside, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C1: a store named by a relative path is kept as an absolute one."""
    monkeypatch.chdir(home)
    made(inside, "--store", "sqlite:///here.db")
    monkeypatch.chdir("/")
    assert "ana" in inside.ok("whoami")


def test_config_show_says_where_each_value_comes_from(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """C1: option before variable before file before default; the token itself is not shown."""
    token = made(inside)["admins"][0]["token"]
    monkeypatch.setenv("OZ0MEM_TENANT", "other")
    said = inside.ok("config", "show", "--origin", "--utc", "--json")
    rows = {row["setting"]: (row["value"], row["origin"]) for row in json.loads(said)["items"]}
    assert rows["tenant"] == ("other", "variable")
    assert rows["utc"] == ("true", "option")
    assert rows["store"][1].endswith("config.toml")
    assert rows["token"][0] == "kept"
    assert token not in said
    assert "origin" not in inside.ok("config", "show").splitlines()[0]


def test_a_password_in_a_url_is_shown_to_nobody(inside: Inside) -> None:
    """Q15: neither before the host nor behind the question mark."""
    for url in ("postgresql://ana:pa:ss@host/db", "postgresql://host/db?user=ana&password=pa:ss&x=1"):
        said = inside.ok("config", "show", "--store", url)
        assert ("pa:ss" in said, "***" in said, "host/db" in said) == (False, True, True)


def test_doctor_says_what_to_do(inside: Inside, home: Path) -> None:
    """Q12: each line is ok or says what to do; 1 where something has to be done."""
    assert inside.run("doctor").code == 1
    made(inside, "--solo")
    assert "solo" in inside.ok("doctor")
    (path,) = home.rglob("oz0mem.db")
    path.chmod(0o644)
    answer = inside.run("doctor", "--json")
    wrong = [line for line in json.loads(answer.out)["items"] if not line["ok"]]
    assert (answer.code, [line["what"] for line in wrong]) == (1, ["files"])
    assert str(path) in wrong[0]["do"]
    path.chmod(0o600)
    inside.now -= 86_400_000_000
    assert "clock" in inside.run("doctor").out
    (home / ".config/oz0mem/credentials.toml").chmod(0o644)
    answer = inside.run("doctor")
    assert (answer.code, "chmod 600" in answer.out) == (1, True)


def test_upgrade_and_upkeep_with_nothing_to_do_change_nothing(inside: Inside) -> None:
    """C3: nothing to do is 0 and changed false."""
    made(inside)
    for line in (("upgrade",), ("upkeep",), ("upkeep", "--dry-run")):
        assert json.loads(inside.ok(*line, "--json"))["changed"] is False


def test_upkeep_compacts_where_it_is_asked_to(inside: Inside) -> None:
    """L22, C6: both sizes; a dry run says about how much and changes nothing."""
    made(inside)
    counted = json.loads(inside.ok("upkeep", "--compact", "--dry-run", "--json"))
    assert counted["changed"] is False and counted["compacted"].keys() == {"before", "after"}
    assert "compacted the store, " in inside.ok("upkeep", "--compact")
    done = json.loads(inside.ok("upkeep", "--compact", "--json"))
    assert done["changed"] is True and done["compacted"]["after"] <= done["compacted"]["before"]
