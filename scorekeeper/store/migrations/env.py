"""Alembic's entry point: brings the database on the connection it is handed to the newest version."""

from __future__ import annotations

from alembic import context

from scorekeeper.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
