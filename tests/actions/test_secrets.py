"""M8: no secret gets in, by whatever argument and whatever path, and nothing of it is on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import acceptance, corrections, editing, entries, forget, governance, imports, jobs, retiring
from oz0mem.actions.context import digest
from oz0mem.actions.entries import Remember
from oz0mem.actions.imports import Import
from oz0mem.model.errors import Refused
from oz0mem.model.kinds import HELD
from oz0mem.model.records import Record
from tests.actions.evidence import RESEMBLING, TOKEN, entries_of, newest, refused, stored_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.actions.world import World

OWN_SECRET = "Zaunkönig-4711 fliegt"
LONG = "word " * 4_000
"""Over every size, so that a refusal by size would come first if it could."""


def _job_id(world: World, token: str) -> str:
    record = world.store.read(world.now, lambda desk: desk.identity.job_by_token(digest(token)))
    assert record is not None
    return record.id


def _deeds(world: World) -> dict[str, Callable[[str], object]]:
    """Every path by which a text gets in, each with one argument to be filled."""
    ana, dana = world.ana, world.dana
    held, mine, work = world.learn("held", sees="").entry, world.learn("mine").entry, world.note("work").entry
    job = world.job(dana, sees="person")

    def remember(**asked: object) -> object:
        return entries.remember(job, Remember(**{"text": "ok", "kind": "semantic", **asked}))  # type: ignore[arg-type]  # tests name fields

    def bring(**fields: object) -> object:
        record = Record(**{"line": 1, "text": "ok", **fields})  # type: ignore[arg-type]  # tests name fields
        return imports.import_records(ana, lambda: [record], Import())

    return {
        "text": lambda secret: remember(text=f"she wrote\n{secret}"),
        "long text": lambda secret: remember(text=f"{LONG}{secret}"),
        "tag": lambda secret: remember(tags=("a", secret)),
        "key": lambda secret: remember(key=secret),
        "source": lambda secret: remember(source={"path": secret}),
        "source's field": lambda secret: remember(source={secret: "x"}),
        "remember's reason": lambda secret: remember(reason=secret),
        "about": lambda secret: remember(about=secret),
        "scope": lambda secret: remember(scope=secret),
        "person's note": world.note,
        "confirm's reason": lambda secret: acceptance.confirm(ana, held.id, secret),
        "reject's reason": lambda secret: acceptance.reject(ana, held.id, secret),
        "retire's reason": lambda secret: retiring.retire(ana, mine.id, secret),
        "agent's retire": lambda secret: retiring.retire(job, mine.id, secret, version=1),
        "renew's reason": lambda secret: corrections.renew(ana, work.id, 10, reason=secret),
        "move's reason": lambda secret: corrections.move(ana, work.id, "project:web", secret),
        "move's scope": lambda secret: corrections.move(ana, work.id, secret),
        "edit": lambda secret: editing.edit(dana, mine.id, f"{secret} is it"),
        "edit's reason": lambda secret: editing.edit(dana, mine.id, "other", secret),
        "delete's reason": lambda secret: forget.delete(ana, work.id, secret),
        "forget's about": lambda secret: forget.forget(ana, secret),
        "forget's reason": lambda secret: forget.forget(ana, "dana", reason=secret),
        "job read": lambda secret: jobs.read(job, _job_id(world, job.job), secret, published=True),
        "settings' reason": lambda secret: governance.set_settings(ana, {"max_records": 4_000}, secret),
        "import's text": lambda secret: bring(text=secret),
        "import's key": lambda secret: bring(key=secret),
        "import's tag": lambda secret: bring(tags=(secret,)),
        "import's source": lambda secret: bring(source={"path": secret}),
        "import's reason": lambda secret: imports.import_records(
            ana, lambda: [Record(1, "ok")], Import(reviewed=True, reason=secret)
        ),
    }


_PATHS = [
    "text", "long text", "tag", "key", "source", "source's field", "remember's reason", "about", "scope",
    "person's note", "confirm's reason", "reject's reason", "retire's reason", "agent's retire",
    "renew's reason",
    "move's reason", "move's scope", "edit", "edit's reason", "delete's reason", "forget's about",
    "forget's reason", "job read", "settings' reason", "import's text", "import's key", "import's tag",
    "import's source", "import's reason",
]  # fmt: skip


@pytest.mark.parametrize("path", _PATHS)
def test_a_known_secret_is_refused_by_every_path_and_is_nowhere_on_the_disk(world: World, path: str) -> None:
    """M8: by kind and place; nothing of it is stored or said."""
    deed = _deeds(world)[path]
    before = entries_of(world)
    outcome = refused(lambda: deed(TOKEN))
    assert (outcome.code, outcome.rule) == ("secret.found", "M8")
    assert "github" in outcome.said
    assert TOKEN[:12] not in outcome.said
    assert entries_of(world) == before
    held = stored_bytes(world)
    assert TOKEN.encode() not in held
    assert TOKEN.lower().encode() not in held
    assert TOKEN[4:].encode() not in held


_NO_NAME = ("about", "scope", "move's scope", "forget's about", "source's field", "long text")
"""Where a text of the tenant's own with a space in it cannot be at all."""


