"""What agents and people do together: policy, approvals, links, bookmarks (G30, G31, M17, M26, M27).

Promises to change no row that is there. A tenant of before has no row of policy, which reads as the plugin's own.
"""

from alembic import op

from oz0mem.store.migrations.columns import index as _index
from oz0mem.store.migrations.columns import key as _key
from oz0mem.store.migrations.columns import numbers as _numbers
from oz0mem.store.migrations.columns import word as _word

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, and the indexes by which what changed and what is read at a start is found."""
    op.create_table(
        "policy", _key("tenant"), _word("what", primary_key=True), _key("agent"), *_numbers("effect at writer")
    )
    op.create_table(
        "approval",
        _key("tenant"),
        _key("num"),
        _word("id"),
        _word("function"),
        *_numbers("entry about agent starter job state at decided decider event body"),
    )
    _index("approval_by_id", "approval", "tenant id", unique=True)
    _index("approval_by_state", "approval", "tenant state num")
    _index("approval_by_entry", "approval", "tenant entry")
    _index("approval_by_about", "approval", "tenant about")
    _index("approval_by_job", "approval", "tenant job")
    op.create_table(
        "link",
        _key("tenant"),
        _key("num"),
        _word("id"),
        *_numbers("entry label other state proposer decider at decided event"),
    )
    _index("link_by_id", "link", "tenant id", unique=True)
    _index("link_by_entry", "link", "tenant entry")
    _index("link_by_other", "link", "tenant other")
    _index("link_by_state", "link", "tenant state num")
    op.create_table("bookmark", _key("tenant"), _key("hash"), *_numbers("about first event moment at"))
    _index("bookmark_by_about", "bookmark", "tenant about")
    _index("version_by_change", "version", "tenant place event entry", where="newest = 1")
    _index("version_by_ending", "version", "tenant place ends entry", where="newest = 1")
    _index(
        "version_at_startup",
        "version",
        "tenant place kind entry",
        where="newest = 1 AND (kind >= 1 AND kind <= 3 OR core = 1)",
    )
    _index("version_begins", "version", "tenant place valid_from entry", where="newest = 1 AND valid_from > 0")
    _index("version_stops", "version", "tenant place valid_until entry", where="newest = 1 AND valid_until > 0")


def downgrade() -> None:
    """Nothing goes back: what waits for a person is not taken away.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("approvals and links cannot be taken away")
