"""How Alembic reaches the store: on the connection that ``store/schema`` hands over, in its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=False)
with context.begin_transaction():
    context.run_migrations()
