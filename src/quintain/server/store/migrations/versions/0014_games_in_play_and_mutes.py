"""Let an index hold the tables of each status in their order, and note when a player was muted."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Widen the index, and add the column."""
    op.add_column("players", sa.Column("muted_at", sa.Double(), nullable=True))
    op.drop_index("ix_tables_status", "tables")
    op.create_index("ix_tables_status", "tables", ["status", "made"])


def downgrade() -> None:
    """Drop the column, and make the index as it was."""
    op.drop_column("players", "muted_at")
    op.drop_index("ix_tables_status", "tables")
    op.create_index("ix_tables_status", "tables", ["status"])
