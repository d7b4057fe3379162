"""Whether a document declares an agent: every field known, of its type and within its bounds.

Promises one refusal, ``declaration.bad``, for the first field that is wrong, with the file, the line and
the rule; and a `Declaration` where nothing is. What the fields decide is in G2, G4, G5, G45, M6, M20 and
M27. Leaves the reading of files to the adapters, and governance (G11: who agrees) to the actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oz0mem.model.declarations import BUILT_IN, FUNCTIONS, PREFIX, Declaration, from_document
from oz0mem.model.errors import Invalid
from oz0mem.model.kinds import LEARNED, THREAD
from oz0mem.model.moments import DAY, parse_duration
from oz0mem.model.names import check_name, check_project, check_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import NoReturn

MAX_RETAIN = 90 * DAY
#: A century: what no law asks for, and far from the largest number a store holds.
MAX_PERIOD = 36_500 * DAY
MAX_ITEMS = 64
MAX_WORD = 64
MAX_PURPOSE = 1_000
MAX_COUNT = 1_000_000
#: The rule that a field serves, for its refusals.
RULES = {
    "name": "G5", "capabilities": "G5", "tools": "G5", "uses": "G5", "plugin": "G5", "purposes": "G2",
    "grants": "G4", "memory": "M6", "keep_for": "G45", "projects": "M20", "limits": "M27",
}  # fmt: skip
#: What the names in a field are names of.
NAMED = {
    "name": "agent", "capabilities": "capability", "purposes": "purpose", "uses": "plugin",
    "plugin": "plugin",
}  # fmt: skip


class Judge:
    """Says what is wrong, and where."""

    def __init__(self, source: str, line_of: Callable[[str], int] | None) -> None:
        self.source = source
        self.line_of = line_of

    def refuse(self, path: str, why: str, hint: str = "") -> NoReturn:
        """Refuse the declaration for one field."""
        rule = RULES.get(path.split(".")[0].split("[")[0], "")
        facts: dict[str, object] = {"field": path, "file": self.source}
        place = self.source
        if self.line_of is not None:
            facts["line"] = self.line_of(path)
            place = f"{place} line {facts['line']}"
        raise Invalid("declaration.bad", f"{place}: {why}", hint=hint, rule=rule, **facts)

    def expect_known(self, given: Iterable[str], known: Iterable[str], path: str) -> None:
        """Refuse a field that no declaration has."""
        known = tuple(known)
        for field in given:
            if field not in known:
                where = f"{path}.{field}" if path else field
                shown = "".join(char if char.isprintable() else "?" for char in where)[:60]
                self.refuse(where, f"there is no field {shown}", hint=suggest(field, known))

    def read_mapping(self, path: str, value: object, known: Iterable[str]) -> Mapping[str, object]:
        """A mapping of known fields."""
        if not isinstance(value, dict):
            self.refuse(path, f"{path} must be a group of fields")
        self.expect_known(value, known, path)
        return value

    def check_words(self, path: str, value: object, check: Callable[[str], object]) -> None:
        """A list of at most `MAX_ITEMS` words, each passing `check` and given once."""
        if not isinstance(value, list):
            self.refuse(path, f"{path} must be a list")
        if len(value) > MAX_ITEMS:
            self.refuse(path, f"{path} has {len(value)} items; {MAX_ITEMS} are allowed")
        for place, item in enumerate(value):
            where = f"{path}[{place}]"
            self.check_word(where, item, check)
            if item in value[:place]:
                self.refuse(where, f"{where} repeats an item above it")

    def check_word(self, path: str, value: object, check: Callable[[str], object]) -> None:
        """A text that passes `check`, whose own sentence is told with the place."""
        if not isinstance(value, str):
            self.refuse(path, f"{path} must be a text")
        try:
            check(value)
        except Invalid as wrong:
            self.refuse(path, f"{path}: {wrong.message}", hint=wrong.hint)

    def check_period(self, path: str, value: object, most: int, named: str) -> None:
        """A period above nothing and up to `most` microseconds, written as Go or C7 write it."""
        if not isinstance(value, str):
            self.refuse(path, f"{path} must be a period in quotes, such as 720h0m0s or 30d")
        try:
            period = parse_duration(value)
        except Invalid:
            self.refuse(path, f"{path} is no period", hint="write it as 720h0m0s or 30d")
        if not 0 < period <= most:
            self.refuse(path, f"{path} must be longer than nothing and at most {named}")

    def check_count(self, path: str, value: object, least: int) -> None:
        """A whole number from `least` on."""
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MAX_COUNT:
            self.refuse(path, f"{path} must be a whole number from {least} to {MAX_COUNT}")

    def check_free_text(self, path: str, value: object, most: int) -> None:
        """A text of at most `most` characters without control characters but newline and tab."""
        if not isinstance(value, str):
            self.refuse(path, f"{path} must be a text")
        if len(value) > most:
            self.refuse(path, f"{path} has {len(value)} characters; {most} are allowed")
        if any(not char.isprintable() and char not in "\n\t\u200d" and not char.isspace() for char in value):
            self.refuse(path, f"{path} has a control character in it")


def suggest(field: str, known: tuple[str, ...]) -> str:
    """The known field that is most like a wrong one, else all of them."""
    from difflib import get_close_matches

    near = get_close_matches(field[:MAX_WORD], known, 1)
    return f"did you mean {near[0]}?" if near else "fields here: " + ", ".join(known)


def check_declaration(
    document: Mapping[str, object],
    *,
    source: str = "declaration",
    line_of: Callable[[str], int] | None = None,
) -> Declaration:
    """The declaration that a document gives, or the refusal of its first wrong field.

    Args:
        document: plain data: text, whole numbers, true and false, lists and mappings.
        source: what the document is called in a refusal, such as ``concierge.yaml``.
        line_of: path (``memory.retain``, ``tools[1]``) to line; None where there are no lines.

    Raises:
        Invalid: ``declaration.bad`` with ``field``, ``file`` and, where known, ``line``.
    """
    judge = Judge(source, line_of)
    judge.expect_known(document, FIELDS, "")
    if "name" not in document:
        judge.refuse("name", "a declaration needs a name")
    for field, value in document.items():
        FIELDS[field](judge, field, value)
    check_grants(judge, document)
    return from_document(document)


def check_own_name(judge: Judge, path: str, value: object) -> None:
    """The agent's name; the built-in agent of imports is never declared."""
    check_one_name(judge, path, value)
    if value == BUILT_IN:
        judge.refuse(path, f"the agent {BUILT_IN} is built in and is never declared", hint="choose another name")


