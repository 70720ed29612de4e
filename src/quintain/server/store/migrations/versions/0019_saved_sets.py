"""Make the tables of the sets of cards that players save under a name, and of those that they played."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "saved_sets",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("cards", sa.String(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("changed", sa.Double(), nullable=False),
    )
    op.create_index("ix_saved_sets_number", "saved_sets", ["number", "game", "made"])
    op.create_table(
        "played_sets",
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), primary_key=True),
        sa.Column("game", sa.String(), primary_key=True),
        sa.Column("table", sa.String(), primary_key=True),
        sa.Column("mark", sa.String(), primary_key=True),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("played_sets")
    op.drop_table("saved_sets")
