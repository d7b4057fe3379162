"""Where the program finds its store, tenant and token (C1, G1).

Promises one order for every value (option, ``OZ0MEM_*``, ``oz0mem.toml`` found upwards, the user's
``config.toml``, default) and that each value can say where it comes from; that credentials are read only from
a file that nobody else can read. Leaves what the values are used for to the wiring.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.model.errors import Fault, Forbidden, Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping

PROJECT_FILE = "oz0mem.toml"
SETTINGS = ("store", "tenant", "format", "no_color", "quiet", "utc")
"""What a configuration file may set for a profile."""
_LARGEST = 64 * 1024


KEPT_BACK = "kept back: a project's file names another store"
"""Where a token comes from that is not used."""


class Value(NamedTuple):
    """A value and where it comes from."""

    value: str
    origin: str


class Found(NamedTuple):
    """Everything that the program was configured with."""

    profile: str
    values: dict[str, Value]
    token: Value
    job: Value
    folder: Path
    credentials: Path

    def get(self, name: str, default: str = "") -> str:
        """One value, or the default."""
        found = self.values.get(name)
        return found.value if found else default


def folders() -> tuple[Path, Path]:
    """The user's folders for configuration and for data."""
    import platformdirs

    return platformdirs.user_config_path("oz0mem", False), platformdirs.user_data_path("oz0mem", False)


def default_store(data: Path) -> str:
    """The URL of the embedded store in a user's data folder."""
    return f"sqlite:///{data / 'oz0mem.db'}"


def find(
    given: Mapping[str, str | None], environment: Mapping[str, str] | None = None, start: Path | None = None
) -> Found:
    """Find every value.

    Args:
        given: options by name (``store``, ``tenant``, ``profile``), None where not given.
        environment: variables; the process's where None.
        start: where the search for ``oz0mem.toml`` begins; the working directory where None.

    Raises:
        Invalid: ``config.bad`` where a file is not what it should be, with its line.
        Forbidden: ``config.mode`` where others may read the credentials.
    """
    env = os.environ if environment is None else environment
    config, data = folders()
    project = _upwards(start)
    profile = given.get("profile") or env.get("OZ0MEM_PROFILE") or "default"
    layers: list[tuple[str, Mapping[str, Any]]] = [
        ("option", {name: value for name, value in given.items() if value}),
        ("variable", {name: env[key] for name in SETTINGS if env.get(key := f"OZ0MEM_{name.upper()}")}),
    ]
    layers += [(str(path), _profile(path, profile)) for path in (project, config / "config.toml") if path is not None]
    layers.append(("default", {"store": default_store(data)}))
    values: dict[str, Value] = {}
    for origin, layer in layers:
        for name, value in layer.items():
            if name != "profile":
                values.setdefault(name, Value(str(value), origin))
    credentials = config / "credentials.toml"
    token = env.get("OZ0MEM_TOKEN", "")
    kept = Value(token, "variable") if token else Value(_token(credentials, profile), str(credentials))
    if not token and _is_elsewhere(values["store"], project, config / "config.toml", profile):
        kept = Value("", KEPT_BACK)
    return Found(profile, values, kept, Value(env.get("OZ0MEM_JOB", ""), "variable"), config, credentials)


def _is_elsewhere(store: Value, project: Path | None, own: Path, profile: str) -> bool:
    """Whether a project's file names a store that is not the profile's.

    A folder that somebody else made must not lead this user's token, and what they write, to a store of its own.
    """
    return store.origin == str(project) and store.value != _profile(own, profile).get("store")


def _upwards(start: Path | None) -> Path | None:
    try:
        here = (start or Path.cwd()).absolute()
    except OSError:
        return None
    return next((path for folder in (here, *here.parents) if (path := folder / PROJECT_FILE).is_file()), None)


def read(path: Path) -> dict[str, Any]:
    """A configuration file as its document; {} where there is none.

    Raises:
        Fault: ``config.unreadable``.
        Invalid: ``config.bad``, with its line.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Fault(
            "config.unreadable", f"{path} cannot be read: {error.strerror}", hint="check its permissions"
        ) from None
    import tomllib

    try:
        if len(raw) > _LARGEST:
            raise ValueError("it is larger than 64 KiB")
        return tomllib.loads(raw.decode())
    except ValueError as error:
        raise Invalid(
            "config.bad", f"{path} is no configuration: {error}", hint="mend it or take it away", rule="C1"
        ) from None


def _profile(path: Path, profile: str) -> dict[str, Any]:
    """The values of a profile in a file: those at its top, over them the profile's own."""
    document = read(path)
    top = {name: value for name, value in document.items() if name != "profile"}
    profiles = document.get("profile", {})
    own = profiles.get(profile, {}) if isinstance(profiles, dict) else {}
    merged = {**top, **(own if isinstance(own, dict) else {})}
    unknown = sorted(set(merged) - set(SETTINGS))
    if unknown:
        raise Invalid(
            "config.bad",
            f"{path} sets what there is not: {unknown[0][:40]!r}",
            hint=f"known are {', '.join(SETTINGS)}",
            rule="C1",
        )
    return merged


def _token(path: Path, profile: str) -> str:
    if not path.exists():
        return ""
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise Forbidden(
            "config.mode",
            f"{path} can be read by others, so it is not used",
            hint=f"chmod 600 {path}",
            rule="G1",
        )
    kept = read(path).get(profile, {})
    return str(kept.get("token", "")) if isinstance(kept, dict) else ""


def keep_token(path: Path, profile: str, token: str) -> None:
    """Keep a profile's token in the credentials file, mode 0600, written whole or not at all."""
    document = read(path)
    document[profile] = {"token": token}
    write(path, document)


def profile_of(path: Path, profile: str) -> dict[str, Any]:
    """What the user's ``config.toml`` sets for a profile."""
    return _profile(path, profile)


def profiles(folder: Path) -> list[str]:
    """The profiles that the user's files and the project's know, by name."""
    known = set(read(folder / "credentials.toml"))
    for path in (_upwards(None), folder / "config.toml"):
        named = read(path).get("profile", {}) if path is not None else {}
        known.update(named if isinstance(named, dict) else {})
    return sorted(known)


def has_token(path: Path, profile: str) -> bool:
    """Whether the credentials file has a token for a profile."""
    return bool(_token(path, profile))


def keep_profile(path: Path, profile: str, values: Mapping[str, str]) -> bool:
    """Keep values of a profile in the user's ``config.toml``, beside its others; answers whether it changed.

    The file is for its owner alone: a store's URL may hold a password.
    """
    if values.items() <= _profile(path, profile).items():
        return False
    document = read(path)
    document.setdefault("profile", {}).setdefault(profile, {}).update(values)
    write(path, document)
    return True


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Write a configuration file for its owner alone (mode 0600), whole or not at all.

    Raises:
        Fault: ``config.unwritable``.
    """
    import tomli_w

    from oz0mem.adapters import files

    files.write(path, tomli_w.dumps(dict(document)).encode())


def environment(home: Path, token: str = "") -> dict[str, str]:
    """The process's variables for a program with a home of its own, and somebody's token."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OZ0MEM_", "XDG_"))}
    kept |= {"HOME": str(home), "USERPROFILE": str(home), "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
    kept |= {"XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data")}
    return {**kept, "OZ0MEM_TOKEN": token} if token else kept
