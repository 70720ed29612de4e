"""Make the analyses of finished games, and what they say of each seat."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "analyses",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("steps", sa.LargeBinary(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("stopped", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("problem", sa.String(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["by"], ["players.number"]),
        sa.PrimaryKeyConstraint("table"),
    )
    op.create_table(
        "analysis_asks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["players.number"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_analysis_asks_number", "analysis_asks", ["number", "at"])
    op.create_table(
        "judged_seats",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("lost", sa.Double(), nullable=False),
        sa.Column("cards", sa.Double(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("free", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("table", "seat"),
    )
    op.create_index("ix_judged_seats_game", "judged_seats", ["game"])
    op.create_index("ix_judged_seats_who", "judged_seats", ["who", "game"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("judged_seats")
    op.drop_table("analysis_asks")
    op.drop_table("analyses")
