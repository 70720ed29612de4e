"""Add to tables how many steps of a lesson are done there."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("tables", sa.Column("lesson", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("tables", "lesson")
