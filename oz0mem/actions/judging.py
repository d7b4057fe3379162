"""Records of another program as entries: which can be one, which is there already, what they would take up.

Promises that a record is judged by everything that a write is judged by (M1, M4, M6, M8) before anything is
written, and that what an earlier import brought is known again whatever became of it. Leaves writing to
``imports``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oz0mem.actions import gate, similar, versions
from oz0mem.model.declarations import BUILT_IN
from oz0mem.model.entries import BLANK, Entry
from oz0mem.model.errors import Invalid, Oz0Error, Refused
from oz0mem.model.kinds import ACTIVE, DEFINITION, ERASED, HELD, KINDS, PROCEDURAL, RULE, UNREVIEWED
from oz0mem.model.names import OF_PERSON, OF_SCOPE, check_subject, fold, with_article
from oz0mem.model.records import BadRecord, Record
from oz0mem.rules import ends, holding
from oz0mem.rules.arguments import check_key, check_kind, check_source, check_tags, check_text
from oz0mem.rules.sameness import same_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oz0mem.actions.context import Caller
    from oz0mem.actions.ports import Desk
    from oz0mem.model.declarations import Keeping
    from oz0mem.model.settings import Settings

NOTED = 100
"""Bad records that an answer names."""
_KEPT = 20_000
"""Judged records that are kept between the two readings; a longer file is judged again as it is written."""


class Import(NamedTuple):
    """Where records go (agent and scope, '' for the built-in ones), how, and why where reviewed already.

    ``keeping`` is what the agent's declaration keeps; the import finds it out.
    """

    agent: str = ""
    scope: str = ""
    reviewed: bool = False
    reason: str = ""
    skip_bad: bool = False
    dry_run: bool = False
    keeping: Keeping | None = None


class Judged(NamedTuple):
    """A record as the entry it would be, and whether the file says when it was written."""

    line: int
    entry: Entry
    dated: bool


class Judge:
    """One reading of a file, on one snapshot of the store.

    Args:
        desk: the snapshot.
        asked: where to and how.
        caller: who imports.
        settings: the tenant's.
    """

    def __init__(self, desk: Desk, asked: Import, caller: Caller, settings: Settings) -> None:
        self.desk = desk
        self.asked = asked
        self.caller = caller
        self.settings = settings
        self.kept: list[Judged] | None = []
        self.imported = 0
        self.existing = 0
        self.bad: list[int] = []
        self.notes: list[tuple[int, str]] = []
        self.left_out: dict[str, int] = {}
        self.sizes: dict[str, tuple[int, int]] = {}
        self._texts: set[tuple[object, ...]] = set()
        self._in_force: dict[tuple[str, ...], Entry | None] = {}
        self._people: dict[str, str] = {}

    def read(self, records: Iterable[Record | BadRecord]) -> None:
        """Judge every record, and whether the scopes would hold them (M7).

        Raises:
            Invalid: ``import.bad`` with the line of the first bad record, unless they are skipped.
            Refused: by the rule that refuses a record, likewise; ``memory.cap``.
        """
        for record in records:
            try:
                judged = judge(record, self.asked, self.caller, self.settings, self.desk.now)
                check_in_store(self.desk, judged.entry)
                self._check_spelling(judged.entry.about)
            except Oz0Error as error:
                if not self.asked.skip_bad:
                    raise bad(record.line, error) from None
                self.bad.append(record.line)
                self.notes += [(record.line, error.message)] if len(self.notes) < NOTED else []
                continue
            assert isinstance(record, Record)  # a bad one was refused
            self._take(record, judged)
        for scope, (entries, size) in self.sizes.items():
            versions.check_caps(self.desk, self.settings, scope, entries, size)

    def _check_spelling(self, about: str) -> None:
        """Refuse a person whom the same file spells in another way too (Words: principal)."""
        if about != "work" and self._people.setdefault(fold(about), about) != about:
            raise Refused("name.spelling", "that person stands in the file in another spelling too", rule="M4")

    def _take(self, record: Record, judged: Judged) -> None:
        for field in record.left_out:
            self.left_out[field] = self.left_out.get(field, 0) + 1
        if self.kept is not None:
            self.kept.append(judged)
            self.kept = self.kept if len(self.kept) <= _KEPT else None
        entry = judged.entry
        # What is replaced in the file may come again (M11); what merely waits may not (M2).
        moment = (entry.created, len(self._texts)) if entry.key and entry.state == ACTIVE else ()
        term = entry.key if entry.kind == DEFINITION else ""
        same = (entry.scope, entry.about, entry.kind, term, hash(same_text(entry.text)), *moment)
        if same in self._texts or is_there(self.desk, judged):
            self.existing += 1
            return
        self._texts.add(same)
        self.imported += 1
        entries, size = self.sizes.get(entry.scope, (0, 0))
        self.sizes[entry.scope] = (entries + 1, size + len(entry.text.encode()) + self._closed(entry))

    def _closed(self, entry: Entry) -> int:
        """Bytes of the version that closes the older of two facts with one key (M7, M11)."""
        if not entry.key or entry.state != ACTIVE:
            return 0
        fact = (entry.scope, entry.about, entry.kind, entry.key)
        if fact not in self._in_force:
            there = self.desk.entries.keyed(entry.key, _place(self.desk, entry), entry.kind)
            self._in_force[fact] = next((each for each in there if each.state == ACTIVE), None)
        other = self._in_force[fact]
        older = min(entry, other, key=lambda each: each.created) if other else None
        self._in_force[fact] = other if other and older is entry else entry
        return len(older.text.encode()) if older else 0


def bad(line: int, error: Oz0Error) -> Oz0Error:
    """A bad record's refusal, with its line; what a rule refuses stays refused (C3)."""
    # A secret's own line and column are those within its record, beside which the file's line would confuse.
    why = error.message.partition(" at line ")[0] if error.code == "secret.found" else error.message
    said = f"line {line}: {why}; nothing was imported"
    hint = "mend the file, or leave such records out with --skip-bad"
    if isinstance(error, Refused):
        return Refused(error.code, said, hint=hint, rule=error.rule, line=line, why=error.code)
    return Invalid("import.bad", said, hint=hint, rule=error.rule, line=line, why=error.code)


