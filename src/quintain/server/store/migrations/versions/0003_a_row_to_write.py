"""Add the table for the row that health.py writes to check the database."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "health", sa.Column("id", sa.Integer(), primary_key=True), sa.Column("written", sa.Double(), nullable=False)
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("health")
