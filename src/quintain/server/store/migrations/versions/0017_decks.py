"""Make the tables of players' decks: each deck, and its list as it was after each change."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "decks",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("began", sa.String(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("changed", sa.Double(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_index("ix_decks_number", "decks", ["number", "game", "changed"])
    op.create_table(
        "deck_versions",
        sa.Column("deck", sa.String(), sa.ForeignKey("decks.id"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("list", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("deck_versions")
    op.drop_table("decks")
