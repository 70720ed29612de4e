"""Let an index hold the tables of each status in their order, to find those in play among many finished ones."""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Widen the index."""
    op.drop_index("ix_tables_status", "tables")
    op.create_index("ix_tables_status", "tables", ["status", "made"])


def downgrade() -> None:
    """Make the index as it was."""
    op.drop_index("ix_tables_status", "tables")
    op.create_index("ix_tables_status", "tables", ["status"])
