"""Governance, written through SQLModel in the transaction of its event (Q1, L1).

Promises that principals, declarations, settings and secrets are whole rows of the tables that SQLModel owns.
Leaves reading them to ``identity`` (which imports no framework).
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool
from sqlmodel import Session

from oz0mem.model.agreements import EFFECTS
from oz0mem.model.names import OF_AGENT, OF_PERSON
from oz0mem.store import mapping
from oz0mem.store.agreements import PolicyRow
from oz0mem.store.bodies import Bodies
from oz0mem.store.names import Names
from oz0mem.store.records import AgentRow, PrincipalRow, SecretRow, SettingRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oz0mem.store.dialects import Postgres, Sqlite
    from oz0mem.store.work import Work


@contextmanager
def session_on(back: Sqlite | Postgres, raw: Any) -> Iterator[Session]:
    """A session that speaks on a connection of ours, and neither begins, commits nor closes it."""
    url = "sqlite://" if back.name == "sqlite" else "postgresql+psycopg://"
    engine = create_engine(
        url,
        creator=lambda: raw,
        poolclass=StaticPool,
        pool_reset_on_return=None,
        # Else a log at DEBUG, and a statement that fails, would tell what was written (Q15).
        hide_parameters=True,
    )
    with engine.connect() as connection, Session(bind=connection, autoflush=False) as session:
        back.rollback(raw)
        yield session


class Governance:
    """Governance rows of one transaction's tenant."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = Names(work)
        self.bodies = Bodies(work)
        self.session: Session = work.session

    def put_principal(self, name: str, role: str, token: bytes) -> int:
        """Write a new principal with the hash of its token; answers its number."""
        number = self.names.ensure(OF_PERSON, name)
        row = PrincipalRow(
            tenant=self.work.tenant,
            num=number,
            role=mapping.ROLES.index(role),
            token=token,
            disabled=0,
            created=self.work.now,
        )
        self.session.add(row)
        return number

    def change_principal(self, number: int, *, token: bytes | None = None, disabled: bool | None = None) -> None:
        """Give a principal another token, or disable or enable it."""
        row = self.session.get_one(PrincipalRow, (self.work.tenant, number))
        if token is not None:
            row.token = token
        if disabled is not None:
            row.disabled = int(disabled)
        self.session.add(row)

    def put_agent(self, name: str, document: Mapping[str, Any], key: bytes, by: str) -> int:
        """Write a declaration with its key beside it, over the one in force; answers its version."""
        number = self.names.ensure(OF_AGENT, name)
        body = self.bodies.put(mapping.dump({**document, "k": key.hex()}))
        writer = self.names.ensure(OF_PERSON, by)
        row = self.session.get(AgentRow, (self.work.tenant, number))
        if row is None:
            row = AgentRow(tenant=self.work.tenant, num=number, v=0, body=body, at=0, writer=writer)
        else:
            self.bodies.overwrite([row.body])
        row.v, row.body, row.at, row.writer = row.v + 1, body, self.work.now, writer
        self.session.add(row)
        return row.v

    def put_setting(self, name: str, value: object, by: str) -> None:
        """Write a setting."""
        body = self.bodies.put(mapping.dump({"value": value}))
        writer = self.names.ensure(OF_PERSON, by)
        row = self.session.get(SettingRow, (self.work.tenant, name))
        if row is None:
            row = SettingRow(tenant=self.work.tenant, name=name, body=body, at=0, writer=writer)
        row.body, row.at, row.writer = body, self.work.now, writer
        self.session.add(row)

    def put_policy(self, what: str, agent: str, effect: str, by: str) -> None:
        """Write a rule of the policy (G30); by '' it is the plugin's own."""
        number = self.names.ensure(OF_AGENT, agent) if agent else 0
        row = self.session.get(PolicyRow, (self.work.tenant, what, number))
        if row is None:
            row = PolicyRow(tenant=self.work.tenant, what=what, agent=number, effect=0, at=0, writer=0)
        row.effect, row.at = EFFECTS.index(effect), self.work.now
        row.writer = self.names.ensure(OF_PERSON, by) if by else 0
        self.session.add(row)

    def put_secret(self, length: int, digest: bytes, by: str) -> int:
        """Register a secret by length and keyed hash; answers its number."""
        number = self.work.number()
        row = SecretRow(
            tenant=self.work.tenant,
            num=number,
            length=length,
            digest=digest,
            at=self.work.now,
            writer=self.names.ensure(OF_PERSON, by),
        )
        self.session.add(row)
        self.work.change(secrets=self.work.head.secrets + 1)
        return number

    def drop_secret(self, number: int) -> bool:
        """Take a registered secret out; answers whether it was there."""
        row = self.session.get(SecretRow, (self.work.tenant, number))
        if row is None:
            return False
        self.session.delete(row)
        self.work.change(secrets=max(0, self.work.head.secrets - 1))
        return True
