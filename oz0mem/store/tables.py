"""The tables, owned by SQLModel: what migrations make and governance writes.

Promises L22: text stands only in ``body.content`` and ``word.content``; every other column is a number, a
keyed hash, an enumeration or an id that says nothing. ``tenant`` leads every primary key and index (Q5).
Leaves the reading and writing of entries and ledger to plain SQL (Q1); rows never leave ``store``.
"""

from sqlalchemy import BigInteger, Column, Index, LargeBinary, Text, text
from sqlmodel import Field, SQLModel

from oz0mem.store.mapping import AT_STARTUP

_KEPT = {"sqlite_with_rowid": True}
_PACKED = {"sqlite_with_rowid": False}
_NEWEST = text("newest = 1")
_ERASED = text("newest = 2")
_FORGOTTEN = text("forgotten > 0")
_WRITTEN = text("writer > 0")
_AT_STARTUP = text(AT_STARTUP)
_BEGINS = text("newest = 1 AND valid_from > 0")
_STOPS = text("newest = 1 AND valid_until > 0")


def _id() -> Text:
    """A text column that compares byte by byte on both back ends (Q14)."""
    return Text().with_variant(Text(collation="C"), "postgresql")


def _key(name: str) -> Column[int]:
    return Column(name, BigInteger, primary_key=True, autoincrement=False, nullable=False)


def _number(name: str, default: int | None = 0) -> Column[int]:
    shown = None if default is None else text(str(default))
    return Column(name, BigInteger, nullable=default is None, server_default=shown)


def _bytes(name: str, *, nullable: bool = False) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=nullable)


def _word(name: str, default: str | None = None, *, key: bool = False) -> Column[str]:
    return Column(name, _id(), nullable=False, primary_key=key, server_default=default and text(default))


class TenantRow(SQLModel, table=True):
    """The register of tenants of this store."""

    __tablename__ = "tenant"
    tenant: int = Field(sa_column=_key("tenant"))
    name: str = Field(sa_column=Column("name", _id(), nullable=False, unique=True))


class HeadRow(SQLModel, table=True):
    """One row a tenant: the ledger's right edge and the counter of numbers; locked by every write (L20)."""

    __tablename__ = "head"
    tenant: int = Field(sa_column=_key("tenant"))
    origin: str = Field(sa_column=_word("origin"))
    size: int = Field(sa_column=_number("size"))
    edge: bytes = Field(sa_column=_bytes("edge"))
    next: int = Field(sa_column=_number("next", 1))
    hash_key: bytes = Field(sa_column=_bytes("hash_key"))
    index_version: int = Field(sa_column=_number("index_version"))
    solo: int = Field(sa_column=_number("solo"))
    open_erasures: int = Field(sa_column=_number("open_erasures"))
    secrets: int = Field(sa_column=_number("secrets"))
    holds: int = Field(sa_column=_number("holds"))
    created: int = Field(sa_column=_number("created"))


class BodyRow(SQLModel, table=True):
    """Content: appended, read, and overwritten with zeros; never moved (L22). ``vector`` waits for R4."""

    __tablename__ = "body"
    __table_args__ = _KEPT
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    content: bytes = Field(sa_column=_bytes("content"))
    vector: bytes | None = Field(default=None, sa_column=_bytes("vector", nullable=True))


class WordRow(SQLModel, table=True):
    """Each distinct word once (R8); overwritten with zeros when its last entry is erased."""

    __tablename__ = "word"
    __table_args__ = _KEPT
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    content: bytes = Field(sa_column=_bytes("content"))


class WordHashRow(SQLModel, table=True):
    """Finds a word's number by keyed hash."""

    __tablename__ = "word_hash"
    __table_args__ = _PACKED
    tenant: int = Field(sa_column=_key("tenant"))
    hash: int = Field(sa_column=_key("hash"))
    word: int = Field(sa_column=_number("word"))


