"""Make the table of the cards that players own, and note at which tables they play with them."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Make the table and the column."""
    op.create_table(
        "owned_cards",
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), primary_key=True),
        sa.Column("game", sa.String(), primary_key=True),
        sa.Column("card", sa.String(), primary_key=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("giver", sa.Integer(), sa.ForeignKey("players.number")),
    )
    op.add_column("tables", sa.Column("owned", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("tables", "owned")
    op.drop_table("owned_cards")
