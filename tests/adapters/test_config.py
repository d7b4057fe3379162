"""C1, G1: where the program finds its store, tenant and token, and from whom it takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem import wiring
from oz0mem.adapters import config
from oz0mem.model.errors import Forbidden, Invalid

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder below another, in a home with a profile and a token."""
    settings, _ = config.folders()
    config.keep_profile(settings / "config.toml", "default", {"store": "sqlite:////own.db", "tenant": "acme"})
    config.keep_token(settings / "credentials.toml", "default", "ana's token")
    work = home / "work" / "deep"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    return work


def none_given() -> dict[str, str | None]:
    """No option at all."""
    return {"store": None, "tenant": None, "profile": None}


def test_an_option_goes_before_a_variable_before_files_before_defaults(folder: Path) -> None:
    """C1: one order, and each value says where it comes from."""
    assert config.find(none_given(), {}).get("store") == "sqlite:////own.db"
    (folder.parent / "oz0mem.toml").write_text('tenant = "project"\n')
    found = config.find(none_given(), {})
    assert found.values["tenant"] == config.Value("project", str(folder.parent / "oz0mem.toml"))
    assert config.find(none_given(), {"OZ0MEM_TENANT": "variable"}).get("tenant") == "variable"
    given = {**none_given(), "tenant": "option"}
    assert config.find(given, {"OZ0MEM_TENANT": "variable"}).values["tenant"] == config.Value("option", "option")
    assert config.find({**none_given(), "profile": "nobody"}, {}).values["store"].origin == "default"


def test_a_projects_file_does_not_lead_the_token_to_another_store(folder: Path) -> None:
    """G1: a folder that somebody else made names a store of its own; the user's token is not for it."""
    (folder / "oz0mem.toml").write_text('store = "sqlite:////theirs.db"\n')
    found = config.find(none_given(), {})
    assert (found.get("store"), found.token.value) == ("sqlite:////theirs.db", "")
    with pytest.raises(Forbidden) as refused:
        wiring.context_of(found)
    assert refused.value.code == "config.store"
    assert config.find({**none_given(), "store": "sqlite:////theirs.db"}, {}).token.value == "ana's token"
    assert config.find(none_given(), {"OZ0MEM_TOKEN": "mine"}).token.value == "mine"
    (folder / "oz0mem.toml").write_text('store = "sqlite:////own.db"\n')
    assert config.find(none_given(), {}).token.value == "ana's token"


def test_credentials_that_others_can_read_are_not_used(folder: Path) -> None:
    """G1: the credentials are mode 0600, or they are refused with what to type."""
    settings, _ = config.folders()
    path = settings / "credentials.toml"
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    with pytest.raises(Forbidden) as refused:
        config.find(none_given(), {})
    assert refused.value.code == "config.mode"
    assert str(path) in refused.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "store = ",
        "\x00",
        'colour = "red"',
        "[profile]\ndefault = 3",
        "x" * 70_000,
        '[profile.default]\nstor = "x"',
    ],
)
def test_a_file_that_is_no_configuration_is_refused(folder: Path, text: str) -> None:
    """C1: bad input says which file, never a traceback."""
    (folder / "oz0mem.toml").write_text(text)
    if "default = 3" in text:
        assert config.find(none_given(), {}).get("tenant") == "acme"
        return
    with pytest.raises(Invalid) as refused:
        config.find(none_given(), {})
    assert refused.value.code == "config.bad"
    assert "oz0mem.toml" in refused.value.message
