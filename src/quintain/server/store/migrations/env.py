"""Runs the migrations on the connection that `migrate` in `upgrades.py` has opened; Alembic loads this file."""

from alembic import context

from quintain.server.store.schema import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
