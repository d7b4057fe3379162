"""More tables, owned by SQLModel: what agents and people agree on, and what waits for one of them.

Promises the same as ``tables``: numbers, keyed hashes, ids and enumerations; what a call would write is in ``body``.
"""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from oz0mem.store.tables import _key, _number, _word


class PolicyRow(SQLModel, table=True):
    """Whether agents' calls of a function, or of a group of them, are allowed, asked about or denied (G30).

    ``agent`` is 0 for all of them, ``writer`` 0 where the plugin wrote it and no admin yet.
    """

    __tablename__ = "policy"
    tenant: int = Field(sa_column=_key("tenant"))
    what: str = Field(sa_column=_word("what", key=True))
    agent: int = Field(sa_column=_key("agent"))
    effect: int = Field(sa_column=_number("effect"))
    at: int = Field(sa_column=_number("at"))
    writer: int = Field(sa_column=_number("writer"))


class ApprovalRow(SQLModel, table=True):
    """A call that waits for a person (G31); what it would write stands in ``body`` until somebody decided."""

    __tablename__ = "approval"
    __table_args__ = (
        Index("approval_by_id", "tenant", "id", unique=True),
        Index("approval_by_state", "tenant", "state", "num"),
        Index("approval_by_entry", "tenant", "entry"),
        Index("approval_by_about", "tenant", "about"),
        Index("approval_by_job", "tenant", "job"),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    id: str = Field(sa_column=_word("id"))
    function: str = Field(sa_column=_word("function"))
    entry: int = Field(sa_column=_number("entry"))
    about: int = Field(sa_column=_number("about"))
    agent: int = Field(sa_column=_number("agent"))
    starter: int = Field(sa_column=_number("starter"))
    job: int = Field(sa_column=_number("job"))
    state: int = Field(sa_column=_number("state"))
    at: int = Field(sa_column=_number("at"))
    decided: int = Field(sa_column=_number("decided"))
    decider: int = Field(sa_column=_number("decider"))
    event: int = Field(sa_column=_number("event"))
    body: int = Field(sa_column=_number("body"))


class LinkRow(SQLModel, table=True):
    """A labelled link from one entry to another (M17): proposed by one reviewer, confirmed by another."""

    __tablename__ = "link"
    __table_args__ = (
        Index("link_by_id", "tenant", "id", unique=True),
        Index("link_by_entry", "tenant", "entry"),
        Index("link_by_other", "tenant", "other"),
        Index("link_by_state", "tenant", "state", "num"),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    id: str = Field(sa_column=_word("id"))
    entry: int = Field(sa_column=_number("entry"))
    label: int = Field(sa_column=_number("label"))
    other: int = Field(sa_column=_number("other"))
    state: int = Field(sa_column=_number("state"))
    proposer: int = Field(sa_column=_number("proposer"))
    decider: int = Field(sa_column=_number("decider"))
    at: int = Field(sa_column=_number("at"))
    decided: int = Field(sa_column=_number("decided"))
    event: int = Field(sa_column=_number("event"))


class BookmarkRow(SQLModel, table=True):
    """How far an agent has read what changed (M26): by a keyed hash of agent, purpose, person and projects."""

    __tablename__ = "bookmark"
    __table_args__ = (Index("bookmark_by_about", "tenant", "about"),)
    tenant: int = Field(sa_column=_key("tenant"))
    hash: int = Field(sa_column=_key("hash"))
    about: int = Field(sa_column=_number("about"))
    first: int = Field(sa_column=_number("first"))
    event: int = Field(sa_column=_number("event"))
    moment: int = Field(sa_column=_number("moment"))
    at: int = Field(sa_column=_number("at"))
