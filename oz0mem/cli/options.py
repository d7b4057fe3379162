"""The options that every command takes, before it or after it (C1).

Promises one set of them for an invocation, gathered wherever they stand, and ``current()`` for commands that
ask. An option goes before a variable ``OZ0MEM_*``, and that before what a configuration file settles. Leaves
store, tenant and profile from variables and files to the configuration, which knows what they name.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import NamedTuple

from oz0mem.model.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMATS = ("table", "json", "jsonl", "csv", "yaml")


class Option(NamedTuple):
    """One global option: its name without dashes, what it takes (empty for a switch) and its line of help."""

    name: str
    takes: str
    line: str


OPTIONS = (
    Option("store", "URL", "Where the memory is: sqlite:///FILE or postgresql://..."),
    Option("tenant", "T", "Whose memory it is."),
    Option("profile", "P", "The profile whose store, tenant and credentials are used."),
    Option("format", "FORMAT", "How results are written: " + ", ".join(FORMATS) + "."),
    Option("json", "", "Short for --format json."),
    Option("no-color", "", "No colours."),
    Option("quiet", "", "No notices beside the result."),
    Option("verbose", "", "Where a fault happened, too."),
    Option("utc", "", "Times in UTC at a terminal too."),
)
# Variables that this module reads; the configuration reads those of store, tenant and profile.
_VARIABLES = ("format", "no_color", "quiet", "verbose", "utc")
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"", "0", "false", "no", "off"})


def first_word(words: Sequence[str]) -> str:
    """The first of some words that is neither an option nor what an option of every command takes; '' for none."""
    taking = {f"--{option.name}" for option in OPTIONS if option.takes}
    before = ("", *words)
    return next((word for word, last in zip(words, before, strict=False) if word[:1] != "-" and last not in taking), "")


class Globals:
    """The global options of one invocation.

    Attributes:
        store: URL, or None where the option was not given.
        tenant: name, or None where the option was not given.
        profile: name, or None where the option was not given.
        format: one of ``FORMATS``.
        no_color: no colours at a terminal.
        quiet: no notices on stderr.
        verbose: faults say where they happened.
        utc: RFC 3339 in UTC at a terminal too.
    """

    __slots__ = ("format", "no_color", "profile", "quiet", "store", "tenant", "utc", "verbose")

    def __init__(
        self,
        *,
        store: str | None = None,
        tenant: str | None = None,
        profile: str | None = None,
        format: str = "table",
        no_color: bool = False,
        quiet: bool = False,
        verbose: bool = False,
        utc: bool = False,
    ) -> None:
        self.store = store
        self.tenant = tenant
        self.profile = profile
        self.format = format
        self.no_color = no_color
        self.quiet = quiet
        self.verbose = verbose
        self.utc = utc


class _Gathered:
    """What one invocation was given, and what variables and files settle for the rest."""

    __slots__ = ("arguments", "given", "settled")

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = tuple(arguments)
        self.given: dict[str, str | bool] = {}
        self.settled: dict[str, str | bool] = {}


_gathered: ContextVar[_Gathered] = ContextVar("oz0mem_options")


def begin(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Begin an invocation: forget the one before and read the variables.

    Args:
        arguments: the command line, so that an error in it can be told in the format that it asks for.
        environment: variables of the process.

    Raises:
        Invalid: a variable holds what its option would not take.
    """
    _gathered.set(_Gathered(arguments))
    settle({name: value for name in _VARIABLES if (value := environment.get(f"OZ0MEM_{name.upper()}"))})


def record(name: str, value: str | bool) -> None:
    """Note an option that was given; the later one counts.

    Raises:
        Invalid: ``--json`` beside another ``--format``, or a format that there is none of.
    """
    given = _gathered.get().given
    given[name] = _checked(name, value)
    if "json" in given and given.get("format", "json") != "json":
        raise Invalid("usage", f"--json and --format {given['format']} contradict each other")


def settle(values: Mapping[str, str | bool]) -> None:
    """Give values to options that were not given; what was settled first stays.

    Args:
        values: by the attribute's name, such as ``{"format": "csv", "utc": "yes"}``.

    Raises:
        Invalid: a value that its option would not take.
    """
    settled = _gathered.get().settled
    for name, value in values.items():
        settled.setdefault(name, _checked(name, value))


def arguments() -> tuple[str, ...]:
    """The command line as it was typed, without the program's name."""
    gathered = _gathered.get(None)
    return gathered.arguments if gathered else ()


def given() -> dict[str, str | bool]:
    """The options that stand on the command line, by attribute; for showing where a setting comes from."""
    gathered = _gathered.get(None)
    return dict(gathered.given) if gathered else {}


def current() -> Globals:
    """The global options as they stand; the defaults where no invocation has begun."""
    gathered = _gathered.get(None)
    if gathered is None:
        return Globals()
    values = {**gathered.settled, **gathered.given}
    if values.pop("json", False):
        values["format"] = "json"
    return Globals(**values)  # type: ignore[arg-type]  # names and kinds are those that _checked lets in


def wants_json() -> bool:
    """Whether errors are told as JSON documents, even if the command line could not be read to its end."""
    gathered = _gathered.get(None)
    if gathered is None:
        return False
    words = gathered.arguments
    words = words[: words.index("--")] if "--" in words else words
    asked = "--json" in words or any(
        word in ("--format=json", "--format=jsonl") or (word == "--format" and following in ("json", "jsonl"))
        for word, following in zip(words, (*words[1:], ""), strict=True)
    )
    return asked or current().format in ("json", "jsonl")


def _checked(name: str, value: str | bool) -> str | bool:
    if name == "format":
        if value not in FORMATS:
            raise Invalid("usage", f"there is no format {value}", hint="formats: " + ", ".join(FORMATS))
        return value
    if name in ("store", "tenant", "profile") or isinstance(value, bool):
        return value
    if value.lower() in _YES:
        return True
    if value.lower() in _NO:
        return False
    raise Invalid("usage", f"OZ0MEM_{name.upper()} is neither yes nor no", hint="1, true, yes, on; 0, false, no, off")
