"""The first schema: entries and their words, the ledger, identity, governance, erasures.

Promises the tables of ``store/tables`` and ``store/records`` (a test compares them), and on SQLite the triggers,
on PostgreSQL the privileges, that keep events from being changed (L11). A later schema is a later migration.
"""

from alembic import op

from oz0mem.store.migrations.columns import blob as _bytes
from oz0mem.store.migrations.columns import index as _index
from oz0mem.store.migrations.columns import key as _key
from oz0mem.store.migrations.columns import number as _number
from oz0mem.store.migrations.columns import numbers as _numbers
from oz0mem.store.migrations.columns import word as _word

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, then guard the events."""
    _make_content()
    _make_entries()
    _make_beside()
    _make_ledger()
    _make_identity()
    if op.get_bind().dialect.name == "sqlite":
        _guard_by_triggers()
    else:
        _guard_by_privileges()


def _make_content() -> None:
    op.create_table("tenant", _key("tenant"), _word("name", unique=True))
    op.create_table(
        "head",
        _key("tenant"),
        _word("origin"),
        *_numbers("size"),
        _bytes("edge"),
        _number("next", 1),
        _bytes("hash_key"),
        *_numbers("index_version solo open_erasures secrets holds created"),
    )
    op.create_table("body", _key("tenant"), _key("num"), _bytes("content"), _bytes("vector", nullable=True))
    op.create_table("word", _key("tenant"), _key("num"), _bytes("content"))
    op.create_table("word_hash", _key("tenant"), _key("hash"), *_numbers("word"), sqlite_with_rowid=False)
    op.create_table("name", _key("tenant"), _key("num"), *_numbers("kind hash fold body"))
    _index("name_by_fold", "name", "tenant kind fold")
    _index("name_by_hash", "name", "tenant kind hash", unique=True)
    op.create_table(
        "subject",
        _key("tenant"),
        _key("num"),
        *_numbers("key_body n"),
        _number("last", -1),
        *_numbers("forgotten"),
    )
    op.create_table("place", _key("tenant"), _key("num"), *_numbers("scope about purpose"))
    _index("place_by_about", "place", "tenant about")
    _index("place_by_parts", "place", "tenant scope about purpose", unique=True)
    op.create_table("within", _key("tenant"), _key("above"), _key("scope"), sqlite_with_rowid=False)
    _index("within_by_scope", "within", "tenant scope")
    op.create_table("usage", _key("tenant"), _key("scope"), *_numbers("entries bytes"))


def _make_entries() -> None:
    op.create_table(
        "version",
        _key("tenant"),
        _key("entry"),
        _key("v"),
        *_numbers("newest"),
        _word("id"),
        *_numbers("kind state tier"),
        _word("held"),
        *_numbers(
            "place scope about purpose agent writer job origin core restricted created counted_from at ends valid_from"
            " valid_until ended_at body event words content_words bytes same_hash key_hash"
        ),
    )
    _index("version_by_about", "version", "tenant about created entry", where="newest = 1")
    _index("version_by_agent", "version", "tenant agent created entry", where="newest = 1")
    _index("version_by_end", "version", "tenant ends entry", where="newest = 1")
    _index("version_by_id", "version", "tenant id v", unique=True)
    _index("version_by_key", "version", "tenant key_hash place entry", where="newest = 1")
    _index("version_by_place", "version", "tenant place state created entry", where="newest = 1")
    _index("version_by_same", "version", "tenant same_hash place entry", where="newest = 1")
    _index("version_by_scope", "version", "tenant scope created entry", where="newest = 1")
    _index("version_by_state", "version", "tenant state created entry", where="newest = 1")
    _index("version_by_time", "version", "tenant created entry", where="newest = 1")
    _index("version_erased", "version", "tenant created entry", where="newest = 2")
    op.create_table(
        "posting",
        _key("tenant"),
        _key("word"),
        _key("place"),
        _key("entry"),
        _number("n", 1),
        sqlite_with_rowid=False,
    )
    _index("posting_by_entry", "posting", "tenant entry")


def _make_beside() -> None:
    op.create_table("call", _key("tenant"), _key("hash"), *_numbers("entry about at body"))
    _index("call_by_about", "call", "tenant about")
    _index("call_by_entry", "call", "tenant entry")
    _index("call_by_time", "call", "tenant at")
    op.create_table("reason", _key("tenant"), _key("num"), *_numbers("event about entry body"))
    _index("reason_by_about", "reason", "tenant about")
    _index("reason_by_entry", "reason", "tenant entry")
    op.create_table("proposal", _key("tenant"), _key("num"), *_numbers("entry v starter agent state at reason"))
    _index("proposal_by_entry", "proposal", "tenant entry state")
    op.create_table(
        "hold",
        _key("tenant"),
        _key("num"),
        _word("id"),
        *_numbers("about scope entry everything body placed lifted"),
    )


def _make_ledger() -> None:
    op.create_table(
        "event",
        _key("tenant"),
        _key("idx"),
        *_numbers("at"),
        _word("action"),
        *_numbers("entry"),
        _bytes("leaf"),
        _bytes("body"),
    )
    _index("event_by_action", "event", "tenant action idx")
    _index("event_by_entry", "event", "tenant entry idx")
    op.create_table("tile", _key("tenant"), _key("level"), _key("idx"), _bytes("hashes"))
    op.create_table(
        "erasure",
        _key("tenant"),
        _key("num"),
        _word("action"),
        *_numbers("about"),
        _word("basis"),
        _word("actor"),
        *_numbers("at"),
    )
    op.create_table("erased", _key("tenant"), _key("erasure"), _key("what"), _key("num"))


def _make_identity() -> None:
    op.create_table(
        "principal",
        _key("tenant"),
        _key("num"),
        *_numbers("role"),
        _bytes("token"),
        *_numbers("disabled created"),
    )
    _index("principal_by_token", "principal", "tenant token", unique=True)
    op.create_table(
        "job",
        _key("tenant"),
        _key("num"),
        _word("id"),
        _bytes("token"),
        *_numbers("agent purpose about person starter thread"),
        _number("sees", -1),
        *_numbers("tier created expires ended body"),
    )
    _index("job_by_id", "job", "tenant id", unique=True)
    _index("job_by_person", "job", "tenant person")
    _index("job_by_thread", "job", "tenant thread")
    _index("job_by_token", "job", "tenant token", unique=True)
    op.create_table("job_read", _key("tenant"), _key("job"), _key("num"), *_numbers("tier body"))
    op.create_table("agent", _key("tenant"), _key("num"), _number("v", 1), *_numbers("body at writer"))
    op.create_table("setting", _key("tenant"), _word("name", primary_key=True), *_numbers("body at writer"))
    op.create_table(
        "secret", _key("tenant"), _key("num"), *_numbers("length"), _bytes("digest"), *_numbers("at writer")
    )


def _guard_by_triggers() -> None:
    op.execute(
        "CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the ledger only grows (L11)'); END"
    )
    op.execute(
        "CREATE TRIGGER event_as_written BEFORE UPDATE ON event WHEN NOT (length(new.body) = 0"
        " AND new.tenant = old.tenant AND new.idx = old.idx AND new.at = old.at AND new.action = old.action"
        " AND new.entry = old.entry AND new.leaf = old.leaf)"
        " BEGIN SELECT RAISE(ABORT, 'the ledger only grows (L11)'); END"
    )


def _guard_by_privileges() -> None:
    op.execute("REVOKE UPDATE, DELETE, TRUNCATE ON event FROM CURRENT_USER")
    op.execute("GRANT UPDATE (body) ON event TO CURRENT_USER")
    for table, column in (("body", "content"), ("body", "vector"), ("word", "content")):
        op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0")


def downgrade() -> None:
    """The first schema has none before it.

    Raises:
        RuntimeError: always; taking the tables away would lose the ledger.
    """
    raise RuntimeError("the first schema cannot be taken away")
