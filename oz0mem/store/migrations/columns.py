"""The columns and indexes that migrations are written with.

A migration that has shipped never changes, and so neither does what is here.
"""

from __future__ import annotations

from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Column, LargeBinary, Text, text


def key(name: str) -> Column[int]:
    """A column of the primary key."""
    return Column(name, BigInteger, primary_key=True, autoincrement=False, nullable=False)


def number(name: str, default: int = 0) -> Column[int]:
    """A number that is never absent."""
    return Column(name, BigInteger, nullable=False, server_default=text(str(default)))


def numbers(names: str) -> list[Column[int]]:
    """Numbers that are 0 unless said otherwise, by their names with spaces between."""
    return [number(name) for name in names.split()]


def blob(name: str, *, nullable: bool = False) -> Column[bytes]:
    """Bytes."""
    return Column(name, LargeBinary, nullable=nullable)


def word(name: str, **how: Any) -> Column[str]:
    """A text that compares byte by byte on both back ends (Q14)."""
    kind = Text().with_variant(Text(collation="C"), "postgresql")
    return Column(name, kind, nullable=False, **how)


def index(name: str, table: str, columns: str, *, unique: bool = False, where: str = "") -> None:
    """An index on columns, named with spaces between; of part of the rows where ``where`` is given."""
    part = text(where) if where else None
    op.create_index(name, table, columns.split(), unique=unique, sqlite_where=part, postgresql_where=part)
