"""Keep the ratings of players, and what each rated game changed; devices' addresses; invitations; games brought in."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the table and the columns; older games were not rated."""
    op.create_table(
        "ratings",
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), primary_key=True),
        sa.Column("game", sa.String(), primary_key=True),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
    )
    op.create_index("ix_ratings_game", "ratings", ["game", "mu"])
    op.add_column("played", sa.Column("alike", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("played", sa.Column("uncounted", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute('UPDATE played SET uncounted = true WHERE "table" IN (SELECT id FROM tables WHERE lesson IS NOT NULL)')
    op.add_column("seats", sa.Column("stranger", sa.String(), nullable=False, server_default=""))
    op.add_column("played", sa.Column("change", sa.Integer(), nullable=True))
    op.add_column("devices", sa.Column("address", sa.String(), nullable=False, server_default=""))
    op.create_index("ix_devices_address", "devices", ["address"])
    op.create_table(
        "invitations",
        sa.Column("table", sa.String(), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), primary_key=True),
        sa.Column("by", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
    )
    op.create_index("ix_invitations_number", "invitations", ["number"])


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("invitations")
    op.drop_index("ix_devices_address", "devices")
    op.drop_column("devices", "address")
    op.drop_column("played", "change")
    op.drop_column("seats", "stranger")
    op.drop_column("played", "uncounted")
    op.drop_column("played", "alike")
    op.drop_table("ratings")
