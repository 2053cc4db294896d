"""What the lists of games and people show of each game, so that they need not read every event."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Makes the table; it fills as games go on, and with every start of a server."""
    op.create_table(
        "summary",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
