"""More tables, owned by SQLModel: the ledger, identity, governance, and what an erasure still has to do.

Promises the same as ``tables``: numbers, keyed hashes and bodies only. Token columns hold SHA-256 of a
random 256-bit token (G1), so they tell nothing.
"""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from oz0mem.store.tables import _bytes, _key, _number, _word


class EventRow(SQLModel, table=True):
    """An event as written, its leaf beside it (L10, L11); ``entry`` where it adds a version of one."""

    __tablename__ = "event"
    __table_args__ = (
        Index("event_by_entry", "tenant", "entry", "idx"),
        Index("event_by_action", "tenant", "action", "idx"),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    idx: int = Field(sa_column=_key("idx"))
    at: int = Field(sa_column=_number("at"))
    action: str = Field(sa_column=_word("action"))
    entry: int = Field(sa_column=_number("entry"))
    leaf: bytes = Field(sa_column=_bytes("leaf"))
    body: bytes = Field(sa_column=_bytes("body"))


class TileRow(SQLModel, table=True):
    """256 hashes of one upper level of the tree (L11)."""

    __tablename__ = "tile"
    tenant: int = Field(sa_column=_key("tenant"))
    level: int = Field(sa_column=_key("level"))
    idx: int = Field(sa_column=_key("idx"))
    hashes: bytes = Field(sa_column=_bytes("hashes"))


class SignedHeadRow(SQLModel, table=True):
    """A head that was made durable to be signed; ``note`` is '' until it was (L12, L14)."""

    __tablename__ = "signed_head"
    tenant: int = Field(sa_column=_key("tenant"))
    size: int = Field(sa_column=_key("size"))
    root: bytes = Field(sa_column=_bytes("root"))
    at: int = Field(sa_column=_number("at"))
    key: str = Field(sa_column=_word("key"))
    note: str = Field(sa_column=_word("note"))


class ReasonRow(SQLModel, table=True):
    """Why something was done, in words that can be erased (L5); ``event`` commits to them."""

    __tablename__ = "reason"
    __table_args__ = (
        Index("reason_by_about", "tenant", "about"),
        Index("reason_by_entry", "tenant", "entry"),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    event: int = Field(sa_column=_number("event"))
    about: int = Field(sa_column=_number("about"))
    entry: int = Field(sa_column=_number("entry"))
    body: int = Field(sa_column=_number("body"))


class CallRow(SQLModel, table=True):
    """A call that was made once (M9): keyed hash of who called and the call id; the answer by ids in ``body``."""

    __tablename__ = "call"
    __table_args__ = (
        Index("call_by_entry", "tenant", "entry"),
        Index("call_by_about", "tenant", "about"),
        Index("call_by_time", "tenant", "at"),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    hash: int = Field(sa_column=_key("hash"))
    entry: int = Field(sa_column=_number("entry"))
    about: int = Field(sa_column=_number("about"))
    at: int = Field(sa_column=_number("at"))
    body: int = Field(sa_column=_number("body"))


class PrincipalRow(SQLModel, table=True):
    """A person or a service account: role, and the hash of its token."""

    __tablename__ = "principal"
    __table_args__ = (Index("principal_by_token", "tenant", "token", unique=True),)
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    role: int = Field(sa_column=_number("role"))
    token: bytes = Field(sa_column=_bytes("token"))
    disabled: int = Field(sa_column=_number("disabled"))
    created: int = Field(sa_column=_number("created"))


class JobRow(SQLModel, table=True):
    """A job as its starter fixed it (G2); ``body`` names projects and compartments, ``tier`` is what it has read."""

    __tablename__ = "job"
    __table_args__ = (
        Index("job_by_id", "tenant", "id", unique=True),
        Index("job_by_token", "tenant", "token", unique=True),
        Index("job_by_person", "tenant", "person"),
        Index("job_by_thread", "tenant", "thread"),
    )
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    id: str = Field(sa_column=_word("id"))
    token: bytes = Field(sa_column=_bytes("token"))
    agent: int = Field(sa_column=_number("agent"))
    purpose: int = Field(sa_column=_number("purpose"))
    about: int = Field(sa_column=_number("about"))
    person: int = Field(sa_column=_number("person"))
    starter: int = Field(sa_column=_number("starter"))
    thread: int = Field(sa_column=_number("thread"))
    sees: int = Field(sa_column=_number("sees", -1))
    tier: int = Field(sa_column=_number("tier"))
    created: int = Field(sa_column=_number("created"))
    expires: int = Field(sa_column=_number("expires"))
    ended: int = Field(sa_column=_number("ended"))
    body: int = Field(sa_column=_number("body"))


class JobReadRow(SQLModel, table=True):
    """One source that a job has read."""

    __tablename__ = "job_read"
    tenant: int = Field(sa_column=_key("tenant"))
    job: int = Field(sa_column=_key("job"))
    num: int = Field(sa_column=_key("num"))
    tier: int = Field(sa_column=_number("tier"))
    body: int = Field(sa_column=_number("body"))


class AgentRow(SQLModel, table=True):
    """An agent's declaration in force; its document stands in ``body``."""

    __tablename__ = "agent"
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    v: int = Field(sa_column=_number("v", 1))
    body: int = Field(sa_column=_number("body"))
    at: int = Field(sa_column=_number("at"))
    writer: int = Field(sa_column=_number("writer"))


class SettingRow(SQLModel, table=True):
    """A setting that somebody changed from its default (G14); its value stands in ``body``."""

    __tablename__ = "setting"
    tenant: int = Field(sa_column=_key("tenant"))
    name: str = Field(sa_column=_word("name", key=True))
    body: int = Field(sa_column=_number("body"))
    at: int = Field(sa_column=_number("at"))
    writer: int = Field(sa_column=_number("writer"))


class SecretRow(SQLModel, table=True):
    """A secret of the tenant's own, as a keyed hash and its length in characters (M8)."""

    __tablename__ = "secret"
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    length: int = Field(sa_column=_number("length"))
    digest: bytes = Field(sa_column=_bytes("digest"))
    at: int = Field(sa_column=_number("at"))
    writer: int = Field(sa_column=_number("writer"))


class HoldRow(SQLModel, table=True):
    """A legal hold: what it covers, by number; zeros where a term is not used (G40)."""

    __tablename__ = "hold"
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    id: str = Field(sa_column=_word("id"))
    about: int = Field(sa_column=_number("about"))
    scope: int = Field(sa_column=_number("scope"))
    entry: int = Field(sa_column=_number("entry"))
    everything: int = Field(sa_column=_number("everything"))
    body: int = Field(sa_column=_number("body"))
    placed: int = Field(sa_column=_number("placed"))
    lifted: int = Field(sa_column=_number("lifted"))


class ProposalRow(SQLModel, table=True):
    """An agent's retirement of an entry that waits for a person (M34)."""

    __tablename__ = "proposal"
    __table_args__ = (Index("proposal_by_entry", "tenant", "entry", "state"),)
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    entry: int = Field(sa_column=_number("entry"))
    v: int = Field(sa_column=_number("v"))
    starter: int = Field(sa_column=_number("starter"))
    agent: int = Field(sa_column=_number("agent"))
    state: int = Field(sa_column=_number("state"))
    at: int = Field(sa_column=_number("at"))
    reason: int = Field(sa_column=_number("reason"))


class ErasureRow(SQLModel, table=True):
    """An erasure that was begun (L21): closed in the transaction of its closing events.

    ``subject`` is the person's handle; where ``unlink`` is 1 their name and key go with the rest (L4).
    """

    __tablename__ = "erasure"
    tenant: int = Field(sa_column=_key("tenant"))
    num: int = Field(sa_column=_key("num"))
    action: str = Field(sa_column=_word("action"))
    about: int = Field(sa_column=_number("about"))
    basis: str = Field(sa_column=_word("basis"))
    actor: str = Field(sa_column=_word("actor"))
    at: int = Field(sa_column=_number("at"))
    subject: str = Field(sa_column=_word("subject", "''"))
    unlink: int = Field(sa_column=_number("unlink"))


class ErasureRowRow(SQLModel, table=True):
    """What an erasure overwrote: an entry (what=0), a body (1) or a word (2)."""

    __tablename__ = "erased"
    tenant: int = Field(sa_column=_key("tenant"))
    erasure: int = Field(sa_column=_key("erasure"))
    what: int = Field(sa_column=_key("what"))
    num: int = Field(sa_column=_key("num"))