@pytest.mark.parametrize("path", [path for path in _PATHS if path not in _NO_NAME])
def test_a_secret_of_the_tenants_own_is_refused_by_every_path(world: World, path: str) -> None:
    """M8: known by its keyed hash alone, and refused like any other."""
    governance.add_secret(world.ana, OWN_SECRET, "ours")
    deed = _deeds(world)[path]
    outcome = refused(lambda: deed(OWN_SECRET))
    assert outcome.rule == "M8"
    assert "Zaun" not in outcome.said
    held = stored_bytes(world)
    assert OWN_SECRET.encode() not in held
    assert b"zaunk" not in held.lower()


def test_the_place_of_a_secret_is_its_line_and_column(world: World) -> None:
    """M8: counted from 1, in the argument as it was given."""
    outcome = refused(lambda: world.learn(f"first\nthe key {TOKEN} here"))
    assert (outcome.facts["argument"], outcome.facts["line"], outcome.facts["column"]) == ("text", 2, 9)
    tag = refused(lambda: world.learn("ok", tags=("a", TOKEN)))
    assert tag.facts["argument"].startswith("tags")
    assert tag.said.startswith("tags[1] holds what looks like a secret")


def test_a_secret_in_an_import_is_refused_with_the_line_of_its_record(world: World) -> None:
    """M8, C3: a rule refuses it, in one sentence with one line."""
    records = [Record(1, "fine"), Record(2, f"first\nthe key {TOKEN} here")]
    with pytest.raises(Refused) as caught:
        imports.import_records(world.ana, lambda: records, Import())
    assert (caught.value.code, caught.value.exit_code, caught.value.facts["line"]) == ("secret.found", 3, 2)
    assert caught.value.message.startswith("line 2: the text holds what looks like a secret (")
    assert caught.value.message.endswith("); nothing was imported")


def test_in_an_import_one_of_the_tenants_own_secrets_stops_all_before_anything_is_written(
    world: World,
) -> None:
    """M8, 5-cli Import: judged whole, even past the first batch; with skip_bad it alone is left out."""
    governance.add_secret(world.ana, OWN_SECRET, "ours")
    records = [Record(n, f"record {n} of many") for n in range(1, 500)]
    records.insert(450, Record(9_999, OWN_SECRET))
    outcome = refused(lambda: imports.import_records(world.ana, lambda: records, Import()))
    assert (outcome.code, outcome.facts["line"]) == ("secret.found", 9_999)
    assert entries_of(world) == []
    done = imports.import_records(world.ana, lambda: records, Import(skip_bad=True))
    assert (done.imported, done.bad, [line for line, _ in done.notes]) == (499, 1, [9_999])
    assert OWN_SECRET.encode() not in stored_bytes(world)


@pytest.mark.parametrize("argument", ["text", "tags", "key", "source"])
def test_what_resembles_a_secret_is_held_whatever_tier_policy_or_import(world: World, argument: str) -> None:
    """M8: with the reason scan; and writing it again confirms nothing (M2)."""
    value = {
        "text": RESEMBLING,
        "tags": (RESEMBLING,),
        "key": RESEMBLING,
        "source": {"path": RESEMBLING},
    }[argument]
    governance.set_settings(world.ana, {"review": "proposals"}, "open")
    asked = {"text": "ok then", argument: value}
    own = world.note(**asked)  # type: ignore[arg-type]  # tests name fields
    again = world.note(**asked)  # type: ignore[arg-type]  # tests name fields
    learned = world.learn(**asked)  # type: ignore[arg-type]  # tests name fields
    assert [(each.entry.state, each.entry.held) for each in (own, again, learned)] == [(HELD, "scan")] * 3
    assert again.kept == "existing"
    imported = imports.import_records(
        world.ana,
        lambda: [Record(1, **asked)],  # type: ignore[arg-type]  # tests name fields
        Import(agent="concierge", scope="project:web", reviewed=True, reason="read"),
    )
    assert imported.imported == 1
    (row,) = [entry for entry in entries_of(world) if entry[0] not in (own.entry.id, learned.entry.id)]
    assert row[2] == 0, "held"


def test_a_person_may_confirm_what_only_resembled_a_secret(world: World) -> None:
    """M8: held is no refusal; a person decides."""
    held = world.note(RESEMBLING).entry
    acceptance.confirm(world.ana, held.id)
    assert (newest(world, held).state, newest(world, held).held) == ("active", "")