def check_one_name(judge: Judge, path: str, value: object) -> None:
    """A field that is one name."""
    judge.check_word(path, value, lambda name: check_name(name, NAMED[path]))


def check_purpose_text(judge: Judge, path: str, value: object) -> None:
    """G5: free text, kept and shown."""
    judge.check_free_text(path, value, MAX_PURPOSE)


def check_short_text(judge: Judge, path: str, value: object) -> None:
    """G5: `kind` and `autonomy` are other programs' words, kept and shown."""
    judge.check_free_text(path, value, MAX_WORD)


def check_names(judge: Judge, path: str, value: object) -> None:
    """A field that lists names."""
    judge.check_words(path, value, lambda name: check_name(name, NAMED[path]))


def check_projects(judge: Judge, path: str, value: object) -> None:
    """M20: the projects of a job that names none."""
    judge.check_words(path, value, check_project)


def check_tools(judge: Judge, path: str, value: object) -> None:
    """G5: functions named one by one; those of other programs are kept and decide nothing."""
    judge.check_words(path, value, check_tool)


def check_tool(tool: str) -> None:
    """A function's name; one of the memory plugin has to be there."""
    check_name(tool, "tool")
    function = tool.removeprefix(PREFIX)
    if function != tool and function not in FUNCTIONS:
        raise Invalid("tool.bad", "the memory plugin has no such function", hint=suggest(function, FUNCTIONS))


def check_memory(judge: Judge, path: str, value: object) -> None:
    """The learned kinds, each on or off, and the retention that they need."""
    memory = judge.read_mapping(path, value, (*LEARNED, "retain"))
    for kind in LEARNED:
        if kind in memory and not isinstance(memory[kind], bool):
            judge.refuse(f"{path}.{kind}", f"{path}.{kind} must be true or false")
    if "retain" in memory:
        judge.check_period(f"{path}.retain", memory["retain"], MAX_RETAIN, "90 days (2160h)")
    on = [kind for kind in LEARNED if memory.get(kind)]
    if on and "retain" not in memory:
        why = f"keeping {' and '.join(on)} entries needs {path}.retain, 90 days at most"
        judge.refuse(f"{path}.retain", why, hint="add retain, such as 720h0m0s")


def check_budget(judge: Judge, path: str, value: object) -> None:
    """What one run may use."""
    budget = judge.read_mapping(path, value, ("steps", "tool_calls", "duration"))
    for count in ("steps", "tool_calls"):
        if count in budget:
            judge.check_count(f"{path}.{count}", budget[count], 0)
    if "duration" in budget:
        judge.check_period(f"{path}.duration", budget["duration"], MAX_PERIOD, "100 years")


def check_limits(judge: Judge, path: str, value: object) -> None:
    """M27: how much start-up text the agent takes; 0 is none."""
    limits = judge.read_mapping(path, value, ("startup_tokens",))
    if "startup_tokens" in limits:
        judge.check_count(f"{path}.startup_tokens", limits["startup_tokens"], 0)


def check_keep_for(judge: Judge, path: str, value: object) -> None:
    """G45: how long a law keeps the agent's entries about people."""
    judge.check_period(path, value, MAX_PERIOD, "100 years")


def check_grants_shape(judge: Judge, path: str, value: object) -> None:
    """G4: lists of scopes."""
    grants = judge.read_mapping(path, value, ("read", "write", "deny"))
    for name, scopes in grants.items():
        judge.check_words(f"{path}.{name}", scopes, check_granted)


def check_granted(scope: str) -> None:
    """A scope, or ``thread``, which is the thread of whatever job runs."""
    if scope != THREAD:
        check_scope(scope)


def check_grants(judge: Judge, document: Mapping[str, object]) -> None:
    """G4: read and write only narrow, so another agent's scope can stand only under `deny`."""
    grants = document.get("grants")
    if not isinstance(grants, dict):
        return
    for name in ("read", "write"):
        for place, scope in enumerate(grants.get(name, ())):
            if scope.startswith("agent:") and scope != f"agent:{document['name']}":
                path = f"grants.{name}[{place}]"
                hint = f"its own agent shares it: oz0mem person {scope[6:]} --share agent:{document['name']}"
                judge.refuse(path, "another agent's scope cannot be granted, only shared", hint=hint)


#: Every field of a declaration and what judges it.
FIELDS: dict[str, Callable[[Judge, str, object], None]] = {
    "name": check_own_name,
    "kind": check_short_text,
    "purpose": check_purpose_text,
    "capabilities": check_names,
    "autonomy": check_short_text,
    "memory": check_memory,
    "budget": check_budget,
    "purposes": check_names,
    "plugin": check_one_name,
    "tools": check_tools,
    "uses": check_names,
    "projects": check_projects,
    "limits": check_limits,
    "keep_for": check_keep_for,
    "grants": check_grants_shape,
}
