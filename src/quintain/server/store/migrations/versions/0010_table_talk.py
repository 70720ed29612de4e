"""Keep what people say at tables, beside the logs; and until when the operator has muted a player."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the table and the column."""
    op.create_table(
        "talk",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_talk_table", "talk", ["table", "id"])
    op.create_index("ix_talk_number", "talk", ["number"])
    op.add_column("players", sa.Column("muted", sa.Double(), nullable=True))


def downgrade() -> None:
    """Remove them again; what was said is lost."""
    op.drop_column("players", "muted")
    op.drop_table("talk")
