"""One gate: what writes, approves, links or removes is reached through the modules that are known to, and no other.

Promises to read the sources alone: a new way round, or a new action that scans nothing, fails here and has to be
written down. Leaves driving each door with what has to be refused to ``tests/actions``.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from oz0mem.model.agreements import POLICED, WRITE_GROUP
from tests.house.sources import Function, read_sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.house.sources import Source

ACTIONS = "oz0mem/actions"

REACHED: dict[str, set[str]] = {
    "desk.entries.add": {"versions"},
    "versions.write_first": {"keeping", "imports"},
    "versions.write_next": {"acceptance", "corrections", "editing", "forget", "replacing", "retiring"},
    "desk.erasing.begin": {"editing", "erasing"},
    "desk.erasing.erase_entry": {"erasing"},
    "desk.erasing.erase_versions": {"editing"},
    "desk.erasing.erase_words": {"editing"},
    "desk.erasing.erase_reasons": {"unlinking"},
    "desk.erasing.erase_loose": {"unlinking"},
    "desk.erasing.erase_asked": {"forget", "withdrawing"},
    "desk.erasing.close": {"erasing"},
    "desk.approvals.put": {"asking"},
    "desk.approvals.settle": {"approvals", "lapsing", "withdrawing"},
    "desk.proposals.put": {"retiring"},
    "desk.proposals.settle": {"retiring"},
    "desk.links.put": {"links", "linking"},
    "desk.links.settle": {"links"},
    "desk.governance.put_policy": {"defaults"},
}
"""What changes memory, with the modules of actions that may call it."""
ALIASES = {"write_first": "versions.write_first", "write_next": "versions.write_next"}

NO_SCAN: dict[str, str] = {
    "oz0mem/actions/editing.py:look": "reads",
    "oz0mem/actions/jobs.py:end": "an id",
    "oz0mem/actions/links.py:list_links": "reads",
    "oz0mem/actions/facts.py:history": "reads",
    "oz0mem/actions/facts.py:history_of": "reads",
    "oz0mem/actions/listing.py:list_entries": "reads",
    "oz0mem/actions/listing.py:show": "reads",
    "oz0mem/actions/policies.py:install": "the one name that it takes is compared with a list",
    "oz0mem/actions/policies.py:show_policy": "reads",
    "oz0mem/actions/recall.py:recall": "reads; the question is kept nowhere (R9)",
    "oz0mem/actions/startup.py:startup_context": "numbers alone",
    "oz0mem/actions/upkeep.py:upkeep": "switches alone",
}
"""Public actions that call ``gate.scan`` of themselves nowhere, and why they need not."""
WRITES = ("write", "govern")
HOLDS = ("check_holds", "check_preserved", "preserved", "covering", "covering_each", "check_replacing")
REMOVES = {
    "acceptance:reject", "acceptance:confirm", "accepting:accept", "corrections:move", "corrections:renew",
    "defining:define", "editing:edit", "entries:remember", "forget:delete", "forget:forget", "imports:import_records",
    "retiring:retire", "superseding:supersede", "upkeep:upkeep",
}  # fmt: skip
"""Public actions that may replace, reject, retire, move, shorten or erase; each asks for holds somewhere below."""


def dotted(node: ast.expr) -> str:
    """A name with its dots, '' where it is none."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def calls(node: ast.AST) -> Iterator[str]:
    """What is called, or handed to a call to be called, under a node."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            for name in filter(None, map(dotted, [each.func, *each.args])):
                yield ALIASES.get(name, name)


def module(source: Source) -> str:
    """The last part of a module's name."""
    return source.path.removesuffix(".py").rpartition("/")[2]


@cache
def functions() -> dict[str, tuple[Source, Function]]:
    """Every function of the actions at the top of its module, by ``module:name``."""
    return {
        f"{module(source)}:{node.name}": (source, node)
        for source in read_sources(ACTIONS)
        for node in source.tree.body
        if isinstance(node, Function)
    }


@cache
def reached_from(start: str) -> set[str]:
    """Every function of the actions that one reaches, by names as they stand in the sources."""
    every, seen, left = functions(), set[str](), [start]
    while left:
        here = left.pop()
        if here in seen or here not in every:
            continue
        seen.add(here)
        source, node = every[here]
        names = imported(source)
        for name in set(calls(node)):
            head, _, tail = name.partition(".")
            if not tail:
                left.append(names.get(name, f"{module(source)}:{name}"))
            else:
                left.append(f"{names.get(head, head).removeprefix(':')}:{tail}")
    return seen


