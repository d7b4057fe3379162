"""Signed heads, and what an erasure that takes a person's name needs to be closed (L4, L11, L14).

Promises to change no row that is there. An erasure keeps the handle of its person from its first step on, since name
and key may be overwritten by then.
"""

from alembic import op
from sqlalchemy import text

from oz0mem.store.migrations.columns import blob as _bytes
from oz0mem.store.migrations.columns import index as _index
from oz0mem.store.migrations.columns import key as _key
from oz0mem.store.migrations.columns import number as _number
from oz0mem.store.migrations.columns import word as _word

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of heads, two columns, and the indexes by which names that may go are found."""
    op.create_table(
        "signed_head", _key("tenant"), _key("size"), _bytes("root"), _number("at"), _word("key"), _word("note")
    )
    op.add_column("erasure", _word("subject", server_default=text("''")))
    op.add_column("erasure", _number("unlink"))
    _index("subject_by_forgotten", "subject", "tenant forgotten num", where="forgotten > 0")
    _index("version_by_writer", "version", "tenant writer", where="writer > 0")


def downgrade() -> None:
    """Nothing goes back: a head that was handed out is not taken away.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("signed heads cannot be taken away")
