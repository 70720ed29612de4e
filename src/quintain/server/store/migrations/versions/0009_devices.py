"""Name the devices of players, so that each can be signed out; keep recovery codes, and links that add a device."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the tables and the columns."""
    op.create_table(
        "devices",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
    )
    op.create_index("ix_devices_number", "devices", ["number"])
    op.create_index("ix_devices_ended", "devices", ["ended"])
    op.create_table(
        "device_links",
        sa.Column("token", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
    )
    op.add_column("players", sa.Column("recovery", sa.String(), nullable=True))
    op.add_column("players", sa.Column("recovery_shown", sa.Double(), nullable=True))
    op.add_column("players", sa.Column("gone", sa.Double(), nullable=True))
    op.create_index("ix_players_recovery", "players", ["recovery"], unique=True)


def downgrade() -> None:
    """Refuse: devices that are signed out would be signed in again, and players who have gone would be back."""
    raise NotImplementedError("the devices cannot be turned back: use a backup from before")