def imported(source: Source) -> dict[str, str]:
    """Names that a module imports from the actions, as ``module:name``, or as the module itself."""
    found: dict[str, str] = {}
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("oz0mem.actions"):
            continue
        for alias in node.names:
            whole = (node.module or "").rpartition("oz0mem.actions")[2].lstrip(".")
            found[alias.asname or alias.name] = f"{whole}:{alias.name}" if whole else alias.name
    return found


def told() -> dict[str, tuple[Source, Function]]:
    """The public actions under ``refusals.told``."""
    return {
        name: (source, node)
        for name, (source, node) in functions().items()
        if any(isinstance(each, ast.Call) and dotted(each.func) == "refusals.told" for each in node.decorator_list)
    }


def test_what_changes_memory_is_called_by_the_known_modules_alone() -> None:
    """M8, M16, G31, G40: no second path round the gate, in any package of the program."""
    found: dict[str, set[str]] = {name: set() for name in REACHED}
    for source in read_sources("oz0mem"):
        if source.path.startswith("oz0mem/store/"):
            continue
        for name in calls(source.tree):
            if name in found:
                found[name].add(module(source) if source.path.startswith(ACTIONS) else source.path)
    found["versions.write_first"].discard("versions")
    found["versions.write_next"].discard("versions")
    assert found == REACHED


def test_no_door_opens_a_transaction() -> None:
    """Floors: a door calls actions and never the store's desk."""
    for source in read_sources("oz0mem/cli", "oz0mem/python", "oz0mem/views"):
        names = set(calls(source.tree))
        opened = {
            name for name in names if name.startswith("desk.") or ".store.write" in name or ".store.record" in name
        }
        assert not opened, f"{source.path}: {opened}"


def test_every_action_that_writes_tells_its_refusals() -> None:
    """L2: whoever opens a transaction that writes is under `refusals.told`, itself or by everybody who calls it."""
    known = told()
    for name, (_, node) in functions().items():
        opens = {f"ctx.{each}" for each in WRITES} & set(calls(node))
        if opens and not node.name.startswith("_") and name not in known:
            raise AssertionError(f"{name} writes and tells no refusal")


def test_every_public_action_scans_its_arguments() -> None:
    """M8: by `gate.scan`, or it says here why not."""
    for name, (source, node) in told().items():
        label = f"{source.path}:{node.name}"
        assert ("gate:scan" in reached_from(name)) != (label in NO_SCAN), f"{label} scans nothing, or is said to"


def test_every_function_of_the_policy_is_judged_by_asking() -> None:
    """G30, G31: each begins in `asking.begin`, and each that writes is run after approval by its own `resume`."""
    from oz0mem.actions.approvals import RESUMES

    homes = {
        "remember": "entries:remember",
        "define": "defining:define",
        "supersede": "superseding:supersede",
        "retire": "retiring:retire",
        "accept": "accepting:accept",
        "changed_since": "changed:changed_since",
    }
    assert {*homes, WRITE_GROUP} == set(POLICED)
    for name in homes.values():
        assert "asking:begin" in reached_from(name), name
    assert {*RESUMES, "changed_since"} == set(homes)
    for source in read_sources("oz0mem"):
        uses = {"approvals.RESUMES", "RESUMES"} & set(calls(source.tree))
        assert not uses or module(source) == "approvals", f"{source.path} runs calls by itself"


def test_every_path_that_removes_asks_for_holds() -> None:
    """G40: whatever may replace, reject, retire, move, shorten or erase reaches a question for legal holds."""
    every = functions()
    for name in sorted(REMOVES):
        below = {each.rpartition(".")[2] for here in reached_from(name) for each in calls(every[here][1])}
        assert below & set(HOLDS), f"{name} asks for no hold"


def test_the_paths_that_remove_are_all_written_down() -> None:
    """G40: a new action that reaches a version's end or an erasure has to join the list."""
    ends = {"versions:write_next", "erasing:begin"}
    found = {name for name in told() if ends & reached_from(name)}
    assert found - REMOVES <= {"approvals:approve"}, found - REMOVES