class NameRow(SQLModel, table=True):
    """A name of any kind as a number; its spelling stands in ``body``."""

    __tablename__ = "name"
    __table_args__ = (
        Index("name_by_hash", "tenant", "kind", "hash", unique=True),
        Index("name_by_fold", "tenant", "kind", "fold"),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    kind: int = Field(sa_column=_number("kind"))
    hash: int = Field(sa_column=_number("hash"))
    fold: int = Field(sa_column=_number("fold"))
    body: int = Field(sa_column=_number("body"))


class SubjectRow(SQLModel, table=True):
    """A person by number: where the key of their handle is (L4), and their last erasing event (L2)."""

    __tablename__ = "subject"
    __table_args__ = (
        Index(
            "subject_by_forgotten",
            "tenant",
            "forgotten",
            "num",
            sqlite_where=_FORGOTTEN,
            postgresql_where=_FORGOTTEN,
        ),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    key_body: int = Field(sa_column=_number("key_body"))
    n: int = Field(sa_column=_number("n"))
    last: int = Field(sa_column=_number("last", -1))
    forgotten: int = Field(sa_column=_number("forgotten"))


class PlaceRow(SQLModel, table=True):
    """Where entries live that one reader sees together: a scope, a person or none, a purpose or none."""

    __tablename__ = "place"
    __table_args__ = (
        Index("place_by_parts", "tenant", "scope", "about", "purpose", unique=True),
        Index("place_by_about", "tenant", "about"),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    scope: int = Field(sa_column=_number("scope"))
    about: int = Field(sa_column=_number("about"))
    purpose: int = Field(sa_column=_number("purpose"))


class WithinRow(SQLModel, table=True):
    """A project's scope and each of its ancestors', itself too: a path reads its subtree (M20)."""

    __tablename__ = "within"
    __table_args__ = (Index("within_by_scope", "tenant", "scope"), _PACKED)
    tenant: int = Field(sa_column=_key("tenant"))
    above: int = Field(sa_column=_key("above"))
    scope: int = Field(sa_column=_key("scope"))


class UsageRow(SQLModel, table=True):
    """What a scope holds, counted as it is written (M7, L20)."""

    __tablename__ = "usage"
    tenant: int = Field(sa_column=_key("tenant"))
    scope: int = Field(sa_column=_key("scope"))
    entries: int = Field(sa_column=_number("entries"))
    bytes: int = Field(sa_column=_number("bytes"))


class VersionRow(SQLModel, table=True):
    """One version of an entry, in numbers; what it says is ``body``'s.

    ``newest`` is 1 for the last one, 2 once that is erased.
    """

    __tablename__ = "version"
    __table_args__ = (
        Index("version_by_id", "tenant", "id", "v", unique=True),
        *(
            Index(f"version_by_{name}", "tenant", *columns, sqlite_where=_NEWEST, postgresql_where=_NEWEST)
            for name, columns in {
                "time": ("created", "entry"),
                "about": ("about", "created", "entry"),
                "scope": ("scope", "created", "entry"),
                "agent": ("agent", "created", "entry"),
                "state": ("state", "created", "entry"),
                "place": ("place", "state", "created", "entry"),
                "end": ("ends", "entry"),
                "key": ("key_hash", "place", "entry"),
                "same": ("same_hash", "place", "entry"),
                "change": ("place", "event", "entry"),
                "ending": ("place", "ends", "entry"),
            }.items()
        ),
        *(
            Index(f"version_{name}", "tenant", *columns, sqlite_where=where, postgresql_where=where)
            for name, columns, where in (
                ("at_startup", ("place", "kind", "entry"), _AT_STARTUP),
                ("begins", ("place", "valid_from", "entry"), _BEGINS),
                ("stops", ("place", "valid_until", "entry"), _STOPS),
            )
        ),
        Index("version_erased", "tenant", "created", "entry", sqlite_where=_ERASED, postgresql_where=_ERASED),
        Index("version_by_writer", "tenant", "writer", sqlite_where=_WRITTEN, postgresql_where=_WRITTEN),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    entry: int = Field(sa_column=_key("entry"))
    v: int = Field(sa_column=_key("v"))
    newest: int = Field(sa_column=_number("newest"))
    id: str = Field(sa_column=_word("id"))
    kind: int = Field(sa_column=_number("kind"))
    state: int = Field(sa_column=_number("state"))
    tier: int = Field(sa_column=_number("tier"))
    held: str = Field(sa_column=_word("held"))
    place: int = Field(sa_column=_number("place"))
    scope: int = Field(sa_column=_number("scope"))
    about: int = Field(sa_column=_number("about"))
    purpose: int = Field(sa_column=_number("purpose"))
    agent: int = Field(sa_column=_number("agent"))
    writer: int = Field(sa_column=_number("writer"))
    job: int = Field(sa_column=_number("job"))
    origin: int = Field(sa_column=_number("origin"))
    core: int = Field(sa_column=_number("core"))
    restricted: int = Field(sa_column=_number("restricted"))
    created: int = Field(sa_column=_number("created"))
    counted_from: int = Field(sa_column=_number("counted_from"))
    at: int = Field(sa_column=_number("at"))
    ends: int = Field(sa_column=_number("ends"))
    valid_from: int = Field(sa_column=_number("valid_from"))
    valid_until: int = Field(sa_column=_number("valid_until"))
    ended_at: int = Field(sa_column=_number("ended_at"))
    body: int = Field(sa_column=_number("body"))
    event: int = Field(sa_column=_number("event"))
    words: int = Field(sa_column=_number("words"))
    content_words: int = Field(sa_column=_number("content_words"))
    bytes: int = Field(sa_column=_number("bytes"))
    same_hash: int = Field(sa_column=_number("same_hash"))
    key_hash: int = Field(sa_column=_number("key_hash"))


class PostingRow(SQLModel, table=True):
    """A word in a place in an entry, so many times (R8)."""

    __tablename__ = "posting"
    __table_args__ = (Index("posting_by_entry", "tenant", "entry"), _PACKED)
    tenant: int = Field(sa_column=_key("tenant"))
    word: int = Field(sa_column=_key("word"))
    place: int = Field(sa_column=_key("place"))
    entry: int = Field(sa_column=_key("entry"))
    n: int = Field(sa_column=_number("n", 1))
