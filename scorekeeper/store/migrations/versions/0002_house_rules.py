"""House rules that a table saved under a name of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "house_rules",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("rules", sa.Text, nullable=False),
    )
