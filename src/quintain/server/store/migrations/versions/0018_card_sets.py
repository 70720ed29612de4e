"""Make the tables of players' own sets of cards: each set with its draft, and its versions."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "card_sets",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("changed", sa.Double(), nullable=False),
        sa.Column("change", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("draft", sa.String(), nullable=False),
        sa.Column("valid", sa.String(), nullable=False),
        sa.Column("before", sa.String()),
    )
    op.create_index("ix_card_sets_number", "card_sets", ["number", "game", "changed"])
    op.create_table(
        "card_set_versions",
        sa.Column("card_set", sa.String(), sa.ForeignKey("card_sets.id"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("token", sa.String()),
    )
    op.create_index("ix_card_set_versions_token", "card_set_versions", ["token"], unique=True)


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("card_set_versions")
    op.drop_table("card_sets")
