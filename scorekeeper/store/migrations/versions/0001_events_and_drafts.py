"""Events that can only be added, and the draft of the hand being entered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes both tables and forbids changing or removing events."""
    op.create_table(
        "event",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("request_id", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="event_pkey"),
        sa.UniqueConstraint("game", "request_id", name="event_request"),
    )
    op.create_table(
        "draft",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    for statement in APPEND_ONLY.get(op.get_bind().dialect.name, ()):
        op.execute(statement)


APPEND_ONLY = {
    "sqlite": (
        "CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are only added'); END",
        "CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are only added'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION event_only_added() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'events are only added'; END $$",
        "CREATE TRIGGER event_only_added BEFORE UPDATE OR DELETE ON event "
        "FOR EACH ROW EXECUTE FUNCTION event_only_added()",
    ),
}