def judge(record: Record | BadRecord, asked: Import, caller: Caller, settings: Settings, now: int) -> Judged:
    """A record as an entry.

    Raises:
        Oz0Error: why it is none.
    """
    if isinstance(record, BadRecord):
        raise Invalid("import.record", record.why, rule="M1", field=record.field)
    words = {"text": record.text, "key": record.key, "tags": record.tags, "source": record.source or {}}
    resembles = gate.scan({**words, "about": record.about})
    kind = check_kind(record.kind)
    about = record.about if record.about == "work" else check_subject(record.about)
    _check_kind(kind, about, asked)
    if kind == DEFINITION and not record.key:
        raise Invalid("argument.term", "a definition says which term it defines, as its key", rule="M13")
    if record.when is not None and record.when > now:
        raise Invalid("import.when", "it was written in the future", rule="M6")
    own = f"agent:{asked.agent or BUILT_IN}"
    scope = own if about != "work" or KINDS[kind].learned else asked.scope or "tenant"
    found = {
        # Whoever imports may confirm what they bring; what is in force is accepted one by one (M14).
        "proposal": KINDS[kind].proposal,
        "scan": resembles,
        "import": not asked.reviewed,
    }
    held = [reason for reason in holding.REASONS if found.get(reason)]
    key = check_key(record.key) if record.key else ""
    retain = asked.keeping.retain if asked.keeping is not None and KINDS[kind].learned else None
    entry = BLANK._replace(
        kind=kind,
        text=check_text(record.text, kind),
        about=about,
        scope=scope,
        key=same_text(key) if kind == DEFINITION else key,
        term=key if kind == DEFINITION else "",
        tags=check_tags(list(record.tags)),
        source=check_source(record.source) if record.source else {},
        tier=UNREVIEWED,
        state=HELD if held else ACTIVE,
        held=",".join(held),
        agent=asked.agent or BUILT_IN,
        by=caller.name,
        origin="import",
        created=record.when or now,
        ends=ends.ends_at(kind, UNREVIEWED, about != "work", now, record.ends, settings, retain),
    )
    return Judged(record.line, entry, record.when is not None)


def _check_kind(kind: str, about: str, asked: Import) -> None:
    if KINDS[kind].learned and asked.keeping is not None and kind not in asked.keeping.kinds():
        raise Refused(
            "memory.kind_off",
            f"{kind} memory is off for {asked.agent}",
            hint="turn it on in its declaration, or import without --agent",
            rule="M5",
            kind=kind,
        )
    if kind in (PROCEDURAL, RULE) and about != "work":
        raise Refused("memory.about", f"{with_article(kind)} entry is never about anybody", rule="M4")
    if KINDS[kind].learned and kind != PROCEDURAL and about == "work":
        raise Refused("memory.about", f"{with_article(kind)} entry is about a person, and it names none", rule="M4")


def check_in_store(desk: Desk, entry: Entry) -> None:
    """Refuse what only the store can tell: the tenant's own secrets (M8), a person in another spelling."""
    words = {"text": entry.text, "key": entry.key, "tags": entry.tags, "source": entry.source}
    gate.scan_own(desk, {**words, "about": entry.about})
    if not entry.about_person:
        return
    known = desk.names.folded(OF_PERSON, entry.about)
    if known and known != entry.about:
        raise Refused(
            "name.spelling",
            f"that person is known by another spelling: {known}",
            rule="M4",
            hint=f"use {known}",
        )


def is_there(desk: Desk, judged: Judged) -> bool:
    """Whether an entry says the same (M2), or an earlier import brought it and it was replaced since."""
    entry = judged.entry
    place = _place(desk, entry)
    if not place:
        return False
    about = desk.names.find(OF_PERSON, entry.about) if entry.about_person else 0
    if similar.existing(desk, entry, place, about) is not None:
        return True
    wanted = same_text(entry.text)
    return any(
        other.origin == "import"
        and other.state not in (HELD, ACTIVE, ERASED)
        and other.key == entry.key
        and (other.created == entry.created) is judged.dated
        and same_text(other.text) == wanted
        for other in desk.entries.same(entry.text, place, about, entry.kind)
    )


def _place(desk: Desk, entry: Entry) -> int:
    """The place where an entry would live, 0 where nothing ever did; looked up without making it."""
    scope = desk.names.find(OF_SCOPE, entry.scope)
    about = desk.names.find(OF_PERSON, entry.about) if entry.about_person else 0
    if not scope or (entry.about_person and not about):
        return 0
    return desk.entries.place_of((scope, about, 0))
