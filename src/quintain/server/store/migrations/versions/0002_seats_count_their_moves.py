"""Add to seats the count of their moves to another device."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column."""
    op.add_column("seats", sa.Column("moved", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("seats", "moved")
